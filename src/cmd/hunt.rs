//! `hunt`: campaigns against wrong answers, models that do not hold, and crashes.

mod defects;
mod display;
mod formulas;
mod lists;
mod models;
mod mutants;
mod record;
mod seeds;
mod small;
mod solvers;
mod store;
mod strategy;
mod watch;
mod written;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::place::remove_folder;
use super::setup::provided;
use crate::config::{duration, parse_duration};
use crate::console::{Console, say};
use crate::exit::{SolverUnusable, Status};
use crate::hunt::choices::{INCREMENTAL, INSTANCES, Minimise, StrategyName};
use crate::hunt::lists::Lists;
use crate::hunt::outcome::Outcome;
use crate::hunt::seeds::Seeds;
use crate::hunt::source::Source;
use crate::hunt::{Ended, Plan, State, Tally, hunt};
use crate::number::positive;
use crate::operator::storm::Bounds;
use crate::oracle::correctness::Kind;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::solver::process::{Interrupt, Scratch};
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, known_profiles};
use display::Display;
pub(super) use formulas::FormulaArgs;
use models::Models;
pub(super) use mutants::MutantArgs;
use record::{Asked, Begun};
pub(super) use seeds::{SeedFiles, half_of};
use solvers::Solvers;
pub(super) use store::Keeping;
use store::Store;
use strategy::source;
pub(super) use watch::{Unwatched, Watch};

/// Make instances of seeds, ask solvers about them, and report who is wrong: DIR/findings/NNN has each defect with its
/// smallest instance, the evidence and the commands.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct HuntArgs {
    /// Scripts and folders of scripts, searched through; each is read when its turn comes
    #[arg(long, short = 'i', value_name = "PATH", num_args = 1..)]
    pub seeds: Vec<PathBuf>,
    /// What is made of them
    #[arg(long, value_enum, default_value_t = StrategyName::Storm)]
    pub strategy: StrategyName,
    /// A solver, as "NAME OPTION…" or "NAME@VERSION OPTION…"; may be repeated
    #[arg(long = "solver", value_name = "SOLVER", required_unless_present_any = ["resume", "print_lists"])]
    pub solvers: Vec<SolverSpec>,
    /// A file of sets of options by the names of solvers; for each instance, one of a solver's sets is drawn
    #[arg(long, value_name = "FILE")]
    pub options: Option<PathBuf>,
    /// The part of the instances that solvers with tactics in their profiles (Z3) are asked about by one of these,
    /// (check-sat-using TACTIC); half of them in STORM's published tool
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = crate::generator::parameters::probability)]
    #[serde(default)]
    pub check_sat_using: f64,
    /// A folder for the findings, which must not exist
    #[arg(long, short, value_name = "DIR", required_unless_present_any = ["resume", "print_lists"])]
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Continue the hunt in DIR; only when to stop may change
    #[arg(long, value_name = "DIR", conflicts_with_all = FIXED_ON_RESUME)]
    #[serde(skip)]
    pub resume: Option<PathBuf>,
    /// How many instances at most, of a resumed hunt all together [default: 1000]
    #[arg(short = 'n', long, value_name = "N")]
    pub instances: Option<u64>,
    /// CPU time of solvers, minimising included, after which no further instance is made; of a resumed hunt all together
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[serde(with = "duration::optional", default)]
    pub budget: Option<Duration>,
    /// End after this wall time, 10m or 24h, whatever is being done then; of a resumed hunt all together
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[serde(with = "duration::optional", default)]
    pub time: Option<Duration>,
    /// End with the first defect of this kind
    #[arg(long, value_name = "KIND", value_enum)]
    pub until: Option<Kind>,
    /// CPU time of each run [default: 8s where seeds are mutated, else 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[serde(with = "duration::optional", default)]
    pub limit: Option<Duration>,
    /// Let the seeds have their turns in a random order, which --seed decides, instead of that of their names
    #[arg(long)]
    pub shuffle: bool,
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
    /// How fresh formulas are made.
    #[command(flatten)]
    #[serde(default)]
    pub fuzzsmt: FormulaArgs,
    /// How the instances of the findings are made small
    #[arg(long, value_enum, default_value_t = Minimise::Both)]
    pub minimise: Minimise,
    /// Decides all that is random: equal seeds give equal instances, whatever --jobs is
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Instances to ask about at once
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// A file of texts: of crashes, of outputs to ignore, of findings that are known; see --print-lists
    #[arg(long, value_name = "FILE")]
    pub lists: Option<PathBuf>,
    /// Print what is a crash by its message: of all solvers and of single ones, as a file for --lists
    #[arg(long)]
    #[serde(skip)]
    pub print_lists: bool,
    /// Exit with code 1 if a defect is found
    #[arg(long)]
    #[serde(skip)]
    pub fail_on_defect: bool,
    /// Print the result as JSON
    #[arg(long)]
    #[serde(skip)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    #[serde(skip)]
    pub quiet: bool,
}

/// What decides the course of a hunt, and cannot change when it goes on.
const FIXED_ON_RESUME: [&str; 52] = [
    "seeds",
    "strategy",
    "solvers",
    "options",
    "check_sat_using",
    "out",
    "until",
    "limit",
    "shuffle",
    "models_from",
    "depth",
    "assertions",
    "incremental",
    "chain",
    "exhaustive",
    "operators",
    "more_arguments",
    "neighbours",
    "new_assertions",
    "exchange",
    "generator",
    "together",
    "min_variables",
    "max_variables",
    "min_constants",
    "max_constants",
    "min_width",
    "max_width",
    "references",
    "min_arrays",
    "max_arrays",
    "min_reads",
    "max_reads",
    "min_writes",
    "max_writes",
    "min_array_equalities",
    "max_array_equalities",
    "min_functions",
    "max_functions",
    "min_predicates",
    "max_predicates",
    "min_arguments",
    "max_arguments",
    "division",
    "overflows",
    "compact",
    "structure",
    "clauses",
    "max_assertions",
    "written_out",
    "minimise",
    "seed",
];

impl HuntArgs {
    /// CPU time of each run.
    fn limit(&self) -> Duration {
        self.limit.unwrap_or_else(|| self.strategy.limit())
    }

    /// How many instances at most.
    fn instances(&self) -> u64 {
        self.instances.unwrap_or(INSTANCES)
    }
}

/// STORM's parameters.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, clap::Args)]
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
    if args.print_lists {
        return lists::print(args, output);
    }
    let asked = Asked::of(args)?;
    let profiles = known_profiles(asked.args.profiles.as_deref(), &Cache::locate()?)?;
    let lists = lists::read(asked.args.lists.as_deref())?;
    let solvers = Solvers::of(&asked.args, &profiles, &lists, interrupt)?;
    let begun = asked.begin(&solvers.provers)?;
    let (outcome, result) = begun.hunt(&solvers, &profiles, &lists, interrupt)?;
    result?;
    begun.check_that_seeds_were_read(&outcome)?;
    let text = if args.json { serde_json::to_string_pretty(&outcome)? + "\n" } else { outcome.text() };
    output.write_all(text.as_bytes()).context("cannot write the result")?;
    let is_interrupted = outcome.ended == Some(Ended::Interrupted);
    if is_interrupted {
        say!("interrupted; go on: mulstringfuzz hunt --resume {}", begun.out.display());
    }
    if let Some(why) = outcome.tally.nothing_compared().filter(|_| !is_interrupted) {
        return Err(SolverUnusable(why).into());
    }
    Ok(match outcome.defects.is_empty() {
        _ if is_interrupted => Status::Interrupted,
        false if args.fail_on_defect => Status::DefectsFound,
        _ => Status::Done,
    })
}

impl Begun {
    /// Hunts, as [`hunted`] does.
    fn hunt(
        &self,
        Solvers { provers, configurations }: &Solvers,
        profiles: &Profiles,
        lists: &Lists,
        interrupt: &Interrupt,
    ) -> anyhow::Result<(Outcome, anyhow::Result<()>)> {
        let Begun { args, seeds, before, out, .. } = self;
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build().context("cannot start threads")?;
        let order = args.shuffle.then(|| seeds.shuffled(args.seed));
        let plan = Plan {
            instances: args.instances(),
            budget: args.budget,
            until: args.until,
            order: order.as_deref(),
            configurations: configurations.as_ref(),
            lists,
            ..Plan::new(args.limit(), &pool)
        };
        let spent = Duration::try_from_secs_f64(before.wall_seconds).unwrap_or(Duration::MAX);
        let left = args.time.map(|time| time.saturating_sub(spent));
        let keeping = Keeping {
            out: out.clone(),
            limit: args.limit(),
            minimise: args.minimise,
            bounds: args.storm.bounds(),
            seed: args.seed,
            before: before.clone(),
            deadline: left.and_then(|left| Instant::now().checked_add(left)),
        };
        let model_prover = args.models_from.as_ref().filter(|_| args.strategy == StrategyName::Storm);
        let models = model_prover
            .map(|spec| {
                let prover = InstalledProver::new(provided(spec, profiles, interrupt)?);
                anyhow::Ok(Models { prover, limit: args.limit(), interrupt })
            })
            .transpose()?;
        let source = source(args, seeds, provers, models.as_ref())?;
        let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
        let console = Console::new(args.jobs.get(), args.quiet);
        let watch = Display::new(&console, seeds, args, before);
        let hunted = hunted(source.as_ref(), &provers, &plan, keeping, &watch, interrupt);
        seeds.last_note().iter().for_each(|note| watch.warn(note));
        console.close();
        hunted
    }

    /// Checks that a hunt that had no more seeds had any.
    ///
    /// # Errors
    /// No script at all: then what is wrong with the first files.
    fn check_that_seeds_were_read(&self, outcome: &Outcome) -> anyhow::Result<()> {
        let Tally { unreadable_seeds, .. } = outcome.tally;
        if outcome.ended != Some(Ended::Seeds) || unreadable_seeds < self.seeds.count() as u64 {
            return Ok(());
        }
        if !self.is_resumed {
            // It must not be in the way of the next try.
            remove_folder(&self.out)?;
        }
        let reasons = outcome.tally.reasons();
        anyhow::bail!("there are no scripts among the seeds that can be read:\n{}", reasons.trim_end())
    }
}

/// Hunts, and keeps what is found as it comes, until the deadline at the latest; `Err` inside is what ended the hunt before its
/// time, and what was found before stands.
///
/// # Errors
/// A result that cannot be written.
pub(super) fn hunted(
    source: &dyn Source,
    provers: &[&dyn Prover],
    plan: &Plan<'_>,
    keeping: Keeping,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> anyhow::Result<(Outcome, anyhow::Result<()>)> {
    // Holds the root of all scratch folders, which would otherwise be made and removed for each run.
    let _scratch = Scratch::new()?;
    let mut state = State { tally: keeping.before.tally.clone(), position: keeping.before.position };
    let deadline = keeping.deadline;
    interrupt.until(deadline, |halt| {
        let mut store = Store::create(keeping, provers, watch, halt)?;
        let plan = Plan { heard: &|testimonies| watch.heard(testimonies), ..*plan };
        let result = hunt::<anyhow::Error>(source, provers, &plan, &mut store, &mut state, halt);
        // Where nothing was compared, that is said, with the same words.
        if state.tally.nothing_compared().is_none() {
            state.tally.warnings().iter().for_each(|warning| watch.warn(&format!("warning: {warning}")));
        }
        let (ended, result) = match result {
            Ok(Ended::Interrupted) if !interrupt.is_set() => (Some(Ended::Time), Ok(())),
            Ok(ended) => (Some(ended), Ok(())),
            Err(error) => (None, Err(error)),
        };
        Ok((store.finish(ended)?, result))
    })
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::*;

    #[test]
    fn a_resumed_hunt_takes_only_what_may_change() {
        let changeable = ["resume", "instances", "budget", "time", "jobs", "profiles", "lists", "print_lists"];
        let printing = ["fail_on_defect", "json", "quiet"];
        let command = HuntArgs::augment_args(Command::new("hunt"));
        let all = command.get_arguments().map(|argument| argument.get_id().as_str());
        let fixed: Vec<&str> = all.filter(|name| !changeable.contains(name) && !printing.contains(name)).collect();
        assert_eq!(fixed, FIXED_ON_RESUME);
    }
}
