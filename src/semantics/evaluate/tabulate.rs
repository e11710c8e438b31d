//! Functions as arrays. A body that compares its parameter with ground values alone is constant on all other values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashSet;

use super::super::interpretation::Function;
use super::super::value::{Array, BitVector, Value, all_values, mentions_languages};
use super::quantifier::lambda_parameters;
use super::verbatim::array_function;
use super::{Arena, Context, DEEPEST_NESTING, Evaluator, Open, Outcome, Scopes};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

impl Evaluator<'_> {
    /// The array that maps each value of the parameter to that of the body, in the current context.
    pub(super) fn tabulate(&mut self, parameter: (Symbol, Sort), body: TermId) -> Outcome {
        let (name, index) = parameter;
        if mentions_languages(index) {
            return Err(Open::Unsupported(Symbol::new("lambda")));
        }
        let mut entries = BTreeMap::new();
        let default;
        if let Some(all) = all_values(index, self.limits.assignments) {
            for value in all {
                let outcome = self.with(name, value.clone(), body)?;
                entries.insert(value, outcome);
            }
            default = entries.values().next().cloned().ok_or(Open::GaveUp("an empty sort"))?;
        } else {
            let compared = self.compared_with(name, body)?;
            let other = other_value(index, &compared).ok_or(Open::GaveUp("an array over a sort of few values"))?;
            default = self.with(name, other, body)?;
            for value in compared {
                let outcome = self.with(name, value.clone(), body)?;
                entries.insert(value, outcome);
            }
        }
        let element = default.sort();
        if entries.iter().any(|(at, value)| at.sort() != index || value.sort() != element) {
            return Err(Open::GaveUp("a function with values of several sorts"));
        }
        Ok(Value::Array(Arc::new(Array::new(index, element, default, entries))))
    }

    /// The element at an index of an array that is no value: of a constant that the interpretation gives as a function
    /// of another kind, such as `(lambda ((i Int)) (< i 12))`.
    pub(super) fn selected(&mut self, array: TermId, outcomes: Vec<Outcome>) -> Outcome {
        let (Head::Constant(name), [why, index]) = (self.terms().head(array), outcomes.as_slice()) else {
            return outcomes.into_iter().find(Result::is_err).unwrap_or(Err(Open::Quantifier));
        };
        let interpretation = self.interpretation;
        let Some(Function::Body { parameters, body }) = interpretation.function(name) else { return why.clone() };
        let terms = interpretation.terms();
        let as_array = match terms.head(*body) {
            Head::Verbatim(text) => array_function(text).and_then(|function| interpretation.function(function)),
            _ => None,
        };
        let (index_name, inside) = match (as_array, lambda_parameters(terms.parts(*body).binders)) {
            _ if !parameters.is_empty() => return why.clone(),
            (Some(Function::Body { parameters, body }), _) if parameters.len() == 1 => (parameters[0].0, *body),
            (None, Some(&[(index_name, _)])) => (index_name, terms.arguments(*body)[0]),
            _ => return why.clone(),
        };
        self.instance(inside, std::iter::once((index_name, index.clone())))
    }

    /// The term's value where the variable has this one.
    fn with(&mut self, name: Symbol, value: Value, term: TermId) -> Outcome {
        self.scopes().open(std::iter::once((name, Ok(value))));
        let outcome = self.run(term);
        self.scopes().close();
        outcome
    }

    /// The values that a variable is compared with in a term where nothing else is done with it.
    fn compared_with(&mut self, name: Symbol, root: TermId) -> Result<BTreeSet<Value>, Open> {
        let terms = self.terms();
        let occurs = |term: TermId| terms.free(term).any(|(free, _)| free == name);
        let is_variable = |term: TermId| terms.head(term) == Head::Bound(name);
        let unsupported = Err(Open::Unsupported(Symbol::new("lambda")));
        if is_variable(root) {
            return unsupported;
        }
        let (mut found, mut seen, mut stack) = (BTreeSet::new(), FxHashSet::default(), vec![root]);
        while let Some(term) = stack.pop() {
            if !occurs(term) || !seen.insert(term) {
                continue;
            }
            let arguments = terms.arguments(term);
            if !arguments.iter().any(|&argument| is_variable(argument)) {
                stack.extend_from_slice(arguments);
                continue;
            }
            match (terms.head(term), arguments) {
                (Head::Operator(op), &[left, right]) if op.name() == "=" && (!occurs(left) || !occurs(right)) => {
                    let other = if is_variable(left) { right } else { left };
                    found.insert(self.run(other)?);
                }
                (Head::Function(callee), _) => {
                    let places = arguments.iter().enumerate().filter(|&(_, &argument)| is_variable(argument));
                    for (place, _) in places {
                        found.append(&mut self.compared_inside(callee, place)?);
                    }
                    stack.extend(arguments.iter().copied().filter(|&argument| !is_variable(argument)));
                }
                _ => return unsupported,
            }
        }
        Ok(found)
    }

    /// The values that one parameter of a function of the interpretation is compared with in its body.
    fn compared_inside(&mut self, function: Symbol, place: usize) -> Result<BTreeSet<Value>, Open> {
        let interpretation = self.interpretation;
        match interpretation.function(function) {
            Some(Function::Body { parameters, body }) if place < parameters.len() && self.nesting < DEEPEST_NESTING => {
                self.nesting += 1;
                self.contexts.push(Context { arena: Arena::Model, scopes: Scopes::default() });
                let compared = self.compared_with(parameters[place].0, *body);
                self.contexts.pop();
                self.nesting -= 1;
                compared
            }
            _ => Err(Open::Unsupported(Symbol::new("lambda"))),
        }
    }
}

/// A value of the sort that is none of these, if it is easy to find.
fn other_value(sort: Sort, values: &BTreeSet<Value>) -> Option<Value> {
    // Numbers and bit-vectors are ordered as values, so that the last is the greatest.
    match (sort, values.last()) {
        (_, None) => Value::default_of(sort),
        (_, Some(Value::Int(greatest))) => Some(Value::Int(greatest + 1)),
        (_, Some(Value::Real(greatest))) => Some(Value::Real(greatest + BigRational::from_integer(BigInt::from(1)))),
        (_, Some(Value::String(_))) => {
            let longest =
                values.iter().map(|value| if let Value::String(text) = value { text.len() } else { 0 }).max()?;
            Some(Value::String(vec![u32::from('a'); longest + 1].into()))
        }
        (_, Some(Value::BitVector(bits))) => (0..=values.len() as u64)
            .map(|number| Value::BitVector(BitVector::new(bits.width(), BigUint::from(number))))
            .find(|candidate| !values.contains(candidate)),
        (_, Some(Value::Abstract(..))) => Some(Value::Abstract(sort, Symbol::new("any other"))),
        _ => None,
    }
}
