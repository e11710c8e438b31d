//! Runs the real solvers, provided as `setup` provides them: a solver that cannot be got is a failure, not a skip.

mod installed;

use installed::solver;
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::installed::{RunOptions, Solver};
use mulstringfuzz::solver::process::{Interrupt, Limits, Stopped};
use mulstringfuzz::solver::profile::Profiles;
use mulstringfuzz::solver::provision::{Cache, ProvisionError, find, self_test};

/// Generous: these scripts take hundredths of a second on an idle machine.
const CPU_SECONDS: f64 = 30.0;

const SAT: &str = "(declare-fun x () String)\n(assert (= (str.len x) 2))\n(check-sat)\n(exit)\n";
const UNSAT: &str = "(declare-fun x () String)\n(assert (= x \"a\"))\n(assert (= x \"b\"))\n(check-sat)\n";
/// The smallest script known that Z3str3 4.8.10 does not solve.
const HARD: &str = "(declare-fun x () String)\n(declare-fun i () Int)\n(declare-fun j () Int)\n\
                    (assert (= (str.substr x i j) \"a\"))\n(check-sat)\n";

fn answer(solver: &Solver, script: &str) -> Answer {
    solver.solve(script, &Limits::cpu(CPU_SECONDS), &Interrupt::new()).expect("the solver runs").0
}

#[test]
fn the_papers_pair_answers_with_its_versions() {
    for (name, label) in [("z3str3", "z3str3@4.8.10"), ("z3seq", "z3seq@4.8.10"), ("cvc4", "cvc4@1.6")] {
        let solver = solver(name);
        assert_eq!(solver.label(), label);
        assert_eq!(answer(&solver, SAT), Answer::Sat, "{name}");
        assert_eq!(answer(&solver, UNSAT), Answer::Unsat, "{name}");
    }
}

#[test]
fn a_script_that_is_rejected_never_counts_as_answered() {
    let script = "(set-logic QF_S)\n(assert (= undeclared \"a\"))\n(check-sat)\n";
    for name in ["z3str3", "z3seq", "cvc4"] {
        let answer = answer(&solver(name), script);
        assert!(matches!(answer, Answer::Rejected(_)), "{name}: {answer}");
    }
}

#[test]
fn a_wrong_option_is_a_rejection_and_setup_refuses_it() {
    let plain = solver("z3str3");
    let mut wrong = plain.clone();
    wrong.spec = "z3str3 nosuchmodule.x=1".parse().expect("spec");
    let answer = answer(&wrong, SAT);
    assert!(matches!(answer, Answer::Rejected(_)), "{answer}");
    let refused = self_test(&wrong, &Interrupt::new());
    assert!(matches!(refused, Err(ProvisionError::Unhealthy { .. })), "{refused:?}");
}

#[test]
fn an_unsupported_operator_is_told_from_any_other_unknown() {
    let script = "(declare-fun x () String)\n(declare-fun y () String)\n\
                  (assert (= (str.replace_all x \"a\" y) \"bcd\"))\n(check-sat)\n";
    let target = solver("z3str3");
    assert!(matches!(answer(&target, script), Answer::Unsupported(_)));
    assert!(target.profile.rejects_operator("str.replace_all"));
    assert!(matches!(answer(&solver("z3seq"), script), Answer::Unknown(_)));
}

#[test]
fn a_hard_script_times_out_by_cpu_time_and_a_soft_limit_ends_it_sooner() {
    let target = solver("z3str3");
    let limits = Limits { wall_seconds: 120.0, ..Limits::cpu(1.0) };
    let (answer, run) = target.solve(HARD, &limits, &Interrupt::new()).expect("run");
    assert_eq!((answer, run.stopped), (Answer::Timeout, Some(Stopped::Cpu)));
    assert!((1.0..1.2).contains(&run.cpu_seconds), "{}", run.cpu_seconds);
    let options = RunOptions { soft_limit: Some(100_000), seed: Some(3), ..RunOptions::default() };
    let limits = Limits::cpu(CPU_SECONDS);
    let (answer, run) = target.solve_with(HARD, &limits, &Interrupt::new(), options).expect("run");
    assert!(matches!(answer, Answer::Unknown(_)), "{answer}");
    assert_eq!(run.stopped, None);
}

#[test]
fn a_memory_limit_is_told_from_time_and_crash() {
    let limits = Limits { memory_bytes: 30_000_000, ..Limits::cpu(CPU_SECONDS) };
    for name in ["z3str3", "cvc4"] {
        let (answer, run) = solver(name).solve(HARD, &limits, &Interrupt::new()).expect("run");
        assert_eq!(answer, Answer::MemoryOut, "{name}: {run:?}");
    }
}

#[test]
fn a_trace_streams_through_its_pipe() {
    use std::io::Read;
    let (mut reader, writer) = std::io::pipe().expect("pipe");
    let counting = std::thread::spawn(move || {
        let mut trace = Vec::new();
        reader.read_to_end(&mut trace).map(|_| trace)
    });
    let options = RunOptions { trace: Some(writer.into()), ..RunOptions::default() };
    let limits = Limits::cpu(CPU_SECONDS);
    let (answer, _) = solver("z3str3").solve_with(SAT, &limits, &Interrupt::new(), options).expect("run");
    assert_eq!(answer, Answer::Sat);
    let trace = counting.join().expect("thread").expect("read");
    assert!(trace.starts_with(b"[tool-version] Z3 4.8.10"), "{}", String::from_utf8_lossy(&trace));
}

#[test]
fn seeds_and_model_checks_are_accepted() {
    for name in ["z3str3", "cvc4", "z3@5.4.1"] {
        let options = RunOptions { seed: Some(11), check_model: true, ..RunOptions::default() };
        let script = format!("(set-logic ALL)\n{SAT}");
        let limits = Limits::cpu(CPU_SECONDS);
        let (answer, run) = solver(name).solve_with(&script, &limits, &Interrupt::new(), options).expect("run");
        assert_eq!(answer, Answer::Sat, "{name}: {}", run.stdout_text());
    }
}

#[test]
fn what_is_provided_is_found_again_without_setup() {
    let provided = solver("cvc4");
    let found = find(&"cvc4".parse().expect("spec"), &Profiles::built_in(), &Cache::locate().expect("cache"));
    assert_eq!(found.expect("found").executable, provided.executable);
}
