//! Runs what is not finished of an experiment, here or on a cluster, and writes the tables.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;

use super::status::time_left;
use crate::config::absolute;
use crate::console::Console;
use crate::exit::{ChildFailed, Status};
use crate::experiment::local::{Failure, Local, Worker};
use crate::experiment::slurm::{Options, Queue, Slurm, Stage, wait};
use crate::experiment::tables::{Format, Tables};
use crate::experiment::{ExperimentFolder, Overview, Phase};
use crate::solver::process::Interrupt;

/// Where runs are made.
#[derive(Clone, Debug)]
pub enum Engine {
    /// On this machine.
    Local {
        /// Runs at once, one core each; as many as there are cores without.
        jobs: Option<NonZeroUsize>,
    },
    /// On a cluster, as jobs of Slurm.
    Slurm {
        /// What jobs ask of it.
        options: Options,
        /// Stay until all jobs are over.
        wait: bool,
    },
}

/// How what is not finished is run.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// Where.
    pub engine: Engine,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
    /// Print the first table as JSON.
    pub json: bool,
    /// Show no progress.
    pub quiet: bool,
}

/// Runs the experiment; what is submitted and the first table go to `output`.
///
/// # Errors
/// A run that failed, a cluster that does not take jobs, or a result that cannot be written.
pub fn run(
    request: &RunRequest,
    folder: &ExperimentFolder,
    interrupt: &Interrupt,
    output: &mut dyn Write,
) -> anyhow::Result<Status> {
    let console = Console::new(0, request.quiet);
    console.say(&format!("{} in {}", folder.plan().title, folder.root().display()));
    let failures = match &request.engine {
        Engine::Local { jobs } => request.run_here(*jobs, folder, &console, interrupt),
        Engine::Slurm { options, wait } => {
            let submitted = Slurm { worker: request.worker()?, options: options.clone() }.submit(folder)?;
            write!(output, "{submitted}").context("cannot write what was submitted")?;
            if !wait && !Overview::read(folder)?.is_finished() {
                console.close();
                return Ok(Status::Done);
            }
            wait_for_jobs(folder, &console, interrupt)
        }
    };
    console.close();
    request.finish(folder, &failures?, interrupt, &console, output)
}

impl RunRequest {
    fn worker(&self) -> anyhow::Result<Worker> {
        let mut arguments = vec!["--quiet".to_owned()];
        if let Some(profiles) = &self.profiles {
            arguments.extend(["--profiles".to_owned(), absolute(profiles).display().to_string()]);
        }
        let program = std::env::current_exe().context("cannot find this program")?;
        Ok(Worker { program, arguments })
    }

    /// Runs all that is not finished on this machine.
    fn run_here(
        &self,
        jobs: Option<NonZeroUsize>,
        folder: &ExperimentFolder,
        console: &Console,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<Failure>> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let local = Local { worker: self.worker()?, jobs: jobs.map_or_else(cores, NonZeroUsize::get) };
        Ok(local.run(folder, interrupt, &mut watch(console))?)
    }

    /// Writes the tables of what is finished, and says what is not.
    fn finish(
        &self,
        folder: &ExperimentFolder,
        failures: &[Failure],
        interrupt: &Interrupt,
        console: &Console,
        output: &mut dyn Write,
    ) -> anyhow::Result<Status> {
        let overview = Overview::read(folder)?;
        if overview.count(Phase::Finished) > 0 {
            let tables = Tables::of(folder)?;
            let written = tables.write()?;
            if let Some(first) = tables.all.first() {
                let text = if self.json {
                    serde_json::to_string_pretty(&first.json())? + "\n"
                } else {
                    Format::Markdown.of(first)
                };
                output.write_all(text.as_bytes()).context("cannot write the table")?;
            }
            let place = written.first().and_then(|file| file.parent()).unwrap_or(folder.root());
            tracing::info!(tables = %place.display(), "tables written");
        }
        if interrupt.is_set() {
            return Ok(Status::Interrupted);
        }
        if let Some(Failure { task, reason, code }) = failures.first() {
            let message = format!(
                "{} of {} runs failed, {task} first: {reason}; run the same command again to go on with them",
                failures.len(),
                overview.tasks.len()
            );
            return Err(ChildFailed { message, code: *code }.into());
        }
        if !overview.is_finished() {
            let left = overview.tasks.len() - overview.count(Phase::Finished);
            console
                .say(&format!("{left} runs are left to other processes, which work on them; see `experiment status`"));
        }
        Ok(Status::Done)
    }
}

/// Waits until all jobs are over; failures are the runs that are not finished then.
fn wait_for_jobs(folder: &ExperimentFolder, console: &Console, interrupt: &Interrupt) -> anyhow::Result<Vec<Failure>> {
    wait(folder, interrupt, &mut watch(console))?;
    if interrupt.is_set() {
        console.say("the jobs stay in the queue: `experiment status` shows them, `experiment cancel` takes them out");
        return Ok(Vec::new());
    }
    let queue = Queue::read(folder)?.unwrap_or_default();
    let mut failures = Vec::new();
    for standing in &Overview::read(folder)?.tasks {
        let task = standing.task.to_string();
        if let Some(entry) = queue.of_run(&task)
            && entry.stage == Stage::Over
            && standing.state.phase != Phase::Finished
        {
            let said = entry.last_words().unwrap_or_else(|| "no log".into());
            let reason = format!("{}; {said} ({})", entry.words, entry.log.display());
            failures.push(Failure { task, reason, code: entry.code });
        }
    }
    Ok(failures)
}

/// Shows how far the experiment is.
fn watch(console: &Console) -> impl FnMut(&Overview<'_>) {
    |overview| console.status(&line(overview))
}

/// `12 of 24 runs finished, 2 running, 55 % done, about 1h10m left`.
fn line(overview: &Overview<'_>) -> String {
    let line = format!(
        "{} of {} runs finished, {} running, {:.0} % done",
        overview.count(Phase::Finished),
        overview.tasks.len(),
        overview.running(),
        100.0 * overview.fraction
    );
    [Some(line), time_left(overview)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
