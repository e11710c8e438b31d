//! Solvers as a user names them: one that does not work with its options, an executable of the user's own, one whose lines
//! nobody counts, and scripts that ask for what a solver does not give.

mod installed;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use installed::solver;

/// A script that asks for a model, as people send them.
const ASKS_FOR_MODEL: &str = "(set-logic QF_S)\n(declare-fun x () String)\n(assert (= x \"a\"))\n(assert (str.prefixof x x))\n\
    (check-sat)\n(get-model)\n";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mulstringfuzz")).args(arguments).output().expect("the program starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A run of four scripts, with CVC4 as the reference.
fn short_run(target: &str, out: &Path) -> Output {
    let size =
        ["--variant", "default", "--limit", "200ms", "--evaluations", "4", "--pop", "4", "--no-confirm", "--no-hunt"];
    run(&[&["fuzz", "--target", target, "--reference", "cvc4", "--out", text(out)], &size[..]].concat())
}

#[test]
fn a_solver_that_does_not_take_its_options_is_noticed_before_a_run() {
    let (folder, z3) = (tempfile::tempdir().expect("a folder"), solver("z3@5.4.1"));
    drop((z3, solver("cvc4")));
    let out = folder.path().join("run");
    for [target, reference] in [["z3@5.4.1 nosuch.option=2", "cvc4"], ["z3@5.4.1", "cvc4 --nosuch"]] {
        let fuzz = ["fuzz", "--target", target, "--reference", reference, "--variant", "no-coverage"];
        let output = run(&[&fuzz[..], &["--evaluations", "4", "--out", text(&out)]].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains("nosuch"), "the solver's own words: {}", stderr(&output));
        assert!(!out.exists(), "nothing is left in the way of the next try");
    }
    let broken = run(&["solvers", "z3@5.4.1 nosuch.option=2"]);
    assert_eq!(broken.status.code(), Some(3));
    assert!(stdout(&broken).contains("does not work"), "it is in the list all the same: {}", stdout(&broken));
    assert_eq!(run(&["solvers", "z3@5.4.1"]).status.code(), Some(0));
}

#[test]
fn an_executable_is_a_solver_by_its_path_and_anything_else_is_told_how_to_be_one() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(solver("cvc4"));
    let z3 = solver("z3@5.4.1").executable;
    let fuzz = |target: &str, name: &str| {
        let out = folder.path().join(name);
        (short_run(target, &out), out)
    };
    let (output, out) = fuzz(&format!("{} smt.arith.solver=2", z3.display()), "own");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the run goes on without coverage"), "{}", stderr(&output));
    assert!(!stdout(&output).contains("lines covered"), "nothing counts lines: {}", stdout(&output));
    let environment = fs::read_to_string(out.join("environment.json")).expect("what it was measured with");
    assert!(environment.contains("5.4.1") && environment.contains("smt.arith.solver=2"), "{environment}");
    let (output, _) = fuzz("/bin/true", "true");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("--profiles"), "{}", stderr(&output));
    let (output, _) = fuzz("nosuch", "nosuch");
    assert!(output.status.code() == Some(3) && stderr(&output).contains("./nosuch"), "{}", stderr(&output));
}

#[test]
fn a_run_of_a_solver_named_by_a_relative_path_is_resumed_from_another_folder() {
    let (folder, elsewhere) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    drop(solver("cvc4"));
    std::os::unix::fs::symlink(solver("z3@5.4.1").executable, folder.path().join("z3")).expect("a link");
    let size =
        ["--variant", "default", "--limit", "200ms", "--evaluations", "4", "--pop", "4", "--no-confirm", "--no-hunt"];
    let begin = [&["fuzz", "--target", "./z3", "--reference", "cvc4", "--out", "run"], &size[..]].concat();
    let in_folder = |folder: &Path, arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
        program.current_dir(folder).args(arguments).output().expect("the program starts")
    };
    let begun = in_folder(folder.path(), &begin);
    assert_eq!(begun.status.code(), Some(0), "{}", stderr(&begun));
    let root = folder.path().join("run");
    let resumed = in_folder(elsewhere.path(), &["fuzz", "--resume", text(&root), "--evaluations", "6"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    let same = in_folder(folder.path(), &["fuzz", "--resume", "run", "--target", "./z3", "--evaluations", "6"]);
    assert_eq!(same.status.code(), Some(0), "what the run began with is no change: {}", stderr(&same));
}

#[test]
fn the_same_solver_as_target_and_reference_gets_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = solver("cvc4").executable;
    for (number, target) in ["cvc4", text(&path)].into_iter().enumerate() {
        let output = short_run(target, &folder.path().join(number.to_string()));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("@1.6 is both target and reference"), "{target}: {}", stderr(&output));
    }
}

#[test]
fn a_script_that_asks_for_a_model_is_timed_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    drop((solver("z3str3"), solver("cvc4")));
    let (script, small) = (folder.path().join("model.smt2"), folder.path().join("small.smt2"));
    fs::write(&script, ASKS_FOR_MODEL).expect("a file");
    let evaluated = run(&["evaluate", text(&script), "--no-coverage", "--json"]);
    let rows: serde_json::Value = serde_json::from_slice(&evaluated.stdout).expect("JSON");
    assert_eq!((&rows[0]["target_result"], &rows[0]["reference_result"]), (&"sat".into(), &"sat".into()), "{rows}");
    // CVC4 1.6 refuses (get-model) without an option, and is asked all the same.
    let reduced = run(&["reduce", text(&script), "--keep", "result", "--out", text(&small), "--json"]);
    assert_eq!(reduced.status.code(), Some(0), "{}", stderr(&reduced));
    assert!(stdout(&reduced).contains("z3str3@4.8.10 sat, cvc4@1.6 sat"), "{}", stdout(&reduced));
}

#[test]
fn a_reference_that_does_not_decide_is_said_to_be_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    drop((solver("z3@5.4.1"), solver("cvc4")));
    let script = folder.path().join("complement.smt2");
    // CVC4 1.6 has no complement of languages.
    let asks = "(declare-fun x () String)\n(assert (str.in_re x (re.comp (str.to_re \"a\"))))\n(check-sat)\n";
    fs::write(&script, asks).expect("a file");
    let reduce = ["reduce", text(&script), "--target", "z3@5.4.1", "--keep", "result"];
    let output = run(&reduce);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("cvc4@1.6 is ignored"), "{}", stderr(&output));
}
