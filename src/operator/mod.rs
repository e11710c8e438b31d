//! Crossover and mutation.
