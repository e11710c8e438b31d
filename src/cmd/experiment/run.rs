//! `experiment run`: makes the folder, runs what is not finished, writes the tables.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::slurm::SlurmArgs;
use super::{Which, default_folder};
use crate::config::parse_duration;
use crate::exit::Status;
use crate::experiment::{Adjustments, ExperimentFolder, Spec};
use crate::job::experiment::run::{self as job, RunRequest};
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
        Ok(ExperimentFolder::create(&root, self.adjustments().applied(plan)?)?)
    }

    /// What the command line says of the plan.
    fn adjustments(&self) -> Adjustments {
        Adjustments {
            target: self.target.clone(),
            reference: self.reference.clone(),
            instrumented: self.instrumented.clone(),
            seeds: self.seeds.clone(),
            limit: self.limit,
            solver_budget: self.solver_budget,
            repeats: self.repeats,
            seed: self.seed,
        }
    }

    fn request(&self) -> RunRequest {
        let engine = match self.engine {
            Engine::Local => job::Engine::Local { jobs: self.jobs },
            Engine::Slurm => job::Engine::Slurm { options: self.slurm.options(), wait: self.slurm.wait },
        };
        RunRequest { engine, profiles: self.profiles.clone(), json: self.json, quiet: self.quiet }
    }
}

/// Runs the experiment; the first table goes to `output`.
pub(super) fn run(args: &RunArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    job::run(&args.request(), &args.folder()?, interrupt, output)
}
