//! A hunt, from what is asked for to what was found: campaigns against wrong answers, models that do not hold, and crashes.

mod defects;
mod display;
mod lists;
mod models;
mod record;
mod request;
mod seeds;
mod small;
mod solvers;
mod store;
mod strategy;
mod watch;
mod written;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::place::remove_folder;
use super::solvers::provided;
use crate::console::Console;
use crate::hunt::choices::StrategyName;
use crate::hunt::lists::Lists;
use crate::hunt::outcome::Outcome;
use crate::hunt::seeds::Seeds;
use crate::hunt::source::Source;
use crate::hunt::{Ended, Plan, State, Tally, hunt};
use crate::oracle::prover::{InstalledProver, Prover};
use crate::solver::process::{Interrupt, Scratch};
use crate::solver::profile::Profiles;
use crate::solver::provision::{Cache, known_profiles};
use display::Display;
pub use lists::lists_in_force;
use models::Models;
use record::{Asked, Begun};
pub use request::HuntRequest;
pub(in crate::job) use seeds::{SeedFiles, half_of};
use solvers::Solvers;
pub(in crate::job) use store::Keeping;
use store::Store;
use strategy::source;
pub(in crate::job) use watch::{Unwatched, Watch};

/// What a hunt came to.
#[derive(Debug)]
pub struct Hunted {
    /// What was found.
    pub outcome: Outcome,
    /// The folder that has it.
    pub out: PathBuf,
}

impl Hunted {
    /// Whether the user interrupted it.
    pub fn is_interrupted(&self) -> bool {
        self.outcome.ended == Some(Ended::Interrupted)
    }
}

/// Hunts; what is found is in the hunt's folder.
///
/// # Errors
/// No seeds, a solver that cannot be got, or a result that cannot be written. An interrupt is none: what was found stands.
pub fn run(request: &HuntRequest, interrupt: &Interrupt) -> anyhow::Result<Hunted> {
    let asked = Asked::of(request)?;
    let profiles = known_profiles(asked.args.profiles.as_deref(), &Cache::locate()?)?;
    let lists = lists::read(asked.args.lists.as_deref())?;
    let solvers = Solvers::of(&asked.args, &profiles, &lists, interrupt)?;
    let begun = asked.begin(&solvers.provers)?;
    let (outcome, result) = begun.hunt(&solvers, &profiles, &lists, interrupt)?;
    result?;
    begun.check_that_seeds_were_read(&outcome)?;
    Ok(Hunted { outcome, out: begun.out })
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
pub(in crate::job) fn hunted(
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
