//! Runtime difference (MulStringFuzz paper, Eq. 1), and what a run costs in it.

use std::time::Duration;

use super::individual::Timed;
use crate::solver::answer::Answer;

/// Eq. 1: the target's time, plus what it exceeds the reference's by. Both are clipped at the limit, so that a
/// timeout is exactly the limit: Fig. 1(d) scores 5 + (5 − 0.01731) = 9.98269. Ranges from 0 to twice the limit.
pub fn t_score(target: &Timed, reference: &Timed, limit: Duration) -> f64 {
    let target = target_seconds(target, limit);
    let reference = reference_seconds(reference, limit);
    target + (target - reference).max(0.0)
}

/// Whether a target's run says anything about its speed: not if it rejected the script or an operator in it.
pub fn is_valid(target: &Timed) -> bool {
    !matches!(target.answer, Answer::Rejected(_) | Answer::Unsupported(_))
}

/// The seconds that Eq. 1 charges the target. One that ran out of time or memory is charged the full limit, an invalid
/// run nothing, and any other, a quick `unknown` or a crash too, the CPU time that it took.
pub fn target_seconds(run: &Timed, limit: Duration) -> f64 {
    let limit = limit.as_secs_f64();
    match run.answer {
        Answer::Timeout | Answer::MemoryOut => limit,
        _ if !is_valid(run) => 0.0,
        _ => run.cpu_seconds.clamp(0.0, limit),
    }
}

/// The seconds that Eq. 1 charges the reference: the full limit unless it solved the script, so that a rejected input
/// never looks like a fast reference.
pub fn reference_seconds(run: &Timed, limit: Duration) -> f64 {
    let limit = limit.as_secs_f64();
    if run.answer.is_solved() { run.cpu_seconds.clamp(0.0, limit) } else { limit }
}
