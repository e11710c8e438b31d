//! Multi-objective and single-objective search.
