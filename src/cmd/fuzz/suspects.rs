//! What a run does with the scripts on which a solver may be wrong: a hunt of its own, within a twentieth of its time.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::bench::verifiers;
use super::campaign::{load_theories, recorded};
use crate::cmd::hunt::{Keeping, Store};
use crate::cmd::place::remove_folder;
use crate::exit::NotWritten;
use crate::hunt::choices::Minimise;
use crate::hunt::outcome::Outcome;
use crate::hunt::source::Themselves;
use crate::hunt::{Plan, hunt};
use crate::operator::storm::Bounds;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::record::format::SuspectRow;
use crate::record::{names, read_suspects, suspect_path};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, find};

/// The part of a run's core time that its hunt may take.
const SHARE: f64 = 0.05;
/// And so much at least, so that a short run's first suspects are judged too.
const LEAST: Duration = Duration::from_mins(1);

/// Judges the suspects of the run in `root`, which took so many core seconds, the strongest suspicions first. `None` if there
/// are none. What an earlier hunt found is replaced only by a hunt that was not interrupted.
///
/// # Errors
/// When a solver is missing, or results cannot be written; those of the run itself are safe already.
pub(super) fn judge_suspects(
    root: &Path,
    core_seconds: f64,
    (jobs, profiles): (NonZeroUsize, Option<&Path>),
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Outcome>> {
    let (config, _) = recorded(root)?;
    load_theories(&config)?;
    let resolved = config.resolved.as_ref().context("the configuration does not say what the solvers accept")?;
    let suspects = suspects(root, resolved.target_dialect)?;
    if suspects.is_empty() {
        return Ok(None);
    }
    let provers = provers(&config.target, &config.reference, profiles)?;
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build().context("cannot start threads")?;
    let budget = Duration::from_secs_f64(SHARE * core_seconds).max(LEAST);
    let plan = Plan { instances: u64::MAX, budget: Some(budget), until: None, limit: config.limit, pool: &pool };
    let (home, new) = (root.join(names::HUNT), root.join(format!("{}.new", names::HUNT)));
    remove_folder(&new)?;
    let keeping = Keeping {
        out: new.clone(),
        limit: config.limit,
        minimise: Minimise::Reduction,
        bounds: Bounds::default(),
        seed: config.seed,
    };
    let mut store = Store::create(keeping, &provers, interrupt)?;
    let source = Themselves::new(&suspects);
    let hunted = hunt::<anyhow::Error>(
        &source,
        &provers,
        &plan,
        &mut |found, left| store.keep(&found, left),
        &|_| {},
        interrupt,
    );
    let complete = hunted.is_ok() && !interrupt.is_set();
    let outcome = store.finish(hunted.as_ref().cloned().unwrap_or_default(), complete)?;
    if home.exists() && !complete {
        remove_folder(&new)?;
    } else {
        remove_folder(&home)?;
        std::fs::rename(&new, &home).map_err(|source| NotWritten { path: home, source })?;
    }
    hunted?;
    eprintln!(
        "suspects: {} of {} judged, {} wrong answers, wrong models or crashes: {}",
        outcome.tally.instances,
        suspects.len(),
        outcome.defects.len(),
        root.join(names::HUNT).display()
    );
    Ok(Some(outcome))
}

/// The scripts, the strongest suspicions first, by their paths in the run directory.
fn suspects(root: &Path, dialect: Dialect) -> anyhow::Result<Vec<(String, Script)>> {
    let mut rows = read_suspects(root)?;
    rows.sort_by_key(|row| (row.suspicion, row.id));
    let read = |row: &SuspectRow| {
        let path = suspect_path(root, row.id);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let script = parse(&text, &name, &ParseOptions { dialect: Some(dialect) })?;
        anyhow::Ok((name, script))
    };
    rows.iter().map(read).collect()
}

/// Target and reference, and whoever is installed to verify what they say.
fn provers(target: &str, reference: &str, profiles: Option<&Path>) -> anyhow::Result<Vec<InstalledProver>> {
    let (known, cache) = (Profiles::with_file(profiles)?, Cache::locate()?);
    let get = |name: &str| anyhow::Ok(find(&SolverSpec::parse(name)?, &known, &cache)?);
    let (target, reference) = (get(target)?, get(reference)?);
    let others = verifiers(&known, &cache, [&target, &reference]);
    Ok([target, reference].into_iter().chain(others).map(InstalledProver::new).collect())
}
