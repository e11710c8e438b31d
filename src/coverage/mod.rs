//! Line coverage of an instrumented solver.
