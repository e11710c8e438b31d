//! Whatever change of its folder fails, or is the last one: what was recorded before stays, and the run goes on from there.

use super::faults::{Kind, at_change};
use super::learning::Teacher;
use super::scripted::{Options, assert_same_results, config, read, resume, run};
use mulstringfuzz::campaign::{CampaignError, Confirm, Report};
use mulstringfuzz::evaluate::individual::Timed;
use mulstringfuzz::oracle::OracleError;
use mulstringfuzz::oracle::performance::{Confirmed, NotConfirmed, Reason, RunRow, Step, Verdict};
use mulstringfuzz::record::read_lessons;
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::process::Interrupt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// Names the run directory for the child process.
const VARIABLE: &str = "CAMPAIGN_TEST_FAULTS";
const CONFIG: &str = "population = 5\ngenerations = 2\nseed = 9\nlearn = true";
/// The child's exit code where a result could not be written.
const NOT_WRITTEN: i32 = 4;

/// Refutes what has an even number of assertions, and cannot verify the rest.
struct Doubter;

impl Confirm for Doubter {
    fn confirm(
        &self,
        script: &Script,
        known: &[RunRow],
        on_run: &(dyn Fn(&RunRow) + Sync),
        _: &Interrupt,
    ) -> Result<Verdict, OracleError> {
        let run = RunRow {
            step: Step::Reference(0),
            solver: "reference".into(),
            version: "1".into(),
            command: "reference".into(),
            seed: None,
            limit_seconds: 2.0,
            timed: Timed { answer: Answer::Sat, cpu_seconds: 0.001, wall_seconds: 0.001, peak_memory_bytes: 0 },
        };
        assert!(known.len() <= 1, "a run that was made is not made again");
        if known.is_empty() {
            on_run(&run);
        }
        let is_even = script.assertions().count().is_multiple_of(2);
        let reason = if is_even { Reason::TargetEnds(Answer::Sat) } else { Reason::Unverified };
        Ok(Verdict::NotConfirmed(Box::new(NotConfirmed { reason, runs: vec![run], contradictions: vec![] })))
    }

    fn report(&self, _: &Script, _: &Confirmed) -> String {
        String::new()
    }
}

/// Begins the run, or goes on with it. One thread: the changes of its folder have the same order each time.
fn go_on(root: &Path) -> Result<Report, CampaignError> {
    let teacher = Teacher::default();
    let options = Options { jobs: 1, learn: Some(&teacher), confirm: Some(&Doubter), ..Options::default() };
    if root.join("config.toml").exists() { resume(root, "", &options) } else { run(root, &config(CONFIG), &options) }
}

/// Not a test by itself: what the child process does.
#[test]
fn child() {
    let Some(root) = std::env::var_os(VARIABLE).map(PathBuf::from) else { return };
    std::process::exit(match go_on(&root) {
        Ok(_) => 0,
        Err(CampaignError::Record(error)) if error.is_write() => NOT_WRITTEN,
        Err(error) => panic!("{error}"),
    });
}

fn with_fault(root: &Path, at: u32, kind: Kind) -> ExitStatus {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "--nocapture", "faults_at::child"]).env(VARIABLE, root).stdout(Stdio::null());
    at_change(&mut command, root.parent().unwrap(), at, kind);
    command.status().unwrap()
}

/// A folder for thousands of writes that nobody waits for.
fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The states of the candidates and defects, by individual, and how many runs each has.
fn suspicions(root: &Path) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for folder in ["candidates", "defects"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let folder = entry.unwrap().path();
            let runs = read(&folder, "runs.csv").lines().count();
            found.push((read(&folder, "defect.json"), runs));
        }
    }
    found.sort();
    found
}

/// Lets each change in turn be faulty, in a new run and in the one that goes on with it, and the run end without a fault.
fn each_change(kind: Kind, is_told: impl Fn(ExitStatus) -> bool) {
    let folder = folder_in_memory();
    let whole = folder.path().join("whole");
    go_on(&whole).unwrap();
    assert!(!read_lessons(&whole).unwrap().is_empty() && suspicions(&whole).len() > 1);
    let mut faults = 0;
    // What changes nothing that counts, such as a file that is removed in passing, may fail untold: a few in a row at most.
    let mut untold = 0;
    for at in 1.. {
        let home = folder_in_memory();
        let root = home.path().join("run");
        let status = with_fault(&root, at, kind);
        assert!(status.success() || is_told(status), "{kind:?} at change {at}: {status}");
        faults += u32::from(!status.success());
        untold = if status.success() { untold + 1 } else { 0 };
        if untold > 5 {
            break;
        }
        if root.exists() {
            // In what the first fault left.
            let again = with_fault(&root, 1 + at % 23, kind);
            assert!(again.success() || is_told(again), "{kind:?} at change {at}, and again: {again}");
        }
        go_on(&root).unwrap_or_else(|error| panic!("{kind:?} at change {at}: {error}"));
        assert_same_results(&whole, &root);
        assert_eq!(suspicions(&whole), suspicions(&root), "{kind:?} at change {at}");
    }
    eprintln!("{kind:?}: {faults} faults");
    assert!(faults > 100, "{faults}");
}

fn is_write_error(status: ExitStatus) -> bool {
    status.code() == Some(NOT_WRITTEN)
}

#[test]
fn a_run_goes_on_after_a_disk_that_is_full_at_any_change() {
    each_change(Kind::Full, is_write_error);
}

#[test]
fn a_run_goes_on_after_a_write_that_fails_at_any_change() {
    each_change(Kind::Broken, is_write_error);
}

#[test]
fn a_run_goes_on_after_rights_that_are_lost_at_any_change() {
    each_change(Kind::Denied, is_write_error);
}

#[test]
fn a_run_goes_on_after_a_kill_at_any_change() {
    each_change(Kind::Kill, |status| status.signal() == Some(9));
}
