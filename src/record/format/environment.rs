//! `environment.json`: what the results were measured with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::oracle::machine::Machine;
use crate::solver::process::Following;

/// Versions, machine, command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// This program's version.
    pub version: String,
    /// The command line.
    pub command: Vec<String>,
    /// Evaluations in flight.
    pub jobs: usize,
    /// Processor, cores, operating system.
    pub machine: Machine,
    /// How processes are found that a solver starts and that leave it; unknown of older runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub following: Option<Following>,
    /// When the run began, seconds since 1970.
    pub started_at: u64,
    /// By role (target, reference, instrumented): what the solver is and says of itself.
    pub solvers: BTreeMap<String, SolverRecord>,
}

/// One solver of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverRecord {
    /// The profile's name.
    pub name: String,
    /// What the solver says its version is.
    pub version: String,
    /// The executable.
    pub executable: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}
