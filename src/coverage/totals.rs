//! How much of an instrumented build a set of runs covers: lines, functions and branches.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::counters::Counters;
use super::covered::Covered;
use super::error::CoverageError;
use super::flow::FlowMap;
use super::map::CoverageMap;

/// How many of all there are were covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Those that ran.
    pub covered: usize,
    /// All.
    pub total: usize,
}

impl Share {
    /// The covered ones in per cent of all; 0 if there are none at all.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 0.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }
}

/// As `17.2 % (3 of 18)`.
impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} % ({} of {})", self.percent(), self.covered, self.total)
    }
}

/// What a set of runs covers, of all source files of a map. What a function and a branch is, and what the copies of one
/// count as, is said at [`FlowMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageTotals {
    /// Lines with code, and those that ran.
    pub lines: Share,
    /// Functions, and those that were entered.
    pub functions: Share,
    /// Branches, and those taken at least once.
    pub branches: Share,
}

/// Adds up what runs cover. What is covered is covered, however often and by whichever run: the order of runs changes
/// nothing, and no run is kept.
#[derive(Clone, Debug)]
pub struct CumulativeCoverage<'a> {
    map: &'a CoverageMap,
    flow: &'a FlowMap,
    covered: Covered,
}

impl<'a> CumulativeCoverage<'a> {
    /// Of no runs.
    ///
    /// # Panics
    /// If `flow` belongs to another map.
    pub fn new(map: &'a CoverageMap, flow: &'a FlowMap) -> Self {
        assert_eq!(map.fingerprint(), flow.fingerprint(), "functions and branches of another coverage map");
        let covered = Covered::nothing(map.fingerprint(), [map.slots(), flow.functions(), flow.branches()]);
        CumulativeCoverage { map, flow, covered }
    }

    /// Adds a run.
    ///
    /// # Panics
    /// If `counters` were collected for another map.
    pub fn add(&mut self, counters: &Counters) {
        let Covered { lines, functions, branches, .. } = &mut self.covered;
        for (slot, _) in self.map.line_counts(counters).iter() {
            lines[slot.index()] = true;
        }
        let taken = |branch: usize| branches[branch] = true;
        self.flow.visit(self.map, counters, taken, |function| functions[function] = true);
    }

    /// Adds the runs of `other`.
    ///
    /// # Panics
    /// If `other` is of another map.
    pub fn merge(&mut self, other: &CumulativeCoverage<'_>) {
        assert!(self.add_covered(&other.covered).is_ok(), "coverage of another map");
    }

    /// Adds what earlier runs covered.
    ///
    /// # Errors
    /// [`CoverageError::OtherBuild`].
    pub fn add_covered(&mut self, earlier: &Covered) -> Result<(), CoverageError> {
        self.covered.merge(earlier)
    }

    /// What all runs so far cover.
    pub fn covered(&self) -> &Covered {
        &self.covered
    }

    /// How much all runs so far cover.
    pub fn totals(&self) -> CoverageTotals {
        self.covered.totals()
    }

    /// Whether the function with this number (see [`FlowMap::number_of`]) was entered.
    pub fn entered(&self, function: usize) -> bool {
        self.covered.functions.get(function).copied().unwrap_or(false)
    }

    /// Whether the branch with this index (see [`FlowMap::branches_of`]) was taken.
    pub fn taken(&self, branch: usize) -> bool {
        self.covered.branches.get(branch).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_printed_in_per_cent_and_absolutely() {
        assert_eq!(Share { covered: 1, total: 8 }.to_string(), "12.5 % (1 of 8)");
        assert_eq!(Share::default().to_string(), "0.0 % (0 of 0)");
    }
}
