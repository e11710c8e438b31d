//! The shared memory through which an instrumented solver's counters reach us, whatever ends the solver.
//!
//! The counterpart of `gcov-tools/shared_counters.h`: the solver's counters *are* pages of an anonymous shared memory
//! object, so nothing has to be written when it ends, and a `SIGKILL` loses nothing. See there for the object's layout.
//! On the solver's side stands `gcov-tools/runtime.c`, linked into it, or `gcov-tools/preload.c`, loaded into it.

use std::cell::RefCell;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::unistd::{Whence, lseek};

use super::counters::Counters;
use super::error::CoverageError;
use super::layout::{self, Layout, Place};
use super::map::CoverageMap;

/// The environment variable that tells the runtime the descriptor's number.
pub const COUNTERS_VARIABLE: &str = "MULSTRINGFUZZ_COUNTERS";

const MAGIC: u64 = u64::from_le_bytes(*b"SCNTRS01");
/// Numbers in the header: see `struct header` in `gcov-tools/shared_counters.h`.
const HEADER_NUMBERS: usize = 10;
/// The states of a run in which counters can be read: all units have registered.
const REGISTERED: u64 = 2;
/// A hole of at most so many bytes is read along with the data around it, which costs less than another call.
const GAP: u64 = 1 << 14;
/// Largest `.bss` that is read, in bytes.
const IMAGE_LIMIT: u64 = 1 << 31;

/// A shared memory object for the counters of one run of a solver.
///
/// Give [`CounterChannel::fd`] to the process as an inherited descriptor, with
/// [`CounterChannel::environment`] in its environment; when it has ended, [`CounterChannel::collect`]. A limit on file
/// sizes must leave room for the object: the program's `.bss` and, in the first run, 24 bytes per function.
#[derive(Debug)]
pub struct CounterChannel {
    object: File,
}

/// Parts of the image: first byte, one past the last.
type Extents = Vec<(u64, u64)>;

/// What the runtime wrote at the start of the object.
struct Header {
    layout: u64,
    image_offset: u64,
    image_length: u64,
    table_offset: u64,
    table_length: u64,
}

impl CounterChannel {
    /// An empty object. It closes on `exec`, unless it is passed on as an inherited descriptor.
    ///
    /// The first run of a build also tells where its counters are (some megabytes); what `map` has learnt so is
    /// not asked for again.
    ///
    /// # Errors
    /// [`CoverageError::Channel`] when the system gives no shared memory.
    pub fn new(map: &CoverageMap) -> Result<Self, CoverageError> {
        let descriptor = memfd_create(c"mulstringfuzz-counters", MFdFlags::MFD_CLOEXEC);
        let object = File::from(descriptor.map_err(|errno| CoverageError::Channel(errno.into()))?);
        let mut header = [0u8; 8 * HEADER_NUMBERS];
        header[..8].copy_from_slice(&MAGIC.to_le_bytes());
        header[8..16].copy_from_slice(&map.any_layout().to_le_bytes());
        object.write_all_at(&header, 0).map_err(CoverageError::Channel)?;
        Ok(CounterChannel { object })
    }

    /// The descriptor that the process must inherit.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.object.as_fd()
    }

    /// The descriptor once more, to hand over to the process that inherits it.
    ///
    /// # Errors
    /// [`CoverageError::Channel`] when there are no descriptors left.
    pub fn inheritable(&self) -> Result<OwnedFd, CoverageError> {
        self.object.as_fd().try_clone_to_owned().map_err(CoverageError::Channel)
    }

    /// The environment variable for a process in which the descriptor keeps its number.
    pub fn environment(&self) -> (&'static str, String) {
        self.environment_for(self.object.as_raw_fd())
    }

    /// The environment variable for a process in which the descriptor has the number `inherited`.
    pub fn environment_for(&self, inherited: RawFd) -> (&'static str, String) {
        (COUNTERS_VARIABLE, inherited.to_string())
    }

    /// The counters as they stand: final after the process has ended, a snapshot while it runs.
    ///
    /// # Errors
    /// [`CoverageError::NotShared`] when no instrumented program with our runtime or library took the object up, or
    /// ended before it began; [`CoverageError::Foreign`] when the program was not built along with the map's notes;
    /// [`CoverageError::Channel`] and [`CoverageError::Damaged`] when the object cannot be read.
    pub fn collect(&self, map: &CoverageMap) -> Result<Counters, CoverageError> {
        let header = self.header()?;
        let layout = self.layout(&header, map)?;
        let extents = self.extents(&header)?;
        WORKSPACE.with_borrow_mut(|Workspace { image, executed }| {
            let parts = self.read_counters(&header, &layout, &extents, image)?;
            executed.resize(map.function_count(), NOWHERE);
            let (mut functions, mut values) = (0, 0);
            for (places, at) in parts {
                let first = places[0].start;
                for place in places {
                    let (start, length) = (at + place.start - first, place.end - place.start);
                    let counters = &image[start as usize..(start + length) as usize];
                    if counters.as_chunks::<8>().0.iter().any(|counter| *counter != [0; 8]) {
                        executed[place.function as usize] = start;
                        functions += 1;
                        values += counters.len() / 8;
                    }
                }
            }
            let mut counters = Counters::new(map);
            counters.functions.reserve(functions);
            counters.values.reserve(values);
            for (function, start) in (0..).zip(executed) {
                if *start != NOWHERE {
                    let bytes = &image[*start as usize..*start as usize + 8 * map.counters_of(function)];
                    counters.functions.push(function);
                    counters.values.extend(bytes.as_chunks::<8>().0.iter().map(|counter| u64::from_le_bytes(*counter)));
                    *start = NOWHERE;
                }
            }
            Ok(counters)
        })
    }

    fn header(&self) -> Result<Header, CoverageError> {
        let mut bytes = [0u8; 8 * HEADER_NUMBERS];
        self.object.read_exact_at(&mut bytes, 0).map_err(CoverageError::Channel)?;
        let mut numbers = [0u64; HEADER_NUMBERS];
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [magic, _, state, problems, layout, image_offset, image_length, table_offset, table_length, _] = numbers;
        let reason = match state {
            0 if problems & 16 != 0 => {
                "the program that ran has no translation unit with coverage; build it with gcc-12 --coverage"
            }
            0 => {
                "it never took the shared memory up; link it with gcov-tools/runtime.c, or set counters = \"preload\" \
                 in its profile and link it dynamically"
            }
            1 => "it ended before its translation units had registered",
            REGISTERED if problems & 1 != 0 => "some counters lie in a shared library; link the solver statically",
            REGISTERED if problems & 2 != 0 => "it has more translation units than the runtime can hold",
            REGISTERED if problems & 4 != 0 => "some translation units were not compiled by GCC 12",
            REGISTERED if problems != 0 => "the shared memory could not be written",
            REGISTERED if magic == MAGIC && image_length <= IMAGE_LIMIT => {
                return Ok(Header { layout, image_offset, image_length, table_offset, table_length });
            }
            _ => return Err(CoverageError::Damaged("shared memory")),
        };
        Err(CoverageError::NotShared(reason))
    }

    /// The layout of this program, from its table if it is new to the map.
    fn layout(&self, header: &Header, map: &CoverageMap) -> Result<Arc<Layout>, CoverageError> {
        if let Some(known) = map.layout(header.layout) {
            return Ok(known);
        }
        // The runtime leaves the table out only for a map that knows it, which then is not this one.
        if header.table_length == 0 {
            return Err(CoverageError::Damaged("counter layout"));
        }
        let length = usize::try_from(header.table_length.min(IMAGE_LIMIT)).unwrap_or(0);
        let mut table = vec![0; length];
        self.object.read_exact_at(&mut table, header.table_offset).map_err(CoverageError::Channel)?;
        let layout = layout::read(&table, header.image_length, map)?;
        Ok(map.learn_layout(header.layout, layout))
    }

    /// The extents of the image of `.bss`, ascending, that hold data: the rest is zero.
    fn extents(&self, header: &Header) -> Result<Extents, CoverageError> {
        let channel = |errno: Errno| CoverageError::Channel(errno.into());
        let mut extents: Extents = Vec::new();
        let image_end = header.image_offset.saturating_add(header.image_length);
        let mut at = header.image_offset;
        while at < image_end {
            let start = match lseek(&self.object, at.cast_signed(), Whence::SeekData) {
                Ok(start) => start as u64,
                Err(Errno::ENXIO) => break, // nothing but a hole up to the end
                Err(errno) => return Err(channel(errno)),
            };
            let end = lseek(&self.object, start.cast_signed(), Whence::SeekHole).map_err(channel)? as u64;
            let (start, end) = (start.min(image_end), end.min(image_end));
            let (from, to) = (start - header.image_offset, end - header.image_offset);
            match extents.last_mut() {
                Some((_, last)) if from - *last <= GAP => *last = to,
                _ if from < to => extents.push((from, to)),
                _ => {}
            }
            at = end.max(at + 1);
        }
        Ok(extents)
    }

    /// Reads the counters in `extents` into `image`: places that lie side by side, and where in `image` they begin. A
    /// place that is only partly in an extent is read whole.
    fn read_counters<'a>(
        &self,
        header: &Header,
        layout: &'a Layout,
        extents: &[(u64, u64)],
        image: &mut Vec<u8>,
    ) -> Result<Vec<(&'a [Place], u32)>, CoverageError> {
        let mut parts = Vec::with_capacity(extents.len());
        let mut rest = layout.places.as_slice();
        let mut at = 0;
        for &(start, end) in extents {
            rest = &rest[rest.partition_point(|place| u64::from(place.end) <= start)..];
            let (inside, others) = rest.split_at(rest.partition_point(|place| u64::from(place.start) < end));
            rest = others;
            let (Some(first), Some(last)) = (inside.first(), inside.last()) else { continue };
            let after = at + (last.end - first.start) as usize;
            if image.len() < after {
                image.resize(after, 0);
            }
            let offset = header.image_offset + u64::from(first.start);
            self.object.read_exact_at(&mut image[at..after], offset).map_err(CoverageError::Channel)?;
            parts.push((inside, at as u32));
            at = after;
        }
        Ok(parts)
    }
}

/// Memory that a thread keeps from one run to the next, since new memory costs more than the reading.
#[derive(Default)]
struct Workspace {
    /// The counters that were read.
    image: Vec<u8>,
    /// Function → where its counters begin in `image`; [`NOWHERE`] if it did not run, and between runs.
    executed: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}
