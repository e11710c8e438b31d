//! What is submitted, given where the runs and the jobs stand.

use std::path::Path;
use std::time::Duration;

use super::jobs::{Jobs, Submission};
use super::queue::Job;
use super::*;
use crate::experiment::{Plan, Spec, Standing, TaskState};

fn plan() -> Plan {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spec.toml");
    let spec = "title = 'T'\nbaseline = 'a'\ncompute = ['results']\n[settings]\ngenerations = 1\n[scale.s]\nrepeats = 3\n\
                measure-limit = '2s'\n[[arm]]\nname = 'a'\n[[arm]]\nname = 'b'\n";
    std::fs::write(&path, spec).unwrap();
    Spec::read(&path).unwrap().plan("s").unwrap()
}

/// All runs wait, but for those that are named.
fn overview<'a>(plan: &'a Plan, states: &[(&str, Phase, bool)]) -> Overview<'a> {
    let standing = |task: crate::experiment::Task<'a>| {
        let (_, phase, running) =
            states.iter().copied().find(|(run, ..)| *run == task.to_string()).unwrap_or(("", Phase::Waiting, false));
        let nothing = TaskState::of(Path::new("/nonexistent"), Duration::from_secs(1), false).unwrap();
        Standing { task, state: TaskState { phase, running, ..nothing }, fraction: 0.0, planned_seconds: 0.0 }
    };
    Overview { tasks: plan.tasks().map(standing).collect(), fraction: 0.0 }
}

#[test]
fn what_is_neither_finished_nor_in_the_queue_is_submitted() {
    let plan = plan();
    let overview = overview(
        &plan,
        &[("a/001", Phase::Finished, false), ("a/002", Phase::Searching, false), ("b/003", Phase::Searching, true)],
    );
    let numbers = |queue: &Queue| to_submit(&overview, queue).into_iter().map(|(index, _)| index).collect::<Vec<_>>();
    assert_eq!(numbers(&Queue::default()), [1, 2, 3, 4], "all but the finished and the one that somebody works on");

    let runs = plan.tasks().map(|task| (task.index, task.to_string())).collect();
    let jobs = Jobs { submissions: vec![Submission { name: "t-1".into(), job: Some(7), tables: None, runs }] };
    let job = |tasks: &[usize], state: &str, restarts| Job {
        id: 7,
        tasks: tasks.to_vec(),
        name: "t-1".into(),
        state: state.into(),
        reason: None,
        restarts,
        exit: (0, 0),
    };
    let known = [job(&[1], "RUNNING", 0), job(&[2], "FAILED", 1), job(&[3], "PENDING", 1)];
    let queue = Queue::from_jobs(Path::new("/x"), &jobs, &known);
    assert_eq!(numbers(&queue), [2, 4], "what failed, and what Slurm has forgotten");
    assert_eq!(to_submit(&overview, &queue)[0], (2, "a/002".to_owned()));
}

#[test]
fn folders_of_one_name_have_jobs_of_different_names() {
    let (one, other) = (job_name(Path::new("/data/one/my runs")), job_name(Path::new("/data/other/my runs")));
    assert!(one.starts_with("my_runs-") && one != other, "{one} {other}");
}

#[test]
fn two_cannot_submit_at_once() {
    let root = tempfile::tempdir().unwrap();
    let folder = ExperimentFolder::create(&root.path().join("e"), plan()).unwrap();
    let path = root.path().join("lock");
    let held = lock(&folder, &path).unwrap();
    assert!(matches!(lock(&folder, &path), Err(ExperimentError::Submitting { .. })));
    drop(held);
    assert!(lock(&folder, &path).is_ok());
}

#[test]
fn a_submission_survives_in_its_file_and_one_without_a_number_is_known_by_its_name() {
    let root = tempfile::tempdir().unwrap();
    let folder = ExperimentFolder::create(&root.path().join("e"), plan()).unwrap();
    assert_eq!(Jobs::read(&folder).unwrap(), Jobs::default());
    let runs = [(4, "a/003".to_owned())].into_iter().collect();
    let jobs = Jobs { submissions: vec![Submission { name: "e-1".into(), job: None, tables: None, runs }] };
    jobs.write(&folder).unwrap();
    assert_eq!(Jobs::read(&folder).unwrap(), jobs);
    std::fs::write(super::jobs::path(&folder), "{").unwrap();
    assert!(Jobs::read(&folder).unwrap_err().to_string().contains("jobs.json is damaged"));
}
