//! `result` with trusted solvers: all of these agree, and the target says the opposite (`DeltaSMT`'s paper, section 4).

use std::time::Duration;

use super::{Judgement, Meter, Property, Rigour};
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// The property that the target contradicts solvers that are trusted, and agree. Which of `sat` and `unsat` they say may
/// change while the script shrinks, as in the paper, unless a status is to be kept.
#[derive(Debug)]
pub struct Opposed<'a> {
    target: &'a dyn Prover,
    trusted: Vec<&'a dyn Prover>,
    /// What the trusted solvers must say, if one answer is to stay.
    status: Option<Answer>,
    limit: Duration,
    meter: &'a Meter,
}

impl<'a> Opposed<'a> {
    /// The property that `target` says the opposite of what all of `trusted`, one solver or more, say. `limit` is each
    /// run's CPU time.
    pub fn new(target: &'a dyn Prover, trusted: Vec<&'a dyn Prover>, limit: Duration, meter: &'a Meter) -> Self {
        Opposed { target, trusted, status: None, limit, meter }
    }

    /// The same, of scripts of which the trusted solvers say this.
    #[must_use]
    pub fn with_status(self, status: Option<Answer>) -> Self {
        Opposed { status, ..self }
    }

    /// What the trusted solvers say of `script`, if they agree and the target contradicts them; else why they do not. They
    /// are asked one after the other, the target first, until one shows that the property does not hold.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub fn truth(&self, script: &Script, interrupt: &Interrupt) -> Result<Result<Answer, String>, OracleError> {
        let said = self.ask(self.target, script, interrupt)?;
        let truth = match said {
            Answer::Sat => Answer::Unsat,
            Answer::Unsat => Answer::Sat,
            _ => return Ok(Err(format!("{} answers {said}", self.target.name()))),
        };
        if self.status.as_ref().is_some_and(|status| *status != truth) {
            return Ok(Err(format!("{} answers {said}", self.target.name())));
        }
        for trusted in &self.trusted {
            let answer = self.ask(*trusted, script, interrupt)?;
            if answer != truth {
                return Ok(Err(format!("{} answers {said}, and {} {answer}", self.target.name(), trusted.name())));
            }
        }
        Ok(Ok(truth))
    }

    fn ask(&self, prover: &dyn Prover, script: &Script, interrupt: &Interrupt) -> Result<Answer, OracleError> {
        let question = Question { script, seed: None, limit: self.limit, check_model: false };
        let timed = prover.ask(&question, interrupt)?.timed;
        self.meter.add(&timed, ran_out(&timed, self.limit));
        Ok(timed.answer)
    }
}

impl Property for Opposed<'_> {
    fn judge(&self, script: &Script, _: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        Ok(if self.truth(script, interrupt)?.is_ok() { Judgement::Holds } else { Judgement::Fails })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::scripted::Scripted;
    use crate::smtlib::parser::{ParseOptions, parse};

    fn script(assertion: &str) -> Script {
        let text = format!("(declare-fun x () Int)\n(assert {assertion})\n(check-sat)\n");
        parse(&text, "test", &ParseOptions::default()).expect("a sound script")
    }

    /// Takes `<` for `<=`, and gives up on `mod`.
    const WRONG: Scripted = Scripted::new("wrong", |text| match text {
        _ if text.contains("mod") => Answer::Unknown("mod".to_owned()),
        _ if text.contains("(< x x)") => Answer::Sat,
        _ if text.contains("(<= x x)") => Answer::Unsat,
        _ => Answer::Sat,
    });
    const RIGHT: Scripted =
        Scripted::new("right", |text| if text.contains("(< x x)") { Answer::Unsat } else { Answer::Sat });
    const TIRED: Scripted = Scripted::new("tired", |text| match text {
        _ if text.contains('+') => Answer::Timeout,
        _ if text.contains("(< x x)") => Answer::Unsat,
        _ => Answer::Sat,
    });

    fn truth(assertion: &str, status: Option<Answer>) -> Result<Answer, String> {
        let (meter, limit) = (Meter::default(), Duration::from_secs(2));
        let property = Opposed::new(&WRONG, vec![&RIGHT, &TIRED], limit, &meter).with_status(status);
        let truth = property.truth(&script(assertion), &Interrupt::new()).expect("nothing is run");
        let judged = property.judge(&script(assertion), Rigour::Look, &Interrupt::new()).expect("nothing is run");
        assert_eq!(judged == Judgement::Holds, truth.is_ok(), "{assertion}");
        truth
    }

    #[test]
    fn all_must_agree_and_the_target_must_say_the_opposite() {
        assert_eq!(truth("(< x x)", None), Ok(Answer::Unsat));
        assert_eq!(truth("(<= x x)", None), Ok(Answer::Sat), "either way round");
        assert_eq!(truth("(= x 1)", None), Err("wrong answers sat, and right sat".into()));
        assert_eq!(truth("(< (mod x 2) 1)", None), Err("wrong answers unknown (mod)".into()));
        let tired = truth("(and (< x x) (= (+ x 1) 2))", None).expect_err("one of them does not know");
        assert!(tired.starts_with("wrong answers sat, and tired timeout"), "{tired}");
    }

    #[test]
    fn a_status_that_is_to_stay_rules_the_other_one_out() {
        assert_eq!(truth("(< x x)", Some(Answer::Unsat)), Ok(Answer::Unsat));
        assert_eq!(truth("(<= x x)", Some(Answer::Unsat)), Err("wrong answers unsat".into()));
    }
}
