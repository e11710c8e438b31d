//! What can go wrong with an experiment.

use std::path::PathBuf;

use crate::config::ConfigError;
use crate::record::RecordError;
use crate::solver::process::ProcessError;

/// An experiment that cannot be read, run or tabulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file is no TOML of our keys.
    #[error("{path}: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, column and reason.
        source: Box<toml::de::Error>,
    },
    /// A spec that makes no sense.
    #[error("{path}: {reason}")]
    Spec {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The spec has no such scale.
    #[error("the experiment has no scale `{scale}`; it has {scales}")]
    NoScale {
        /// The scale that was asked for.
        scale: String,
        /// Those that there are.
        scales: String,
    },
    /// An arm's settings are out of range.
    #[error("arm `{arm}`: {source}")]
    Config {
        /// The arm.
        arm: String,
        /// What is wrong.
        source: ConfigError,
    },
    /// An arm's hunts cannot be.
    #[error("arm `{arm}`: {reason}")]
    Hunt {
        /// The arm.
        arm: String,
        /// What is wrong.
        reason: String,
    },
    /// The runs of an experiment of coverage cannot be.
    #[error("{reason}")]
    Coverage {
        /// What is wrong.
        reason: String,
    },
    /// What a run covered is not of the seeds, or the build of the solver, of the runs before it.
    #[error(
        "{path} is of other seeds, or of another build of the solver, than the runs before it: run the experiment in a new folder"
    )]
    Mixed {
        /// The run.
        path: PathBuf,
    },
    /// An arm's triage cannot be.
    #[error("arm `{arm}`: {reason}")]
    Triage {
        /// The arm.
        arm: String,
        /// What is wrong.
        reason: String,
    },
    /// An arm's runs would not end.
    #[error("arm `{arm}` would never end: give `solver-budget`, `budget`, `evaluations` or `generations`")]
    Endless {
        /// The arm.
        arm: String,
    },
    /// An experiment without runs.
    #[error("an experiment needs 1 repeat or more")]
    NoRepeats,
    /// The last repeats would have no seed of their own.
    #[error("{repeats} repeats from seed {seed} on need seeds above the largest number there is; give a smaller seed")]
    Seed {
        /// The seed of the first repeat.
        seed: u64,
        /// How many there are.
        repeats: u32,
    },
    /// There is no such task.
    #[error("the experiment has {count} tasks, numbered from 0; there is no task {index}")]
    NoTask {
        /// The number that was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// There is no run of this name.
    #[error("the experiment has no run `{name}`; `experiment status --json` lists arms and repeats")]
    NoSuchRun {
        /// The name that was asked for.
        name: String,
    },
    /// The folder is no experiment's.
    #[error("{path} is no experiment: it has no experiment.toml; `experiment run SPEC --out {path}` makes one")]
    NotAnExperiment {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds no experiment, but is not empty; nothing in it was touched.
    #[error("{path} holds something else than an experiment; choose another folder for --out")]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds another experiment.
    #[error("{path} holds an experiment that differs in {what}; choose another folder for --out")]
    Differs {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// There is nothing to tabulate.
    #[error("no run in {path} is finished yet; see `experiment status`")]
    NothingFinished {
        /// The folder.
        path: PathBuf,
    },
    /// A command of Slurm is not there.
    #[error(
        "no program named {program} on the PATH: run this on a machine of the cluster where jobs are submitted, or use \
         --engine local"
    )]
    NoSlurm {
        /// The command.
        program: String,
    },
    /// A command of Slurm failed.
    #[error("Slurm's {program} failed: {reason}")]
    Slurm {
        /// The command.
        program: String,
        /// What it printed.
        reason: String,
    },
    /// The record of jobs is not what we wrote.
    #[error("{path} is damaged: {source}; see `squeue --me` for jobs that are left, then delete the file")]
    Jobs {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Somebody else is submitting jobs of this experiment.
    #[error("another `experiment` command is submitting jobs of {path} now; wait until it is done")]
    Submitting {
        /// The folder.
        path: PathBuf,
    },
    /// A run directory cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// This program could not be started again for a run.
    #[error(transparent)]
    Process(#[from] ProcessError),
}
