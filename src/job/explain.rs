//! An explanation: why one script is slow for the target, in a solver developer's terms.

mod premise;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::input::read_script;
use crate::coverage::FunctionTable;
use crate::evaluate::{Fusion, Instrumented, Observe};
use crate::exit::NotWritten;
use crate::explain::{Explanation, Growth, Scaling, WhereTime, hot};
use crate::oracle::prover::InstalledProver;
use crate::report;
use crate::smtlib::script::Script;
use crate::solver::installed::Solver;
use crate::solver::process::Interrupt;
use crate::solver::profile::{ProfileError, Profiles, SolverSpec};
use crate::solver::provision::{Cache, ProvisionError, find, find_working, known_profiles};

/// What an explanation is asked for.
#[derive(Clone, Debug)]
pub struct ExplainRequest {
    /// The script that is slow for the target.
    pub file: PathBuf,
    /// The solver that is slow, as "NAME OPTION…" or "NAME@VERSION OPTION…".
    pub target: SolverSpec,
    /// The solver that is fast.
    pub reference: SolverSpec,
    /// A script much like FILE that is fast for the target: counts are compared with its; default: counts alone.
    pub against: Option<PathBuf>,
    /// The instrumented build of the target; default: NAME-gcov at the target's version, if it is there.
    pub instrumented: Option<SolverSpec>,
    /// CPU time of each run on FILE and its scaled copies.
    pub limit: Duration,
    /// CPU time of each run that counts lines.
    pub observe_limit: Duration,
    /// The target's own limit of those runs, in its own units (Z3: rlimit), so that counts are the same each time; default:
    /// none, because such a limit may come long before the time goes.
    pub observe_soft_limit: u64,
    /// CPU time of all runs on scaled copies together.
    pub budget: Duration,
    /// Dimensions to measure at once.
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
    /// Write growth.svg and growth.csv in this folder.
    pub out: Option<PathBuf>,
}

/// Explains, and writes what is drawn into the folder that is asked for.
///
/// # Errors
/// When a file is not a sound script or the target does not take it, a solver is missing, a result cannot be written, or the user interrupts.
pub fn run(args: &ExplainRequest, interrupt: &Interrupt) -> anyhow::Result<Explanation> {
    let (script, _) = read_script(&args.file)?;
    let relative = args.against.as_deref().map(read_script).transpose()?.map(|(script, _)| script);
    if let Some(folder) = &args.out {
        // What cannot be written must show now, not after a minute of runs.
        std::fs::create_dir_all(folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
    }
    let cache = Cache::locate()?;
    let profiles = known_profiles(args.profiles.as_deref(), &cache)?;
    let target = find_working(&args.target, &profiles, &cache, interrupt)?;
    let reference = InstalledProver::new(find_working(&args.reference, &profiles, &cache, interrupt)?);
    let prover = InstalledProver::new(target.clone());
    premise::check(args, (&script, relative.as_ref()), (&prover, &reference), interrupt)?;
    let named = args.instrumented.as_ref();
    let observed = Observed { cpu: args.observe_limit, soft: args.observe_soft_limit };
    let mut explainer = Explainer::open(&target, named, observed, &profiles, &cache, interrupt)?;
    explainer.scaled = Limits { each: args.limit, all: args.budget };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build().context("cannot start threads")?;
    let explanation = Explanation {
        where_time_goes: explainer.where_time_goes(&script, relative.as_ref(), interrupt)?,
        growth: explainer.growth(&script, (&prover, &reference), &pool, interrupt)?,
    };
    if let Some(folder) = &args.out {
        report::write_growth(&explanation.growth, folder)?;
    }
    Ok(explanation)
}

/// CPU time of the runs on scaled copies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Of each run.
    pub(super) each: Duration,
    /// Of all together.
    pub(super) all: Duration,
}

/// What ends a run that counts lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observed {
    /// CPU time.
    pub(super) cpu: Duration,
    /// The target's own, repeatable limit, in its own units; 0 for none.
    pub(super) soft: u64,
}

/// The instrumented target with the names of its functions, or why there is none, and what explaining may take.
pub(super) struct Explainer {
    counting: Result<(Observe, FunctionTable), String>,
    /// CPU time of the runs on scaled copies.
    pub(super) scaled: Limits,
}

/// CPU time of the runs on scaled copies where nobody says another.
const SCALED: Limits = Limits { each: Duration::from_secs(5), all: Duration::from_secs(60) };

impl Explainer {
    /// Opens the instrumented build that is `named`, which must be there, or that of the target, if it is there.
    /// `observed` ends the runs that count.
    ///
    /// # Errors
    /// When the build that is named is missing, or one that is there is damaged.
    pub(super) fn open(
        target: &Solver,
        named: Option<&SolverSpec>,
        observed: Observed,
        profiles: &Profiles,
        cache: &Cache,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let counting = match instrumented(target, named, profiles, cache)? {
            Ok(solver) => Ok(counting(solver, observed, cache, interrupt)?),
            Err(reason) => Err(reason),
        };
        Ok(Explainer { counting, scaled: SCALED })
    }

    /// Counts, and ranks what grew against `fast`, a relative that the target answers.
    ///
    /// # Errors
    /// When a run cannot be had, or the user interrupted.
    pub(super) fn where_time_goes(
        &self,
        slow: &Script,
        fast: Option<&Script>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<WhereTime> {
        let (observe, table) = match &self.counting {
            Ok(counting) => (&counting.0, &counting.1),
            Err(reason) => return Ok(WhereTime::NotCounted { reason: reason.clone() }),
        };
        let label = observe.instrumented.as_ref().map(|it| it.solver.label()).unwrap_or_default();
        Ok(match hot(observe, table, slow, fast, interrupt)? {
            Some(hot) => WhereTime::Counted(hot),
            None => WhereTime::NotCounted {
                reason: format!(
                    "{label} left no counts: its dialect cannot spell the script, or it ended before it wrote them."
                ),
            },
        })
    }

    /// Runs scaled copies on target and reference.
    ///
    /// # Errors
    /// When a solver cannot be run, or the user interrupted.
    pub(super) fn growth(
        &self,
        script: &Script,
        (target, reference): (&InstalledProver, &InstalledProver),
        pool: &rayon::ThreadPool,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Growth> {
        let Limits { each: limit, all: budget } = self.scaled;
        Ok(Scaling { target, reference, limit, budget, pool }.measure(script, interrupt)?)
    }
}

/// The instrumented target, or why there is none. One that was asked for must be there.
fn instrumented(
    target: &Solver,
    named: Option<&SolverSpec>,
    profiles: &Profiles,
    cache: &Cache,
) -> anyhow::Result<Result<Solver, String>> {
    if let Some(spec) = named {
        return Ok(Ok(find(spec, profiles, cache)?));
    }
    let twin = target.instrumented_twin();
    Ok(match find(&twin, profiles, cache) {
        Ok(solver) => Ok(solver),
        Err(ProvisionError::NotInstalled { .. }) => Err(format!(
            "No instrumented build of {} is installed, so nothing was counted. `mulstringfuzz setup {twin}` makes one (some \
             minutes, once).",
            target.label()
        )),
        Err(ProvisionError::Profile(ProfileError::UnknownSolver { .. })) => {
            Err(format!("There is no instrumented build of {}, so nothing was counted.", target.label()))
        }
        Err(error) => Err(format!(
            "The instrumented build of {} cannot be used, so nothing was counted ({error}). Name one with `--instrumented`; \
             `gcov-tools/README.md` says how to make one of any solver that GCC 12 compiles.",
            target.label()
        )),
    })
}

/// What counts lines, and the names of the functions that they are in.
fn counting(
    solver: Solver,
    observed: Observed,
    cache: &Cache,
    interrupt: &Interrupt,
) -> anyhow::Result<(Observe, FunctionTable)> {
    let notes = solver.notes().unwrap_or_default();
    let instrumented = Instrumented::open(solver, &cache.folder().join("coverage"), interrupt)?;
    let table = FunctionTable::read(&notes, &instrumented.map).context("cannot read the functions of the target")?;
    let observe = Observe {
        instrumented: Some(instrumented),
        trace: None,
        fusion: Fusion::default(),
        limit: observed.cpu,
        soft_limit: Some(observed.soft).filter(|&limit| limit > 0),
        max_trace_lines: None,
    };
    Ok((observe, table))
}
