//! `experiment task`: one run of an experiment from wherever it is to its end.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::parse_duration;
use crate::exit::Status;
use crate::job::experiment::task::{self, TaskRequest};
use crate::solver::process::Interrupt;

/// Run one task of an experiment.
#[derive(Clone, Debug, clap::Args)]
pub struct TaskArgs {
    /// The experiment's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The task, counted from 0
    #[arg(long, value_name = "N", required_unless_present = "run", conflicts_with = "run")]
    index: Option<usize>,
    /// The task by its run directory, ARM/NNN or ARM/DEFECT/NNN
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// Wait so long for a process that still works in the run directory, instead of failing
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    wait_for_lock: Option<Duration>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    profiles: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the task. Whatever it finds done stays; whenever it is stopped, the next call goes on.
pub(super) fn run(args: &TaskArgs, interrupt: &Interrupt) -> anyhow::Result<Status> {
    let request = TaskRequest {
        folder: args.folder.clone(),
        index: args.index,
        run: args.run.clone(),
        wait_for_lock: args.wait_for_lock,
        profiles: args.profiles.clone(),
        quiet: args.quiet,
    };
    task::run(&request, interrupt)
}
