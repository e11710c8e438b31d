//! Evaluation of many individuals at once: every result is delivered as soon as it is there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use super::evaluator::{Evaluate, EvaluateError};
use super::individual::{Evaluated, Individual};
use crate::solver::process::Interrupt;

/// Evaluates `individuals` on the threads of `pool`; `deliver` gets each result on the calling thread when it is
/// finished, in whatever order that is. A run does not depend on the number of threads: what an individual's
/// evaluation shows depends on nothing but the individual (and on the machine's noise).
///
/// Not to be called from a thread of `pool`, which would wait for itself.
///
/// # Errors
/// The first error of an evaluation; those under way are finished and delivered, no other is begun.
pub fn evaluate_batch(
    evaluate: &dyn Evaluate,
    individuals: &[Arc<Individual>],
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
    deliver: &mut dyn FnMut(Evaluated),
) -> Result<(), EvaluateError> {
    let stop = AtomicBool::new(false);
    let stop = &stop;
    pool.in_place_scope_fifo(|scope| {
        let (results, finished) = mpsc::channel();
        for individual in individuals {
            let results = results.clone();
            scope.spawn_fifo(move |_| {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let _stop_on_panic = StopOnPanic(stop);
                let result = evaluate.observe(individual, interrupt);
                // The receiver is gone only if delivery panicked, and then nobody wants more results.
                if result.is_err() | results.send((individual, result)).is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            });
        }
        drop(results);
        let mut first_error = Ok(());
        for (individual, result) in finished {
            match result {
                Ok(observation) => deliver(Evaluated::new(Arc::clone(individual), observation, evaluate.limit())),
                Err(error) => first_error = first_error.and(Err(error)),
            }
        }
        first_error
    })
}

/// Stops a batch when an evaluation panics, which then goes on in the caller: the evaluations that wait are not begun.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    use super::*;
    use crate::evaluate::individual::{IndividualId, Observation, Origin, Timed};
    use crate::smtlib::script::Script;
    use crate::solver::answer::Answer;

    /// Panics at the fifth.
    struct Faulty<'a> {
        begun: &'a AtomicU32,
    }

    impl Evaluate for Faulty<'_> {
        fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
            assert_ne!(individual.id.0, 4, "a fault of ours");
            self.begun.fetch_add(1, Ordering::Relaxed);
            Fake { vanished: None }.observe(individual, interrupt)
        }

        fn limit(&self) -> Duration {
            Duration::from_secs(5)
        }
    }

    /// Evaluates in no time; individual `vanished`, if any, finds no solver.
    struct Fake {
        vanished: Option<u32>,
    }

    impl Evaluate for Fake {
        fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
            if interrupt.is_set() || Some(individual.id.0) == self.vanished {
                return Err(EvaluateError::Interrupted);
            }
            let cpu_seconds = f64::from(individual.id.0);
            let timed =
                |cpu_seconds| Timed { answer: Answer::Sat, cpu_seconds, wall_seconds: 0.0, peak_memory_bytes: 0 };
            let (target, reference) = (timed(cpu_seconds), timed(0.5));
            Ok(Observation { target, reference, coverage: None, trace: None, solver_seconds: cpu_seconds })
        }

        fn limit(&self) -> Duration {
            Duration::from_secs(5)
        }
    }

    fn individuals(count: u32) -> Vec<Arc<Individual>> {
        let individual = |id| Individual {
            id: IndividualId(id),
            generation: 0,
            slot: id,
            script: Script::new(),
            origin: Origin::Generated,
            operator: String::new(),
            parents: Vec::new(),
            fingerprint: 0,
        };
        (0..count).map(|id| Arc::new(individual(id))).collect()
    }

    fn run(fake: &Fake, threads: usize, interrupt: &Interrupt) -> (Vec<(u32, f64)>, Result<(), EvaluateError>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut scores = Vec::new();
        let result = evaluate_batch(fake, &individuals(20), &pool, interrupt, &mut |evaluated| {
            scores.push((evaluated.individual.id.0, evaluated.t_score));
        });
        scores.sort_by_key(|(id, _)| *id);
        (scores, result)
    }

    #[test]
    fn any_number_of_threads_gives_the_same_scores() {
        let fake = Fake { vanished: None };
        let (one, first) = run(&fake, 1, &Interrupt::new());
        let (three, second) = run(&fake, 3, &Interrupt::new());
        assert!(first.is_ok() && second.is_ok());
        assert_eq!(one, three);
        assert_eq!((one.len(), one[0].1, one[1].1, one[19].1), (20, 0.0, 1.5, 9.5));
    }

    #[test]
    fn an_error_stops_the_batch_and_keeps_what_is_finished() {
        let (scores, result) = run(&Fake { vanished: Some(4) }, 1, &Interrupt::new());
        assert!(matches!(result, Err(EvaluateError::Interrupted)));
        assert_eq!(scores.len(), 4);
    }

    #[test]
    fn an_interrupt_begins_nothing() {
        let interrupt = Interrupt::new();
        interrupt.set();
        assert!(run(&Fake { vanished: None }, 2, &interrupt).0.is_empty());
    }

    #[test]
    fn a_panic_stops_the_batch_and_goes_on_in_the_caller() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let begun = AtomicU32::new(0);
        let faulty = Faulty { begun: &begun };
        let evaluate = |deliver: &mut dyn FnMut(Evaluated)| {
            let all = || evaluate_batch(&faulty, &individuals(20), &pool, &Interrupt::new(), deliver);
            assert!(catch_unwind(AssertUnwindSafe(all)).is_err());
        };
        evaluate(&mut |_| {});
        assert_eq!(begun.swap(0, Ordering::Relaxed), 4, "the fifth panics, and no other is begun");
        evaluate(&mut |_| panic!("delivery fails"));
    }
}
