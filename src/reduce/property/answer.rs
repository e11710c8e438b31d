//! `result`, `crash` and `invalid-model`: the target answers as it answered the input.

use std::time::Duration;

use super::{Judgement, Meter, Property, Rigour};
use crate::evaluate::individual::Timed;
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::answer::crash::is_same_crash;
use crate::solver::process::Interrupt;

/// Which answer stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeps {
    /// `sat`, `unsat`, `unknown`, whatever it is; and that of the reference, if it solved the input.
    Result,
    /// A crash with the same message, numbers aside.
    Crash,
    /// A model that the target's own check refutes.
    InvalidModel,
}

/// CPU time of each run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunLimit {
    /// So much.
    Of(Duration),
    /// As much as the input's crash takes, and [`CRASH_MARGIN`] more (`DeltaSMT`'s paper, section 3.1): crashes come soon, so
    /// that a candidate that runs on has lost the crash.
    AboveCrash,
}

/// What candidates may take beyond the crash of the input: the paper's "few seconds".
pub const CRASH_MARGIN: Duration = Duration::from_secs(3);
/// CPU time within which the input must crash for its time to be taken.
pub const CRASH_PATIENCE: Duration = Duration::from_mins(5);

impl RunLimit {
    /// The limit of the run of the input.
    fn of_input(self) -> Duration {
        match self {
            RunLimit::Of(limit) => limit,
            RunLimit::AboveCrash => CRASH_PATIENCE,
        }
    }

    /// The limit of each run after that, which took so many CPU seconds.
    fn of_candidates(self, seconds: f64) -> Duration {
        match self {
            RunLimit::Of(limit) => limit,
            RunLimit::AboveCrash => {
                Duration::try_from_secs_f64(seconds).unwrap_or(CRASH_PATIENCE).saturating_add(CRASH_MARGIN)
            }
        }
    }
}

/// The property that the target answers as it does, and the reference too.
#[derive(Debug)]
pub struct KeptAnswer<'a> {
    target: &'a dyn Prover,
    reference: Option<(&'a dyn Prover, Answer)>,
    /// What a reference says that is ignored, because it decides nothing.
    ignored: Option<Answer>,
    keeps: Keeps,
    answer: Answer,
    /// CPU seconds that the input's answer took.
    seconds: f64,
    limit: Duration,
    meter: &'a Meter,
}

impl<'a> KeptAnswer<'a> {
    /// Asks the solvers about the input, and keeps what they say; `limit` is each run's CPU time. `Err` inside says
    /// what the target answers instead of what is to be kept.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub fn of(
        script: &Script,
        keeps: Keeps,
        (target, reference): (&'a dyn Prover, Option<&'a dyn Prover>),
        limit: RunLimit,
        meter: &'a Meter,
        interrupt: &Interrupt,
    ) -> Result<Result<Self, Answer>, OracleError> {
        let mut unsettled = KeptAnswer {
            target,
            reference: None,
            ignored: None,
            keeps,
            answer: Answer::Timeout,
            seconds: 0.0,
            limit: limit.of_input(),
            meter,
        };
        let Timed { answer, cpu_seconds, .. } = unsettled.ask(target, script, interrupt)?;
        (unsettled.seconds, unsettled.limit) = (cpu_seconds, limit.of_candidates(cpu_seconds));
        let (mut ignored, mut kept_reference) = (None, None);
        if let Some(reference) = reference.filter(|_| keeps == Keeps::Result) {
            match unsettled.ask(reference, script, interrupt)?.answer {
                answer if answer.is_solved() => kept_reference = Some((reference, answer)),
                answer => ignored = Some(answer),
            }
        }
        let kept = match keeps {
            Keeps::Result => matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown(_)),
            Keeps::Crash => matches!(answer, Answer::Crash(_)),
            Keeps::InvalidModel => matches!(answer, Answer::InvalidModel(_)),
        };
        Ok(if kept { Ok(KeptAnswer { reference: kept_reference, ignored, answer, ..unsettled }) } else { Err(answer) })
    }

    /// The property that `target` crashes with this message; `limit` is each run's CPU time.
    pub fn crash(target: &'a dyn Prover, message: String, limit: Duration, meter: &'a Meter) -> Self {
        let (keeps, answer) = (Keeps::Crash, Answer::Crash(message));
        KeptAnswer { target, reference: None, ignored: None, keeps, answer, seconds: 0.0, limit, meter }
    }

    /// CPU time of each run.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// CPU seconds that the target took for the input.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// What the target answers.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// What the reference answers, if it counts.
    pub fn reference_answer(&self) -> Option<&Answer> {
        self.reference.as_ref().map(|(_, answer)| answer)
    }

    /// What the reference answers, if it does not count because it is neither `sat` nor `unsat`.
    pub fn ignored(&self) -> Option<&Answer> {
        self.ignored.as_ref()
    }

    fn ask(&self, prover: &dyn Prover, script: &Script, interrupt: &Interrupt) -> Result<Timed, OracleError> {
        let check_model = self.keeps == Keeps::InvalidModel;
        let timed = prover.ask(&Question { script, seed: None, limit: self.limit, check_model }, interrupt)?.timed;
        self.meter.add(&timed, ran_out(&timed, self.limit));
        Ok(timed)
    }
}

impl Property for KeptAnswer<'_> {
    fn judge(&self, script: &Script, _: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        let answer = self.ask(self.target, script, interrupt)?.answer;
        if !alike(&answer, &self.answer) {
            return Ok(if answer.is_solved() { Judgement::TargetAnswers } else { Judgement::Fails });
        }
        if let Some((reference, kept)) = &self.reference
            && self.ask(*reference, script, interrupt)?.answer != *kept
        {
            return Ok(Judgement::Fails);
        }
        Ok(Judgement::Holds)
    }
}

/// Whether two answers are one: the same word and, of a crash, the same place.
fn alike(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Answer::Crash(one), Answer::Crash(other)) => is_same_crash(one, other),
        _ => one.name() == other.name(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::oracle::prover::Reply;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};

    /// Crashes after 7 CPU seconds, if it has as many, and remembers the limits that it had.
    #[derive(Debug, Default)]
    struct Fragile(Mutex<Vec<Duration>>);

    impl Prover for Fragile {
        fn name(&self) -> &'static str {
            "fragile"
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn dialect(&self) -> Dialect {
            Dialect::SmtLib26
        }

        fn ask(&self, question: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
            self.0.lock().expect("one thread").push(question.limit);
            let enough = question.limit >= Duration::from_secs(7);
            let answer = if enough { Answer::Crash("signal 11".to_owned()) } else { Answer::Timeout };
            let cpu_seconds = question.limit.as_secs_f64().min(7.0);
            let timed = Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 0 };
            Ok(Reply { timed, command: String::new(), output: String::new() })
        }
    }

    #[test]
    fn runs_have_the_time_of_the_crash_and_a_few_seconds_unless_somebody_says_otherwise() {
        let script = parse("(assert true)(check-sat)", "test", &ParseOptions::default()).expect("a script");
        let (meter, interrupt) = (Meter::default(), Interrupt::new());
        let kept = |fragile: &Fragile, limit| {
            let kept = KeptAnswer::of(&script, Keeps::Crash, (fragile, None), limit, &meter, &interrupt);
            let kept = kept.expect("nothing is run");
            let judged =
                kept.as_ref().map(|kept| kept.judge(&script, Rigour::Look, &interrupt).expect("nothing is run"));
            let said = (kept.as_ref().map(|kept| (kept.limit(), kept.seconds())).ok(), judged.ok());
            (said, fragile.0.lock().expect("one thread").clone())
        };
        let ten = Duration::from_secs(10);
        assert_eq!(
            kept(&Fragile::default(), RunLimit::AboveCrash),
            ((Some((ten, 7.0)), Some(Judgement::Holds)), vec![CRASH_PATIENCE, ten])
        );
        let eight = Duration::from_secs(8);
        assert_eq!(
            kept(&Fragile::default(), RunLimit::Of(eight)),
            ((Some((eight, 7.0)), Some(Judgement::Holds)), vec![eight, eight])
        );
        assert_eq!(kept(&Fragile::default(), RunLimit::Of(Duration::from_secs(5))).0, (None, None), "no crash");
    }

    #[test]
    fn a_crash_is_the_same_wherever_it_is_reported() {
        let crash = |text: &str| Answer::Crash(text.to_owned());
        assert!(alike(&crash("Fatal failure at line 12"), &crash("Fatal failure at line 340")));
        assert!(!alike(&crash("signal 11"), &crash("signal 6")));
        assert!(!alike(&crash("signal 11"), &Answer::Sat));
        assert!(alike(&Answer::Unknown("canceled".into()), &Answer::Unknown("incomplete".into())));
    }
}
