//! The finished measurements of an experiment of coverage, by arm; those of a union are what its parts cover together.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::layout::{Format, Table};
use crate::coverage::Covered;
use crate::experiment::{Arm, CoverageRun, ExperimentError, ExperimentFolder, Measured, Phase, Plan, Task};
use crate::record::RecordError;

/// The finished runs of an experiment of coverage.
#[derive(Clone, Debug)]
pub(super) struct Covering<'a> {
    /// What they are runs of.
    pub(super) plan: &'a Plan,
    /// All arms, in the order of the plan, also those without a finished run.
    pub(super) arms: Vec<CoveringArm<'a>>,
    /// What each run came to, in the order of the plan.
    runs: Vec<(Task<'a>, Measured)>,
}

/// What an arm covers.
#[derive(Clone, Debug)]
pub(super) struct CoveringArm<'a> {
    /// The arm.
    pub(super) arm: &'a Arm,
    /// By the repeats in which it is finished, or all its parts are.
    pub(super) repeats: BTreeMap<u32, Sum>,
}

/// What the runs of an arm came to in one repeat.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    /// What they cover.
    pub(super) covered: Covered,
    /// Scripts that were run.
    pub(super) scripts: u64,
    /// CPU seconds of the solver.
    pub(super) seconds: f64,
}

impl<'a> Covering<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// [`ExperimentError::NothingFinished`], [`ExperimentError::Mixed`], [`ExperimentError::Record`].
    pub(super) fn read(folder: &'a ExperimentFolder) -> Result<Self, ExperimentError> {
        let plan = folder.plan();
        let mut runs: Vec<(Task<'_>, Measured)> = Vec::new();
        let mut own: BTreeMap<(&str, u32), Sum> = BTreeMap::new();
        let mut first: Option<(String, u64)> = None;
        for task in plan.tasks() {
            if folder.state(&task)?.phase != Phase::Finished {
                continue;
            }
            let root = folder.run(&task);
            let (measured, covered) = finished(&root)?;
            let basis = (measured.progress.seeds.clone(), covered.fingerprint());
            if *first.get_or_insert_with(|| basis.clone()) != basis {
                return Err(ExperimentError::Mixed { path: root });
            }
            let (scripts, seconds) = (measured.progress.scripts, measured.progress.solver_seconds);
            own.insert((&task.arm.name, task.repeat), Sum { covered, scripts, seconds });
            runs.push((task, measured));
        }
        if runs.is_empty() {
            return Err(ExperimentError::NothingFinished { path: folder.root().to_owned() });
        }
        let arms = plan.arms.iter().map(|arm| {
            let sums = (1..=plan.repeats).filter_map(|repeat| Some((repeat, sum(arm, repeat, &own)?)));
            CoveringArm { arm, repeats: sums.collect() }
        });
        Ok(Covering { plan, arms: arms.collect(), runs })
    }

    /// How many runs are finished, of how many.
    pub(super) fn finished(&self) -> String {
        format!("{} of {} runs are finished", self.runs.len(), self.plan.tasks().count())
    }

    /// The solver.
    pub(super) fn solver(&self) -> &str {
        self.runs.first().map_or("", |(_, measured)| &measured.solver)
    }

    /// How many of all scripts got this answer.
    pub(super) fn answered(&self, names: &[&str]) -> u64 {
        let of = |(_, measured): &(Task<'_>, Measured)| {
            names.iter().filter_map(|name| measured.progress.answers.get(*name)).sum::<u64>()
        };
        self.runs.iter().map(of).sum()
    }

    /// All scripts that were run, and those of them that left no counters.
    pub(super) fn scripts(&self) -> (u64, u64) {
        let progress = || self.runs.iter().map(|(_, measured)| &measured.progress);
        (progress().map(|each| each.scripts).sum(), progress().map(|each| each.without_counters).sum())
    }

    /// A table of all runs, one row each, for those who compute on.
    pub(super) fn runs_csv(&self) -> String {
        let record = |(task, measured): &(Task<'_>, Measured)| {
            let Measured { totals, progress, .. } = measured;
            let mut record =
                vec![task.arm.name.clone(), task.repeat.to_string(), self.plan.seed_of(task.repeat).to_string()];
            for share in [totals.lines, totals.functions, totals.branches] {
                record.extend([share.covered.to_string(), share.total.to_string()]);
            }
            record.extend([progress.of, progress.left_out].map(|count| count.to_string()));
            record.extend([progress.scripts, progress.without_counters].map(|count| count.to_string()));
            record.extend(ANSWERS.map(|name| progress.answers.get(name).copied().unwrap_or_default().to_string()));
            record.push(progress.solver_seconds.to_string());
            record
        };
        let start = [
            "arm",
            "repeat",
            "seed",
            "lines",
            "all_lines",
            "functions",
            "all_functions",
            "branches",
            "all_branches",
            "seeds",
            "seeds_left_out",
            "scripts",
            "without_counters",
        ];
        let columns = start.into_iter().chain(ANSWERS).chain(["solver_seconds"]).collect();
        Format::Csv.of(&Table::of_runs(columns, self.runs.iter().map(record).collect()))
    }
}

/// The names of answers that a run may get.
const ANSWERS: [&str; 10] =
    ["sat", "unsat", "unknown", "timeout", "memout", "error", "unsupported", "invalid-model", "crash", "killed"];

/// What a finished run in `root` came to, and what it covers.
fn finished(root: &std::path::Path) -> Result<(Measured, Covered), RecordError> {
    let run = CoverageRun::new(root);
    let missing = |missing| RecordError::NotARun { path: PathBuf::from(root), missing };
    let measured = run.measured()?.ok_or_else(|| missing("coverage.json"))?;
    let (_, covered) = run.checkpoint()?.ok_or_else(|| missing("covered.bin"))?;
    Ok((measured, covered))
}

/// What an arm came to in a repeat; `None` if it, or one of its parts, is not finished there.
fn sum(arm: &Arm, repeat: u32, own: &BTreeMap<(&str, u32), Sum>) -> Option<Sum> {
    if arm.union.is_empty() {
        return own.get(&(arm.name.as_str(), repeat)).cloned();
    }
    let mut parts = arm.union.iter().map(|part| own.get(&(part.as_str(), repeat)));
    let mut all = parts.next()??.clone();
    for part in parts {
        let part = part?;
        // All are of one build: that was looked at when they were read.
        all.covered.merge(&part.covered).ok()?;
        all.scripts += part.scripts;
        all.seconds += part.seconds;
    }
    Some(all)
}
