//! Fresh formulas, which need no seeds: FuzzSMT.

use super::seeds::Unusable;
use super::source::{Case, Source};
use crate::generator::{Generator, Layered};
use crate::random::rng_for;

/// Formulas that are made and asked about at once, before the next ones are.
const AT_ONCE: usize = 8;
/// Formulas of each of these in a round.
const A_ROUND: u32 = 40;

/// How many small formulas are asked about in one process, unless the user says otherwise.
pub const TOGETHER: usize = 40;

/// Formulas of a generator, numbered from 1.
#[derive(Debug)]
pub struct Fresh {
    generator: Layered,
    name: &'static str,
    together: usize,
    seed: u64,
}

impl Fresh {
    /// The formulas of a generator of this name that a master seed gives, so many of which may be asked about in one
    /// process.
    pub fn new(generator: Layered, name: &'static str, together: usize, seed: u64) -> Self {
        Fresh { generator, name, together, seed }
    }
}

impl Source for Fresh {
    fn seeds(&self) -> usize {
        AT_ONCE
    }

    fn name(&self, _: usize) -> String {
        self.name.to_owned()
    }

    /// Each formula counts as a seed of its own: two that show a wrong answer seldom show the same defect.
    fn cases(&self, seed: usize, round: u32) -> Result<Option<Vec<Case>>, Unusable> {
        let Some(first) = (round as usize).checked_mul(AT_ONCE * A_ROUND as usize) else { return Ok(None) };
        let first = first + seed * A_ROUND as usize;
        let cases = (0..A_ROUND).map(|place| {
            let number = first + place as usize + 1;
            let script = self.generator.generate(&mut rng_for(self.seed, round, seed as u32 * A_ROUND + place));
            Case::open(format!("{} {number}", self.name), 1, script)
        });
        Ok(Some(cases.collect()))
    }

    fn together(&self) -> usize {
        self.together
    }
}
