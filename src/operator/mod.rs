//! Crossover and mutation: how offspring come from parents.

pub mod position;
