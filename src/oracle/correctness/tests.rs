//! Judgements over made-up testimonies.

use super::*;
use crate::evaluate::individual::Timed;
use crate::oracle::prover::Form;

fn testimony(solver: &str, answer: &Answer, verdict: ModelVerdict) -> Testimony {
    let answers = if answer.is_solved() { vec![answer.name().to_owned()] } else { Vec::new() };
    Testimony {
        solver: solver.to_owned(),
        version: "1".to_owned(),
        command: solver.to_owned(),
        form: Form::default(),
        timed: Timed { answer: answer.clone(), cpu_seconds: 0.1, wall_seconds: 0.1, peak_memory_bytes: 0 },
        answers,
        model: String::new(),
        verdict,
        own_check: None,
        check_command: None,
        check_seconds: 0.0,
        crashed_once: None,
    }
}

fn accused(truth: Truth, testimonies: &[Testimony]) -> Vec<(Kind, String)> {
    judge(truth, None, testimonies).into_iter().map(|each| (each.kind, each.solvers.join("+"))).collect()
}

fn refuted() -> ModelVerdict {
    ModelVerdict::Refuted(vec!["(= x 1) is false".to_owned()])
}

#[test]
fn unsat_is_wrong_where_an_assignment_or_a_model_holds() {
    let unsat = testimony("wrong", &Answer::Unsat, ModelVerdict::None);
    let sat = testimony("right", &Answer::Sat, ModelVerdict::Satisfies);
    let timeout = testimony("slow", &Answer::Timeout, ModelVerdict::None);
    let expected = [(Kind::RefutationUnsoundness, "wrong".to_owned())];
    assert_eq!(accused(Truth::Unknown, &[unsat.clone(), sat, timeout.clone()]), expected);
    assert_eq!(accused(Truth::Satisfied, &[unsat.clone(), timeout.clone()]), expected);
    assert_eq!(accused(Truth::Unknown, &[unsat, timeout]), [], "alone it may be right");
}

#[test]
fn a_refuted_model_is_unsound_only_against_an_unsat() {
    let sat = testimony("wrong", &Answer::Sat, refuted());
    let unsat = testimony("other", &Answer::Unsat, ModelVerdict::None);
    let holds = testimony("third", &Answer::Sat, ModelVerdict::Satisfies);
    let wrong = |kind| (kind, "wrong".to_owned());
    assert_eq!(accused(Truth::Unknown, &[sat.clone(), unsat.clone()]), [wrong(Kind::SolutionUnsoundness)]);
    assert_eq!(accused(Truth::Unknown, std::slice::from_ref(&sat)), [wrong(Kind::InvalidModel)]);
    let other = (Kind::RefutationUnsoundness, "other".to_owned());
    assert_eq!(accused(Truth::Unknown, &[sat, unsat, holds]), [wrong(Kind::InvalidModel), other]);
}

#[test]
fn the_solvers_own_check_counts_where_we_could_not_decide() {
    let mut sat = testimony("wrong", &Answer::Sat, ModelVerdict::Open("a quantifier".to_owned()));
    assert_eq!(accused(Truth::Unknown, std::slice::from_ref(&sat)), []);
    sat.own_check = Some(Answer::InvalidModel("no".to_owned()));
    assert_eq!(accused(Truth::Unknown, &[sat]), [(Kind::InvalidModel, "wrong".to_owned())]);
}

#[test]
fn without_a_model_contradicting_solvers_disagree_and_the_minority_is_named() {
    let sat = testimony("a", &Answer::Sat, ModelVerdict::Open("a quantifier".to_owned()));
    let unsat = |name| testimony(name, &Answer::Unsat, ModelVerdict::None);
    let all = [sat, unsat("b"), unsat("c")];
    assert_eq!(accused(Truth::Unknown, &all), [(Kind::Disagreement, "a".to_owned())]);
    assert_eq!(accused(Truth::Unknown, &all[..2]), [(Kind::Disagreement, "a+b".to_owned())]);
}

#[test]
fn crashes_are_findings_and_refusals_and_timeouts_are_none() {
    let crash = testimony("c", &Answer::Crash("signal 11".to_owned()), ModelVerdict::None);
    let refusal = testimony("r", &Answer::Rejected("(error".to_owned()), ModelVerdict::None);
    let findings =
        judge(Truth::Satisfied, None, &[crash, refusal, testimony("t", &Answer::Timeout, ModelVerdict::None)]);
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].kind, &findings[0].evidence[..]), (Kind::Crash, &["signal 11".to_owned()][..]));
}

#[test]
fn unknown_is_a_finding_in_decidable_logics_only() {
    let mut unknown = testimony("u", &Answer::Unknown("incomplete".to_owned()), ModelVerdict::None);
    assert!(judge(Truth::Unknown, Some("QF_BV"), std::slice::from_ref(&unknown)).is_empty(), "it did not say so");
    unknown.answers = vec!["unknown".to_owned()];
    let findings = |logic| judge(Truth::Unknown, logic, std::slice::from_ref(&unknown)).len();
    assert_eq!((findings(Some("QF_BV")), findings(Some("QF_S")), findings(None)), (1, 0, 0));
}

#[test]
fn an_incremental_script_is_judged_question_by_question() {
    let mut wrong = testimony("wrong", &Answer::Sat, ModelVerdict::None);
    wrong.answers = ["sat", "unsat", "sat"].map(str::to_owned).to_vec();
    let findings = judge(Truth::Satisfied, None, std::slice::from_ref(&wrong));
    assert!(findings[0].because.contains("unsat to question 2"), "{}", findings[0].because);
    let mut other = wrong.clone();
    "other".clone_into(&mut other.solver);
    "sat".clone_into(&mut other.answers[1]);
    assert_eq!(accused(Truth::Unknown, &[wrong, other]), [(Kind::Disagreement, "other+wrong".to_owned())]);
}

#[test]
fn a_crash_names_the_question_that_it_came_on() {
    let because =
        |testimony: &Testimony| judge(Truth::Unknown, None, std::slice::from_ref(testimony))[0].because.clone();
    let mut crash = testimony("c", &Answer::Crash("signal 11".to_owned()), ModelVerdict::None);
    assert_eq!(because(&crash), "c crashes");
    crash.form.model = true;
    assert_eq!(because(&crash), "c crashes, but only when it is asked for its model");
    let mut checks = testimony("c", &Answer::Sat, ModelVerdict::Satisfies);
    checks.own_check = Some(Answer::Crash("signal 11".to_owned()));
    assert_eq!(because(&checks), "c crashes when it checks its own model");
}

#[test]
fn a_wrong_model_is_one_finding_whether_or_not_another_solver_says_unsat() {
    let finding = |kind, solver: &str| Finding {
        kind,
        solvers: vec![solver.to_owned()],
        because: String::new(),
        evidence: Vec::new(),
    };
    let model = finding(Kind::InvalidModel, "a");
    assert!(model.is_like(&finding(Kind::SolutionUnsoundness, "a")));
    assert!(!model.is_like(&finding(Kind::SolutionUnsoundness, "b")), "another solver is another finding");
    assert!(!model.is_like(&finding(Kind::RefutationUnsoundness, "a")));
    assert!(!finding(Kind::Crash, "a").is_like(&model));
    let all = Finding { solvers: vec!["a".to_owned(), "b".to_owned()], ..finding(Kind::Disagreement, "a") };
    assert!(finding(Kind::Disagreement, "b").is_like(&all) && !finding(Kind::Disagreement, "c").is_like(&all));
}

#[test]
fn what_a_tactic_leaves_open_is_no_incompleteness() {
    let unknown = |solver: &str| testimony(solver, &Answer::Unknown("incomplete".to_owned()), ModelVerdict::None);
    let kinds = |solver: &str| {
        let testimony = Testimony { answers: vec!["unknown".to_owned()], ..unknown(solver) };
        judge(Truth::Unknown, Some("QF_LIA"), &[testimony]).into_iter().map(|each| each.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds("z3@4.8.10 smt.arith.solver=2"), [Kind::Incompleteness]);
    assert_eq!(kinds("z3@4.8.10 check-sat-using=dom-simplify"), []);
}
