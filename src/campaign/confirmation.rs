//! Suspicions of the run: saved at once, confirmed between generations within a share of the budget.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::{Campaign, CampaignError, Source, StopReason};
use crate::evaluate::individual::{Evaluated, Timed};
use crate::known;
use crate::oracle::OracleError;
use crate::oracle::performance::{Confirmed, RunRow, Verdict};
use crate::oracle::report::{Instance, as_found};
use crate::record::format::{DefectRecord, DefectState};
use crate::record::{Findings, Lesson, SearchRuns};
use crate::smtlib::parser::{self, ParseOptions};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// The most that a run goes past its budget of wall time.
const LONGEST_GRACE: Duration = Duration::from_secs(40);

/// How far past its budget of wall time a run may go, with all that comes after the search: half of it, and 40 s at most.
pub fn grace(budget: Duration) -> Duration {
    LONGEST_GRACE.min(budget / 2)
}

/// Confirms candidates.
pub trait Confirm: Sync {
    /// Confirms one candidate (see `oracle::performance`). Each finished run goes to `on_run`; what `known` holds is not
    /// run again.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    fn confirm(
        &self,
        script: &Script,
        known: &[RunRow],
        on_run: &(dyn Fn(&RunRow) + Sync),
        interrupt: &Interrupt,
    ) -> Result<Verdict, OracleError>;

    /// How many runs a confirmation usually has; none if that is not known.
    fn usual_runs(&self) -> Option<u32> {
        None
    }

    /// The report of a confirmed defect, in Markdown.
    fn report(&self, script: &Script, confirmed: &Confirmed) -> String;
}

/// A candidate, as it is saved.
#[derive(Clone, Debug)]
pub struct Confirmable {
    id: u32,
    generation: u32,
    class: String,
    target: Timed,
    reference: Timed,
    /// The script in the target's dialect.
    text: String,
}

impl Confirmable {
    /// A candidate from its evaluation.
    pub(super) fn of(evaluated: &Evaluated, text: String) -> Self {
        Confirmable {
            id: evaluated.individual.id.0,
            generation: evaluated.individual.generation,
            class: class_of(&evaluated.individual.script),
            target: evaluated.observation.target.clone(),
            reference: evaluated.observation.reference.clone(),
            text,
        }
    }
}

/// The structural class of a script: how many assertions, and which operators how often. Candidates of one class are
/// likely one defect.
pub(super) fn class_of(script: &Script) -> String {
    let counts = script.operator_counts();
    let operators: Vec<String> = counts.iter().map(|(name, count)| format!("{name}*{count}")).collect();
    format!("{} assertions: {}", script.assertions().count(), operators.join(" "))
}

/// A script and the verdict on it, or why it cannot be read.
type Judged = Result<(Script, Verdict), String>;

impl Campaign<'_> {
    pub(super) fn save_candidate(&mut self, candidate: &Confirmable) -> Result<(), CampaignError> {
        let config = self.setup.config;
        let record = DefectRecord {
            number: 0,
            id: candidate.id,
            generation: candidate.generation,
            state: DefectState::Candidate,
            reason: String::new(),
            class: candidate.class.clone(),
            target_seconds: candidate.target.cpu_seconds,
            reference_seconds: candidate.reference.cpu_seconds,
            target: config.target.clone(),
            reference: config.reference.clone(),
        };
        let runs = SearchRuns {
            target: &candidate.target,
            reference: &candidate.reference,
            limit_seconds: config.limit.as_secs_f64(),
        };
        self.recorder.candidate(record, &candidate.text, &runs)?;
        Ok(())
    }

    /// Confirms candidates while the share of the budget lasts. `ending` tells that the run is over and why: then the
    /// deadline holds no more, but after an interrupt nothing is begun, and after a budget at most what it takes to
    /// confirm the one defect that every run is owed, within a bounded overtime.
    pub(super) fn confirm_candidates(&mut self, ending: Option<StopReason>) -> Result<(), CampaignError> {
        let Source::Solvers { confirm: Some(confirm), .. } = self.setup.source else { return Ok(()) };
        while !self.setup.interrupt.is_set() && ending != Some(StopReason::Interrupted) {
            let budget = self.setup.config.stop.budget;
            let over = ending == Some(StopReason::Budget) || self.clock.is_past(self.search_budget());
            let defects = self.recorder.defects();
            let untried = defects.all().all(|defect| defect.reason.is_empty());
            let owed = untried || (over && defects.count(DefectState::Confirmed) == 0);
            let in_time = !self.clock.is_past(budget.map(|budget| budget + self.overtime()));
            let may = if over { owed && in_time } else { owed || self.share_lasts() };
            if !may {
                break;
            }
            // While the search learns, what it has learned from is enough: one of each defect.
            let learns = matches!(self.setup.source, Source::Solvers { learn: Some(_), .. });
            let only_distinct = learns && ending.is_none() && !over;
            if learns && !only_distinct {
                // Notes which candidates what was learned last explains.
                self.unexplained()?;
            }
            let Some(number) = self.next_candidate(only_distinct) else { break };
            if !self.confirm(confirm, number, ending.is_some() && over)? {
                break;
            }
        }
        Ok(())
    }

    /// How far past its budget a run may go for the first confirmation: as long as one takes, on one core, with
    /// something to spare, and never longer than half of what all that comes after the search may take over the budget.
    fn overtime(&self) -> Duration {
        let config = self.setup.config;
        let one = config.confirm.limit * 4 + config.limit * 15;
        config.stop.budget.map_or(one, |budget| one.min(grace(budget) / 2))
    }

    /// Whether confirmation has used less than its share of the core time so far.
    fn share_lasts(&self) -> bool {
        let spent = self.clock.spent();
        let cores = self.setup.pool.current_num_threads() as f64;
        spent.confirm_seconds < self.setup.config.confirm.share * cores * spent.wall_seconds
    }

    /// The first candidate that nobody tried to confirm: one of a distinct defect of which none is confirmed, else one of a class
    /// that nobody tried, else of any class, unless only the former count. One that a known pattern explains is never confirmed.
    fn next_candidate(&self, only_distinct: bool) -> Option<u32> {
        let defects = self.recorder.defects();
        let knowledge = &self.state.knowledge;
        let tried: BTreeSet<&str> =
            defects.all().filter(|each| !each.reason.is_empty()).map(|each| each.class.as_str()).collect();
        let untried = || defects.all().filter(|each| each.reason.is_empty() && !knowledge.explains(each.number));
        let state = |id: u32| defects.all().find(|each| each.id == id).map(|each| each.state);
        let open = knowledge.distinct().filter(|ids| ids.iter().all(|id| state(*id) != Some(DefectState::Confirmed)));
        let open: BTreeSet<u32> = open.flatten().copied().collect();
        if let Some(distinct) = untried().find(|each| open.contains(&each.id)) {
            return Some(distinct.number);
        } else if only_distinct {
            return None;
        }
        let other_class = untried().find(|each| !tried.contains(each.class.as_str()));
        other_class.or_else(|| untried().next()).map(|each| each.number)
    }

    /// Confirms one candidate, by its reduced form if there is one, which is what is reported, else as it was found; false if
    /// it was cut short.
    fn confirm(&mut self, confirm: &dyn Confirm, number: u32, overtime: bool) -> Result<bool, CampaignError> {
        let found = self.recorder.defects().instance(number)?;
        let lesson = self.lesson_on(number);
        let core = lesson.as_ref().and_then(|lesson| lesson.core.as_deref()).filter(|core| *core != found);
        let mut refused = None;
        if let Some(core) = core {
            match self.verdict(confirm, (number, core), overtime)? {
                None => return Ok(false),
                Some(Ok((script, Verdict::Confirmed(confirmed)))) => {
                    let mut report = confirm.report(&script, &confirmed);
                    if let Some(Lesson { pattern: Some(pattern), slow, tried, .. }) = &lesson {
                        report += &known::section(pattern, *slow, *tried);
                        report += ".\n";
                    }
                    let dialect = self.setup.dialect.name().to_owned();
                    report += &as_found(&Instance { dialect, text: found.clone() });
                    let pattern = lesson.as_ref().and_then(|lesson| lesson.pattern.as_deref());
                    let findings = Findings { report: Some(&report), reduced: Some(core), pattern };
                    self.conclude(number, (DefectState::Confirmed, "confirmed".to_owned()), &confirmed.runs, findings)?;
                    return Ok(true);
                }
                // It may have been slow at the limit of the search alone; the script as it was found may be so for longer.
                Some(Ok((_, Verdict::NotConfirmed(refusal)))) => {
                    let reason = format!("confirmed as it was found; of its reduced form: {}", refusal.reason);
                    refused = Some(reason);
                }
                Some(Err(_)) => {}
            }
        }
        let (state, reason, runs, report) = match self.verdict(confirm, (number, &found), overtime)? {
            None => return Ok(false),
            Some(Err(reason)) => (DefectState::Candidate, reason, Vec::new(), None),
            Some(Ok((script, Verdict::Confirmed(confirmed)))) => {
                let report = confirm.report(&script, &confirmed);
                let reason = refused.unwrap_or_else(|| "confirmed".to_owned());
                (DefectState::Confirmed, reason, confirmed.runs, Some(report))
            }
            Some(Ok((_, Verdict::NotConfirmed(refusal)))) => {
                use crate::oracle::performance::Reason;
                // What nobody could verify may still be a defect, and so may what the guard on elapsed time stopped
                // before its CPU time was used up, on a machine with too much to do, and what somebody killed.
                let open = matches!(
                    refusal.reason,
                    Reason::Unverified
                        | Reason::TargetEnds(Answer::Timeout | Answer::Killed)
                        | Reason::ReferenceNotQuick(Answer::Killed)
                );
                let state = if open { DefectState::Candidate } else { DefectState::Refuted };
                (state, refusal.reason.to_string(), refusal.runs, None)
            }
        };
        let findings = Findings { report: report.as_deref(), ..Findings::default() };
        self.conclude(number, (state, reason), &runs, findings)?;
        Ok(true)
    }

    /// Notes how the confirmation of a candidate ended.
    fn conclude(
        &mut self,
        number: u32,
        (state, reason): (DefectState, String),
        runs: &[RunRow],
        findings: Findings<'_>,
    ) -> Result<(), CampaignError> {
        tracing::info!(defect = number, verdict = reason, "confirmation ended");
        self.setup.monitor.confirmation(number, Some(&reason));
        Ok(self.recorder.conclude(number, state, reason, runs, findings)?)
    }

    /// The verdict on a script of a candidate, and the script; none if there was no time for it. `Err` inside says why the
    /// script cannot be read.
    fn verdict(
        &mut self,
        confirm: &dyn Confirm,
        (number, text): (u32, &str),
        overtime: bool,
    ) -> Result<Option<Judged>, CampaignError> {
        let options = ParseOptions { dialect: Some(self.setup.dialect) };
        let script = match parser::parse(text, "instance.smt2", &options) {
            Ok(script) => script,
            Err(error) => return Ok(Some(Err(format!("the saved script cannot be read: {error}")))),
        };
        let (known, list) = self.recorder.begin_confirmation(number, text)?;
        let list = Mutex::new((list, 0.0, Ok(())));
        let ended = AtomicU32::new(u32::try_from(known.len()).unwrap_or(0));
        let (monitor, usual) = (self.setup.monitor, confirm.usual_runs());
        let overtime = if overtime { self.overtime() } else { Duration::ZERO };
        let budget = match self.setup.config.stop.budget {
            Some(budget) if overtime > Duration::ZERO => Some(budget + overtime),
            _ => self.search_budget(),
        };
        let deadline = self.clock.deadline(budget);
        monitor.confirmation(number, None);
        monitor.confirmation_run(ended.load(Ordering::Relaxed), usual);
        let verdict = self.setup.interrupt.until(deadline, |halt| {
            let on_run = |run: &RunRow| {
                monitor.confirmation_run(ended.fetch_add(1, Ordering::Relaxed) + 1, usual);
                let mut list = list.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let (file, seconds, result) = &mut *list;
                *seconds += run.timed.cpu_seconds;
                if let (true, Err(error)) = (result.is_ok(), file.add(run)) {
                    halt.set();
                    *result = Err(error);
                }
            };
            confirm.confirm(&script, &known, &on_run, halt)
        });
        let (_, seconds, written) = list.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.clock.add_confirmation(seconds);
        written?;
        match verdict {
            Ok(verdict) => Ok(Some(Ok((script, verdict)))),
            Err(OracleError::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What was learned of a candidate.
    fn lesson_on(&self, number: u32) -> Option<Lesson> {
        let id = self.recorder.defects().all().find(|record| record.number == number)?.id;
        self.recorder.lessons().iter().find(|lesson| lesson.id == id).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_within_a_minute_of_its_budget() {
        assert_eq!(grace(Duration::from_secs(20)), Duration::from_secs(10));
        assert_eq!(grace(Duration::from_hours(8)), LONGEST_GRACE);
        assert!(LONGEST_GRACE < Duration::from_mins(1));
    }
}
