//! `StringFuzz`'s generators, each with its parameters (Blotsky, Mora, Berzish, Zheng, Kabir, Ganesh: *StringFuzz: A
//! Fuzzer for String Solvers*, CAV 2018).
//!
//! One file each. The parameters are `StringFuzz`'s, with its defaults, and they are the arguments of the verb
//! `generate`. What `StringFuzz` evidently means but does not do is done here; the files say where.

mod concats;
mod equality;
mod lengths;
mod overlaps;
mod random_ast;
mod random_text;
mod regex;
mod sketch;
mod stringbreak;

pub use concats::{Concats, DepthType};
pub use equality::Equality;
pub use lengths::Lengths;
pub use overlaps::Overlaps;
pub use random_ast::RandomAst;
pub use random_text::RandomText;
pub use regex::{LiteralType, Membership, OperatorType, Operators, Regex};
pub use stringbreak::Stringbreak;

use super::{Generator, InvalidParameters};
use crate::smtlib::fragment::Fragment;

/// The parameters of a generator of scripts.
pub trait Recipe: Send + Sync + std::fmt::Debug {
    /// The name of the kind of script: `stringfuzz-concats`.
    fn name(&self) -> &'static str;

    /// The generator with these parameters, of scripts in the logic of `fragment`.
    ///
    /// # Errors
    /// Parameters that do not fit together.
    fn prepare(&self, fragment: &Fragment) -> Result<Box<dyn Generator>, InvalidParameters>;
}

/// All generators of scripts, with `StringFuzz`'s parameters.
pub fn recipes() -> [Box<dyn Recipe>; 6] {
    [
        Box::new(Concats::default()),
        Box::new(Lengths::default()),
        Box::new(Overlaps::default()),
        Box::new(Equality::default()),
        Box::new(Regex::default()),
        Box::new(RandomAst::default()),
    ]
}

#[cfg(test)]
mod tests;
