//! The triage that follows the search of an experiment's run: what it may spend, and what it came to.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ExperimentError;
use crate::config::{Stop, duration};
use crate::record::{names, read_json};
use crate::triage::overview::Triage;

/// What a triage may spend; a key that is absent is left to the next source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TriageSettings {
    /// CPU time of solvers for search and triage together: what the search was not charged with is the triage's.
    #[serde(with = "duration::optional", default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Duration>,
    /// CPU time of solvers for the triage alone, whatever the search was charged with.
    #[serde(with = "duration::optional", default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Duration>,
    /// CPU time of the runs that confirm; absent, it is as in `triage`.
    #[serde(with = "duration::optional", default, skip_serializing_if = "Option::is_none")]
    pub confirm_limit: Option<Duration>,
}

impl TriageSettings {
    /// These settings, and where they leave a key open, the other's; `total` and `budget` are one key.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let spends = if self.total.or(self.budget).is_some() { self } else { other };
        TriageSettings {
            total: spends.total,
            budget: spends.budget,
            confirm_limit: self.confirm_limit.or(other.confirm_limit),
        }
    }

    /// Whether there is a triage at all.
    pub fn is_wanted(&self) -> bool {
        self.total.or(self.budget).is_some()
    }

    /// What a triage may spend after a search that was charged with so many CPU seconds.
    pub fn allowance(&self, charged_seconds: f64) -> Duration {
        let rest = |total: Duration| {
            let charged = Duration::try_from_secs_f64(charged_seconds.max(0.0)).unwrap_or(Duration::MAX);
            total.saturating_sub(charged)
        };
        self.budget.or(self.total.map(rest)).unwrap_or_default()
    }

    /// Checks them for a search that stops so, with this limit for each of its timings.
    ///
    /// # Errors
    /// What is wrong.
    pub(super) fn check(&self, stop: &Stop, limit: Duration) -> Result<(), String> {
        if self.confirm_limit.is_some_and(|confirm| confirm < limit) {
            return Err(
                "`confirm-limit` of `triage` is below the `limit` of the search, and so would confirm nothing".into()
            );
        }
        match (self.total, self.budget, stop.solver_budget) {
            (Some(_), Some(_), _) => {
                Err("`triage` has `total`, of search and triage, or `budget`, of the triage alone, not both".into())
            }
            (Some(_), _, None) => Err("`total` of `triage` needs a `solver-budget` of the search".into()),
            (Some(total), _, Some(search)) if total <= search => {
                Err("`total` of `triage` must be above the `solver-budget` of the search".into())
            }
            _ => Ok(()),
        }
    }
}

/// What a triage came to: `triaged.json` in the run directory, written when it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Triaged {
    /// Candidates of the run.
    pub instances: usize,
    /// Distinct defects among them, confirmed or not.
    pub defects: usize,
    /// Those that are confirmed.
    pub distinct: usize,
    /// Those of them that are not probably the same as another one.
    pub distinct_unlike: usize,
    /// CPU seconds of solvers that the triage might take.
    pub allowed_seconds: f64,
    /// And that it took.
    pub solver_seconds: f64,
    /// Whether all candidates had their turn.
    pub complete: bool,
}

impl Triaged {
    /// What a finished triage came to that was allowed so much.
    pub fn of(triage: &Triage, allowance: Duration) -> Self {
        Triaged {
            instances: triage.instances,
            defects: triage.defects.len(),
            distinct: triage.confirmed(),
            distinct_unlike: triage.unlike(),
            allowed_seconds: allowance.as_secs_f64(),
            solver_seconds: triage.solver_seconds,
            complete: triage.stopped.is_none(),
        }
    }

    /// What the triage of the run in `root` came to; none if it is not over.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn read(root: &Path) -> Result<Option<Self>, ExperimentError> {
        Ok(read_json(&root.join(names::TRIAGED))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECONDS: fn(u64) -> Option<Duration> = |seconds| Some(Duration::from_secs(seconds));
    const LIMIT: Duration = Duration::from_secs(1);

    #[test]
    fn the_triage_has_what_the_search_leaves_or_a_budget_of_its_own() {
        let total = TriageSettings { total: SECONDS(900), ..TriageSettings::default() };
        assert_eq!(total.allowance(481.5), Duration::from_millis(418_500));
        assert_eq!(total.allowance(1000.0), Duration::ZERO);
        let budget = TriageSettings { budget: SECONDS(60), ..TriageSettings::default() };
        assert_eq!(budget.allowance(481.5), Duration::from_mins(1));
        let confirm = TriageSettings { confirm_limit: SECONDS(2), ..TriageSettings::default() };
        assert!(!confirm.is_wanted() && budget.or(total).is_wanted());
        assert_eq!(confirm.or(total), TriageSettings { total: SECONDS(900), budget: None, confirm_limit: SECONDS(2) });
        assert_eq!(budget.or(total), budget, "an arm may have another way to share");
    }

    #[test]
    fn a_total_is_of_a_search_that_leaves_something() {
        let stop = |solver_budget| Stop { solver_budget, ..Stop::default() };
        let total = TriageSettings { total: SECONDS(900), ..TriageSettings::default() };
        assert!(total.check(&stop(SECONDS(480)), LIMIT).is_ok());
        assert!(total.check(&stop(SECONDS(900)), LIMIT).unwrap_err().contains("must be above"));
        assert!(total.check(&stop(None), LIMIT).unwrap_err().contains("needs a `solver-budget`"));
        let both = TriageSettings { budget: SECONDS(1), ..total };
        assert!(both.check(&stop(SECONDS(480)), LIMIT).unwrap_err().contains("not both"));
    }

    #[test]
    fn what_confirms_has_the_searchs_limit_at_least() {
        let stop = Stop { solver_budget: SECONDS(480), ..Stop::default() };
        let confirm = |limit| TriageSettings { total: SECONDS(900), confirm_limit: limit, ..TriageSettings::default() };
        assert!(confirm(SECONDS(1)).check(&stop, LIMIT).is_ok());
        let error = confirm(Some(Duration::from_millis(999))).check(&stop, LIMIT).unwrap_err();
        assert!(error.contains("`confirm-limit` of `triage` is below the `limit`"), "{error}");
    }
}
