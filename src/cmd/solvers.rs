//! `solvers`: lists the known solvers, with version, health and what each rejects.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;

use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, ProvisionError, find, self_test};

/// List the known solvers.
#[derive(Clone, Debug, clap::Args)]
pub struct SolversArgs {
    /// Solvers, as NAME or NAME@VERSION; default: all known, each at its default version
    #[arg(value_name = "SOLVER")]
    pub solvers: Vec<SolverSpec>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

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

/// Prints the known solvers to `output`; each installed one solves a small script first, to show that it works.
///
/// # Errors
/// When a solver is unknown, the profiles cannot be read, or `output` not be written; a broken solver is a row.
pub fn run(args: &SolversArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    let profiles = Profiles::with_file(args.profiles.as_deref())?;
    let cache = Cache::locate()?;
    let specs = if args.solvers.is_empty() {
        profiles.iter().map(|profile| profile.name.parse()).collect::<Result<Vec<SolverSpec>, _>>()?
    } else {
        args.solvers.clone()
    };
    let mut rows = Vec::new();
    for spec in specs {
        rows.push(row(&spec, &profiles, &cache, interrupt)?);
        if interrupt.is_set() {
            return Err(ProvisionError::Interrupted.into());
        }
    }
    print(&rows, args.json, output).context("cannot write the list")
}

fn row(spec: &SolverSpec, profiles: &Profiles, cache: &Cache, interrupt: &Interrupt) -> anyhow::Result<Row> {
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
            self_test(&solver, interrupt).map_or_else(|error| error.to_string(), |()| "ok".to_owned())
        }
        Err(ProvisionError::NotInstalled { .. }) => "not installed".to_owned(),
        Err(error) => error.to_string(),
    };
    Ok(row)
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
