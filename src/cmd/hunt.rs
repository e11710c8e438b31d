//! `hunt`: campaigns against wrong answers, models that do not hold, and crashes.

mod models;
mod mutants;
mod seeds;
mod small;
mod store;

use std::cell::RefCell;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::fuzz::readable_fragment;
use super::setup::{provers, provided};
use crate::config::parse_duration;
use crate::console::say;
use crate::exit::{SolverUnusable, Status};
use crate::hunt::chains::Chains;
use crate::hunt::choices::{INCREMENTAL, INSTANCES, Minimise, StrategyName};
use crate::hunt::outcome::Outcome;
use crate::hunt::source::{Source, Storm, StormSettings, Themselves};
use crate::hunt::{Found, Plan, Tally, hunt};
use crate::number::positive;
use crate::operator::storm::Bounds;
use crate::operator::type_aware::Way;
use crate::oracle::correctness::Kind;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::solver::process::{Interrupt, Scratch};
use crate::solver::profile::{Profile, Profiles, SolverSpec};
pub(super) use mutants::MutantArgs;
pub(super) use seeds::Seeds;
pub(super) use store::Keeping;
use store::Store;

/// Make instances of seeds, ask solvers about them, and report who is wrong: DIR/findings/NNN has each defect with its
/// smallest instance, the evidence and the commands.
#[derive(Clone, Debug, clap::Args)]
pub struct HuntArgs {
    /// Scripts and folders of scripts, searched through
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pub seeds: Vec<PathBuf>,
    /// What is made of them
    #[arg(long, value_enum, default_value_t = StrategyName::Storm)]
    pub strategy: StrategyName,
    /// A solver, as "NAME OPTION…" or "NAME@VERSION OPTION…"; may be repeated
    #[arg(long = "solver", value_name = "SOLVER", required = true)]
    pub solvers: Vec<SolverSpec>,
    /// A folder for the findings, which must not exist
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How many instances at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = INSTANCES)]
    pub instances: u64,
    /// CPU time of solvers, minimising included, after which no further instance is made
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub budget: Option<Duration>,
    /// End with the first defect of this kind
    #[arg(long, value_name = "KIND", value_enum)]
    pub until: Option<Kind>,
    /// CPU time of each run [default: 8s where seeds are mutated, else 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub limit: Option<Duration>,
    /// Take this solver's model of each seed, or of its negation, as the first assignment (STORM); the truth is computed
    /// all the same
    #[arg(long, value_name = "SOLVER")]
    pub models_from: Option<SolverSpec>,
    /// STORM's parameters.
    #[command(flatten)]
    pub storm: StormArgs,
    /// How seeds are mutated.
    #[command(flatten)]
    pub mutants: MutantArgs,
    /// How the instances of the findings are made small
    #[arg(long, value_enum, default_value_t = Minimise::Both)]
    pub minimise: Minimise,
    /// Decides all that is random: equal seeds give equal instances, whatever --jobs is
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Instances to ask about at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Exit with code 1 if a defect is found
    #[arg(long)]
    pub fail_on_defect: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl HuntArgs {
    /// CPU time of each run.
    fn limit(&self) -> Duration {
        self.limit.unwrap_or_else(|| self.strategy.limit())
    }

    fn keeping(&self) -> Keeping {
        Keeping {
            out: self.out.clone(),
            limit: self.limit(),
            minimise: self.minimise,
            bounds: self.storm.bounds(),
            seed: self.seed,
            before: Outcome::default(),
        }
    }
}

/// STORM's parameters.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "STORM")]
pub struct StormArgs {
    /// The deepest nesting of connectives in an assertion
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth)]
    pub depth: u32,
    /// The most assertions of an instance
    #[arg(long, value_name = "N", default_value_t = Bounds::default().assertions, value_parser = clap::value_parser!(u32).range(1..))]
    pub assertions: u32,
    /// The part of the instances that ask several times, among push and pop
    #[arg(long, value_name = "SHARE", default_value_t = INCREMENTAL, value_parser = crate::generator::parameters::probability)]
    pub incremental: f64,
}

impl StormArgs {
    /// The bounds.
    pub fn bounds(&self) -> Bounds {
        Bounds { depth: self.depth, assertions: self.assertions }
    }
}

/// Hunts, and prints what was found.
///
/// # Errors
/// No seeds, a solver that cannot be got, solvers that refuse all scripts, or a result that cannot be written. An interrupt is none: what was found stands.
pub fn run(args: &HuntArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    ensure!(!args.out.exists(), "{} exists already: name a folder that does not", args.out.display());
    let seeds = Seeds::read(&args.seeds)?;
    seeds.tell();
    let profiles = Profiles::with_file(args.profiles.as_deref())?;
    let installed = distinct(provers(&args.solvers, &profiles, interrupt)?);
    let provers: Vec<&dyn Prover> = installed.iter().map(|prover| prover as &dyn Prover).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build().context("cannot start threads")?;
    let plan =
        Plan { instances: args.instances, budget: args.budget, until: args.until, limit: args.limit(), pool: &pool };
    let source = source(args, &seeds, &installed, &profiles, interrupt)?;
    let (outcome, result) = hunted(source.as_ref(), &provers, &plan, args.keeping(), interrupt)?;
    result?;
    let text = if args.json { serde_json::to_string_pretty(&outcome)? + "\n" } else { outcome.text() };
    output.write_all(text.as_bytes()).context("cannot write the result")?;
    if let Some(why) = outcome.tally.nothing_compared().filter(|_| !interrupt.is_set()) {
        return Err(SolverUnusable(why).into());
    }
    Ok(match outcome.defects.is_empty() {
        _ if interrupt.is_set() => Status::Interrupted,
        false if args.fail_on_defect => Status::DefectsFound,
        _ => Status::Done,
    })
}

/// The solvers without those that are another one under a second name: a program that agrees with itself says nothing.
fn distinct(provers: Vec<InstalledProver>) -> Vec<InstalledProver> {
    let mut kept: Vec<InstalledProver> = Vec::new();
    for prover in provers {
        match kept.iter().find(|other| other.solver().is_same_as(prover.solver())) {
            Some(other) => say!(
                "warning: {} is the same program with the same options as {}: it is asked once, as {}",
                prover.name(),
                other.name(),
                other.name()
            ),
            None => kept.push(prover),
        }
    }
    kept
}

/// Hunts, and keeps what is found as it comes; `Err` inside is what ended the hunt before its time, and what was found
/// before stands.
///
/// # Errors
/// A result that cannot be written.
pub(super) fn hunted(
    source: &dyn Source,
    provers: &[&dyn Prover],
    plan: &Plan<'_>,
    keeping: Keeping,
    interrupt: &Interrupt,
) -> anyhow::Result<(Outcome, anyhow::Result<()>)> {
    // Holds the root of all scratch folders, which would otherwise be made and removed for each run.
    let _scratch = Scratch::new()?;
    let mut tally = keeping.before.tally.clone();
    let store = RefCell::new(Store::create(keeping, provers, interrupt)?);
    let on_round = |tally: &Tally| {
        tracing::info!(instances = tally.instances, seconds = tally.solver_seconds, findings = ?tally.findings, "asked");
        // One that is killed leaves what it came to; what cannot be written now shows at the end, too.
        if let Err(error) = store.borrow().summarise(tally, false) {
            tracing::warn!(error = format!("{error:#}"), "the hunt so far could not be summarised");
        }
    };
    let mut on_found = |found: Found, left: Option<Duration>| store.borrow_mut().keep(&found, left);
    let result = hunt::<anyhow::Error>(source, provers, plan, &mut on_found, &on_round, &mut tally, interrupt);
    // Where nothing was compared, that is said, with the same words.
    if tally.nothing_compared().is_none() {
        for warning in tally.warnings() {
            say!("warning: {warning}");
        }
    }
    let complete = result.is_ok() && !interrupt.is_set();
    Ok((store.into_inner().finish(tally, complete)?, result))
}

fn source(
    args: &HuntArgs,
    seeds: &Seeds,
    provers: &[InstalledProver],
    profiles: &Profiles,
    interrupt: &Interrupt,
) -> anyhow::Result<Box<dyn Source>> {
    Ok(match args.strategy {
        StrategyName::None => Box::new(Themselves::new(&seeds.scripts)),
        StrategyName::Storm => {
            let settings = StormSettings {
                bounds: args.storm.bounds(),
                incremental: args.storm.incremental,
                instances: None,
                seed: args.seed,
            };
            let (mut storm, unusable) = Storm::new(&seeds.scripts, settings);
            for name in unusable {
                tracing::warn!(
                    seed = name,
                    "left out: its lets share too much to be written out, or its names mean several things"
                );
            }
            if let Some(spec) = &args.models_from {
                let prover = InstalledProver::new(provided(spec, profiles, interrupt)?);
                models::take(&mut storm, &prover, args.limit(), interrupt)?;
            }
            Box::new(storm)
        }
        StrategyName::Typefuzz | StrategyName::Opfuzz | StrategyName::Fuzzchick | StrategyName::Mixed => {
            let way = args.strategy.way().unwrap_or(Way::Mixed);
            let solvers: Vec<&Profile> = provers.iter().map(|prover| &prover.solver().profile).collect();
            let fragment = readable_fragment(&solvers)?;
            let (chains, unusable) = Chains::new(&seeds.scripts, &fragment, args.mutants.settings(way, args.seed)?);
            for (seed, reason) in unusable {
                tracing::warn!(seed, reason, "left out");
            }
            Box::new(chains)
        }
    })
}
