//! What stays of a finding while its instance shrinks: the same solver is wrong in the same way, and what proves it
//! proves it still.

use std::sync::Mutex;
use std::time::Duration;

use super::Found;
use super::witness::Witness;
use crate::oracle::OracleError;
use crate::oracle::correctness::Kind;
use crate::oracle::model::is_question;
use crate::oracle::prover::{Prover, Question};
use crate::oracle::testimony::{CrashOn, Testimony};
use crate::reduce::property::{Judgement, Property, Rigour};
use crate::semantics::model;
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::answer::crash::is_same_crash;
use crate::solver::process::Interrupt;

/// A finding as a property of scripts.
#[derive(Debug)]
pub struct KeptFinding<'a> {
    kind: Kind,
    guilty: &'a dyn Prover,
    /// The solver that contradicts it, where the finding needs one.
    opposed: Option<(&'a dyn Prover, Answer)>,
    /// The truth, where a finding rests on it.
    witness: Option<Witness>,
    /// What the guilty solver answers.
    answer: Answer,
    /// A crash's message, and what was asked when it came.
    crash: Option<(String, CrashOn)>,
    /// CPU time of each run.
    limit: Duration,
    /// CPU seconds of solvers after which no smaller instance is looked for.
    allowance: f64,
    spent: Mutex<f64>,
}

/// A smaller instance is expected to be answered in five times the CPU time of the one that was found, and in a fifth of a
/// second: most that are not are slow for a reason of their own, and waiting for them would be most of the work.
const PATIENCE: u32 = 5;
const LEAST_LIMIT: Duration = Duration::from_millis(200);

/// CPU time of solvers for one finding, in limits of a run: then the smallest instance so far is kept.
pub const MOST_LIMITS: f64 = 300.0;

impl<'a> KeptFinding<'a> {
    /// What is to be kept of `found`, whose minimising gets at most `left` of CPU time, and no more than 300 limits;
    /// `None` if its solver is not among the provers, or what proves it is gone.
    pub fn of(found: &Found, provers: &[&'a dyn Prover], limit: Duration, left: Option<Duration>) -> Option<Self> {
        let by_name = |name: &str| provers.iter().copied().find(|prover| prover.name() == name);
        let said = |name: &str| found.testimonies.iter().find(|testimony| testimony.solver == name);
        let name = found.finding.solvers.first()?;
        let guilty = by_name(name)?;
        let testimony = said(name)?;
        let mut kept = KeptFinding {
            kind: found.finding.kind,
            guilty,
            opposed: None,
            witness: None,
            answer: testimony.timed.answer.clone(),
            crash: testimony.crash().map(|(message, on)| (message.to_owned(), on)),
            limit,
            allowance: left.map_or(f64::INFINITY, |left| left.as_secs_f64()).min(MOST_LIMITS * limit.as_secs_f64()),
            spent: Mutex::new(0.0),
        };
        let opposing = |wanted: &str| {
            let other = found
                .testimonies
                .iter()
                .find(|each| each.solver != *name && !each.model_is_wrong() && each.timed.answer.name() == wanted)?;
            Some((by_name(&other.solver)?, other.timed.answer.clone()))
        };
        match kept.kind {
            Kind::RefutationUnsoundness => kept.witness = Some(found.witness(provers)?),
            Kind::SolutionUnsoundness => kept.opposed = Some(opposing("unsat")?),
            Kind::Disagreement => {
                let wanted = if kept.answer == Answer::Sat { "unsat" } else { "sat" };
                kept.opposed = Some(opposing(wanted)?);
            }
            Kind::InvalidModel | Kind::Crash | Kind::Incompleteness => {}
        }
        let opponent = kept.opposed.as_ref().and_then(|(prover, _)| said(prover.name()));
        let seconds = [Some(testimony), opponent]
            .into_iter()
            .flatten()
            .map(|each| each.timed.cpu_seconds.max(each.check_seconds));
        let slowest = Duration::try_from_secs_f64(seconds.fold(0.0, f64::max)).unwrap_or(limit);
        kept.limit = limit.min(LEAST_LIMIT.max(slowest * PATIENCE));
        Some(kept)
    }

    /// The witness of a script that has the property.
    pub fn witness_of(&self, script: &Script) -> Option<Witness> {
        self.witness.as_ref()?.carried_to(script)
    }

    /// CPU seconds of solvers that judging took.
    pub fn spent(&self) -> f64 {
        *self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The CPU time of each run.
    #[cfg(test)]
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// Whether the CPU time for minimising is used up.
    pub fn is_spent(&self) -> bool {
        self.spent() >= self.allowance
    }

    fn add(&self, seconds: f64) {
        *self.spent.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += seconds;
    }

    fn testimony(&self, prover: &dyn Prover, script: &Script, interrupt: &Interrupt) -> Result<Testimony, OracleError> {
        let testimony = Testimony::of(prover, script, self.limit, interrupt)?;
        self.add(testimony.seconds());
        Ok(testimony)
    }

    fn answer(&self, prover: &dyn Prover, script: &Script, interrupt: &Interrupt) -> Result<Answer, OracleError> {
        let question = Question { script, seed: None, limit: self.limit, check_model: false };
        let timed = prover.ask(&question, interrupt)?.timed;
        self.add(timed.cpu_seconds);
        Ok(timed.answer)
    }

    /// Whether the guilty solver is wrong about `script` as it was.
    fn is_wrong(&self, script: &Script, interrupt: &Interrupt) -> Result<bool, OracleError> {
        Ok(match self.kind {
            Kind::InvalidModel | Kind::SolutionUnsoundness => {
                self.testimony(self.guilty, script, interrupt)?.model_is_wrong()
            }
            // What is reported is the script itself, which asks for no model.
            Kind::RefutationUnsoundness if !script.is_incremental() => {
                self.answer(self.guilty, script, interrupt)? == Answer::Unsat
            }
            Kind::RefutationUnsoundness => {
                // An incremental script may be answered wrongly at any of its questions.
                let testimony = self.testimony(self.guilty, script, interrupt)?;
                testimony.answers.iter().any(|answer| answer == "unsat")
            }
            Kind::Crash => match &self.crash {
                Some((message, CrashOn::Script)) => {
                    matches!(self.answer(self.guilty, script, interrupt)?, Answer::Crash(it) if is_same_crash(&it, message))
                }
                // One that did not come again is kept by nothing: a smaller script that does not show it proves nothing.
                Some((_, CrashOn::Once)) | None => false,
                Some((message, on)) => {
                    let testimony = self.testimony(self.guilty, script, interrupt)?;
                    testimony.crash().is_some_and(|(it, where_now)| where_now == *on && is_same_crash(it, message))
                }
            },
            Kind::Disagreement | Kind::Incompleteness => {
                self.answer(self.guilty, script, interrupt)?.name() == self.answer.name()
            }
        })
    }
}

impl Property for KeptFinding<'_> {
    fn judge(&self, script: &Script, _: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        // A testimony asks for a model even of a script that asks nothing; what is reported must ask by itself.
        if !script.commands.iter().any(is_question) {
            return Ok(Judgement::Fails);
        }
        // The truth costs no run of a solver.
        if self.witness.as_ref().is_some_and(|witness| witness.carried_to(script).is_none()) {
            return Ok(Judgement::Fails);
        }
        if !self.is_wrong(script, interrupt)? {
            return Ok(Judgement::Fails);
        }
        if let Some((prover, answer)) = &self.opposed
            && self.answer(*prover, script, interrupt)? != *answer
        {
            return Ok(Judgement::Fails);
        }
        Ok(Judgement::Holds)
    }
}

impl Found {
    /// The witness that proves a wrong `unsat`: the case's own assignment, or a solver's model that holds.
    pub fn witness(&self, provers: &[&dyn Prover]) -> Option<Witness> {
        let script = &self.case.script;
        if let Some(assignment) = &self.case.assignment {
            return Witness::of(script, assignment);
        }
        self.testimonies.iter().find_map(|testimony| {
            let dialect = provers.iter().find(|prover| prover.name() == testimony.solver)?.dialect();
            let given = model::read(&testimony.model, "model", script, dialect).ok()?;
            Witness::of(script, &given)
        })
    }
}
