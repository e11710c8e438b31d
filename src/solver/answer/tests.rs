//! Answers read out of what solvers print.

use super::*;

/// A run that ended by itself with `code`, having printed the two texts.
fn printed(code: i32, stdout: &str, stderr: &str) -> Run {
    Run {
        stdout: stdout.into(),
        stderr: stderr.into(),
        stdout_bytes: stdout.len() as u64,
        truncated: false,
        exit: Exit::Code(code),
        stopped: None,
        cpu_seconds: 0.01,
        wall_seconds: 0.01,
        peak_memory_bytes: 1 << 24,
        preemptions: 0,
    }
}

fn stopped(stdout: &str, reason: Stopped) -> Run {
    Run { exit: Exit::Signal(9), stopped: Some(reason), ..printed(0, stdout, "") }
}

#[test]
fn words_of_a_model_are_no_messages() {
    for words in ["an internal error", "an invalid model was generated", "out of memory", "terminate called"] {
        let model = format!("sat\n(\n  (define-fun s () String\n    \"{words}\")\n)\n");
        assert_eq!(Answer::of(&printed(0, &model, "")), Answer::Sat, "{words}");
        assert_eq!(Answer::of(&printed(0, &format!("sat\n((s \"{words}\"))\n"), "")), Answer::Sat, "{words}");
    }
}

#[test]
fn messages_of_crashes_can_be_added() {
    let run = printed(1, "sat\n", "solver: panic in propagate.cpp:12\n");
    assert_eq!(Answer::of(&run), Answer::Sat);
    let crash = Answer::Crash("solver: panic in propagate.cpp:12".into());
    assert_eq!(Answer::with_crashes(&run, &["panic in".to_owned()]), crash);
}

#[test]
fn plain_answers_are_read() {
    // Z3 4.8.10, with the reason asked for.
    assert_eq!(Answer::of(&printed(0, "sat\n(:reason-unknown \"\")\n", "")), Answer::Sat);
    assert_eq!(Answer::of(&printed(0, "unsat\n", "")), Answer::Unsat);
    assert!(Answer::of(&printed(0, "unsat\n", "")).is_solved());
    // CVC4 1.6 warns on standard error when there is no logic.
    let warning = "a.smt2:1.11: No set-logic command was given before this point.\n";
    assert_eq!(Answer::of(&printed(0, "sat\n", warning)), Answer::Sat);
    // Z3 on an unknown logic.
    let output = "unsupported\n; ignoring unsupported logic FOO line: 1 position: 1\nsat\n";
    assert_eq!(Answer::of(&printed(0, output, "")), Answer::Sat);
}

#[test]
fn an_error_anywhere_is_a_rejection_whatever_follows() {
    // Z3 4.8.10 goes on after an error.
    let output = "(error \"line 2 column 13: unknown constant y\")\nsat\n(:reason-unknown \"\")\n";
    let answer = Answer::of(&printed(1, output, ""));
    assert_eq!(answer, Answer::Rejected("(error \"line 2 column 13: unknown constant y\")".to_owned()));
    assert!(answer.is_refusal() && !answer.is_solved());
    // CVC4 1.6, over several lines.
    let output =
        "(error \"Parse Error: err.smt2:2.15: Symbol 'y' not declared as a variable\n\n  (assert (= x y))\n\")\n";
    assert_eq!(Answer::of(&printed(1, output, "")).name(), "error");
    assert_eq!(Answer::of(&printed(1, "", "CVC4 Error:\nError in option parsing\n")).name(), "error");
    let wrong_option = printed(110, "", "ERROR: invalid parameter, unknown module 'nosuch'\n");
    assert_eq!(Answer::of(&wrong_option).name(), "error");
    assert_eq!(Answer::of(&stopped(output, Stopped::Cpu)).name(), "error");
}

#[test]
fn a_rejection_that_quotes_the_script_is_no_failure_of_the_solver() {
    for quoted in ["memout", "out of memory", "Internal error", "std::bad_alloc"] {
        let output = format!("(error \"line 2 column 13: unknown constant {quoted}\")\nsat\n");
        assert_eq!(Answer::of(&printed(1, &output, "")).name(), "error", "{quoted}");
        assert_eq!(Answer::of(&stopped(&output, Stopped::Memory)).name(), "error", "{quoted}");
    }
    assert_eq!(Answer::of(&printed(101, "(error \"out of memory\")\n", "")), Answer::MemoryOut);
}

#[test]
fn an_output_that_was_not_kept_whole_is_no_answer() {
    let cut = Run { truncated: true, ..printed(0, "sat\n", "") };
    assert!(!Answer::of(&cut).is_solved());
}

#[test]
fn reasons_tell_unsupported_operators_and_own_limits_from_other_unknowns() {
    let because = |reason: &str| Answer::of(&printed(0, &format!("unknown\n(:reason-unknown \"{reason}\")\n"), ""));
    assert_eq!(
        because("Z3str3 encountered an unsupported operator."),
        Answer::Unsupported("Z3str3 encountered an unsupported operator.".to_owned())
    );
    assert_eq!(because("timeout"), Answer::Timeout);
    assert_eq!(because("canceled"), Answer::Unknown("canceled".to_owned()));
    assert_eq!(because("memout"), Answer::MemoryOut);
    let incomplete = "smt tactic failed to show goal to be sat/unsat (incomplete (theory seq))";
    assert_eq!(because(incomplete), Answer::Unknown(incomplete.to_owned()));
    assert_eq!(Answer::of(&printed(0, "unknown\n", "")), Answer::Unknown(String::new()));
    assert_eq!(Answer::of(&printed(0, "timeout\n", "")), Answer::Timeout);
}

#[test]
fn limits_and_failures_are_told_apart() {
    assert_eq!(Answer::of(&stopped("", Stopped::Cpu)), Answer::Timeout);
    assert_eq!(Answer::of(&stopped("sat\n", Stopped::Wall)), Answer::Timeout);
    assert_eq!(Answer::of(&stopped("", Stopped::Memory)), Answer::MemoryOut);
    assert_eq!(Answer::of(&stopped("", Stopped::Interrupted)), Answer::Interrupted);
    assert_eq!(Answer::of(&stopped("x", Stopped::Output)).name(), "unknown");
    assert_eq!(Answer::of(&printed(101, "(error \"out of memory\")\n", "")), Answer::MemoryOut);
    // CVC4 1.6 under RLIMIT_AS.
    let cvc4 = "CVC4 was terminated by the C++ runtime.\nPerhaps an exception was thrown.\nterminate called after \
                throwing an instance of 'CVC4::Minisat::OutOfMemoryException'\n";
    assert_eq!(Answer::of(&Run { exit: Exit::Signal(6), ..printed(0, "", cvc4) }), Answer::MemoryOut);
    let crashed = Run { exit: Exit::Signal(11), ..printed(0, "", "") };
    assert_eq!(Answer::of(&crashed), Answer::Crash("signal 11".to_owned()));
}

#[test]
fn who_prints_nothing_refuses_and_is_not_undecided() {
    let mute = Answer::of(&printed(0, " \n", ""));
    assert_eq!(mute, Answer::Rejected("printed no answer".to_owned()));
    assert!(mute.is_refusal());
    let usage = Answer::of(&printed(0, "", "usage: solver FILE\n"));
    assert_eq!(usage, Answer::Rejected("printed no answer: usage: solver FILE".to_owned()));
    let none = Answer::Unknown("no answer".to_owned());
    assert_eq!((mute.to_no_question(), usage.to_no_question()), (none.clone(), none.clone()), "it was asked nothing");
    assert_eq!(Answer::of(&printed(0, "success\n", "")), none, "it printed something");
    let refused = Answer::Rejected("(error \"no\")".to_owned());
    assert_eq!(refused.clone().to_no_question(), refused);
    // What was cut says nothing about what would have been printed.
    for reason in [Stopped::Cpu, Stopped::Wall, Stopped::Memory, Stopped::Killed, Stopped::Output, Stopped::Threads] {
        let cut = Run { stopped: Some(reason), ..printed(0, "", "") };
        assert!(!Answer::of(&cut).is_refusal(), "{reason:?}");
    }
}

#[test]
fn an_exit_code_of_no_signal_and_no_message_of_a_crash_is_an_error() {
    assert_eq!(Answer::of(&printed(3, "", "")), Answer::Rejected("exit code 3".to_owned()));
    // Boolector 1.5.
    let unsupported = "instance.smt2:1: unsupported command 'set-option'";
    assert_eq!(Answer::of(&printed(1, unsupported, "")), Answer::Rejected(unsupported.to_owned()));
    // A shell script around a solver.
    let segfault = "/opt/solver: line 2: 4711 Segmentation fault";
    assert_eq!(Answer::of(&printed(139, "", segfault)), Answer::Crash(segfault.to_owned()));
}

#[test]
fn who_was_told_to_end_by_somebody_else_did_not_crash() {
    for signal in [libc::SIGKILL, libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let ended = Run { exit: Exit::Signal(signal), ..printed(0, "unsat\n", "") };
        assert_eq!(Answer::of(&ended), Answer::Killed, "{signal}");
        assert_eq!(Answer::of(&Run { stopped: Some(Stopped::Cpu), ..ended.clone() }), Answer::Timeout, "our own limit");
        assert_eq!(Answer::of(&Run { stopped: Some(Stopped::Memory), ..ended }), Answer::MemoryOut, "our own limit");
        // A wrapper that passes it on.
        assert_eq!(Answer::of(&printed(128 + signal, "", "Terminated")), Answer::Killed, "{signal}");
        assert_eq!(Answer::of(&printed(128 + signal, "sat\n", "")), Answer::Sat, "it answered");
    }
}

#[test]
fn a_wrapper_that_passes_a_signal_on_and_a_panic_are_crashes() {
    for (code, signal) in [(132, 4), (133, 5), (134, 6), (135, 7), (136, 8), (139, 11)] {
        assert_eq!(Answer::of(&printed(code, "", "")), Answer::Crash(format!("signal {signal}")));
    }
    let panic = "\nthread 'main' panicked at src/smt.rs:12:5:\nindex out of bounds\n";
    let crash = Answer::Crash("thread 'main' panicked at src/smt.rs:12:5:".to_owned());
    assert_eq!(Answer::of(&printed(101, "", panic)), crash);
    assert_eq!(Answer::of(&printed(101, "", "bad option")), Answer::Rejected("bad option".to_owned()));
    assert_eq!(Answer::of(&printed(139, "sat\n", "")), Answer::Sat, "it answered");
}

#[test]
fn an_answer_stands_when_only_what_follows_it_is_refused() {
    let before = |stdout: &str, stderr: &str| Answer::before_refusal(&printed(1, stdout, stderr), &[]);
    let yices = "unsat\n(error \"the context is unsatisfiable\")\n";
    assert_eq!(before(yices, ""), Some((Answer::Unsat, "unsat\n".to_owned())));
    // Z3 goes on after an error, with the refused assertion missing.
    assert_eq!(before("(error \"unknown constant x\")\nsat\n(error \"no model\")\n", ""), None);
    assert_eq!(before("unsat\n", "Parse Error: where was it?\n"), None);
    assert_eq!(before("(error \"unknown option\")\n", ""), None);
}

#[test]
fn failed_internal_checks_are_crashes_and_failed_model_checks_are_not() {
    let violation = "ASSERTION VIOLATION\nFile: ../src/smt/theory_str.cpp\nLine: 100\n";
    assert_eq!(Answer::of(&printed(114, "", violation)).name(), "crash");
    assert_eq!(Answer::of(&printed(134, "", "Fatal failure within void CVC4::f()")).name(), "crash");
    let invalid = "sat\n(error \"line 3 column 10: an invalid model was generated\")\n";
    assert_eq!(Answer::of(&printed(1, invalid, "")).name(), "invalid-model");
}

#[test]
fn every_check_sat_is_listed_and_the_last_counts() {
    let run = printed(0, "sat\nunknown\n(:reason-unknown \"canceled\")\nunsat\n", "");
    assert_eq!(check_sat_answers(&run), [Answer::Sat, Answer::Unknown("canceled".to_owned()), Answer::Unsat]);
    assert_eq!(Answer::of(&run), Answer::Unsat);
}

#[test]
fn answers_survive_json() {
    for answer in [Answer::Sat, Answer::MemoryOut, Answer::Rejected("(error \"x\")".to_owned())] {
        let json = serde_json::to_string(&answer).expect("to JSON");
        assert!(json.contains(answer.name()), "{json}");
        assert_eq!(serde_json::from_str::<Answer>(&json).expect("from JSON"), answer);
    }
}
