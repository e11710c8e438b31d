//! The same instances on many solvers, mostly versions of one: which are bad on each, since when, and until when.

mod judged;
pub mod releases;
mod table;

use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::ran_out;
use crate::isolate::isolated;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::semantics::interpretation::Interpretation;
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// What makes a solver bad on an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// That it comes to no answer, in time or at all.
    Time,
    /// That its answer or its model is wrong, or that it crashes.
    Answers,
}

/// What one solver makes of one instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// `sat` or `unsat` within the limit.
    Answers,
    /// `sat` or `unsat`, but the answer or the model is wrong. Only where answers are judged.
    Wrong,
    /// Time or memory ran out.
    Slow,
    /// `unknown` before that.
    GivesUp,
    /// It crashed, or its own check refuted its model.
    Fails,
    /// It does not take the instance, or the machine starved it, or somebody killed it: that says nothing about the defect.
    Unclear,
}

impl Verdict {
    fn of(timed: &Timed, limit: Duration) -> Verdict {
        match &timed.answer {
            _ if ran_out(timed, limit) => Verdict::Slow,
            Answer::Sat | Answer::Unsat => Verdict::Answers,
            Answer::Unknown(_) => Verdict::GivesUp,
            Answer::Crash(_) | Answer::InvalidModel(_) => Verdict::Fails,
            _ => Verdict::Unclear,
        }
    }

    /// Whether the instance shows a defect; `None` if that cannot be said. A solver that comes to no answer may still be
    /// one that would give a wrong one.
    pub fn is_bad(self, measure: Measure) -> Option<bool> {
        match (self, measure) {
            (Verdict::Answers, _) => Some(false),
            (Verdict::Wrong | Verdict::Fails, _) | (Verdict::Slow | Verdict::GivesUp, Measure::Time) => Some(true),
            (Verdict::Slow | Verdict::GivesUp, Measure::Answers) | (Verdict::Unclear, _) => None,
        }
    }
}

/// The result of a run on which this program itself failed.
pub const INTERNAL_ERROR: &str = "internal-error";

/// One run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// The answer's name, as in `evaluations.csv`; [`INTERNAL_ERROR`] if this program itself failed.
    pub result: &'static str,
    /// The solver's message, where the answer has one.
    pub detail: String,
    /// CPU seconds.
    pub seconds: f64,
    /// What that amounts to.
    pub verdict: Verdict,
}

impl Cell {
    fn of(timed: &Timed, limit: Duration) -> Cell {
        Cell {
            result: timed.answer.name(),
            detail: timed.answer.detail().to_owned(),
            seconds: timed.cpu_seconds,
            verdict: Verdict::of(timed, limit),
        }
    }

    /// That of a run that could not be made.
    fn failed(detail: String) -> Cell {
        Cell { result: Answer::Rejected(String::new()).name(), detail, seconds: 0.0, verdict: Verdict::Unclear }
    }

    /// That of a run on which this program itself failed: no fault of the solver's.
    fn internal(message: String) -> Cell {
        Cell { result: INTERNAL_ERROR, detail: message, seconds: 0.0, verdict: Verdict::Unclear }
    }

    /// Whether this program itself failed.
    pub fn is_internal_error(&self) -> bool {
        self.result == INTERNAL_ERROR
    }
}

/// One instance on all solvers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The instance's name.
    pub instance: String,
    /// A run for each solver, in their order.
    pub cells: Vec<Cell>,
    /// The first solver, in their order, on which it is bad.
    pub first_bad: Option<String>,
    /// The first solver after that on which it is good again.
    pub first_good: Option<String>,
    /// Whether there is a regression.
    pub regressed: bool,
    /// The first solver on which it is bad while an earlier one of the same name is good: a regression of that solver.
    pub regressed_on: Option<String>,
    /// Two solvers that answer, and contradict each other.
    pub contradiction: Option<(String, String)>,
}

/// An instance that is to be run.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The script.
    pub script: Script,
    /// An assignment that is said to satisfy it: whether it does is for our evaluator to say.
    pub assignment: Option<Interpretation>,
}

/// Instances against solvers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Matrix {
    /// What makes a solver bad on an instance.
    pub measure: Measure,
    /// The solvers' names, in the order of the columns: from old to new, if they are versions of one.
    pub solvers: Vec<String>,
    /// CPU seconds of each run.
    pub limit_seconds: f64,
    /// One row for each instance.
    pub rows: Vec<Row>,
    /// What was to be run, and is no script.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// How many instances not all solvers were run on, because the user interrupted.
    #[serde(skip_serializing_if = "is_zero")]
    pub unfinished: usize,
    /// On how many runs this program itself failed.
    #[serde(skip_serializing_if = "is_zero")]
    pub internal_errors: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// An instance that cannot be run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LeftOut {
    /// The instance's name.
    pub instance: String,
    /// Why not.
    pub reason: String,
}

impl Matrix {
    /// Runs every solver on every instance, as many at once as `pool` has threads. That a solver cannot be run on one
    /// instance is data too. After an interrupt only the instances are there that all solvers were run on.
    pub fn of(
        subjects: &[Subject],
        provers: &[&dyn Prover],
        (measure, limit): (Measure, Duration),
        pool: &rayon::ThreadPool,
        on_run: &(dyn Fn(&str, &str, &Cell) + Sync),
        interrupt: &Interrupt,
    ) -> Matrix {
        let told = |name: &str, prover: &dyn Prover, cell: Cell| {
            on_run(name, prover.name(), &cell);
            cell
        };
        let rows: Vec<Option<Vec<Cell>>> = match measure {
            Measure::Time => {
                let pairs: Vec<(&Subject, &dyn Prover)> =
                    subjects.iter().flat_map(|subject| provers.iter().map(move |prover| (subject, *prover))).collect();
                let run = |(subject, prover): &(&Subject, &dyn Prover)| {
                    let cell = timed(&subject.script, *prover, limit, interrupt)?;
                    Some(told(&subject.name, *prover, cell))
                };
                let cells: Vec<Option<Cell>> = pool.install(|| pairs.par_iter().map(run).collect());
                cells.chunks(provers.len().max(1)).map(|cells| cells.iter().cloned().collect()).collect()
            }
            // Who is wrong is said of all answers together.
            Measure::Answers => {
                let run = |subject: &Subject| {
                    let cells = judged::cells(subject, provers, limit, interrupt)?;
                    Some(
                        cells
                            .into_iter()
                            .zip(provers)
                            .map(|(cell, prover)| told(&subject.name, *prover, cell))
                            .collect(),
                    )
                };
                pool.install(|| subjects.par_iter().map(run).collect())
            }
        };
        let solvers: Vec<String> = provers.iter().map(|prover| prover.name().to_owned()).collect();
        let rows: Vec<Row> = rows
            .into_iter()
            .zip(subjects)
            .filter_map(|(cells, subject)| Some(Row::of(&subject.name, cells?, &solvers, measure)))
            .collect();
        let internal_errors = rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.is_internal_error()).count();
        let unfinished = subjects.len() - rows.len();
        let limit_seconds = limit.as_secs_f64();
        Matrix { measure, solvers, limit_seconds, rows, left_out: Vec::new(), unfinished, internal_errors }
    }
}

/// How long a solver takes for a script; `None` after an interrupt.
fn timed(script: &Script, prover: &dyn Prover, limit: Duration, interrupt: &Interrupt) -> Option<Cell> {
    let question = Question { script, seed: None, limit, check_model: false };
    match isolated(|| prover.ask(&question, interrupt)) {
        Ok(Ok(asked)) => Some(Cell::of(&asked.timed, limit)),
        Ok(Err(OracleError::Interrupted)) => None,
        Ok(Err(error)) => Some(Cell::failed(error.to_string())),
        Err(message) => Some(Cell::internal(message)),
    }
}

impl Row {
    fn of(instance: &str, cells: Vec<Cell>, solvers: &[String], measure: Measure) -> Row {
        // Where it is decided who is wrong, nobody else contradicts anybody.
        let counts = |cell: &Cell| measure == Measure::Time || cell.verdict == Verdict::Answers;
        let solved = |word: &str| cells.iter().position(|cell| cell.result == word && counts(cell));
        let contradiction = solved(Answer::Sat.name()).zip(solved(Answer::Unsat.name()));
        // Of two that contradict each other, one is wrong.
        let is_doubtful =
            |cell: &Cell| measure == Measure::Answers && contradiction.is_some() && cell.verdict == Verdict::Answers;
        let is =
            |index: usize, bad: bool| cells[index].verdict.is_bad(measure) == Some(bad) && !is_doubtful(&cells[index]);
        let bad = (0..cells.len()).find(|&index| is(index, true));
        let good = |mut range: std::ops::Range<usize>| range.find(|&index| is(index, false));
        let named = |index: usize| solvers[index].clone();
        let regressed_on = regression(solvers, is).map(named);
        Row {
            instance: instance.to_owned(),
            first_bad: bad.map(named),
            first_good: bad.and_then(|bad| good(bad..cells.len())).map(named),
            regressed: regressed_on.is_some(),
            regressed_on,
            contradiction: contradiction.map(|(one, other)| (named(one), named(other))),
            cells,
        }
    }
}

/// The first solver that is bad where an earlier one of the same name is good. That one solver is bad where another is
/// good is no regression.
fn regression(solvers: &[String], is: impl Fn(usize, bool) -> bool) -> Option<usize> {
    (0..solvers.len()).find(|&late| {
        is(late, true) && (0..late).any(|early| is(early, false) && family(&solvers[early]) == family(&solvers[late]))
    })
}

/// What versions and configurations of one solver have in common: its name.
pub(crate) fn family(solver: &str) -> &str {
    solver.split(['@', ' ']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::prover::Reply;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};

    fn cell(result: &'static str, seconds: f64, verdict: Verdict) -> Cell {
        Cell { result, detail: String::new(), seconds, verdict }
    }

    fn row(verdicts: &[Verdict]) -> Row {
        let solvers: Vec<String> = (0..verdicts.len()).map(|number| format!("z3@{number}")).collect();
        let cells = verdicts.iter().map(|&verdict| {
            let result = match verdict {
                Verdict::Answers => "sat",
                Verdict::Slow => "timeout",
                _ => "error",
            };
            cell(result, 0.5, verdict)
        });
        Row::of("a", cells.collect(), &solvers, Measure::Time)
    }

    #[test]
    fn a_regression_and_its_mending_are_found() {
        use Verdict::{Answers, Slow, Unclear};
        let changed = row(&[Unclear, Answers, Slow, Unclear, Slow, Answers]);
        assert_eq!((changed.first_bad.as_deref(), changed.first_good.as_deref()), (Some("z3@2"), Some("z3@5")));
        assert!(changed.regressed);
        let always = row(&[Slow, Slow]);
        assert_eq!((always.first_bad.as_deref(), always.first_good, always.regressed), (Some("z3@0"), None, false));
        let never = row(&[Unclear, Answers]);
        assert_eq!((never.first_bad, never.regressed), (None, false));
    }

    #[test]
    fn another_solver_that_is_slow_is_no_regression() {
        use Verdict::{Answers, Slow};
        let cells = |verdicts: [Verdict; 4]| verdicts.map(|verdict| cell("sat", 0.5, verdict)).to_vec();
        let solvers = ["cvc4@1.6", "z3str3@4.8.10", "z3@4.8.10", "z3@5.4.1"].map(str::to_owned);
        let apart = Row::of("a", cells([Answers, Slow, Slow, Answers]), &solvers, Measure::Time);
        assert_eq!((apart.first_bad.as_deref(), apart.regressed_on), (Some("z3str3@4.8.10"), None));
        let later = Row::of("a", cells([Answers, Slow, Answers, Slow]), &solvers, Measure::Time);
        assert_eq!((later.regressed, later.regressed_on.as_deref()), (true, Some("z3@5.4.1")));
    }

    /// A prover on which this program itself fails.
    #[derive(Debug)]
    struct Failing;

    impl Prover for Failing {
        fn name(&self) -> &'static str {
            "failing"
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn dialect(&self) -> Dialect {
            Dialect::SmtLib26
        }

        fn ask(&self, _: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
            panic!("a rule is missing")
        }
    }

    #[test]
    fn a_fault_of_ours_is_not_told_as_the_solvers() {
        let script = parse("(check-sat)", "a.smt2", &ParseOptions::default()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let subjects = [Subject { name: "a".to_owned(), script, assignment: None }];
        let limit = Duration::from_secs(1);
        let of =
            |measure| Matrix::of(&subjects, &[&Failing], (measure, limit), &pool, &|_, _, _| {}, &Interrupt::new());
        let matrix = of(Measure::Answers);
        assert_eq!((matrix.rows[0].cells[0].result, matrix.internal_errors), (INTERNAL_ERROR, 1));
        let matrix = of(Measure::Time);
        let cell = &matrix.rows[0].cells[0];
        assert_eq!((cell.result, matrix.internal_errors, cell.verdict), (INTERNAL_ERROR, 1, Verdict::Unclear));
        assert!(cell.detail.starts_with("a rule is missing (src/matrix.rs:"), "{}", cell.detail);
        let table = matrix.markdown();
        assert!(table.contains("| a | internal-error | - | - |"), "{table}");
        assert!(
            table.contains("\n1 run failed by an internal error of mulstringfuzz itself: please report it."),
            "{table}"
        );
    }
}
