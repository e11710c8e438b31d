//! Known defects: where what is known to make a solver slow occurs in a script, and the script without it.

mod asserted;
mod learn;
mod modulo;
mod pattern;
mod sample;
mod text;
mod wider;

pub use learn::{IsSlow, Lesson, SAMPLES, Trial, learn, try_out};
pub use modulo::{Modulo, neutralised};
pub use pattern::{Neutralised, Numbers, Pattern, Place};
pub use text::{PatternError, read, section, write};
