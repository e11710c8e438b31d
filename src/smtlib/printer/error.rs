//! Why a script cannot be printed.

use super::super::dialect::Dialect;
use super::super::symbol::Symbol;

/// Why a script cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// The dialect has no spelling for an operator.
    #[error("{dialect} has no operator {operator}")]
    Operator {
        /// The operator's name.
        operator: &'static str,
        /// The dialect.
        dialect: Dialect,
    },
    /// The dialect has no escape for a character.
    #[error("{dialect} cannot write the character U+{code_point:04X} in a string literal")]
    CodePoint {
        /// The character.
        code_point: u32,
        /// The dialect.
        dialect: Dialect,
    },
    /// The script declares a symbol that is an operator of the dialect, and uses that operator too.
    #[error("the script declares {name}, which is how {dialect} spells {operator}")]
    Clash {
        /// The declared name.
        name: Symbol,
        /// The operator.
        operator: &'static str,
        /// The dialect.
        dialect: Dialect,
    },
}
