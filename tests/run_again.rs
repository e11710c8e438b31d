//! Runs that are gone on with after damage, without progress, and with a solver that says nothing.

mod shell_solver;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use shell_solver::solver_that;

/// Answers as a solver does to what it is asked besides.
const READY: &str = "echo sat; if grep -q get-model \"$1\"; then echo '()'; fi";

/// A folder with solvers `mine`, which does this, and `other`, and their profiles.
fn solvers(mine: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let profiles = [solver_that(folder.path(), "mine", mine), solver_that(folder.path(), "other", READY)];
    fs::write(folder.path().join("own.toml"), profiles.concat()).expect("a file");
    folder
}

/// The program in a folder.
fn program(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    program.current_dir(folder).args(arguments).output().expect("the program starts")
}

/// A run of some evaluations in `folder`, in its folder `run`.
fn run(folder: &Path, target: &str, more: &[&str]) -> Output {
    let common = ["fuzz", "--out", "run", "--profiles", "own.toml", "--target", target, "--reference", "other"];
    let size = ["--variant", "no-coverage", "--limit", "1s", "--pop", "4", "--generations", "1", "--jobs", "2"];
    program(folder, &[&common[..], &size[..], more].concat())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn assert_done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
}

/// Makes one byte in the middle of the observation log another one.
fn damage(log: &Path) {
    let mut bytes = fs::read(log).expect("the log");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(log, bytes).expect("the log");
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("run/observations/log")
}

#[test]
fn damage_is_told_once_whether_progress_is_wanted_or_not() {
    for quiet in [&[][..], &["--quiet"]] {
        let folder = solvers(READY);
        assert_done(&run(folder.path(), "mine", &[]));
        damage(&log_of(folder.path()));
        let resume = ["fuzz", "--resume", "run", "--generations", "2", "--profiles", "own.toml"];
        let output = program(folder.path(), &[&resume[..], quiet].concat());
        assert_done(&output);
        let said = stderr(&output);
        assert_eq!(said.matches("is damaged from byte").count(), 1, "{said}");
        let journal = fs::read_to_string(folder.path().join("run/log.jsonl")).expect("the journal");
        assert_eq!(journal.matches("is damaged from byte").count(), 1, "{journal}");
        for line in said.lines().filter(|line| line.contains(" lost")) {
            assert_eq!(said.matches(line.trim_start()).count(), 1, "{said}");
        }
    }
}

#[test]
fn a_quiet_run_is_quiet_about_its_hunt_too() {
    // It crashes on scripts of the search, and is asked about these again afterwards.
    let crashes = format!("if grep -qi 'str\\|re\\.' \"$1\"; then kill -SEGV $$; fi\n{READY}");
    for quiet in [false, true] {
        let folder = solvers(&crashes);
        let output = run(folder.path(), "mine", if quiet { &["--quiet"] } else { &[] });
        assert_done(&output);
        let (said, printed) = (stderr(&output), String::from_utf8_lossy(&output.stdout).into_owned());
        assert!(printed.contains("\nhunt: "), "{printed}\n{said}");
        assert_eq!(said.lines().any(|line| line.starts_with("001: ")), !quiet, "{said}");
        assert!(!quiet || said.is_empty(), "{said}");
    }
}

#[test]
fn a_replay_says_where_the_wrong_answers_are_and_a_run_without_counts_has_no_numbers_of_them() {
    let folder = solvers(&format!("if grep -qi 'str\\|re\\.' \"$1\"; then kill -SEGV $$; fi\n{READY}"));
    assert_done(&run(folder.path(), "mine", &["--quiet"]));
    let replayed = program(folder.path(), &["fuzz", "--replay", "run", "--out", "again", "--quiet"]);
    assert_done(&replayed);
    let said = stderr(&replayed);
    assert!(said.contains("what the run's hunt found is in run/hunt") && !said.contains("triage"), "{said}");
    let summary = fs::read_to_string(folder.path().join("run/summary.json")).expect("a summary");
    for key in ["total_lines", "mean_lines", "hypervolume"] {
        assert!(summary.contains(&format!("\"{key}\": null")), "{key}: {summary}");
    }
}

#[test]
fn what_came_after_the_search_counts_to_the_budget_of_a_run_that_is_resumed() {
    let folder = solvers(&format!("if grep -qi 'str\\|re\\.' \"$1\"; then kill -SEGV $$; fi\n{READY}"));
    assert_done(&run(folder.path(), "mine", &["--quiet", "--budget", "60s"]));
    let path = folder.path().join("run/summary.json");
    let read =
        || -> serde_json::Value { serde_json::from_str(&fs::read_to_string(&path).expect("a summary")).expect("JSON") };
    let mut before = read();
    assert!(before["afterwards_seconds"].as_f64() > Some(0.0) && before["hunt"] == "hunt", "{before}");
    // Of the budget and its grace of 30 s this leaves nothing.
    before["afterwards_seconds"] = 90.into();
    fs::write(&path, before.to_string()).expect("a summary");
    // As if nobody had been asked about one of the suspects yet.
    let hunt = folder.path().join("run/hunt/hunt.json");
    let mut judged: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&hunt).expect("a hunt")).expect("JSON");
    let asked = judged["asked"].as_object_mut().expect("the suspects that were judged");
    let first = asked.keys().next().cloned().expect("a suspect");
    asked.remove(&first);
    fs::write(&hunt, judged.to_string()).expect("a hunt");
    let resumed = program(folder.path(), &["fuzz", "--resume", "run", "--profiles", "own.toml"]);
    assert_done(&resumed);
    assert!(stderr(&resumed).contains("hunt: left out, because the budget is used up"), "{}", stderr(&resumed));
    let after = read();
    assert_eq!((&after["wrong_answers"], &after["hunt"]), (&before["wrong_answers"], &before["hunt"]));
    assert!(after["afterwards_seconds"].as_f64() >= Some(90.0), "{after}");
    // The search that is over is not told of shorter than it was, and does not go on in time that is not its own.
    assert!(after["wall_seconds"].as_f64() >= before["wall_seconds"].as_f64(), "{before} {after}");
    assert_eq!(after["evaluations"], before["evaluations"], "{after}");
}

#[test]
fn a_run_ends_in_plain_words_where_its_target_prints_nothing_or_is_told_to_end() {
    for (target, words) in [
        (
            "exit 0",
            "the target refuses 10 of 10 scripts of generation 0; of the last it says: error (printed no answer)",
        ),
        ("kill -TERM $$", "somebody kills the target: 10 of 10 runs of generation 0"),
    ] {
        let folder = solvers(target);
        let common = ["fuzz", "--out", "run", "--profiles", "own.toml", "--target", "mine", "--reference", "other"];
        let size = ["--variant", "no-coverage", "--limit", "1s", "--pop", "10", "--generations", "1", "--quiet"];
        let output = program(folder.path(), &[&common[..], &size[..]].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
