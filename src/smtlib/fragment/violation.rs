//! Violations: what keeps a script out of a fragment.

use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;

/// Why a fragment does not admit a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// An operator that one of the solvers does not accept.
    #[error("the operator {0} is not in the fragment")]
    Operator(&'static str),
    /// Fewer arguments than some solver wants.
    #[error("{0} with fewer than {1} arguments")]
    Arguments(&'static str, usize),
    /// More arguments than some solver reads.
    #[error("{0} with more than two arguments")]
    Chained(&'static str),
    /// A product of two variables, or a quotient by one, in a linear logic.
    #[error("{0} is not linear here")]
    NonLinear(&'static str),
    /// Arithmetic beyond differences of two variables in a difference logic.
    #[error("{0} is not of difference logic here")]
    NoDifference(&'static str),
    /// An argument that must be a literal, and a single character for `re.range`, with bounds in order.
    #[error("{0} takes literals of one character, in order")]
    LiteralArgument(&'static str),
    /// `re.loop` with a lower bound above its upper bound.
    #[error("the bounds of {0} are not in order")]
    LoopBounds(&'static str),
    /// A regular expression compared or chosen: `=`, `distinct`, `ite` on `RegLan`.
    #[error("{0} on regular expressions")]
    RegexValue(&'static str),
    /// A character beyond what both solvers read.
    #[error("a string literal holds the code point {0}, beyond {1}")]
    CodePoint(u32, u32),
    /// A quantifier in a quantifier-free logic.
    #[error("a quantifier in the logic {0}")]
    Quantifier(Symbol),
    /// An uninterpreted function, or a recursive definition, in a logic without them.
    #[error("the function {0} in a logic without functions")]
    Function(Symbol),
    /// A variable whose sort one of the solvers does not declare variables of.
    #[error("the variable {0} has the sort {1}")]
    VariableSort(Symbol, Sort),
    /// An identifier that the signature table does not know, or a term of unknown sort.
    #[error("the identifier {0} is unknown")]
    Unknown(Symbol),
    /// A term whose value is a function, applied: of the higher-order logics.
    #[error("a term applied like a function")]
    Application,
    /// A `match` term: no solver of a string logic reads datatypes.
    #[error("a match term")]
    Match,
}
