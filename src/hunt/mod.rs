//! Hunting wrong answers: instances made of seeds, what solvers say about them, and who is wrong, each defect once.

pub mod chains;
pub mod choices;
mod hearing;
pub mod kept;
pub mod likeness;
pub mod minimise;
pub mod outcome;
mod refusals;
pub mod report;
pub mod size;
pub mod source;
pub mod witness;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::isolate::isolated;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::{ModelVerdict, Testimony};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;
use hearing::{Heard, Hearing};
pub use refusals::Refusals;
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
            Kind::Crash => place_of_crash(self.finding.message()),
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
    /// What each solver refused last, in its own words, and how many scripts it refused.
    pub refusals: BTreeMap<String, Refusals>,
    /// Instances on which enough solvers answered to judge: two, or one where the truth is known or nobody else is asked.
    pub judged: u64,
    /// Instances on which too few solvers took the script for that.
    pub refused: u64,
    /// CPU seconds of all solvers that were asked about instances.
    pub solver_seconds: f64,
    /// CPU seconds of solvers that minimising took.
    pub minimising_seconds: f64,
    /// Findings by kind, repetitions among them.
    pub findings: BTreeMap<Kind, u64>,
    /// What seemed to be a defect under options of a script's own, and is none without them.
    pub excused: u64,
    /// Answers that contradict what a seed says of itself, a line each. They accuse nobody.
    pub against_status: Vec<String>,
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
            let each: Vec<Option<Vec<Case>>> =
                plan.pool.install(|| seeds.into_par_iter().map(|seed| source.cases(seed, round)).collect());
            if round == 0 {
                tally.barren_seeds += each.iter().filter(|cases| cases.is_none()).count() as u64;
            }
            any |= each.iter().any(Option::is_some);
            let mut cases: Vec<Case> = each.into_iter().flatten().flatten().collect();
            cases.truncate(usize::try_from(plan.instances - tally.instances).unwrap_or(usize::MAX));
            let left = Mutex::new(tally.left_of(plan.budget));
            let hearing = Hearing { provers, limit: plan.limit, interrupt };
            let heard: Vec<Result<Result<Option<Heard>, OracleError>, String>> =
                plan.pool.install(|| cases.par_iter().map(|case| isolated(|| hearing.hear(case, &left))).collect());
            for (case, heard) in cases.into_iter().zip(heard) {
                let heard = match heard {
                    Ok(Ok(Some(heard))) => heard,
                    // Others of these cases may be finished.
                    Ok(Ok(None) | Err(OracleError::Interrupted)) => continue,
                    Ok(Err(error)) => return Err(error.into()),
                    Err(message) => {
                        tally.note(&case);
                        tally.internal_errors.push(InternalError::on(&case, message));
                        continue;
                    }
                };
                tally.count(&case, &heard);
                for found in heard.found {
                    let kind = found.finding.kind;
                    *tally.findings.entry(kind).or_default() += 1;
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

impl Case {
    /// The answers that contradict what the seed says of itself, a line each.
    pub fn against_status(&self, testimonies: &[Testimony]) -> Vec<String> {
        let Some(status) = &self.status else { return Vec::new() };
        let differs = |each: &&Testimony| each.timed.answer.is_solved() && each.timed.answer.name() != status;
        let line = |each: &Testimony| {
            format!(
                "{} answers {} to {}, which says :status {status}",
                each.solver,
                each.timed.answer.name(),
                self.seed
            )
        };
        testimonies.iter().filter(differs).map(line).collect()
    }
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

    /// Counts an instance that was asked about, whatever came of it.
    fn note(&mut self, case: &Case) {
        self.instances += 1;
        *self.asked.entry(case.seed.clone()).or_default() += 1;
        self.unsatisfied += u64::from(!case.is_satisfied());
    }

    /// Counts an instance, and what was said of it.
    fn count(&mut self, case: &Case, heard: &Heard) {
        self.note(case);
        self.excused += heard.excused;
        self.solver_seconds += heard.seconds;
        for testimony in &heard.testimonies {
            let answer = &testimony.timed.answer;
            let answers = self.answers.entry(testimony.solver.clone()).or_default();
            *answers.entry(answer.name().to_owned()).or_default() += 1;
            if answer.is_refusal() {
                let refusals = self.refusals.entry(testimony.solver.clone()).or_default();
                refusals.count += 1;
                refusals.words = answer.to_string();
            }
        }
        self.against_status.extend(case.against_status(&heard.testimonies));
        let is_known =
            case.assignment.is_some() || heard.testimonies.iter().any(|each| each.verdict == ModelVerdict::Satisfies);
        let enough = if is_known || heard.testimonies.len() == 1 { 1 } else { 2 };
        let that = |is: fn(&Answer) -> bool| heard.testimonies.iter().filter(|each| is(&each.timed.answer)).count();
        self.judged += u64::from(that(Answer::is_solved) >= enough);
        self.refused += u64::from(that(|answer| !answer.is_refusal()) < enough);
    }
}

#[cfg(test)]
mod tests;
