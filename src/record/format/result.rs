//! A row of `result_set.csv`: a member of the final population, run again at a higher limit.

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::Timed;
use crate::record::Row;

/// Both solvers on one member of the result set. Times are CPU seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md, with units")]
pub struct ResultRow {
    pub id: u32,
    pub limit_seconds: f64,
    pub target_result: String,
    pub target_seconds: f64,
    pub target_memory_bytes: u64,
    pub reference_result: String,
    pub reference_seconds: f64,
    pub reference_memory_bytes: u64,
}

impl Row for ResultRow {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "limit_seconds",
        "target_result",
        "target_seconds",
        "target_memory_bytes",
        "reference_result",
        "reference_seconds",
        "reference_memory_bytes",
    ];
}

impl ResultRow {
    /// The row of individual `id`.
    pub fn new(id: u32, limit_seconds: f64, target: &Timed, reference: &Timed) -> Self {
        ResultRow {
            id,
            limit_seconds,
            target_result: target.answer.name().to_owned(),
            target_seconds: target.cpu_seconds,
            target_memory_bytes: target.peak_memory_bytes,
            reference_result: reference.answer.name().to_owned(),
            reference_seconds: reference.cpu_seconds,
            reference_memory_bytes: reference.peak_memory_bytes,
        }
    }
}
