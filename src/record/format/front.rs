//! A row of `front.csv`: the members of the final population that nobody in it dominates.

use serde::{Deserialize, Serialize};

use crate::record::Row;

/// One member of the Pareto front.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md, with units")]
pub struct FrontRow {
    pub id: u32,
    pub generation: u32,
    pub slot: u32,
    /// The script, relative to the run directory.
    pub file: String,
    pub target_result: String,
    pub target_seconds: f64,
    pub reference_result: String,
    pub reference_seconds: f64,
    pub t_score: f64,
    pub coverage_score: f64,
    pub lines_covered: Option<u64>,
    pub complexity: u64,
    pub crowding: Option<f64>,
}

impl Row for FrontRow {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "generation",
        "slot",
        "file",
        "target_result",
        "target_seconds",
        "reference_result",
        "reference_seconds",
        "t_score",
        "coverage_score",
        "lines_covered",
        "complexity",
        "crowding",
    ];
}
