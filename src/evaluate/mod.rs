//! The objectives of an individual: Eq. 1 (runtime), Algorithm 2 (coverage), Eq. 2 (complexity) of the paper,
//! from runs of the target, the reference and the instrumented target.

pub mod complexity;
pub mod individual;
pub mod runtime;
pub mod written;

mod batch;
mod counting;
mod evaluator;
mod instrumented;
mod observed;

pub use batch::evaluate_batch;
pub use evaluator::{Evaluate, EvaluateError, Evaluator, GLANCE, time};
pub use instrumented::Instrumented;
pub use observed::{Answered, Counted, Fusion, Observe, Observed};
