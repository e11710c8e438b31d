//! The shared memory through which an instrumented solver's counters reach us, whatever ends the solver.
//!
//! The counterpart of `gcov-tools/shared_counters.h`: the solver's counters *are* pages of an anonymous shared memory
//! object, so nothing has to be written when it ends, and a `SIGKILL` loses nothing. See there for the object's layout.
//! On the solver's side stands `gcov-tools/runtime.c`, linked into it, or `gcov-tools/preload.c`, loaded into it.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::unistd::{Whence, lseek};

use super::counters::Counters;
use super::error::CoverageError;
use super::layout::{self, Layout};
use super::map::CoverageMap;

/// The environment variable that tells the runtime the descriptor's number.
pub const COUNTERS_VARIABLE: &str = "MULSTRINGFUZZ_COUNTERS";

const MAGIC: u64 = u64::from_le_bytes(*b"SCNTRS01");
/// Numbers in the header: see `struct header` in `gcov-tools/shared_counters.h`.
const HEADER_NUMBERS: usize = 10;
/// The states of a run in which counters can be read: all units have registered.
const REGISTERED: u64 = 2;
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
        let (image, extents) = self.image(&header)?;
        let mut executed: Vec<(u32, &[u8])> = Vec::new();
        let mut places = layout.places.as_slice();
        for (start, end) in extents {
            places = &places[places.partition_point(|place| u64::from(place.end) <= start)..];
            let (inside, rest) = places.split_at(places.partition_point(|place| u64::from(place.start) < end));
            places = rest;
            for place in inside {
                let bytes = &image[place.start as usize..place.end as usize];
                if bytes.as_chunks::<8>().0.iter().any(|counter| u64::from_le_bytes(*counter) != 0) {
                    executed.push((place.function, bytes));
                }
            }
        }
        executed.sort_unstable_by_key(|(function, _)| *function);
        let mut counters = Counters::new(map);
        for (function, bytes) in executed {
            counters.functions.push(function);
            counters.values.extend(bytes.as_chunks::<8>().0.iter().map(|counter| u64::from_le_bytes(*counter)));
        }
        Ok(counters)
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

    /// The image of `.bss`, and the extents of it, ascending, that hold data: the rest is zero.
    fn image(&self, header: &Header) -> Result<(Vec<u8>, Extents), CoverageError> {
        let channel = |errno: Errno| CoverageError::Channel(errno.into());
        let mut image = vec![0u8; header.image_length as usize];
        let mut extents = Vec::new();
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
            let part = &mut image[from as usize..to as usize];
            self.object.read_exact_at(part, start).map_err(CoverageError::Channel)?;
            if from < to {
                extents.push((from, to));
            }
            at = end.max(at + 1);
        }
        Ok((image, extents))
    }
}
