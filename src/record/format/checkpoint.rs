//! The checkpoint: the state of the search after a generation, apart from what the observation log holds.

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::{Individual, IndividualId, Origin};
use crate::smtlib::script::Script;

/// One member of the population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as in `Individual`")]
pub struct MemberRecord {
    pub id: u32,
    pub generation: u32,
    pub slot: u32,
    pub origin: Origin,
    pub operator: String,
    pub parents: Vec<u32>,
    /// Hexadecimal.
    pub fingerprint: String,
    /// The script in the canonical dialect.
    pub script: String,
    pub rank: usize,
    /// The bits of the crowding, which may be infinite.
    pub crowding: Option<u64>,
    pub coverage_score: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fruitless: u32,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub breeds: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_true(flag: &bool) -> bool {
    *flag
}

impl MemberRecord {
    /// The individual that was recorded; `script` is its text, read.
    pub fn individual(&self, script: Script) -> Option<Individual> {
        Some(Individual {
            id: IndividualId(self.id),
            generation: self.generation,
            slot: self.slot,
            script,
            origin: self.origin.clone(),
            operator: self.operator.clone(),
            parents: self.parents.iter().copied().map(IndividualId).collect(),
            fingerprint: u128::from_str_radix(&self.fingerprint, 16).ok()?,
        })
    }
}

/// The state after a generation. The archive is the frame's body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// The generation that is over.
    pub generation: u32,
    /// The number of the next individual.
    pub next_id: u32,
    /// The population, in slot order.
    pub population: Vec<MemberRecord>,
    /// Evaluations so far.
    pub evaluations: u64,
    /// Of these, how many were invalid.
    pub invalid: u64,
    /// In how many somebody killed the target.
    #[serde(default)]
    pub killed: u64,
    /// In how many the target crashed.
    #[serde(default)]
    pub crashed: u64,
    /// In how many the target timed out.
    #[serde(default)]
    pub timeouts: u64,
    /// Candidates so far.
    pub candidates: u64,
    /// CPU seconds of the solver runs of all evaluations so far.
    pub solver_seconds: f64,
    /// Of these, what the search pays for.
    #[serde(default)]
    pub charged_seconds: f64,
    /// The best mean t-score of a generation so far, and the generation: what stagnation is measured by.
    pub best_mean_t_score: (f64, u32),
}
