//! The objectives of an individual.
