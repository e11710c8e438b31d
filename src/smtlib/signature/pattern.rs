//! Sort patterns: sorts with variables, as the signatures of overloaded operators have them, and their matching.

use std::fmt;

use super::super::sort::Sort;
use super::super::symbol::Symbol;

/// How many sort variables, and how many numeral variables, one signature may have.
pub const MAX_VARIABLES: usize = 8;

/// A numeral in an index position: a constant, a variable of the signature, or arithmetic on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexPattern {
    /// This numeral.
    Numeral(u32),
    /// The numeral variable with this position in [`Signature::index_variables`](super::Signature::index_variables).
    Variable(u8),
    /// `(+ a b)`
    Sum(Box<IndexPattern>, Box<IndexPattern>),
    /// `(- a b)`
    Difference(Box<IndexPattern>, Box<IndexPattern>),
    /// `(* a b)`
    Product(Box<IndexPattern>, Box<IndexPattern>),
}

/// A sort of a signature: ground, a `par` variable, or a compound sort with variables inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortPattern {
    /// A sort without variables.
    Sort(Sort),
    /// The sort variable with this position in [`Signature::variables`](super::Signature::variables).
    Variable(u8),
    /// A compound sort: `(Array X Y)`, `(_ BitVec m)`.
    Application {
        /// The sort's name.
        name: Symbol,
        /// Its numeral indices.
        indices: Vec<IndexPattern>,
        /// Its argument sorts.
        arguments: Vec<SortPattern>,
    },
}

/// A condition on the numerals of an indexed operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `(< a b)`
    Less(IndexPattern, IndexPattern),
    /// `(<= a b)`
    AtMost(IndexPattern, IndexPattern),
    /// `(= a b)`
    Equal(IndexPattern, IndexPattern),
}

/// What the variables of a signature stand for, as far as matching has found out.
#[derive(Clone, Debug, Default)]
pub struct Bindings<'a> {
    pub(super) sorts: [Option<Sort>; MAX_VARIABLES],
    pub(super) numerals: [Option<u32>; MAX_VARIABLES],
    /// Equations whose variables were not all known yet.
    deferred: Vec<(&'a IndexPattern, u32)>,
}

impl IndexPattern {
    /// The numeral, if all variables are bound and the arithmetic stays within 32 unsigned bits.
    pub fn value(&self, bindings: &Bindings<'_>) -> Option<u32> {
        match self {
            IndexPattern::Numeral(numeral) => Some(*numeral),
            IndexPattern::Variable(variable) => bindings.numerals[usize::from(*variable)],
            // Signed 64-bit intermediates: `(+ (- i j) 1)` must not fail on the way.
            _ => u32::try_from(self.signed_value(bindings)?).ok(),
        }
    }

    fn signed_value(&self, bindings: &Bindings<'_>) -> Option<i64> {
        Some(match self {
            IndexPattern::Sum(a, b) => a.signed_value(bindings)?.checked_add(b.signed_value(bindings)?)?,
            IndexPattern::Difference(a, b) => a.signed_value(bindings)?.checked_sub(b.signed_value(bindings)?)?,
            IndexPattern::Product(a, b) => a.signed_value(bindings)?.checked_mul(b.signed_value(bindings)?)?,
            leaf => i64::from(leaf.value(bindings)?),
        })
    }

    /// Whether the variable occurs in the pattern.
    pub(super) fn mentions(&self, variable: usize) -> bool {
        match self {
            IndexPattern::Numeral(_) => false,
            IndexPattern::Variable(own) => usize::from(*own) == variable,
            IndexPattern::Sum(a, b) | IndexPattern::Difference(a, b) | IndexPattern::Product(a, b) => {
                a.mentions(variable) || b.mentions(variable)
            }
        }
    }

    /// Makes the pattern equal to `numeral`, binding its variable if it is an unbound one.
    pub fn unify<'a>(&'a self, numeral: u32, bindings: &mut Bindings<'a>) -> bool {
        match (self, self.value(bindings)) {
            (_, Some(value)) => value == numeral,
            (IndexPattern::Variable(variable), None) => {
                bindings.numerals[usize::from(*variable)] = Some(numeral);
                true
            }
            _ => {
                bindings.deferred.push((self, numeral));
                true
            }
        }
    }
}

impl Condition {
    /// Whether the condition holds; not while a variable is unbound.
    pub fn holds(&self, bindings: &Bindings<'_>) -> bool {
        let values = |a: &IndexPattern, b: &IndexPattern| Some((a.value(bindings)?, b.value(bindings)?));
        match self {
            Condition::Less(a, b) => values(a, b).is_some_and(|(a, b)| a < b),
            Condition::AtMost(a, b) => values(a, b).is_some_and(|(a, b)| a <= b),
            Condition::Equal(a, b) => values(a, b).is_some_and(|(a, b)| a == b),
        }
    }
}

impl Bindings<'_> {
    /// Whether every equation that had to wait holds now.
    pub fn settled(&self) -> bool {
        self.deferred.iter().all(|(pattern, numeral)| pattern.value(self) == Some(*numeral))
    }
}

impl SortPattern {
    /// The sort, if the pattern has no variables.
    pub fn ground(&self) -> Option<Sort> {
        match self {
            SortPattern::Sort(sort) => Some(*sort),
            _ => None,
        }
    }

    /// Makes the pattern equal to `sort`, binding unbound variables.
    pub fn unify<'a>(&'a self, sort: Sort, bindings: &mut Bindings<'a>) -> bool {
        match self {
            SortPattern::Sort(own) => *own == sort,
            SortPattern::Variable(variable) => {
                *bindings.sorts[usize::from(*variable)].get_or_insert(sort) == sort && sort != Sort::UNKNOWN
            }
            SortPattern::Application { name, indices, arguments } => {
                let expression = sort.expression();
                expression.name == *name
                    && expression.indices.len() == indices.len()
                    && expression.arguments.len() == arguments.len()
                    && indices.iter().zip(&expression.indices).all(|(index, &numeral)| index.unify(numeral, bindings))
                    && arguments
                        .iter()
                        .zip(&expression.arguments)
                        .all(|(argument, &sort)| argument.unify(sort, bindings))
            }
        }
    }

    /// The sort that the pattern stands for, if all its variables are bound.
    pub fn instantiate(&self, bindings: &Bindings<'_>) -> Option<Sort> {
        match self {
            SortPattern::Sort(sort) => Some(*sort),
            SortPattern::Variable(variable) => bindings.sorts[usize::from(*variable)],
            SortPattern::Application { name, indices, arguments } => {
                let indices: Option<Vec<u32>> = indices.iter().map(|index| index.value(bindings)).collect();
                let arguments: Option<Vec<Sort>> = arguments.iter().map(|each| each.instantiate(bindings)).collect();
                Some(Sort::new(*name, &indices?, &arguments?))
            }
        }
    }
}

/// Writes a pattern as theory files do, with the names that the signature gives its variables.
pub(super) struct Shown<'a>(pub &'a SortPattern, pub &'a [Symbol], pub &'a [Symbol]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(pattern, sorts, numerals) = *self;
        match pattern {
            SortPattern::Sort(sort) => sort.fmt(f),
            SortPattern::Variable(variable) => write!(f, "{}", sorts[usize::from(*variable)]),
            SortPattern::Application { name, indices, arguments } => {
                f.write_str(if indices.is_empty() { "(" } else { "(_ " })?;
                name.fmt(f)?;
                for index in indices {
                    f.write_str(" ")?;
                    write_index(f, index, numerals)?;
                }
                for argument in arguments {
                    write!(f, " {}", Shown(argument, sorts, numerals))?;
                }
                f.write_str(")")
            }
        }
    }
}

fn write_index(f: &mut fmt::Formatter<'_>, index: &IndexPattern, names: &[Symbol]) -> fmt::Result {
    let (operator, a, b) = match index {
        IndexPattern::Numeral(numeral) => return write!(f, "{numeral}"),
        IndexPattern::Variable(variable) => return write!(f, "{}", names[usize::from(*variable)]),
        IndexPattern::Sum(a, b) => ('+', a, b),
        IndexPattern::Difference(a, b) => ('-', a, b),
        IndexPattern::Product(a, b) => ('*', a, b),
    };
    write!(f, "({operator} ")?;
    write_index(f, a, names)?;
    f.write_str(" ")?;
    write_index(f, b, names)?;
    f.write_str(")")
}
