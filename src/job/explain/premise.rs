//! What an explanation takes for granted, asked before it begins: the script is slow, the reference answers it, and the
//! relative is fast.

use anyhow::bail;

use super::ExplainRequest;
use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::prover::{InstalledProver, Prover, Question};
use crate::reduce::property::refusal;
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// Warns of what is not as an explanation takes it to be.
///
/// # Errors
/// A script that the target does not take, a solver that cannot be run, or an interrupt.
pub(super) fn check(
    args: &ExplainRequest,
    (script, relative): (&Script, Option<&Script>),
    (target, reference): (&InstalledProver, &InstalledProver),
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let file = args.file.display();
    let ask = |prover: &InstalledProver, script: &Script| -> Result<Timed, OracleError> {
        Ok(prover.ask(&Question { script, seed: None, limit: args.limit, check_model: false }, interrupt)?.timed)
    };
    let slow = ask(target, script)?;
    if let Some(refusal) = refusal(target.name(), &slow.answer) {
        bail!("{file}: {refusal}");
    }
    if !ran_out(&slow, args.limit) {
        let Timed { answer, cpu_seconds, .. } = &slow;
        tracing::warn!("{file} is not slow for {}: {answer} after {cpu_seconds:.2} s of CPU time", target.name());
    }
    let quick = ask(reference, script)?;
    if !quick.answer.is_solved() {
        let Timed { answer, cpu_seconds, .. } = &quick;
        tracing::warn!("{} does not answer {file}: {answer} after {cpu_seconds:.2} s of CPU time", reference.name());
    }
    let Some((relative, against)) = relative.zip(args.against.as_ref()) else { return Ok(()) };
    let against = against.display();
    if canonical_hash(relative) == canonical_hash(script) {
        tracing::warn!("{against} is the same script as {file}: there is nothing to compare");
        return Ok(());
    }
    let fast = ask(target, relative)?;
    if let Some(refusal) = refusal(target.name(), &fast.answer) {
        bail!("{against}: {refusal}");
    }
    if !fast.answer.is_solved() {
        let Timed { answer, cpu_seconds, .. } = &fast;
        tracing::warn!("{against} is not fast for {}: {answer} after {cpu_seconds:.2} s of CPU time", target.name());
    }
    Ok(())
}
