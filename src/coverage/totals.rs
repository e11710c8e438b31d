//! How much of an instrumented build a set of runs covers: lines, functions and branches.

use std::fmt;

use serde::Serialize;

use super::counters::Counters;
use super::flow::FlowMap;
use super::map::CoverageMap;

/// How many of all there are were covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
    lines: Vec<bool>,
    functions: Vec<bool>,
    branches: Vec<bool>,
}

impl<'a> CumulativeCoverage<'a> {
    /// Of no runs.
    ///
    /// # Panics
    /// If `flow` belongs to another map.
    pub fn new(map: &'a CoverageMap, flow: &'a FlowMap) -> Self {
        assert_eq!(map.fingerprint(), flow.fingerprint(), "functions and branches of another coverage map");
        CumulativeCoverage {
            map,
            flow,
            lines: vec![false; map.slots()],
            functions: vec![false; flow.functions()],
            branches: vec![false; flow.branches()],
        }
    }

    /// Adds a run.
    ///
    /// # Panics
    /// If `counters` were collected for another map.
    pub fn add(&mut self, counters: &Counters) {
        for (slot, _) in self.map.line_counts(counters).iter() {
            self.lines[slot.index()] = true;
        }
        let (functions, branches) = (&mut self.functions, &mut self.branches);
        let taken = |branch: usize| branches[branch] = true;
        self.flow.visit(self.map, counters, taken, |function| functions[function] = true);
    }

    /// Adds the runs of `other`.
    ///
    /// # Panics
    /// If `other` is of another map.
    pub fn merge(&mut self, other: &CumulativeCoverage<'_>) {
        assert_eq!(self.map.fingerprint(), other.map.fingerprint(), "coverage of another map");
        let pairs = [
            (&mut self.lines, &other.lines),
            (&mut self.functions, &other.functions),
            (&mut self.branches, &other.branches),
        ];
        for (own, others) in pairs {
            own.iter_mut().zip(others).for_each(|(own, &other)| *own |= other);
        }
    }

    /// What all runs so far cover.
    pub fn totals(&self) -> CoverageTotals {
        CoverageTotals { lines: share(&self.lines), functions: share(&self.functions), branches: share(&self.branches) }
    }

    /// Whether the function with this number (see [`FlowMap::number_of`]) was entered.
    pub fn entered(&self, function: usize) -> bool {
        self.functions.get(function).copied().unwrap_or(false)
    }

    /// Whether the branch with this index (see [`FlowMap::branches_of`]) was taken.
    pub fn taken(&self, branch: usize) -> bool {
        self.branches.get(branch).copied().unwrap_or(false)
    }
}

fn share(of: &[bool]) -> Share {
    Share { covered: of.iter().filter(|covered| **covered).count(), total: of.len() }
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
