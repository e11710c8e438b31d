//! Solvers that a job needs: got and built where they are not there, with the progress on standard error.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::console::SetupStatus;
use crate::oracle::prover::InstalledProver;
use crate::solver::installed::Solver;
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, ProvisionError, Setup, find, known_profiles, provide_newest, self_test};

/// Gets every solver that is asked for. One that cannot be got does not keep the others from being got: the second value is
/// the first one's error, which has been told.
///
/// # Errors
/// Profiles that cannot be read, or an interrupt.
pub(crate) fn set_up(
    wanted: &[SolverSpec],
    profiles: Option<&Path>,
    jobs: usize,
    interrupt: &Interrupt,
) -> anyhow::Result<(Vec<Solver>, Option<ProvisionError>)> {
    let cache = Cache::locate()?;
    let profiles = known_profiles(profiles, &cache)?;
    let mut failure = None;
    let mut ready = Vec::new();
    for spec in wanted {
        let display = SetupStatus::new(spec);
        let setup = Setup { profiles: &profiles, cache: &cache, progress: display.progress(), interrupt, jobs };
        match provide_newest(spec, &setup) {
            Ok(solver) => {
                display.done("ready");
                ready.push(solver);
            }
            // Whatever it was doing, it was a setup.
            Err(ProvisionError::Interrupted | ProvisionError::InterruptedProbe) => {
                return Err(ProvisionError::Interrupted.into());
            }
            Err(error) => {
                display.done(&format!("failed: {error}"));
                failure = failure.or(Some(error));
            }
        }
    }
    Ok((ready, failure))
}

/// A solver that another job needs: got and built if it is not there, with its progress on standard error.
///
/// # Errors
/// A [`ProvisionError`].
pub(crate) fn provided(spec: &SolverSpec, profiles: &Profiles, interrupt: &Interrupt) -> anyhow::Result<Solver> {
    let cache = Cache::locate()?;
    if let Ok(solver) = find(spec, profiles, &cache) {
        self_test(&solver, interrupt)?;
        return Ok(solver);
    }
    let display = SetupStatus::new(spec);
    let jobs = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let setup = Setup { profiles, cache: &cache, progress: display.progress(), interrupt, jobs };
    let solver = provide_newest(spec, &setup)?;
    display.done("ready");
    Ok(solver)
}

/// The same of several, to be asked.
///
/// # Errors
/// A [`ProvisionError`].
pub(crate) fn provers(
    specs: &[SolverSpec],
    profiles: &Profiles,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<InstalledProver>> {
    specs.iter().map(|spec| Ok(InstalledProver::new(provided(spec, profiles, interrupt)?))).collect()
}

/// Solvers that may verify a reference's answer, if they are installed, in the order in which they are asked.
const VERIFIERS: [&str; 4] = ["z3seq", "cvc5", "z3", "cvc4"];

/// The installed solvers that may verify the answers of a reference, other than these.
pub(crate) fn verifiers(profiles: &Profiles, cache: &Cache, others: [&Solver; 2]) -> Vec<Solver> {
    let found = VERIFIERS.into_iter().filter_map(|name| find(&SolverSpec::parse(name).ok()?, profiles, cache).ok());
    found
        .filter(|solver| !others.iter().any(|other| other.label() == solver.label() || other.is_same_as(solver)))
        .collect()
}
