//! Suspicion of a performance defect, from one evaluation at the search limit.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::{is_solved_as_recorded, ran_out};
use crate::solver::answer::Answer;

/// The reference must answer within this part of the limit: a tenth.
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

/// How this run at `limit` fails to answer; `None` for an answer, and for what says nothing of speed: a rejected
/// input, an operator that is not supported, a crash (the crash oracle's), a run that the machine starved or somebody
/// killed.
///
/// Running out of memory counts as slow: the script had no answer within the resources that it was given.
pub fn failing(target: &Timed, limit: Duration) -> Option<Failing> {
    match target.answer {
        _ if ran_out(target, limit) => Some(Failing::Slow),
        Answer::Unknown(_) => Some(Failing::GivesUp),
        _ => None,
    }
}

/// Whether the reference solved the script in at most a tenth of the limit's CPU time.
pub fn is_quick(reference: &Timed, limit: Duration) -> bool {
    is_quick_as_recorded(reference.answer.name(), reference.cpu_seconds, limit.as_secs_f64())
}

/// The same of a run as tables have it: the name of its result, its CPU seconds, and the limit in CPU seconds.
pub fn is_quick_as_recorded(result: &str, cpu_seconds: f64, limit_seconds: f64) -> bool {
    is_solved_as_recorded(result) && cpu_seconds <= limit_seconds / f64::from(REFERENCE_SHARE)
}

/// Whether these two runs at `limit` make a candidate: the target gives no answer within the limit, and the reference
/// does within a tenth of it.
pub fn candidate(target: &Timed, reference: &Timed, limit: Duration) -> Option<Failing> {
    failing(target, limit).filter(|_| is_quick(reference, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);

    fn of(target: Answer, target_seconds: f64, reference: Answer, reference_seconds: f64) -> Option<Failing> {
        let run = |answer, cpu_seconds| Timed { answer, cpu_seconds, wall_seconds: 0.0, peak_memory_bytes: 0 };
        candidate(&run(target, target_seconds), &run(reference, reference_seconds), LIMIT)
    }

    #[test]
    fn a_slow_target_and_a_quick_reference_make_a_candidate() {
        assert_eq!(of(Answer::Timeout, 5.01, Answer::Unsat, 0.5), Some(Failing::Slow));
        assert_eq!(of(Answer::Timeout, 5.01, Answer::Unsat, 0.51), None);
        assert_eq!(of(Answer::MemoryOut, 2.0, Answer::Sat, 0.1), Some(Failing::Slow));
        assert_eq!(of(Answer::Unknown("incomplete".into()), 0.1, Answer::Sat, 0.1), Some(Failing::GivesUp));
    }

    #[test]
    fn what_says_nothing_of_speed_makes_none() {
        for target in [Answer::Rejected(String::new()), Answer::Unsupported(String::new()), Answer::Sat] {
            assert_eq!(of(target, 0.1, Answer::Sat, 0.1), None);
        }
        assert_eq!(of(Answer::Crash(String::new()), 5.0, Answer::Sat, 0.1), None);
        assert_eq!(of(Answer::Killed, 5.0, Answer::Sat, 0.1), None);
        assert_eq!(of(Answer::Timeout, 5.0, Answer::Killed, 0.01), None);
        // The guard on elapsed time ended it: an overloaded machine, not a slow solver.
        assert_eq!(of(Answer::Timeout, 1.2, Answer::Sat, 0.1), None);
        assert_eq!(of(Answer::Timeout, 5.0, Answer::Rejected(String::new()), 0.01), None);
        assert_eq!(of(Answer::Timeout, 5.0, Answer::Unknown(String::new()), 0.01), None);
    }
}
