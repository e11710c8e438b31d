//! What the verbs do: one job each, from what is asked for to what came of it. A verb reads its arguments, calls one of these,
//! and prints.

pub mod batch;
pub mod destination;
pub mod eval;
pub mod evaluate;
pub mod experiment;
pub mod explain;
pub mod fuzz;
pub mod generate;
pub mod health;
pub mod hunt;
pub(crate) mod input;
pub(crate) mod instances;
pub(crate) mod instrumented;
pub mod matrix;
pub mod mutate;
pub(crate) mod patterns;
pub(crate) mod place;
pub(crate) mod recorded;
pub mod reduce;
pub mod similarity;
pub(crate) mod solvers;
pub mod triage;
