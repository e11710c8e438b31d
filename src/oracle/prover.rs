//! Who can be asked about a script: a solver, or a table of answers in tests.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::model::{asking_as, asking_for_model, without_own_options};
use crate::evaluate::individual::Timed;
use crate::evaluate::written;
use crate::shell::quote;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::installed::{RunOptions, Solver};
use crate::solver::process::{Interrupt, Limits, ProcessError};
use crate::solver::profile::Source;

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

/// What of a script a solver was asked when it was asked for its model: what it refuses is left away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Form {
    /// The script's own options were left away, and `(check-sat)` stood in place of a question with a tactic.
    pub plain: bool,
    /// The question for a model stood at the end.
    pub model: bool,
}

impl Form {
    /// `script` in this form, without the question for a model.
    pub fn of(self, script: &Script) -> Cow<'_, Script> {
        let plain = if self.plain { without_own_options(script) } else { None };
        plain.map_or(Cow::Borrowed(script), Cow::Owned)
    }
}

/// What came of asking about a script and for its model.
#[derive(Clone, Debug)]
pub struct ModelReply {
    /// The reply that counts.
    pub reply: Reply,
    /// What it is the reply to.
    pub form: Form,
}

/// What came of asking about several scripts in one process.
#[derive(Clone, Debug)]
pub struct Together {
    /// The answer to each script; none where that is not known.
    pub answers: Vec<Option<Answer>>,
    /// CPU seconds of all.
    pub seconds: f64,
}

/// A solver that can be asked.
pub trait Prover: fmt::Debug + Sync {
    /// The solver's name, as the user names it: `z3str3@4.8.10`.
    fn name(&self) -> &str;

    /// What the solver says its version is.
    fn version(&self) -> &str;

    /// Whose program it is: solvers of one family share their mistakes.
    fn family(&self) -> &str {
        self.name().split(|c: char| c == '@' || c.is_whitespace()).next().unwrap_or_default()
    }

    /// Its executable, if it has one.
    fn executable(&self) -> Option<&Path> {
        None
    }

    /// The dialect that the solver reads and writes.
    fn dialect(&self) -> Dialect;

    /// Asks once. A script that cannot be written in the solver's dialect is answered `Unsupported`.
    ///
    /// # Errors
    /// [`OracleError`] if the solver could not be run, or the user interrupted.
    fn ask(&self, question: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError>;

    /// Asks about several scripts in as few processes as the solver can be asked in, without models. What is not answered
    /// with `sat`, `unsat` or `unknown` has no answer here.
    ///
    /// # Errors
    /// [`OracleError`] if the solver could not be run, or the user interrupted.
    fn ask_together(
        &self,
        scripts: &[&Script],
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Together, OracleError> {
        one_by_one(self, scripts, limit, interrupt)
    }

    /// The script with the question for a model as the solver is asked for it; `None` if the script has several questions,
    /// or the solver prints no model.
    fn asking_for_model(&self, script: &Script) -> Option<Script> {
        asking_for_model(script)
    }

    /// Asks about the script, and for its model, if the script asks one question only. What the solver refuses of that, but
    /// not of the script, does not count: the answer stands, and the output then holds no model.
    ///
    /// # Errors
    /// As [`Prover::ask`].
    fn ask_for_model(
        &self,
        script: &Script,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<ModelReply, OracleError> {
        let asking = self.asking_for_model(script);
        let form = Form { plain: false, model: asking.is_some() };
        let script = asking.as_ref().unwrap_or(script);
        let reply = self.ask(&Question { script, seed: None, limit, check_model: false }, interrupt)?;
        Ok(ModelReply { reply, form })
    }

    /// Whether it can be made to check its own models.
    fn checks_models(&self) -> bool {
        true
    }
}

/// Asks about each script in a process of its own, as [`Prover::ask_together`] does where it cannot do better.
fn one_by_one<P: Prover + ?Sized>(
    prover: &P,
    scripts: &[&Script],
    limit: Duration,
    interrupt: &Interrupt,
) -> Result<Together, OracleError> {
    let mut together = Together { answers: Vec::with_capacity(scripts.len()), seconds: 0.0 };
    for script in scripts {
        let Reply { timed, .. } = prover.ask(&Question { script, seed: None, limit, check_model: false }, interrupt)?;
        together.seconds += timed.cpu_seconds;
        let is_one = matches!(timed.answer, Answer::Sat | Answer::Unsat | Answer::Unknown(_));
        together.answers.push(is_one.then_some(timed.answer));
    }
    Ok(together)
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

    /// The same, where these are messages of its crashes too, and outputs with those texts say nothing.
    #[must_use]
    pub fn with_texts(mut self, crashes: &[String], ignores: &[String]) -> Self {
        self.solver.profile.crashes.extend_from_slice(crashes);
        self.solver.profile.ignores.extend_from_slice(ignores);
        self
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The command line as a reader can repeat it: the program's name, or the path of one that the user has somewhere, and the
    /// instance as `instance.smt2`.
    fn command_line(&self, options: RunOptions) -> String {
        let command = self.solver.command_with(Path::new("instance.smt2"), options);
        let is_the_users = matches!(self.solver.profile.source, Source::Path { .. });
        let name = command.program.file_name().filter(|_| !is_the_users);
        let program = name.unwrap_or(command.program.as_os_str());
        let words = std::iter::once(program).chain(command.arguments.iter().map(std::ffi::OsString::as_os_str));
        words.map(|word| quote(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
    }
}

impl Prover for InstalledProver {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        self.solver.version.as_str()
    }

    fn family(&self) -> &str {
        self.solver.profile.family()
    }

    fn executable(&self) -> Option<&Path> {
        Some(&self.solver.executable)
    }

    fn dialect(&self) -> Dialect {
        self.solver.profile.dialect
    }

    fn ask(&self, question: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        self.run(question, Additions::None, interrupt)
    }

    fn ask_together(
        &self,
        scripts: &[&Script],
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Together, OracleError> {
        let texts: Result<Vec<String>, Answer> =
            scripts.iter().map(|script| written::text_for(script, &self.solver)).collect();
        let (Ok(texts), true) = (texts, self.solver.profile.resets) else {
            return one_by_one(self, scripts, limit, interrupt);
        };
        let mut answers: Vec<Option<Answer>> = vec![None; scripts.len()];
        let (answer, run) =
            self.solver.solve(&texts.join("(reset)\n"), &Limits::cpu(limit.as_secs_f64()), interrupt)?;
        if answer == Answer::Interrupted {
            return Err(OracleError::Interrupted);
        }
        for (place, line) in run.stdout_text().lines().take(scripts.len()).enumerate() {
            let Some(answer) = Answer::said(line) else { break };
            answers[place] = Some(answer);
        }
        Ok(Together { answers, seconds: run.cpu_seconds })
    }

    fn asking_for_model(&self, script: &Script) -> Option<Script> {
        asking_as(script, &self.solver.profile.model)
    }

    fn ask_for_model(
        &self,
        script: &Script,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<ModelReply, OracleError> {
        let own_options_away = without_own_options(script);
        let mut refusal = None;
        // The more the solver may refuse the earlier: what is refused takes no time.
        for (script, plain) in std::iter::once((script, false)).chain(own_options_away.iter().map(|it| (it, true))) {
            let asking = self.asking_for_model(script).map(|asking| (asking, Additions::Model));
            for (script, additions) in asking.into_iter().chain([(script.clone(), Additions::None)]) {
                let question = Question { script: &script, seed: None, limit, check_model: false };
                let reply = self.run(&question, additions, interrupt)?;
                let form = Form { plain, model: additions == Additions::Model };
                if !reply.timed.answer.is_refusal() {
                    return Ok(ModelReply { reply, form });
                }
                if additions == Additions::None {
                    refusal.get_or_insert(ModelReply { reply, form });
                }
            }
        }
        if let Some(refusal) = refusal {
            return Ok(refusal);
        }
        let reply = self.ask(&Question { script, seed: None, limit, check_model: false }, interrupt)?;
        Ok(ModelReply { reply, form: Form::default() })
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
        let command = self.command_line(RunOptions { seed, check_model, model, incremental, ..RunOptions::default() });
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
