//! Operators on values, a theory a file; and the table that finds an operator's rule by its number.

mod arrays;
mod bit_vectors;
mod integers;
mod numbers;
mod overflow;
mod reals;
mod regexes;
mod sequences;
mod strings;

use std::cell::{RefCell, RefMut};
use std::sync::{Arc, LazyLock};

use num_bigint::BigInt;
use num_rational::BigRational;

use super::evaluate::{Open, Outcome};
use super::interpretation::Partial;
use super::regex::{Language, Languages};
use super::value::{Array, BitVector, Sequence, Value};
use crate::smtlib::signature::{Op, table};
use crate::smtlib::symbol::Symbol;

/// An operator applied to values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) op: Op,
    /// The operator's numeral indices.
    pub(super) indices: &'a [u32],
    pub(super) arguments: &'a [Value],
    /// Whom to ask about regular languages.
    pub(super) languages: &'a RefCell<Languages>,
}

/// What computes an operator's value from its arguments' values.
pub(super) type Apply = fn(&Call<'_>) -> Outcome;

/// The operators that may be decided although an argument is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Connective {
    And,
    Or,
    /// Right-associative: some antecedent is false, or the last argument true.
    Implies,
    Ite,
}

/// How an operator is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Connective(Connective),
    /// `=`, which terms decide that are the same.
    Equal,
    /// `distinct`, likewise.
    Distinct,
    /// All arguments first.
    Strict(Apply),
    /// Two arguments at a time from the left, where the result may be free.
    Partial(Partial, Apply),
    /// It has no semantics here yet.
    Unsupported,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rule = |op: Op| {
        let name = op.name();
        match op.signature().theory.as_str() {
            "Core" => core(name),
            "Ints" => integers::rule(name),
            "Reals" | "Reals_Ints" => reals::rule(name),
            "BitVectors" => bit_vectors::rule(name),
            "ArraysEx" => arrays::rule(name),
            "Strings" => strings::rule(name),
            "Sequences" => sequences::rule(name),
            _ => None,
        }
        .unwrap_or(Rule::Unsupported)
    };
    table().operators().map(rule).collect()
});

/// The operator's rule.
pub(super) fn rule(op: Op) -> Rule {
    RULES.get(op.index()).copied().unwrap_or(Rule::Unsupported)
}

fn core(name: &str) -> Option<Rule> {
    Some(match name {
        "and" => Rule::Connective(Connective::And),
        "or" => Rule::Connective(Connective::Or),
        "=>" => Rule::Connective(Connective::Implies),
        "ite" => Rule::Connective(Connective::Ite),
        "=" => Rule::Equal,
        "distinct" => Rule::Distinct,
        "true" => Rule::Strict(|_| Ok(Value::Bool(true))),
        "false" => Rule::Strict(|_| Ok(Value::Bool(false))),
        "not" => Rule::Strict(|call| Ok(Value::Bool(!call.boolean(0)?))),
        "xor" => Rule::Strict(|call| {
            (0..call.arguments.len()).try_fold(false, |odd, at| Ok(odd ^ call.boolean(at)?)).map(Value::Bool)
        }),
        _ => return None,
    })
}

/// Whether two values are equal. Arrays over an uninterpreted sort that differ in their defaults alone are equal if
/// all its elements are entries, which values do not tell.
pub(super) fn equal(left: &Value, right: &Value, languages: &RefCell<Languages>) -> Result<bool, Open> {
    if left == right {
        return Ok(true);
    }
    match (left, right) {
        (Value::Regex(left), Value::Regex(right)) => regexes::equal(left, right, &mut languages.borrow_mut()),
        (Value::Array(left), Value::Array(right)) => arrays::equal(left, right, languages),
        (Value::Sequence(left), Value::Sequence(right)) if left.items.len() == right.items.len() => {
            let mut open = None;
            for (left, right) in left.items.iter().zip(&right.items) {
                match equal(left, right, languages) {
                    Ok(true) => {}
                    Ok(false) => return Ok(false),
                    Err(why) => open = Some(why),
                }
            }
            open.map_or(Ok(true), Err)
        }
        _ => Ok(false),
    }
}

/// Arguments by position. One that is missing or of another sort is what only lenient parsing lets through.
impl<'a> Call<'a> {
    /// The operator has no semantics on such arguments.
    pub(super) fn unsupported(&self) -> Open {
        Open::Unsupported(Symbol::new(self.op.name()))
    }

    fn argument(&self, position: usize) -> Result<&'a Value, Open> {
        self.arguments.get(position).ok_or_else(|| self.unsupported())
    }

    fn boolean(&self, position: usize) -> Result<bool, Open> {
        if let Value::Bool(value) = self.argument(position)? { Ok(*value) } else { Err(self.unsupported()) }
    }

    fn integer(&self, position: usize) -> Result<&'a BigInt, Open> {
        if let Value::Int(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    fn real(&self, position: usize) -> Result<&'a BigRational, Open> {
        if let Value::Real(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    fn bits(&self, position: usize) -> Result<&'a BitVector, Open> {
        if let Value::BitVector(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    fn array(&self, position: usize) -> Result<&'a Array, Open> {
        if let Value::Array(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    fn text(&self, position: usize) -> Result<&'a [u32], Open> {
        if let Value::String(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    fn language(&self, position: usize) -> Result<&'a Language, Open> {
        if let Value::Regex(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    fn sequence(&self, position: usize) -> Result<&'a Arc<Sequence>, Open> {
        if let Value::Sequence(value) = self.argument(position)? { Ok(value) } else { Err(self.unsupported()) }
    }

    /// All arguments, of one sort.
    fn all<T>(&self, argument: fn(&Self, usize) -> Result<T, Open>) -> Result<Vec<T>, Open> {
        (0..self.arguments.len()).map(|position| argument(self, position)).collect()
    }

    /// A chainable relation: whether each argument is so related to the next.
    fn chained<T>(&self, argument: fn(&Self, usize) -> Result<T, Open>, related: fn(&T, &T) -> bool) -> Outcome {
        Ok(Value::Bool(self.all(argument)?.windows(2).all(|pair| related(&pair[0], &pair[1]))))
    }

    fn asked(&self) -> RefMut<'a, Languages> {
        self.languages.borrow_mut()
    }

    /// An index of the operator.
    fn index(&self, position: usize) -> Result<u32, Open> {
        self.indices.get(position).copied().ok_or_else(|| self.unsupported())
    }
}

#[cfg(test)]
mod tests;
