//! Which evaluated instances are defects: the suspicion, its confirmation with evidence, and its report.

pub mod candidate;
pub mod machine;
pub mod model;
pub mod performance;
pub mod profile;
pub mod prover;
pub mod report;
pub mod verification;

pub use prover::OracleError;
