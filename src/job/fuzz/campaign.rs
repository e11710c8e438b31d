//! One campaign on this machine's solvers: begun, resumed, or replayed.

use std::path::Path;

use anyhow::Context;

use super::bench::{Bench, Roles};
use super::seeds;
use crate::campaign::{Campaign, CampaignError, Report, Reserve, Setup, Source};
use crate::config::{Config, Resolved, Settings};
use crate::console::Console;
use crate::generator::stringfuzz::Stringbreak;
use crate::generator::{Generator, Grammar, Swarm, grammar, is_about_strings};
use crate::job::recorded::{load_theories, recorded};
use crate::record::format::{Aftermath, LineTable};
use crate::record::{
    Journal, OBSERVATION_LOG, ObservationLog, Recorder, RunDirectory, TOLD, names, read_lines, read_seeds, read_summary,
};
use crate::search::Strategy;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::solver::process::{Interrupt, Limits, inherited_limits_below};
use crate::trace;

/// What a campaign is to be, before solvers are asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    /// What was said of it; defaults fill the rest.
    pub(crate) settings: Settings,
    /// A file of further solver profiles.
    pub(crate) profiles: Option<&'a Path>,
    /// Evaluations in flight.
    pub(crate) jobs: usize,
    /// The part of a budget of wall time that is kept for what comes after the search.
    pub(crate) reserve: Reserve,
}

/// The campaign's report; an error as the cause that it is, which the exit code depends on.
fn finished(result: Result<Report, CampaignError>) -> anyhow::Result<Report> {
    result.map_err(|error| match error {
        CampaignError::Record(error) => error.into(),
        CampaignError::Evaluate(error) => error.into(),
        CampaignError::Oracle(error) => error.into(),
        error @ CampaignError::Checkpoint(_) => error.into(),
    })
}

/// What a campaign of either kind works with.
struct Ground<'a> {
    config: &'a Config,
    lines: &'a LineTable,
    seeds: &'a [(String, Script)],
    jobs: usize,
    reserve: Reserve,
    interrupt: &'a Interrupt,
    console: &'a Console,
}

impl Ground<'_> {
    fn setup<T>(&self, source: Source<'_>, work: impl FnOnce(Setup<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let resolved =
            self.config.resolved.as_ref().context("the configuration does not say what the solvers accept")?;
        let fragment = fragment(resolved)?;
        let is_stringbreak = self.config.variant.strategy() == Strategy::SingleObjective && is_about_strings(&fragment);
        let grammar: Box<dyn Grammar> =
            if is_stringbreak { Box::new(Stringbreak::new(&fragment)) } else { grammar(&fragment) };
        let swarm = self.config.variant.uses_swarm().then(|| Swarm::new(&fragment, self.config.seed));
        let fresh: &dyn Generator = swarm.as_ref().map_or(grammar.as_ref(), |swarm| swarm);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build().context("cannot start threads")?;
        work(Setup {
            config: self.config,
            fragment: &fragment,
            fresh,
            grammar: grammar.as_ref(),
            dialect: resolved.target_dialect,
            seeds: self.seeds,
            lines: self.lines,
            source,
            reserve: self.reserve,
            similarity: &trace::similarity,
            pool: &pool,
            interrupt: self.interrupt,
            monitor: self.console,
        })
    }
}

fn fragment(resolved: &Resolved) -> anyhow::Result<Fragment> {
    let rejected = resolved.rejected.iter().map(String::as_str);
    Ok(Fragment::for_pair(rejected, &[resolved.target_dialect, resolved.reference_dialect], &resolved.logic)?)
}

/// Begins a campaign, recorded in `out`.
pub(crate) fn begin(asked: Asked<'_>, out: &Path, interrupt: &Interrupt, console: &Console) -> anyhow::Result<Report> {
    let Asked { settings, profiles, jobs, reserve } = asked;
    let mut config = Config::resolve(settings)?;
    load_theories(&config)?;
    // Whatever the user got wrong must not leave a folder in the way of the next try, so that it is made last.
    RunDirectory::check_free(out)?;
    let roles = Roles::find(&config, profiles, interrupt)?;
    warn_of_inherited_limits(&config, console);
    roles.pin(&mut config);
    config.instrumented = Some(roles.instrumented_name());
    config.observe_soft_limit = Some(roles.soft_limit(&config)?);
    let resolved = roles.resolved(&config);
    let accepted = fragment(&resolved)?;
    config.resolved = Some(resolved);
    if config.crowding() != config.variant.crowding() {
        let solver = roles.traced(config.observe_runs).label();
        console.say(&format!("{solver} writes no trace: crowding is by distance between objectives"));
    }
    let seeds = match &config.seeds {
        Some(folder) => seeds::read(folder, &accepted, console)?,
        None => Vec::new(),
    };
    let directory = RunDirectory::create(out)?;
    roles.notes().iter().for_each(|note| console.say(note));
    let lines = roles.lines();
    let environment = roles.environment(jobs);
    Journal::open(&directory)?;
    let bench = Bench::new(roles, &config, jobs)?;
    let ground = Ground { config: &config, lines: &lines, seeds: &seeds, jobs, reserve, interrupt, console };
    ground.setup(bench.source(&config), |setup| {
        let texts = seeds::texts(&seeds);
        let recorder = Recorder::create(directory, &config, &environment, &lines, &texts)?;
        finished(Campaign::new(setup, recorder).run())
    })
}

/// Says so if the session's own limits would end solver runs before ours do.
fn warn_of_inherited_limits(config: &Config, console: &Console) {
    let longest = config.limit.max(config.confirm.limit);
    if let Some(warning) = inherited_limits_below(&Limits::cpu(longest.as_secs_f64())) {
        console.say(&format!("warning: {warning}"));
    }
}

/// Goes on with the campaign that is recorded in `root`.
pub(crate) fn resume(
    asked: Asked<'_>,
    root: &Path,
    interrupt: &Interrupt,
    console: &Console,
) -> anyhow::Result<Report> {
    let Asked { settings, profiles, jobs, reserve } = asked;
    let (before, environment) = recorded(root)?;
    let config = settings.resuming(&before)?;
    load_theories(&config)?;
    let directory = RunDirectory::open(root)?;
    let roles = Roles::find(&config, profiles, interrupt)?;
    warn_of_inherited_limits(&config, console);
    roles.check_same_as(&environment)?;
    let (lines, seeds) = (read_lines(root)?, seeds::parse_recorded(&read_seeds(root)?)?);
    anyhow::ensure!(
        roles.lines().fingerprint == lines.fingerprint,
        "the instrumented solver is another build than the one that the run began with"
    );
    Journal::open(&directory)?;
    let bench = Bench::new(roles, &config, jobs)?;
    let ground = Ground { config: &config, lines: &lines, seeds: &seeds, jobs, reserve, interrupt, console };
    ground.setup(bench.source(&config), |setup| {
        let (recorder, checkpoint) = Recorder::resume(directory, &config)?;
        recorder.notes().iter().for_each(|note| console.warn(note));
        let checkpoint = checkpoint.unwrap_or_else(|error| {
            console.warn(&format!("{error}; going through the recorded evaluations instead"));
            tracing::info!(target: TOLD, %error, "the checkpoint is of no use");
            None
        });
        finished(Campaign::resumed(setup, recorder, checkpoint.as_ref()).and_then(Campaign::run))
    })
}

/// Runs the campaign that is recorded in `root` again on its recorded evaluations; the new record goes to `out`.
pub(crate) fn replay(
    jobs: usize,
    root: &Path,
    out: &Path,
    interrupt: &Interrupt,
    console: &Console,
) -> anyhow::Result<Report> {
    let (config, mut environment) = recorded(root)?;
    load_theories(&config)?;
    let (lines, texts) = (read_lines(root)?, read_seeds(root)?);
    let seeds = seeds::parse_recorded(&texts)?;
    let log = ObservationLog::read(&root.join(names::OBSERVATIONS).join(OBSERVATION_LOG))?;
    let directory = RunDirectory::create(out)?;
    Journal::open(&directory)?;
    let Aftermath { triage, hunt, .. } = read_summary(root)?.map(|summary| summary.aftermath).unwrap_or_default();
    for found in [("triage", triage), ("hunt", hunt)] {
        if let (what, Some(place)) = found {
            let place = root.join(place);
            console.warn(&format!(
                "a replay repeats the search alone: what the run's {what} found is in {}",
                place.display()
            ));
        }
    }
    environment.command = std::env::args().collect();
    environment.jobs = jobs;
    let ground =
        Ground { config: &config, lines: &lines, seeds: &seeds, jobs, reserve: Reserve::default(), interrupt, console };
    ground.setup(Source::Replay(&log), |setup| {
        let recorder = Recorder::create(directory, &config, &environment, &lines, &texts)?;
        finished(Campaign::new(setup, recorder).run())
    })
}
