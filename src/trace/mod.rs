//! Trace logs and their similarity.

/// PLACEHOLDER of branch evaluate: branch coverage's type replaces it.
#[derive(Debug)]
pub struct Trace;
