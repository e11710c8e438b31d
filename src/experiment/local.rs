//! Runs the tasks of an experiment on this machine's cores, each in a process of its own, so that one that crashes takes
//! no other with it and CPU times are its own.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use super::{ExperimentError, ExperimentFolder, Overview, Phase, Standing};
use crate::record::RunDirectory;
use crate::solver::process::{Command, Exit, Interrupt, Limits, Run, Stopped, run};

/// What runs a task.
#[derive(Clone, Debug)]
pub struct Worker {
    /// This program.
    pub program: PathBuf,
    /// Arguments of `experiment task`, besides the experiment and the task.
    pub arguments: Vec<String>,
}

/// How tasks are run.
#[derive(Clone, Debug)]
pub struct Local {
    /// What runs a task.
    pub worker: Worker,
    /// Tasks at once, each on one core.
    pub jobs: usize,
}

/// A task whose process failed. What it recorded is safe, and the next `experiment run` goes on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Arm and repeat.
    pub task: String,
    /// The last line that it printed on standard error, or how it ended.
    pub reason: String,
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
}

impl Failure {
    /// Whether other tasks may fail alike: a solver is missing, or results cannot be written.
    fn is_general(&self) -> bool {
        matches!(self.code, Some(3 | 4))
    }
}

/// A task that is to be run, and since when its run directory was seen in use.
type Open = (usize, Option<Instant>);

/// How long a run directory may be in use until it counts as another's: a process that was just killed may not be gone
/// yet.
const DYING_PATIENCE: Duration = Duration::from_secs(5);
/// How often the watcher is told where the experiment stands.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);
/// How often it is looked whether all is over.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(100);

impl Local {
    /// Runs all tasks that are not finished, in the order of the plan; those in which others work are left to them.
    /// `watch` is told where the experiment stands, every few seconds.
    ///
    /// # Errors
    /// [`ExperimentError`] if a run directory cannot be read, or this program cannot be started. Tasks that fail are the
    /// result.
    pub fn run(
        &self,
        folder: &ExperimentFolder,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Overview<'_>),
    ) -> Result<Vec<Failure>, ExperimentError> {
        let mut overview = Overview::read(folder)?;
        let open = |standing: &&Standing<'_>| standing.state.phase != Phase::Finished;
        let waiting = overview.tasks.iter().filter(open).map(|standing| (standing.task.index, None));
        let queue = Mutex::new(waiting.collect());
        let failures = Mutex::new(Vec::new());
        let worked = std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.jobs).map(|_| scope.spawn(|| self.work(folder, &queue, &failures, interrupt))).collect();
            let mut since = WATCH_INTERVAL;
            while !workers.iter().all(ScopedJoinHandle::is_finished) {
                if since >= WATCH_INTERVAL {
                    // A row that is just being written may be seen torn; the next look sees it whole.
                    if let Ok(now) = Overview::read_again(folder, Some(&overview)) {
                        watch(&now);
                        overview = now;
                    }
                    since = Duration::ZERO;
                }
                std::thread::sleep(LOOK_INTERVAL);
                since += LOOK_INTERVAL;
            }
            let join = |worker: ScopedJoinHandle<'_, _>| worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            workers.into_iter().try_for_each(join)
        });
        worked?;
        Ok(failures.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn work(
        &self,
        folder: &ExperimentFolder,
        queue: &Mutex<VecDeque<Open>>,
        failures: &Mutex<Vec<Failure>>,
        interrupt: &Interrupt,
    ) -> Result<(), ExperimentError> {
        while !interrupt.is_set() {
            let next = locked(queue).pop_front();
            let Some((index, in_use_since)) = next else { break };
            let task = folder.plan().task(index)?;
            if RunDirectory::is_in_use(&folder.run(&task)) {
                let since = in_use_since.unwrap_or_else(Instant::now);
                if since.elapsed() < DYING_PATIENCE {
                    locked(queue).push_back((index, Some(since)));
                    std::thread::sleep(LOOK_INTERVAL);
                }
                continue;
            }
            // By its name: its index is another if an arm is added meanwhile.
            let command = Command::new(&self.worker.program)
                .args(["experiment", "task"])
                .arg(folder.root())
                .args(["--run", &task.to_string()])
                .args(&self.worker.arguments);
            let run = run(command, &Limits::wall(f64::INFINITY), interrupt)?;
            if run.succeeded() || run.stopped == Some(Stopped::Interrupted) {
                continue;
            }
            if RunDirectory::is_in_use(&folder.run(&task)) {
                // Somebody else began in the same moment.
                locked(queue).push_back((index, in_use_since.or_else(|| Some(Instant::now()))));
                continue;
            }
            let code = match run.exit {
                Exit::Code(code) => Some(code),
                Exit::Signal(_) => None,
            };
            let failure = Failure { task: task.to_string(), reason: reason(&run), code };
            // One may have met what passes, such as a disk that was full for a moment; a second says that it does not.
            let repeated = |earlier: &Failure| failure.is_general() && earlier.code == failure.code;
            let ends = locked(failures).iter().any(repeated);
            locked(failures).push(failure);
            if ends {
                locked(queue).clear();
            }
        }
        Ok(())
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a task's process failed, in one line.
fn reason(run: &Run) -> String {
    let printed = run.stderr_text();
    let last = printed.lines().rfind(|line| !line.trim().is_empty()).map(str::trim);
    match (last, run.exit) {
        (Some(line), _) => line.strip_prefix("error: ").unwrap_or(line).to_owned(),
        (None, Exit::Code(code)) => format!("it ended with exit code {code}"),
        (None, Exit::Signal(signal)) => format!("signal {signal} ended it"),
    }
}
