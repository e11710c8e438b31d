//! Why a run stops, and what it leaves.

use super::scripted::{Fault, Options, assert_same_results, config, read, replay, resume, run};
use mulstringfuzz::campaign::{Confirm, StopReason};
use mulstringfuzz::evaluate::individual::Timed;
use mulstringfuzz::oracle::OracleError;
use mulstringfuzz::oracle::performance::{Confirmed, NotConfirmed, Reason, RunRow, Step, Verdict};
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::process::Interrupt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

#[test]
fn a_budget_is_kept_and_results_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let pause = Duration::from_millis(20);
    let started = Instant::now();
    let report =
        run(&root, &config("population = 10\nbudget = '400ms'"), &Options { pause, ..Options::default() }).unwrap();
    assert_eq!(report.reason, StopReason::Budget);
    assert!(started.elapsed() >= Duration::from_millis(400));
    for name in [
        "config.toml",
        "environment.json",
        "evaluations.csv",
        "generations.csv",
        "front.csv",
        "coverage.csv",
        "coverage.info",
        "summary.json",
    ] {
        assert!(root.join(name).is_file(), "{name}");
    }
    let summary: serde_json::Value = serde_json::from_str(&read(&root, "summary.json")).unwrap();
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
        assert!(summary.get(key).is_some(), "{key}");
    }
}

/// The column of a CSV file, as numbers; empty fields are left out.
fn column(root: &std::path::Path, file: &str, name: &str) -> Vec<f64> {
    let text = read(root, file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let place = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().filter_map(|record| record.unwrap()[place].parse().ok()).collect()
}

#[test]
fn a_solver_budget_counts_what_the_variant_needs_and_ends_within_the_generation() {
    let folder = tempfile::tempdir().unwrap();
    // An evaluation takes 0.3 s of observed runs and 0.05 s of the reference, which not all searches need.
    let needs = [("default", 0.35), ("only-time", 0.3), ("stringfuzz", 0.0), ("stringfuzz-runtime-difference", 0.05)];
    for (variant, needed) in needs {
        let root = folder.path().join(variant);
        let text = format!("population = 10\nsolver-budget = '40s'\nvariant = '{variant}'");
        let options = Options { jobs: 1, ..Options::default() };
        let report = run(&root, &config(&text), &options).unwrap();
        assert_eq!(report.reason, StopReason::Budget);
        let charged = column(&root, "evaluations.csv", "charged_seconds");
        let total: f64 = charged.iter().sum();
        let before = column(&root, "generations.csv", "charged_seconds");
        let before = before.len().checked_sub(2).map_or(0.0, |last_but_one| before[last_but_one]);
        assert!(total >= 40.0 && before < 40.0, "{variant}: {before} before the last generation, {total} after");
        assert!((report.summary.charged_seconds - total).abs() < 1e-9);
        let solver = column(&root, "evaluations.csv", "solver_seconds");
        for (charged, solver) in charged.iter().zip(&solver) {
            assert!((solver - charged - (0.35 - needed)).abs() < 1e-9, "{variant}: {charged} of {solver}");
        }
        let more = super::scripted::resume(&root, "", &options).unwrap();
        assert_eq!(more.reason, StopReason::Budget);
        assert_eq!(more.summary.evaluations, report.summary.evaluations, "a spent budget pays for nothing more");
        let again = folder.path().join(format!("{variant}-again"));
        super::scripted::replay(&root, &again, &options).unwrap();
        assert_eq!(read(&root, "generations.csv"), read(&again, "generations.csv"));
    }
}

#[test]
fn an_interrupt_leaves_results_and_a_run_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let options = Options { pause: Duration::from_millis(10), ..Options::default() };
    let interrupt = options.interrupt.clone();
    let report = std::thread::scope(|scope| {
        // The first generation is over when there is a checkpoint; the run has no end of its own.
        let checkpoint = root.join("checkpoint");
        scope.spawn(move || {
            while !checkpoint.is_file() {
                std::thread::sleep(Duration::from_millis(1));
            }
            interrupt.set();
        });
        run(&root, &config("population = 8"), &options).unwrap()
    });
    assert_eq!(report.reason, StopReason::Interrupted);
    assert!(root.join("summary.json").is_file() && root.join("checkpoint").is_file());
    super::scripted::resume(&root, "generations = 2", &Options::default()).unwrap();
}

#[test]
fn stagnation_ends_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let report =
        run(&root, &config("population = 4\nstagnation = 3\nvariant = 'stringfuzz'"), &Options::default()).unwrap();
    assert_eq!(report.reason, StopReason::Stagnation);
}

/// Refutes the first candidate, cannot verify the rest.
#[derive(Default)]
struct Sceptic(AtomicU32);

impl Confirm for Sceptic {
    fn confirm(
        &self,
        script: &Script,
        known: &[RunRow],
        on_run: &(dyn Fn(&RunRow) + Sync),
        _: &Interrupt,
    ) -> Result<Verdict, OracleError> {
        assert!(script.assertions().next().is_some() && known.is_empty());
        let run = RunRow {
            step: Step::Reference(0),
            solver: "reference".into(),
            version: "1".into(),
            command: "reference".into(),
            seed: None,
            limit_seconds: 2.0,
            timed: Timed { answer: Answer::Sat, cpu_seconds: 0.001, wall_seconds: 0.001, peak_memory_bytes: 0 },
        };
        on_run(&run);
        let first = self.0.fetch_add(1, Ordering::Relaxed) == 0;
        let reason = if first { Reason::TargetEnds(Answer::Sat) } else { Reason::Unverified };
        Ok(Verdict::NotConfirmed(Box::new(NotConfirmed { reason, runs: vec![run], contradictions: vec![] })))
    }

    fn report(&self, _: &Script, _: &Confirmed) -> String {
        String::new()
    }
}

#[test]
fn candidates_are_saved_at_once_and_confirmed_within_the_share() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let sceptic = Sceptic::default();
    let options = Options { confirm: Some(&sceptic), ..Options::default() };
    let report = run(&root, &config("population = 20\ngenerations = 3"), &options).unwrap();
    let folders: Vec<_> =
        std::fs::read_dir(root.join("candidates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(folders.len() > 1, "the scripted solver times out on one script of ten");
    for folder in &folders {
        for name in ["instance.smt2", "runs.csv", "report.md", "defect.json"] {
            assert!(folder.join(name).is_file(), "{name}");
        }
    }
    assert_eq!(report.summary.refuted, 1);
    assert_eq!(report.summary.candidates, folders.len() as u64 - 1);
    assert_eq!(report.summary.defects, 0, "nothing was confirmed");
    let runs = read(&root, "candidates/001/runs.csv");
    assert!(runs.starts_with("purpose,solver,version,command,seed,limit_seconds,answer,cpu_seconds"), "{runs}");
    assert_eq!(runs.matches("\nsearch,").count(), 2, "{runs}");
    assert!(runs.contains("\nreference 1,reference,1"), "{runs}");
}

#[test]
fn a_replay_takes_over_how_confirmations_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (root, again) = (folder.path().join("run"), folder.path().join("again"));
    let sceptic = Sceptic::default();
    let options = Options { confirm: Some(&sceptic), ..Options::default() };
    let before = run(&root, &config("population = 20\ngenerations = 3"), &options).unwrap().summary;
    let asked = sceptic.0.load(Ordering::Relaxed);
    let after = replay(&root, &again, &Options { jobs: 1, ..Options::default() }).unwrap().summary;
    assert_eq!((after.defects, after.candidates, after.refuted), (before.defects, before.candidates, before.refuted));
    assert_eq!(after.evaluations_per_minute, 0.0, "nothing ran whose speed could be told");
    assert_eq!(sceptic.0.load(Ordering::Relaxed), asked, "nobody is asked again");
    let refuted = |root: &std::path::Path| {
        let folders = std::fs::read_dir(root.join("candidates")).unwrap().map(|entry| entry.unwrap().path());
        let mut states = folders.map(|folder| read(&folder, "defect.json"));
        states.find(|state| state.contains("refuted")).map(|state| state.lines().skip(2).collect::<String>())
    };
    assert_eq!(refuted(&root), refuted(&again));
    assert!(refuted(&again).is_some());
}

#[test]
fn a_fault_of_ours_on_some_individuals_ends_nothing_and_keeps_their_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let (root, again) = (folder.path().join("run"), folder.path().join("again"));
    let options = Options { fault: Fault::Panics, ..Options::default() };
    let report = run(&root, &config("population = 20\ngenerations = 3"), &options).unwrap();
    assert_eq!(report.reason, StopReason::Generations);
    let failed = report.summary.internal_errors;
    assert!(failed > 0 && report.summary.invalid >= failed, "{:?}", report.summary);
    let scripts: Vec<_> =
        std::fs::read_dir(root.join("internal-errors")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(scripts.len() as u64, failed);
    let script = std::fs::read_to_string(&scripts[0]).unwrap();
    assert!(script.starts_with("; a fault of ours") && script.contains("(check-sat)"), "{script}");
    replay(&root, &again, &Options::default()).unwrap();
    assert_same_results(&root, &again);
}

#[test]
fn a_run_whose_reference_refuses_everything_ends_with_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let options = Options { fault: Fault::Refuses, ..Options::default() };
    let error = run(&root, &config("population = 20\ngenerations = 3"), &options).unwrap_err().to_string();
    assert_eq!(
        error,
        "the reference refuses 20 of 20 scripts of generation 0; of the last it says: error ((error \"no such option\"))"
    );
    assert!(read(&root, "summary.json").contains("\"stop_reason\": \"failed\""), "what was measured is kept");
    // Somebody has mended the reference: what was refused stays so, and the run goes on.
    let report = resume(&root, "", &Options::default()).unwrap();
    assert_eq!(report.reason, StopReason::Generations);
}

#[test]
fn no_share_still_owes_one_confirmation() {
    let folder = tempfile::tempdir().unwrap();
    let sceptic = Sceptic::default();
    let options = Options { confirm: Some(&sceptic), ..Options::default() };
    run(&folder.path().join("run"), &config("population = 20\ngenerations = 3\n[confirm]\nshare = 0.0"), &options)
        .unwrap();
    assert_eq!(sceptic.0.load(Ordering::Relaxed), 1);
}

#[test]
fn seeds_come_first_and_the_rest_is_generated() {
    use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let text = "(set-logic QF_S)(declare-fun x () String)(assert (= (str.len x) 3))(check-sat)";
    let script = parse(text, "a.smt2", &ParseOptions::default()).unwrap();
    // The same seed under another name is one individual.
    let seeds = vec![("a.smt2".to_owned(), script.clone()), ("b.smt2".to_owned(), script)];
    run(&root, &config("population = 5\ngenerations = 0"), &Options { seeds, ..Options::default() }).unwrap();
    let rows = read(&root, "evaluations.csv");
    assert_eq!(rows.lines().filter(|row| row.contains(",seed,")).count(), 1, "{rows}");
    assert_eq!(rows.lines().filter(|row| row.contains(",generated,")).count(), 4, "{rows}");
    assert!(rows.contains("a.smt2"));
}
