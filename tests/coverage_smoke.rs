//! An experiment of coverage on the real instrumented solver: killed in the middle, started again, tables.

mod installed;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use installed::built;
use mulstringfuzz::experiment::{CoverageRun, Measured};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Far above what anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);
/// Seeds that take milliseconds, of theories that share little code.
const SEEDS: [&str; 6] =
    ["arrays-swap", "bit-vectors-concat", "datatypes-list", "functions-congruence", "let-shared", "propositional"];

/// The experiment with fewer seeds, and runs that the solver's own limit ends, so that each covers the same every time.
fn shortened() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let text = fs::read_to_string(folder.join("typefuzz-coverage.toml")).expect("the specification");
    let paths =
        SEEDS.map(|seed| format!("\"{}\"", folder.join("typefuzz").join(seed).with_extension("smt2").display()));
    let seeds = format!("seeds = [{}]\nsoft-limit = 200000", paths.join(", "));
    assert!(text.contains("seeds = [\"typefuzz\"]"), "{text}");
    text.replace("seeds = [\"typefuzz\"]", &seeds)
}

fn experiment(folder: &Path, out: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command.current_dir(folder).args(["experiment", "run", "coverage.toml", "--scale", "evening", "--repeats", "1"]);
    command.args(["--limit", "60s", "--quiet", "--jobs", "1", "--out", out]);
    command
}

fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Starts the experiment, and kills it and all its children as soon as one seed of this run is done.
fn kill_in_the_middle(folder: &Path, out: &str, root: &Path) {
    let mut child = experiment(folder, out).process_group(0).stdout(Stdio::null()).spawn().expect("it starts");
    let begun = Instant::now();
    while !root.join("covered.bin").is_file() {
        assert!(begun.elapsed() < PATIENCE && child.try_wait().expect("our child").is_none(), "it comes so far");
        std::thread::sleep(Duration::from_millis(2));
    }
    killpg(Pid::from_raw(i32::try_from(child.id()).expect("a process number")), Signal::SIGKILL).expect("it runs");
    child.wait().expect("our child");
}

/// How many branches two measurements may differ by: what a solver's clock and addresses decide takes one more now and then.
const BRANCHES: usize = 10;
/// The same, in a table of shares: of some ten thousand branches.
const BRANCHES_PERCENT: f64 = 0.1;

/// Whether two tables are equal but for their columns about branches, which differ by `most` at most.
fn are_alike(left: &str, right: &str, most: f64) -> bool {
    let rows = |text: &str| -> Vec<csv::StringRecord> {
        let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        reader.into_records().map(|row| row.expect("a row")).collect()
    };
    let (left, right) = (rows(left), rows(right));
    let is_alike = |column: &str, left: &str, right: &str| {
        let numbers =
            left.parse::<f64>().ok().zip(right.parse::<f64>().ok()).filter(|_| column.starts_with("branches"));
        left == right || numbers.is_some_and(|(left, right)| (left - right).abs() <= most)
    };
    let heading = &left[0];
    let are_alike = |(left, right): (&csv::StringRecord, &csv::StringRecord)| {
        left.len() == right.len()
            && heading.iter().zip(left.iter().zip(right)).all(|(column, (left, right))| is_alike(column, left, right))
    };
    left.len() == right.len() && left.iter().zip(&right).all(are_alike)
}

#[test]
fn a_killed_measurement_goes_on_to_the_same_table() {
    built("z3str3-gcov@4.8.10");
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    fs::write(folder.join("coverage.toml"), shortened()).expect("a specification");
    let root = |out: &str, arm: &str| -> PathBuf { folder.join(out).join("runs").join(arm).join("001") };

    let killed = root("killed", "typefuzz-mutants");
    kill_in_the_middle(folder, "killed", &killed);
    let run = CoverageRun::new(&killed);
    let (before, _) = run.checkpoint().expect("a sound checkpoint").expect("a checkpoint");
    assert!(before.done > 0 && before.done < before.of, "{before:?}");
    assert_eq!(run.measured().expect("nothing damaged"), None);
    let printed = succeeded(&experiment(folder, "killed").output().expect("it starts"));

    // One that nobody kills comes to the same, but for the time.
    succeeded(&experiment(folder, "whole").output().expect("it starts"));
    let measured = |out: &str, arm: &str| {
        let measured = CoverageRun::new(&root(out, arm)).measured().expect("nothing damaged").expect("a finished run");
        let mut progress = measured.progress;
        progress.solver_seconds = 0.0;
        Measured { progress, ..measured }
    };
    for arm in ["seeds", "opfuzz-mutants", "typefuzz-mutants"] {
        let (mut killed, whole) = (measured("killed", arm), measured("whole", arm));
        let branches = (&mut killed.totals.branches.covered, whole.totals.branches.covered);
        assert!(branches.0.abs_diff(branches.1) <= BRANCHES, "{branches:?}");
        *branches.0 = branches.1;
        assert_eq!(killed, whole);
    }
    let table =
        |out: &str, name: &str| fs::read_to_string(folder.join(out).join("tables").join(name)).expect("a table");
    for (name, most) in [("only-here.csv", BRANCHES as f64), ("gains.csv", BRANCHES_PERCENT)] {
        let (killed, whole) = (table("killed", name), table("whole", name));
        assert!(are_alike(&killed, &whole, most), "{killed}, {whole}");
    }

    assert!(
        printed.contains("(17.2 %)") && printed.contains("| TypeFuzz + OpFuzz"),
        "the paper's beside ours: {printed}"
    );
    let seeds = measured("whole", "seeds");
    assert_eq!((seeds.progress.scripts, seeds.progress.without_counters), (SEEDS.len() as u64, 0));
    assert!(seeds.totals.lines.covered > 10_000 && seeds.totals.branches.percent() < 50.0, "{seeds:?}");
    let mutants = measured("whole", "typefuzz-mutants").progress.scripts;
    assert!(mutants > 5 * SEEDS.len() as u64, "ten of each, or nearly: {mutants}");
    // A union covers what its parts cover, and no more.
    assert!(table("whole", "only-here.csv").contains("\nseeds,both,1,0,0,0,0\n"));

    let again = experiment(folder, "killed").output().expect("it starts");
    assert_eq!(succeeded(&again), printed, "nothing is left to do");
}
