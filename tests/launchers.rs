//! The commands of ours for solvers that come as libraries: they behave as the solvers' own commands do.

mod installed;

use std::sync::Arc;

use installed::{cache, solver};
use mulstringfuzz::semantics::evaluate::Evaluator;
use mulstringfuzz::semantics::model::read;
use mulstringfuzz::semantics::value::Value;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::solver::answer::{Answer, check_sat_answers};
use mulstringfuzz::solver::installed::{RunOptions, Solver};
use mulstringfuzz::solver::process::{Exit, Interrupt, Limits, Run, Stopped};
use mulstringfuzz::solver::profile::Profiles;
use mulstringfuzz::solver::provision::{Setup, probe, provide};

/// Generous: these scripts take hundredths of a second on an idle machine.
const CPU_SECONDS: f64 = 30.0;
const LAUNCHED: [&str; 3] = ["bitwuzla", "boolector", "cvc5@1.4.2"];

/// Everything that a session does, but for errors. Only the first question has a value of `x` in each model.
const SESSION: &str = "(set-option :produce-models true)\n(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n\
    (declare-fun b () Bool)\n(assert (= x #x2a))\n(check-sat)\n(get-model)\n(get-value (x))\n\
    (push 1)\n(assert (bvult x #x02))\n(check-sat)\n(pop 1)\n(check-sat-assuming (b))\n(get-value (b))\n(exit)\n(check-sat)\n";

fn run(solver: &Solver, script: &str, options: RunOptions) -> (Answer, Run) {
    solver.solve_with(script, &Limits::cpu(CPU_SECONDS), &Interrupt::new(), options).expect("the solver runs")
}

fn with_options(name: &str, options: &str) -> Solver {
    let mut solver = solver(name);
    solver.spec = format!("{name} {options}").parse().expect("a solver's name");
    solver
}

#[test]
fn a_session_of_all_commands_is_answered_as_the_solvers_command_would() {
    for name in LAUNCHED {
        let solver = solver(name);
        probe(&solver, &Interrupt::new()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let options = RunOptions { incremental: true, model: true, seed: Some(7), ..RunOptions::default() };
        let (_, run) = run(&solver, SESSION, options);
        assert_eq!(check_sat_answers(&run), [Answer::Sat, Answer::Unsat, Answer::Sat], "{name}: {}", run.stdout_text());
        let printed = run.stdout_text();
        assert!(printed.contains("#b00101010") && printed.contains("((b true))"), "{name}: {printed}");
        assert_eq!(run.stderr_text(), "", "{name}");
        // Boolector tells its last answer by its exit code.
        assert_eq!(run.exit, Exit::Code(if name == "boolector" { 10 } else { 0 }), "{name}");
    }
}

#[test]
fn what_is_wrong_is_said_behind_the_answers_before_it_and_ends_the_run() {
    let script = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(check-sat)\n(assert (= y x))\n(check-sat)\n";
    for name in LAUNCHED {
        let (answer, run) = run(&solver(name), script, RunOptions { incremental: true, ..RunOptions::default() });
        assert!(matches!(answer, Answer::Rejected(_)), "{name}: {answer}");
        let printed = run.stdout_text();
        let (answered, error) = printed.split_once('\n').expect("two lines");
        assert!(answered == "sat" && error.starts_with("(error \"") && error.contains("instance.smt2"), "{printed}");
        assert_eq!((run.exit, error.lines().count()), (Exit::Code(1), 1), "{name}: {printed}");
        let before = Answer::before_refusal(&run, &[]).expect("an answer before");
        assert_eq!(before.0, Answer::Sat, "{name}");
    }
}

#[test]
fn options_are_taken_as_the_commands_take_them() {
    let script = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult #x01 x))\n(check-sat)\n";
    let taken = [
        ("bitwuzla", "--rewrite-level=0 --bv-solver prop -s 3 --time-limit 9000"),
        ("boolector", "--rewrite-level=0 --sat-engine cadical -s 3 --no-var-subst -x --time 9"),
        ("cvc5@1.4.2", "--simplification=none --bv-solver bitblast --no-bv-eager-eval --seed 3 --tlimit=9000 -i"),
    ];
    for (name, options) in taken {
        let (answer, run) = run(&with_options(name, options), script, RunOptions::default());
        assert_eq!(answer, Answer::Sat, "{name}: {}{}", run.stdout_text(), run.stderr_text());
        for options in ["--no-such-option", "--seed", "--seed=many"] {
            let (answer, _) = self::run(&with_options(name, options), script, RunOptions::default());
            assert!(matches!(answer, Answer::Rejected(_)), "{name} {options}: {answer}");
        }
    }
}

#[test]
fn strings_and_numbers_are_refused_in_the_solvers_words() {
    for name in ["bitwuzla", "boolector"] {
        for sort in ["String", "Int", "Real"] {
            let script = format!("(declare-fun x () {sort})\n(check-sat)\n");
            let (answer, _) = run(&solver(name), &script, RunOptions::default());
            assert!(answer.detail().contains(&format!("invalid sort '{sort}'")), "{name}: {answer}");
        }
    }
    let (answer, _) = run(&solver("cvc5@1.4.2"), "(declare-fun x () String)\n(check-sat)\n", RunOptions::default());
    assert_eq!(answer, Answer::Sat);
}

#[test]
fn models_of_arrays_and_functions_are_read_and_hold() {
    let script = "(set-option :produce-models true)\n(set-logic QF_AUFBV)\n\
        (declare-fun a () (Array (_ BitVec 2) (_ BitVec 4)))\n(declare-fun f ((_ BitVec 2)) (_ BitVec 4))\n\
        (assert (distinct (select a #b01) (f #b10)))\n(check-sat)\n(get-model)\n";
    let parsed = parse(script, "script", &ParseOptions::default()).expect("a script");
    for name in LAUNCHED {
        let (answer, run) = run(&solver(name), script, RunOptions { model: true, ..RunOptions::default() });
        assert_eq!(answer, Answer::Sat, "{name}");
        let model = read(&run.stdout_text(), name, &parsed, Dialect::SmtLib26);
        let model = model.unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut evaluator = Evaluator::new(&parsed, &model);
        for assertion in parsed.assertions() {
            assert_eq!(evaluator.value(assertion), Ok(Value::Bool(true)), "{name}: {}", run.stdout_text());
        }
    }
}

#[test]
fn a_run_ends_at_its_limit() {
    // A multiplication to turn round, for minutes.
    let script = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 64))\n(declare-fun y () (_ BitVec 64))\n\
        (assert (= (bvmul x y) #x70e5a4b1c3d2f697))\n(assert (bvult #x0000000000000001 x))\n\
        (assert (bvult x #x00000000ffffffff))\n(assert (bvult #x0000000000000001 y))\n(assert (bvult y #x00000000ffffffff))\n\
        (check-sat)\n";
    for name in LAUNCHED {
        let (answer, run) = solver(name).solve(script, &Limits::cpu(0.5), &Interrupt::new()).expect("the solver runs");
        assert_eq!((answer, run.stopped), (Answer::Timeout, Some(Stopped::Cpu)), "{name}");
    }
}

#[test]
fn a_package_without_a_c_interface_is_said_to_be_one() {
    let (profiles, cache, interrupt) = (Profiles::built_in(), cache(), Interrupt::new());
    let setup =
        Setup { profiles: &profiles, cache: &cache, progress: Arc::new(|_| {}), interrupt: &interrupt, jobs: 1 };
    let error = provide(&"cvc5@1.1.2".parse().expect("a name"), &setup).expect_err("no command").to_string();
    assert!(error.contains("neither the command cvc5 nor the C interface"), "{error}");
}
