//! What a reduction spends on solvers.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use crate::evaluate::individual::Timed;

/// Counts runs, from several threads.
#[derive(Debug, Default)]
pub struct Meter {
    calls: AtomicU64,
    slow: AtomicU64,
    microseconds: AtomicU64,
}

/// What was spent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Spent {
    /// Runs of solvers.
    pub solver_calls: u64,
    /// Runs of the target that used up their limit: nearly all of the time goes there.
    pub slow_runs: u64,
    /// CPU seconds of all runs together.
    pub solver_seconds: f64,
}

impl Meter {
    /// Counts a run.
    pub fn add(&self, timed: &Timed, slow: bool) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.slow.fetch_add(u64::from(slow), Ordering::Relaxed);
        self.microseconds.fetch_add((timed.cpu_seconds * 1e6) as u64, Ordering::Relaxed);
    }

    /// Counts a run of which only the CPU seconds are known.
    pub fn charge(&self, seconds: f64) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add((seconds.max(0.0) * 1e6) as u64, Ordering::Relaxed);
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        Spent {
            solver_calls: self.calls.load(Ordering::Relaxed),
            slow_runs: self.slow.load(Ordering::Relaxed),
            solver_seconds: self.microseconds.load(Ordering::Relaxed) as f64 / 1e6,
        }
    }
}
