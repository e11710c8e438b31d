//! Runs the commands of Slurm.

use std::ffi::OsString;

use crate::experiment::ExperimentError;
use crate::solver::process::{Command, Exit, Interrupt, Limits, find_program, run};

/// Seconds after which a command of Slurm is taken to hang: it gives up by itself when its controller is silent.
const PATIENCE_SECONDS: f64 = 300.0;

/// What a command printed on standard output, or why it failed.
pub(super) type Answer = Result<String, String>;

/// Runs a command of Slurm to its end. It is not interrupted: a job whose number we do not get to know is worse than
/// a moment's wait.
///
/// # Errors
/// [`ExperimentError::NoSlurm`], [`ExperimentError::Process`]. A command that fails is an answer.
pub(super) fn ask(
    program: &str,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<Answer, ExperimentError> {
    let path = find_program(program).map_err(|_| ExperimentError::NoSlurm { program: program.to_owned() })?;
    // The list of an array's waiting tasks would otherwise be cut.
    let command = Command::new(path).args(arguments).env("SLURM_BITSTR_LEN", "0");
    let limits = Limits { output_bytes: 256 << 20, ..Limits::wall(PATIENCE_SECONDS) };
    let run = run(command, &limits, &Interrupt::new())?;
    if run.succeeded() {
        return Ok(Ok(run.stdout_text()));
    }
    let printed = run.stderr_text();
    let printed = printed.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    Ok(Err(match (run.stopped, run.exit, printed.is_empty()) {
        (Some(_), _, _) => format!("it did not answer within {PATIENCE_SECONDS} s"),
        (None, _, false) => printed,
        (None, Exit::Code(code), true) => format!("exit code {code}"),
        (None, Exit::Signal(signal), true) => format!("signal {signal}"),
    }))
}

/// Like [`ask`], for a command that must not fail.
///
/// # Errors
/// Those of `ask`, and [`ExperimentError::Slurm`].
pub(super) fn tell(
    program: &str,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<String, ExperimentError> {
    ask(program, arguments)?.map_err(|reason| ExperimentError::Slurm { program: program.to_owned(), reason })
}
