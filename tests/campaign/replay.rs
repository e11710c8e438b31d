//! A replay writes the same bytes from the record alone.

use super::scripted::{Options, assert_same_results, config, read, replay, resume, run};
use mulstringfuzz::campaign::{CampaignError, StopReason};
use mulstringfuzz::record::RecordError;
use std::time::Duration;

#[test]
fn replays_at_one_and_two_jobs_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for variant in ["default", "stringfuzz", "default-crowding", "swarm", "diverse"] {
        let path = |name: &str| folder.path().join(format!("{variant}-{name}"));
        let config =
            config(&format!("population = 8\ngenerations = 4\nvariant = '{variant}'\n[coverage]\nmode = 'paper'"));
        run(&path("run"), &config, &Options::default()).unwrap();
        for jobs in [1, 2] {
            let out = path(&format!("replay{jobs}"));
            let report = replay(&path("run"), &out, &Options { jobs, ..Options::default() }).unwrap();
            assert_eq!(report.reason, StopReason::Replayed);
            assert_same_results(&path("run"), &out);
        }
        replay(&path("replay1"), &path("again"), &Options::default()).unwrap();
        assert_same_results(&path("run"), &path("again"));
    }
}

#[test]
fn runs_without_counts_are_recorded_as_such_earn_no_reward_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let lossy = Options { lossy: true, ..Options::default() };
    run(&path("run"), &config("population = 10\ngenerations = 5"), &lossy).unwrap();
    replay(&path("run"), &path("replay"), &Options::default()).unwrap();
    assert_same_results(&path("run"), &path("replay"));
    let evaluations = read(&path("run"), "evaluations.csv");
    let mut reader = csv::Reader::from_reader(evaluations.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (mut lost, mut survived) = (0, 0);
    for row in reader.records() {
        let row = row.unwrap();
        let has_counts = &row[column("valid")] == "true" && &row[column("target_result")] != "timeout";
        assert_eq!(row[column("lines_covered")].is_empty(), !has_counts, "{row:?}");
        assert_eq!(row[column("coverage_score")].is_empty(), !has_counts, "{row:?}");
        let timeout = &row[column("target_result")] == "timeout";
        lost += usize::from(timeout);
        survived += usize::from(timeout && &row[column("survives")] == "true");
    }
    assert!(lost > 0 && survived > 0, "a slow instance counts for its time: {survived} of {lost} survive");
}

#[test]
fn a_run_that_stopped_within_a_generation_replays_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let config = config("population = 12\nbudget = '120ms'\ngenerations = 50");
    let pause = Duration::from_millis(8);
    let options = Options { pause, ..Options::default() };
    let report = run(&path("run"), &config, &options).unwrap();
    assert_eq!(report.reason, StopReason::Budget);
    replay(&path("run"), &path("replay"), &Options { jobs: 1, ..Options::default() }).unwrap();
    assert_same_results(&path("run"), &path("replay"));
    let generations = report.summary.generations;
    // Resumed to a fixed number of generations, it is the run that never stopped.
    let more = format!("budget = '1h'\ngenerations = {}", generations + 2);
    resume(&path("run"), &more, &Options::default()).unwrap();
    let whole = super::scripted::config(&format!("population = 12\nbudget = '1h'\ngenerations = {}", generations + 2));
    run(&path("whole"), &whole, &Options::default()).unwrap();
    assert_same_results(&path("run"), &path("whole"));
}

#[test]
fn a_limit_of_evaluations_is_exact_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let report = run(&path("run"), &config("population = 8\nevaluations = 21"), &Options::default()).unwrap();
    assert_eq!((report.reason, report.summary.evaluations), (StopReason::Evaluations, 21));
    resume(&path("run"), "evaluations = 30", &Options::default()).unwrap();
    assert_eq!(read(&path("run"), "evaluations.csv").lines().count(), 31);
    replay(&path("run"), &path("replay"), &Options::default()).unwrap();
    assert_same_results(&path("run"), &path("replay"));
}

#[test]
fn a_missing_record_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(&path("run"), &config("population = 6\ngenerations = 2"), &Options::default()).unwrap();
    let text = read(&path("run"), "config.toml").replace("seed = 0", "seed = 1");
    std::fs::write(path("run").join("config.toml"), text).unwrap();
    let error = replay(&path("run"), &path("replay"), &Options::default()).unwrap_err();
    assert!(matches!(error, CampaignError::Record(RecordError::NotRecorded { id: 0, generation: 0, .. })), "{error}");
    assert!(error.to_string().contains("a replay cannot run solvers"));
}
