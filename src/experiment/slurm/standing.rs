//! Which runs are in the queue, and what became of those that are not.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::jobs::{self, Jobs, Submission};
use super::queue::{Job, Stage, parse};
use super::{names, tool};
use crate::config::absolute;
use crate::experiment::{ExperimentError, ExperimentFolder};

/// What Slurm says of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InQueue {
    /// The job, `ARRAY_TASK`.
    pub job: String,
    /// Whether it waits, runs, or is over.
    pub stage: Stage,
    /// Slurm's state with the reason, in a few words.
    pub words: String,
    /// How often it was started again.
    pub restarts: u32,
    /// The exit code with which it failed; none if it did not, or a signal ended it.
    pub code: Option<i32>,
    /// What it and the run printed.
    pub log: PathBuf,
}

/// What Slurm says of all runs that were submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    runs: BTreeMap<String, InQueue>,
    arrays: Vec<u64>,
    tables: Vec<u64>,
}

/// What is said of a job that Slurm has forgotten.
const FORGOTTEN: &str = "Slurm knows the job no more";
/// What Slurm says when it is asked for such a job.
const UNKNOWN_JOB: &str = "Invalid job id";
/// Bytes at the end of a log in which the reason of a failure is looked for.
const LOG_END: i64 = 4096;

impl Queue {
    /// Asks Slurm for the jobs of the experiment. None if there never were any.
    ///
    /// # Errors
    /// [`ExperimentError::NoSlurm`], [`ExperimentError::Slurm`]; [`ExperimentError::Jobs`].
    pub fn read(folder: &ExperimentFolder) -> Result<Option<Self>, ExperimentError> {
        if !jobs::path(folder).exists() {
            return Ok(None);
        }
        Queue::of(folder, &Jobs::read(folder)?).map(Some)
    }

    pub(super) fn of(folder: &ExperimentFolder, jobs: &Jobs) -> Result<Self, ExperimentError> {
        let mut printed = Vec::new();
        for number in jobs.submissions.iter().flat_map(|one| [one.job, one.tables]).flatten() {
            match tool::ask("scontrol", ["--oneliner", "show", "job", &number.to_string()])? {
                Ok(text) => printed.extend(parse(&text)),
                Err(reason) if reason.contains(UNKNOWN_JOB) => {}
                Err(reason) => return Err(ExperimentError::Slurm { program: "scontrol".into(), reason }),
            }
        }
        Ok(Queue::from_jobs(&absolute(folder.root()), jobs, &printed))
    }

    /// Puts together what was submitted and what Slurm knows.
    pub(super) fn from_jobs(root: &Path, jobs: &Jobs, known: &[Job]) -> Self {
        let mut queue = Queue::default();
        let logs = root.join(names::SLURM).join(names::LOG);
        for submission in &jobs.submissions {
            let Submission { name, job: Some(array), tables, runs } = submission else { continue };
            // A number may be another's after the cluster's state was lost.
            let own: Vec<&Job> = known.iter().filter(|job| job.id == *array && job.name == *name).collect();
            for (index, run) in runs {
                let job = own.iter().find(|job| job.tasks.contains(index));
                let entry = InQueue {
                    job: format!("{array}_{index}"),
                    stage: job.map_or(Stage::Over, |job| job.stage()),
                    words: job.map_or_else(|| FORGOTTEN.to_owned(), |job| job.words()),
                    restarts: job.map_or(0, |job| job.restarts),
                    code: job.and_then(|job| job.code()),
                    log: logs.join(format!("{array}_{index}.log")),
                };
                queue.runs.insert(run.clone(), entry);
            }
            if own.iter().any(|job| job.stage() != Stage::Over) {
                queue.arrays.push(*array);
            }
            let waits = |job: &Job| Some(job.id) == *tables && job.name.starts_with(name) && job.stage() != Stage::Over;
            queue.tables.extend(tables.filter(|_| known.iter().any(waits)));
        }
        queue
    }

    /// What Slurm says of a run, `ARM/NNN`, if it was ever submitted.
    pub fn of_run(&self, run: &str) -> Option<&InQueue> {
        self.runs.get(run)
    }

    /// Whether a run waits or runs.
    pub fn holds(&self, run: &str) -> bool {
        self.of_run(run).is_some_and(|entry| entry.stage != Stage::Over)
    }

    /// The arrays of which something is in the queue.
    pub fn arrays(&self) -> &[u64] {
        &self.arrays
    }

    /// The jobs in the queue that will write the tables.
    pub fn tables(&self) -> &[u64] {
        &self.tables
    }

    /// Whether nothing of the experiment is in the queue.
    pub fn is_over(&self) -> bool {
        self.arrays.is_empty() && self.tables.is_empty()
    }
}

impl InQueue {
    /// What the run's log says last: an error, or else its last line.
    pub fn last_words(&self) -> Option<String> {
        let mut file = File::open(&self.log).ok()?;
        // A shorter file is read from its beginning.
        drop(file.seek(SeekFrom::End(-LOG_END)));
        let mut end = Vec::new();
        file.read_to_end(&mut end).ok()?;
        let end = String::from_utf8_lossy(&end);
        let lines = || end.lines().map(str::trim).filter(|line| !line.is_empty());
        lines().rfind(|line| line.starts_with("error:")).or_else(|| lines().next_back()).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(name: &str, job: u64, runs: &[(usize, &str)]) -> Submission {
        let runs = runs.iter().map(|(index, run)| (*index, (*run).to_owned())).collect();
        Submission { name: name.into(), job: Some(job), tables: Some(job + 100), runs }
    }

    fn job(id: u64, tasks: &[usize], name: &str, state: &str) -> Job {
        let (name, state) = (name.to_owned(), state.to_owned());
        Job { id, tasks: tasks.to_vec(), name, state, reason: None, restarts: 0, exit: (0, 0) }
    }

    fn stages(queue: &Queue) -> Vec<(&str, &str, Stage)> {
        queue.runs.iter().map(|(run, entry)| (run.as_str(), entry.job.as_str(), entry.stage)).collect()
    }

    #[test]
    fn the_latest_submission_of_a_run_counts() {
        let jobs = Jobs {
            submissions: vec![
                submission("t-1", 10, &[(0, "a/001"), (1, "b/001"), (2, "a/002")]),
                submission("t-2", 20, &[(1, "b/001")]),
            ],
        };
        let known = [
            job(10, &[0], "t-1", "RUNNING"),
            job(10, &[1], "t-1", "FAILED"),
            job(20, &[1], "t-2", "PENDING"),
            job(120, &[], "t-2-tables", "PENDING"),
            job(110, &[], "t-1-tables", "COMPLETED"),
        ];
        let queue = Queue::from_jobs(Path::new("/x"), &jobs, &known);
        let expected =
            [("a/001", "10_0", Stage::Running), ("a/002", "10_2", Stage::Over), ("b/001", "20_1", Stage::Pending)];
        assert_eq!(stages(&queue), expected);
        assert_eq!(queue.of_run("a/002").map(|entry| entry.words.as_str()), Some(FORGOTTEN));
        assert_eq!((queue.arrays(), queue.tables()), (&[10, 20][..], &[120][..]));
        assert!(queue.holds("b/001") && !queue.holds("a/002") && !queue.holds("c/001"));
        assert_eq!(queue.of_run("b/001").unwrap().log, Path::new("/x/slurm/log/20_1.log"));
    }

    #[test]
    fn a_number_that_is_another_jobs_now_is_not_ours() {
        let jobs = Jobs { submissions: vec![submission("t-1", 10, &[(0, "a/001")])] };
        let queue = Queue::from_jobs(Path::new("/x"), &jobs, &[job(10, &[0], "other", "RUNNING")]);
        assert!(queue.is_over() && !queue.holds("a/001"));
    }

    #[test]
    fn the_reason_of_a_failure_is_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("1_0.log");
        let entry =
            InQueue { job: "1_0".into(), stage: Stage::Over, words: String::new(), restarts: 0, code: None, log };
        assert_eq!(entry.last_words(), None);
        std::fs::write(&entry.log, "starts\nerror: no such solver\nfailed with exit code 3\n\n").unwrap();
        assert_eq!(entry.last_words().unwrap(), "error: no such solver");
        std::fs::write(&entry.log, format!("{}\nback into the queue\n", "x".repeat(9000))).unwrap();
        assert_eq!(entry.last_words().unwrap(), "back into the queue");
    }
}
