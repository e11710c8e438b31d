//! Suspicion of a performance defect, from one evaluation at the search limit.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::Timed;
use crate::solver::answer::Answer;

/// The reference must answer within this part of the limit.
pub const REFERENCE_SHARE: u32 = 10;

/// How a target fails to answer what the reference answers quickly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failing {
    /// It runs until time or memory is out: a performance defect.
    Slow,
    /// It says `unknown` before: a lack of completeness, which is recorded apart and not counted as slow.
    GivesUp,
}

/// How this run fails to answer; `None` for an answer, and for what says nothing of speed: a rejected input, an
/// operator that is not supported, a crash (which is the crash oracle's).
///
/// Running out of memory counts as slow: the script had no answer within the resources that it was given.
pub fn failing(target: &Timed) -> Option<Failing> {
    match target.answer {
        Answer::Timeout | Answer::MemoryOut => Some(Failing::Slow),
        Answer::Unknown(_) => Some(Failing::GivesUp),
        _ => None,
    }
}

/// Whether the reference solved the script in at most a tenth of the limit's CPU time.
pub fn is_quick(reference: &Timed, limit: Duration) -> bool {
    reference.answer.is_solved() && reference.cpu_seconds <= (limit / REFERENCE_SHARE).as_secs_f64()
}

/// Whether these two runs at `limit` make a candidate: the target gives no answer within the limit, and the reference
/// does within a tenth of it.
pub fn candidate(target: &Timed, reference: &Timed, limit: Duration) -> Option<Failing> {
    failing(target).filter(|_| is_quick(reference, limit))
}
