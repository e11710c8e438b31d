//! `slow`: the target gives no answer within the limit, the reference does at once.
//!
//! Looks run the target under a small part of the limit, since nearly every script that uses that up uses up the whole
//! limit too; the steps of a reduction are confirmed together, at its milestones, under the whole limit and more. Where
//! a look was wrong, the part grows.

mod lack;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;

use super::{Judgement, Meter, Property, Rigour};
use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::candidate::{REFERENCE_SHARE, is_quick};
use crate::oracle::prover::{Prover, Question};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

pub use lack::{not_quick, refusal};

/// Looks begin with this part of the limit, unless the settings say otherwise.
const FIRST_SHARE: u32 = 4;
/// The shortest look: below it, starting the solver is a good part of its time.
const SHORTEST_LOOK: Duration = Duration::from_millis(250);
/// The margin of milestones: the target must be slow under this many fifths of the limit, so that none comes through
/// that answers just after it.
const MARGIN_FIFTHS: u32 = 6;

/// On how many random seeds of the target the property must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Robustness {
    /// Seeds that are tried: 0, 1, 2…
    pub seeds: u32,
    /// On how many of them the target must be slow.
    pub at_least: u32,
}

/// What exactly is kept.
#[derive(Clone, Debug)]
pub struct SlowSettings {
    /// CPU time in which the target must fail to answer.
    pub limit: Duration,
    /// CPU time in which the reference must answer; a tenth of the limit by default.
    pub reference_limit: Duration,
    /// Random seeds, if the defect must not hang on one.
    pub robustness: Option<Robustness>,
    /// The reference's answer that must stay, if one must.
    pub status: Option<Answer>,
    /// Whether a `sat` of the reference does not count if its own check refutes its model.
    pub check_models: bool,
    /// Looks begin with the limit divided by this.
    pub look_share: u32,
}

impl SlowSettings {
    /// The defaults at `limit`.
    pub fn new(limit: Duration) -> Self {
        let reference_limit = limit / REFERENCE_SHARE;
        SlowSettings {
            limit,
            reference_limit,
            robustness: None,
            status: None,
            check_models: false,
            look_share: FIRST_SHARE,
        }
    }
}

/// The property `slow`.
#[derive(Debug)]
pub struct Slow<'a> {
    /// The solver under test.
    pub target: &'a dyn Prover,
    /// The solver that is quick.
    pub reference: &'a dyn Prover,
    /// What exactly is kept.
    pub settings: SlowSettings,
    /// What was spent.
    pub meter: &'a Meter,
    /// Looks take the limit divided by this.
    share: AtomicU32,
}

impl<'a> Slow<'a> {
    /// The property for these solvers.
    pub fn new(target: &'a dyn Prover, reference: &'a dyn Prover, settings: SlowSettings, meter: &'a Meter) -> Self {
        let share = AtomicU32::new(settings.look_share);
        Slow { target, reference, settings, meter, share }
    }

    /// The reference's run, with its check of its own model if `checked`.
    ///
    /// # Errors
    /// [`OracleError`]
    pub fn ask_reference(&self, script: &Script, checked: bool, interrupt: &Interrupt) -> Result<Timed, OracleError> {
        // A check takes time of its own, which says nothing of the answer's.
        let limit = self.settings.reference_limit * if checked { 2 } else { 1 };
        let question = Question { script, seed: None, limit, check_model: checked };
        let timed = self.reference.ask(&question, interrupt)?.timed;
        self.meter.add(&timed, false);
        Ok(timed)
    }

    /// The target's run.
    ///
    /// # Errors
    /// [`OracleError`]
    pub fn ask_target(
        &self,
        script: &Script,
        seed: Option<u32>,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Timed, OracleError> {
        let timed = self.target.ask(&Question { script, seed, limit, check_model: false }, interrupt)?.timed;
        self.meter.add(&timed, ran_out(&timed, limit));
        Ok(timed)
    }

    /// On how many of `seeds` seeds the target is slow under the limit. Ends early once `enough` are, or can no more be.
    ///
    /// # Errors
    /// [`OracleError`]
    pub fn slow_seeds(
        &self,
        script: &Script,
        seeds: u32,
        enough: Option<u32>,
        interrupt: &Interrupt,
    ) -> Result<u32, OracleError> {
        let mut slow = 0;
        for seed in 0..seeds {
            let limit = self.settings.limit;
            slow += u32::from(ran_out(&self.ask_target(script, Some(seed), limit, interrupt)?, limit));
            if enough.is_some_and(|enough| slow >= enough || slow + (seeds - seed - 1) < enough) {
                break;
            }
        }
        Ok(slow)
    }

    /// Whether the reference answers at once, and as it must.
    fn reference_answers(&self, script: &Script, rigour: Rigour, interrupt: &Interrupt) -> Result<bool, OracleError> {
        let timed = self.ask_reference(script, false, interrupt)?;
        let limit = self.settings.reference_limit * REFERENCE_SHARE;
        if !is_quick(&timed, limit) || self.settings.status.as_ref().is_some_and(|status| *status != timed.answer) {
            return Ok(false);
        }
        if rigour == Rigour::Whole && self.settings.check_models && timed.answer == Answer::Sat {
            // A check that comes to no end, or crashes, as CVC4's may, refutes nothing.
            return Ok(!matches!(self.ask_reference(script, true, interrupt)?.answer, Answer::InvalidModel(_)));
        }
        Ok(true)
    }

    /// The limit of a look at the target, CPU time.
    pub fn look(&self) -> Duration {
        let part = self.settings.limit / self.share.load(Ordering::Relaxed).max(1);
        part.max(SHORTEST_LOOK).min(self.settings.limit)
    }
}

impl Property for Slow<'_> {
    fn judge(&self, script: &Script, rigour: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        // The reference is asked first: it always answers soon, or the script is of no use.
        if !self.reference_answers(script, rigour, interrupt)? {
            return Ok(Judgement::Fails);
        }
        let limit = match rigour {
            Rigour::Look => self.look(),
            Rigour::Whole => self.settings.limit * MARGIN_FIFTHS / 5,
            Rigour::Input => self.settings.limit,
        };
        let timed = self.ask_target(script, None, limit, interrupt)?;
        if !ran_out(&timed, limit) {
            return Ok(if timed.answer.is_solved() { Judgement::TargetAnswers } else { Judgement::Fails });
        }
        if let (Rigour::Whole, Some(Robustness { seeds, at_least })) = (rigour, self.settings.robustness)
            && self.slow_seeds(script, seeds, Some(at_least), interrupt)? < at_least
        {
            return Ok(Judgement::Fails);
        }
        Ok(Judgement::Holds)
    }

    fn is_provisional(&self) -> bool {
        true
    }

    fn distrust(&self) {
        let halved = self.share.load(Ordering::Relaxed) / 2;
        self.share.store(halved.max(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
