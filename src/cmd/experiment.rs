//! `experiment`: runs of several arms side by side, where they stand, and their tables.

mod run;
mod shows;
mod slurm;
mod status;
mod tables;
mod task;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;

use crate::exit::Status;
use crate::experiment::{ExperimentFolder, names};
use crate::solver::process::Interrupt;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz experiment run experiments/table1.toml --scale smoke
  mulstringfuzz experiment status
  mulstringfuzz experiment tables --format latex";

/// Compare ways to search: many runs, statistics, the papers' tables.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ExperimentArgs {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What to do with an experiment.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Action {
    /// Run what is not finished of an experiment; interrupted, it goes on where it was
    Run(Box<run::RunArgs>),
    /// Say where an experiment stands
    Status(status::StatusArgs),
    /// Print the tables of what is finished
    Tables(tables::TablesArgs),
    /// Take an experiment's jobs out of a cluster's queue; what they recorded stays
    Cancel(slurm::CancelArgs),
    /// Run one task of an experiment: what `run` and cluster jobs call
    #[command(hide = true)]
    Task(task::TaskArgs),
    /// Succeed if a script shows a defect: what reducers of others are given as a test
    #[command(hide = true)]
    Shows(shows::ShowsArgs),
}

/// Where experiments are, unless --out says otherwise.
const HOME: &str = "runs";

/// Which experiment is meant.
#[derive(Clone, Debug, clap::Args)]
pub struct Which {
    /// The experiment's specification, or its folder [default: the experiment in runs/ that was begun last]
    #[arg(value_name = "SPEC")]
    pub spec: Option<PathBuf>,
    /// Its scale, one of those in the specification
    #[arg(long, value_name = "SCALE", default_value = "workstation")]
    pub scale: String,
    /// Its folder [default: runs/NAME-SCALE]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl Which {
    /// The folder of an experiment that was begun.
    fn folder(&self) -> anyhow::Result<ExperimentFolder> {
        let root = match (&self.out, &self.spec) {
            (Some(out), _) => out.clone(),
            (None, Some(spec)) if spec.is_dir() => spec.clone(),
            (None, Some(spec)) => default_folder(spec, &self.scale),
            (None, None) => latest()?,
        };
        Ok(ExperimentFolder::open(&root)?)
    }
}

/// `runs/NAME-SCALE`.
fn default_folder(spec: &Path, scale: &str) -> PathBuf {
    let name = spec.file_stem().unwrap_or_default().to_string_lossy();
    Path::new(HOME).join(format!("{name}-{scale}"))
}

/// The experiment in `runs/` whose plan was written last.
fn latest() -> anyhow::Result<PathBuf> {
    let mut found: Option<(SystemTime, PathBuf)> = None;
    for entry in std::fs::read_dir(HOME).into_iter().flatten().flatten() {
        let written = std::fs::metadata(entry.path().join(names::PLAN)).and_then(|plan| plan.modified());
        if let Ok(written) = written
            && found.as_ref().is_none_or(|(latest, _)| written > *latest)
        {
            found = Some((written, entry.path()));
        }
    }
    let (_, root) = found.context("there is no experiment in runs/; name its specification or its folder")?;
    Ok(root)
}

/// Does what `args` ask; results go to `output`.
///
/// # Errors
/// Bad input, a missing solver, results that cannot be written.
pub fn run(args: &ExperimentArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.action {
        Action::Run(args) => run::run(args, interrupt, output),
        Action::Status(args) => status::run(args, output).map(|()| Status::Done),
        Action::Tables(args) => tables::run(args, output).map(|()| Status::Done),
        Action::Cancel(args) => slurm::cancel(args, output).map(|()| Status::Done),
        Action::Task(args) => task::run(args, interrupt),
        Action::Shows(args) => shows::run(args, interrupt).map(|()| Status::Done),
    }
}
