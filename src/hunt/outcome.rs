//! What a hunt left in its folder, read back.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::oracle::correctness::Kind;

/// The names in a hunt's folder.
pub mod names {
    /// The numbers and the list of defects.
    pub const HUNT: &str = "hunt.json";
    /// `NNN`, a folder for each defect.
    pub const FINDINGS: &str = "findings";
    /// A defect's instance as it was found.
    pub const INSTANCE: &str = "instance.smt2";
    /// A defect's smallest instance.
    pub const REDUCED: &str = "reduced.smt2";
}

/// What a hunt came to, as `hunt.json` says it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Outcome {
    /// Whether it came to its end: no interrupt, no failure.
    pub complete: bool,
    /// Instances that were asked about.
    pub instances: u64,
    /// Of these, instances that their assignment does not satisfy: a fault of ours.
    pub unsatisfied: u64,
    /// CPU seconds of solvers, without those of minimising.
    pub solver_seconds: f64,
    /// The defects, in the order in which they were found.
    pub defects: Vec<FoundDefect>,
}

/// A defect of a hunt.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct FoundDefect {
    /// Its folder's name.
    pub number: String,
    /// Its kind.
    pub kind: Kind,
}

impl Outcome {
    /// Reads the outcome of the hunt in `folder`; `None` if it has not ended yet.
    ///
    /// # Errors
    /// A `hunt.json` that cannot be read, or is none of ours.
    pub fn read(folder: &Path) -> io::Result<Option<Outcome>> {
        match std::fs::read(folder.join(names::HUNT)) {
            Ok(json) => Ok(Some(serde_json::from_slice(&json)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The first defect of this kind.
    pub fn first(&self, kind: Kind) -> Option<&FoundDefect> {
        self.defects.iter().find(|defect| defect.kind == kind)
    }
}

impl FoundDefect {
    /// Its folder, of the hunt in `folder`.
    pub fn folder(&self, folder: &Path) -> PathBuf {
        folder.join(names::FINDINGS).join(&self.number)
    }
}
