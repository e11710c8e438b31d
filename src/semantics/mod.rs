//! Values and ground evaluation of terms: what a script means under an interpretation, said by no solver.

pub mod value; // what ground terms stand for
