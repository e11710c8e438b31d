//! Line coverage of an instrumented solver.

/// PLACEHOLDER of branch evaluate: branch coverage's type replaces it.
#[derive(Debug)]
pub struct LineCounts;
