//! Who can be asked about a script: a solver, or a table of answers in tests.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::model::{asking_as, asking_for_model, without_own_options};
use crate::evaluate::individual::Timed;
use crate::evaluate::written;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::installed::{RunOptions, Solver};
use crate::solver::process::{Interrupt, Limits, ProcessError};

/// What keeps an oracle from its verdict: our own fault or the user's wish, never a solver's failure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The user interrupted; what is finished has been delivered.
    #[error("interrupted")]
    Interrupted,
    /// A solver could not be started.
    #[error(transparent)]
    Run(#[from] ProcessError),
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
    /// Whether the solver is to check its own model of a satisfiable script: one that does not hold is
    /// [`Answer::InvalidModel`].
    pub check_model: bool,
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

    /// Asks about the script, and for its model, if the script asks one question only. What the solver refuses of that, but
    /// not of the script, does not count: the answer stands, and the output then holds no model.
    ///
    /// # Errors
    /// As [`Prover::ask`].
    fn ask_for_model(&self, script: &Script, limit: Duration, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        let asking = asking_for_model(script);
        let script = asking.as_ref().unwrap_or(script);
        self.ask(&Question { script, seed: None, limit, check_model: false }, interrupt)
    }

    /// Whether it can be made to check its own models.
    fn checks_models(&self) -> bool {
        true
    }
}

/// A solver on this machine, under the name that reports use.
#[derive(Clone, Debug)]
pub struct InstalledProver {
    name: String,
    solver: Solver,
}

impl InstalledProver {
    /// Asks `solver`.
    pub fn new(solver: Solver) -> Self {
        InstalledProver { name: solver.label(), solver }
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The command line as a reader can repeat it: the program's name, and the instance as `instance.smt2`.
    fn command_line(&self, options: RunOptions) -> String {
        let command = self.solver.command_with(Path::new("instance.smt2"), options);
        let program = command.program.file_name().unwrap_or(command.program.as_os_str());
        let words = std::iter::once(program).chain(command.arguments.iter().map(std::ffi::OsString::as_os_str));
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

impl Prover for InstalledProver {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        self.solver.version.as_str()
    }

    fn dialect(&self) -> Dialect {
        self.solver.profile.dialect
    }

    fn ask(&self, question: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        self.run(question, Additions::None, interrupt)
    }

    fn ask_for_model(&self, script: &Script, limit: Duration, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        let how = &self.solver.profile.model;
        let plain = without_own_options(script);
        let mut refusal = None;
        // The more the solver may refuse the earlier: what is refused takes no time.
        for script in std::iter::once(script).chain(plain.as_ref()) {
            let asking = asking_as(script, how).map(|asking| (asking, Additions::Model));
            for (script, additions) in asking.into_iter().chain([(script.clone(), Additions::None)]) {
                let question = Question { script: &script, seed: None, limit, check_model: false };
                let reply = self.run(&question, additions, interrupt)?;
                if !reply.timed.answer.is_refusal() {
                    return Ok(reply);
                }
                if additions == Additions::None {
                    refusal.get_or_insert(reply);
                }
            }
        }
        match refusal {
            Some(reply) => Ok(reply),
            None => self.ask(&Question { script, seed: None, limit, check_model: false }, interrupt),
        }
    }

    fn checks_models(&self) -> bool {
        !self.solver.profile.check_model.is_empty()
    }
}

/// What of a script is ours, and not the user's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Additions {
    /// Nothing.
    None,
    /// The question for a model behind the only other one, and what it needs before.
    Model,
}

impl InstalledProver {
    fn run(&self, question: &Question<'_>, additions: Additions, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        let Question { seed, check_model, script, limit } = *question;
        let incremental = script.is_incremental();
        let model = additions == Additions::Model;
        let command = self.command_line(RunOptions { seed, model, incremental, ..RunOptions::default() });
        let text = match written::text_for(script, &self.solver) {
            Ok(text) => text,
            Err(answer) => {
                let timed = Timed { answer, cpu_seconds: 0.0, wall_seconds: 0.0, peak_memory_bytes: 0 };
                return Ok(Reply { timed, command, output: String::new() });
            }
        };
        let limits = Limits::cpu(limit.as_secs_f64());
        let options = RunOptions { seed, check_model, model, incremental, ..RunOptions::default() };
        let (answer, run) = self.solver.solve_with(&text, &limits, interrupt, options)?;
        if answer == Answer::Interrupted {
            return Err(OracleError::Interrupted);
        }
        let stands = (model && answer.is_refusal())
            .then(|| Answer::before_refusal(&run, &self.solver.profile.crashes))
            .flatten();
        let (answer, output) = stands.unwrap_or_else(|| (answer, run.stdout_text()));
        Ok(Reply { timed: Timed::of(answer, &run), command, output })
    }
}
