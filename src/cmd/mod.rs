//! The verbs of the command line, one file each.

pub mod setup;
pub mod solvers;
