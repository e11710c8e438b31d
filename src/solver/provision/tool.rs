//! Runs the programs that a setup needs, with errors that say what to install or what went wrong.

use std::path::PathBuf;

use super::ProvisionError;
use crate::solver::process::{Command, Exit, Interrupt, Limits, Run, Stopped, find_program, run};

/// Seconds after which a tool is taken to hang: above any build on a slow machine.
const PATIENCE_SECONDS: f64 = 4.0 * 3600.0;
/// Bytes of a failed tool's output that an error quotes, from its end.
const QUOTED_BYTES: usize = 1500;

/// The Debian packages that bring each program.
const PACKAGES: &[(&str, &str)] = &[
    ("python3", "python3 python3-pip"),
    ("g++", "g++"),
    ("gcc", "gcc"),
    ("make", "make"),
    ("ar", "binutils"),
    ("apt-get", "apt"),
    ("dpkg-deb", "dpkg"),
];

/// The path of `program`, which is needed to `purpose`.
pub(super) fn find(program: &str, purpose: &str) -> Result<PathBuf, ProvisionError> {
    find_program(program).map_err(|_| ProvisionError::MissingProgram {
        program: program.to_owned(),
        purpose: purpose.to_owned(),
        packages: PACKAGES
            .iter()
            .find(|(name, _)| *name == program)
            .map_or(program, |(_, packages)| packages)
            .to_owned(),
    })
}

/// Runs `command`, which is to `purpose`, and returns its run if it succeeded.
pub(super) fn succeed(command: Command, purpose: &str, interrupt: &Interrupt) -> Result<Run, ProvisionError> {
    let run = run(command, &Limits::wall(PATIENCE_SECONDS), interrupt)?;
    if run.stopped == Some(Stopped::Interrupted) {
        return Err(ProvisionError::Interrupted);
    }
    if run.succeeded() {
        return Ok(run);
    }
    let exit = match run.exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
    };
    let printed = format!("{}\n{}", run.stdout_text().trim(), run.stderr_text().trim());
    let output = printed[printed.ceil_char_boundary(printed.len().saturating_sub(QUOTED_BYTES))..].trim().to_owned();
    let no_pip = output.contains("No module named pip");
    if no_pip {
        return Err(ProvisionError::MissingProgram {
            program: "pip for python3".to_owned(),
            purpose: purpose.to_owned(),
            packages: "python3-pip".to_owned(),
        });
    }
    Err(ProvisionError::ToolFailed { purpose: purpose.to_owned(), exit, output })
}
