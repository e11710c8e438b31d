//! `script:CMD`: any program decides, by its exit code, as with ddSMT and C-Reduce.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::{Judgement, Meter, Property, Rigour};
use crate::evaluate::individual::Timed;
use crate::oracle::OracleError;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::{
    Command, Exit, Interrupt, Limits, ProcessError, Run, Scratch, Stopped, find_program, run,
};

/// The file that the program is shown.
const INSTANCE: &str = "instance.smt2";
/// Where the file's name goes in the command, instead of at its end.
const PLACE: &str = "{}";
/// Lines of the program's standard error that are kept.
const SAID_LINES: usize = 5;

/// The property that a program ends as it ended for the input.
#[derive(Debug)]
pub struct ExitCode<'a> {
    shell: PathBuf,
    command: String,
    dialect: Dialect,
    limit: Duration,
    meter: &'a Meter,
    kept: Option<Ending>,
    /// What the program wrote to standard error for the input.
    said: String,
}

/// How a program ended: by itself, or because its time was up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Exit(Exit),
    OutOfTime,
}

impl<'a> ExitCode<'a> {
    /// Runs `command` on the input, as a line of the shell with the file's name at its end (or at `{}`), and keeps how
    /// it ends. The file is written in `dialect`; `limit` is a run's CPU time, of all that it starts together.
    ///
    /// # Errors
    /// [`OracleError`] if the command could not be started, or the user interrupted.
    pub fn of(
        script: &Script,
        command: &str,
        dialect: Dialect,
        limit: Duration,
        meter: &'a Meter,
        interrupt: &Interrupt,
    ) -> Result<Self, OracleError> {
        let shell = find_program("sh")?;
        let mut property =
            ExitCode { shell, command: command.to_owned(), dialect, limit, meter, kept: None, said: String::new() };
        if let Some((ending, said)) = property.ending(script, interrupt)? {
            (property.kept, property.said) = (Some(ending), said);
        }
        Ok(property)
    }

    /// Whether the command's end for the input says anything: the shell found the command and could run it (it ends with
    /// 127 and 126 otherwise), and the dialect can write the input.
    pub fn is_usable(&self) -> bool {
        !matches!(self.kept, None | Some(Ending::Exit(Exit::Code(126 | 127))))
    }

    /// How the command ends for the input, in words.
    pub fn kept(&self) -> String {
        match self.kept {
            Some(Ending::Exit(Exit::Code(127))) => "the shell finds no such command".to_owned(),
            Some(Ending::Exit(Exit::Code(126))) => "the shell cannot run it".to_owned(),
            Some(Ending::Exit(Exit::Code(code))) => format!("exit code {code}"),
            Some(Ending::Exit(Exit::Signal(signal))) => format!("signal {signal}"),
            Some(Ending::OutOfTime) => format!("no end within {} s of CPU time", self.limit.as_secs_f64()),
            None => "the dialect cannot write the input".to_owned(),
        }
    }

    /// The first lines that the command wrote to standard error for the input.
    pub fn said(&self) -> String {
        self.said.lines().take(SAID_LINES).collect::<Vec<_>>().join("\n")
    }

    /// How the command ends for a script, and what it says on standard error; `None` if the dialect cannot write the
    /// script.
    fn ending(&self, script: &Script, interrupt: &Interrupt) -> Result<Option<(Ending, String)>, OracleError> {
        let Ok(text) = printer::print(script, self.dialect, &PrintOptions::default()) else { return Ok(None) };
        let scratch = Scratch::new()?;
        let instance = scratch.path().join(INSTANCE);
        fs::write(&instance, text)
            .map_err(|source| ProcessError::Scratch { folder: scratch.path().to_owned(), source })?;
        let path = crate::shell::quote(&instance.display().to_string());
        let line = if self.command.contains(PLACE) {
            self.command.replace(PLACE, &path)
        } else {
            format!("{} {path}", self.command)
        };
        let command = Command::new(&self.shell).args(["-c", &line]);
        let run = run(command, &Limits::cpu(self.limit.as_secs_f64()), interrupt)?;
        let slow = matches!(run.stopped, Some(Stopped::Cpu | Stopped::Wall));
        self.meter.add(&timed(&run), slow);
        if run.stopped == Some(Stopped::Interrupted) {
            return Err(OracleError::Interrupted);
        }
        let ending = if slow { Ending::OutOfTime } else { Ending::Exit(run.exit) };
        Ok(Some((ending, run.stderr_text())))
    }
}

fn timed(run: &Run) -> Timed {
    Timed::of(Answer::Unknown(String::new()), run)
}

impl Property for ExitCode<'_> {
    fn judge(&self, script: &Script, _: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        let ending = self.ending(script, interrupt)?.map(|(ending, _)| ending);
        Ok(if ending.is_some() && ending == self.kept { Judgement::Holds } else { Judgement::Fails })
    }
}
