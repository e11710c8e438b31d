//! The functions and branches of an instrumented build, and how counters say which of them ran.
//!
//! Apart from [`CoverageMap`], since the search needs lines only: this table is read or made when it is asked for, and
//! neither the map, nor its cached file, nor recorded counts know of it.
//!
//! **A function** is what gcov lists: one with code in the target's sources, by file and linker's name. Its copies in
//! several units (a function of a header) are one; the instances of a template, whose names differ, are several. It ran
//! if a copy was entered.
//!
//! **A branch** is what `gcov -b` lists: an arc out of a block that has two or more arcs, without those along which a call
//! does not return, but with those along which it throws. As lines are counted by file and line, whichever function or
//! unit they are compiled in, branches are counted by file, line and position in gcov's list of the line: where several
//! functions or units list branches of one line, the first of each are one, and so on. It is taken if one of them is taken
//! at least once. `gcovr --merge-lines` merges gcov's lists in the same way. (gcov's own summary, `Taken at least once`,
//! is of one unit; in a sum over units, the copies of a header's functions that the linker dropped would count as never
//! taken.)

mod build;
mod cache;

use std::path::Path;

use super::compiled::Compiled;
use super::counters::Counters;
use super::counts::LineSlot;
use super::error::CoverageError;
use super::map::CoverageMap;

/// The functions and branches of the build of one [`CoverageMap`], in the source files that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowMap {
    /// That of the [`CoverageMap`].
    fingerprint: u64,
    /// Line slot → its first branch; one more entry for the end.
    branch_start: Vec<u32>,
    /// Index of a function in the coverage map → its number here, where copies are one; [`ELSEWHERE`] for one that stands
    /// in a file that is not of the map.
    number_of_function: Vec<u32>,
    /// How many numbers of functions there are.
    functions: u32,
    /// The rows of each function of the coverage map. Slots are branches, and after them functions.
    compiled: Compiled,
}

/// No function of the map's source files.
const ELSEWHERE: u32 = u32::MAX;

impl FlowMap {
    /// The functions and branches of the build of `map`, whose notes are under `gcno_folder`: read from `cache_folder` if
    /// they are there, else compiled (some seconds for a large solver) and saved there.
    ///
    /// # Errors
    /// [`CoverageError`] when notes cannot be read, or are no longer those of the map. A cache that cannot be written, or
    /// is damaged, is only warned of.
    pub fn load_or_build(gcno_folder: &Path, cache_folder: &Path, map: &CoverageMap) -> Result<Self, CoverageError> {
        let cache = cache_folder.join(format!("flow-{:016x}.map", map.fingerprint()));
        match cache::load(&cache, map) {
            Ok(Some(flow)) => return Ok(flow),
            Ok(None) => {}
            Err(error) => tracing::warn!(cache = %cache.display(), %error, "the cached map of branches is rebuilt"),
        }
        let flow = build::build(gcno_folder, map)?;
        if let Err(error) = cache::save(&flow, &cache) {
            tracing::warn!(%error, "the map of branches cannot be cached");
        }
        Ok(flow)
    }

    /// Number of functions, copies in several units being one.
    pub fn functions(&self) -> usize {
        self.functions as usize
    }

    /// Number of branches.
    pub fn branches(&self) -> usize {
        self.branch_start.last().map_or(0, |&end| end as usize)
    }

    /// The fingerprint of the [`CoverageMap`] that this belongs to.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The branches of a line: indices from 0 to `branches() - 1`, in the order of gcov's list.
    ///
    /// # Panics
    /// If the slot is not of the map.
    pub fn branches_of(&self, slot: LineSlot) -> std::ops::Range<usize> {
        self.branch_start[slot.index()] as usize..self.branch_start[slot.index() + 1] as usize
    }

    /// The number, from 0 to `functions() - 1`, of a function of the map, given by its index there (as
    /// [`CoverageMap::function_counts`] and [`FunctionTable`](super::FunctionTable) have it). `None` for one that stands
    /// in a file that is not of the map, such as a system header.
    pub fn number_of(&self, function: u32) -> Option<usize> {
        let number = *self.number_of_function.get(function as usize)?;
        (number != ELSEWHERE).then_some(number as usize)
    }

    /// Calls `branch` and `function` with the index of each branch that a run took and the number of each function that
    /// it entered, perhaps several times.
    pub(crate) fn visit(
        &self,
        map: &CoverageMap,
        counters: &Counters,
        mut branch: impl FnMut(usize),
        mut function: impl FnMut(usize),
    ) {
        let branches = self.branches();
        for (index, values) in counters.iter(map) {
            self.compiled.add_function(index as usize, values, |slot, count| {
                if count > 0 {
                    match (slot as usize).checked_sub(branches) {
                        None => branch(slot as usize),
                        Some(number) => function(number),
                    }
                }
            });
        }
    }
}
