//! `experiment run`: makes the folder, runs what is not finished, writes the tables.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::slurm::{self, SlurmArgs};
use super::{Which, default_folder};
use crate::config::{Settings, absolute, parse_duration};
use crate::console::Console;
use crate::exit::{ChildFailed, Status};
use crate::experiment::local::{Failure, Local, Worker};
use crate::experiment::slurm::{Queue, Stage, wait};
use crate::experiment::tables::{Format, Tables};
use crate::experiment::{CoverageSettings, Coverages, ExperimentFolder, Overview, Phase, Plan, Runs, Spec};
use crate::job::experiment::status::time_left;
use crate::number::positive;
use crate::solver::process::Interrupt;

/// Where runs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// On this machine's cores
    Local,
    /// On a cluster, as jobs of Slurm
    Slurm,
}

/// Run what is not finished of an experiment.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    which: Which,
    /// Where to run
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    engine: Engine,
    /// Runs at once on this machine, one core each [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    jobs: Option<NonZeroUsize>,
    /// Runs of each arm, instead of the scale's; more can be added later
    #[arg(long, value_name = "N")]
    repeats: Option<u32>,
    /// The solver under test, instead of the specification's
    #[arg(long, value_name = "SOLVER")]
    target: Option<String>,
    /// The solver that its times are compared with, instead of the specification's
    #[arg(long, value_name = "SOLVER")]
    reference: Option<String>,
    /// The instrumented build of the target, or the solver whose coverage is measured, instead of the specification's
    #[arg(long, value_name = "SOLVER")]
    instrumented: Option<String>,
    /// Of coverage: scripts and folders of scripts to be the seeds, instead of the specification's
    #[arg(long, value_name = "PATH", num_args = 1..)]
    seeds: Option<Vec<PathBuf>>,
    /// CPU time of target and reference in the search, or of each run of a hunt or for coverage, instead of the scale's
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    limit: Option<Duration>,
    /// CPU time of solvers that each run has, instead of the scale's
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    solver_budget: Option<Duration>,
    /// The master seed of the first repeat, instead of the specification's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    profiles: Option<PathBuf>,
    /// Print the first table as JSON
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    slurm: SlurmArgs,
}

impl RunArgs {
    /// The folder, made or continued.
    fn folder(&self) -> anyhow::Result<ExperimentFolder> {
        let Which { spec, scale, out } = &self.which;
        let (root, plan) = match spec {
            Some(spec) if !spec.is_dir() => {
                let root = out.clone().unwrap_or_else(|| default_folder(spec, scale));
                (root, Spec::read(spec)?.plan(scale)?)
            }
            // A folder holds its plan: go on with that.
            _ => {
                let folder = self.which.folder()?;
                (folder.root().to_owned(), folder.plan().clone())
            }
        };
        Ok(ExperimentFolder::create(&root, self.adjusted(plan)?)?)
    }

    /// The plan with what the command line says.
    fn adjusted(&self, mut plan: Plan) -> anyhow::Result<Plan> {
        let own = Settings {
            target: self.target.clone(),
            reference: self.reference.clone(),
            instrumented: self.instrumented.clone(),
            limit: self.limit,
            solver_budget: self.solver_budget,
            ..Settings::default()
        };
        ensure!(
            self.seeds.is_none() || matches!(plan.runs, Runs::Coverage(_)),
            "--seeds is for experiments of coverage"
        );
        match &mut plan.runs {
            Runs::Coverage(Coverages { settings }) => {
                let (instrumented, limit) = (self.instrumented.clone(), self.limit);
                let own_alone = Settings { instrumented, limit, ..Settings::default() };
                ensure!(own == own_alone, "--target, --reference and --solver-budget are for campaigns");
                let solver = self.instrumented.as_deref().map(str::parse).transpose()?;
                let seeds = self.seeds.as_ref().map(|seeds| seeds.iter().map(|seed| absolute(seed)).collect());
                let own = CoverageSettings { solver, limit, seeds, ..CoverageSettings::default() };
                *settings = own.or(std::mem::take(settings));
            }
            Runs::Campaigns(campaigns) => campaigns.settings = own.or(std::mem::take(&mut campaigns.settings)),
            Runs::Hunts(hunts) => {
                let limit_alone = Settings { limit: self.limit, ..Settings::default() };
                ensure!(
                    own == limit_alone,
                    "--target, --reference, --instrumented and --solver-budget are for campaigns"
                );
                hunts.settings.limit = self.limit.or(hunts.settings.limit);
            }
        }
        plan.repeats = self.repeats.unwrap_or(plan.repeats);
        plan.seed = self.seed.unwrap_or(plan.seed);
        plan.check()?;
        Ok(plan)
    }
}

/// Runs the experiment; the first table goes to `output`.
pub(super) fn run(args: &RunArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let folder = args.folder()?;
    let console = Console::new(0, args.quiet);
    console.say(&format!("{} in {}", folder.plan().title, folder.root().display()));
    let failures = match args.engine {
        Engine::Local => args.run_here(&folder, &console, interrupt),
        Engine::Slurm => {
            slurm::submit(&args.slurm, args.worker()?, &folder, output)?;
            if !args.slurm.wait && !Overview::read(&folder)?.is_finished() {
                console.close();
                return Ok(Status::Done);
            }
            wait_for_jobs(&folder, &console, interrupt)
        }
    };
    console.close();
    args.finish(&folder, &failures?, interrupt, &console, output)
}

impl RunArgs {
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
        folder: &ExperimentFolder,
        console: &Console,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<Failure>> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let local = Local { worker: self.worker()?, jobs: self.jobs.map_or_else(cores, NonZeroUsize::get) };
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
