//! Known defects: where what is known to make a solver slow occurs in a script, and the script without it.

mod modulo;
mod pattern;
mod text;

pub use modulo::{Modulo, neutralised};
pub use pattern::{Neutralised, Pattern, Place};
pub use text::{PatternError, read};
