//! The columns: what is measured of a run, what it is called, and how it is written.

use super::layout::grouped;
use crate::experiment::{PaperRow, RunMeasures};

/// A number of a run that arms are compared by.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name in files, as in `summary.json` where it stands there too.
    pub key: &'static str,
    /// Its name in tables: the paper's, where the paper has it.
    pub title: &'static str,
    /// Its unit; empty for a count.
    pub unit: &'static str,
    /// Digits after the decimal point.
    pub digits: usize,
    /// Reads it.
    pub of: fn(&RunMeasures) -> f64,
    /// What the paper found.
    pub paper: fn(&PaperRow) -> Option<f64>,
}

/// All measures: the paper's columns in its order, then ours.
pub const MEASURES: [Measure; 11] = [
    Measure::TOTAL_LINES,
    Measure::MEAN_LINES,
    Measure::MEAN_T_SCORE,
    Measure::TIMEOUTS,
    Measure::MEAN_COMPLEXITY,
    Measure::EVALUATIONS,
    Measure::DEFECTS,
    Measure::HYPERVOLUME,
    Measure::GENERATIONS,
    Measure::CONVERGENCE_SECONDS,
    Measure::CHARGED_SECONDS,
];

/// Those of runs that were triaged.
pub const TRIAGE_MEASURES: [Measure; 3] = [Measure::DISTINCT, Measure::DISTINCT_UNLIKE, Measure::ALL_SECONDS];

#[expect(missing_docs, reason = "each is described where it is read from, in `RunMeasures`")]
impl Measure {
    pub const TOTAL_LINES: Self =
        Self::new("total_lines", "Tot_lines", "lines", 1, |run| run.total_lines).printed(|paper| paper.total_lines);
    pub const MEAN_LINES: Self =
        Self::new("mean_lines", "Avg_lines", "lines", 1, |run| run.mean_lines).printed(|paper| paper.mean_lines);
    pub const MEAN_T_SCORE: Self =
        Self::new("mean_t_score", "Avg_tScore", "s", 2, |run| run.mean_t_score).printed(|paper| paper.mean_t_score);
    pub const TIMEOUTS: Self =
        Self::new("timeouts", "Num_timeout", "", 1, |run| run.timeouts).printed(|paper| paper.timeouts);
    pub const MEAN_COMPLEXITY: Self = Self::new("mean_complexity", "Avg_complexity", "", 2, |run| run.mean_complexity)
        .printed(|paper| paper.mean_complexity);
    pub const EVALUATIONS: Self = Self::new("evaluations", "Evaluations", "", 1, |run| run.evaluations);
    pub const DEFECTS: Self = Self::new("defects", "Defects", "", 1, |run| run.defects);
    pub const HYPERVOLUME: Self = Self::new("hypervolume", "Hypervolume", "", 2, |run| run.hypervolume);
    pub const GENERATIONS: Self = Self::new("generations", "Generations", "", 1, |run| run.generations);
    pub const CONVERGENCE_SECONDS: Self =
        Self::new("convergence_seconds", "Convergence", "CPU s", 0, |run| run.convergence_seconds);
    pub const CHARGED_SECONDS: Self =
        Self::new("charged_seconds", "Solver time", "CPU s", 1, |run| run.charged_seconds);
    pub const CORE_SECONDS: Self = Self::new("core_seconds", "Core time", "CPU s", 0, |run| run.core_seconds);
    pub const SOLVED_IN_A_SECOND: Self =
        Self::new("solved_in_a_second", "Solved in 1 s", "%", 1, |run| run.solved_in_a_second);
    pub const SOLVED: Self = Self::new("solved", "Solved", "%", 1, |run| run.solved);
    pub const DISTINCT: Self = Self::new("distinct", "Distinct", "", 1, RunMeasures::distinct);
    pub const DISTINCT_UNLIKE: Self =
        Self::new("distinct_unlike", "Distinct, none like another", "", 1, RunMeasures::distinct_unlike);
    pub const ALL_SECONDS: Self =
        Self::new("all_seconds", "Solver time with triage", "CPU s", 1, RunMeasures::all_seconds);
}

impl Measure {
    /// A measure that the paper does not print.
    const fn new(
        key: &'static str,
        title: &'static str,
        unit: &'static str,
        digits: usize,
        of: fn(&RunMeasures) -> f64,
    ) -> Self {
        Measure { key, title, unit, digits, of, paper: |_| None }
    }

    /// The same as one that the paper prints.
    const fn printed(self, paper: fn(&PaperRow) -> Option<f64>) -> Self {
        Measure { paper, ..self }
    }

    /// A value as tables print it.
    pub fn text(&self, value: f64) -> String {
        grouped(value, self.digits)
    }

    /// Its title with its unit.
    pub fn heading(&self) -> String {
        if self.unit.is_empty() { self.title.to_owned() } else { format!("{} ({})", self.title, self.unit) }
    }
}
