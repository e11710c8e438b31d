//! The campaign loop.
