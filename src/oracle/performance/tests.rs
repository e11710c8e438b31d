use std::sync::Mutex;

use super::*;
use crate::evaluate::individual::Timed;
use crate::oracle::machine::Machine;
use crate::oracle::profile::Stability;
use crate::oracle::prover::Reply;
use crate::oracle::report::{DefectReport, Instance};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};

const SCRIPT: &str = "(set-logic QF_S)\n(declare-fun x () String)\n(assert (= (str.len x) 2))\n(check-sat)\n";
const SETTINGS: ConfirmSettings = ConfirmSettings {
    confirm_limit: Duration::from_mins(1),
    search_limit: Duration::from_secs(5),
    verify_limit: Duration::from_secs(6),
    runs: 3,
    seeds: 10,
};

/// A solver whose answers are a function of the question.
struct Fake {
    name: &'static str,
    answer: fn(&Question<'_>) -> (Answer, f64, &'static str),
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Prover for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> &'static str {
        "1.0"
    }

    fn dialect(&self) -> Dialect {
        Dialect::SmtLib25
    }

    fn ask(&self, question: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        if interrupt.is_set() {
            return Err(OracleError::Interrupted);
        }
        let (answer, cpu_seconds, output) = (self.answer)(question);
        let timed = Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 20_000_000 };
        let seed = question.seed.map(|seed| format!(" seed={seed}")).unwrap_or_default();
        let command = format!("{}{seed} instance.smt2", self.name);
        Ok(Reply { timed, command, output: output.to_owned() })
    }
}

const SLOW: Fake = Fake { name: "target", answer: |question| (Answer::Timeout, question.limit.as_secs_f64(), "") };
const QUICK_SAT: Fake = Fake { name: "reference", answer: |_| (Answer::Sat, 0.012, "sat\n((x \"a\\x0a\"))\n") };
const QUICK_UNSAT: Fake = Fake { name: "reference", answer: |_| (Answer::Unsat, 0.012, "unsat") };
const SAYS_SAT: Fake = Fake { name: "verifier", answer: |_| (Answer::Sat, 0.5, "sat") };
const SAYS_UNSAT: Fake = Fake { name: "verifier", answer: |_| (Answer::Unsat, 0.5, "unsat") };
const SAYS_NOTHING: Fake = Fake { name: "mute", answer: |_| (unknown(), 0.5, "unknown") };
const CHECKS_ITSELF: Fake = Fake { name: "reference --check-models", answer: |question| (QUICK_SAT.answer)(question) };

fn unknown() -> Answer {
    Answer::Unknown(String::new())
}

fn script(text: &str) -> Script {
    parse(text, "test", &ParseOptions::default()).expect("the script is sound")
}

/// The script with an assertion that our evaluator does not decide.
fn undecided() -> Script {
    script(
        &SCRIPT
            .replace("(check-sat)", "(assert (forall ((y String)) (= (str.++ x y) (str.++ x y \"\"))))\n(check-sat)"),
    )
}

fn confirm(target: &Fake, reference: &Fake, verifiers: &[&dyn Prover]) -> Verdict {
    confirm_script(&undecided(), target, reference, verifiers)
}

fn confirm_script(script: &Script, target: &Fake, reference: &Fake, verifiers: &[&dyn Prover]) -> Verdict {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let confirmation = Confirmation { target, reference, verifiers, settings: SETTINGS, pool: &pool };
    confirmation.confirm(script, &[], &|_| {}, &Interrupt::new()).expect("no interrupt, no missing solver")
}

fn confirmed(target: &Fake, reference: &Fake, verifiers: &[&dyn Prover]) -> Confirmed {
    match confirm(target, reference, verifiers) {
        Verdict::Confirmed(confirmed) => *confirmed,
        Verdict::NotConfirmed(not) => panic!("not confirmed: {}", not.reason),
    }
}

fn refused(target: &Fake, reference: &Fake, verifiers: &[&dyn Prover]) -> NotConfirmed {
    match confirm(target, reference, verifiers) {
        Verdict::Confirmed(_) => panic!("confirmed"),
        Verdict::NotConfirmed(not) => *not,
    }
}

#[test]
fn a_slow_target_and_a_quick_reference_with_a_checked_model_are_confirmed() {
    let confirmed = confirmed(&SLOW, &QUICK_SAT, &[&SAYS_NOTHING, &SAYS_SAT]);
    let Verification::ModelChecked { by, model } = &confirmed.verification else { panic!("{confirmed:?}") };
    assert_eq!((by.as_str(), model.values.len()), ("verifier", 1));
    assert_eq!(confirmed.profile.stability, Stability::Stable);
    let (steps, limits): (Vec<_>, Vec<_>) = confirmed.runs.iter().map(|row| (row.step, row.limit_seconds)).unzip();
    let expected = [Step::Reference(0), Step::Reference(1), Step::Reference(2), Step::Values, Step::ModelCheck(0)];
    assert_eq!(steps[..5], expected);
    assert_eq!((steps.len(), limits[0], limits[6], limits[9]), (5 + 1 + 3 + 10, 6.0, 60.0, 5.0));
}

#[test]
fn a_model_that_holds_by_our_evaluator_needs_no_other_solver() {
    let Verdict::Confirmed(confirmed) = confirm_script(&script(SCRIPT), &SLOW, &QUICK_SAT, &[]) else {
        panic!("refused")
    };
    assert!(matches!(&confirmed.verification, Verification::ModelEvaluated { model } if model.values.len() == 1));
    let wrong = Fake { name: "reference", answer: |_| (Answer::Sat, 0.012, "sat\n((x \"abc\"))\n") };
    let Verdict::NotConfirmed(refused) = confirm_script(&script(SCRIPT), &SLOW, &wrong, &[]) else {
        panic!("confirmed")
    };
    assert_eq!(refused.reason, Reason::Unverified);
}

#[test]
fn a_second_reference_verifies_unsat_but_the_same_program_does_not() {
    let by_another = confirmed(&SLOW, &QUICK_UNSAT, &[&SAYS_UNSAT]);
    assert_eq!(by_another.verification, Verification::Agreed { by: "verifier".into() });
    let same = Fake { name: "reference --check-models", answer: QUICK_UNSAT.answer };
    assert_eq!(refused(&SLOW, &QUICK_UNSAT, &[&same]).reason, Reason::Unverified);
}

#[test]
fn a_reference_may_check_its_own_model_if_nobody_else_decides() {
    let confirmed = confirmed(&SLOW, &QUICK_SAT, &[&CHECKS_ITSELF, &SAYS_NOTHING]);
    let by = "reference --check-models".to_owned();
    assert_eq!(confirmed.verification, Verification::ModelCheckedItself { by });
}

#[test]
fn a_contradicted_answer_is_kept_as_evidence_and_costs_the_target_nothing() {
    let refused = refused(&SLOW, &QUICK_SAT, &[&SAYS_UNSAT]);
    assert_eq!(refused.reason, Reason::Contradicted);
    let found = &refused.contradictions[0];
    assert!(found.model.is_some());
    assert_eq!((&found.claim.solver[..], &found.counterclaim.solver[..]), ("reference", "verifier"));
    assert!(refused.runs.iter().all(|row| row.solver != "target"));
}

#[test]
fn a_reference_is_quick_within_a_tenth_of_the_limit_only() {
    let slow = Fake { name: "reference", answer: |_| (Answer::Sat, 6.01, "sat") };
    assert_eq!(refused(&SLOW, &slow, &[&SAYS_SAT]).reason, Reason::ReferenceNotQuick(Answer::Sat));
    let rejects = Fake { name: "reference", answer: |_| (unknown(), 0.01, "unknown") };
    assert_eq!(refused(&SLOW, &rejects, &[&SAYS_SAT]).runs.len(), 1);
}

#[test]
fn a_target_that_answers_at_the_confirm_limit_is_no_defect() {
    let late = Fake { name: "target", answer: |_| (Answer::Unsat, 31.0, "unsat") };
    let refused = refused(&late, &QUICK_SAT, &[&SAYS_SAT]);
    assert_eq!(refused.reason, Reason::TargetEnds(Answer::Unsat));
    assert!(!refused.contradictions.is_empty(), "it answers against a checked model");
}

#[test]
fn seeds_decide_between_stable_sensitive_and_giving_up() {
    let sensitive = Fake {
        name: "target",
        answer: |question| match question.seed {
            Some(3 | 7) => (Answer::Sat, 0.1, "sat"),
            _ => (Answer::Timeout, question.limit.as_secs_f64(), ""),
        },
    };
    let profile = confirmed(&sensitive, &QUICK_SAT, &[&SAYS_SAT]).profile;
    assert_eq!((profile.slow, profile.answered, profile.stability), (8, 2, Stability::SeedSensitive));
    let gives_up = Fake { name: "target", answer: |_| (unknown(), 0.02, "unknown") };
    let confirmed = confirmed(&gives_up, &QUICK_SAT, &[&SAYS_SAT]);
    assert_eq!((confirmed.failing, confirmed.profile.stability), (Failing::GivesUp, Stability::GivesUp));
}

#[test]
fn an_interrupted_confirmation_resumes_without_repeating_runs() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let verifiers: [&dyn Prover; 1] = [&SAYS_SAT];
    let confirmation =
        Confirmation { target: &SLOW, reference: &QUICK_SAT, verifiers: &verifiers, settings: SETTINGS, pool: &pool };
    let (interrupt, delivered) = (Interrupt::new(), Mutex::new(Vec::new()));
    let keep = |row: &RunRow| {
        let mut rows = delivered.lock().expect("no panics");
        rows.push(row.clone());
        if rows.len() == 7 {
            interrupt.set();
        }
    };
    let first = confirmation.confirm(&undecided(), &[], &keep, &interrupt);
    assert!(matches!(first, Err(OracleError::Interrupted)));
    let known = delivered.lock().expect("no panics").clone();
    let again = Mutex::new(0);
    let second =
        confirmation.confirm(&undecided(), &known, &|_| *again.lock().expect("no panics") += 1, &Interrupt::new());
    let Ok(Verdict::Confirmed(confirmed)) = second else { panic!("{second:?}") };
    assert_eq!(known.len() + *again.lock().expect("no panics"), confirmed.runs.len());
}

#[test]
fn a_report_is_ready_to_paste() {
    let confirmed = confirmed(&SLOW, &QUICK_SAT, &[&SAYS_SAT]);
    let instance = Instance { dialect: "smtlib-2.5".into(), text: SCRIPT.into() };
    let other = Instance { dialect: "smtlib-2.6".into(), text: SCRIPT.replace("QF_S)", "QF_SLIA)") };
    let machine = Machine { processor: "a processor".into(), cores: 2, system: "a system".into() };
    let report =
        DefectReport { confirmed: &confirmed, for_target: &instance, for_reference: &other, machine: &machine };
    insta::assert_snapshot!(report.markdown());
}
