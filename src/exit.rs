//! Exit codes: what the program's caller learns from its end.

use std::path::PathBuf;

use crate::evaluate::EvaluateError;
use crate::experiment::ExperimentError;
use crate::oracle::OracleError;
use crate::record::RecordError;
use crate::solver::process::ProcessError;
use crate::solver::profile::ProfileError;
use crate::solver::provision::ProvisionError;

/// How a verb ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did what it was asked: exit code 0.
    Done,
    /// Defects were found, and the caller asked to be told by exit code 1.
    DefectsFound,
    /// It was interrupted after the results were made safe: exit code 130.
    Interrupted,
}

impl Status {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::DefectsFound => 1,
            Status::Interrupted => 130,
        }
    }
}

/// The bad input has been told to the user already; only the exit code is left to say.
#[derive(Debug, thiserror::Error)]
#[error("bad input")]
pub struct AlreadyReported;

/// A process of this program that did a part of the work failed: its exit code is ours.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ChildFailed {
    /// What failed, why, and what to do.
    pub message: String,
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
}

/// A solver that was asked for cannot be used; says which, and why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SolverUnusable(pub String);

/// A result could not be written where the user wants it.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct NotWritten {
    /// The file or folder.
    pub path: PathBuf,
    /// The system's reason.
    pub source: std::io::Error,
}

/// An error and its causes in one line, without what a cause says again.
pub fn message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| {
        let next = cause.to_string();
        match said.as_str() {
            "" => next,
            said if said.contains(&next) => said.to_owned(),
            said => format!("{said}: {next}"),
        }
    })
}

/// Usage, or bad input: whatever no more special code is for.
const BAD_INPUT: u8 = 2;
/// A solver is missing or unusable.
const NO_SOLVER: u8 = 3;
/// Results could not be written.
const NOT_WRITTEN: u8 = 4;
/// An internal error of ours, as if the program had panicked.
const INTERNAL_ERROR: u8 = 101;

/// The exit code for an error: of the first cause in its chain that has a code of its own.
pub fn code(error: &anyhow::Error) -> u8 {
    error.chain().find_map(code_of_cause).unwrap_or(BAD_INPUT)
}

fn code_of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<u8> {
    if let Some(ChildFailed { code, .. }) = cause.downcast_ref() {
        return code.and_then(|code| u8::try_from(code).ok()).filter(|&code| code > 0);
    }
    // Both say what their cause says, so that the cause itself is not in the chain.
    match cause.downcast_ref() {
        Some(ExperimentError::Record(error)) => return error.is_write().then_some(NOT_WRITTEN),
        Some(ExperimentError::Process(error)) => return code_of_cause(error),
        _ => {}
    }
    if let Some(error) = cause.downcast_ref::<RecordError>() {
        return error.is_write().then_some(NOT_WRITTEN);
    }
    if matches!(cause.downcast_ref(), Some(EvaluateError::Fails { .. })) {
        return Some(INTERNAL_ERROR);
    }
    let interrupted =
        matches!(cause.downcast_ref(), Some(ProvisionError::Interrupted | ProvisionError::InterruptedProbe))
            || matches!(cause.downcast_ref(), Some(EvaluateError::Interrupted))
            || matches!(cause.downcast_ref(), Some(OracleError::Interrupted));
    if interrupted {
        return Some(Status::Interrupted.code());
    }
    if cause.is::<NotWritten>() || matches!(cause.downcast_ref(), Some(ProcessError::Scratch { .. })) {
        return Some(NOT_WRITTEN);
    }
    let solver = cause.is::<ProvisionError>()
        || cause.is::<ProfileError>()
        || cause.is::<ProcessError>()
        || cause.is::<EvaluateError>()
        || cause.is::<OracleError>()
        || cause.is::<SolverUnusable>();
    solver.then_some(NO_SOLVER)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn the_cause_decides_whatever_context_was_added() {
        let fails = EvaluateError::Fails { failed: 9, all: 9, generation: 0, words: "index out of range".into() };
        assert_eq!(code(&fails.into()), INTERNAL_ERROR);
        let missing = Err::<(), _>(ProvisionError::NotInstalled { spec: "z3".into() }).context("the target");
        assert_eq!(code(&missing.unwrap_err()), NO_SOLVER);
        let full = RecordError::Write { path: "run/front.csv".into(), source: std::io::ErrorKind::StorageFull.into() };
        assert_eq!(code(&full.into()), NOT_WRITTEN);
        let full =
            RecordError::Write { path: "experiment.toml".into(), source: std::io::ErrorKind::StorageFull.into() };
        assert_eq!(code(&ExperimentError::from(full).into()), NOT_WRITTEN);
        let child = |code| ChildFailed { message: "1 of 8 runs failed".into(), code };
        assert_eq!(code(&child(Some(3)).into()), NO_SOLVER);
        assert_eq!(code(&child(None).into()), BAD_INPUT);
        let exists = RecordError::Exists { path: "run".into() };
        assert_eq!(code(&exists.into()), BAD_INPUT);
        assert_eq!(code(&anyhow::anyhow!("no such file")), BAD_INPUT);
    }
}
