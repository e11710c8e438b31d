//! Evaluation of one individual: the reference, then the target, then what can be observed of the target.

use std::io;
use std::time::Duration;

use super::individual::{Individual, Observation, Timed};
use super::observed::{Observe, Observed};
use super::runtime::is_valid;
use super::written::{text_for, undecided_operator};
use crate::coverage::CoverageError;
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::installed::Solver;
use crate::solver::process::{Interrupt, Limits, ProcessError};
use crate::solver::provision::ProvisionError;

/// The part of the limit that a target has on a script that resembles what is known to be slow.
pub const GLANCE: f64 = 0.25;

/// Why an individual could not be evaluated: our own fault, or the user's wish. What a solver does is an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// A solver could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The solver was not built for coverage.
    #[error("{solver} is not instrumented for coverage")]
    NotInstrumented {
        /// The solver.
        solver: String,
    },
    /// The instrumented solver yields no coverage.
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    /// The instrumented solver solved a script by itself and wrote no data files.
    #[error(
        "{solver} wrote no .gcda files: build it with --coverage and let it end by exit, or set counters = \"preload\" \
         in its profile"
    )]
    NoDataFiles {
        /// The solver.
        solver: String,
    },
    /// The library that reads an unchanged solver's counters could not be had.
    #[error(transparent)]
    Preload(ProvisionError),
    /// A solver does not work, or not any more.
    #[error(transparent)]
    Unusable(ProvisionError),
    /// A solver that works on small scripts refuses nearly all that it is given.
    #[error("the {role} refuses {refused} of {all} scripts of generation {generation}; of the last it says: {words}")]
    Refuses {
        /// `target` or `reference`.
        role: &'static str,
        /// Scripts that it refused.
        refused: usize,
        /// Scripts that it was given.
        all: usize,
        /// The generation.
        generation: u32,
        /// What it said of the last.
        words: String,
    },
    /// Somebody kills nearly all runs of a solver.
    #[error(
        "somebody kills the {role}: {killed} of {all} runs of generation {generation}; look for a limit of the session's \
         memory, or a watchdog"
    )]
    Killed {
        /// `target` or `reference`.
        role: &'static str,
        /// Runs that were killed.
        killed: usize,
        /// All runs.
        all: usize,
        /// The generation.
        generation: u32,
    },
    /// This program itself fails on nearly all scripts.
    #[error(
        "mulstringfuzz itself fails on {failed} of {all} scripts of generation {generation}, please report: {words}"
    )]
    Fails {
        /// Scripts on which it failed.
        failed: usize,
        /// All scripts.
        all: usize,
        /// The generation.
        generation: u32,
        /// What the last failure said.
        words: String,
    },
    /// The pipe for a trace, or a copy of a descriptor, could not be had or read.
    #[error("the pipe to a solver failed")]
    Descriptor(#[source] io::Error),
}

/// Something that observes individuals: solvers, or the record of an earlier run.
pub trait Evaluate: Sync {
    /// Runs what there is to run of one individual.
    ///
    /// # Errors
    /// [`EvaluateError`] if that is impossible for reasons that are not the individual's, or the user interrupted.
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError>;

    /// As [`Evaluate::observe`], of one that resembles what is known to be slow: a target that uses up a quarter of the limit
    /// is given up, and nothing else of it is observed. Its score is then that of a quarter.
    ///
    /// # Errors
    /// As [`Evaluate::observe`].
    fn glance(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        self.observe(individual, interrupt)
    }

    /// The CPU time that target and reference have, at which Eq. 1 clips.
    fn limit(&self) -> Duration;

    /// Lets the solvers show that they still work.
    ///
    /// # Errors
    /// [`EvaluateError::Unusable`], [`EvaluateError::Interrupted`].
    fn check_solvers(&self, _interrupt: &Interrupt) -> Result<(), EvaluateError> {
        Ok(())
    }
}

/// Evaluates by running solvers.
///
/// Times are CPU seconds of each process, which other processes on the machine disturb little (by their use of caches
/// and of the sibling hardware threads); elapsed time is only a guard.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The solver under test, not instrumented.
    pub target: Solver,
    /// The solver that it is compared with.
    pub reference: Solver,
    /// What else is observed of the target.
    pub observe: Observe,
    /// CPU time of the target and of the reference.
    pub limit: Duration,
    /// How often the target is timed: 1 or more. The run of median time counts.
    pub timings: u32,
}

impl Evaluator {
    /// Runs `script` on the reference, on the target, and, unless the target refuses it, under observation.
    ///
    /// # Errors
    /// As [`Evaluate::observe`].
    pub fn observe_script(&self, script: &Script, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        self.observe_within(script, self.limit, interrupt)
    }

    /// The same, with this much CPU time for the target: one that uses up less than the limit is not observed further.
    fn observe_within(
        &self,
        script: &Script,
        target_limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Observation, EvaluateError> {
        let reference = time(script, &self.reference, self.limit, interrupt)?;
        let (target, target_seconds) = match undecided_operator(script, &self.target) {
            Some(operator) => (refused(Answer::Unsupported(operator.to_owned())), 0.0),
            None => median(self.timings, || time(script, &self.target, target_limit, interrupt))?,
        };
        let is_given_up = target_limit < self.limit && target.answer == Answer::Timeout;
        let observed = if is_valid(&target) && !is_given_up {
            self.observe.run(script, &self.target, interrupt)?
        } else {
            Observed::default()
        };
        let solver_seconds = reference.cpu_seconds + target_seconds + observed.cpu_seconds;
        let Observed { coverage, trace, cpu_seconds: _ } = observed;
        Ok(Observation { target, reference, coverage, trace, solver_seconds })
    }
}

impl Evaluate for Evaluator {
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        self.observe_script(&individual.script, interrupt)
    }

    fn glance(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        self.observe_within(&individual.script, self.limit.mul_f64(GLANCE), interrupt)
    }

    fn limit(&self) -> Duration {
        self.limit
    }
}

/// One timed run of `solver` on `script`, of `limit` CPU time. A script that its dialect cannot spell is not run.
///
/// # Errors
/// [`EvaluateError::Interrupted`], [`EvaluateError::Process`].
pub fn time(script: &Script, solver: &Solver, limit: Duration, interrupt: &Interrupt) -> Result<Timed, EvaluateError> {
    let text = match text_for(script, solver) {
        Ok(text) => text,
        Err(answer) => return Ok(refused(answer)),
    };
    let (answer, run) = solver.solve(&text, &Limits::cpu(limit.as_secs_f64()), interrupt)?;
    if answer == Answer::Interrupted {
        return Err(EvaluateError::Interrupted);
    }
    Ok(Timed::of(answer, &run))
}

/// Of `count` runs the one of median time, the faster of two in the middle, and the CPU seconds of all. Runs whose time
/// cannot change the outcome are not made: those after one that refuses the script, and after so many timeouts that the
/// median is one.
fn median<E>(count: u32, mut run: impl FnMut() -> Result<Timed, E>) -> Result<(Timed, f64), E> {
    let middle = (count.max(1) as usize - 1) / 2;
    let (mut timed, mut seconds) = (Vec::new(), 0.0);
    let mut slow = 0;
    for _ in 0..count.max(1) {
        let each = run()?;
        seconds += each.cpu_seconds;
        if !is_valid(&each) {
            return Ok((each, seconds));
        }
        slow += usize::from(each.answer == Answer::Timeout);
        if slow + middle >= count as usize {
            return Ok((each, seconds));
        }
        timed.push(each);
    }
    timed.sort_by(|one, other| {
        let is_slow = |timed: &Timed| timed.answer == Answer::Timeout;
        is_slow(one).cmp(&is_slow(other)).then(one.cpu_seconds.total_cmp(&other.cpu_seconds))
    });
    Ok((timed.swap_remove(middle), seconds))
}

/// A run that did not take place, because its answer is known.
fn refused(answer: Answer) -> Timed {
    Timed { answer, cpu_seconds: 0.0, wall_seconds: 0.0, peak_memory_bytes: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The median of what these runs say, how many of them were made, and the CPU seconds of all that were.
    fn median_of(runs: &[(Answer, f64)]) -> (Answer, f64, usize, f64) {
        let mut made = 0;
        let run = || -> Result<Timed, ()> {
            let (answer, cpu_seconds) = runs[made].clone();
            made += 1;
            Ok(Timed { answer, cpu_seconds, wall_seconds: 0.0, peak_memory_bytes: 0 })
        };
        let (timed, seconds) = median(runs.len() as u32, run).unwrap();
        (timed.answer, timed.cpu_seconds, made, seconds)
    }

    #[test]
    fn the_run_of_median_time_counts_and_all_are_paid_for() {
        let sat = |seconds| (Answer::Sat, seconds);
        assert_eq!(median_of(&[sat(2.0)]), (Answer::Sat, 2.0, 1, 2.0));
        assert_eq!(median_of(&[sat(3.0), sat(1.0), sat(2.0)]), (Answer::Sat, 2.0, 3, 6.0));
        assert_eq!(median_of(&[sat(4.0), sat(1.0), sat(3.0), sat(2.0)]), (Answer::Sat, 2.0, 4, 10.0));
        // A timeout is slower than whatever ended by itself, even one that used a little more CPU time.
        let timeout = (Answer::Timeout, 1.0);
        assert_eq!(median_of(&[timeout, sat(1.01), sat(0.5)]), (Answer::Sat, 1.01, 3, 2.51));
    }

    #[test]
    fn runs_that_cannot_change_the_median_are_not_made() {
        let runs = |answer: Answer| vec![(answer, 1.0); 8];
        assert_eq!(median_of(&runs(Answer::Timeout)), (Answer::Timeout, 1.0, 5, 5.0));
        let refused = Answer::Rejected("(error)".to_owned());
        assert_eq!(median_of(&runs(refused.clone())), (refused, 1.0, 1, 1.0));
        assert_eq!(median_of(&runs(Answer::Sat)).2, 8);
    }
}
