//! The verbs of the command line: one file each, with its arguments and a short `run`.

mod batch;
pub mod generate;
pub mod mutate;
pub mod output;
pub mod evaluate;
pub mod fuzz;
pub mod setup;
pub mod similarity;
pub mod solvers;
