//! One instance on all solvers, where what counts is whether their answers and models are right.

use std::time::Duration;

use super::{Cell, Subject, Verdict};
use crate::isolate::isolated;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind, Truth, judge};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::{ModelVerdict, Testimony, questions_only, worth};
use crate::semantics::evaluate::Limits;
use crate::smtlib::script::Command;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// What each solver says, judged by our evaluator; `None` after an interrupt.
pub(super) fn cells(
    subject: &Subject,
    provers: &[&dyn Prover],
    limit: Duration,
    interrupt: &Interrupt,
) -> Option<Vec<Cell>> {
    let script = questions_only(&subject.script);
    let mut heard: Vec<Result<Testimony, Cell>> = Vec::new();
    for prover in provers {
        heard.push(match isolated(|| Testimony::of(*prover, &script, limit, interrupt)) {
            Ok(Ok(testimony)) => Ok(testimony),
            Ok(Err(OracleError::Interrupted)) => return None,
            Ok(Err(error)) => Err(Cell::failed(error.to_string())),
            Err(message) => Err(Cell::internal(message)),
        });
    }
    let testimonies: Vec<Testimony> = heard.iter().filter_map(|each| each.as_ref().ok().cloned()).collect();
    let logic = script.logic();
    let findings = isolated(|| judge(subject.truth(), logic.as_ref().map(|logic| logic.as_str()), &testimonies));
    let cell = |each: Result<Testimony, Cell>| match (each, &findings) {
        (Ok(testimony), Ok(findings)) => judged(&testimony, findings, limit),
        (Ok(_), Err(message)) => Cell::internal(message.clone()),
        (Err(cell), _) => cell,
    };
    Some(heard.into_iter().map(cell).collect())
}

impl Subject {
    /// What our evaluator says of the assignment that comes with the script.
    fn truth(&self) -> Truth {
        // What is assumed for one question is no assertion.
        let assumes = |command: &Command| matches!(command, Command::CheckSatAssuming(..));
        let Some(assignment) = self.assignment.as_ref().filter(|_| !self.script.commands.iter().any(assumes)) else {
            return Truth::Unknown;
        };
        let satisfies = |assignment| worth(&self.script, assignment, Limits::default()) == ModelVerdict::Satisfies;
        let completed = || {
            let mut assignment = assignment.clone();
            assignment.complete(&self.script);
            assignment
        };
        if satisfies(assignment) || satisfies(&completed()) { Truth::Satisfied } else { Truth::Unknown }
    }
}

/// A solver's run, and what the findings say against it.
fn judged(testimony: &Testimony, findings: &[Finding], limit: Duration) -> Cell {
    let cell = Cell::of(&testimony.timed, limit);
    let against_it = |finding: &&Finding| finding.kind.is_wrong() && finding.solvers.contains(&testimony.solver);
    let Some(finding) = findings.iter().find(against_it) else { return cell };
    let (verdict, result) = match finding.kind {
        Kind::Crash => (Verdict::Fails, Answer::Crash(String::new()).name()),
        Kind::InvalidModel => (Verdict::Wrong, Answer::InvalidModel(String::new()).name()),
        _ => (Verdict::Wrong, cell.result),
    };
    Cell { verdict, result, detail: finding.because.clone(), ..cell }
}

#[cfg(test)]
mod tests {
    use super::super::{Matrix, Measure};
    use super::*;
    use crate::oracle::scripted::Scripted;
    use crate::semantics::model;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};

    const SCRIPT: &str = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)";

    fn matrix(assignment: Option<&str>, provers: &[&dyn Prover]) -> Matrix {
        let script = parse(SCRIPT, "a.smt2", &ParseOptions::default()).expect("a script");
        let read = |text| model::read(text, "m", &script, Dialect::SmtLib26).expect("a model");
        let assignment = assignment.map(read);
        let subjects = [Subject { name: "a".into(), script, assignment }];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let asked = (Measure::Answers, Duration::from_secs(1));
        Matrix::of(&subjects, provers, asked, &pool, &|_, _, _| {}, &Interrupt::new())
    }

    fn verdicts(matrix: &Matrix) -> Vec<Verdict> {
        matrix.rows[0].cells.iter().map(|cell| cell.verdict).collect()
    }

    #[test]
    fn an_unsat_is_wrong_where_a_model_or_the_assignment_shows_it() {
        let right = Scripted::new("z3@1", |_| Answer::Sat).printing("sat\n((define-fun x () Int 4))\n");
        let wrong = Scripted::new("z3@2", |_| Answer::Unsat);
        let model = matrix(None, &[&right, &wrong]);
        assert_eq!(verdicts(&model), [Verdict::Answers, Verdict::Wrong]);
        assert_eq!(model.rows[0].regressed_on.as_deref(), Some("z3@2"));
        assert_eq!(model.rows[0].contradiction, None, "it is decided who is wrong");
        let assignment = matrix(Some("((define-fun x () Int 9))"), &[&wrong]);
        assert_eq!(verdicts(&assignment), [Verdict::Wrong]);
    }

    #[test]
    fn nobody_is_accused_without_proof_and_a_timeout_says_nothing() {
        let wrong = Scripted::new("z3@2", |_| Answer::Unsat);
        let silent = Scripted::new("z3@3", |_| Answer::Timeout);
        let no_assignment = matrix(Some("((define-fun x () Int 2))"), &[&wrong, &silent]);
        assert_eq!(verdicts(&no_assignment), [Verdict::Answers, Verdict::Slow]);
        assert_eq!(no_assignment.rows[0].first_bad, None);
    }

    #[test]
    fn models_that_do_not_hold_and_crashes_are_told_apart() {
        let model = Scripted::new("z3@1", |_| Answer::Sat).printing("sat\n((define-fun x () Int 1))\n");
        let crash = Scripted::new("z3@2", |_| Answer::Crash("ASSERTION VIOLATION".into()));
        let both = matrix(None, &[&model, &crash]);
        assert_eq!(verdicts(&both), [Verdict::Wrong, Verdict::Fails]);
        assert_eq!(both.rows[0].cells[0].result, "invalid-model");
        assert_eq!(both.rows[0].cells[1].detail, "z3@2 crashes");
    }
}
