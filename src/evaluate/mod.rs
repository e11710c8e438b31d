//! The objectives of an individual: Eq. 1 (runtime), Algorithm 2 (coverage), Eq. 2 (complexity) of the MulStringFuzz
//! paper, from runs of the target, the reference and the instrumented target.

pub mod batch;
pub mod complexity;
pub mod evaluator;
pub mod individual;
pub mod runtime;

pub use batch::evaluate_batch;
pub use evaluator::{Evaluate, EvaluateError};
