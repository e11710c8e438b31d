//! The instrumented build of a target, which counts the lines that the target executes.

use std::time::Duration;

use anyhow::Context;

use crate::search::Variant;
use crate::solver::installed::Solver;
use crate::solver::profile::Profiles;
use crate::solver::provision::{Cache, ProvisionError, find};

/// What to do without it.
const NO_COVERAGE: &str = "coverage needs an instrumented target (or choose --variant no-coverage)";

/// The instrumented build that goes with a target; none if no profile describes one.
///
/// # Errors
/// One that is described, and not installed.
fn instrumented_twin(target: &Solver, profiles: &Profiles, cache: &Cache) -> anyhow::Result<Option<Solver>> {
    let twin = target.instrumented_twin();
    if twin.is_path() || profiles.get(&twin).is_err() {
        return Ok(None);
    }
    Ok(Some(find(&twin, profiles, cache)?))
}

/// The same, or why there is none and what to do about it.
///
/// # Errors
/// What is wrong with one that is there.
pub(crate) fn twin_or_reason(
    target: &Solver,
    profiles: &Profiles,
    cache: &Cache,
) -> anyhow::Result<Result<Solver, [String; 2]>> {
    match instrumented_twin(target, profiles, cache) {
        Ok(Some(twin)) => Ok(Ok(twin)),
        Ok(None) => Ok(Err([
            format!("no instrumented build of {} is known", target.label()),
            "--instrumented names one, --variant no-coverage says that none is wanted".to_owned(),
        ])),
        Err(error) if matches!(error.downcast_ref(), Some(ProvisionError::NotInstalled { .. })) => {
            let twin = target.instrumented_twin();
            Ok(Err([format!("{twin} is not built"), format!("mulstringfuzz setup {twin} builds it, once")]))
        }
        Err(error) => Err(error),
    }
}

/// The same for a run that names none; a run that goes on without says so in `notes`.
///
/// # Errors
/// One that is described, and not installed, but for [`Variant::Diverse`]: a run of the paper's that lacked an objective
/// would be compared with runs that had it.
pub(crate) fn for_run(
    target: &Solver,
    variant: Variant,
    (profiles, cache): (&Profiles, &Cache),
    notes: &mut Vec<String>,
) -> anyhow::Result<Option<Solver>> {
    if variant != Variant::Diverse {
        // Fails where one is described, and not installed.
        instrumented_twin(target, profiles, cache).context(NO_COVERAGE)?;
    }
    match twin_or_reason(target, profiles, cache)? {
        Ok(twin) => Ok(Some(twin)),
        Err([why, hint]) => {
            notes.push(format!("{why}: the run goes on without coverage ({hint})"));
            Ok(None)
        }
    }
}

/// The limit that observed runs of `solver` give themselves: the one `asked` for, or what it usually does `within` their
/// CPU time; 0 for none.
///
/// # Errors
/// When a limit is asked for and the solver has none.
pub(crate) fn soft_limit(solver: &Solver, asked: Option<u64>, within: Duration) -> anyhow::Result<u64> {
    let limit = asked.unwrap_or_else(|| solver.profile.soft_limit_within(within));
    anyhow::ensure!(
        limit == 0 || !solver.profile.soft_limit.is_empty(),
        "{} has no limit of its own: leave --observe-soft-limit out, or give its profile a `soft_limit`",
        solver.label()
    );
    Ok(limit)
}
