//! Whether a hunt found the defect that is known: the version that has it mended says `sat` to one of the instances (STORM's
//! RQ2).

use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::shown::read;
use crate::experiment::{Defect, HuntRun, Rediscovery};
use crate::hunt::outcome::{Outcome, names};
use crate::job::solvers::provided;
use crate::oracle::OracleError;
use crate::oracle::prover::{InstalledProver, Prover, Question};
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;
use crate::solver::provision::{Cache, known_profiles};

/// Asks the version without the defect about each instance of a hunt that shows a defect of its kind, and records what it
/// says. `false` after an interrupt, which leaves no record.
///
/// # Errors
/// A solver that cannot be got or run, an instance that cannot be read, a record that cannot be written.
pub(super) fn ask(
    defect: &Defect,
    outcome: &Outcome,
    run: &HuntRun,
    limit: Duration,
    profiles: Option<&Path>,
    interrupt: &Interrupt,
) -> anyhow::Result<bool> {
    let spec = defect.fixed.as_ref().context("the defect is fixed in no version")?;
    let profiles = known_profiles(profiles, &Cache::locate()?)?;
    // The instance is written as the solver with the defect reads it.
    let dialect = profiles.get(&defect.solver)?.0.dialect;
    let fixed = InstalledProver::new(provided(spec, &profiles, interrupt)?);
    let mut rediscovery = Rediscovery { fixed: fixed.name().to_owned(), ..Rediscovery::default() };
    for found in outcome.defects.iter().filter(|found| found.found_as.unwrap_or(found.kind) == defect.kind) {
        let script = read(&found.folder(&run.hunt()).join(names::INSTANCE), dialect)?;
        let question = Question { script: &script, seed: None, limit, check_model: false };
        let timed = match fixed.ask(&question, interrupt) {
            Ok(reply) => reply.timed,
            Err(OracleError::Interrupted) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        rediscovery.instances += 1;
        rediscovery.sat += u64::from(timed.answer == Answer::Sat);
        rediscovery.cpu_seconds += timed.cpu_seconds;
    }
    run.keep_rediscovery(&rediscovery)?;
    Ok(true)
}
