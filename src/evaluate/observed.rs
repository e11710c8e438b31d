//! The observed run: which lines of the instrumented target ran, and what the target wrote into its trace log.
//!
//! Coverage comes through shared memory and the trace through a pipe that is read while the solver runs, so a run that
//! is killed at its limit still yields both. By default one run of the instrumented target yields both (*fused*);
//! *apart*, the trace comes from the plain target, whose trace then does not count its own code as covered.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::pipe2;
use serde::{Deserialize, Serialize};

use super::evaluator::EvaluateError;
use crate::coverage::{CounterChannel, CoverageMap, LineCounts};
use crate::solver::Solver;
use crate::solver::process::Interrupt;
use crate::trace::Trace;

/// The counters' descriptor in the solver.
const COUNTERS_DESCRIPTOR: RawFd = 10;
/// The trace pipe's descriptor in the solver.
const TRACE_DESCRIPTOR: RawFd = 11;
/// The pipe's size, in bytes: the most that an unprivileged process may ask for, so that the solver seldom waits.
const PIPE_BYTES: i32 = 1 << 20;

/// An instrumented build of the target, and the map of its lines.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The solver.
    pub solver: Solver,
    /// Its lines.
    pub map: Arc<CoverageMap>,
}

/// Whether coverage and trace come from the same run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fusion {
    /// One run of the instrumented target yields both.
    #[default]
    Fused,
    /// The instrumented target yields coverage, the plain target the trace.
    Apart,
}
