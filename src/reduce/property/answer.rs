//! `result`, `crash` and `invalid-model`: the target answers as it answered the input.

use std::time::Duration;

use super::{Judgement, Meter, Property, Rigour};
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// Which answer stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeps {
    /// `sat`, `unsat`, `unknown`, whatever it is; and that of the reference, if it solved the input.
    Result,
    /// A crash with the same message, numbers aside.
    Crash,
    /// A model that the target's own check refutes.
    InvalidModel,
}

/// The property that the target answers as it does, and the reference too.
#[derive(Debug)]
pub struct KeptAnswer<'a> {
    target: &'a dyn Prover,
    reference: Option<(&'a dyn Prover, Answer)>,
    /// What a reference says that is ignored, because it decides nothing.
    ignored: Option<Answer>,
    keeps: Keeps,
    answer: Answer,
    limit: Duration,
    meter: &'a Meter,
}

impl<'a> KeptAnswer<'a> {
    /// Asks the solvers about the input, and keeps what they say; `limit` is each run's CPU time. `Err` inside says
    /// what the target answers instead of what is to be kept.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub fn of(
        script: &Script,
        keeps: Keeps,
        (target, reference): (&'a dyn Prover, Option<&'a dyn Prover>),
        limit: Duration,
        meter: &'a Meter,
        interrupt: &Interrupt,
    ) -> Result<Result<Self, Answer>, OracleError> {
        let unsettled =
            KeptAnswer { target, reference: None, ignored: None, keeps, answer: Answer::Timeout, limit, meter };
        let answer = unsettled.ask(target, script, interrupt)?;
        let (mut ignored, mut kept_reference) = (None, None);
        if let Some(reference) = reference.filter(|_| keeps == Keeps::Result) {
            match unsettled.ask(reference, script, interrupt)? {
                answer if answer.is_solved() => kept_reference = Some((reference, answer)),
                answer => ignored = Some(answer),
            }
        }
        let kept = match keeps {
            Keeps::Result => matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown(_)),
            Keeps::Crash => matches!(answer, Answer::Crash(_)),
            Keeps::InvalidModel => matches!(answer, Answer::InvalidModel(_)),
        };
        Ok(if kept { Ok(KeptAnswer { reference: kept_reference, ignored, answer, ..unsettled }) } else { Err(answer) })
    }

    /// What the target answers.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// What the reference answers, if it counts.
    pub fn reference_answer(&self) -> Option<&Answer> {
        self.reference.as_ref().map(|(_, answer)| answer)
    }

    /// What the reference answers, if it does not count because it is neither `sat` nor `unsat`.
    pub fn ignored(&self) -> Option<&Answer> {
        self.ignored.as_ref()
    }

    fn ask(&self, prover: &dyn Prover, script: &Script, interrupt: &Interrupt) -> Result<Answer, OracleError> {
        let check_model = self.keeps == Keeps::InvalidModel;
        let timed = prover.ask(&Question { script, seed: None, limit: self.limit, check_model }, interrupt)?.timed;
        self.meter.add(&timed, ran_out(&timed, self.limit));
        Ok(timed.answer)
    }
}

impl Property for KeptAnswer<'_> {
    fn judge(&self, script: &Script, _: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        let answer = self.ask(self.target, script, interrupt)?;
        if !alike(&answer, &self.answer) {
            return Ok(if answer.is_solved() { Judgement::TargetAnswers } else { Judgement::Fails });
        }
        if let Some((reference, kept)) = &self.reference
            && self.ask(*reference, script, interrupt)? != *kept
        {
            return Ok(Judgement::Fails);
        }
        Ok(Judgement::Holds)
    }
}

/// Whether two answers are one: the same word and, of a crash, the same message but for numbers, which are addresses,
/// lines of the input and process ids as often as not.
fn alike(one: &Answer, other: &Answer) -> bool {
    let letters = |text: &str| text.chars().filter(|each| !each.is_ascii_digit()).collect::<String>();
    match (one, other) {
        (Answer::Crash(one), Answer::Crash(other)) if one.starts_with("signal ") => one == other,
        (Answer::Crash(one), Answer::Crash(other)) => letters(one) == letters(other),
        _ => one.name() == other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_the_same_wherever_it_is_reported() {
        let crash = |text: &str| Answer::Crash(text.to_owned());
        assert!(alike(&crash("Fatal failure at line 12"), &crash("Fatal failure at line 340")));
        assert!(!alike(&crash("signal 11"), &crash("signal 6")));
        assert!(!alike(&crash("signal 11"), &Answer::Sat));
        assert!(alike(&Answer::Unknown("canceled".into()), &Answer::Unknown("incomplete".into())));
    }
}
