//! What a hunt came to, in numbers.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::hearing::Heard;
use super::refusals::Refusals;
use super::seeds::Unusable;
use super::source::Case;
use crate::oracle::correctness::{Finding, Kind, programs};
use crate::oracle::testimony::{ModelVerdict, Testimony};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::solver::answer::Answer;

/// The most seeds that are named of those that give nothing.
const SHOWN_LEFT_OUT: usize = 8;

/// How tables call the logic of a script that sets none.
pub(super) const NO_LOGIC: &str = "none given";

/// What a hunt came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Instances that were made and asked about.
    pub instances: u64,
    /// The same by seed, where a hunt keeps that ([`Plan::by_seed`](super::Plan::by_seed)).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub asked: BTreeMap<String, u64>,
    /// Of these, instances whose assignment does not satisfy them: a fault of ours. Always 0.
    pub unsatisfied: u64,
    /// Seeds that gave no instance, such as scripts without a fragment whose truth is known.
    pub barren_seeds: u64,
    /// Files among the seeds that are no scripts.
    pub unreadable_seeds: u64,
    /// Seeds of which the strategy makes nothing.
    pub unfit_seeds: u64,
    /// Why the first of these give nothing, a line each.
    pub left_out: Vec<String>,
    /// The solvers' last answers, by solver and answer.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// Seeds by logic and by who takes their first instance, options aside.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub logics: BTreeMap<String, BTreeMap<String, u64>>,
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
    /// The same by who has them, and the kind: on how many instances.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub accused: BTreeMap<String, BTreeMap<Kind, u64>>,
    /// Findings that the user's lists name as known, by the text that they are known by. They are no findings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub known: BTreeMap<String, u64>,
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
    /// The instance of that seed; 0 if it failed to make one.
    pub instance: u32,
    /// What the failure said, and where it was.
    pub message: String,
    /// The script.
    pub script: String,
}

impl InternalError {
    /// A failure on a seed, before there was an instance of it.
    pub fn on_seed(seed: String, message: String) -> Self {
        InternalError { seed, instance: 0, message, script: String::new() }
    }

    /// A failure on a case.
    pub fn on(case: &Case, message: String) -> Self {
        // This dialect spells everything.
        let script = print(&case.script, Dialect::SmtLib26, &PrintOptions::default()).unwrap_or_default();
        InternalError { seed: case.seed.clone(), instance: case.number, message, script }
    }
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

    /// Why the first seeds that give nothing do not, a line each, and how many more there are.
    pub fn reasons(&self) -> String {
        let mut lines: Vec<String> = self.left_out.iter().map(|line| format!("  {line}\n")).collect();
        let all = self.unreadable_seeds + self.unfit_seeds;
        if let more @ 1.. = all.saturating_sub(self.left_out.len() as u64) {
            lines.push(format!("  and {more} more\n"));
        }
        lines.concat()
    }

    /// What is left of a budget.
    pub(super) fn left_of(&self, budget: Option<Duration>) -> Option<Duration> {
        budget.map(|budget| budget.saturating_sub(self.spent()))
    }

    /// Counts a seed that gives nothing, and remembers why, if it is one of the first.
    pub(super) fn leave_out(&mut self, seed: &Unusable) {
        match seed {
            Unusable::Unreadable(_) => self.unreadable_seeds += 1,
            Unusable::Unfit(_) | Unusable::Oracle(_) => self.unfit_seeds += 1,
        }
        if self.left_out.len() < SHOWN_LEFT_OUT {
            self.left_out.push(seed.to_string());
        }
    }

    /// Counts an instance that was asked about, whatever came of it.
    pub(super) fn note(&mut self, case: &Case, by_seed: bool) {
        self.instances += 1;
        self.solver_seconds += case.seconds;
        if by_seed {
            *self.asked.entry(case.seed.clone()).or_default() += 1;
        }
        self.unsatisfied += u64::from(!case.is_satisfied());
    }

    /// Counts a finding, of everybody who has it.
    pub(super) fn accuse(&mut self, finding: &Finding) {
        *self.findings.entry(finding.kind).or_default() += 1;
        for solver in &finding.solvers {
            *self.accused.entry(solver.clone()).or_default().entry(finding.kind).or_default() += 1;
        }
    }

    /// Counts a seed, by its first instance, for all who take it.
    fn count_logic(&mut self, case: &Case, heard: &Heard) {
        let taking = heard.testimonies.iter().filter(|each| !each.timed.answer.is_refusal());
        let names: Vec<String> = taking.map(|each| each.solver.clone()).collect();
        let logic = case.script.logic().map_or_else(|| NO_LOGIC.to_owned(), |logic| logic.as_str().to_owned());
        let by_solver = self.logics.entry(logic).or_default();
        for program in programs(&names) {
            *by_solver.entry(program).or_default() += 1;
        }
    }

    /// Counts an instance, and what was said of it.
    pub(super) fn count(&mut self, case: &Case, heard: &Heard, by_seed: bool) {
        self.note(case, by_seed);
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
        if case.number == 1 {
            self.count_logic(case, heard);
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
