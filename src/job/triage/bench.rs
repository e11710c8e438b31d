//! The solvers of a triage in their roles, and what it spends.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::TriageRequest;
use crate::job::explain::{Explainer, Observed};
use crate::job::patterns::patterns_at;
use crate::job::solvers::{provided, verifiers};
use crate::known::Pattern;
use crate::oracle::machine::Machine;
use crate::oracle::performance::ConfirmSettings;
use crate::oracle::prover::InstalledProver;
use crate::smtlib::fragment::Fragment;
use crate::solver::fragments::{LOGIC, shared_fragment};
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, ProvisionError, find, find_working, known_profiles};
use crate::triage::expenses::Expenses;
use crate::triage::overview::Stopped;

/// The part of a budget that may go into reductions, and what is theirs even where a confirmation takes all of it.
const REDUCTION_SHARE: f64 = 0.6;
const LEAST_REDUCTION_SHARE: f64 = 0.3;
/// The confirm limit by default, as a multiple of the limit: as in a run.
const CONFIRM_FACTOR: u32 = 4;
/// The part of a budget that each defect's growth may take: a tenth.
const GROWTH_SHARE: u32 = 10;

/// The solvers, and what a triage spends.
pub(super) struct Bench<'a> {
    pub(super) args: &'a TriageRequest,
    pub(super) target: InstalledProver,
    pub(super) reference: InstalledProver,
    pub(super) verifiers: Vec<InstalledProver>,
    pub(super) also: Vec<InstalledProver>,
    pub(super) explainer: Option<Explainer>,
    pub(super) machine: Machine,
    /// What is known beforehand.
    pub(super) known: Vec<Pattern>,
    /// What both solvers accept.
    pub(super) fragment: Fragment,
    pub(super) pool: rayon::ThreadPool,
    pub(super) expenses: Expenses,
    /// Set when nothing must go on: the user interrupted, or the deadline has come.
    pub(super) interrupt: &'a Interrupt,
    pub(super) end: End<'a>,
}

/// Who may end a triage.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    /// Set by the user alone.
    pub(super) user: &'a Interrupt,
    pub(super) begun: Instant,
    /// When all must be written.
    pub(super) deadline: Option<Instant>,
}

impl<'a> Bench<'a> {
    pub(super) fn open(args: &'a TriageRequest, interrupt: &'a Interrupt, end: End<'a>) -> anyhow::Result<Self> {
        let cache = Cache::locate()?;
        let profiles = known_profiles(args.profiles.as_deref(), &cache)?;
        let working = |spec: &SolverSpec| match find_working(spec, &profiles, &cache, interrupt) {
            // What there is is told after an interrupt, too.
            Err(ProvisionError::Interrupted | ProvisionError::InterruptedProbe) => find(spec, &profiles, &cache),
            found => found,
        };
        let target = working(&args.target)?;
        let reference = working(&args.reference)?;
        let fragment = shared_fragment(&target, &reference, LOGIC)?;
        let verifiers = verifiers(&profiles, &cache, [&target, &reference]);
        let also = args.also.iter().map(|spec| provided(spec, &profiles, interrupt).map(InstalledProver::new));
        let explain = || -> anyhow::Result<Explainer> {
            let observed = Observed { cpu: args.limit, soft: 0 };
            let mut explainer = Explainer::open(&target, None, observed, &profiles, &cache, interrupt)?;
            explainer.scaled.each = args.limit;
            if let Some(budget) = args.budget {
                explainer.scaled.all = explainer.scaled.all.min(budget / GROWTH_SHARE);
            }
            Ok(explainer)
        };
        let explainer = match (!args.no_explain).then(explain).transpose() {
            // Nothing will be explained any more.
            Err(_) if interrupt.is_set() => None,
            explainer => explainer?,
        };
        Ok(Bench {
            args,
            also: also.collect::<anyhow::Result<_>>()?,
            target: InstalledProver::new(target),
            reference: InstalledProver::new(reference),
            verifiers: verifiers.into_iter().map(InstalledProver::new).collect(),
            explainer,
            machine: Machine::this(),
            known: patterns_at(&args.known)?,
            fragment,
            pool: rayon::ThreadPoolBuilder::new()
                .num_threads(args.jobs.get())
                .build()
                .context("cannot start threads")?,
            expenses: Expenses::default(),
            interrupt,
            end,
        })
    }

    /// Whether this part of the budget, or of the time up to the deadline, is used up, or nothing must go on.
    pub(super) fn is_over(&self, share: f64) -> bool {
        let End { begun, deadline, .. } = self.end;
        let spent = self.expenses.solver_seconds();
        self.interrupt.is_set()
            || self.args.budget.is_some_and(|budget| spent >= share * budget.as_secs_f64())
            || deadline.is_some_and(|deadline| begun.elapsed() >= (deadline - begun).mul_f64(share))
    }

    /// Whether nothing is to be reduced or learned any more: what is left of the budget is for confirming what was found, one
    /// defect at least.
    pub(super) fn has_reduced_enough(&self) -> bool {
        let left_over = |budget: Duration| 1.0 - self.confirmation_seconds() / budget.as_secs_f64();
        let share = self.args.budget.map_or(REDUCTION_SHARE, left_over);
        self.is_over(share.clamp(LEAST_REDUCTION_SHARE, REDUCTION_SHARE))
    }

    /// Whether the budget suffices for one more confirmation.
    pub(super) fn may_confirm(&self) -> bool {
        let after = self.expenses.solver_seconds() + self.confirmation_seconds();
        !self.is_over(1.0) && self.args.budget.is_none_or(|budget| after <= budget.as_secs_f64())
    }

    /// What is asked of a confirmation.
    pub(super) fn confirm_settings(&self) -> ConfirmSettings {
        let TriageRequest { limit, confirm_limit, .. } = self.args;
        ConfirmSettings::new(confirm_limit.unwrap_or(*limit * CONFIRM_FACTOR), *limit)
    }

    /// What the target takes where it is slow each time that a confirmation asks it.
    fn confirmation_seconds(&self) -> f64 {
        let ConfirmSettings { confirm_limit, search_limit, runs, seeds, .. } = self.confirm_settings();
        (confirm_limit * runs + search_limit * seeds).as_secs_f64()
    }

    /// What stops a triage that is to stop.
    pub(super) fn stopped(&self) -> Stopped {
        if self.end.user.is_set() { Stopped::Interrupted } else { Stopped::Budget }
    }
}
