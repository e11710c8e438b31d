//! The map of an instrumented build: which lines it has, and how counters become their counts.

mod build;
mod cache;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) use build::files_with_extension;

use super::compiled::Compiled;
use super::counters::Counters;
use super::counts::{LineCounts, LineSlot};
use super::error::CoverageError;
use super::gcno::Identity;
use super::layout::Layout;

/// Which source files a map covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SourceFilter {
    /// The target's own sources: everything outside the folders of system headers.
    #[default]
    Own,
    /// System headers too: what `gcov` lists.
    All,
}

/// All notes of an instrumented build, compiled. Cheap to share by reference between threads.
#[derive(Debug)]
pub struct CoverageMap {
    fingerprint: u64,
    /// The folder that holds all own sources, with a closing `/`.
    root: String,
    files: Vec<String>,
    file_of_slot: Arc<[u32]>,
    line_of_slot: Vec<u32>,
    units: Vec<Unit>,
    functions: Vec<FunctionIdentity>,
    compiled: Compiled,
    /// Where programs of this build keep their counters, by the layout's name; learnt from the first run of each.
    layouts: Mutex<HashMap<u64, Arc<Layout>>>,
}

/// A translation unit of the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) identity: Identity,
    /// Path of its notes under the build folder, without the extension.
    pub(crate) path: String,
    /// Its functions, ascending by ident, in the map's numbering.
    pub(crate) functions: std::ops::Range<u32>,
}

/// What tells a function and its flow graph from others of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FunctionIdentity {
    pub(crate) ident: u32,
    pub(crate) line_checksum: u32,
    pub(crate) graph_checksum: u32,
}

impl CoverageMap {
    /// The map of all `.gcno` files under `gcno_folder`, for the target's own sources: read from `cache_folder` if
    /// it is there, else compiled (some seconds for a large solver) and saved there. A cached map of another build,
    /// of another version of this program or with damage is never used.
    ///
    /// # Errors
    /// [`CoverageError`] when there are no notes, or when one cannot be read or is not of GCC 12. A cache that
    /// cannot be written is only warned of.
    pub fn load_or_build(gcno_folder: &Path, cache_folder: &Path) -> Result<Self, CoverageError> {
        Self::load_or_build_with(gcno_folder, cache_folder, SourceFilter::Own)
    }

    /// As [`CoverageMap::load_or_build`], for the sources that `filter` admits.
    ///
    /// # Errors
    /// As for [`CoverageMap::load_or_build`].
    pub fn load_or_build_with(
        gcno_folder: &Path,
        cache_folder: &Path,
        filter: SourceFilter,
    ) -> Result<Self, CoverageError> {
        let notes = build::list(gcno_folder)?;
        let fingerprint = build::fingerprint(&notes, filter);
        let cache = cache_folder.join(format!("coverage-{fingerprint:016x}.map"));
        match cache::load(&cache, fingerprint) {
            Ok(Some(map)) => return Ok(map),
            Ok(None) => {}
            Err(error) => tracing::warn!(cache = %cache.display(), %error, "the cached coverage map is rebuilt"),
        }
        let map = build::build(&notes, fingerprint, filter)?;
        if let Err(error) = cache::save(&map, &cache) {
            tracing::warn!(%error, "the coverage map cannot be cached");
        }
        Ok(map)
    }

    /// How often each line ran.
    ///
    /// # Panics
    /// If `counters` were collected for another map.
    pub fn line_counts(&self, counters: &Counters) -> LineCounts {
        assert_eq!(counters.fingerprint, self.fingerprint, "counters of another coverage map");
        self.compiled.evaluate(&counters.functions, &counters.values)
    }

    /// How often each line ran within each function that ran: the index of the function (see
    /// [`FunctionTable`](super::FunctionTable)) and its lines. Of a line that several functions share, such as one of a
    /// template, each function has its part: the sum over functions is [`CoverageMap::line_counts`].
    ///
    /// # Panics
    /// If `counters` were collected for another map.
    pub fn function_counts<'a>(&'a self, counters: &'a Counters) -> impl Iterator<Item = (u32, LineCounts)> + 'a {
        assert_eq!(counters.fingerprint, self.fingerprint, "counters of another coverage map");
        let mut lines: Vec<(u32, i64)> = Vec::new();
        counters.iter(self).map(move |(function, values)| {
            lines.clear();
            self.compiled.add_function(function as usize, values, |slot, count| lines.push((slot, count)));
            lines.sort_unstable_by_key(|(slot, _)| *slot);
            let total = |of_line: &[(u32, i64)]| of_line.iter().fold(0i64, |sum, (_, count)| sum.wrapping_add(*count));
            let counts = lines.chunk_by(|one, other| one.0 == other.0).map(|of_line| (of_line[0].0, total(of_line)));
            let executed = counts.filter(|(_, count)| *count > 0);
            (function, executed.map(|(slot, count)| (LineSlot::new(slot), count as u64)).collect())
        })
    }

    /// Number of line slots: all lines with code.
    pub fn slots(&self) -> usize {
        self.line_of_slot.len()
    }

    /// The file and the line (from 1) of a slot. The file is relative to [`CoverageMap::root`] if it is under it.
    ///
    /// # Panics
    /// If the slot is not of this map.
    pub fn location(&self, slot: LineSlot) -> (&str, u32) {
        (&self.files[self.file_of_slot[slot.index()] as usize], self.line_of_slot[slot.index()])
    }

    /// The slot of a line, by the file's name as [`CoverageMap::location`] gives it.
    pub fn slot(&self, file: &str, line: u32) -> Option<LineSlot> {
        self.slot_in(self.files.iter().position(|name| name == file)? as u32, line)
    }

    /// The slot of a line, by the file's index.
    pub(crate) fn slot_in(&self, file: u32, line: u32) -> Option<LineSlot> {
        let first = self.file_of_slot.partition_point(|&other| other < file);
        let end = self.file_of_slot.partition_point(|&other| other <= file);
        let position = self.line_of_slot[first..end].binary_search(&line).ok()?;
        Some(LineSlot::new((first + position) as u32))
    }

    /// Index of the file of a slot, from 0 to `files() - 1`.
    ///
    /// # Panics
    /// If the slot is not of this map.
    pub fn file_index(&self, slot: LineSlot) -> u32 {
        self.file_of_slot[slot.index()]
    }

    /// The file index of every slot, ascending: what an [`Archive`](super::Archive) needs to know of a map.
    pub fn file_of_slot(&self) -> Arc<[u32]> {
        Arc::clone(&self.file_of_slot)
    }

    /// Number of source files.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Names the build, the choice of sources, and the numbering of slots: recorded counts of one fingerprint
    /// belong to maps of the same fingerprint only.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The folder that holds all the target's own sources, as the compiler saw it, with a closing `/`.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The names of source files, by index.
    pub(crate) fn file_names(&self) -> &[String] {
        &self.files
    }

    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    pub(crate) fn function_identity(&self, function: u32) -> FunctionIdentity {
        self.functions[function as usize]
    }

    /// The function of `unit` with this ident, if its lines are wanted.
    pub(crate) fn function_of(&self, unit: &Unit, ident: u32) -> Option<u32> {
        let functions = &self.functions[unit.functions.start as usize..unit.functions.end as usize];
        let position = functions.binary_search_by_key(&ident, |function| function.ident).ok()?;
        Some(unit.functions.start + position as u32)
    }

    pub(crate) fn counters_of(&self, function: u32) -> usize {
        self.compiled.counters_of(function as usize)
    }

    pub(crate) fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// The layout with this name, if a program has told it already.
    pub(crate) fn layout(&self, name: u64) -> Option<Arc<Layout>> {
        self.layouts.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    /// The name of some known layout; 0 if there is none.
    pub(crate) fn any_layout(&self) -> u64 {
        let layouts = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        layouts.keys().max().copied().unwrap_or(0)
    }

    pub(crate) fn learn_layout(&self, name: u64, layout: Layout) -> Arc<Layout> {
        let layout = Arc::new(layout);
        let mut layouts = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        layouts.insert(name, Arc::clone(&layout));
        layout
    }
}
