//! PLACEHOLDER of branch campaign: branch evaluate's file replaces it.
#![expect(missing_docs, reason = "placeholder")]

use std::time::Duration;

use super::individual::{Individual, Observation};
use crate::solver::process::Interrupt;

#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    #[error("interrupted")]
    Interrupted,
}

pub trait Evaluate: Sync {
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError>;
    fn limit(&self) -> Duration;
}
