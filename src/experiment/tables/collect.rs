//! The finished campaigns of an experiment, by arm.

use std::path::PathBuf;

use super::layout::{Format, Table};
use super::measure::{MEASURES, Measure, TRIAGE_MEASURES};
use crate::experiment::{Arm, Campaigns, ExperimentError, ExperimentFolder, Phase, Plan, RunMeasures};

/// The finished runs of one arm.
#[derive(Clone, Debug)]
pub struct ArmRuns<'a> {
    /// The arm.
    pub arm: &'a Arm,
    /// Its runs: the repeat, the run directory, the numbers.
    pub runs: Vec<(u32, PathBuf, RunMeasures)>,
}

impl ArmRuns<'_> {
    /// The values of a measure, one for each run.
    pub fn values(&self, measure: &Measure) -> Vec<f64> {
        self.runs.iter().map(|(_, _, run)| (measure.of)(run)).collect()
    }
}

/// The finished runs of an experiment.
#[derive(Clone, Debug)]
pub struct Collected<'a> {
    /// What they are runs of.
    pub plan: &'a Plan,
    /// What they have in common.
    pub campaigns: &'a Campaigns,
    /// All arms, in the order of the plan, also those without a finished run.
    pub arms: Vec<ArmRuns<'a>>,
}

impl<'a> Collected<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// [`ExperimentError::NothingFinished`], [`ExperimentError::Record`].
    pub fn read(folder: &'a ExperimentFolder, campaigns: &'a Campaigns) -> Result<Self, ExperimentError> {
        let plan = folder.plan();
        let mut arms: Vec<ArmRuns<'_>> = plan.arms.iter().map(|arm| ArmRuns { arm, runs: Vec::new() }).collect();
        for task in plan.tasks() {
            if folder.state(&task)?.phase == Phase::Finished {
                let root = folder.run(&task);
                let measures = RunMeasures::read(&root)?;
                if let Some(own) = arms.iter_mut().find(|each| each.arm.name == task.arm.name) {
                    own.runs.push((task.repeat, root, measures));
                }
            }
        }
        if arms.iter().all(|arm| arm.runs.is_empty()) {
            return Err(ExperimentError::NothingFinished { path: folder.root().to_owned() });
        }
        Ok(Collected { plan, campaigns, arms })
    }

    /// The arm that the others are compared with.
    pub fn baseline(&self) -> &ArmRuns<'a> {
        // A plan's baseline is one of its arms; a plan that was edited by hand falls back to the first.
        self.arms.iter().find(|arm| arm.arm.name == self.campaigns.baseline).unwrap_or(&self.arms[0])
    }

    /// How many runs are finished, of how many.
    pub fn finished(&self) -> String {
        let finished: usize = self.arms.iter().map(|arm| arm.runs.len()).sum();
        format!("{finished} of {} runs are finished", self.plan.tasks().count())
    }
}

/// A table of all runs, one row each, for those who compute on.
pub(super) fn runs_csv(collected: &Collected<'_>) -> String {
    let mut columns = vec!["arm", "repeat", "seed"];
    columns.extend(MEASURES.iter().map(|measure| measure.key));
    columns.extend(["convergence_generation", "core_seconds", "solved_in_a_second", "solved"]);
    let triage: &[Measure] = if collected.campaigns.triages() { &TRIAGE_MEASURES } else { &[] };
    columns.extend(triage.iter().map(|measure| measure.key));
    let mut records = Vec::new();
    for arm in &collected.arms {
        for (repeat, _, run) in &arm.runs {
            let seed = collected.plan.seed_of(*repeat);
            let mut record = vec![arm.arm.name.clone(), repeat.to_string(), seed.to_string()];
            record.extend(MEASURES.iter().map(|measure| (measure.of)(run).to_string()));
            let others = [run.convergence_generation, run.core_seconds, run.solved_in_a_second, run.solved];
            record.extend(others.map(|value| value.to_string()));
            record.extend(triage.iter().map(|measure| (measure.of)(run).to_string()));
            records.push(record);
        }
    }
    Format::Csv.of(&Table::of_runs(columns, records))
}
