//! Whole campaigns on the real solvers, with coverage and traces, through the command line.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A campaign that takes a minute or two: short limits, a small population, three generations.
const SMALL: &[&str] = &[
    "fuzz",
    "--variant",
    "default",
    "--target",
    "z3str3",
    "--reference",
    "cvc4",
    "--limit",
    "1s",
    "--observe-limit",
    "300ms",
    "--confirm-limit",
    "1s",
    "--pop",
    "12",
    "--generations",
    "3",
    "--quiet",
    "--no-triage",
    "--no-hunt",
];

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command.stdout(Stdio::null());
    command
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

/// The rows of a CSV file, each as (column name → field).
fn rows(file: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(file).expect("a CSV file");
    reader.deserialize().map(|row| row.expect("a row that parses")).collect()
}

fn summary(run: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(run.join("summary.json")).expect("summary.json")).expect("JSON")
}

/// The files that a replay must reproduce, and their contents.
fn reproducible(run: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = vec!["front.csv".to_owned(), "generations.csv".to_owned(), "suspects.csv".to_owned()];
    for entry in fs::read_dir(run.join("population")).expect("the population") {
        files.push(format!("population/{}", entry.expect("an entry").file_name().to_string_lossy()));
    }
    files.sort();
    files.into_iter().map(|name| (name.clone(), fs::read(run.join(name)).expect("a file"))).collect()
}

#[test]
fn a_campaign_yields_its_record_and_a_replay_reproduces_it() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let run = folder.path().join("run");
    succeeds(program().args(SMALL).args(["--seed", "1", "--no-learn", "--out", text(&run)]));

    let evaluations = rows(&run.join("evaluations.csv"));
    assert!(evaluations.len() >= 40, "an initial population of 12 and three generations: {}", evaluations.len());
    for row in &evaluations {
        assert!(row["trace_lines"].parse::<u64>().is_ok_and(|lines| lines > 0), "every run is traced: {row:?}");
        assert!(row["lines_covered"].parse::<u64>().is_ok_and(|lines| lines > 1000), "and covers lines: {row:?}");
    }
    let accepted = |row: &&std::collections::BTreeMap<String, String>| {
        !["error", "unsupported"].contains(&row["target_result"].as_str()) && row["reference_result"] != "error"
    };
    let share = evaluations.iter().filter(accepted).count() as f64 / evaluations.len() as f64;
    assert!(share >= 0.95, "both solvers accept {share} of the instances");
    let fingerprints: HashSet<&str> = evaluations.iter().map(|row| row["fingerprint"].as_str()).collect();
    assert_eq!(fingerprints.len(), evaluations.len(), "no instance is evaluated twice");

    let summary = summary(&run);
    for key in [
        "evaluations",
        "evaluations_per_minute",
        "generations",
        "stop_reason",
        "total_lines",
        "mean_lines",
        "mean_t_score",
        "timeouts",
        "defects",
        "mean_complexity",
        "hypervolume",
        "solver_core_seconds",
        "total_core_seconds",
        "solver_share",
    ] {
        assert!(!summary[key].is_null(), "summary.json has {key}");
    }
    assert_eq!(summary["generations"], 3);
    assert_eq!(summary["evaluations"].as_u64(), Some(evaluations.len() as u64));

    for jobs in ["1", "2"] {
        let again = folder.path().join(format!("replay-{jobs}"));
        succeeds(program().args(["fuzz", "--quiet", "--jobs", jobs, "--replay", text(&run), "--out", text(&again)]));
        assert!(reproducible(&run) == reproducible(&again), "the replay with --jobs {jobs} is the same run");
    }
}

/// Waits until `rows` evaluations are recorded.
fn wait_for_rows(child: &mut std::process::Child, evaluations: &Path, rows: usize) {
    let started = Instant::now();
    while fs::read_to_string(evaluations).unwrap_or_default().lines().count() <= rows {
        assert!(started.elapsed() < Duration::from_secs(300), "evaluations are recorded as they happen");
        assert!(child.try_wait().expect("a status").is_none(), "the campaign is still under way");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_interrupted_campaign_writes_its_results_and_says_so() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let run = folder.path().join("run");
    let mut child = program().args(SMALL).args(["--seed", "3", "--out", text(&run)]).spawn().expect("the program");
    wait_for_rows(&mut child, &run.join("evaluations.csv"), 3);
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupt.success());
    assert_eq!(child.wait().expect("the end").code(), Some(130));
    assert_eq!(summary(&run)["stop_reason"], "interrupted");
    assert!(run.join("checkpoint").is_file() || summary(&run)["generations"] == 0, "it can be resumed");
}

#[test]
fn a_killed_campaign_resumes_and_loses_no_finished_evaluation() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let run = folder.path().join("run");
    let mut child = program().args(SMALL).args(["--seed", "2", "--out", text(&run)]).spawn().expect("the program");
    let evaluations = run.join("evaluations.csv");
    wait_for_rows(&mut child, &evaluations, 19);
    child.kill().expect("SIGKILL");
    child.wait().expect("the dead process");
    let before = fs::read_to_string(&evaluations).expect("evaluations.csv");
    let finished: Vec<&str> = before.lines().skip(1).filter(|line| line.matches(',').count() > 10).collect();

    succeeds(program().args(["fuzz", "--quiet", "--no-triage", "--no-hunt", "--resume", text(&run)]));
    let after = rows(&evaluations);
    let key = |line: &str| line.split(',').take(12).collect::<Vec<_>>().join(",");
    let text_after = fs::read_to_string(&evaluations).expect("evaluations.csv");
    let kept: HashSet<String> = text_after.lines().map(key).collect();
    // The last line may have been torn by the kill; what was written whole must be there still.
    for line in &finished[..finished.len() - 1] {
        assert!(kept.contains(&key(line)), "{line} was finished before the kill");
    }
    assert_eq!(summary(&run)["evaluations"].as_u64(), Some(after.len() as u64));
    assert_eq!(summary(&run)["generations"], 3);
}

#[test]
fn what_a_run_confirms_is_reduced_and_explained_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (seeds, run) = (folder.path().join("seeds"), folder.path().join("run"));
    fs::create_dir(&seeds).expect("a folder");
    let declared = "(set-logic QF_S)\n(declare-fun n () Int)\n(declare-fun s () String)\n(declare-fun t () String)\n";
    for (name, assertion) in [
        // The shape of the paper's Fig. 1(d): Z3str3 4.8.10 does not solve it.
        ("slow", "(assert (> (str.indexof \"kL?]q7mm4x\" t n) (str.to.int s)))\n(assert (> n 3))"),
        ("quick", "(assert (< (str.to.int t) (str.to.int s)))"),
    ] {
        fs::write(seeds.join(format!("{name}.smt2")), format!("{declared}{assertion}\n(check-sat)\n")).expect("a file");
    }
    let solvers = ["fuzz", "--variant", "only-time", "--instrumented", "none", "--limit", "800ms"];
    let size = ["--confirm-limit", "800ms", "--pop", "4", "--generations", "1", "--quiet"];
    succeeds(program().args(solvers).args(size).args(["--seeds", text(&seeds), "--out", text(&run)]));
    assert!(summary(&run)["distinct_defects"].as_u64() == Some(1), "{}", summary(&run));
    let list = fs::read_to_string(run.join("triage/triage.md")).expect("the list of defects");
    assert!(list.contains("| 001 |"), "{list}");
    let report = fs::read_to_string(run.join("triage/clusters/001/report.md")).expect("a report");
    assert!(report.contains("## How it grows") && report.contains("## Where the time goes"), "{report}");
    let reduced = fs::read_dir(run.join("defects")).expect("defects").map(|entry| entry.expect("an entry").path());
    let defects: Vec<_> = reduced.collect();
    assert_eq!(defects.len(), 1, "one folder for each distinct defect: {defects:?}");
    let report = fs::read_to_string(defects[0].join("report.md")).expect("a report");
    let small = fs::read_to_string(defects[0].join("reduced.smt2")).expect("the reduced instance");
    let parts = [small.trim_end(), "## Where the time goes", "## As it was found", "kL?]q7mm4x"];
    let places = parts.map(|part| report.find(part).unwrap_or_else(|| panic!("{part}: {report}")));
    assert!(places.is_sorted(), "the reduced instance leads, the script as it was found is last: {report}");

    // Without what the run has learned there is nothing to begin with, and a triage that has no time does not say of what
    // the run has confirmed that nothing is.
    fs::remove_file(run.join("known.jsonl")).expect("the run has learned");
    let other = folder.path().join("other");
    let hasty = ["triage", text(&run), "--out", text(&other), "--limit", "800ms", "--budget", "0s"];
    succeeds(program().args(hasty));
    let list = fs::read_to_string(other.join("triage.md")).expect("the list of defects");
    assert!(list.contains("confirmed by the run, but here not tried"), "{list}");
}

#[test]
fn a_wrong_answer_that_is_met_on_the_way_is_judged_and_made_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let (seeds, run) = (folder.path().join("seeds"), folder.path().join("run"));
    fs::create_dir(&seeds).expect("a folder");
    let declared = "(set-logic QF_S)\n(declare-fun n () Int)\n(declare-fun s () String)\n(declare-fun t () String)\n";
    // Z3str3 4.8.10 calls the first satisfiable; nobody is wrong about the second.
    for (name, assertion) in
        [("wrong", "(assert (str.< t t))\n(assert (> n 3))"), ("right", "(assert (= (str.len s) (+ n 1)))")]
    {
        fs::write(seeds.join(format!("{name}.smt2")), format!("{declared}{assertion}\n(check-sat)\n")).expect("a file");
    }
    let solvers = ["fuzz", "--variant", "only-time", "--instrumented", "none", "--limit", "1s", "--no-confirm"];
    let size = ["--pop", "2", "--generations", "0", "--quiet", "--fail-on-defect"];
    let status = program().args(solvers).args(size).args(["--seeds", text(&seeds), "--out", text(&run)]).status();
    assert_eq!(status.expect("a status").code(), Some(1), "a defect was found");
    let suspects = rows(&run.join("suspects.csv"));
    assert_eq!(suspects.iter().filter(|row| row["suspicion"] == "contradiction").count(), 1, "{suspects:?}");
    let hunt = fs::read_to_string(run.join("hunt/hunt.json")).expect("what the hunt came to");
    let hunt: serde_json::Value = serde_json::from_str(&hunt).expect("JSON");
    let found = hunt["defects"].as_array().expect("a list");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["kind"], "solution-unsoundness");
    assert_eq!(found[0]["solvers"], serde_json::json!(["z3str3@4.8.10"]));
    let small = fs::read_to_string(run.join("hunt/findings/001/reduced.smt2")).expect("the instance");
    assert_eq!(small.matches("(assert").count(), 1, "{small}");
    let page = fs::read_to_string(run.join("hunt/findings/001/finding.md")).expect("the page");
    assert!(page.contains("is false"), "the evidence is there: {page}");
}

#[test]
fn a_hunt_goes_on_where_an_earlier_one_stopped_and_what_it_found_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let (seeds, run) = (folder.path().join("seeds"), folder.path().join("run"));
    fs::create_dir(&seeds).expect("a folder");
    let declared = "(set-logic QF_S)\n(declare-fun s () String)\n(declare-fun t () String)\n";
    // Z3str3 4.8.10 calls both satisfiable.
    for (name, assertion) in [("one", "(assert (str.< t t))"), ("two", "(assert (str.< (str.++ s t) \"\"))")] {
        fs::write(seeds.join(format!("{name}.smt2")), format!("{declared}{assertion}\n(check-sat)\n")).expect("a file");
    }
    let fuzz =
        ["fuzz", "--variant", "only-time", "--instrumented", "none", "--limit", "1s", "--no-confirm", "--pop", "2"];
    let stop = ["--generations", "0", "--quiet"];
    succeeds(program().args(fuzz).args(stop).args(["--seeds", text(&seeds), "--out", text(&run)]));
    let path = run.join("hunt/hunt.json");
    let read = || -> serde_json::Value { serde_json::from_slice(&fs::read(&path).expect("a hunt")).expect("JSON") };
    let whole = read();
    assert_eq!(whole["defects"].as_array().map(Vec::len), Some(2), "{whole}");
    assert_eq!(whole["defects"][1]["like"], "001", "{whole}");
    // As if the budget had ended it after the first.
    let mut cut = whole.clone();
    let second = cut["defects"].as_array_mut().and_then(Vec::pop).expect("two defects");
    let name = second["seed"].as_str().expect("a name");
    cut["asked"].as_object_mut().and_then(|asked| asked.remove(name)).expect("it was asked about");
    cut["instances"] = 1.into();
    fs::write(&path, cut.to_string()).expect("hunt.json");
    fs::remove_dir_all(run.join("hunt/findings/002")).expect("its folder");

    let resume = |options: &[&str]| {
        let status =
            program().args(["fuzz", "--resume", text(&run), "--fail-on-defect"]).args(stop).args(options).status();
        (status.expect("a status").code(), summary(&run))
    };
    let (code, without) = resume(&["--no-hunt"]);
    assert_eq!((code, &without["wrong_answers"], &without["unjudged_suspects"]), (Some(1), &1.into(), &1.into()));
    let (code, with) = resume(&[]);
    assert_eq!((code, &with["wrong_answers"], &with["unjudged_suspects"]), (Some(1), &1.into(), &0.into()));
    let again = read();
    for key in ["number", "kind", "solvers", "like", "shape"] {
        assert_eq!(again["defects"][1][key], whole["defects"][1][key], "{again}");
    }
    assert_eq!(again["instances"], whole["instances"]);
    assert!(run.join("hunt/findings/002/reduced.smt2").is_file());
}
