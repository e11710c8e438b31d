//! Where an experiment stands: the state of each of its runs, and how much is done.

use super::{ExperimentError, ExperimentFolder, Phase, Task, TaskState};

/// Where one run stands.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// The run.
    pub task: Task<'a>,
    /// What is done of it.
    pub state: TaskState,
    /// The part that is done, 0 to 1.
    pub fraction: f64,
}

/// Where all runs stand at one moment.
#[derive(Clone, Debug)]
pub struct Overview<'a> {
    /// Every run, in the order of the plan.
    pub tasks: Vec<Standing<'a>>,
    /// The part of the experiment that is done, 0 to 1: the mean over its tasks.
    pub fraction: f64,
}

impl<'a> Overview<'a> {
    /// Reads all states.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn read(folder: &'a ExperimentFolder) -> Result<Self, ExperimentError> {
        Self::read_again(folder, None)
    }

    /// Reads the states of those that were not finished when `earlier` was read: what is finished stays so.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn read_again(folder: &'a ExperimentFolder, earlier: Option<&Self>) -> Result<Self, ExperimentError> {
        let plan = folder.plan();
        let mut tasks = Vec::new();
        for task in plan.tasks() {
            let known = earlier.and_then(|earlier| earlier.tasks.get(task.index));
            if let Some(finished) = known.filter(|known| known.state.phase == Phase::Finished) {
                tasks.push(finished.clone());
                continue;
            }
            let state = folder.state(&task)?;
            let config = plan.config(task.arm, task.repeat)?;
            let search = config.stop.solver_budget.or(config.stop.budget).map(|budget| budget.as_secs_f64());
            // A guess: the target answers half of a result set at once, and the other half not at all.
            let measurement = f64::from(config.population) / 2.0 * plan.measure_limit.as_secs_f64();
            let fraction = state.fraction(search, measurement);
            tasks.push(Standing { task, state, fraction });
        }
        let done: f64 = tasks.iter().map(|standing| standing.fraction).sum();
        let fraction = done / tasks.len().max(1) as f64;
        Ok(Overview { tasks, fraction })
    }

    /// How many tasks are in this phase.
    pub fn count(&self, phase: Phase) -> usize {
        self.tasks.iter().filter(|standing| standing.state.phase == phase).count()
    }

    /// In how many run directories a process works.
    pub fn running(&self) -> usize {
        self.tasks.iter().filter(|standing| standing.state.running).count()
    }

    /// Whether all tasks are finished.
    pub fn is_finished(&self) -> bool {
        self.count(Phase::Finished) == self.tasks.len()
    }
}
