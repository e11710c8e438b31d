//! Confirmation of a performance defect: the target is slow in every run at the confirm limit, the reference is quick
//! in every run, the reference's answer is verified, and the seed profile is taken.

mod ledger;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub(super) use ledger::Ledger;
pub use ledger::{RunRow, Step};

use super::OracleError;
use super::candidate::{Failing, REFERENCE_SHARE, failing, is_quick};
use super::profile::{PROFILE_SEEDS, SeedProfile};
use super::prover::{Prover, Question};
use super::verification::{Contradiction, Verification, Verified, Verifiers};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// How much is asked of a confirmation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConfirmSettings {
    /// CPU time in which the target must fail to answer; the reference must answer within a tenth of it. The paper
    /// takes 2,400 s.
    pub confirm_limit: Duration,
    /// CPU time of each run of the seed profile: the limit of the search.
    pub search_limit: Duration,
    /// CPU time of each solver that verifies the reference's answer.
    pub verify_limit: Duration,
    /// Runs of target and reference, all of which must agree.
    pub runs: u32,
    /// Random seeds of the profile.
    pub seeds: u32,
}

impl ConfirmSettings {
    /// Three runs at `confirm_limit`, ten seeds at `search_limit`; verifiers get as much as the reference, and at
    /// least the search limit.
    pub fn new(confirm_limit: Duration, search_limit: Duration) -> Self {
        let verify_limit = search_limit.max(confirm_limit / REFERENCE_SHARE);
        ConfirmSettings { confirm_limit, search_limit, verify_limit, runs: 3, seeds: PROFILE_SEEDS }
    }

    /// The runs of a confirmation that succeeds with the first verifier.
    pub fn usual_runs(&self) -> u32 {
        2 * self.runs + 1 + self.seeds
    }
}

/// A confirmed performance defect and its evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Confirmed {
    /// The solver under test, as the user names it.
    pub target: String,
    /// The solver that is quick.
    pub reference: String,
    /// Whether the target is slow, or gives up in some run.
    pub failing: Failing,
    /// The verified answer: `sat` or `unsat`.
    pub answer: Answer,
    /// Why the answer is trusted.
    pub verification: Verification,
    /// How robust the defect is against the target's random seed.
    pub profile: SeedProfile,
    /// What was asked of the confirmation.
    pub settings: ConfirmSettings,
    /// All runs, in the order of [`Step`].
    pub runs: Vec<RunRow>,
    /// Seeds on which the target answers, and wrongly: suspicions of their own.
    pub contradictions: Vec<Contradiction>,
}

/// Why a candidate is not a confirmed performance defect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The reference did not solve the script within a tenth of the confirm limit.
    #[error("the reference is not quick: {0}")]
    ReferenceNotQuick(Answer),
    /// Nobody could verify the reference's answer.
    #[error("nobody could verify the reference's answer")]
    Unverified,
    /// Another run contradicts the reference's answer: a suspicion of unsoundness.
    #[error("the reference's answer is contradicted")]
    Contradicted,
    /// In some run the target answered, crashed or rejected the script.
    #[error("the target does not fail to answer in every run: {0}")]
    TargetEnds(Answer),
}

/// A candidate that was not confirmed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NotConfirmed {
    /// Why not.
    pub reason: Reason,
    /// All runs up to there.
    pub runs: Vec<RunRow>,
    /// Solvers that contradict each other, with the evidence.
    pub contradictions: Vec<Contradiction>,
}

/// What a confirmation came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A performance defect.
    Confirmed(Box<Confirmed>),
    /// Not one.
    NotConfirmed(Box<NotConfirmed>),
}

/// The solvers of a confirmation, and how much is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation<'a> {
    /// The solver under test.
    pub target: &'a dyn Prover,
    /// The solver that is quick.
    pub reference: &'a dyn Prover,
    /// Solvers that may verify the reference's answer, in the order in which they are asked. One of the reference's
    /// own program counts only for `sat`, and only if its options make it check its models.
    pub verifiers: &'a [&'a dyn Prover],
    /// How much is asked.
    pub settings: ConfirmSettings,
    /// Where runs go that need not wait for each other.
    pub pool: &'a rayon::ThreadPool,
}

impl Confirmation<'_> {
    /// Confirms one candidate, the cheap questions first. Each finished run goes to `on_run` at once; what `known`
    /// holds of an interrupted confirmation of the same script is not run again.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub fn confirm(
        &self,
        script: &Script,
        known: &[RunRow],
        on_run: &(dyn Fn(&RunRow) + Sync),
        interrupt: &Interrupt,
    ) -> Result<Verdict, OracleError> {
        let ledger = Ledger::new(known, on_run);
        match self.evidence(script, &ledger, interrupt)? {
            Ok(mut confirmed) => {
                confirmed.runs = ledger.into_runs();
                Ok(Verdict::Confirmed(Box::new(confirmed)))
            }
            Err((reason, contradictions)) => {
                let runs = ledger.into_runs();
                Ok(Verdict::NotConfirmed(Box::new(NotConfirmed { reason, runs, contradictions })))
            }
        }
    }

    fn evidence(&self, script: &Script, ledger: &Ledger<'_>, interrupt: &Interrupt) -> Result<Evidence, OracleError> {
        let claim = match self.reference_runs(script, ledger, interrupt)? {
            Ok(claim) => claim,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let verifiers =
            Verifiers { reference: self.reference, others: self.verifiers, limit: self.settings.verify_limit };
        let verification = match verifiers.verify(script, &claim, ledger, interrupt)? {
            Verified::Yes(verification) => verification,
            Verified::Contradicted(found) => return Ok(Err((Reason::Contradicted, vec![*found]))),
            Verified::Undecided => return Ok(Err((Reason::Unverified, vec![]))),
        };
        let slow = self.target_runs(script, ledger, interrupt)?;
        if let Some(row) = slow.iter().find(|row| failing(&row.timed, self.settings.confirm_limit).is_none()) {
            let reason = Reason::TargetEnds(row.timed.answer.clone());
            return Ok(Err((reason, contradictions(&claim, &slow))));
        }
        let gives_up =
            slow.iter().any(|row| failing(&row.timed, self.settings.confirm_limit) == Some(Failing::GivesUp));
        let seeds = self.profile_runs(script, ledger, interrupt)?;
        Ok(Ok(Confirmed {
            target: self.target.name().to_owned(),
            reference: self.reference.name().to_owned(),
            failing: if gives_up { Failing::GivesUp } else { Failing::Slow },
            answer: claim.timed.answer.clone(),
            verification,
            profile: SeedProfile::of(seeds.iter().map(|row| &row.timed), self.settings.search_limit),
            settings: self.settings,
            runs: Vec::new(),
            contradictions: contradictions(&claim, &seeds),
        }))
    }

    /// The reference's runs, up to the first that is not quick; the first of them if all are and agree.
    fn reference_runs(
        &self,
        script: &Script,
        ledger: &Ledger<'_>,
        interrupt: &Interrupt,
    ) -> Result<Result<RunRow, Refusal>, OracleError> {
        let limit = self.settings.confirm_limit;
        let question = Question { script, seed: None, limit: limit / REFERENCE_SHARE, check_model: false };
        let mut claim: Option<RunRow> = None;
        for number in 0..self.settings.runs.max(1) {
            let row = ledger.run(Step::Reference(number), self.reference, &question, interrupt)?;
            if !is_quick(&row.timed, self.settings.search_limit) {
                return Ok(Err((Reason::ReferenceNotQuick(row.timed.answer), vec![])));
            }
            let first = claim.get_or_insert_with(|| row.clone());
            if first.timed.answer != row.timed.answer {
                let found = Contradiction { claim: first.clone(), counterclaim: row, model: None };
                return Ok(Err((Reason::Contradicted, vec![found])));
            }
        }
        claim.map(Ok).ok_or(OracleError::Interrupted)
    }

    /// The target's runs at the confirm limit. Once one ends, none is begun any more.
    fn target_runs(
        &self,
        script: &Script,
        ledger: &Ledger<'_>,
        interrupt: &Interrupt,
    ) -> Result<Vec<RunRow>, OracleError> {
        let question = Question { script, seed: None, limit: self.settings.confirm_limit, check_model: false };
        let ended = AtomicBool::new(false);
        let run = |number| -> Result<Option<RunRow>, OracleError> {
            if ended.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let row = ledger.run(Step::Confirm(number), self.target, &question, interrupt)?;
            if failing(&row.timed, self.settings.confirm_limit).is_none() {
                ended.store(true, Ordering::Relaxed);
            }
            Ok(Some(row))
        };
        let rows: Result<Vec<_>, _> =
            self.pool.install(|| (0..self.settings.runs.max(1)).into_par_iter().map(run).collect());
        Ok(rows?.into_iter().flatten().collect())
    }

    fn profile_runs(
        &self,
        script: &Script,
        ledger: &Ledger<'_>,
        interrupt: &Interrupt,
    ) -> Result<Vec<RunRow>, OracleError> {
        let run = |seed| {
            let question = Question { script, seed: Some(seed), limit: self.settings.search_limit, check_model: false };
            ledger.run(Step::Profile(seed), self.target, &question, interrupt)
        };
        self.pool.install(|| (0..self.settings.seeds).into_par_iter().map(run).collect())
    }
}

/// Why a candidate is refused, and the contradictions that showed.
type Refusal = (Reason, Vec<Contradiction>);
/// A confirmed defect (its runs still in the ledger), or why not.
type Evidence = Result<Confirmed, Refusal>;

/// The target's answers that contradict the verified one.
fn contradictions(claim: &RunRow, target: &[RunRow]) -> Vec<Contradiction> {
    let contrary = target.iter().filter(|row| row.timed.answer.is_solved() && row.timed.answer != claim.timed.answer);
    contrary.map(|row| Contradiction { claim: claim.clone(), counterclaim: row.clone(), model: None }).collect()
}

#[cfg(test)]
mod tests;
