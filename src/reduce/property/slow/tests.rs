use std::sync::Mutex;

use super::*;
use crate::oracle::prover::Reply;
use crate::smtlib::dialect::Dialect;

const LIMIT: Duration = Duration::from_secs(4);

/// What a solver answers, and in how many CPU seconds.
type Answering = fn(&Question<'_>) -> (Answer, f64);

/// A solver whose answers are a function of the question, and that remembers what it was asked.
struct Fake {
    answer: Answering,
    asked: Mutex<Vec<(Duration, Option<u32>, bool)>>,
}

impl Fake {
    fn new(answer: Answering) -> Self {
        Fake { answer, asked: Mutex::default() }
    }

    fn asked(&self) -> Vec<(Duration, Option<u32>, bool)> {
        self.asked.lock().expect("no panic").drain(..).collect()
    }
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("fake")
    }
}

impl Prover for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn dialect(&self) -> Dialect {
        Dialect::SmtLib25
    }

    fn ask(&self, question: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
        self.asked.lock().expect("no panic").push((question.limit, question.seed, question.check_model));
        let (answer, cpu_seconds) = (self.answer)(question);
        let timed = Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 0 };
        Ok(Reply { timed, command: String::new(), output: String::new() })
    }
}

fn judged(target: &Fake, reference: &Fake, settings: SlowSettings, rigour: Rigour) -> Judgement {
    let meter = Meter::default();
    let slow = Slow::new(target, reference, settings, &meter);
    slow.judge(&Script::new(), rigour, &Interrupt::new()).expect("it is judged")
}

fn hanging() -> Fake {
    Fake::new(|question| (Answer::Timeout, question.limit.as_secs_f64()))
}

fn quick() -> Fake {
    Fake::new(|_| (Answer::Sat, 0.01))
}

#[test]
fn looks_take_a_part_of_the_limit_and_milestones_more_than_the_whole() {
    let (target, reference) = (hanging(), quick());
    for (rigour, limit) in
        [(Rigour::Look, Duration::from_secs(1)), (Rigour::Input, LIMIT), (Rigour::Whole, Duration::from_millis(4800))]
    {
        assert_eq!(judged(&target, &reference, SlowSettings::new(LIMIT), rigour), Judgement::Holds);
        assert_eq!(target.asked(), [(limit, None, false)]);
        assert_eq!(reference.asked(), [(LIMIT / 10, None, false)]);
    }
}

#[test]
fn distrust_makes_looks_longer_up_to_the_limit() {
    let (target, reference, meter) = (hanging(), quick(), Meter::default());
    let slow = Slow::new(&target, &reference, SlowSettings::new(LIMIT), &meter);
    let mut limits = Vec::new();
    for _ in 0..4 {
        slow.judge(&Script::new(), Rigour::Look, &Interrupt::new()).expect("it is judged");
        limits.extend(target.asked().iter().map(|(limit, ..)| limit.as_secs()));
        slow.distrust();
    }
    assert_eq!(limits, [1, 2, 4, 4]);
    assert_eq!((meter.spent().solver_calls, meter.spent().slow_runs), (8, 4));
}

#[test]
fn the_target_is_not_asked_about_what_the_reference_does_not_answer() {
    let references: [Answering; 3] = [
        |_| (Answer::Sat, 0.41),
        |_| (Answer::Unknown(String::new()), 0.01),
        |_| (Answer::Rejected("(error \"x\")".into()), 0.01),
    ];
    for reference in references {
        let target = hanging();
        let judgement = judged(&target, &Fake::new(reference), SlowSettings::new(LIMIT), Rigour::Look);
        assert_eq!((judgement, target.asked()), (Judgement::Fails, vec![]));
    }
}

#[test]
fn status_and_model_are_kept_where_they_must_be() {
    let settings = SlowSettings { status: Some(Answer::Unsat), ..SlowSettings::new(LIMIT) };
    assert_eq!(judged(&hanging(), &quick(), settings, Rigour::Look), Judgement::Fails);
    let checked = SlowSettings { check_models: true, ..SlowSettings::new(LIMIT) };
    let refutes =
        || {
            Fake::new(|question| {
                if question.check_model { (Answer::InvalidModel("wrong".into()), 0.02) } else { (Answer::Sat, 0.01) }
            })
        };
    assert_eq!(judged(&hanging(), &refutes(), checked.clone(), Rigour::Whole), Judgement::Fails);
    assert_eq!(judged(&hanging(), &refutes(), checked.clone(), Rigour::Input), Judgement::Holds, "it is as it is");
    let cannot = Fake::new(
        |question| {
            if question.check_model { (Answer::Crash("no".into()), 0.02) } else { (Answer::Sat, 0.01) }
        },
    );
    assert_eq!(judged(&hanging(), &cannot, checked, Rigour::Whole), Judgement::Holds, "nothing is refuted");
}

#[test]
fn robustness_is_counted_in_seeds_and_no_more_than_needed() {
    let robust =
        |at_least| SlowSettings { robustness: Some(Robustness { seeds: 8, at_least }), ..SlowSettings::new(LIMIT) };
    // Slow on even seeds, and on its own.
    let target = || {
        Fake::new(|question| match question.seed {
            Some(seed) if seed % 2 == 1 => (Answer::Sat, 0.5),
            _ => (Answer::Timeout, question.limit.as_secs_f64()),
        })
    };
    let four = target();
    assert_eq!(judged(&four, &quick(), robust(3), Rigour::Whole), Judgement::Holds);
    assert_eq!(four.asked().len(), 1 + 5, "the third slow seed is number 4");
    let five = target();
    assert_eq!(judged(&five, &quick(), robust(5), Rigour::Whole), Judgement::Fails);
    assert_eq!(judged(&five, &quick(), robust(5), Rigour::Look), Judgement::Holds, "looks do not ask");
}

#[test]
fn a_target_that_answers_is_told_from_one_that_gives_up() {
    let answers = Fake::new(|_| (Answer::Unsat, 0.1));
    let settings = || SlowSettings::new(LIMIT);
    assert_eq!(judged(&answers, &quick(), settings(), Rigour::Look), Judgement::TargetAnswers);
    let gives_up = Fake::new(|_| (Answer::Unknown(String::new()), 0.1));
    assert_eq!(judged(&gives_up, &quick(), settings(), Rigour::Look), Judgement::Fails);
}
