//! Fresh scripts.
