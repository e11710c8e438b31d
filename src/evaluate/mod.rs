//! The objectives of an individual: Eq. 1 (runtime), Algorithm 2 (coverage), Eq. 2 (complexity) of the paper,
//! from runs of the target, the reference and the instrumented target.

pub mod complexity;
pub mod individual;
pub mod runtime;
pub mod written;

mod batch;
mod evaluator;
mod observed;

pub use batch::evaluate_batch;
pub use evaluator::{Evaluate, EvaluateError, Evaluator};
pub use observed::{Fusion, Instrumented, Observe, Observed};
