//! Values and ground evaluation of terms: what a script means under an interpretation, said by no solver.

pub mod sequence; // what operators do with sequences of anything
pub mod string; // what they do with strings
pub mod regex; // regular languages
pub mod value; // what ground terms stand for
pub mod interpretation; // what symbols stand for
mod apply; // operators on values, a theory a file
pub mod evaluate; // terms → values
pub mod model; // what a solver prints → an interpretation
pub mod evidence; // which sub-terms decide a value
