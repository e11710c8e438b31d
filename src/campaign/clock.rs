//! What a run has used: wall time and CPU time, over all processes that worked on it.

use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

use crate::record::format::Spent;

/// Counts on from what earlier processes of the same run used.
#[derive(Debug)]
pub(super) struct Clock {
    before: Spent,
    started: Instant,
    /// CPU seconds of this process, and of its children, when the clock started: not the run's.
    started_cpu: (f64, f64),
    confirm_seconds: f64,
}

impl Clock {
    /// Starts a clock that counts on from `before`.
    pub(super) fn after(before: Spent) -> Self {
        Clock { before, started: Instant::now(), started_cpu: cpu_seconds(), confirm_seconds: before.confirm_seconds }
    }

    /// What the run has used by now.
    pub(super) fn spent(&self) -> Spent {
        let (own, children) = cpu_seconds();
        let (own, children) = (own - self.started_cpu.0, children - self.started_cpu.1);
        Spent {
            wall_seconds: self.before.wall_seconds + self.started.elapsed().as_secs_f64(),
            core_seconds: self.before.core_seconds + own + children,
            // All children are solvers.
            solver_seconds: self.before.solver_seconds + children,
            confirm_seconds: self.confirm_seconds,
        }
    }

    /// Adds CPU seconds of a confirmation.
    pub(super) fn add_confirmation(&mut self, seconds: f64) {
        self.confirm_seconds += seconds;
    }

    /// Whether the budget is used up; never without one.
    pub(super) fn is_past(&self, budget: Option<Duration>) -> bool {
        budget.is_some_and(|budget| self.spent().wall_seconds >= budget.as_secs_f64())
    }

    /// When the budget will be used up.
    pub(super) fn deadline(&self, budget: Option<Duration>) -> Option<Instant> {
        let left = budget?.as_secs_f64() - self.spent().wall_seconds;
        Instant::now().checked_add(Duration::try_from_secs_f64(left.max(0.0)).ok()?)
    }
}

/// CPU seconds, user and system, of this process.
pub fn own_cpu_seconds() -> f64 {
    cpu_seconds().0
}

/// CPU seconds, user and system, of this process, and of all children that it waited for.
fn cpu_seconds() -> (f64, f64) {
    let of = |who| {
        // The call cannot fail with these arguments; without an answer, nothing is counted.
        getrusage(who).map_or(0.0, |usage| {
            let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
            seconds(usage.user_time()) + seconds(usage.system_time())
        })
    };
    (of(UsageWho::RUSAGE_SELF), of(UsageWho::RUSAGE_CHILDREN))
}
