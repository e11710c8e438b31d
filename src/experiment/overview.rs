//! Where an experiment stands: the state of each of its runs, and how much is done.

use std::time::Duration;

use super::{ExperimentError, ExperimentFolder, Phase, Plan, Runs, Task, TaskState};
use crate::hunt::choices::StrategyName;
use crate::hunt::kept::MOST_LIMITS;

/// Seeds of TypeFuzz's coverage experiment.
const PAPER_SAMPLE: usize = 100;

/// Where one run stands.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// The run.
    pub task: Task<'a>,
    /// What is done of it.
    pub state: TaskState,
    /// The part that is done, 0 to 1.
    pub fraction: f64,
    /// CPU seconds of solvers that all of it was thought to take before it began.
    pub planned_seconds: f64,
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
            let (search, measurement, triage) = planned(plan, &task, &state)?;
            let fraction = state.fraction(search, measurement, triage);
            let planned_seconds = search.unwrap_or(measurement) + measurement + triage;
            tasks.push(Standing { task, state, fraction, planned_seconds });
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

    /// The time until all is finished, if as many processes go on as work now, one core each; `None` while none works, or
    /// nothing is done by which to tell. What is done took so much more or less than was planned, and so will the rest.
    pub fn left(&self) -> Option<Duration> {
        let begun = || self.tasks.iter().filter(|standing| standing.fraction > 0.0);
        let done: f64 = begun().map(|standing| standing.fraction * standing.planned_seconds).sum();
        let took: f64 = begun().map(|standing| standing.state.solver_seconds).sum();
        let pace = Some(took / done).filter(|pace| pace.is_finite() && *pace > 0.0)?;
        let running = Some(self.running()).filter(|running| *running > 0)?;
        let open = || self.tasks.iter().map(|standing| (1.0 - standing.fraction) * standing.planned_seconds);
        // One run is on one core, however many there are.
        let planned = (open().sum::<f64>() / running as f64).max(open().fold(0.0, f64::max));
        Duration::try_from_secs_f64(planned * pace).ok()
    }

    /// Whether all tasks are finished.
    pub fn is_finished(&self) -> bool {
        self.count(Phase::Finished) == self.tasks.len()
    }
}

/// CPU seconds that a run is thought to take, for the search, if that is known, for the measurement or another reducer,
/// and for the triage.
fn planned(plan: &Plan, task: &Task<'_>, state: &TaskState) -> Result<(Option<f64>, f64, f64), ExperimentError> {
    Ok(match &plan.runs {
        Runs::Campaigns(campaigns) => {
            let config = campaigns.config(task.arm, plan.seed_of(task.repeat))?;
            let search = config.stop.solver_budget.or(config.stop.budget).map(|budget| budget.as_secs_f64());
            // A guess: the target answers half of a result set at once, and the other half not at all.
            let measurement = f64::from(config.population) / 2.0 * campaigns.measure_limit.as_secs_f64();
            let triage = campaigns.triage(task.arm).map(|triage| triage.allowance(search.unwrap_or(0.0)).as_secs_f64());
            (search, measurement, triage.unwrap_or(0.0))
        }
        Runs::Coverage(coverages) => {
            let config = coverages.config()?;
            // How many seeds there are, who works in the folder knows; the paper's sample is the guess until then.
            let seeds = if state.measured.1 > 0 { state.measured.1 } else { config.sample.unwrap_or(PAPER_SAMPLE) };
            let mutants = task.arm.strategy.and_then(StrategyName::way).map_or(1, |_| config.mutants);
            (Some(0.0), seeds as f64 * f64::from(mutants) * config.limit.as_secs_f64() / 10.0, 0.0)
        }
        Runs::Hunts(hunts) => {
            let config = hunts.config(task.arm)?;
            let limit = config.limit.as_secs_f64();
            // Guesses: most instances are decided in a tenth of the limit; what a reducer after the hunt may take, it takes.
            (Some(config.instances as f64 * limit / 10.0), config.reducer.map_or(0.0, |_| MOST_LIMITS * limit), 0.0)
        }
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::experiment::TaskState;

    /// Of each run: the part that is done, whether a process works on it, and CPU seconds of solvers; 100 were planned.
    fn left(plan: &Plan, runs: [(f64, bool, f64); 3]) -> Option<f64> {
        let nothing = TaskState::of(Path::new("/nonexistent"), Duration::ZERO, false).unwrap();
        let standing = |(task, (fraction, running, solver_seconds))| {
            let state = TaskState { running, solver_seconds, ..nothing };
            Standing { task, state, fraction, planned_seconds: 100.0 }
        };
        let overview = Overview { tasks: plan.tasks().zip(runs).map(standing).collect(), fraction: 0.0 };
        overview.left().map(|left| left.as_secs_f64())
    }

    #[test]
    fn the_time_left_is_that_of_what_is_done_so_far() {
        let plan = "title = ''\nreproduces = ''\nbaseline = 'a'\ncompute = []\nscale = 's'\nseed = 1\nrepeats = 3\n\
                    measure-limit = '1s'\nsettings = {}\narm = [{ name = 'a' }]";
        let plan: Plan = toml::from_str(plan).unwrap();
        // 200 of 300 are left, which took 1.5 times as long as planned, for two processes.
        assert_eq!(left(&plan, [(0.5, true, 70.0), (0.5, true, 80.0), (0.0, false, 0.0)]), Some(150.0));
        // One run is left, of which half is done.
        assert_eq!(left(&plan, [(1.0, false, 100.0), (1.0, false, 100.0), (0.5, true, 50.0)]), Some(50.0));
        assert_eq!(left(&plan, [(0.9, true, 90.0), (0.9, true, 90.0), (0.0, true, 0.0)]), Some(100.0), "the longest");
        assert_eq!(left(&plan, [(0.5, false, 50.0), (0.0, false, 0.0), (0.0, false, 0.0)]), None, "nobody works");
        assert_eq!(left(&plan, [(0.0, true, 5.0), (0.0, false, 0.0), (0.0, false, 0.0)]), None, "nothing is done");
    }
}
