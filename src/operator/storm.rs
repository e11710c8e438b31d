//! STORM: instances that one known assignment satisfies, so that a solver's `unsat` is wrong (Algorithm 1).
//!
//! What is true of a sub-formula of the seed is given by whoever knows it, such as our own evaluator under an assignment:
//! no solver is asked for the truth.

pub mod assignment;
mod pool;

use rand::RngExt;
use rustc_hash::FxHashSet;

use super::normal::{Opening, opened};
use crate::random::{FuzzRng, chance};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::{Op, table};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

pub use pool::{Formula, Pools, depth};

/// The bounds of Algorithm 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Bounds {
    /// `D_max`: the deepest nesting of connectives in an assertion; predicates have depth 0.
    pub depth: u32,
    /// `A_max`: the most assertions of an instance, at least 1.
    pub assertions: u32,
}

impl Default for Bounds {
    /// The paper's (section 5.4).
    fn default() -> Self {
        Bounds { depth: 64, assertions: 64 }
    }
}

/// NC, the number of constructed formulas, by the size of the initial pool: ten times that, from 200 to 1500.
pub fn constructed_for(initial: usize) -> usize {
    (10 * initial).clamp(200, 1500)
}

/// NM, the number of instances of one seed and assignment, by the size of the initial pool: ten times that, from 300 to
/// 1000.
pub fn instances_for(initial: usize) -> usize {
    (10 * initial).clamp(300, 1000)
}

/// The part of the formulas that come from the initial pool ("Random choices", section 4).
const FROM_INITIAL: f64 = 0.3;
/// The part of conjunctions among the constructed formulas; the others are negations.
const CONJUNCTIONS: f64 = 0.5;
/// The part of the places between two assertions of an incremental instance at which it asks.
const QUESTIONS: f64 = 0.3;

/// The seed as STORM takes it: no `let`, no annotations, and nothing that asks or ends; `None` if its `let`s share so much
/// that they cannot be written out, or if a name has several meanings in it, one after the other.
pub fn prepared(seed: &Script) -> Option<Script> {
    let mut names = FxHashSet::default();
    let has_meanings = seed.commands.iter().any(|command| match command {
        Command::Declare(declaration) => !names.insert(declaration.name),
        Command::Define(definition) => !names.insert(definition.name),
        Command::Other(text) => text.as_str().starts_with("(reset"),
        _ => false,
    });
    if has_meanings {
        return None;
    }
    let mut script = opened(seed, &[Opening::Lets, Opening::Remarks])?;
    script.commands.retain(|command| match command {
        Command::CheckSat
        | Command::CheckSatAssuming(_)
        | Command::GetValue(_)
        | Command::Push(_)
        | Command::Pop(_) => false,
        Command::Other(text) => {
            let text = text.as_str();
            ["(declare-", "(define-"].iter().any(|beginning| text.starts_with(beginning))
        }
        _ => true,
    });
    Some(script)
}

/// The connectives that formulas are constructed with.
#[derive(Clone, Copy, Debug)]
struct Connectives {
    and: Op,
    not: Op,
}

impl Connectives {
    fn of_the_table() -> Option<Self> {
        Some(Connectives { and: table().canonical("and")?, not: table().canonical("not")? })
    }

    fn negated(self, script: &mut Script, term: TermId) -> TermId {
        script.terms.apply(self.not, &[term], Sort::BOOL)
    }

    fn conjoined(self, script: &mut Script, one: TermId, other: TermId) -> TermId {
        script.terms.apply(self.and, &[one, other], Sort::BOOL)
    }
}

impl Pools {
    /// Phase 3: an instance of formulas of the pools, each asserted as it is if it holds, else negated, so that the
    /// assignment satisfies it. An incremental one asks several times, among `push` and `pop`; the answer to each question
    /// is `sat`.
    pub fn instance(&self, bounds: Bounds, incremental: bool, rng: &mut FuzzRng) -> Script {
        let mut script = self.seed().clone();
        script.commands.retain(|command| !matches!(command, Command::Assert(_)));
        let mut levels = 0_u32;
        for place in 0..rng.random_range(1..=bounds.assertions.max(1)) {
            if incremental && place > 0 && chance(rng, QUESTIONS) {
                script.commands.push(Command::CheckSat);
                let popped = rng.random_range(0..=levels);
                if popped > 0 {
                    script.commands.push(Command::Pop(popped));
                }
                script.commands.push(Command::Push(1));
                levels = levels - popped + 1;
            }
            let formula = self.draw(rng);
            let term = if formula.holds { formula.term } else { self.negated(&mut script, formula.term) };
            script.commands.push(Command::Assert(term));
        }
        script.commands.push(Command::CheckSat);
        super::declarations::drop_unused(&mut script);
        script
    }
}

#[cfg(test)]
mod tests;
