//! The runs of one confirmation: each is delivered when it ends, and none is repeated when a confirmation resumes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::Timed;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question, Reply};
use crate::solver::process::Interrupt;

/// What a run of a confirmation is for, in the order of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// A run of the reference, numbered from 0.
    Reference(u32),
    /// The reference is asked for the values of its model.
    Values,
    /// The verifier of this number checks the model.
    ModelCheck(u32),
    /// The verifier of this number decides the script itself.
    Agreement(u32),
    /// A run of the target at the confirm limit, numbered from 0.
    Confirm(u32),
    /// The target with this random seed at the search limit.
    Profile(u32),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Reference(number) => write!(f, "reference {}", number + 1),
            Step::Values => f.write_str("model"),
            Step::ModelCheck(_) => f.write_str("model check"),
            Step::Agreement(_) => f.write_str("second opinion"),
            Step::Confirm(number) => write!(f, "target {}", number + 1),
            Step::Profile(seed) => write!(f, "seed {seed}"),
        }
    }
}

/// One run of a confirmation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    /// What it is for.
    pub step: Step,
    /// The solver, as the user names it.
    pub solver: String,
    /// What the solver says its version is.
    pub version: String,
    /// The command line, with the program's path left out.
    pub command: String,
    /// The random seed, if one was set.
    pub seed: Option<u32>,
    /// The limit, in CPU seconds.
    pub limit_seconds: f64,
    /// What came of it.
    pub timed: Timed,
}

impl RunRow {
    /// The columns of `runs.csv`.
    pub const COLUMNS: [&'static str; 10] = [
        "purpose",
        "solver",
        "version",
        "command",
        "seed",
        "limit_seconds",
        "answer",
        "cpu_seconds",
        "wall_seconds",
        "peak_memory_bytes",
    ];

    /// The row of `runs.csv`, in the order of [`RunRow::COLUMNS`].
    pub fn record(&self) -> [String; 10] {
        [
            self.step.to_string(),
            self.solver.clone(),
            self.version.clone(),
            self.command.clone(),
            self.seed.map(|seed| seed.to_string()).unwrap_or_default(),
            self.limit_seconds.to_string(),
            self.timed.answer.name().to_owned(),
            format!("{:.6}", self.timed.cpu_seconds),
            format!("{:.6}", self.timed.wall_seconds),
            self.timed.peak_memory_bytes.to_string(),
        ]
    }
}

/// The runs so far, and where new ones are delivered.
pub(in crate::oracle) struct Ledger<'a> {
    runs: Mutex<BTreeMap<Step, RunRow>>,
    on_run: &'a (dyn Fn(&RunRow) + Sync),
}

impl<'a> Ledger<'a> {
    pub(super) fn new(known: &[RunRow], on_run: &'a (dyn Fn(&RunRow) + Sync)) -> Self {
        let runs = known.iter().map(|row| (row.step, row.clone())).collect();
        Ledger { runs: Mutex::new(runs), on_run }
    }

    /// The run of this step: the known one, or a new one.
    pub(in crate::oracle) fn run(
        &self,
        step: Step,
        prover: &dyn Prover,
        question: &Question<'_>,
        interrupt: &Interrupt,
    ) -> Result<RunRow, OracleError> {
        if let Some(row) = self.known(step, prover, question) {
            return Ok(row);
        }
        let reply = prover.ask(question, interrupt)?;
        Ok(self.enter(step, prover, question, &reply))
    }

    /// The run of this step if it is known, of this solver and with this limit: what was asked of another, or within other
    /// bounds, answers nothing here.
    fn known(&self, step: Step, prover: &dyn Prover, question: &Question<'_>) -> Option<RunRow> {
        let limit = question.limit.as_secs_f64();
        let is_this = |row: &&RunRow| {
            row.solver == prover.name()
                && row.version == prover.version()
                && row.seed == question.seed
                && (row.limit_seconds - limit).abs() < 1e-9
        };
        self.runs().get(&step).filter(is_this).cloned()
    }

    /// Runs this step, known or not, for the sake of its output.
    pub(in crate::oracle) fn ask(
        &self,
        step: Step,
        prover: &dyn Prover,
        question: &Question<'_>,
        interrupt: &Interrupt,
    ) -> Result<String, OracleError> {
        let reply = prover.ask(question, interrupt)?;
        if self.known(step, prover, question).is_none() {
            self.enter(step, prover, question, &reply);
        }
        Ok(reply.output)
    }

    /// All runs, in the order of their steps.
    pub(super) fn into_runs(self) -> Vec<RunRow> {
        self.runs.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    fn enter(&self, step: Step, prover: &dyn Prover, question: &Question<'_>, reply: &Reply) -> RunRow {
        let row = RunRow {
            step,
            solver: prover.name().to_owned(),
            version: prover.version().to_owned(),
            command: reply.command.clone(),
            seed: question.seed,
            limit_seconds: question.limit.as_secs_f64(),
            timed: reply.timed.clone(),
        };
        (self.on_run)(&row);
        self.runs().insert(step, row.clone());
        row
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<Step, RunRow>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
