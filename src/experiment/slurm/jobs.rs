//! `slurm/jobs.json`: which jobs were submitted for which runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::names;
use crate::experiment::{ExperimentError, ExperimentFolder};

/// All submissions, the latest last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Jobs {
    pub(super) submissions: Vec<Submission>,
}

/// One job array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Submission {
    /// Its name, which no other has.
    pub(super) name: String,
    /// Its number. None if we were stopped before Slurm told it: then the name finds it.
    pub(super) job: Option<u64>,
    /// The number of the job that writes the tables after it.
    pub(super) tables: Option<u64>,
    /// The runs, `ARM/NNN`, by their numbers in the array.
    pub(super) runs: BTreeMap<usize, String>,
}

impl Jobs {
    /// Reads the file; without it there are no jobs.
    pub(super) fn read(folder: &ExperimentFolder) -> Result<Self, ExperimentError> {
        let path = path(folder);
        match std::fs::read(&path) {
            Ok(json) => serde_json::from_slice(&json).map_err(|source| ExperimentError::Jobs { path, source }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Jobs::default()),
            Err(source) => Err(ExperimentError::Read { path, source }),
        }
    }

    /// Writes the file as a whole.
    pub(super) fn write(&self, folder: &ExperimentFolder) -> Result<(), ExperimentError> {
        // Numbers and texts: always JSON. An empty file would be refused.
        let json = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        folder.write(&Path::new(names::SLURM).join(names::JOBS), json.as_bytes()).map(drop)
    }
}

/// Where the file is.
pub(super) fn path(folder: &ExperimentFolder) -> PathBuf {
    folder.root().join(names::SLURM).join(names::JOBS)
}
