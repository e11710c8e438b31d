//! A run goes on to its end when standard error is gone, and when somebody kills a few of its solvers, and shows no defect then;
//! where its target dies of nearly all, it says how.

mod shell_solver;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use shell_solver::solver_that;

/// Long enough for a few evaluations on a loaded machine: reaching it is a failure.
const PATIENCE: Duration = Duration::from_secs(100);

/// Answers as a solver does to what it is asked besides.
const READY: &str = "echo sat; if grep -q get-model \"$1\"; then echo '()'; fi";

/// A run of some evaluations, with a target that does this.
fn fuzz(folder: &Path, target: &str) -> Command {
    let profiles = folder.join("own.toml");
    let solvers = [solver_that(folder, "mine", target), solver_that(folder, "other", READY)];
    fs::write(&profiles, solvers.concat()).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command
        .args(["fuzz", "--target", "mine", "--reference", "other", "--variant", "no-coverage", "--limit", "1s"])
        .args(["--generations", "1", "--jobs", "2"])
        .arg("--profiles")
        .arg(&profiles)
        .arg("--out")
        .arg(folder.join("run"))
        .stdout(Stdio::null());
    command
}

/// Waits, but not for ever.
fn end_of(mut child: Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().expect("kill");
            panic!("the run does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_full_disk_behind_standard_error_does_not_end_a_run() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let full = File::options().write(true).open("/dev/full").expect("/dev/full");
    let child =
        fuzz(folder.path(), READY).args(["-vv", "--pop", "4"]).stderr(full).spawn().expect("the program starts");
    assert_eq!(end_of(child).code(), Some(0));
    assert!(folder.path().join("run/summary.json").is_file());
}

#[test]
fn a_reader_of_standard_error_that_left_does_not_end_a_run() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut child = fuzz(folder.path(), READY)
        .args(["-vv", "--pop", "4"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stderr.take());
    assert_eq!(end_of(child).code(), Some(0));
    assert!(folder.path().join("run/summary.json").is_file());
    let missing = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"))
        .args(["check", "/nonexistent.smt2"])
        .stderr(File::options().write(true).open("/dev/full").expect("/dev/full"))
        .status()
        .expect("the program starts");
    assert_eq!(missing.code(), Some(2), "an error that cannot be told keeps its exit code");
}

#[test]
fn solvers_that_somebody_kills_are_tried_again_and_never_defects() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let runs = folder.path().join("runs");
    // The scripts of the search have random assertions; the small one of a health check is to be answered.
    let script = format!("if grep -qi 'str\\|re\\.' \"$1\"; then echo >> {}; kill -9 $$; fi\n{READY}", runs.display());
    let child = fuzz(folder.path(), &script)
        .args(["--no-hunt", "--pop", "4"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut child = child;
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert_eq!(end_of(child).code(), Some(0), "{said}");
    let root = folder.path().join("run");
    let rows = fs::read_to_string(root.join("evaluations.csv")).expect("evaluations");
    let killed = rows.lines().filter(|row| row.contains(",killed,")).count();
    assert!(killed > 0, "{rows}");
    let tried = fs::read_to_string(runs).expect("runs").lines().count();
    assert_eq!(tried, 2 * killed, "each once more");
    let candidates = fs::read_dir(root.join("candidates")).map_or(0, Iterator::count);
    assert_eq!(candidates, 0);
}

/// What a target that does this to what the search gives it, and answers otherwise, comes to: exit code, standard error, and
/// the summary.
fn nearly_always(does: &str, options: &[&str]) -> (Option<i32>, String, serde_json::Value) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let script = format!("if grep -qi 'str\\|re\\.' \"$1\"; then {does}; fi\n{READY}");
    let mut child = fuzz(folder.path(), &script);
    let mut child =
        child.args(["--pop", "12"]).args(options).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    let code = end_of(child).code();
    let summary = fs::read(folder.path().join("run/summary.json")).expect("a summary");
    (code, said, serde_json::from_slice(&summary).expect("JSON"))
}

#[test]
fn a_run_whose_target_is_killed_nearly_always_ends_and_says_who_did_not_refuse() {
    let (code, said, summary) = nearly_always("kill -9 $$", &["--no-hunt"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("somebody kills the target") && !said.contains("the target refuses"), "{said}");
    assert!(summary["killed"].as_u64() >= Some(11) && summary["stop_reason"] == "failed", "{summary}");
}

#[test]
fn a_run_whose_target_crashes_nearly_always_ends_with_the_hunt() {
    let (code, said, summary) = nearly_always("kill -SEGV $$", &["--fail-on-defect"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the target crashes on") && !said.contains("the target refuses"), "{said}");
    assert!(summary["crashed"].as_u64() >= Some(11) && summary["stop_reason"] == "crashes", "{summary}");
    assert!(summary["wrong_answers"].as_u64() >= Some(1), "{summary}");
}
