//! What a run does with the scripts on which a solver may be wrong: a hunt of its own.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::afterwards::Allowance;
use super::bench::verifiers;
use super::campaign::{load_theories, recorded};
use crate::cmd::hunt::{Keeping, hunted};
use crate::cmd::place::remove_folder;
use crate::console::say;
use crate::exit::NotWritten;
use crate::hunt::Plan;
use crate::hunt::choices::Minimise;
use crate::hunt::outcome::{Defect, Outcome, names as hunt_names};
use crate::hunt::source::Themselves;
use crate::number::counted;
use crate::operator::storm::Bounds;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::record::format::SuspectRow;
use crate::record::{names, read_json, read_suspects, suspect_path};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, find};

/// What the hunt of a run found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hunted {
    /// Defects that are probably none of the others.
    pub(super) distinct: u64,
    /// Defects of the run's target or reference.
    pub(super) own: u64,
}

/// Judges the suspects of the run in `root` within `allowance`, the strongest suspicions first; `None` if there are none, or
/// what an earlier hunt found is kept, which is replaced only by a hunt that came to its end.
///
/// # Errors
/// When a solver is missing, or results cannot be written; those of the run itself are safe already.
pub(super) fn judge_suspects(
    root: &Path,
    allowance: Allowance,
    profiles: Option<&Path>,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Hunted>> {
    let (config, _) = recorded(root)?;
    load_theories(&config)?;
    let resolved = config.resolved.as_ref().context("the configuration does not say what the solvers accept")?;
    let suspects = suspects(root, resolved.target_dialect)?;
    if suspects.is_empty() {
        return Ok(None);
    }
    let provers = provers(&config.target, &config.reference, profiles)?;
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let Allowance { cpu, deadline, jobs } = allowance;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build().context("cannot start threads")?;
    let plan = Plan { instances: u64::MAX, budget: Some(cpu), until: None, limit: config.limit, pool: &pool };
    let folder = HuntFolder::prepare(root)?;
    let keeping = Keeping {
        out: folder.new.clone(),
        limit: config.limit,
        minimise: Minimise::Reduction,
        bounds: Bounds::default(),
        seed: config.seed,
    };
    let source = Themselves::new(&suspects);
    let (outcome, result) = interrupt.until(deadline, |halt| hunted(&source, &provers, &plan, keeping, halt))?;
    let is_kept = folder.settle(outcome.complete)?;
    result?;
    let (judged, all) = (outcome.tally.instances, suspects.len() as u64);
    if judged < all && !interrupt.is_set() {
        say!("hunt: {} not judged, because the budget was used up", counted((all - judged) as usize, "suspect"));
    }
    if let Some(why) = outcome.tally.nothing_compared() {
        say!("hunt: {why}");
    }
    if !is_kept {
        say!("hunt: what an earlier one found is kept in {}", folder.home.display());
        return Ok(None);
    }
    let own = [provers[0].name(), provers[1].name()];
    let is_own = |defect: &&Defect| defect.solvers.iter().any(|solver| own.contains(&solver.as_str()));
    let own = outcome.defects.iter().filter(is_own).count() as u64;
    Ok(Some(Hunted { distinct: outcome.distinct() as u64, own }))
}

/// Where a run's hunt is: `hunt.new` while it goes on, `hunt` when it has ended.
#[derive(Debug)]
struct HuntFolder {
    home: PathBuf,
    new: PathBuf,
    old: PathBuf,
}

impl HuntFolder {
    /// Makes room for a new hunt. One that had come to its end when its process was killed gets its place first.
    fn prepare(root: &Path) -> anyhow::Result<Self> {
        let path = |suffix: &str| root.join(format!("{}{suffix}", names::HUNT));
        let folder = HuntFolder { home: path(""), new: path(".new"), old: path(".old") };
        let is_whole = || {
            let outcome = read_json::<Outcome>(&folder.new.join(hunt_names::HUNT));
            matches!(outcome, Ok(Some(outcome)) if outcome.complete)
        };
        if !folder.home.exists() && is_whole() {
            rename(&folder.new, &folder.home)?;
        } else if !folder.home.exists() && folder.old.exists() {
            rename(&folder.old, &folder.home)?;
        }
        remove_folder(&folder.old)?;
        remove_folder(&folder.new)?;
        Ok(folder)
    }

    /// Puts a hunt that has ended into its place, unless it was stopped and there is an earlier one; whether it did. At each
    /// moment one of them is there.
    fn settle(&self, complete: bool) -> anyhow::Result<bool> {
        if self.home.exists() {
            if !complete {
                remove_folder(&self.new)?;
                return Ok(false);
            }
            rename(&self.home, &self.old)?;
        }
        rename(&self.new, &self.home)?;
        remove_folder(&self.old)?;
        Ok(true)
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), NotWritten> {
    std::fs::rename(from, to).map_err(|source| NotWritten { path: to.to_owned(), source })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::correctness::Kind;

    /// A hunt in `folder` whose only defect took so many instances.
    fn hunt(folder: &Path, instances: u64, complete: bool) {
        std::fs::create_dir_all(folder).unwrap();
        let outcome = Outcome { complete, ..Outcome::of_one(Kind::Crash, instances, 1.0) };
        std::fs::write(folder.join(hunt_names::HUNT), serde_json::to_string(&outcome).unwrap()).unwrap();
    }

    fn instances(folder: &Path) -> Option<u64> {
        read_json::<Outcome>(&folder.join(hunt_names::HUNT)).unwrap().map(|outcome| outcome.tally.instances)
    }

    #[test]
    fn a_hunt_that_was_stopped_does_not_replace_an_earlier_one() {
        let root = tempfile::tempdir().unwrap();
        let folder = HuntFolder::prepare(root.path()).unwrap();
        hunt(&folder.new, 1, false);
        assert!(folder.settle(false).unwrap(), "better than nothing");
        hunt(&folder.new, 2, true);
        assert!(folder.settle(true).unwrap());
        hunt(&folder.new, 3, false);
        assert!(!folder.settle(false).unwrap());
        assert_eq!(instances(&folder.home), Some(2));
        assert!(!folder.new.exists() && !folder.old.exists());
    }

    #[test]
    fn a_kill_while_hunts_change_places_loses_neither() {
        let root = tempfile::tempdir().unwrap();
        let folder = HuntFolder::prepare(root.path()).unwrap();
        // Killed between the two renames.
        hunt(&folder.old, 1, true);
        hunt(&folder.new, 2, true);
        let folder = HuntFolder::prepare(root.path()).unwrap();
        assert_eq!(instances(&folder.home), Some(2));
        // Killed while the new one went on.
        hunt(&folder.new, 3, false);
        let folder = HuntFolder::prepare(root.path()).unwrap();
        assert_eq!(instances(&folder.home), Some(2));
        assert!(!folder.new.exists() && !folder.old.exists());
    }
}
