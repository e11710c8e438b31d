//! Evaluates scripts with the real solvers: what counts as slow, what as invalid, and what a killed run still shows.

mod installed;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use installed::{built, map_folder, script, solver};
use mulstringfuzz::cmd::evaluate::{self, EvaluateArgs};
use mulstringfuzz::coverage::read_data_folder;
use mulstringfuzz::evaluate::complexity::complexity;
use mulstringfuzz::evaluate::individual::{Observation, Timed};
use mulstringfuzz::evaluate::{Evaluator, Fusion, Instrumented, Observe, runtime};
use mulstringfuzz::oracle::candidate::{Failing, candidate};
use mulstringfuzz::oracle::performance::{ConfirmSettings, Confirmation, Verdict};
use mulstringfuzz::oracle::prover::{InstalledProver, Prover};
use mulstringfuzz::oracle::verification::Verification;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::printer::{self, PrintOptions};
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::trace::{TraceLines, similarity};

/// Short, so that the guard on elapsed time (10 s at least) does not strike first on a busy machine.
const LIMIT: Duration = Duration::from_millis(800);

/// Z3str3 4.8.10 does not solve this; CVC4 1.6 says `sat` at once. The shape of the paper's Fig. 1(d).
const SLOW: &str = "(assert (> (str.indexof \"kL?]q7mm4x\" t n) (str.to.int s)))";
/// The same after exchanging two variables of one sort.
const SLOW_TWIN: &str = "(assert (> (str.indexof \"kL?]q7mm4x\" s n) (str.to.int t)))";
/// Both solve this at once. The shape of the paper's Fig. 1(a).
const QUICK: &str = "(assert (< (str.to.int t) (str.to.int s)))";

/// The instrumented target.
fn instrumented() -> Instrumented {
    Instrumented::open(built("z3str3-gcov"), &map_folder(), &Interrupt::new()).expect("a sound build")
}

fn evaluator(instrumented: Option<Instrumented>, fusion: Fusion) -> Evaluator {
    let trace = Some(TraceLines::Raw);
    let observe = Observe { instrumented, trace, fusion, limit: LIMIT, soft_limit: None, max_trace_lines: None };
    Evaluator { target: solver("z3str3"), reference: solver("cvc4"), observe, limit: LIMIT, timings: 1 }
}

fn observe(evaluator: &Evaluator, assertions: &str) -> Observation {
    evaluator.observe_script(&script(assertions), &Interrupt::new()).expect("the solvers run")
}

fn score(target: &Timed, reference: &Timed) -> f64 {
    runtime::t_score(target, reference, LIMIT)
}

#[test]
fn a_slow_target_scores_and_its_killed_run_has_a_trace() {
    let evaluator = evaluator(None, Fusion::Fused);
    let slow = observe(&evaluator, SLOW);
    assert_eq!((&slow.target.answer, &slow.reference.answer), (&Answer::Timeout, &Answer::Sat));
    let score = score(&slow.target, &slow.reference);
    assert!(score > 1.5 * LIMIT.as_secs_f64() && score < 2.0 * LIMIT.as_secs_f64(), "{score}");
    assert_eq!(candidate(&slow.target, &slow.reference, LIMIT), Some(Failing::Slow));
    let trace = slow.trace.expect("a trace");
    assert!(trace.len() > 1000, "{} lines", trace.len());
    assert!(slow.coverage.is_none());
    assert!(slow.solver_seconds > slow.target.cpu_seconds + slow.reference.cpu_seconds);

    let quick = observe(&evaluator, QUICK);
    assert!(quick.target.answer.is_solved() && quick.reference.answer.is_solved());
    assert_eq!(candidate(&quick.target, &quick.reference, LIMIT), None);
    let other = quick.trace.expect("a trace");
    assert!((similarity(&other, &other) - 1.0).abs() < f64::EPSILON);
    assert!(similarity(&trace, &other) < 0.9);
}

#[test]
fn a_killed_run_has_coverage_too_fused_or_apart() {
    let instrumented = instrumented();
    for fusion in [Fusion::Fused, Fusion::Apart] {
        let evaluator = evaluator(Some(instrumented.clone()), fusion);
        for assertions in [SLOW, QUICK] {
            let observation = observe(&evaluator, assertions);
            let lines = observation.coverage.expect("coverage").len();
            assert!(lines > 5000, "{fusion:?}: {lines} lines");
            assert!(observation.trace.is_some_and(|trace| !trace.is_empty()));
        }
    }
}

#[test]
fn an_unsupported_operator_never_counts_as_slow() {
    let evaluator = evaluator(None, Fusion::Fused);
    let observation = observe(&evaluator, &format!("{SLOW}\n(assert (= (str.replace_all s t \"a\") t))"));
    assert!(matches!(observation.target.answer, Answer::Unsupported(_)), "{}", observation.target.answer);
    assert!(!runtime::is_valid(&observation.target));
    assert_eq!(candidate(&observation.target, &observation.reference, LIMIT), None);
    assert!(observation.trace.is_none(), "nothing else runs");
}

#[test]
fn a_reference_that_cannot_read_the_script_is_never_fast() {
    // CVC4 1.6 has no complement of regular languages.
    let observation = observe(&evaluator(None, Fusion::Fused), "(assert (str.in.re s (re.comp (str.to.re t))))");
    assert!(observation.reference.answer.is_refusal(), "{}", observation.reference.answer);
    let charged = runtime::reference_seconds(&observation.reference, LIMIT);
    assert!((charged - LIMIT.as_secs_f64()).abs() < f64::EPSILON);
    assert!(score(&observation.target, &observation.reference) <= LIMIT.as_secs_f64());
}

#[test]
fn a_literal_means_the_same_to_both_solvers() {
    // In SMT-LIB 2.5 this literal is six characters; a naive copy would be one to Z3 4.8.10, and five to CVC4 1.6.
    let length = |length: u32| format!("(assert (= s \"\\u{{41}}\"))\n(assert (= (str.len s) {length}))");
    let evaluator = evaluator(None, Fusion::Fused);
    let mut satisfied = 0;
    for candidate in [1, 5, 6] {
        let observation = observe(&evaluator, &length(candidate));
        assert_eq!(observation.target.answer, observation.reference.answer, "length {candidate}");
        satisfied += u32::from(observation.target.answer == Answer::Sat);
    }
    assert_eq!(satisfied, 1);
}

#[test]
fn exchanging_two_variables_keeps_the_complexity() {
    assert_eq!(complexity(&script(SLOW)), 11);
    assert_eq!(complexity(&script(SLOW_TWIN)), 11);
}

#[test]
fn a_defect_is_confirmed_with_a_model_that_holds() {
    let [target, reference, verifier] = ["z3str3", "cvc4", "z3seq"].map(|name| InstalledProver::new(solver(name)));
    let verifiers: [&dyn Prover; 1] = [&verifier];
    let mut settings = ConfirmSettings::new(LIMIT, LIMIT);
    settings.seeds = 3;
    settings.verify_limit = Duration::from_secs(5);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let confirmation =
        Confirmation { target: &target, reference: &reference, verifiers: &verifiers, settings, pool: &pool };
    let verdict = confirmation.confirm(&script(SLOW), &[], &|_| {}, &Interrupt::new()).expect("the solvers run");
    let Verdict::Confirmed(confirmed) = verdict else { panic!("{verdict:?}") };
    assert!(matches!(&confirmed.verification, Verification::ModelEvaluated { .. }), "no other solver is asked");
    assert_eq!((confirmed.answer, confirmed.profile.seeds), (Answer::Sat, 3));
    assert!(confirmed.runs.iter().all(|row| !row.command.contains('/')));
}

/// Arguments of the verb for `files`, with the paper's pair, JSON and all else as by default.
fn arguments(files: Vec<PathBuf>) -> EvaluateArgs {
    EvaluateArgs {
        files,
        target: "z3str3".parse().expect("a name"),
        reference: "cvc4".parse().expect("a name"),
        instrumented: None,
        limit: LIMIT,
        observe_limit: None,
        observe_soft_limit: None,
        gcda: None,
        totals: false,
        no_coverage: false,
        jobs: NonZeroUsize::MIN,
        profiles: None,
        json: true,
    }
}

/// Writes a script into the file `name` of `folder`.
fn written(folder: &Path, name: &str, assertions: &str) -> PathBuf {
    let file = folder.join(name);
    let text = printer::print(&script(assertions), Dialect::SmtLib25, &PrintOptions::default()).expect("printable");
    std::fs::write(&file, text).expect("writable");
    file
}

#[test]
fn the_verb_prints_one_object_per_file_under_the_names_of_the_csv() {
    let (_, _) = (solver("z3str3"), solver("cvc4"));
    let folder = tempfile::tempdir().expect("a folder");
    let files = [SLOW, QUICK].map(|it| written(folder.path(), &format!("{}.smt2", it.len()), it));
    let args = EvaluateArgs { no_coverage: true, ..arguments(files.to_vec()) };
    let mut output = Vec::new();
    evaluate::run(&args, &Interrupt::new(), &mut output).expect("both files are sound");
    let rows: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!((rows[0]["target_result"].as_str(), rows[1]["target_result"].as_str()), (Some("timeout"), Some("sat")));
    assert_eq!(rows[0]["complexity"], 11);
    assert!(rows[0]["t_score"].as_f64() > Some(1.5 * LIMIT.as_secs_f64()));
    assert!(rows[0]["lines_covered"].is_null() && rows[0]["trace_lines"].as_u64() > Some(1000));
    assert_eq!(rows[1]["bytes"].as_u64(), std::fs::metadata(&files[1]).map(|data| data.len()).ok());
}

#[test]
fn the_verb_writes_coverage_for_the_compilers_tools() {
    let (_, _) = (solver("z3str3"), solver("cvc4"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "quick.smt2", QUICK);
    let args = EvaluateArgs { gcda: Some(folder.path().join("data")), totals: true, ..arguments(vec![file]) };
    let mut output = Vec::new();
    evaluate::run(&args, &Interrupt::new(), &mut output).expect("the file is sound");
    let rows: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    let instrumented = instrumented();
    let data = folder.path().join("data/quick");
    let counters = read_data_folder(&data, &instrumented.map).expect("data files");
    // The run is repeatable, but for the trace that this one did not write.
    let (lines, seen) = (instrumented.map.line_counts(&counters).len(), rows[0]["lines_covered"].as_u64());
    assert!(seen.is_some_and(|seen| lines.abs_diff(seen as usize) < 500), "{lines} and {seen:?}");
    // The two further runs are the same.
    let totals = &rows[1]["together"];
    assert_eq!(totals["lines"]["covered"], lines);
    assert_eq!(totals["lines"]["total"], instrumented.map.slots());
    for share in [&totals["functions"], &totals["branches"]] {
        assert!(
            share["covered"].as_u64() > Some(1000) && share["covered"].as_u64() < share["total"].as_u64(),
            "{share}"
        );
    }
    let notes = std::fs::read_dir(data.join("smt")).expect("a folder").flatten();
    assert!(notes.filter(|entry| entry.path().extension().is_some_and(|it| it == "gcno")).all(|it| it.path().exists()));
}
