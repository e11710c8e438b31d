//! A matrix: the same instances on many solvers, mostly versions of one.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::Serialize;

use crate::job::input::{parsed, read};
use crate::job::instances::{Instance, instances_in, instances_of};
use crate::job::place::new_folder;
use crate::job::solvers::provers;
use crate::matrix::{Cell, LeftOut, Matrix, Measure, Subject, Verdict};
use crate::oracle::prover::{InstalledProver, Prover};
use crate::record::{Row, Table, internal_errors, names, write_atomically};
use crate::report;
use crate::semantics::model;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, known_profiles};

/// What a matrix is asked for.
#[derive(Clone, Debug)]
pub struct MatrixRequest {
    /// Scripts, folders of scripts, run directories or hunts (of these the defects, reduced where they have been).
    pub defects: Vec<PathBuf>,
    /// A solver, as "NAME@VERSION OPTION…"; repeat it, from old to new.
    pub solvers: Vec<SolverSpec>,
    /// Judge answers and models, as `hunt` does, instead of the time: a solver is bad if it is wrong or crashes. The
    /// assignment.smt2 of a hunt's finding shows that its script is satisfiable.
    pub answers: bool,
    /// CPU time of each run.
    pub limit: Duration,
    /// Runs at once.
    pub jobs: NonZeroUsize,
    /// Write the table to this new folder, with its heat map (matrix.md, .json, .csv, .svg, .png), how many
    /// defects each solver has (releases.csv, .svg, .png), and each run as it ends, with --answers all
    /// of an instance together (runs.csv).
    pub out: Option<PathBuf>,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
}

/// The file that each run goes into as it ends.
const RUNS: &str = "runs.csv";

/// A row of that file.
#[derive(Debug, Serialize)]
struct RunRow {
    instance: String,
    solver: String,
    result: &'static str,
    seconds: f64,
    verdict: Verdict,
    detail: String,
}

impl Row for RunRow {
    const COLUMNS: &'static [&'static str] = &["instance", "solver", "result", "seconds", "verdict", "detail"];
}

/// Runs all on all, and writes the table where it is to go: after an interrupt that of what is finished.
///
/// # Errors
/// No script that can be read, a solver that is named twice or cannot be got, or a result that cannot be written.
pub fn run(args: &MatrixRequest, interrupt: &Interrupt) -> anyhow::Result<Matrix> {
    refuse_twice(args.solvers.iter().map(ToString::to_string))?;
    let (subjects, left_out) = read_all(args)?;
    if let Some(folder) = &args.out {
        new_folder(folder)?;
    }
    let profiles = known_profiles(args.profiles.as_deref(), &Cache::locate()?)?;
    let provers = provers(&args.solvers, &profiles, interrupt)?;
    refuse_twice(provers.iter().map(|prover| prover.name().to_owned()))?;
    let matrix = Matrix { left_out, ..measured(args, &subjects, &provers, interrupt)? };
    if let Some(folder) = &args.out {
        if !matrix.rows.is_empty() {
            report::write_matrix(&matrix, folder)?;
        }
        write_atomically(&folder.join("matrix.md"), matrix.markdown().as_bytes())?;
        write_atomically(&folder.join("matrix.json"), serde_json::to_string_pretty(&matrix)?.as_bytes())?;
    }
    Ok(matrix)
}

/// Runs all on all; each run is kept as it ends.
fn measured(
    args: &MatrixRequest,
    subjects: &[Subject],
    provers: &[InstalledProver],
    interrupt: &Interrupt,
) -> anyhow::Result<Matrix> {
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build().context("cannot start threads")?;
    let runs = args.out.as_ref().map(|folder| Table::open(&folder.join(RUNS))).transpose()?.map(Mutex::new);
    let failure = Mutex::new(None);
    let measure = if args.answers { Measure::Answers } else { Measure::Time };
    let matrix = interrupt.until(None, |halt| {
        let on_run = |instance: &str, solver: &str, cell: &Cell| {
            if cell.is_internal_error() {
                tracing::warn!("internal error on {instance} for {solver}: {}", cell.detail);
                keep_apart(args, subjects, instance, &cell.detail);
            }
            let Cell { result, seconds, verdict, detail } = cell.clone();
            tracing::info!(instance, solver, result, seconds, "run");
            let Some(runs) = &runs else { return };
            let row =
                RunRow { instance: instance.to_owned(), solver: solver.to_owned(), result, seconds, verdict, detail };
            if let Err(error) = runs.lock().unwrap_or_else(PoisonError::into_inner).append(&row) {
                // What cannot be kept need not be measured.
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                halt.set();
            }
        };
        Matrix::of(subjects, &provers, (measure, args.limit), &pool, &on_run, halt)
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure.into()),
        None => Ok(matrix),
    }
}

/// Keeps the script of an instance on which this program itself failed, if there is a folder for the result.
fn keep_apart(args: &MatrixRequest, subjects: &[Subject], instance: &str, message: &str) {
    let Some(folder) = args.out.as_ref().map(|out| out.join(names::INTERNAL_ERRORS)) else { return };
    let Some(subject) = subjects.iter().find(|subject| subject.name == instance) else { return };
    // One that cannot be printed has its file.
    let text = print(&subject.script, Dialect::SmtLib26, &PrintOptions::default()).unwrap_or_default();
    if let Err(error) = internal_errors::keep(&folder, &internal_errors::file_name(instance), message, &text) {
        tracing::warn!("the script of {instance} is not kept: {error}");
    }
}

/// Reads the scripts, and says of the others why they cannot be read: one of these keeps none of the others from being run.
fn read_all(args: &MatrixRequest) -> anyhow::Result<(Vec<Subject>, Vec<LeftOut>)> {
    for path in &args.defects {
        let words = "holds no scripts: no file in it is named .smt2";
        ensure!(!instances_in(path, false)?.is_empty(), "{} {words}", path.display());
    }
    let (mut subjects, mut left_out) = (Vec::new(), Vec::new());
    for instance in instances_of(&args.defects, false)? {
        match read_subject(&instance, args.answers) {
            Ok(subject) => subjects.push(subject),
            Err(error) => left_out.push(LeftOut { instance: instance.name, reason: format!("{error:#}") }),
        }
    }
    match left_out.first() {
        Some(first) if subjects.is_empty() => bail!("there is no script that can be read: {}", first.reason),
        _ => Ok((subjects, left_out)),
    }
}

/// Reads a script, and if it is wanted the assignment that a hunt has left beside it. One that cannot be read proves nothing.
fn read_subject(instance: &Instance, with_assignment: bool) -> anyhow::Result<Subject> {
    let (file, text) = (instance.best(), read(&instance.best())?);
    let script = parsed(&file, &text)?;
    // Solvers say something of nothing, too.
    ensure!(!script.commands.is_empty(), "{} holds no command: expected a script", file.display());
    let model_in = |path: &PathBuf| {
        let printed = read(path)?;
        let dialect = model::literal_dialect(&printed, &text);
        anyhow::Ok(model::read(&printed, &path.display().to_string(), &script, dialect)?)
    };
    let assignment = match instance.assignment.as_ref().filter(|_| with_assignment).map(model_in) {
        Some(Err(error)) => {
            tracing::warn!(error = format!("{error:#}"), "the assignment is not used");
            None
        }
        assignment => assignment.transpose()?,
    };
    Ok(Subject { name: instance.name.clone(), script, assignment })
}

/// Refuses names of which one comes twice: a column that is there already says nothing new.
fn refuse_twice(names: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        ensure!(!seen.contains(&name), "--solver {name} is given twice");
        seen.insert(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parser::{ParseOptions, parse};

    #[test]
    fn a_script_on_which_the_program_failed_is_kept_beside_the_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let args = MatrixRequest {
            defects: Vec::new(),
            solvers: Vec::new(),
            answers: false,
            limit: Duration::ZERO,
            jobs: NonZeroUsize::MIN,
            out: Some(folder.path().to_owned()),
            profiles: None,
        };
        let script = parse("(check-sat)\n", "a.smt2", &ParseOptions::default()).expect("a script");
        keep_apart(
            &args,
            &[Subject { name: "in/a".to_owned(), script, assignment: None }],
            "in/a",
            "no rule (src/x.rs:1)",
        );
        let kept = std::fs::read_to_string(folder.path().join("internal-errors/in-a.smt2")).expect("it is kept");
        assert!(kept.starts_with("; no rule (src/x.rs:1)\n") && kept.contains("(check-sat)"), "{kept}");
    }
}
