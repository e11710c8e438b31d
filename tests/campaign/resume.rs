//! A run that was killed at any moment, however often, ends as if it never had been.

use super::learning::Teacher;
use super::scripted::{Options, assert_same_results, config, read, resume, run};
use mulstringfuzz::record::{ObservationLog, read_lessons};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Names the run directory for the child process of [`killed_at_random_moments`].
const VARIABLE: &str = "CAMPAIGN_TEST_DIRECTORY";
const CONFIG: &str = "population = 10\ngenerations = 8\nseed = 5\nlearn = true";

/// Not a test by itself: what the child process does.
#[test]
fn child() {
    let Some(root) = std::env::var_os(VARIABLE).map(PathBuf::from) else { return };
    let teacher = Teacher::pausing(Duration::from_millis(6));
    let options = Options { pause: Duration::from_millis(4), learn: Some(&teacher), ..Options::default() };
    let begun = root.join("config.toml").exists();
    let result = if begun { resume(&root, "", &options) } else { begin(&root, &options) };
    result.unwrap();
}

/// Begins a run; what a kill during the very first writes left is not a run yet and is taken away.
fn begin(
    root: &Path,
    options: &Options<'_>,
) -> Result<mulstringfuzz::campaign::Report, mulstringfuzz::campaign::CampaignError> {
    if root.exists() {
        std::fs::remove_dir_all(root).unwrap();
    }
    run(root, &config(CONFIG), options)
}

fn spawn(root: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "resume::child"])
        .env(VARIABLE, root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_at_random_moments() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let teacher = Teacher::default();
    let options = Options { learn: Some(&teacher), ..Options::default() };
    run(&whole, &config(CONFIG), &options).unwrap();
    assert!(!read_lessons(&whole).unwrap().is_empty());
    let mut kills = 0;
    // Moments that differ from try to try, and from the length of a generation.
    let mut moment = 15;
    while !killed.join("summary.json").exists() {
        let mut child = spawn(&killed);
        std::thread::sleep(Duration::from_millis(moment));
        moment = if kills > 60 { 10_000 } else { (moment * 7 + 13) % 180 };
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills > 1, "the run was over before it could be killed");
    // The kill may have come while the results were written.
    resume(&killed, "", &options).unwrap();
    assert_same_results(&whole, &killed);
}

#[test]
fn a_corrupt_or_missing_checkpoint_is_made_up_for_by_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    run(&whole, &config("population = 8\ngenerations = 5"), &Options::default()).unwrap();
    for damage in ["none", "corrupt", "missing", "torn rows", "torn log"] {
        let root = folder.path().join(damage);
        run(&root, &config("population = 8\ngenerations = 3"), &Options::default()).unwrap();
        let checkpoint = root.join("checkpoint");
        let log = root.join("observations/log");
        match damage {
            "corrupt" => {
                let mut bytes = std::fs::read(&checkpoint).unwrap();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                std::fs::write(&checkpoint, bytes).unwrap();
            }
            "missing" => std::fs::remove_file(&checkpoint).unwrap(),
            "torn rows" => {
                let rows = read(&root, "evaluations.csv");
                std::fs::write(root.join("evaluations.csv"), &rows[..rows.len() - 30]).unwrap();
            }
            "torn log" => {
                let mut bytes = std::fs::read(&log).unwrap();
                bytes.extend_from_slice(b"msf1\x40\0\0\0half a frame");
                std::fs::write(&log, bytes).unwrap();
            }
            _ => {}
        }
        resume(&root, "generations = 5", &Options::default()).unwrap();
        assert_same_results(&whole, &root);
    }
}

#[test]
fn a_resumed_run_of_our_own_variants_is_the_run_that_never_stopped() {
    for variant in ["swarm", "diverse"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let to = |generations: u32| {
            config(&format!("population = 12\nseed = 4\nvariant = '{variant}'\ngenerations = {generations}"))
        };
        run(&path("whole"), &to(9), &Options::default()).unwrap();
        for name in ["from the checkpoint", "from the log"] {
            run(&path(name), &to(4), &Options::default()).unwrap();
            if name == "from the log" {
                std::fs::remove_file(path(name).join("checkpoint")).unwrap();
            }
            resume(&path(name), "generations = 9", &Options::default()).unwrap();
            assert_same_results(&path("whole"), &path(name));
        }
    }
}

#[test]
fn a_resumed_run_counts_on() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let pause = Duration::from_millis(5);
    let first =
        run(&root, &config("population = 6\ngenerations = 2"), &Options { pause, ..Options::default() }).unwrap();
    let log = ObservationLog::read(&root.join("observations/log")).unwrap();
    let second = resume(&root, "generations = 3", &Options::default()).unwrap();
    // What the first run had used when it recorded its last evaluation: the resumed run's clock goes on from there.
    assert!(log.spent().wall_seconds > 0.0);
    assert!(second.summary.wall_seconds >= log.spent().wall_seconds);
    assert!(second.summary.total_core_seconds >= log.spent().core_seconds);
    assert_eq!(first.summary.generations, 2);
    assert_eq!(second.summary.generations, 3);
}
