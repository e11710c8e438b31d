//! What a solver is, how it is got, and the only place that runs one.

pub mod answer;
pub mod fragments;
pub mod installed;
pub mod likeness;
pub mod process;
pub mod profile;
pub mod provision;
pub mod tactic;
