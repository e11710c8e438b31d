//! Runs the tasks of an experiment on a cluster: a Slurm job array with a task for each run that is not finished, and a
//! job after it that writes the tables.
//!
//! All state is in files: the run directories say what is done, `slurm/jobs.json` which jobs were submitted for what,
//! and Slurm what became of these. Whoever asks again puts the three together, so that nothing is submitted twice and
//! what was lost is submitted again.

mod array;
mod jobs;
mod queue;
mod script;
mod standing;
mod submitted;
mod tool;

use std::fs::{File, TryLockError};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use super::local::{LOOK_INTERVAL, Worker};
use super::{ExperimentError, ExperimentFolder, Overview, Phase};
use crate::config::absolute;
use crate::record::RecordError;
use crate::solver::process::Interrupt;
use jobs::{Jobs, Submission};
pub use queue::Stage;
use script::Batch;
pub use standing::{InQueue, Queue};

/// The names below an experiment's folder.
pub(super) mod names {
    /// Scripts, logs and the record of jobs.
    pub(in crate::experiment) const SLURM: &str = "slurm";
    /// The script of the runs.
    pub(super) const ARRAY: &str = "array.sh";
    /// The script of the tables.
    pub(super) const TABLES: &str = "tables.sh";
    /// The record of jobs.
    pub(super) const JOBS: &str = "jobs.json";
    /// The logs, `JOB_TASK.log` and `tables_JOB.log`.
    pub(super) const LOG: &str = "log";
    /// Held while jobs are submitted.
    pub(super) const LOCK: &str = "lock";
}

/// What jobs ask of the cluster.
#[derive(Clone, Debug)]
pub struct Options {
    /// The partition; the cluster's default if `None`.
    pub partition: Option<String>,
    /// Time that a run has until it is stopped and put back into the queue.
    pub time: Duration,
    /// Memory of a run, as Slurm takes it: `9G`.
    pub memory: String,
    /// Runs at once.
    pub max_tasks: NonZeroUsize,
    /// How often a run that was stopped or killed is put back into the queue.
    pub max_restarts: u32,
    /// Further options of `sbatch`, for both jobs.
    pub further: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            partition: None,
            time: Duration::from_hours(24),
            // A solver may take 8 GB (see `Limits::cpu`).
            memory: "9G".into(),
            max_tasks: NonZeroUsize::MIN.saturating_add(99),
            max_restarts: 20,
            further: Vec::new(),
        }
    }
}

/// Submits an experiment's runs.
#[derive(Clone, Debug)]
pub struct Slurm {
    /// What runs a task, on the cluster's nodes too.
    pub worker: Worker,
    /// What jobs ask for.
    pub options: Options,
}

/// What was submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submitted {
    /// The job array of the runs, and how many they are.
    pub array: Option<(u64, usize)>,
    /// The job that writes the tables.
    pub tables: Option<u64>,
    /// Runs that were in the queue already.
    pub queued: usize,
    /// Runs in whose directory a process works that is not in the queue.
    pub elsewhere: usize,
}

/// How often Slurm is asked while somebody waits.
const ASK_INTERVAL: Duration = Duration::from_secs(5);
/// So many questions in a row may stay without an answer: a controller that is started again takes some minutes.
const UNANSWERED: u32 = 60;

impl Slurm {
    /// Submits all runs that are neither finished nor in the queue, and a job that writes the tables after them.
    ///
    /// # Errors
    /// [`ExperimentError::NoSlurm`], [`ExperimentError::Slurm`]; [`ExperimentError::Submitting`] while somebody else
    /// does; [`ExperimentError::Record`] if a file cannot be read or written.
    pub fn submit(&self, folder: &ExperimentFolder) -> Result<Submitted, ExperimentError> {
        let place = folder.root().join(names::SLURM);
        let logs = place.join(names::LOG);
        std::fs::create_dir_all(&logs).map_err(|source| RecordError::Write { path: logs, source })?;
        let _lock = lock(folder, &place.join(names::LOCK))?;
        let mut jobs = found(Jobs::read(folder)?)?;
        let queue = Queue::of(folder, &jobs)?;
        let overview = Overview::read(folder)?;
        let runs = to_submit(&overview, &queue);
        let unfinished = || overview.tasks.iter().filter(|standing| standing.state.phase != Phase::Finished);
        let queued = unfinished().filter(|standing| queue.holds(&standing.task.to_string())).count();
        let elsewhere = unfinished().count() - queued - runs.len();
        let mut submitted = Submitted { queued, elsewhere, ..Submitted::default() };
        let mut waits_for = queue.arrays().to_vec();
        if !runs.is_empty() {
            let job = self.submit_array(folder, &mut jobs, &runs)?;
            submitted.array = Some((job, runs.len()));
            waits_for.push(job);
        }
        let tables_wait = submitted.array.is_none() && !queue.tables().is_empty();
        if !waits_for.is_empty() && !tables_wait {
            submitted.tables = Some(self.submit_tables(folder, &mut jobs, &waits_for)?);
        }
        Ok(submitted)
    }

    /// Submits a job array. It is noted before: should we be stopped in between, its name finds it.
    fn submit_array(
        &self,
        folder: &ExperimentFolder,
        jobs: &mut Jobs,
        runs: &[(usize, String)],
    ) -> Result<u64, ExperimentError> {
        let root = absolute(folder.root());
        let last = jobs.submissions.iter().filter_map(|earlier| earlier.name.rsplit('-').next()?.parse().ok()).max();
        let name = format!("{}-{}", job_name(&root), last.unwrap_or(0_u64) + 1);
        let batch = self.batch(&root, &name, folder, runs);
        let script = folder.write(&Path::new(names::SLURM).join(names::ARRAY), batch.array().as_bytes())?;
        let runs = runs.iter().cloned().collect();
        jobs.submissions.push(Submission { name: name.clone(), job: None, tables: None, runs });
        jobs.write(folder)?;
        // After an error the note stays: Slurm may have taken the job before it failed to say so.
        let job = self.sbatch(&[], &script)?;
        if let Some(last) = jobs.submissions.last_mut() {
            last.job = Some(job);
        }
        jobs.write(folder)?;
        Ok(job)
    }

    fn submit_tables(
        &self,
        folder: &ExperimentFolder,
        jobs: &mut Jobs,
        waits_for: &[u64],
    ) -> Result<u64, ExperimentError> {
        let root = absolute(folder.root());
        let name = jobs.submissions.last().map(|last| last.name.clone()).unwrap_or_default();
        let batch = self.batch(&root, &name, folder, &[]);
        let script = folder.write(&Path::new(names::SLURM).join(names::TABLES), batch.tables().as_bytes())?;
        // Not `afterok`: a run's first try that was put back into the queue would count as a failure for good.
        let jobs_before: Vec<String> = waits_for.iter().map(u64::to_string).collect();
        let job = self.sbatch(&[format!("--dependency=afterany:{}", jobs_before.join(":"))], &script)?;
        if let Some(last) = jobs.submissions.last_mut() {
            last.tables = Some(job);
        }
        jobs.write(folder)?;
        Ok(job)
    }

    fn batch<'a>(
        &'a self,
        root: &'a Path,
        name: &'a str,
        folder: &'a ExperimentFolder,
        tasks: &'a [(usize, String)],
    ) -> Batch<'a> {
        let Slurm { worker, options } = self;
        Batch { root, name, title: &folder.plan().title, tasks, worker, options }
    }

    /// Submits a script, and returns the job's number.
    fn sbatch(&self, arguments: &[String], script: &Path) -> Result<u64, ExperimentError> {
        let words = ["--parsable".to_owned()].into_iter().chain(arguments.iter().cloned());
        let words = words.chain(self.options.further.iter().cloned()).chain([script.display().to_string()]);
        let printed = tool::tell("sbatch", words)?;
        // `JOB` or `JOB;CLUSTER`; what the site's plug-ins print may stand before it.
        let number = |line: &str| line.trim().split(';').next().and_then(|job| job.parse().ok());
        printed.lines().rev().find_map(number).ok_or_else(|| ExperimentError::Slurm {
            program: "sbatch".into(),
            reason: format!("it told no job's number: {}", printed.trim()),
        })
    }
}

/// Waits until nothing of the experiment is in the queue. `watch` is told where the experiment stands, every few seconds.
///
/// # Errors
/// [`ExperimentError::Slurm`] if Slurm does not answer for minutes; [`ExperimentError::Record`].
pub fn wait(
    folder: &ExperimentFolder,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(&Overview<'_>),
) -> Result<(), ExperimentError> {
    let mut unanswered = 0;
    let mut overview = Overview::read(folder)?;
    while !interrupt.is_set() {
        match Queue::read(folder) {
            Ok(Some(queue)) if !queue.is_over() => unanswered = 0,
            Ok(_) => break,
            Err(ExperimentError::Slurm { program, reason }) if unanswered < UNANSWERED => {
                tracing::warn!(program, reason, "Slurm does not answer");
                unanswered += 1;
            }
            Err(error) => return Err(error),
        }
        // A row that is just being written may be seen torn; the next look sees it whole.
        if let Ok(now) = Overview::read_again(folder, Some(&overview)) {
            watch(&now);
            overview = now;
        }
        let mut waited = Duration::ZERO;
        while waited < ASK_INTERVAL && !interrupt.is_set() {
            std::thread::sleep(LOOK_INTERVAL);
            waited += LOOK_INTERVAL;
        }
    }
    Ok(())
}

/// Takes all jobs of the experiment out of the queue, and returns their numbers. What the runs recorded stays.
///
/// # Errors
/// [`ExperimentError::NoSlurm`], [`ExperimentError::Slurm`].
pub fn cancel(folder: &ExperimentFolder) -> Result<Vec<u64>, ExperimentError> {
    let jobs = found(Jobs::read(folder)?)?;
    let queue = Queue::of(folder, &jobs)?;
    let alive: Vec<u64> = queue.arrays().iter().chain(queue.tables()).copied().collect();
    if !alive.is_empty() {
        tool::tell("scancel", alive.iter().map(u64::to_string))?;
    }
    Ok(alive)
}

/// The runs that are neither finished nor in the queue, and in whose directory nobody works: numbers and names.
fn to_submit(overview: &Overview<'_>, queue: &Queue) -> Vec<(usize, String)> {
    let open =
        overview.tasks.iter().filter(|standing| standing.state.phase != Phase::Finished && !standing.state.running);
    let named = open.map(|standing| (standing.task.index, standing.task.to_string()));
    named.filter(|(_, run)| !queue.holds(run)).collect()
}

/// Finds jobs whose numbers we did not get to know.
fn found(mut jobs: Jobs) -> Result<Jobs, ExperimentError> {
    for submission in jobs.submissions.iter_mut().filter(|submission| submission.job.is_none()) {
        let name = format!("--name={}", submission.name);
        let printed = tool::tell("squeue", ["--me", "--noheader", "--states=all", "--format=%F", &name])?;
        submission.job = printed.lines().find_map(|line| line.trim().parse().ok());
    }
    jobs.submissions.retain(|submission| submission.job.is_some());
    Ok(jobs)
}

/// Makes sure that nobody else submits jobs of the experiment meanwhile.
fn lock(folder: &ExperimentFolder, path: &Path) -> Result<File, ExperimentError> {
    let failed = |source| RecordError::Write { path: path.to_owned(), source };
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ExperimentError::Submitting { path: folder.root().to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source).into()),
    }
}

/// The name of the experiment's jobs: that of its folder, and a number that tells folders of one name apart.
fn job_name(root: &Path) -> String {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    root.hash(&mut hasher);
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let fits = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    format!("{}-{:08x}", name.chars().map(fits).collect::<String>(), hasher.finish() as u32)
}

#[cfg(test)]
mod tests;
