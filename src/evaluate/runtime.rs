//! Runtime difference (Eq. 1 of the paper), and what a run costs in it.

use std::time::Duration;

use super::individual::Timed;
use crate::solver::answer::Answer;

/// A run has used up its CPU time if it used this share of it: the clock is read in steps.
const USED_UP_SHARE: f64 = 0.95;

/// Eq. 1: the target's time, plus what it exceeds the reference's by. Both are clipped at the limit, so that a
/// timeout is exactly the limit: Fig. 1(d) scores 5 + (5 − 0.01731) = 9.98269. Ranges from 0 to twice the limit.
pub fn t_score(target: &Timed, reference: &Timed, limit: Duration) -> f64 {
    let target = target_seconds(target, limit);
    let reference = reference_seconds(reference, limit);
    target + (target - reference).max(0.0)
}

/// Eq. 1 of a target that ran out while the reference was quick, as if the reference took no time: twice the limit. So
/// all such targets are equal, whatever the reference took to start.
pub fn saturated_t_score(limit: Duration) -> f64 {
    2.0 * limit.as_secs_f64()
}

/// Whether a target's run says anything about its speed: not if it rejected the script or an operator in it, or
/// somebody killed it.
pub fn is_valid(target: &Timed) -> bool {
    !target.answer.is_refusal() && target.answer != Answer::Killed
}

/// Whether the solver ran until its CPU time or its memory was used up.
///
/// Not so a run that the guard on elapsed time ended earlier: it slept, or an overloaded machine starved it, and
/// neither says that the solver is slow.
pub fn ran_out(run: &Timed, limit: Duration) -> bool {
    ran_out_as_recorded(run.answer.name(), run.cpu_seconds, limit.as_secs_f64())
}

/// The same of a run as tables have it: the name of its result, its CPU seconds, and the limit in CPU seconds.
pub fn ran_out_as_recorded(result: &str, cpu_seconds: f64, limit_seconds: f64) -> bool {
    if result == Answer::Timeout.name() {
        cpu_seconds >= USED_UP_SHARE * limit_seconds
    } else {
        result == Answer::MemoryOut.name()
    }
}

/// Whether a result, by its name in tables, is an answer: `sat` or `unsat`.
pub fn is_solved_as_recorded(result: &str) -> bool {
    [Answer::Sat, Answer::Unsat].iter().any(|answer| answer.name() == result)
}

/// The seconds that Eq. 1 charges the target. One that ran out of time or memory is charged the full limit, an invalid
/// run nothing, and any other, a quick `unknown` or a crash too, the CPU time that it took.
pub fn target_seconds(run: &Timed, limit: Duration) -> f64 {
    let seconds = limit.as_secs_f64();
    match run {
        _ if ran_out(run, limit) => seconds,
        _ if !is_valid(run) => 0.0,
        _ => run.cpu_seconds.clamp(0.0, seconds),
    }
}

/// The seconds that Eq. 1 charges the reference: the full limit unless it solved the script, so that a rejected input
/// never looks like a fast reference.
pub fn reference_seconds(run: &Timed, limit: Duration) -> f64 {
    let limit = limit.as_secs_f64();
    if run.answer.is_solved() { run.cpu_seconds.clamp(0.0, limit) } else { limit }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);

    fn run(answer: Answer, cpu_seconds: f64) -> Timed {
        Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 0 }
    }

    /// Eq. 1 of the two runs, compared to the nanosecond.
    fn assert_score(target: &Timed, reference: &Timed, expected: f64) {
        let score = t_score(target, reference, LIMIT);
        assert!((score - expected).abs() < 1e-9, "{score} instead of {expected}: {target:?} {reference:?}");
    }

    fn refusals() -> [Answer; 2] {
        [Answer::Rejected("(error \"unknown constant\")".into()), Answer::Unsupported("str.replace_all".into())]
    }

    #[test]
    fn the_papers_worked_example_scores_what_the_paper_says() {
        // Fig. 1(d): Z3str3 times out (the run is stopped a little over the limit), CVC4 takes 0.01731 s.
        assert_score(&run(Answer::Timeout, 5.013), &run(Answer::Sat, 0.01731), 9.98269);
    }

    #[test]
    fn a_target_that_is_not_slower_scores_its_own_time() {
        assert_score(&run(Answer::Sat, 0.25), &run(Answer::Sat, 1.0), 0.25);
        assert_score(&run(Answer::Sat, 0.25), &run(Answer::Sat, 0.25), 0.25);
        assert_score(&run(Answer::Sat, 1.0), &run(Answer::Unsat, 0.25), 1.75);
    }

    #[test]
    fn a_reference_that_does_not_solve_is_never_fast() {
        let failures =
            [Answer::Timeout, Answer::MemoryOut, Answer::Unknown(String::new()), Answer::Crash("signal 11".into())];
        for failure in failures.into_iter().chain(refusals()) {
            assert_score(&run(Answer::Timeout, 5.0), &run(failure.clone(), 0.01), 5.0);
            assert_score(&run(Answer::Sat, 2.0), &run(failure, 0.01), 2.0);
        }
    }

    #[test]
    fn a_target_that_refuses_is_invalid_and_costs_nothing() {
        for refusal in refusals() {
            let refused = run(refusal, 0.01);
            assert!(!is_valid(&refused));
            assert!(target_seconds(&refused, LIMIT).abs() < 1e-9);
        }
    }

    #[test]
    fn a_run_that_somebody_killed_says_nothing() {
        let killed = run(Answer::Killed, 4.99);
        assert!(!is_valid(&killed) && !ran_out(&killed, LIMIT));
        assert_score(&killed, &run(Answer::Sat, 0.01), 0.0);
        assert_score(&run(Answer::Timeout, 5.0), &killed, 5.0);
    }

    #[test]
    fn a_target_that_gives_up_or_crashes_costs_the_time_it_took() {
        let unknown = run(Answer::Unknown("incomplete".into()), 0.5);
        assert!(is_valid(&unknown));
        assert_score(&unknown, &run(Answer::Sat, 0.1), 0.9);
        assert_score(&run(Answer::Crash("signal 11".into()), 0.5), &run(Answer::Sat, 0.1), 0.9);
        assert_score(&run(Answer::MemoryOut, 1.5), &run(Answer::Sat, 0.0), 10.0);
    }

    #[test]
    fn a_run_that_the_machine_starved_is_not_slow() {
        let starved = run(Answer::Timeout, 1.5);
        assert!(!ran_out(&starved, LIMIT));
        assert!((target_seconds(&starved, LIMIT) - 1.5).abs() < 1e-9);
    }
}
