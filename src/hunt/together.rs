//! Many small instances asked about in one process: where all solvers agree, that is all that is asked.
//!
//! Most of what a small formula costs is the start of a process. What a solver refuses, does not come to, or answers
//! otherwise than the others is asked about once more, on its own and with the question for a model.

use std::time::Duration;

use super::hearing::Heard;
use super::source::Case;
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::oracle::testimony::Testimony;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// What was heard of instances that all provers agree on; none of the others. With it, the CPU seconds of all runs.
///
/// # Errors
/// [`OracleError`] if a solver could not be run, or the user interrupted.
pub(super) fn agreed(
    cases: &[Case],
    provers: &[&dyn Prover],
    limit: Duration,
    interrupt: &Interrupt,
) -> Result<(Vec<Option<Heard>>, f64), OracleError> {
    let scripts: Vec<&_> = cases.iter().map(|case| &case.script).collect();
    let mut all = Vec::with_capacity(provers.len());
    let mut seconds = 0.0;
    for prover in provers {
        let together = prover.ask_together(&scripts, limit, interrupt)?;
        seconds += together.seconds;
        all.push(together);
    }
    let heard = (0..cases.len()).map(|place| {
        let answers: Option<Vec<&Answer>> = all.iter().map(|each| each.answers[place].as_ref()).collect();
        let answers = answers?;
        let contradict = answers.contains(&&Answer::Sat) && answers.contains(&&Answer::Unsat);
        if contradict {
            return None;
        }
        let share = |at: usize| all[at].seconds / cases.len() as f64;
        let testimonies: Vec<Testimony> =
            (0..provers.len()).map(|at| Testimony::in_passing(provers[at], answers[at].clone(), share(at))).collect();
        let seconds = testimonies.iter().map(Testimony::seconds).sum();
        Some(Heard { testimonies, seconds, ..Heard::default() })
    });
    Ok((heard.collect(), seconds))
}
