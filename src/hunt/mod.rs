//! Hunting wrong answers: instances made of seeds, what solvers say about them, and who is wrong, each defect once.

pub mod chains;
pub mod choices;
pub mod configurations;
pub mod fresh;
mod hearing;
pub mod kept;
pub mod likeness;
pub mod lists;
pub mod minimise;
pub mod outcome;
pub mod parameters;
pub mod plainest;
mod refusals;
pub mod report;
pub mod seeds;
pub mod size;
pub mod source;
mod step;
mod tables;
mod tally;
mod together;
pub mod witness;

use std::sync::LazyLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::Testimony;
use crate::solver::answer::crash::place_of_crash;
use crate::solver::process::Interrupt;
use configurations::Configurations;
use lists::Lists;
pub use refusals::Refusals;
use source::{Case, Source};
use step::Step;
pub use tally::{InternalError, Tally};

/// One finding, and the case that it was found on.
#[derive(Clone, Debug)]
pub struct Found {
    /// The instance, and what is known of it.
    pub case: Case,
    /// What all solvers said.
    pub testimonies: Vec<Testimony>,
    /// Who is wrong, and why.
    pub finding: Finding,
}

impl Found {
    /// What tells findings of one seed apart before anything is minimised: the kind, the solvers without their options, and
    /// of a crash the place that its message names.
    pub fn key(&self) -> (Kind, Vec<String>, String) {
        let place = match self.finding.kind {
            Kind::Crash => place_of_crash(self.finding.message()),
            _ => String::new(),
        };
        (self.finding.kind, self.finding.programs(), place)
    }
}

/// Nothing is known.
static NO_LISTS: LazyLock<Lists> = LazyLock::new(Lists::default);

/// When a hunt ends, and how it asks.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// Instances at most.
    pub instances: u64,
    /// CPU time of solvers, minimising included, after which no further instance is begun; none for no bound.
    pub budget: Option<Duration>,
    /// A kind of defect with whose first finding the hunt ends.
    pub until: Option<Kind>,
    /// CPU time of each run.
    pub limit: Duration,
    /// Instances that are asked about at once.
    pub pool: &'a rayon::ThreadPool,
    /// The seeds in the order of their turns; that of their numbers if none.
    pub order: Option<&'a [usize]>,
    /// Whether the tally says how many instances of each seed were asked about, which takes a line a seed.
    pub by_seed: bool,
    /// Which solvers are configurations of one; all are asked about each instance if none.
    pub configurations: Option<&'a Configurations>,
    /// Which findings are known already.
    pub lists: &'a Lists,
    /// Is told what was said of each instance, by whichever thread asked.
    pub heard: &'a (dyn Fn(&[Testimony]) + Sync),
}

impl std::fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Plan { instances, budget, until, limit, by_seed, .. } = self;
        let mut shown = f.debug_struct("Plan");
        shown.field("instances", instances).field("budget", budget).field("until", until);
        shown.field("limit", limit).field("by_seed", by_seed).finish_non_exhaustive()
    }
}

impl<'a> Plan<'a> {
    /// A hunt that nothing bounds but its seeds.
    pub fn new(limit: Duration, pool: &'a rayon::ThreadPool) -> Self {
        let (instances, heard) = (u64::MAX, &|_: &[Testimony]| {});
        Plan {
            instances,
            budget: None,
            until: None,
            limit,
            pool,
            order: None,
            by_seed: false,
            configurations: None,
            lists: &NO_LISTS,
            heard,
        }
    }

    /// The number of the seed whose turn this is.
    fn seed_at(&self, turn: usize) -> usize {
        self.order.and_then(|order| order.get(turn).copied()).unwrap_or(turn)
    }
}

/// Where a hunt is: all before it is counted, and nothing after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Position {
    /// How often all seeds have had their turns.
    pub round: u32,
    /// The first turn of the step, in which several seeds have theirs.
    pub turn: usize,
    /// Instances of the step that are counted.
    pub case: usize,
    /// Whether a seed gave an instance in the steps of this round before.
    pub fruitful: bool,
}

/// What a hunt has come to, and where it is: one that was stopped goes on from there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// What it has come to.
    pub tally: Tally,
    /// Where it is.
    pub position: Position,
}

/// Why a hunt is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// No seed gives any more instances.
    Seeds,
    /// As many instances as were wanted have been asked about.
    Instances,
    /// The CPU time is used up.
    Budget,
    /// The elapsed time is used up.
    Time,
    /// A defect of the kind that was looked for is found.
    Found,
    /// The user stopped it.
    Interrupted,
}

/// What came of keeping a finding.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// CPU seconds of solvers that it took.
    pub seconds: f64,
    /// A failure of this program itself on the way.
    pub internal_error: Option<InternalError>,
}

/// Who keeps what a hunt finds.
pub trait Keeper<E> {
    /// Keeps a finding of the instance at hand; minimising may take what is `left` of the budget.
    ///
    /// # Errors
    /// Those of whoever keeps.
    fn keep(&mut self, found: Found, left: Option<Duration>) -> Result<Kept, E>;

    /// All that was kept so far is counted in `state`. What was kept after the last call is found again by a hunt that goes
    /// on from there.
    ///
    /// # Errors
    /// Those of whoever keeps.
    fn settle(&mut self, state: &State) -> Result<(), E>;
}

/// Asks `provers` about what `source` makes, round by round, from where `state` is, and hands each finding to `keeper`, in an
/// order that does not depend on the number of threads. `state` is kept up to the moment, whatever ends the hunt. An
/// interrupt ends it early, and is no error; it is in the middle of a step then, and what it was asking is asked again when
/// it goes on. What was asked together with the finding that ends it is not counted.
///
/// # Errors
/// [`OracleError`] if a solver could not be run, and those of `keeper`.
pub fn hunt<E: From<OracleError>>(
    source: &dyn Source,
    provers: &[&dyn Prover],
    plan: &Plan<'_>,
    keeper: &mut dyn Keeper<E>,
    state: &mut State,
    interrupt: &Interrupt,
) -> Result<Ended, E> {
    loop {
        if let Some(ended) = state.end(plan, interrupt) {
            return Ok(ended);
        }
        let position = state.position;
        if position.turn < source.seeds() {
            Step { source, provers, plan, interrupt }.make(state, keeper)?;
        } else if position.fruitful {
            state.position = Position { round: position.round.saturating_add(1), ..Position::default() };
        } else {
            return Ok(Ended::Seeds);
        }
    }
}

impl State {
    /// Why the hunt is over, if it is.
    fn end(&self, plan: &Plan<'_>, interrupt: &Interrupt) -> Option<Ended> {
        if plan.until.is_some_and(|kind| self.tally.findings.contains_key(&kind)) {
            return Some(Ended::Found);
        }
        if interrupt.is_set() {
            return Some(Ended::Interrupted);
        }
        if self.tally.left_of(plan.budget) == Some(Duration::ZERO) {
            return Some(Ended::Budget);
        }
        (self.tally.instances >= plan.instances).then_some(Ended::Instances)
    }
}

#[cfg(test)]
mod tests;
