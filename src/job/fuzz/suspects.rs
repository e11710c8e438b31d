//! What a run does with the scripts on which a solver may be wrong: a hunt of its own.

use std::path::Path;

use anyhow::Context;

use super::afterwards::Allowance;
use crate::console::say;
use crate::hunt::choices::Minimise;
use crate::hunt::outcome::{Outcome, names as hunt_names};
use crate::hunt::source::Themselves;
use crate::hunt::{Plan, Position};
use crate::job::hunt::{Keeping, Unwatched, hunted};
use crate::job::recorded::{load_theories, recorded};
use crate::job::solvers::verifiers;
use crate::number::counted;
use crate::operator::storm::Bounds;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::record::format::SuspectRow;
use crate::record::{names, read_json, read_suspects, suspect_path};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, find, known_profiles};

/// Judges the suspects of the run in `root` of which no earlier hunt has judged, within `allowance`, the strongest suspicions
/// first: a run that is resumed goes on with its hunt, and keeps what it has found.
///
/// # Errors
/// When a solver is missing, or results cannot be written; those of the run itself are safe already.
pub(super) fn judge_suspects(
    root: &Path,
    suspects: &[SuspectRow],
    allowance: Allowance,
    profiles: Option<&Path>,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let (config, _) = recorded(root)?;
    load_theories(&config)?;
    let resolved = config.resolved.as_ref().context("the configuration does not say what the solvers accept")?;
    let out = root.join(names::HUNT);
    // Those that were judged are no more among the suspects: it begins with the first.
    let before = Outcome {
        position: Position::default(),
        ..read_json::<Outcome>(&out.join(hunt_names::HUNT))?.unwrap_or_default()
    };
    let suspects = scripts(root, suspects, resolved.target_dialect)?;
    let provers = provers(&config.target, &config.reference, profiles)?;
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let Allowance { cpu, deadline, jobs } = allowance;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build().context("cannot start threads")?;
    // The allowance is for this process: what an earlier one spent does not count.
    let budget = Some(cpu.saturating_add(before.tally.spent()));
    let plan = Plan { budget, by_seed: true, ..Plan::new(config.limit, &pool) };
    let failures_before = before.tally.internal_errors.len();
    let keeping = Keeping {
        out: out.clone(),
        limit: config.limit,
        minimise: Minimise::Reduction,
        bounds: Bounds::default(),
        seed: config.seed,
        before,
        deadline,
    };
    let source = Themselves::new(&suspects);
    let (outcome, result) = hunted(&source, &provers, &plan, keeping, &Unwatched, interrupt)?;
    result?;
    let is_judged = |name: &String| {
        outcome.tally.asked.contains_key(name) || outcome.defects.iter().any(|defect| defect.seed == *name)
    };
    let left = suspects.iter().filter(|(name, _)| !is_judged(name)).count();
    if left > 0 && !interrupt.is_set() {
        say!("hunt: {} not judged, because the budget was used up", counted(left, "suspect"));
    }
    let failed = outcome.tally.internal_errors.len() - failures_before;
    if failed > 0 {
        let folder = out.join(names::INTERNAL_ERRORS);
        say!("hunt: {}, please report: {}", counted(failed, "internal error"), folder.display());
    }
    if let Some(why) = outcome.tally.nothing_compared() {
        say!("hunt: {why}");
    }
    Ok(())
}

/// The suspects of the run in `root` that no hunt has judged yet, the strongest suspicions first.
///
/// # Errors
/// When a record cannot be read.
pub(super) fn unjudged(root: &Path) -> anyhow::Result<Vec<SuspectRow>> {
    let before = read_json::<Outcome>(&root.join(names::HUNT).join(hunt_names::HUNT))?.unwrap_or_default();
    let mut rows = read_suspects(root)?;
    rows.retain(|row| !before.tally.asked.contains_key(&name_of(root, row)));
    rows.sort_by_key(|row| (row.suspicion, row.id));
    Ok(rows)
}

/// What a suspect is called: its path in the run directory.
fn name_of(root: &Path, row: &SuspectRow) -> String {
    let path = suspect_path(root, row.id);
    path.strip_prefix(root).unwrap_or(&path).display().to_string()
}

/// The scripts of these suspects, by their names.
fn scripts(root: &Path, rows: &[SuspectRow], dialect: Dialect) -> anyhow::Result<Vec<(String, Script)>> {
    let read = |row: &SuspectRow| {
        let path = suspect_path(root, row.id);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = name_of(root, row);
        let script = parse(&text, &name, &ParseOptions { dialect: Some(dialect) })?;
        anyhow::Ok((name, script))
    };
    rows.iter().map(read).collect()
}

/// Target and reference, and whoever is installed to verify what they say.
fn provers(target: &str, reference: &str, profiles: Option<&Path>) -> anyhow::Result<Vec<InstalledProver>> {
    let cache = Cache::locate()?;
    let known = known_profiles(profiles, &cache)?;
    let get = |name: &str| anyhow::Ok(find(&SolverSpec::parse(name)?, &known, &cache)?);
    let (target, reference) = (get(target)?, get(reference)?);
    let others = verifiers(&known, &cache, [&target, &reference]);
    Ok([target, reference].into_iter().chain(others).map(InstalledProver::new).collect())
}
