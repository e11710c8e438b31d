//! Which evaluated instances are defects: the suspicion, its confirmation with evidence, and its report; and which
//! solvers are wrong.

pub mod candidate;
pub mod correctness;
pub mod machine;
pub mod model;
pub mod performance;
pub mod profile;
pub mod prover;
pub mod report;
#[cfg(test)]
pub(crate) mod scripted;
pub mod suspicion;
pub mod testimony;
pub mod verification;

pub use prover::OracleError;
