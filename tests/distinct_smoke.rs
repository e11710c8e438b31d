//! Distinct defects at the smallest scale, on the real solvers: killed in the middle of a triage, started again, tables.

mod installed;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use installed::{built, solver};
use mulstringfuzz::experiment::{Discovery, Triaged};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Far above what anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);

/// The experiment without all arms but these.
fn shortened(arms: &[&str]) -> String {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/distinct.toml");
    let text = fs::read_to_string(spec).expect("the specification");
    let (head, rest) = text.split_once("[[arm]]").expect("arms");
    let wanted = |arm: &&str| arms.iter().any(|name| arm.contains(&format!("name = \"{name}\"")));
    rest.split("[[arm]]").filter(wanted).fold(head.to_owned(), |spec, arm| spec + "[[arm]]" + arm)
}

fn run_again(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command.current_dir(folder).args([
        "experiment",
        "run",
        "distinct.toml",
        "--scale",
        "smoke",
        "--quiet",
        "--jobs",
        "1",
    ]);
    command
}

/// Whether a triage below this folder has kept what a reduction cost.
fn keeps_a_cost(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .into_iter()
        .any(|path| if path.is_dir() { keeps_a_cost(&path) } else { path.extension().is_some_and(|it| it == "cost") })
}

#[test]
fn a_killed_triage_goes_on_and_arms_are_compared_by_distinct_defects() {
    solver("z3str3");
    solver("cvc4");
    built("z3str3-gcov@4.8.10");
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    fs::write(folder.join("distinct.toml"), shortened(&["random", "diverse-learn"])).expect("a specification");

    let mut first = run_again(folder).process_group(0).stdout(Stdio::null()).spawn().expect("it starts");
    let begun = Instant::now();
    let home = folder.join("runs/distinct-smoke/runs");
    while !keeps_a_cost(&home) && first.try_wait().expect("our child").is_none() && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(50));
    }
    let group = Pid::from_raw(i32::try_from(first.id()).expect("a process number"));
    // It may have ended in the same moment.
    let _ = killpg(group, Signal::SIGKILL);
    first.wait().expect("our child");

    let output = run_again(folder).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.starts_with("### Distinct against Archive of elites, learning"), "{printed}");

    for arm in ["random", "diverse-learn"] {
        let root: PathBuf = home.join(arm).join("001");
        let triaged = Triaged::read(&root).expect("a record").expect("a triage that is over");
        // The run and the confirmation at the end may go on: three runs of both, ten seeds.
        assert!(triaged.solver_seconds < triaged.allowed_seconds + 6.0, "{triaged:?}");
        let discovery = Discovery::read(&root).expect("what was found when");
        assert_eq!(discovery.found.len(), triaged.distinct, "{discovery:?}");
        assert!(discovery.found.iter().all(|moment| *moment > 0.0 && *moment <= discovery.end), "{discovery:?}");
    }
    let tables = folder.join("runs/distinct-smoke/tables");
    let curve = fs::read_to_string(tables.join("discovery.csv")).expect("the curve");
    assert!(curve.starts_with("arm,runs,seconds,distinct\nrandom,1,0,0\n"), "{curve}");
    let before = fs::read_to_string(tables.join("runs.csv")).expect("the runs");
    assert!(
        before.lines().next().is_some_and(|head| head.ends_with("distinct,distinct_unlike,all_seconds")),
        "{before}"
    );
    assert!(run_again(folder).stdout(Stdio::null()).status().expect("it starts").success());
    assert_eq!(fs::read_to_string(tables.join("runs.csv")).expect("the runs"), before, "nothing is left to do");
}
