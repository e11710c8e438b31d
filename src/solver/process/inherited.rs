//! The limits that the shell, the administrator or a cluster has set on us, and so on every run.

use nix::sys::resource::{Resource, getrlimit};

use super::Limits;

/// `RLIMIT_CPU` counts whole seconds and fires early: by so much must it be above a limit of ours.
const CPU_MARGIN_SECONDS: f64 = 1.0;

/// What is wrong with the limits that we inherited, if a run under `limits` could meet them first: in words for the
/// user, with what to do. A limit of CPU time would end such a run with `SIGKILL` ([`Stopped::Killed`]), one of memory
/// with a failure for lack of memory earlier than is recorded.
///
/// [`Stopped::Killed`]: super::Stopped::Killed
pub fn inherited_limits_below(limits: &Limits) -> Option<String> {
    too_low(hard(Resource::RLIMIT_CPU), hard(Resource::RLIMIT_AS), limits)
}

/// The bytes that a process under `limits` may really use.
pub(super) fn memory_bytes(limits: &Limits) -> u64 {
    limits.memory_bytes.min(hard(Resource::RLIMIT_AS))
}

/// A hard limit of ours, which no child can raise; the largest number if there is none.
fn hard(resource: Resource) -> u64 {
    getrlimit(resource).map_or(u64::MAX, |(_, hard)| hard)
}

/// The same, of these hard limits.
fn too_low(cpu_seconds: u64, memory_bytes: u64, limits: &Limits) -> Option<String> {
    let mut wrong = Vec::new();
    if limits.cpu_seconds.is_finite() && (cpu_seconds as f64) < limits.cpu_seconds.ceil() + CPU_MARGIN_SECONDS {
        wrong.push(format!(
            "this session ends each process after {cpu_seconds} s of CPU time (ulimit -Ht), before the {} s that a solver \
             may take: such a run tells nothing. Start where there is no such limit, or choose shorter ones for solvers",
            limits.cpu_seconds
        ));
    }
    if limits.memory_bytes != u64::MAX && memory_bytes < limits.memory_bytes {
        wrong.push(format!(
            "this session leaves each process {:.1} GB of memory (ulimit -Hv), less than the {:.1} GB that a solver may \
             use: it runs out of memory earlier than elsewhere. Start where there is no such limit",
            gigabytes(memory_bytes),
            gigabytes(limits.memory_bytes)
        ));
    }
    (!wrong.is_empty()).then(|| wrong.join("\n"))
}

fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_limit_is_told_with_its_name_and_what_to_do() {
        let limits = Limits::cpu(5.0);
        assert_eq!(too_low(u64::MAX, u64::MAX, &limits), None);
        assert_eq!(too_low(6, limits.memory_bytes, &limits), None);
        assert_eq!(too_low(3, 1, &Limits::wall(1.0)), None);
        insta::assert_snapshot!(too_low(3, 4_000_000_000, &limits).expect("both are too low"), @"
        this session ends each process after 3 s of CPU time (ulimit -Ht), before the 5 s that a solver may take: such a run tells nothing. Start where there is no such limit, or choose shorter ones for solvers
        this session leaves each process 4.0 GB of memory (ulimit -Hv), less than the 8.0 GB that a solver may use: it runs out of memory earlier than elsewhere. Start where there is no such limit
        ");
    }
}
