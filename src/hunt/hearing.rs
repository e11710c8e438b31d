//! What all solvers say of one instance, and who is wrong about it.
//!
//! A script's own options and tactics may be what makes a solver give up or go wrong, and solvers that refuse them are
//! asked another script than those that take them. So nobody but a crash is judged by such a script: all are asked once
//! more without its options, and what is found then is reported, with the script without them.

use std::time::Duration;

use super::Found;
use super::source::Case;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind, Truth, judge};
use crate::oracle::model::without_own_options;
use crate::oracle::prover::Prover;
use crate::oracle::testimony::Testimony;
use crate::solver::process::Interrupt;

/// What was heard of a case.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// What all said of the case itself.
    pub(super) testimonies: Vec<Testimony>,
    /// Who is wrong, each with the script that shows it.
    pub(super) found: Vec<Found>,
    /// How many seemed to be wrong, but are not without the options of the script's own.
    pub(super) excused: u64,
    /// CPU seconds of all runs.
    pub(super) seconds: f64,
}

/// Who is asked, and for how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hearing<'a> {
    pub(super) provers: &'a [&'a dyn Prover],
    /// CPU time of each run.
    pub(super) limit: Duration,
    pub(super) interrupt: &'a Interrupt,
}

impl Hearing<'_> {
    /// What all say of a case.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub(super) fn hear(self, case: &Case) -> Result<Heard, OracleError> {
        let testimonies = self.testimonies(case)?;
        let seconds: f64 = testimonies.iter().map(Testimony::seconds).sum();
        let mut heard = Heard { testimonies, seconds, ..Heard::default() };
        let (crashes, others): (Vec<Finding>, Vec<Finding>) =
            findings(case, &heard.testimonies).into_iter().partition(|finding| finding.kind == Kind::Crash);
        let Some(plain) = without_own_options(&case.script) else {
            heard.keep(case, &heard.testimonies.clone(), crashes.into_iter().chain(others));
            return Ok(heard);
        };
        let plain = case.with_script(plain);
        // A crash is a defect whatever the options are.
        for crash in crashes {
            let is_of_plain = |each: &Testimony| each.form.plain && crash.solvers.contains(&each.solver);
            let case = if heard.testimonies.iter().any(is_of_plain) { &plain } else { case };
            heard.keep(case, &heard.testimonies.clone(), [crash]);
        }
        if others.is_empty() {
            return Ok(heard);
        }
        let again = self.testimonies(&plain)?;
        heard.seconds += again.iter().map(Testimony::seconds).sum::<f64>();
        let known = |finding: &Finding| {
            finding.kind == Kind::Crash && heard.found.iter().any(|each| each.finding.solvers == finding.solvers)
        };
        let persisting: Vec<Finding> = findings(&plain, &again).into_iter().filter(|finding| !known(finding)).collect();
        let persists = |finding: &&Finding| persisting.iter().any(|each| each.solvers == finding.solvers);
        heard.excused = others.iter().filter(|finding| !persists(finding)).count() as u64;
        heard.keep(&plain, &again, persisting);
        Ok(heard)
    }

    fn testimonies(self, case: &Case) -> Result<Vec<Testimony>, OracleError> {
        let ask = |prover: &&dyn Prover| Testimony::of(*prover, &case.script, self.limit, self.interrupt);
        self.provers.iter().map(ask).collect()
    }
}

impl Heard {
    fn keep(&mut self, case: &Case, testimonies: &[Testimony], findings: impl IntoIterator<Item = Finding>) {
        let found = |finding| Found { case: case.clone(), testimonies: testimonies.to_vec(), finding };
        self.found.extend(findings.into_iter().map(found));
    }
}

/// Who is wrong about a case.
pub(super) fn findings(case: &Case, testimonies: &[Testimony]) -> Vec<Finding> {
    if !case.is_satisfied() {
        return Vec::new();
    }
    let truth = if case.assignment.is_some() { Truth::Satisfied } else { Truth::Unknown };
    let logic = case.script.logic();
    judge(truth, logic.as_ref().map(|logic| logic.as_str()), testimonies)
}
