//! Values: what ground terms stand for. Two values are equal exactly when the theories say so.

mod array;
mod bit_vector;
mod domain;
mod write;

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::regex::Language;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;

pub use array::Array;
pub use bit_vector::BitVector;
pub use domain::{Count, all_values, count, mentions_languages};

/// A value of one sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number: the only reals that models of solvers have here.
    Real(BigRational),
    /// A string's code points.
    String(Arc<[u32]>),
    /// A regular language.
    Regex(Language),
    /// Bits of a fixed width.
    BitVector(BitVector),
    /// An array that is constant but for finitely many indices.
    Array(Arc<Array>),
    /// A finite sequence.
    Sequence(Arc<Sequence>),
    /// An element of an uninterpreted sort, by the name that a solver gave it: `A!val!0`, `@uc_A_0`, `@A_0`. Elements
    /// with different names are different.
    Abstract(Sort, Symbol),
}

/// A sequence: the sort of its items, which an empty one has too, and the items.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sequence {
    /// The items' sort.
    pub element: Sort,
    /// The items in order.
    pub items: Vec<Value>,
}

impl Value {
    /// The integer.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// The string of these characters.
    pub fn string(text: &str) -> Value {
        Value::String(text.chars().map(u32::from).collect())
    }

    /// The bit-vector of this width with the lowest bits of a number.
    pub fn bits(width: u32, bits: u64) -> Value {
        Value::BitVector(BitVector::new(width, bits.into()))
    }

    /// The sequence of these items.
    pub fn sequence(element: Sort, items: Vec<Value>) -> Value {
        Value::Sequence(Arc::new(Sequence { element, items }))
    }

    /// The value's sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::BOOL,
            Value::Int(_) => Sort::INT,
            Value::Real(_) => Sort::REAL,
            Value::String(_) => Sort::STRING,
            Value::Regex(_) => Sort::REGLAN,
            Value::BitVector(bits) => Sort::bit_vec(bits.width()),
            Value::Array(array) => Sort::array(array.index_sort(), array.element_sort()),
            Value::Sequence(sequence) => Sort::new(Symbol::new("Seq"), &[], &[sequence.element]),
            Value::Abstract(sort, _) => *sort,
        }
    }

    /// Some value of the sort, always the same: `false`, zero, the empty string. None of sorts whose values have no
    /// representation here. A sort that no theory has is taken for an uninterpreted one: the caller knows whether the
    /// script declares it as a datatype.
    pub fn default_of(sort: Sort) -> Option<Value> {
        match sort {
            Sort::BOOL => return Some(Value::Bool(false)),
            Sort::INT => return Some(Value::Int(BigInt::zero())),
            Sort::REAL => return Some(Value::Real(BigRational::zero())),
            Sort::STRING => return Some(Value::String(Arc::from([]))),
            Sort::REGLAN | Sort::UNKNOWN => return None,
            _ => {}
        }
        let expression = sort.expression();
        match (expression.name.as_str(), expression.indices.as_slice(), expression.arguments.as_slice()) {
            ("BitVec", &[width], []) => (width <= BitVector::WIDEST).then(|| Value::bits(width, 0)),
            ("Array", [], &[index, element]) => {
                Some(Value::Array(Arc::new(Array::constant(index, element, Value::default_of(element)?))))
            }
            ("Seq", [], &[element]) => Some(Value::sequence(element, Vec::new())),
            (name, [], _) if !table().sort_names().contains(&expression.name) => {
                Some(Value::Abstract(sort, Symbol::new(&format!("{name}!val!0"))))
            }
            _ => None,
        }
    }

    /// Whether this is the Boolean value `expected`.
    pub fn is_bool(&self, expected: bool) -> bool {
        matches!(self, Value::Bool(value) if *value == expected)
    }

    /// About how many bytes it takes beside its parts, which values share.
    pub(super) fn bytes(&self) -> usize {
        let of_bits = |bits: u64| usize::try_from(bits / 8).unwrap_or(usize::MAX);
        match self {
            Value::Bool(_) | Value::Regex(_) | Value::Abstract(..) => 0,
            Value::Int(number) => of_bits(number.bits()),
            Value::Real(number) => of_bits(number.numer().bits().saturating_add(number.denom().bits())),
            Value::String(text) => size_of_val(&**text),
            Value::BitVector(bits) => of_bits(u64::from(bits.width())),
            Value::Array(array) => array.entries().len() * 2 * size_of::<Value>(),
            Value::Sequence(sequence) => size_of_val(sequence.items.as_slice()),
        }
    }
}

#[cfg(test)]
mod tests;
