//! The verbs of the command line: one file each, with its arguments and a short `run`.

mod batch;
pub mod generate;
pub mod mutate;
pub mod output;
pub mod setup;
pub mod solvers;
