//! `defect.json` in a defect's folder: where the suspicion stands.

use serde::{Deserialize, Serialize};

/// Where a suspicion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectState {
    /// Found by the search, not yet confirmed.
    Candidate,
    /// Confirmed, with evidence.
    Confirmed,
    /// Confirmation failed.
    Refuted,
}

/// A suspicion of a performance defect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefectRecord {
    /// Number of the folder.
    pub number: u32,
    /// The individual.
    pub id: u32,
    /// Its generation.
    pub generation: u32,
    /// Where it stands.
    pub state: DefectState,
    /// In words: why it stands there.
    pub reason: String,
    /// The operators of the script with how often each occurs: candidates of one class are likely one defect.
    pub class: String,
    /// The target at the search limit.
    pub target_seconds: f64,
    /// The reference at the search limit.
    pub reference_seconds: f64,
    /// The solver under test.
    pub target: String,
    /// The solver that is quick.
    pub reference: String,
}
