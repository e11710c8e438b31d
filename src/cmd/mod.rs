//! The verbs of the command line, one file each.

pub mod evaluate;
pub mod setup;
pub mod similarity;
pub mod solvers;
