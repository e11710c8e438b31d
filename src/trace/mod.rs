//! Trace logs and their similarity.
