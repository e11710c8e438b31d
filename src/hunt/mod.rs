//! Hunting wrong answers: instances made of seeds, what solvers say about them, and who is wrong, each defect once.

pub mod choices;
pub mod kept;
pub mod likeness;
pub mod minimise;
pub mod outcome;
pub mod report;
pub mod size;
pub mod source;
pub mod witness;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::isolate::isolated;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind, Truth, judge};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::Testimony;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::solver::process::Interrupt;
use source::{Case, Source};

/// One finding, and the case that it was found on.
#[derive(Clone, Debug)]
pub struct Found {
    /// The instance, and what is known of it.
    pub case: Case,
    /// What all solvers said.
    pub testimonies: Vec<Testimony>,
    /// Who is wrong, and why.
    pub finding: Finding,
}

impl Found {
    /// What tells findings of one seed apart before anything is minimised: the kind, the solvers, and of a crash the
    /// place that its message names.
    pub fn key(&self) -> (Kind, Vec<String>, String) {
        let place = match self.finding.kind {
            Kind::Crash => place_of_crash(&self.finding.evidence.concat()),
            _ => String::new(),
        };
        (self.finding.kind, self.finding.solvers.clone(), place)
    }
}

/// The message of a crash without what differs from run to run: digits and addresses.
fn place_of_crash(message: &str) -> String {
    let words = message.split_whitespace().filter(|word| !word.trim_start_matches('(').starts_with("0x"));
    let words: Vec<String> = words.map(|word| word.chars().filter(|each| !each.is_ascii_digit()).collect()).collect();
    words.join(" ")
}

/// Seeds whose instances are asked about at once; not the number of threads, so that nothing depends on that.
const SEEDS_AT_ONCE: usize = 8;

/// What a hunt came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Instances that were made and asked about.
    pub instances: u64,
    /// The same by seed.
    pub asked: BTreeMap<String, u64>,
    /// Of these, instances whose assignment does not satisfy them: a fault of ours. Always 0.
    pub unsatisfied: u64,
    /// Seeds that gave no instance, such as scripts without a fragment whose truth is known.
    pub barren_seeds: u64,
    /// The solvers' last answers, by solver and answer.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// CPU seconds of all solvers that were asked about instances.
    pub solver_seconds: f64,
    /// CPU seconds of solvers that minimising took.
    pub minimising_seconds: f64,
    /// Findings by kind, repetitions among them.
    pub findings: BTreeMap<Kind, u64>,
    /// Instances on which this program itself failed.
    pub internal_errors: Vec<InternalError>,
}

/// An instance on which this program itself failed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InternalError {
    /// The seed's name.
    pub seed: String,
    /// The instance of that seed.
    pub instance: u32,
    /// What the failure said, and where it was.
    pub message: String,
    /// The script.
    pub script: String,
}

impl InternalError {
    /// A failure on a case.
    pub fn on(case: &Case, message: String) -> Self {
        // This dialect spells everything.
        let script = print(&case.script, Dialect::SmtLib26, &PrintOptions::default()).unwrap_or_default();
        InternalError { seed: case.seed.clone(), instance: case.number, message, script }
    }
}

/// When a hunt ends, and how it asks.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Instances at most.
    pub instances: u64,
    /// CPU time of solvers, minimising included, after which no further instance is begun; none for no bound.
    pub budget: Option<Duration>,
    /// A kind of defect with whose first finding the hunt ends.
    pub until: Option<Kind>,
    /// CPU time of each run.
    pub limit: Duration,
    /// Instances that are asked about at once.
    pub pool: &'a rayon::ThreadPool,
}

/// Asks `provers` about what `source` makes, round by round, and hands each finding to `on_found` in an order that does
/// not depend on the number of threads, with what is left of the budget; `on_found` answers how many CPU seconds of solvers
/// it took. `tally` is kept up to the moment, whatever ends the hunt. An interrupt ends it early, and is no error. What was asked together with the finding that ends it is not
/// counted.
///
/// # Errors
/// [`OracleError`] if a solver could not be run, and those of `on_found`.
pub fn hunt<E: From<OracleError>>(
    source: &dyn Source,
    provers: &[&dyn Prover],
    plan: &Plan<'_>,
    on_found: &mut dyn FnMut(Found, Option<Duration>) -> Result<f64, E>,
    on_round: &dyn Fn(&Tally),
    tally: &mut Tally,
    interrupt: &Interrupt,
) -> Result<(), E> {
    for round in 0.. {
        let mut any = false;
        for first in (0..source.seeds()).step_by(SEEDS_AT_ONCE) {
            let is_over = tally.left_of(plan.budget) == Some(Duration::ZERO);
            if is_over || tally.instances >= plan.instances || interrupt.is_set() {
                return Ok(());
            }
            let seeds = first..(first + SEEDS_AT_ONCE).min(source.seeds());
            let each: Vec<Vec<Case>> =
                plan.pool.install(|| seeds.into_par_iter().map(|seed| source.cases(seed, round)).collect());
            if round == 0 {
                tally.barren_seeds += each.iter().filter(|cases| cases.is_empty()).count() as u64;
            }
            let mut cases = each.concat();
            any |= !cases.is_empty();
            cases.truncate(usize::try_from(plan.instances - tally.instances).unwrap_or(usize::MAX));
            let left = Mutex::new(tally.left_of(plan.budget));
            let heard: Vec<Result<Heard, String>> = plan.pool.install(|| {
                let hear = |case: &Case| isolated(|| hear(case, provers, plan.limit, &left, interrupt));
                cases.par_iter().map(hear).collect()
            });
            for (case, testimonies) in cases.into_iter().zip(heard) {
                let testimonies = match testimonies {
                    Ok(Ok(Some(testimonies))) => testimonies,
                    // Others of these cases may be finished.
                    Ok(Ok(None) | Err(OracleError::Interrupted)) => continue,
                    Ok(Err(error)) => return Err(error.into()),
                    Err(message) => {
                        tally.count(&case);
                        tally.internal_errors.push(InternalError::on(&case, message));
                        continue;
                    }
                };
                tally.count(&case);
                tally.hear(&testimonies);
                for finding in findings(&case, &testimonies) {
                    *tally.findings.entry(finding.kind).or_default() += 1;
                    let kind = finding.kind;
                    let found = Found { case: case.clone(), testimonies: testimonies.clone(), finding };
                    tally.minimising_seconds += on_found(found, tally.left_of(plan.budget))?;
                    if plan.until == Some(kind) {
                        return Ok(());
                    }
                }
            }
            on_round(tally);
        }
        if !any {
            break;
        }
    }
    Ok(())
}

/// Who is wrong about a case.
fn findings(case: &Case, testimonies: &[Testimony]) -> Vec<Finding> {
    if !case.is_satisfied() {
        return Vec::new();
    }
    let truth = if case.assignment.is_some() { Truth::Satisfied } else { Truth::Unknown };
    let logic = case.script.logic();
    judge(truth, logic.as_ref().map(|logic| logic.as_str()), testimonies)
}

/// What [`hear`] hears.
type Heard = Result<Option<Vec<Testimony>>, OracleError>;

/// What all say of a case; `None` if nothing was left of the budget.
fn hear(
    case: &Case,
    provers: &[&dyn Prover],
    limit: Duration,
    left: &Mutex<Option<Duration>>,
    interrupt: &Interrupt,
) -> Heard {
    let left = || left.lock().unwrap_or_else(PoisonError::into_inner);
    if *left() == Some(Duration::ZERO) {
        return Ok(None);
    }
    let heard: Result<Vec<Testimony>, OracleError> =
        provers.iter().map(|prover| Testimony::of(*prover, &case.script, limit, interrupt)).collect();
    let seconds = heard.iter().flatten().map(Testimony::seconds).sum();
    let spent = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let mut left = left();
    *left = left.map(|left| left.saturating_sub(spent));
    heard.map(Some)
}

impl Tally {
    /// CPU time of solvers that was spent, minimising included.
    pub fn spent(&self) -> Duration {
        Duration::try_from_secs_f64(self.solver_seconds + self.minimising_seconds).unwrap_or(Duration::MAX)
    }

    /// What is left of a budget.
    fn left_of(&self, budget: Option<Duration>) -> Option<Duration> {
        budget.map(|budget| budget.saturating_sub(self.spent()))
    }

    fn count(&mut self, case: &Case) {
        self.instances += 1;
        *self.asked.entry(case.seed.clone()).or_default() += 1;
        self.unsatisfied += u64::from(!case.is_satisfied());
    }

    fn hear(&mut self, testimonies: &[Testimony]) {
        for testimony in testimonies {
            let answers = self.answers.entry(testimony.solver.clone()).or_default();
            *answers.entry(testimony.timed.answer.name().to_owned()).or_default() += 1;
            self.solver_seconds += testimony.seconds();
        }
    }
}

#[cfg(test)]
mod tests;
