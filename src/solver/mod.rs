//! What a solver is and how it runs.
pub mod answer;
