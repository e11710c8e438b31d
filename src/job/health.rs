//! The known solvers, with version, health and what each rejects.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::exit::SolverUnusable;
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, ProvisionError, find, known_profiles, probe};

/// One solver in the list.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    version: String,
    /// `ok`, `not installed`, or what is wrong.
    health: String,
    path: Option<PathBuf>,
    dialect: String,
    instrumented: bool,
    summary: String,
    rejects: BTreeMap<String, Vec<String>>,
}

/// The solvers that are asked about, or all that are known.
#[derive(Debug)]
pub struct SolverList {
    rows: Vec<Row>,
    /// Whether they were asked for by name.
    is_named: bool,
}

impl SolverList {
    /// Each installed one of these, or, without any, of all that are known, solves a small script, to show that it works.
    ///
    /// # Errors
    /// When a solver is unknown, or the profiles cannot be read; a broken solver is a row.
    pub fn of(wanted: &[SolverSpec], profiles: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let cache = Cache::locate()?;
        let profiles = known_profiles(profiles, &cache)?;
        let specs = if wanted.is_empty() {
            profiles.iter().map(|profile| profile.name.parse()).collect::<Result<Vec<SolverSpec>, _>>()?
        } else {
            wanted.to_vec()
        };
        let mut rows = Vec::new();
        for spec in specs {
            rows.push(row(&spec, &profiles, &cache, interrupt)?);
            if interrupt.is_set() {
                return Err(ProvisionError::InterruptedProbe.into());
            }
        }
        Ok(SolverList { rows, is_named: !wanted.is_empty() })
    }

    /// Prints the list.
    ///
    /// # Errors
    /// When `output` cannot be written.
    pub fn print(&self, json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
        print(&self.rows, json, output)
    }

    /// Checks that all that were asked for by name can be used.
    ///
    /// # Errors
    /// [`SolverUnusable`].
    pub fn check(&self) -> anyhow::Result<()> {
        // Of those that nobody asked for by name, it is no surprise that some are not there.
        let unusable = self.rows.iter().find(|row| self.is_named && row.health != OK);
        unusable.map_or(Ok(()), |row| Err(SolverUnusable(row.why_unusable()).into()))
    }
}

/// The health of a solver that works.
const OK: &str = "ok";
/// The health of a solver that has not been set up.
const NOT_INSTALLED: &str = "not installed";

impl Row {
    /// Why the solver cannot be used, and what to do.
    fn why_unusable(&self) -> String {
        let Row { name, version, health, .. } = self;
        match health.as_str() {
            NOT_INSTALLED => {
                format!("{name}@{version} is not installed; run: mulstringfuzz setup \"{name}@{version}\"")
            }
            health => format!("{name}@{version} cannot be used: {health}"),
        }
    }
}

fn row(spec: &SolverSpec, profiles: &Profiles, cache: &Cache, interrupt: &Interrupt) -> anyhow::Result<Row> {
    if spec.is_path() {
        return Ok(of_path(spec, profiles, cache, interrupt)?);
    }
    let (profile, version) = profiles.get(spec)?;
    let mut row = Row {
        name: profile.name,
        version: version.to_string(),
        health: String::new(),
        path: None,
        dialect: profile.dialect.to_string(),
        instrumented: profile.instrumented.is_some(),
        summary: profile.summary,
        rejects: profile.rejects,
    };
    row.health = match find(spec, profiles, cache) {
        Ok(solver) => {
            row.version = solver.version.to_string();
            row.path = Some(solver.executable.clone());
            probe(&solver, interrupt).map_or_else(|error| error.to_string(), |()| OK.to_owned())
        }
        Err(ProvisionError::NotInstalled { .. }) => NOT_INSTALLED.to_owned(),
        Err(error) => error.to_string(),
    };
    Ok(row)
}

/// The row of an executable that was named by its path.
fn of_path(
    spec: &SolverSpec,
    profiles: &Profiles,
    cache: &Cache,
    interrupt: &Interrupt,
) -> Result<Row, ProvisionError> {
    let solver = find(spec, profiles, cache)?;
    let health = probe(&solver, interrupt).map_or_else(|error| error.to_string(), |()| OK.to_owned());
    Ok(Row {
        name: solver.spec.name.clone(),
        version: solver.version.to_string(),
        health,
        path: Some(solver.executable.clone()),
        dialect: solver.profile.dialect.to_string(),
        instrumented: false,
        summary: solver.profile.summary,
        rejects: solver.profile.rejects,
    })
}

fn print(rows: &[Row], json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
    if json {
        serde_json::to_writer_pretty(&mut *output, rows)?;
        writeln!(output)?;
        return Ok(());
    }
    writeln!(output, "{:<12} {:<10} {:<14} {:<11} summary", "name", "version", "health", "dialect")?;
    for row in rows {
        let Row { name, version, health, path, dialect, summary, rejects, instrumented: _ } = row;
        writeln!(output, "{name:<12} {version:<10} {health:<14} {dialect:<11} {summary}")?;
        if let Some(path) = path {
            writeln!(output, "  {}", path.display())?;
        }
        for (family, operators) in rejects {
            writeln!(output, "  rejects {family}: {}", operators.join(" "))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_that_is_not_installed_is_a_row() {
        let folder = tempfile::tempdir().expect("folder");
        let spec = SolverSpec::parse("cvc4@1.8").expect("spec");
        let row = row(&spec, &Profiles::built_in(), &Cache::at(folder.path()), &Interrupt::new()).expect("row");
        assert_eq!((row.health.as_str(), row.dialect.as_str()), ("not installed", "smtlib-2.6"));
        assert_eq!(row.why_unusable(), "cvc4@1.8 is not installed; run: mulstringfuzz setup \"cvc4@1.8\"");
        let mut table = Vec::new();
        print(&[row], false, &mut table).expect("print");
        let table = String::from_utf8_lossy(&table).into_owned();
        assert!(table.contains("not installed") && table.contains("rejects strings: str.to_lower"), "{table}");
    }

    #[test]
    fn an_unknown_solver_is_an_error() {
        let spec = SolverSpec::parse("nosuch").expect("spec");
        assert!(row(&spec, &Profiles::built_in(), &Cache::at("/nonexistent"), &Interrupt::new()).is_err());
    }
}
