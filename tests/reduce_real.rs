//! Reduces, compares versions and triages with the real solvers.

mod installed;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use installed::{script, solver};
use mulstringfuzz::cmd::matrix::{self, MatrixArgs};
use mulstringfuzz::cmd::reduce::{self, ReduceArgs};
use mulstringfuzz::cmd::triage::{self, TriageArgs};
use mulstringfuzz::evaluate::complexity::complexity;
use mulstringfuzz::exit::Status;
use mulstringfuzz::oracle::prover::{InstalledProver, Prover, Question};
use mulstringfuzz::reduce::strategy::Strategy;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::{self, PrintOptions};
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::process::Interrupt;

/// Short, so that the guard on elapsed time does not strike first on a busy machine.
const LIMIT: Duration = Duration::from_millis(800);

/// Z3str3 4.8.10 does not solve the third assertion, which stands among others, and in it a term does the harm; CVC4 1.6
/// says `sat` at once. The shape of the paper's Fig. 1(d).
const HIDDEN: &str = "(declare-fun u () String)\n(declare-fun v () String)\n\
    (assert (= (str.++ u \"-\" u) \"ab-ab\"))\n(assert (str.in.re v (re.+ (re.range \"a\" \"c\"))))\n\
    (assert (not (or (< n 3) (not (> (str.indexof \"kL?]q7mm4x\" t n) (str.to.int (str.replace s \"x\" \"yz\")))))))";

fn write(folder: &Path, name: &str, script: &Script) -> PathBuf {
    let path = folder.join(name);
    let text = printer::print(script, Dialect::SmtLib25, &PrintOptions::default()).expect("the dialect spells it");
    fs::write(&path, text).expect("a file");
    path
}

fn read(path: &Path) -> Script {
    let text = fs::read_to_string(path).expect("the result");
    parse(&text, "result", &ParseOptions { dialect: Some(Dialect::SmtLib25) }).expect("a sound script")
}

fn args(file: PathBuf, keep: &str, out: &Path) -> ReduceArgs {
    ReduceArgs {
        file,
        keep: keep.parse().expect("a property"),
        target: "z3str3".parse().expect("a solver"),
        reference: "cvc4".parse().expect("a solver"),
        trusted: Vec::new(),
        limit: Some(LIMIT),
        reference_limit: Some(LIMIT / 4),
        confirm_limit: Some(Duration::ZERO),
        seeds: None,
        robust: None,
        known: Vec::new(),
        keep_status: false,
        keep_logic: false,
        keep_names: false,
        no_model_check: false,
        strategy: Strategy::default(),
        dialect: None,
        max_tests: u64::MAX,
        seed: 0,
        jobs: NonZeroUsize::MIN,
        out: Some(out.to_owned()),
        profiles: None,
        json: true,
    }
}

/// Reduces, and gives the result and what was done.
fn reduced(args: &ReduceArgs) -> (Script, serde_json::Value) {
    let mut output = Vec::new();
    let status = reduce::run(args, &Interrupt::new(), &mut output).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(status, Status::Done);
    let out = args.out.as_deref().expect("a file");
    (read(out), serde_json::from_slice(&output).expect("JSON"))
}

fn answer(name: &str, script: &Script, limit: Duration) -> Answer {
    let question = Question { script, seed: None, limit, check_model: false };
    InstalledProver::new(solver(name)).ask(&question, &Interrupt::new()).expect("the solver runs").timed.answer
}

#[test]
fn a_slow_assertion_is_found_among_others_and_made_small() {
    solver("z3str3");
    solver("cvc4");
    let folder = tempfile::tempdir().expect("a folder");
    let input = script(HIDDEN);
    let (result, summary) = reduced(&ReduceArgs {
        keep_status: true,
        ..args(write(folder.path(), "in.smt2", &input), "slow", &folder.path().join("out.smt2"))
    });
    assert_eq!(result.assertions().count(), 1);
    assert!(complexity(&result) <= 11, "{}", complexity(&result));
    assert!(summary["after"]["bytes"].as_u64() <= Some(139), "{summary}");
    assert!(summary["spent"]["slow_runs"].as_u64() <= Some(24), "{summary}");
    // Judged again, by the solvers alone, at the limit that was asked for.
    assert_eq!(answer("z3str3", &result, LIMIT), Answer::Timeout);
    assert_eq!(answer("cvc4", &result, LIMIT), Answer::Sat);
}

#[test]
fn of_two_defects_in_one_script_the_other_is_found_without_what_is_known() {
    solver("z3str3");
    solver("cvc4");
    let folder = tempfile::tempdir().expect("a folder");
    let known = folder.path().join("known.smt2");
    fs::write(
        &known,
        "(define-fun substr ((s String) (from Int) (n Int)) String (str.substr s (! from :not-literal) n))\n",
    )
    .expect("a file");
    let both = script("(assert (= (str.substr s n 1) \"a\"))\n(assert (distinct \"\" (int.to.str n)))");
    let input = write(folder.path(), "in.smt2", &both);
    let (result, _) =
        reduced(&ReduceArgs { known: vec![known], ..args(input, "slow", &folder.path().join("out.smt2")) });
    let operators = result.telling_operators();
    assert!(operators.contains("str.from_int") && !operators.contains("str.substr"), "{operators:?}");
    assert_eq!(answer("z3str3", &result, LIMIT), Answer::Timeout);
}

#[test]
fn wrong_answers_and_exit_codes_are_kept() {
    solver("z3str3");
    solver("cvc4");
    let folder = tempfile::tempdir().expect("a folder");
    // Z3str3 4.8.10 says `sat` to a string below itself.
    let wrong = script("(assert (and (str.< (str.++ s \"a\") (str.++ s \"a\")) (= (str.len t) 3)))\n(assert (> n 4))");
    let input = write(folder.path(), "in.smt2", &wrong);
    let (result, _) = reduced(&args(input.clone(), "result", &folder.path().join("result.smt2")));
    assert_eq!(result.assertions().count(), 1);
    assert_eq!((answer("z3str3", &result, LIMIT), answer("cvc4", &result, LIMIT)), (Answer::Sat, Answer::Unsat));
    let (result, _) = reduced(&args(input.clone(), "invalid-model", &folder.path().join("model.smt2")));
    assert!(complexity(&result) < complexity(&wrong));
    // Any program: here one that looks for a word.
    let (result, summary) = reduced(&args(input, "script:grep -q str.len", &folder.path().join("script.smt2")));
    let text = printer::print(&result, Dialect::SmtLib25, &PrintOptions::default()).expect("it can be spelled");
    assert!(text.contains("str.len") && !text.contains("str.<"), "{text}");
    assert!(summary["kept"].as_str().is_some_and(|kept| kept.contains("exit code 0")), "{summary}");
}

#[test]
fn an_input_without_the_property_is_told() {
    solver("z3str3");
    solver("cvc4");
    let folder = tempfile::tempdir().expect("a folder");
    let quick = write(folder.path(), "in.smt2", &script("(assert (< (str.to.int t) (str.to.int s)))"));
    for (keep, words) in [("slow", "is not slow"), ("crash", "nothing to keep"), ("invalid-model", "nothing to keep")] {
        let args = args(quick.clone(), keep, &folder.path().join("out.smt2"));
        let error = reduce::run(&args, &Interrupt::new(), &mut Vec::new()).expect_err("it lacks it");
        assert!(error.to_string().contains(words), "{keep}: {error}");
    }
}

#[test]
fn versions_are_compared_and_findings_become_few_defects() {
    for name in ["z3str3", "cvc4", "z3@5.4.1"] {
        solver(name);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let raw = folder.path().join("raw");
    fs::create_dir(&raw).expect("a folder");
    let slow = |literal: &str, more: &str| {
        script(&format!("(assert (> (str.indexof \"{literal}\" t n) (str.to.int s)))\n{more}"))
    };
    write(&raw, "one.smt2", &slow("kL?]q7mm4x", "(assert (> n 3))"));
    write(&raw, "two.smt2", &slow("zz9:plural", "(assert (not (= s \"abc\")))"));
    write(&raw, "quick.smt2", &script("(assert (< (str.to.int t) (str.to.int s)))"));
    let out = folder.path().join("triage");
    let args = TriageArgs {
        inputs: vec![raw.clone()],
        out: out.clone(),
        target: "z3str3".parse().expect("a solver"),
        reference: "cvc4".parse().expect("a solver"),
        also: vec!["z3@5.4.1".parse().expect("a solver")],
        limit: LIMIT,
        confirm_limit: Some(LIMIT),
        budget: None,
        known: Vec::new(),
        no_explain: true,
        jobs: NonZeroUsize::MIN,
        profiles: None,
        fail_on_defect: true,
        json: true,
    };
    let mut output = Vec::new();
    let status = triage::run(&args, &Interrupt::new(), &mut output).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(status, Status::DefectsFound);
    let triaged: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    let defects = &triaged["defects"];
    assert_eq!(defects.as_array().map(Vec::len), Some(1), "two instances of one defect: {defects:#}");
    assert_eq!(defects[0]["severity"]["members"], 2);
    let report = fs::read_to_string(out.join("clusters/001/report.md")).expect("a report");
    for words in ["## Random seeds", "## The same in other words", "## Other versions", "## Found as", "No output of"] {
        assert!(report.contains(words), "{words}: {report}");
    }
    // Once more: what was reduced is not reduced again, and says the same.
    let instance = fs::read_to_string(out.join("clusters/001/reduced.smt2")).expect("an instance");
    triage::run(&args, &Interrupt::new(), &mut Vec::new()).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(fs::read_to_string(out.join("clusters/001/reduced.smt2")).expect("an instance"), instance);

    let args = MatrixArgs {
        defects: vec![out.clone(), raw.join("quick.smt2")],
        solvers: ["z3str3@4.8.10", "z3@5.4.1"].map(|name| name.parse().expect("a solver")).to_vec(),
        answers: false,
        limit: LIMIT,
        jobs: NonZeroUsize::MIN,
        out: Some(folder.path().join("matrix")),
        profiles: None,
        json: true,
    };
    let mut output = Vec::new();
    matrix::run(&args, &Interrupt::new(), &mut output).unwrap_or_else(|error| panic!("{error:#}"));
    let matrix: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    assert_eq!(matrix["rows"][0]["first_bad"], "z3str3@4.8.10", "{matrix:#}");
    assert_eq!(matrix["rows"][0]["first_good"], "z3@5.4.1", "{matrix:#}");
    assert_eq!(matrix["rows"][1]["first_bad"], serde_json::Value::Null, "{matrix:#}");
    for file in ["matrix.svg", "matrix.png", "matrix.csv", "matrix.md"] {
        assert!(folder.path().join("matrix").join(file).is_file(), "{file}");
    }
}

#[test]
fn a_script_with_two_defects_is_peeled_and_shows_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let raw = folder.path().join("raw");
    fs::create_dir(&raw).expect("a folder");
    // Z3str3 4.8.10 does not solve either.
    let substr = "(assert (= \"ab\" (str.substr t n 3)))";
    let number = "(assert (str.in.re (int.to.str n) (re.+ (str.to.re \"a\"))))";
    write(&raw, "substr.smt2", &script(substr));
    write(&raw, "both.smt2", &script(&format!("{substr}\n{number}")));
    let triage = |out: &Path, known: &[&Path]| -> serde_json::Value {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
        command.arg("triage").arg(&raw).arg("--out").arg(out).args(["--limit", "500ms", "--confirm-limit", "500ms"]);
        command.args(["--no-explain", "--json"]);
        for known in known {
            command.arg("--known").arg(known);
        }
        let output = command.output().expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let out = folder.path().join("triage");
    let peeled = triage(&out, &[]);
    let defects = peeled["defects"].as_array().expect("a list");
    assert_eq!(defects.len(), 2, "{peeled}");
    let pattern = |defect: &serde_json::Value| defect["pattern"]["text"].as_str().unwrap_or_default().to_owned();
    for operator in ["str.substr", "str.from_int"] {
        assert_eq!(defects.iter().filter(|defect| pattern(defect).contains(operator)).count(), 1, "{peeled}");
    }
    for defect in defects {
        let (slow, tried) = (defect["pattern"]["slow"].as_u64(), defect["pattern"]["tried"].as_u64());
        assert!(slow.is_some() && 2 * slow.unwrap_or(0) >= tried.unwrap_or(u64::MAX), "{defect}");
    }
    // Neither holds the pattern of the other, so that each is left where the other is known.
    let first = out.join("clusters/001/pattern.smt2");
    let left = triage(&folder.path().join("again"), &[&first]);
    let texts: Vec<String> = left["defects"].as_array().expect("a list").iter().map(pattern).collect();
    assert_eq!(texts.len(), 1, "{left}");
    assert!(!texts[0].is_empty() && texts[0] != pattern(&defects[0]), "{left}");
}
