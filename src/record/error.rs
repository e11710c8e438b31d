//! What can go wrong with a run directory.

use std::io;
use std::path::{Path, PathBuf};

/// A run directory that cannot be made, read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The folder already holds something; nothing in it was touched.
    #[error("{path} already exists; continue that run with --resume {path}, or choose another folder for --out")]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is no run directory.
    #[error("{path} is no run directory: it has no {missing}")]
    NotARun {
        /// The folder.
        path: PathBuf,
        /// The file that a run directory would have.
        missing: &'static str,
    },
    /// Another process works in the run directory.
    #[error("{path} is in use by process {process}")]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The other process's number, as it wrote it.
        process: String,
    },
    /// A result could not be written. What was written before is intact.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is there, but it does not hold what we wrote.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A replay needs an evaluation that was not recorded.
    #[error("{path} holds no evaluation of individual {id} (generation {generation}): a replay cannot run solvers")]
    NotRecorded {
        /// The record.
        path: PathBuf,
        /// The individual's number.
        id: u32,
        /// The generation it was bred in.
        generation: u32,
    },
    /// A replay needs a similarity that was not recorded.
    #[error("{path} holds no similarity of individuals {one} and {other}: a replay cannot run solvers")]
    NoSimilarity {
        /// The record.
        path: PathBuf,
        /// One individual's number.
        one: u32,
        /// The other's.
        other: u32,
    },
}

impl RecordError {
    /// Whether results could not be written, which has an exit code of its own.
    pub fn is_write(&self) -> bool {
        matches!(self, RecordError::Write { .. })
    }

    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> RecordError + '_ {
        move |source| RecordError::Write { path: path.to_owned(), source }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> RecordError + '_ {
        move |source| RecordError::Read { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, reason: impl std::fmt::Display) -> RecordError {
        RecordError::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }
}
