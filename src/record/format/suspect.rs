//! A row of `suspects.csv`: a script on which a solver may be wrong.

use serde::{Deserialize, Serialize};

use crate::oracle::suspicion::Suspicion;
use crate::record::Row;

/// One suspect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md")]
pub struct SuspectRow {
    pub id: u32,
    pub generation: u32,
    pub suspicion: Suspicion,
    pub target_result: String,
    pub reference_result: String,
    pub class: String,
}

impl Row for SuspectRow {
    const COLUMNS: &'static [&'static str] =
        &["id", "generation", "suspicion", "target_result", "reference_result", "class"];
}
