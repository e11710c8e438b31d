//! The same instances on many solvers, mostly versions of one: which are bad on each, since when, and until when.

use std::fmt::Write as _;
use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::ran_out;
use crate::isolate::isolated;
use crate::number::counted;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// What one solver makes of one instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// `sat` or `unsat` within the limit.
    Answers,
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

    /// Whether the instance shows a defect; `None` if that cannot be said.
    pub fn is_bad(self) -> Option<bool> {
        match self {
            Verdict::Answers => Some(false),
            Verdict::Slow | Verdict::GivesUp | Verdict::Fails => Some(true),
            Verdict::Unclear => None,
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

/// Instances against solvers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Matrix {
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
        instances: &[(String, Script)],
        provers: &[&dyn Prover],
        limit: Duration,
        pool: &rayon::ThreadPool,
        on_run: &(dyn Fn(&str, &str, &Cell) + Sync),
        interrupt: &Interrupt,
    ) -> Matrix {
        let pairs: Vec<(&(String, Script), &dyn Prover)> =
            instances.iter().flat_map(|instance| provers.iter().map(move |prover| (instance, *prover))).collect();
        let run = |((name, script), prover): &(&(String, Script), &dyn Prover)| {
            let question = Question { script, seed: None, limit, check_model: false };
            let cell = match isolated(|| prover.ask(&question, interrupt)) {
                Ok(Ok(asked)) => Cell::of(&asked.timed, limit),
                Ok(Err(OracleError::Interrupted)) => return None,
                Ok(Err(error)) => Cell::failed(error.to_string()),
                Err(message) => Cell::internal(message),
            };
            on_run(name, prover.name(), &cell);
            Some(cell)
        };
        let cells: Vec<Option<Cell>> = pool.install(|| pairs.par_iter().map(run).collect());
        let solvers: Vec<String> = provers.iter().map(|prover| prover.name().to_owned()).collect();
        let internal_errors = cells.iter().flatten().filter(|cell| cell.is_internal_error()).count();
        let rows: Vec<Row> = cells
            .chunks(provers.len().max(1))
            .zip(instances)
            .filter_map(|(cells, (name, _))| {
                Some(Row::of(name, cells.iter().cloned().collect::<Option<_>>()?, &solvers))
            })
            .collect();
        let unfinished = instances.len() - rows.len();
        let limit_seconds = limit.as_secs_f64();
        Matrix { solvers, limit_seconds, rows, left_out: Vec::new(), unfinished, internal_errors }
    }

    /// The table, in Markdown, and in words below it what changed where.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "| instance | {} | first bad | first good after |", self.solvers.join(" | "))?;
        writeln!(out, "| --- |{} --- | --- |", " ---: |".repeat(self.solvers.len()))?;
        for row in &self.rows {
            let cells: Vec<String> = row.cells.iter().map(|cell| self.cell(cell, row)).collect();
            let or_none = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
            let (bad, good) = (or_none(&row.first_bad), or_none(&row.first_good));
            let regressed = match &row.regressed_on {
                Some(on) if row.first_bad.as_ref() == Some(on) => " (regression)".to_owned(),
                Some(on) => format!(" (regression: {on})"),
                None => String::new(),
            };
            writeln!(out, "| {} | {} | {bad}{regressed} | {good} |", row.instance, cells.join(" | "))?;
        }
        writeln!(out, "\nCPU seconds; `>` means no answer within {} s.", self.limit_seconds)?;
        for row in &self.rows {
            if let Some((one, other)) = &row.contradiction {
                writeln!(out, "{}: {one} and {other} contradict each other, marked with `!`.", row.instance)?;
            }
        }
        if !self.left_out.is_empty() {
            writeln!(out, "\nLeft out:\n")?;
        }
        for LeftOut { instance, reason } in &self.left_out {
            writeln!(out, "- {instance}: {reason}")?;
        }
        let noun = if self.unfinished == 1 { "instance" } else { "instances" };
        if self.unfinished > 0 {
            writeln!(out, "\nInterrupted: {} more {noun} did not come to the end.", self.unfinished)?;
        }
        if self.internal_errors > 0 {
            let runs = counted(self.internal_errors, "run");
            writeln!(out, "\n{runs} failed by an internal error of mulstringfuzz itself: please report it.")?;
        }
        Ok(())
    }

    fn cell(&self, cell: &Cell, row: &Row) -> String {
        match cell.verdict {
            _ if cell.is_internal_error() => cell.result.to_owned(),
            Verdict::Slow if cell.result == Answer::MemoryOut.name() => format!("memory, {:.2}", cell.seconds),
            Verdict::Slow => format!("> {}", self.limit_seconds),
            Verdict::Answers if row.contradiction.is_some() => format!("{}! {:.2}", cell.result, cell.seconds),
            _ => format!("{} {:.2}", cell.result, cell.seconds),
        }
    }
}

impl Row {
    fn of(instance: &str, cells: Vec<Cell>, solvers: &[String]) -> Row {
        let bad = cells.iter().position(|cell| cell.verdict.is_bad() == Some(true));
        let good = |range: std::ops::Range<usize>| {
            range.into_iter().find(|&index| cells[index].verdict.is_bad() == Some(false))
        };
        let named = |index: usize| solvers[index].clone();
        let solved = |word: &str| cells.iter().position(|cell| cell.result == word);
        let regressed_on = regression(&cells, solvers).map(named);
        let contradiction = solved(Answer::Sat.name()).zip(solved(Answer::Unsat.name()));
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
fn regression(cells: &[Cell], solvers: &[String]) -> Option<usize> {
    let name = |index: usize| solvers[index].split(['@', ' ']).next();
    let is = |index: usize, bad: bool| cells[index].verdict.is_bad() == Some(bad);
    (0..cells.len())
        .find(|&late| is(late, true) && (0..late).any(|early| is(early, false) && name(early) == name(late)))
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
        Row::of("a", cells.collect(), &solvers)
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
        let apart = Row::of("a", cells([Answers, Slow, Slow, Answers]), &solvers);
        assert_eq!((apart.first_bad.as_deref(), apart.regressed_on), (Some("z3str3@4.8.10"), None));
        let later = Row::of("a", cells([Answers, Slow, Answers, Slow]), &solvers);
        assert_eq!((later.regressed, later.regressed_on.as_deref()), (true, Some("z3@5.4.1")));
    }

    #[test]
    fn the_table_says_what_was_measured_and_what_contradicts() {
        let solvers = vec!["z3@1".to_owned(), "z3@2".to_owned(), "z3@3".to_owned()];
        let cells = vec![
            cell("unsat", 0.012, Verdict::Answers),
            cell("timeout", 5.01, Verdict::Slow),
            cell("sat", 0.25, Verdict::Answers),
        ];
        let left_out = vec![LeftOut { instance: "bad".into(), reason: "bad.smt2:1:1: no command".into() }];
        let matrix = Matrix {
            limit_seconds: 5.0,
            rows: vec![Row::of("007", cells, &solvers)],
            solvers,
            left_out,
            unfinished: 2,
            internal_errors: 0,
        };
        insta::assert_snapshot!(matrix.markdown(), @r"
        | instance | z3@1 | z3@2 | z3@3 | first bad | first good after |
        | --- | ---: | ---: | ---: | --- | --- |
        | 007 | unsat! 0.01 | > 5 | sat! 0.25 | z3@2 (regression) | z3@3 |

        CPU seconds; `>` means no answer within 5 s.
        007: z3@3 and z3@1 contradict each other, marked with `!`.

        Left out:

        - bad: bad.smt2:1:1: no command

        Interrupted: 2 more instances did not come to the end.
        ");
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
        let instances = [("a".to_owned(), script)];
        let limit = Duration::from_secs(1);
        let matrix = Matrix::of(&instances, &[&Failing], limit, &pool, &|_, _, _| {}, &Interrupt::new());
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
