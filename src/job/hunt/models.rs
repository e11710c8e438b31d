//! A solver's models of the seeds, or of their negations, as first assignments.

use std::time::Duration;

use crate::hunt::source::FirstAssignment;
use crate::oracle::OracleError;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::oracle::testimony::{Testimony, questions_only};
use crate::semantics::interpretation::Interpretation;
use crate::semantics::model;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;
use crate::solver::process::Interrupt;

/// A solver that is asked for a model of each seed, and where it says `unsat`, of the negation.
#[derive(Debug)]
pub(super) struct Models<'a> {
    pub(super) prover: InstalledProver,
    /// CPU time of each run.
    pub(super) limit: Duration,
    pub(super) interrupt: &'a Interrupt,
}

impl FirstAssignment for Models<'_> {
    fn of(&self, script: &Script) -> Result<(Option<Interpretation>, f64), OracleError> {
        let script = questions_only(script);
        let (said, seconds) = self.ask(&script)?;
        Ok(match said {
            Said::Model(given) => (Some(*given), seconds),
            Said::Nothing => (None, seconds),
            Said::Unsat => match self.ask(&negated(&script))? {
                (Said::Model(given), more) => (Some(*given), seconds + more),
                (_, more) => (None, seconds + more),
            },
        })
    }
}

enum Said {
    Model(Box<Interpretation>),
    Unsat,
    Nothing,
}

impl Models<'_> {
    fn ask(&self, script: &Script) -> Result<(Said, f64), OracleError> {
        let testimony = Testimony::of(&self.prover, script, self.limit, self.interrupt)?;
        let said = match testimony.timed.answer.name() {
            "unsat" => Said::Unsat,
            "sat" => model::read(&testimony.model, "model", script, self.prover.dialect())
                .map_or(Said::Nothing, |given| Said::Model(Box::new(given))),
            _ => Said::Nothing,
        };
        Ok((said, testimony.seconds()))
    }
}

/// The script that asserts that not all of its assertions hold.
fn negated(script: &Script) -> Script {
    let mut negated = script.clone();
    let assertions: Vec<TermId> = script.assertions().collect();
    negated.commands.retain(|command| !matches!(command, Command::Assert(_) | Command::CheckSat));
    let (Some(and), Some(not)) = (table().canonical("and"), table().canonical("not")) else { return negated };
    let all = match assertions[..] {
        [only] => only,
        _ => negated.terms.apply(and, &assertions, Sort::BOOL),
    };
    let term = negated.terms.apply(not, &[all], Sort::BOOL);
    negated.commands.extend([Command::Assert(term), Command::CheckSat]);
    negated
}
