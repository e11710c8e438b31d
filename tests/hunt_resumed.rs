//! Hunts that are killed, interrupted and bounded, and go on: with solvers that are a few lines of the shell.

mod shell_solver;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use shell_solver::solver_that;
use tempfile::TempDir;

/// Far above what anything takes on a busy machine: a guard against waiting for ever.
const PATIENCE: Duration = Duration::from_secs(120);
/// Crashes in each operator with a small odd number in a way of its own, and takes a moment for each script.
const FRAGILE: &str = "sleep 0.01; for op in add mul and or xor; do
    if grep -q \"bv$op x #x0[13579bdf]\" \"$1\"; then echo \"Fatal failure within bv$op\" >&2; kill -SEGV $$; fi
done; echo sat";

/// Seeds, and the profile of a solver that does this.
fn place(seeds: usize, does: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::create_dir(folder.path().join("seeds")).expect("a folder");
    for number in 0..seeds {
        let text = format!(
            "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x{number:02x}))\n\
             (assert (= x (bv{} x #x03)))\n(check-sat)\n",
            ["add", "mul", "and", "or", "xor"][number % 5]
        );
        fs::write(folder.path().join(format!("seeds/{number:03}.smt2")), text).expect("a file");
    }
    fs::write(folder.path().join("own.toml"), solver_that(folder.path(), "mine", does)).expect("a file");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command.current_dir(folder).arg("hunt").args(arguments);
    command
}

fn begin(folder: &Path, out: &str, more: &[&str]) -> Command {
    let common = ["--seeds", "seeds", "--solver", "mine", "--profiles", "own.toml", "--out", out];
    let strategy = if more.contains(&"--strategy") { &[][..] } else { &["--strategy", "none"] };
    command(folder, &[&common[..], strategy, more].concat())
}

fn output(mut command: Command) -> Output {
    command.output().expect("the program starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn spawned(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

fn json(folder: &Path, out: &str) -> Option<serde_json::Value> {
    serde_json::from_str(&fs::read_to_string(folder.join(out).join("hunt.json")).ok()?).ok()
}

/// What a hunt came to, but for how long it took.
fn came_to(folder: &Path, out: &str) -> serde_json::Value {
    let mut hunt = json(folder, out).unwrap_or_else(|| panic!("{out} has no hunt.json"));
    let fields = hunt.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.ends_with("seconds"));
    hunt
}

/// The scripts of all findings, by their paths.
fn findings(folder: &Path, out: &str) -> Vec<(String, String)> {
    let root = folder.join(out).join("findings");
    let mut files = Vec::new();
    for defect in fs::read_dir(&root).expect("a folder") {
        let defect = defect.expect("an entry").path();
        for name in ["instance.smt2", "reduced.smt2"] {
            let text = fs::read_to_string(defect.join(name)).unwrap_or_default();
            files.push((format!("{}/{name}", defect.file_name().unwrap_or_default().display()), text));
        }
    }
    files.sort();
    files
}

/// Waits until something is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_hunt_that_is_killed_at_any_moment_comes_to_what_one_does_that_is_not() {
    let folder = place(15, FRAGILE);
    let folder = folder.path();
    let whole = output(begin(folder, "whole", &[]));
    assert_eq!(whole.status.code(), Some(0), "{}", said(&whole));
    assert!(json(folder, "whole").is_some_and(|hunt| hunt["defects"].as_array().map_or(0, Vec::len) > 2));
    let mut kills = 0;
    let mut process = spawned(begin(folder, "killed", &["--jobs", "2"]));
    wait_until("it begins", || folder.join("killed/hunt.toml").is_file());
    let mut moment = 40;
    loop {
        std::thread::sleep(Duration::from_millis(moment));
        process.kill().expect("it is ours");
        process.wait().expect("it is ours");
        kills += 1;
        if json(folder, "killed").is_some_and(|hunt| hunt["complete"] == true) {
            break;
        }
        moment = if kills > 40 { 20_000 } else { 300 + (moment * 7 + 113) % 900 };
        process = spawned(command(folder, &["--resume", "killed", "--jobs", "2"]));
    }
    assert!(kills > 2, "it was over before it could be killed");
    // The kill may have come while the end was written.
    let last = output(command(folder, &["--resume", "killed"]));
    assert_eq!(last.status.code(), Some(0), "{}", said(&last));
    assert_eq!(came_to(folder, "killed"), came_to(folder, "whole"));
    assert_eq!(findings(folder, "killed"), findings(folder, "whole"));
}

#[test]
fn an_interrupted_hunt_keeps_what_it_found_and_finds_the_same_when_it_goes_on() {
    let folder = place(30, FRAGILE);
    let folder = folder.path();
    output(begin(folder, "whole", &[]));
    let mut process = begin(folder, "stopped", &[]);
    let process = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // While the first finding is made small.
    wait_until("it finds something", || {
        json(folder, "stopped").is_some_and(|hunt| hunt["defects"] != serde_json::json!([]))
    });
    kill(Pid::from_raw(i32::try_from(process.id()).expect("a number")), Signal::SIGINT).expect("it is ours");
    let stopped = process.wait_with_output().expect("it is ours");
    assert_eq!(stopped.status.code(), Some(130), "{}", said(&stopped));
    assert!(said(&stopped).contains("interrupted; go on: mulstringfuzz hunt --resume stopped"), "{}", said(&stopped));
    let hunt = json(folder, "stopped").expect("a summary");
    assert_eq!((&hunt["complete"], &hunt["ended"]), (&false.into(), &"interrupted".into()));
    // From another folder, by another name.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let there = folder.join("stopped").display().to_string();
    let resumed = output(command(elsewhere.path(), &["--resume", &there]));
    assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
    assert_eq!(came_to(folder, "stopped"), came_to(folder, "whole"));
    assert_eq!(findings(folder, "stopped"), findings(folder, "whole"));
}

#[test]
fn bounds_are_those_of_the_whole_hunt_and_more_may_be_given() {
    let folder = place(30, "echo sat");
    let folder = folder.path();
    let first = output(begin(folder, "out", &["-n", "10"]));
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let instances = || json(folder, "out").expect("a summary")["instances"].clone();
    assert_eq!(instances(), 10);
    for (more, expected) in
        [(&["-n", "13"][..], 13), (&[], 13), (&["-n", "100", "--budget", "0s"], 13), (&["--budget", "1h"], 30)]
    {
        let resumed = output(command(folder, &[&["--resume", "out"], more].concat()));
        assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
        assert_eq!(instances(), expected, "{more:?}");
    }
    let other = output(command(folder, &["--resume", "out", "--limit", "3s"]));
    assert_eq!(other.status.code(), Some(2), "{}", said(&other));
    fs::write(folder.join("seeds/new.smt2"), "(check-sat)").expect("a file");
    let changed = output(command(folder, &["--resume", "out"]));
    assert_eq!(changed.status.code(), Some(2));
    assert!(
        said(&changed).contains("the seeds are not those that the hunt began with: 30 files then, 31 now"),
        "{}",
        said(&changed)
    );
    let begun = output(begin(folder, "out", &[]));
    assert!(said(&begun).contains("out exists already: go on with --resume out"), "{}", said(&begun));
    let none = output(command(folder, &["--resume", "seeds"]));
    assert!(said(&none).contains("seeds is no run directory: it has no hunt.toml"), "{}", said(&none));
}

#[test]
fn a_folder_in_which_somebody_works_is_refused() {
    let folder = place(2, "sleep 30; echo sat");
    let mut process = spawned(begin(folder.path(), "out", &[]));
    wait_until("it begins", || folder.path().join("out/hunt.toml").is_file());
    let other = output(command(folder.path(), &["--resume", "out"]));
    process.kill().expect("it is ours");
    process.wait().expect("it is ours");
    assert_eq!(other.status.code(), Some(2), "{}", said(&other));
    assert!(said(&other).contains(&format!("out is in use by process {}", process.id())), "{}", said(&other));
}

#[test]
fn time_ends_a_hunt_whatever_is_being_done() {
    let folder = place(2, "sleep 60; echo sat");
    let begun = Instant::now();
    let ended = output(begin(folder.path(), "out", &["--time", "1s", "--limit", "50s"]));
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
    let hunt = json(folder.path(), "out").expect("a summary");
    assert_eq!((&hunt["ended"], &hunt["complete"], &hunt["instances"]), (&"time".into(), &true.into(), &0.into()));
    assert!(hunt["wall_seconds"].as_f64() >= Some(1.0));
    let again = output(command(folder.path(), &["--resume", "out"]));
    assert_eq!(again.status.code(), Some(0), "nothing is left of the time: {}", said(&again));
    assert_eq!(json(folder.path(), "out").expect("a summary")["instances"], 0);
}

#[test]
fn what_was_asked_before_the_end_of_time_is_counted() {
    let folder = place(8, "sleep 0.02; echo sat");
    // All of it is one step.
    let ended = output(begin(folder.path(), "out", &["--strategy", "storm", "--time", "2s", "-n", "80"]));
    assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
    let hunt = json(folder.path(), "out").expect("a summary");
    let (instances, case) = (hunt["instances"].as_u64(), hunt["position"]["case"].as_u64());
    assert!(hunt["ended"] != "time" || (instances > Some(0) && instances == case), "{hunt}");
    let resumed = output(command(folder.path(), &["--resume", "out", "--time", "2m"]));
    assert_eq!(resumed.status.code(), Some(0), "{}", said(&resumed));
    let hunt = json(folder.path(), "out").expect("a summary");
    assert_eq!((&hunt["ended"], &hunt["instances"]), (&"instances".into(), &80.into()), "{hunt}");
}

#[test]
fn a_minimisation_gives_way_to_time_and_its_finding_is_kept() {
    let folder = place(2, "sleep 0.3; kill -SEGV $$");
    let ended = output(begin(folder.path(), "out", &["--time", "2s"]));
    assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
    let hunt = json(folder.path(), "out").expect("a summary");
    assert_eq!((&hunt["defects"][0]["unfinished"], &hunt["instances"]), (&true.into(), &0.into()), "{hunt}");
    assert!(folder.path().join("out/findings/001/reduced.smt2").is_file());
    let note = hunt["defects"][0]["size_note"].as_str().unwrap_or_default();
    assert!(note.contains("the hunt was stopped"), "{hunt}");
}
