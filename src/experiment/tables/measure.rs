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

/// What the paper does not print.
fn nowhere(_: &PaperRow) -> Option<f64> {
    None
}

/// All measures: the paper's columns in its order, then ours.
pub const MEASURES: [Measure; 11] = [
    Measure {
        key: "total_lines",
        title: "Tot_lines",
        unit: "lines",
        digits: 1,
        of: |run| run.total_lines,
        paper: |row| row.total_lines,
    },
    Measure {
        key: "mean_lines",
        title: "Avg_lines",
        unit: "lines",
        digits: 1,
        of: |run| run.mean_lines,
        paper: |row| row.mean_lines,
    },
    Measure {
        key: "mean_t_score",
        title: "Avg_tScore",
        unit: "s",
        digits: 2,
        of: |run| run.mean_t_score,
        paper: |row| row.mean_t_score,
    },
    Measure {
        key: "timeouts",
        title: "Num_timeout",
        unit: "",
        digits: 1,
        of: |run| run.timeouts,
        paper: |row| row.timeouts,
    },
    Measure {
        key: "mean_complexity",
        title: "Avg_complexity",
        unit: "",
        digits: 2,
        of: |run| run.mean_complexity,
        paper: |row| row.mean_complexity,
    },
    Measure {
        key: "evaluations",
        title: "Evaluations",
        unit: "",
        digits: 1,
        of: |run| run.evaluations,
        paper: nowhere,
    },
    Measure { key: "defects", title: "Defects", unit: "", digits: 1, of: |run| run.defects, paper: nowhere },
    Measure {
        key: "hypervolume",
        title: "Hypervolume",
        unit: "",
        digits: 2,
        of: |run| run.hypervolume,
        paper: nowhere,
    },
    Measure {
        key: "generations",
        title: "Generations",
        unit: "",
        digits: 1,
        of: |run| run.generations,
        paper: nowhere,
    },
    Measure {
        key: "convergence_seconds",
        title: "Convergence",
        unit: "CPU s",
        digits: 0,
        of: |run| run.convergence_seconds,
        paper: nowhere,
    },
    Measure {
        key: "charged_seconds",
        title: "Solver time",
        unit: "CPU s",
        digits: 1,
        of: |run| run.charged_seconds,
        paper: nowhere,
    },
];

impl Measure {
    /// The measure with this key.
    pub fn named(key: &str) -> &'static Measure {
        // Keys are this module's own; the first stands for one that is mistyped, which a test would notice.
        MEASURES.iter().find(|measure| measure.key == key).unwrap_or(&MEASURES[0])
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
