//! Models: what a solver prints for `(get-model)` or `(get-value …)`, as an [`Interpretation`].
//!
//! The printed text becomes a script that our parser reads: the sorts and declarations of the original script, then
//! the model's definitions, each of which may mention the others. Z3 (old and new), CVC4 and cvc5 differ in little but
//! the parentheses around, and in how they name elements of uninterpreted sorts.

mod collect;
mod preamble;
mod reader;
mod text;
mod writer;

use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseError, detect};
use crate::smtlib::script::Script;

use super::interpretation::Interpretation;
pub use writer::write;

/// Reads a model of `script`. `source` is what errors call the text, and `dialect` is that of its string literals.
///
/// # Errors
/// What is no model, with line and column.
pub fn read(text: &str, source: &str, script: &Script, dialect: Dialect) -> Result<Interpretation, ParseError> {
    reader::read(text, source, script, dialect)
}

/// The dialect that a model's string literals are probably written in: the escapes of SMT-LIB 2.6 show themselves;
/// otherwise the solver most likely has the dialect of the script that it was given.
pub fn literal_dialect(model: &str, script: &str) -> Dialect {
    match detect(script) {
        _ if model.contains("\\u{") => Dialect::SmtLib26,
        // No solver prints that any more.
        Dialect::SmtLib20 => Dialect::SmtLib25,
        dialect => dialect,
    }
}

#[cfg(test)]
mod tests;
