//! What a solver is and how it runs.
