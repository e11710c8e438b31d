//! A run that is recorded: its configuration, and whether the solvers are still those that it was made with.

use std::path::Path;

use anyhow::Context;

use crate::config::{Config, Settings};
use crate::record::format::{Environment, SolverRecord};
use crate::record::{RecordError, names, read_environment};
use crate::smtlib::signature;
use crate::solver::installed::Solver;

/// The configuration and the environment of an earlier run.
pub(crate) fn recorded(root: &Path) -> anyhow::Result<(Config, Environment)> {
    let config = root.join(names::CONFIG);
    if !config.is_file() {
        return Err(RecordError::NotARun { path: root.to_owned(), missing: names::CONFIG }.into());
    }
    let settings = Settings::read(&config)?;
    // A run's own configuration says everything: defaults in place of what is lost would be another run's.
    if settings.target.is_none() || settings.reference.is_none() || settings.seed.is_none() {
        return Err(RecordError::damaged(&config, "it does not say target, reference and seed").into());
    }
    Ok((Config::resolve(settings)?, read_environment(root)?))
}

/// Adds the operators of the run's theories to the signature table.
pub(crate) fn load_theories(config: &Config) -> anyhow::Result<()> {
    for path in &config.theories {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        signature::load_theory(&text, &path.display().to_string())?;
    }
    Ok(())
}

/// Checks that the solver in a role is that of an earlier run.
///
/// # Errors
/// Names both versions.
pub(crate) fn check_same(environment: &Environment, role: &str, solver: &Solver) -> anyhow::Result<()> {
    let now = record(solver);
    let before = environment.solvers.get(role).with_context(|| format!("the run had no {role} solver"))?;
    anyhow::ensure!(
        (&now.name, &now.version) == (&before.name, &before.version),
        "the run's {role} was {} {}, this is {} {}",
        before.name,
        before.version,
        now.name,
        now.version
    );
    Ok(())
}

/// What is recorded of a solver.
pub(crate) fn record(solver: &Solver) -> SolverRecord {
    let arguments = solver.profile.arguments.iter().chain(solver.spec.arguments()).cloned().collect();
    SolverRecord {
        name: solver.spec.name.clone(),
        version: solver.version.to_string(),
        executable: solver.executable.display().to_string(),
        arguments,
    }
}
