//! What can stop a campaign besides its stop reasons.

use crate::evaluate::EvaluateError;
use crate::oracle::OracleError;
use crate::record::RecordError;

/// Our own fault, or the machine's; never a solver's failure, which is data.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The record could not be written or read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A solver could not be run at all.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// A confirmation could not be run at all.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// The checkpoint is whole, but it does not fit the rest of the record.
    #[error("the checkpoint does not fit the record: {0}")]
    Checkpoint(String),
}
