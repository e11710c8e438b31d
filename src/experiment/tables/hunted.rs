//! The finished hunts of an experiment.

use super::layout::{Format, Table};
use crate::experiment::{
    Defect, ExperimentError, ExperimentFolder, External, HuntRun, Hunts, Phase, Plan, Rediscovery, Task,
};
use crate::hunt::choices::Minimise;
use crate::hunt::size::InstanceSize;

/// The finished runs of an experiment of hunts.
#[derive(Clone, Debug)]
pub(super) struct Hunted<'a> {
    /// What they are runs of.
    pub(super) plan: &'a Plan,
    /// What they have in common.
    pub(super) hunts: &'a Hunts,
    /// The runs, in the order of the plan.
    pub(super) runs: Vec<FinishedHunt<'a>>,
}

/// A hunt that came to its end.
#[derive(Clone, Debug)]
pub(super) struct FinishedHunt<'a> {
    /// Which it is.
    pub(super) task: Task<'a>,
    /// What it hunted for.
    pub(super) defect: &'a Defect,
    /// Whether it found that.
    pub(super) found: bool,
    /// Instances until then, or in all.
    pub(super) instances: u64,
    /// CPU seconds of the solver until then.
    pub(super) seconds: f64,
    /// The instance that shows the defect, as it was found.
    pub(super) before: Option<InstanceSize>,
    /// What minimising made of it; none if that failed.
    pub(super) after: Option<InstanceSize>,
    /// CPU seconds that minimising took, of solvers, or of another reducer with all that it ran; none if nothing was to be
    /// minimised.
    pub(super) minimising_seconds: Option<f64>,
    /// What a reducer did after the hunt.
    pub(super) external: Option<External>,
    /// What tells its bug class.
    pub(super) class: Option<String>,
    /// What the version without the defect said.
    pub(super) rediscovery: Option<Rediscovery>,
}

impl FinishedHunt<'_> {
    /// What minimising made of the instance, if that has fewer bytes.
    pub(super) fn smaller(&self) -> Option<InstanceSize> {
        self.after.filter(|after| self.before.is_some_and(|before| after.bytes < before.bytes))
    }
}

impl<'a> Hunted<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// [`ExperimentError::NothingFinished`], [`ExperimentError::Record`].
    pub(super) fn read(folder: &'a ExperimentFolder, hunts: &'a Hunts) -> Result<Self, ExperimentError> {
        let plan = folder.plan();
        let mut runs = Vec::new();
        for task in plan.tasks() {
            if folder.state(&task)?.phase != Phase::Finished {
                continue;
            }
            let (run, config) = (HuntRun::new(&folder.run(&task)), hunts.config(task.arm)?);
            if let (Some(outcome), Some(defect)) = (run.outcome()?, task.defect) {
                let reduced = run.external_outcome()?;
                let found = outcome.first(defect.kind).is_some();
                let of_solvers =
                    (found && config.minimise != Minimise::None).then_some(outcome.tally.minimising_seconds);
                let (before, after) = run.sizes(defect, config.reducer.is_some())?.unzip();
                runs.push(FinishedHunt {
                    task,
                    defect,
                    found,
                    instances: outcome.tally.instances,
                    seconds: outcome.tally.solver_seconds,
                    before,
                    after: after.flatten(),
                    minimising_seconds: reduced.as_ref().map(|reduced| reduced.cpu_seconds).or(of_solvers),
                    external: reduced,
                    class: run.class(defect)?,
                    rediscovery: run.rediscovery()?,
                });
            }
        }
        if runs.is_empty() {
            return Err(ExperimentError::NothingFinished { path: folder.root().to_owned() });
        }
        Ok(Hunted { plan, hunts, runs })
    }

    /// The runs of an arm that hunted for a defect, or for any.
    pub(super) fn of(&self, arm: &str, defect: Option<&Defect>) -> Vec<&FinishedHunt<'a>> {
        let own = |run: &&FinishedHunt<'_>| {
            run.task.arm.name == arm && defect.is_none_or(|defect| defect.name == run.defect.name)
        };
        self.runs.iter().filter(own).collect()
    }

    /// How many runs are finished, of how many.
    pub(super) fn finished(&self) -> String {
        format!("{} of {} runs are finished", self.runs.len(), self.plan.tasks().count())
    }

    /// A table of all runs, one row each, for those who compute on.
    pub(super) fn runs_csv(&self) -> String {
        let record = |run: &FinishedHunt<'_>| {
            let mut record = vec![
                run.task.arm.name.clone(),
                run.defect.name.clone(),
                run.task.repeat.to_string(),
                self.plan.seed_of(run.task.repeat).to_string(),
                run.found.to_string(),
                run.instances.to_string(),
                run.seconds.to_string(),
            ];
            for size in [run.before, run.after] {
                let numbers = size.map(|size| [size.bytes, size.assertions, size.depth as usize]);
                record.extend(numbers.map_or([const { String::new() }; 3], |numbers| numbers.map(|it| it.to_string())));
            }
            record.push(run.minimising_seconds.map(|seconds| seconds.to_string()).unwrap_or_default());
            record.push(run.external.as_ref().map(|external| external.ended.clone()).unwrap_or_default());
            record
        };
        let columns = vec![
            "arm",
            "defect",
            "repeat",
            "seed",
            "found",
            "instances",
            "solver_seconds",
            "bytes_before",
            "assertions_before",
            "depth_before",
            "bytes",
            "assertions",
            "depth",
            "minimising_seconds",
            "external_ended",
        ];
        Format::Csv.of(&Table::of_runs(columns, self.runs.iter().map(record).collect()))
    }
}
