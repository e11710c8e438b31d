//! Tests of growth on scripted solvers: which sizes are asked, when it stops, and which law is found.

use std::sync::Mutex;

use super::*;
use crate::evaluate::individual::Timed;
use crate::explain::fit::Form;
use crate::oracle::prover::Reply;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::term::TermId;
use crate::solver::answer::Answer;

const LIMIT: Duration = Duration::from_secs(5);
/// What every run costs beyond its work.
const START: f64 = 0.02;

/// A solver whose work is a function of the characters of the script's string literals.
struct Fake {
    name: &'static str,
    work: fn(f64) -> f64,
    asked: Mutex<Vec<f64>>,
}

impl Fake {
    fn new(name: &'static str, work: fn(f64) -> f64) -> Self {
        Fake { name, work, asked: Mutex::new(Vec::new()) }
    }
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Prover for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn dialect(&self) -> Dialect {
        Dialect::SmtLib25
    }

    fn ask(&self, question: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError> {
        if interrupt.is_set() {
            return Err(OracleError::Interrupted);
        }
        let script = question.script.compacted();
        let characters: usize = (0..script.terms.len() as u32)
            .map(TermId)
            .filter(|&term| script.terms.sort(term) == crate::smtlib::sort::Sort::STRING)
            .map(|term| script.terms.text(term).len())
            .sum();
        let is_trivial = script.assertions().next().is_none();
        let work = if is_trivial { 0.0 } else { (self.work)(characters as f64) };
        self.asked.lock().expect("no panic").push(characters as f64);
        let limit = question.limit.as_secs_f64();
        let (answer, cpu_seconds) =
            if START + work < limit { (Answer::Sat, START + work) } else { (Answer::Timeout, limit) };
        let timed = Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 0 };
        Ok(Reply { timed, command: String::new(), output: String::new() })
    }
}

fn growth(target: &Fake, reference: &Fake, budget: u64) -> Growth {
    let text = "(declare-fun s () String)\n(assert (= s \"abcdefgh\"))\n(check-sat)\n";
    let script = parse(text, "test", &ParseOptions::default()).expect("sound");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let scaling = Scaling { target, reference, limit: LIMIT, budget: Duration::from_secs(budget), pool: &pool };
    scaling.measure(&script, &Interrupt::new()).expect("no interrupt")
}

fn along(growth: &Growth, dimension: Dimension) -> &Along {
    growth.dimensions.iter().find(|along| along.dimension == dimension).expect("the instance has it")
}

#[test]
fn a_quadratic_is_found_and_nothing_is_asked_beyond_two_timeouts() {
    let target = Fake::new("target", |size| 0.01 * size * size);
    let reference = Fake::new("reference", |_| 0.001);
    let growth = growth(&target, &reference, 1000);
    assert!((growth.trivial_seconds - START).abs() < 1e-12);
    assert_eq!(growth.dimensions.len(), 2, "lengths and assertions: {growth:?}");
    let lengths = along(&growth, Dimension::StringLengths);
    let sizes: Vec<f64> = lengths.points.iter().map(|point| point.size).collect();
    assert_eq!(sizes, [0.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0], "5 s are used up at 24 and 32");
    let Law::Fitted(fit) = &lengths.law else { panic!("{:?}", lengths.law) };
    // At 0 and 2 characters the work is within the noise.
    assert_eq!((fit.form, fit.points), (Form::Polynomial, 5));
    assert!((fit.rate - 2.0).abs() < 1e-6 && fit.low <= fit.rate && fit.rate <= fit.high, "{fit:?}");
    assert!(fit.exceeded_at.is_empty());
    let asked = target.asked.lock().expect("no panic");
    assert_eq!(asked.iter().filter(|&&size| size == 64.0).count(), 0);
}

#[test]
fn slow_everywhere_stops_at_once() {
    let target = Fake::new("target", |_| 100.0);
    let growth = growth(&target, &Fake::new("reference", |_| 0.0), 1000);
    let lengths = along(&growth, Dimension::StringLengths);
    let factors: Vec<f64> = lengths.points.iter().map(|point| point.factor).collect();
    assert_eq!(factors, [0.0, 0.25, 1.0], "two timeouts, and the instance itself, which is known");
    assert_eq!((&lengths.law, lengths.budget_ended), (&Law::SlowAtEverySize, false));
    let point = &lengths.points[0];
    assert!(point.target.ran_out && point.target.result == "timeout" && !point.reference.ran_out);
}

#[test]
fn fast_everywhere_and_a_single_step_are_no_law() {
    let fast = growth(&Fake::new("target", |_| 0.001), &Fake::new("reference", |_| 0.0), 1000);
    assert!(fast.dimensions.iter().all(|along| along.law == Law::FastAtEverySize), "{fast:?}");
    let step = Fake::new("target", |size| if size > 4.0 { 100.0 } else { 0.5 });
    let step = growth(&step, &Fake::new("reference", |_| 0.0), 1000);
    assert_eq!(along(&step, Dimension::StringLengths).law, Law::TooFewPoints { usable: 2 });
}

#[test]
fn the_budget_ends_the_measurement() {
    let target = Fake::new("target", |_| 2.0);
    // Of 10 s the instance takes 2.06 s; each dimension has 3.97 s, and a run that has begun is finished.
    let growth = growth(&target, &Fake::new("reference", |_| 0.02), 10);
    for along in &growth.dimensions {
        assert!(along.budget_ended);
        let run = along.points.iter().filter(|point| point.factor != 1.0).count();
        assert_eq!(run, 2, "{along:?}");
    }
}
