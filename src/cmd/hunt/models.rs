//! A solver's models of the seeds, or of their negations, as first assignments.

use std::time::Duration;

use crate::hunt::source::Storm;
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::oracle::testimony::{Testimony, questions_only};
use crate::semantics::interpretation::Interpretation;
use crate::semantics::model;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;
use crate::solver::process::Interrupt;

/// Asks `prover` for a model of each seed of `storm`, and where it says `unsat`, of the negation.
pub(super) fn take(
    storm: &mut Storm,
    prover: &dyn Prover,
    limit: Duration,
    interrupt: &Interrupt,
) -> Result<(), OracleError> {
    for seed in 0..storm.prepared().len() {
        let script = questions_only(&storm.prepared()[seed].1);
        let of_seed = of(&script, prover, limit, interrupt)?;
        let found = match of_seed {
            Asked::Model(given) => Some(given),
            Asked::Unsat => match of(&negated(&script), prover, limit, interrupt)? {
                Asked::Model(given) => Some(given),
                _ => None,
            },
            Asked::Nothing => None,
        };
        if let Some(given) = found {
            storm.set_model(seed, *given);
        }
    }
    Ok(())
}

enum Asked {
    Model(Box<Interpretation>),
    Unsat,
    Nothing,
}

fn of(script: &Script, prover: &dyn Prover, limit: Duration, interrupt: &Interrupt) -> Result<Asked, OracleError> {
    let testimony = match Testimony::of(prover, script, limit, interrupt) {
        // The hunt that follows ends at once.
        Err(OracleError::Interrupted) => return Ok(Asked::Nothing),
        testimony => testimony?,
    };
    Ok(match testimony.timed.answer.name() {
        "unsat" => Asked::Unsat,
        "sat" => model::read(&testimony.model, "model", script, prover.dialect())
            .map_or(Asked::Nothing, |given| Asked::Model(Box::new(given))),
        _ => Asked::Nothing,
    })
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
