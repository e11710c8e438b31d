//! The campaign: ask → evaluate → tell → record, until there is a reason to stop (Algorithm 1 of the paper).
//!
//! A run is a function of its configuration and of what its evaluations show. Both are recorded, so a run that was
//! killed is resumed, and one that ended is replayed, by the same loop over recorded evaluations: an individual whose
//! evaluation is in the log is not evaluated again. How many jobs evaluate at once changes nothing.

mod batch;
mod breeding;
mod cell;
mod clock;
mod confirmation;
mod error;
mod learning;
mod monitor;
mod mutators;
mod population;
mod refusals;
mod restore;
mod result;
mod retrace;
mod selection;
mod similarity;
mod statistics;
mod suspects;

use std::sync::Arc;
use std::time::Duration;

pub use clock::own_cpu_seconds;
pub use confirmation::{Confirm, Confirmable, grace};
pub use error::CampaignError;
pub use learning::{Learn, Learned};
pub use monitor::{Doing, Monitor, Progress, Quiet};
pub use result::Report;
pub use statistics::hypervolume_of;

use crate::config::Config;
use crate::evaluate::individual::Individual;
use crate::evaluate::{Evaluate, EvaluateError};
use crate::generator::{Generator, Grammar};
use crate::record::format::LineTable;
use crate::record::{Checkpoint, ObservationLog, Recorder, TOLD};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::trace::Trace;
use clock::Clock;
use population::State;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The budget of wall time, or that of solver time, is used up.
    Budget,
    /// All generations are done.
    Generations,
    /// All evaluations are done.
    Evaluations,
    /// The mean t-score has not improved for too many generations.
    Stagnation,
    /// Nothing new can be bred.
    Exhausted,
    /// The user interrupted; results are safe.
    Interrupted,
    /// The recorded run goes no further.
    Replayed,
    /// Target or reference crashes on nearly all that it is given.
    Crashes,
    /// Solvers could not be run any more; the run can be resumed.
    Failed,
}

impl StopReason {
    /// The word in `summary.json`.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Budget => "budget",
            StopReason::Generations => "generations",
            StopReason::Evaluations => "evaluations",
            StopReason::Stagnation => "stagnation",
            StopReason::Exhausted => "exhausted",
            StopReason::Interrupted => "interrupted",
            StopReason::Replayed => "replayed",
            StopReason::Crashes => "crashes",
            StopReason::Failed => "failed",
        }
    }
}

/// Where evaluations come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The solvers, and for what this run's log holds already, the log.
    Solvers {
        /// Evaluates individuals.
        evaluate: &'a dyn Evaluate,
        /// Confirms candidates; none to leave them candidates.
        confirm: Option<&'a dyn Confirm>,
        /// Learns what makes candidates slow; none to learn nothing.
        learn: Option<&'a dyn Learn>,
    },
    /// The log of another run.
    Replay(&'a ObservationLog),
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Source::Solvers { .. } => "Solvers",
            Source::Replay(_) => "Replay",
        })
    }
}

/// A way to compare two traces: symmetric, from 0 to 1.
pub type Similarity<'a> = &'a (dyn Fn(&Trace, &Trace) -> f64 + Sync);

/// The parts of a budget of wall time that a search leaves to what comes after it: 0 to 1, together less than 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reserve {
    /// For the triage of candidates and defects, if there are any.
    pub triage: f64,
    /// For the hunt among suspects, if there are any.
    pub hunt: f64,
}

/// What a campaign works with.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Everything that decides the run.
    pub config: &'a Config,
    /// What is bred stays within it.
    pub fragment: &'a Fragment,
    /// Makes fresh scripts: as [`Variant::uses_swarm`](crate::search::Variant::uses_swarm) has it, a swarm.
    pub fresh: &'a dyn Generator,
    /// Makes what mutation adds to scripts.
    pub grammar: &'a dyn Grammar,
    /// The target's dialect, in which scripts are written for people.
    pub dialect: Dialect,
    /// The user's seeds, by file name, normalised and admitted.
    pub seeds: &'a [(String, Script)],
    /// Which line each slot of recorded counts is.
    pub lines: &'a LineTable,
    /// Where evaluations come from.
    pub source: Source<'a>,
    /// Eq. 3: [`trace::similarity`](crate::trace::similarity()), unless another way is to be measured beside it.
    pub similarity: Similarity<'a>,
    /// The part of the budget of wall time that is kept for what comes after the search.
    pub reserve: Reserve,
    /// Evaluations in flight: as many as the pool has threads.
    pub pool: &'a rayon::ThreadPool,
    /// The user's wish to stop.
    pub interrupt: &'a Interrupt,
    /// Who watches.
    pub monitor: &'a dyn Monitor,
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup").field("config", self.config).field("source", &self.source).finish_non_exhaustive()
    }
}

/// A run.
#[derive(Debug)]
pub struct Campaign<'a> {
    setup: Setup<'a>,
    recorder: Recorder,
    clock: Clock,
    /// What earlier processes of the run took after their search: it counts to the budget.
    afterwards: Duration,
    state: State,
}

impl<'a> Campaign<'a> {
    /// A new run, to be recorded by `recorder`.
    pub fn new(setup: Setup<'a>, recorder: Recorder) -> Self {
        let clock = Clock::after(recorder.spent());
        let afterwards = Duration::try_from_secs_f64(recorder.afterwards().1).unwrap_or_default();
        let state = State::knowing(&setup);
        Campaign { setup, recorder, clock, afterwards, state }
    }

    /// An earlier run, from its checkpoint if there is one that fits the record, else from the beginning on recorded
    /// evaluations.
    ///
    /// # Errors
    /// [`CampaignError`] if the record cannot be read or written, or an evaluation that is lost cannot be made again.
    pub fn resumed(
        setup: Setup<'a>,
        recorder: Recorder,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Self, CampaignError> {
        let mut campaign = Self::new(setup, recorder);
        if let Some(checkpoint) = checkpoint {
            match restore::state(checkpoint, &campaign.setup, &mut campaign.recorder) {
                Ok(state) => campaign.state = state,
                Err(error @ CampaignError::Checkpoint(_)) => {
                    let note = format!("{error}; going through the recorded evaluations instead");
                    tracing::warn!(target: TOLD, "{note}");
                    campaign.setup.monitor.note(&note);
                    campaign.recorder.begin_anew()?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(campaign)
    }

    /// Runs until there is a reason to stop, and writes the results.
    ///
    /// # Errors
    /// [`CampaignError`], which is never a solver's failure; what was recorded before stays.
    pub fn run(mut self) -> Result<Report, CampaignError> {
        let reason = loop {
            if let Some(reason) = self.reason_to_stop() {
                break reason;
            }
            self.learn()?;
            let individuals = self.ask()?;
            if individuals.is_empty() {
                break StopReason::Exhausted;
            }
            let batch = match self.evaluate(&individuals) {
                Ok(batch) => batch,
                Err(error @ CampaignError::Evaluate(_)) => return self.give_up(error),
                Err(error) => return Err(error),
            };
            let cut_short = batch.cut_short;
            let answers = self.check_answers(batch.evaluated.values().map(|(known, _)| known));
            self.tell(batch)?;
            let crashes = match answers {
                Ok(crashes) => crashes,
                Err(error) => return self.give_up(error),
            };
            let interrupted = cut_short.filter(|reason| *reason == StopReason::Interrupted);
            if let Some(reason) = interrupted.or(crashes).or(cut_short) {
                break reason;
            }
            self.confirm_candidates(None)?;
        };
        self.confirm_candidates(Some(reason))?;
        if let Source::Replay(log) = self.setup.source {
            self.recorder.adopt_confirmations(&log.root())?;
        }
        self.finish(reason)
    }

    /// Writes the results of what was finished, for a user who may not be able to resume, before an error ends the run.
    fn give_up(self, error: CampaignError) -> Result<Report, CampaignError> {
        if let Err(second) = self.finish(StopReason::Failed) {
            tracing::error!(error = %second, "the results could not be written either");
        }
        Err(error)
    }

    /// Whether the run is over, before a generation begins.
    fn reason_to_stop(&self) -> Option<StopReason> {
        let stop = &self.setup.config.stop;
        let reached = |limit: Option<u64>, value: u64| limit.is_some_and(|limit| value >= limit);
        let next = self.state.next_generation();
        if let Source::Replay(log) = self.setup.source {
            return (!log.goes_on_with(next)).then_some(StopReason::Replayed);
        }
        if self.recorder.log().goes_on_with(next) {
            // What was evaluated before is told again, whatever the clock says: it must not be lost to the results.
            None
        } else if self.setup.interrupt.is_set() {
            Some(StopReason::Interrupted)
        } else if next > 0 && reached(stop.generations.map(u64::from), u64::from(next - 1)) {
            Some(StopReason::Generations)
        } else if reached(stop.evaluations, self.state.totals.evaluations) {
            Some(StopReason::Evaluations)
        } else if self.clock.is_past(self.search_budget()) || self.has_spent(stop.solver_budget) {
            Some(StopReason::Budget)
        } else if reached(stop.stagnation.map(u64::from), self.state.stagnant_generations()) {
            Some(StopReason::Stagnation)
        } else {
            None
        }
    }

    /// The part of the budget of wall time that the search may take: what comes after it takes its share within the budget,
    /// if there is something to do for it by now.
    fn search_budget(&self) -> Option<Duration> {
        let Reserve { triage, hunt } = self.setup.reserve;
        let triage = if self.recorder.defects().all().next().is_some() { triage } else { 0.0 };
        let hunt = if self.recorder.has_suspects() { hunt } else { 0.0 };
        let share = 1.0 - triage - hunt;
        self.setup.config.stop.budget.map(|budget| budget.mul_f64(share).saturating_sub(self.afterwards))
    }

    /// Whether the evaluations so far have cost the budget of solver time.
    fn has_spent(&self, budget: Option<Duration>) -> bool {
        budget.is_some_and(|budget| self.state.totals.charged_seconds >= budget.as_secs_f64())
    }

    /// Breeds the next generation, no larger than a recorded one was or the limit of evaluations allows.
    fn ask(&mut self) -> Result<Vec<Arc<Individual>>, CampaignError> {
        let generation = self.state.next_generation();
        let mut individuals = breeding::generation(&self.setup, &self.state);
        self.compare_with_record(generation, &individuals)?;
        let log = match self.setup.source {
            Source::Replay(log) => log,
            Source::Solvers { .. } => self.recorder.log(),
        };
        let left = match self.setup.source {
            // The record knows where the run stopped, whatever it was told when it was resumed.
            Source::Replay(_) => None,
            Source::Solvers { .. } => {
                let limit = self.setup.config.stop.evaluations;
                limit.map(|limit| limit.saturating_sub(self.state.totals.evaluations))
            }
        };
        let size = log.offspring(generation).map(u64::from).or(left);
        individuals.truncate(size.map_or(usize::MAX, |size| size as usize));
        self.state.note_bred(&individuals);
        Ok(individuals)
    }
}
