//! What a run does after its search, within its budget: a triage of what it suspects, a hunt among its suspects, and one
//! summary of all.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use super::aftermath::aftermath;
use super::suspects::{judge_suspects, unjudged};
use super::triage::triage_run;
use crate::campaign::{Report, Reserve, StopReason, grace};
use crate::console::say;
use crate::job::recorded::recorded;
use crate::record::format::{DefectState, Summary};
use crate::record::{RunDirectory, open_defects, read_lessons};
use crate::solver::process::Interrupt;

/// The part of the budget, or of the core time of a run without one, that its triage may take.
const TRIAGE_SHARE: f64 = 0.1;
/// And its hunt.
const HUNT_SHARE: f64 = 0.05;
/// What the two may take at least of a run without a budget of wall time, so that a short run's first defect is reduced and
/// explained too.
const LEAST_TRIAGE: Duration = Duration::from_mins(2);
const LEAST_HUNT: Duration = Duration::from_mins(1);
/// With less time than this left, nothing is begun.
const TOO_LITTLE: Duration = Duration::from_secs(3);
/// Of the time that is left after the search, the part that is kept for the hunt while there are suspects.
const HUNT_OF_REST: f64 = 0.3;

/// What a triage or a hunt may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// CPU time of solvers.
    pub(super) cpu: Duration,
    /// When it has to end.
    pub(super) deadline: Option<Instant>,
    /// Runs at once.
    pub(super) jobs: NonZeroUsize,
}

/// What is to come after the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Afterwards<'a> {
    /// Whether what is confirmed is triaged.
    pub(crate) triages: bool,
    /// Whether there is a hunt among the suspects.
    pub(crate) hunts: bool,
    /// Runs at once.
    pub(crate) jobs: NonZeroUsize,
    /// A file of further solver profiles.
    pub(crate) profiles: Option<&'a Path>,
}

impl Afterwards<'_> {
    /// The parts of the budget that the search leaves to what comes after it; `confirms` says whether anything is confirmed.
    pub(crate) fn reserve(&self, confirms: bool) -> Reserve {
        Reserve {
            triage: if self.triages && confirms { TRIAGE_SHARE } else { 0.0 },
            hunt: if self.hunts { HUNT_SHARE } else { 0.0 },
        }
    }

    /// Triages and hunts as far as there is time, and completes the summary by what came of it, or of what an earlier process did.
    /// Also answers how many wrong answers, wrong models and crashes of the run's two solvers there are.
    ///
    /// # Errors
    /// When a solver is missing, or results cannot be written; those of the run itself are safe already.
    pub(super) fn of(&self, root: &Path, report: &Report, interrupt: &Interrupt) -> anyhow::Result<(Summary, u64)> {
        // No other process is to go on in the directory meanwhile.
        let directory = RunDirectory::open(root)?;
        let mut summary = report.summary.clone();
        let begun = Instant::now();
        if report.reason != StopReason::Interrupted {
            self.triage_and_hunt(root, &summary, interrupt)?;
            // The triage confirms, and leaves one folder of each distinct defect.
            let defects = open_defects(root)?;
            summary.defects = defects.count(DefectState::Confirmed);
            summary.candidates = defects.count(DefectState::Candidate);
            summary.refuted = defects.count(DefectState::Refuted);
            summary.afterwards_seconds += begun.elapsed().as_secs_f64();
        }
        let own;
        (summary.aftermath, own) = aftermath(root)?;
        directory.write(crate::record::names::SUMMARY, &serde_json::to_vec_pretty(&summary)?)?;
        Ok((summary, own))
    }

    fn triage_and_hunt(&self, root: &Path, summary: &Summary, interrupt: &Interrupt) -> anyhow::Result<()> {
        let time = Time::of(self.jobs, root, summary)?;
        let suspects = if self.hunts { unjudged(root)? } else { Vec::new() };
        let (config, _) = recorded(root)?;
        let triages = self.triages && config.confirm.enabled && !interrupt.is_set();
        let has_cores = || anyhow::Ok(read_lessons(root)?.iter().any(|lesson| lesson.core.is_some()));
        if triages && (summary.defects > 0 || has_cores()?) {
            match time.for_triage(suspects.is_empty()) {
                Some(allowance) => triage_run(root, allowance, self.profiles, interrupt)?,
                None => say!("triage: left out, because the budget is used up"),
            }
        } else if triages && summary.candidates > 0 {
            say!("triage: left out, because nothing is confirmed");
        }
        if !suspects.is_empty() && !interrupt.is_set() {
            match time.for_hunt() {
                Some(allowance) => judge_suspects(root, &suspects, allowance, self.profiles, interrupt)?,
                None => say!("hunt: left out, because the budget is used up"),
            }
        }
        Ok(())
    }
}

/// What is left of the budget after the search.
struct Time {
    /// When all must have ended; none without a budget of wall time.
    end: Option<Instant>,
    /// CPU time that the run took so far.
    spent: Duration,
    jobs: NonZeroUsize,
}

impl Time {
    fn of(jobs: NonZeroUsize, root: &Path, summary: &Summary) -> anyhow::Result<Self> {
        let (config, _) = recorded(root)?;
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default();
        // What came after the search before the run was resumed counts, so that no resumption has the grace anew.
        let spent = summary.wall_seconds + summary.afterwards_seconds;
        let left = config.stop.budget.map(|budget| (budget + grace(budget)).saturating_sub(seconds(spent)));
        Ok(Time {
            end: left.and_then(|left| Instant::now().checked_add(left)),
            spent: seconds(summary.total_core_seconds),
            jobs,
        })
    }

    /// What the triage may take; `is_last` if no hunt follows. `None` if too little is left.
    fn for_triage(&self, is_last: bool) -> Option<Allowance> {
        let part = if is_last { 1.0 } else { 1.0 - HUNT_OF_REST };
        self.allowance(part, self.spent.mul_f64(TRIAGE_SHARE).max(LEAST_TRIAGE))
    }

    /// What the hunt may take; `None` if too little is left.
    fn for_hunt(&self) -> Option<Allowance> {
        self.allowance(1.0, self.spent.mul_f64(HUNT_SHARE).max(LEAST_HUNT))
    }

    /// This part of the time that is left, or without a budget of wall time `otherwise` of CPU time.
    fn allowance(&self, part: f64, otherwise: Duration) -> Option<Allowance> {
        let Some(end) = self.end else {
            return Some(Allowance { cpu: otherwise, deadline: None, jobs: self.jobs });
        };
        let now = Instant::now();
        let left = end.saturating_duration_since(now).mul_f64(part);
        let cpu = left * u32::try_from(self.jobs.get()).unwrap_or(u32::MAX);
        (left >= TOO_LITTLE).then(|| Allowance { cpu, deadline: now.checked_add(left), jobs: self.jobs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(left: Option<Duration>) -> Time {
        let end = left.and_then(|left| Instant::now().checked_add(left));
        Time { end, spent: Duration::from_mins(100), jobs: NonZeroUsize::MIN.saturating_add(1) }
    }

    #[test]
    fn a_budget_is_shared_by_triage_and_hunt_and_bounds_both() {
        let whole = time(Some(Duration::from_secs(100)));
        let triage = whole.for_triage(false).expect("there is time");
        // Two jobs use two seconds of CPU time in one.
        let (least, most) = (Duration::from_secs(139), Duration::from_secs(140));
        assert!((least..=most).contains(&triage.cpu), "{triage:?}");
        assert!(triage.deadline < whole.end, "the hunt has its share");
        let last = whole.for_triage(true).expect("there is time");
        assert!(last.cpu > Duration::from_secs(199) && last.deadline <= whole.end, "{last:?}");
    }

    #[test]
    fn nothing_is_begun_for_which_too_little_is_left() {
        let over = time(Some(Duration::from_secs(2)));
        assert!(over.for_triage(true).is_none() && over.for_hunt().is_none());
    }

    #[test]
    fn without_a_budget_of_wall_time_both_take_a_share_of_what_the_run_took() {
        let free = time(None);
        let (triage, hunt) = (free.for_triage(false).expect("always"), free.for_hunt().expect("always"));
        assert_eq!((triage.cpu, triage.deadline), (Duration::from_mins(10), None));
        assert_eq!((hunt.cpu, hunt.deadline), (Duration::from_mins(5), None));
        let short = Time { spent: Duration::ZERO, ..free };
        assert_eq!(short.for_hunt().map(|allowance| allowance.cpu), Some(LEAST_HUNT));
    }
}
