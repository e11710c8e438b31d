//! Known defects: where what is known to make a solver slow occurs in a script, and the script without it.

mod pattern;
mod text;

pub use pattern::{Neutralised, Pattern, Place};
pub use text::{PatternError, read};
