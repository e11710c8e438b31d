//! One of the things that an experiment compares, and what the paper says of it.

use serde::{Deserialize, Serialize};

use super::hunts::HuntSettings;
use super::triage::TriageSettings;
use crate::config::Settings;
use crate::hunt::choices::StrategyName;

/// The numbers that a paper prints for an arm; keys of campaigns are those of `summary.json`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PaperRow {
    /// Lines of code covered by all scripts of a run.
    pub total_lines: Option<f64>,
    /// Lines of code covered by a script of the result set, on average.
    pub mean_lines: Option<f64>,
    /// Seconds, at the paper's limit of 5 s.
    pub mean_t_score: Option<f64>,
    /// Scripts of the result set that the target did not solve in 2,400 s.
    pub timeouts: Option<f64>,
    /// Mean complexity of the result set.
    pub mean_complexity: Option<f64>,
    /// Scripts of the result set that the target solved in a second, percent.
    pub solved_in_a_second: Option<f64>,
    /// Those that it solved in 2,400 s, percent.
    pub solved: Option<f64>,
    /// Bytes that minimising took away, percent, the median over defects (hunts).
    pub reduction: Option<f64>,
    /// Lines of the solver that are covered (coverage), where the paper prints no percentage.
    pub line_count: Option<f64>,
    /// Functions of the solver that are entered, likewise.
    pub function_count: Option<f64>,
    /// Lines of the solver that are covered, percent (coverage).
    pub lines: Option<f64>,
    /// Functions of the solver that are entered, percent (coverage).
    pub functions: Option<f64>,
    /// Branches of the solver that are taken, percent (coverage).
    pub branches: Option<f64>,
}

/// What a paper says of the solvers that it asked what an arm asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Published {
    /// Formulas that each was asked about.
    pub formulas: u64,
    /// The solvers, in the paper's order.
    pub solvers: Vec<PublishedSolver>,
}

/// What a paper says of a solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedSolver {
    /// Its name and version.
    pub name: String,
    /// Formulas on which it crashed.
    pub crash: u64,
    /// Formulas to which it gave the wrong answer.
    pub wrong: u64,
}

/// One of the ways to search, to hunt, or to cover, that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Arm {
    /// Its name, also of its folder: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// How tables call it; its name if absent.
    pub label: Option<String>,
    /// What the paper found.
    pub paper: Option<PaperRow>,
    /// What distinguishes it among campaigns: keys of a run's `config.toml`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: Settings,
    /// What its triage may spend, where it is not what that of all others may.
    #[serde(default, skip_serializing_if = "is_default")]
    pub triage: TriageSettings,
    /// What distinguishes it among hunts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hunt: HuntSettings,
    /// Of hunts that compare solvers: what the paper says of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Of coverage: what is made of the seeds, and run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<StrategyName>,
    /// Of coverage by STORM: which part of a seed's instances it runs, from 1; each part has as many as a seed has mutants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<u32>,
    /// Of coverage: the arms whose runs count together as this one's, which has none of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub union: Vec<String>,
}

/// For keys that are not written where they say nothing.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Arm {
    /// An arm that is distinguished by nothing yet.
    pub(super) fn named(name: String) -> Self {
        let (settings, triage, hunt) = (Settings::default(), TriageSettings::default(), HuntSettings::default());
        let (published, strategy, part, union) = (None, None, None, Vec::new());
        Arm { name, label: None, paper: None, settings, triage, hunt, published, strategy, part, union }
    }

    /// How tables call it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// Whether `name` can be a folder's: of an arm, of a defect.
pub(super) fn check_name(name: &str, what: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fits) {
        return Err(format!(
            "`{name}` is no name for {what}: use letters, digits, `-`, `_` and `.`, and begin with none of `.`"
        ));
    }
    Ok(())
}
