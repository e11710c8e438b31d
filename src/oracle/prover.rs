//! Who can be asked about a script: a solver, or a table of answers in tests.

use std::fmt;
use std::time::Duration;

use crate::evaluate::individual::Timed;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// What keeps an oracle from its verdict: our own fault or the user's wish, never a solver's failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The user interrupted; what is finished has been delivered.
    #[error("interrupted")]
    Interrupted,
    /// A solver could not be started.
    #[error("cannot run {solver}")]
    Run {
        /// The solver's name.
        solver: String,
        /// The reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// A script to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The script.
    pub script: &'a Script,
    /// The solver's random seed; `None` leaves its default.
    pub seed: Option<u32>,
    /// CPU seconds.
    pub limit: Duration,
}

/// What came of a question.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer and what it cost.
    pub timed: Timed,
    /// The command line, with the solver's path shortened to the program's name.
    pub command: String,
    /// Standard output.
    pub output: String,
}

/// A solver that can be asked.
pub trait Prover: fmt::Debug + Sync {
    /// The solver's name, as the user names it: `z3str3@4.8.10`.
    fn name(&self) -> &str;

    /// What the solver says its version is.
    fn version(&self) -> &str;

    /// The dialect that the solver reads and writes.
    fn dialect(&self) -> Dialect;

    /// Asks once. A script that cannot be written in the solver's dialect is answered `Unsupported`.
    ///
    /// # Errors
    /// [`OracleError`] if the solver could not be run, or the user interrupted.
    fn ask(&self, question: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError>;
}
