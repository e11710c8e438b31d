//! Why a script is not slow, in words: who answered what, in which time, and where it should have been otherwise.

use std::time::Duration;

use super::Slow;
use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::candidate::{REFERENCE_SHARE, is_quick};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

impl Slow<'_> {
    /// Asks both solvers once more, and says why `script`, which was judged to lack the property, lacks it.
    ///
    /// # Errors
    /// [`OracleError`]
    pub fn lack(&self, script: &Script, interrupt: &Interrupt) -> Result<String, OracleError> {
        let limit = self.settings.limit;
        Ok(match self.lack_within(script, limit, interrupt)? {
            Ok(timed) => {
                let Timed { answer, cpu_seconds, .. } = timed;
                let target = self.target.name();
                format!(
                    "{target} is not slow each time: {answer} after {cpu_seconds:.2} s of CPU time now, otherwise before"
                )
            }
            Err(lack) => lack,
        })
    }

    /// Looks at a script for the first time: why it lacks the property; none if it seems to have it.
    ///
    /// # Errors
    /// [`OracleError`]
    pub fn lack_at_first_look(&self, script: &Script, interrupt: &Interrupt) -> Result<Option<String>, OracleError> {
        Ok(self.lack_within(script, self.look(), interrupt)?.err())
    }

    /// The target's run under a limit, if it is slow; else why it is not, in words.
    fn lack_within(
        &self,
        script: &Script,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Result<Timed, String>, OracleError> {
        let (target, reference) = (self.target.name(), self.reference.name());
        let reference_limit = self.settings.reference_limit;
        let timed = self.ask_reference(script, false, interrupt)?;
        if let Some(refusal) = refusal(reference, &timed.answer) {
            return Ok(Err(refusal));
        }
        if !is_quick(&timed, reference_limit * REFERENCE_SHARE) {
            return Ok(Err(not_quick(reference, &timed, reference_limit.as_secs_f64())));
        }
        let timed = self.ask_target(script, None, limit, interrupt)?;
        if let Some(refusal) = refusal(target, &timed.answer) {
            return Ok(Err(refusal));
        }
        if ran_out(&timed, limit) {
            return Ok(Ok(timed));
        }
        let (answer, seconds, limit) = (&timed.answer, timed.cpu_seconds, self.settings.limit.as_secs_f64());
        Ok(Err(format!(
            "{target} is not slow: {answer} after {seconds:.2} s of CPU time, where {limit} s are to be used up"
        )))
    }
}

/// That the solver of this name does not take the script, if that is what it answers.
pub fn refusal(solver: &str, answer: &Answer) -> Option<String> {
    answer.is_refusal().then(|| format!("{solver} does not take the script: {answer}"))
}

/// That the reference of this name does not answer within so many seconds.
pub fn not_quick(reference: &str, timed: &Timed, within: f64) -> String {
    let Timed { answer, cpu_seconds, .. } = timed;
    format!(
        "{reference} is not quick: {answer} after {cpu_seconds:.2} s of CPU time, where it must answer sat or unsat within \
         {within} s"
    )
}
