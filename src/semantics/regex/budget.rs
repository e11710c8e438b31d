//! How much work a question about a regular language may cost.

use thiserror::Error;

/// The most derivatives that a question may compute unless the caller says otherwise. Languages whose automata have
/// 2⁴⁰ and more states used them up in 0.04 to 0.2 seconds, on a busy machine and in a build with little optimisation.
pub const DEFAULT_STEPS: u32 = 100_000;

/// How many remembered derivatives may be looked up for the price of computing one.
const READS_PER_STEP: u64 = 16;

/// The work that is still allowed. Questions that share a budget share its work.
#[derive(Clone, Debug)]
pub struct Budget {
    reads: u64,
}

/// The budget was used up before the question was answered: languages with complements, intersections and nested
/// loops may have as many derivatives as a tower of powers of two is high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the question about a regular language takes too many steps")]
pub struct GaveUp;

impl Budget {
    /// A budget of this many computed derivatives.
    pub fn new(steps: u32) -> Self {
        Self { reads: u64::from(steps) * READS_PER_STEP }
    }

    /// Pays for a derivative that was remembered.
    pub(super) fn read(&mut self) -> Result<(), GaveUp> {
        self.spend(1)
    }

    /// Pays for a derivative that was computed from `parts` others.
    pub(super) fn step(&mut self, parts: usize) -> Result<(), GaveUp> {
        self.spend(READS_PER_STEP + parts as u64)
    }

    fn spend(&mut self, reads: u64) -> Result<(), GaveUp> {
        self.reads = self.reads.checked_sub(reads).ok_or(GaveUp)?;
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(DEFAULT_STEPS)
    }
}
