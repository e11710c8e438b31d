//! Identifiers that the parser keeps as they are written: `(as const (Array Int Int))`, `(_ as-array f)`, `(as @A_0 A)`.

use std::sync::Arc;

use num_bigint::BigUint;

use super::super::interpretation::Function;
use super::super::value::{Array, BitVector, Value};
use super::literal::{MOST_DIGITS, TOO_WIDE};
use super::{Arena, Context, Evaluator, Open, Outcome, Scopes};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;

/// The function in `(_ as-array f)`.
pub(in crate::semantics) fn array_function(text: Symbol) -> Option<Symbol> {
    let name = text.as_str().strip_prefix("(_ as-array")?.strip_suffix(')')?.trim();
    Some(Symbol::new(name.trim_matches('|')))
}

impl Evaluator<'_> {
    /// The value of such an identifier, applied to these outcomes if there are any.
    pub(super) fn verbatim(&mut self, text: Symbol, sort: Sort, mut outcomes: Vec<Outcome>) -> Outcome {
        let unsupported = Err(Open::Unsupported(text));
        let Some(inside) = text.as_str().strip_prefix('(') else {
            // A name that nothing declares.
            return Err(Open::Silent(Symbol::new(text.as_str().trim_matches('|'))));
        };
        let mut words = inside.trim_end_matches(')').split_whitespace();
        let (Some(kind), Some(name)) = (words.next(), words.next()) else { return unsupported };
        let arguments = sort.expression().arguments.as_slice();
        match (kind, name, arguments, outcomes.len()) {
            ("as", "const", &[index, element], 1) => {
                let default = outcomes.swap_remove(0)?;
                if default.sort() != element {
                    return unsupported;
                }
                Ok(Value::Array(Arc::new(Array::constant(index, element, default))))
            }
            ("as", "seq.empty", &[element], 0) => Ok(Value::sequence(element, Vec::new())),
            ("as", _, _, 0) if name.starts_with('@') => Ok(Value::Abstract(sort, Symbol::new(name))),
            ("as", _, _, 0) => {
                let value = self.interpretation.value(Symbol::new(name.trim_matches('|')));
                value.filter(|value| value.sort() == sort).cloned().ok_or(Open::Unsupported(text))
            }
            ("_", "as-array", _, 0) => {
                array_function(text).map_or(unsupported, |function| self.function_as_array(function))
            }
            ("_", _, _, 0) => {
                let digits = name.strip_prefix("bv").filter(|digits| digits.len() <= MOST_DIGITS);
                let digits = digits.and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 10));
                match (digits, words.next().and_then(|width| width.parse().ok())) {
                    (Some(_), Some(width)) if width > BitVector::WIDEST => Err(Open::GaveUp(TOO_WIDE)),
                    (Some(bits), Some(width)) => Ok(Value::BitVector(BitVector::new(width, bits))),
                    _ => unsupported,
                }
            }
            _ => unsupported,
        }
    }

    /// The array of the values of a function of the interpretation, as Boolector's models give arrays.
    pub(in crate::semantics) fn model_array(&mut self, name: Symbol) -> Outcome {
        self.steps = self.limits.steps;
        self.function_as_array(name)
    }

    /// The array of a function's values, as Z3's models give arrays.
    fn function_as_array(&mut self, name: Symbol) -> Outcome {
        match self.interpretation.function(name) {
            Some(Function::Body { parameters, body }) if parameters.len() == 1 => {
                self.contexts.push(Context { arena: Arena::Model, scopes: Scopes::default() });
                let outcome = self.tabulate(parameters[0], *body);
                self.contexts.pop();
                outcome
            }
            None => Err(Open::Silent(name)),
            Some(_) => Err(Open::Unsupported(Symbol::new("as-array"))),
        }
    }
}
