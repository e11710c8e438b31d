//! Quantifiers: expanded where the domain is small, decided by a witness or a counterexample where one is found.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::interpretation::LAMBDA;
use super::super::value::{Value, all_values};
use super::bounds::{Comparison, Relation, necessary};
use super::{Arena, DEEPEST_NESTING, Evaluator, Open, Outcome};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// How many values of a large sort are tried.
const MOST_CANDIDATES: usize = 16;

/// One quantifier while it is decided.
struct Question<'a> {
    binders: &'a [(Symbol, Sort)],
    body: TermId,
    /// The value of the body that decides: `false` of a `forall`, `true` of an `exists`.
    wanted: bool,
    necessary: Vec<Comparison>,
    /// Values to try, for each sort that was asked for.
    candidates: FxHashMap<Sort, Vec<Value>>,
    /// How many more assignments may be tried.
    left: u64,
}

/// The parameters of what stands for a `lambda`; none of a quantifier.
pub(super) fn lambda_parameters(binders: &[(Symbol, Sort)]) -> Option<&[(Symbol, Sort)]> {
    let ((marker, _), parameters) = binders.split_first()?;
    (marker.as_str() == LAMBDA && !parameters.is_empty()).then_some(parameters)
}

impl Evaluator<'_> {
    /// The value of a quantified term in the current context.
    pub(super) fn quantifier(&mut self, term: TermId) -> Outcome {
        let terms = self.terms();
        let binders = terms.parts(term).binders;
        let Some(&body) = terms.arguments(term).first() else { return Err(Open::Quantifier) };
        if self.context().arena == Arena::Model
            && let Some(parameters) = lambda_parameters(binders)
        {
            return match parameters {
                &[parameter] => self.tabulate(parameter, body),
                _ => Err(Open::Unsupported(Symbol::new(LAMBDA))),
            };
        }
        let wanted = terms.head(term) == Head::Exists;
        let mut question = Question {
            binders,
            body,
            wanted,
            necessary: necessary(terms, body, wanted),
            candidates: FxHashMap::default(),
            left: self.limits.assignments,
        };
        // Until it has a value, a variable is open: perhaps the body does not need it.
        self.scopes().open(binders.iter().map(|&(name, _)| (name, Err(Open::Quantifier))));
        let outcome = self.decide(&mut question, 0);
        self.scopes().close();
        outcome
    }

    /// The value of the quantifier where the variables before `position` have their values.
    fn decide(&mut self, question: &mut Question<'_>, position: usize) -> Outcome {
        let outcome = self.run(question.body);
        let Some(&(name, sort)) = question.binders.get(position) else { return outcome };
        if outcome.is_ok() || self.nesting >= DEEPEST_NESTING {
            return outcome;
        }
        let (values, complete) = self.domain(question, name, sort);
        let mut open = (!complete).then_some(Open::Quantifier);
        for value in values {
            if position + 1 == question.binders.len() {
                let Some(left) = question.left.checked_sub(1) else { return Err(Open::Quantifier) };
                question.left = left;
            }
            self.scopes().open(std::iter::once((name, Ok(value))));
            self.nesting += 1;
            let outcome = self.decide(question, position + 1);
            self.nesting -= 1;
            self.scopes().close();
            match outcome {
                Ok(decided) if decided.is_bool(question.wanted) => return Ok(decided),
                Ok(_) => {}
                Err(why) => open = open.or(Some(why)),
            }
        }
        open.map_or(Ok(Value::Bool(!question.wanted)), Err)
    }

    /// Values for a variable, and whether no other value can decide.
    fn domain(&mut self, question: &mut Question<'_>, name: Symbol, sort: Sort) -> (Vec<Value>, bool) {
        if let Some(all) = all_values(sort, self.limits.assignments) {
            return (all, true);
        }
        if let Some(universe) = self.interpretation.universe(sort) {
            return (universe.to_vec(), true);
        }
        let (mut least, mut greatest): (Option<BigInt>, Option<BigInt>) = (None, None);
        let terms = self.terms();
        for comparison in question.necessary.clone() {
            let Comparison { left, relation, right } = comparison;
            let (variable_left, variable_right) =
                (terms.head(left) == Head::Bound(name), terms.head(right) == Head::Bound(name));
            if variable_left == variable_right {
                continue;
            }
            let Ok(bound) = self.run(if variable_left { right } else { left }) else { continue };
            match (relation, bound) {
                (Relation::Equal, bound) if bound.sort() == sort => return (vec![bound], true),
                (_, Value::Int(bound)) => {
                    let strict = i32::from(relation == Relation::Less);
                    if variable_left {
                        let bound = bound - strict;
                        greatest = Some(greatest.map_or(bound.clone(), |known| known.min(bound)));
                    } else {
                        let bound = bound + strict;
                        least = Some(least.map_or(bound.clone(), |known| known.max(bound)));
                    }
                }
                _ => {}
            }
        }
        if let (Sort::INT, Some(least), Some(greatest)) = (sort, &least, &greatest) {
            let count = u64::try_from(greatest - least + 1_u32).ok();
            if greatest < least {
                return (Vec::new(), true);
            }
            if let Some(count) = count.filter(|&count| count <= self.limits.assignments) {
                return ((0..count).map(|offset| Value::Int(least + offset)).collect(), true);
            }
        }
        let ends = [least, greatest].into_iter().flatten().map(Value::Int).filter(|_| sort == Sort::INT);
        let tried = ends.chain(self.candidates(question, sort)).collect();
        (tried, false)
    }

    /// Values of a sort that occur: in the body, in the interpretation, and next to them.
    fn candidates(&mut self, question: &mut Question<'_>, sort: Sort) -> Vec<Value> {
        if let Some(known) = question.candidates.get(&sort) {
            return known.clone();
        }
        let terms = self.terms();
        let mut found = BTreeSet::new();
        let (mut seen, mut stack) = (FxHashSet::default(), vec![question.body]);
        while let Some(term) = stack.pop()
            && found.len() < MOST_CANDIDATES
        {
            if !seen.insert(term) {
                continue;
            }
            let bound_here = |(name, _): (Symbol, Sort)| question.binders.iter().any(|&(binder, _)| binder == name);
            if terms.sort(term) == sort
                && !terms.free(term).any(bound_here)
                && let Ok(value) = self.run(term)
            {
                found.insert(value);
            }
            stack.extend_from_slice(terms.arguments(term));
        }
        let values = self.interpretation.values();
        found.extend(values.into_iter().map(|(_, value)| value).filter(|value| value.sort() == sort).cloned());
        // An element of an uninterpreted sort is none of its own accord.
        found.extend(Value::default_of(sort).filter(|value| !matches!(value, Value::Abstract(..))));
        let mut candidates: Vec<Value> = found.into_iter().take(MOST_CANDIDATES).collect();
        if sort == Sort::INT {
            let around = |value: &Value| match value {
                Value::Int(value) => vec![Value::Int(value - 1), Value::Int(value + 1)],
                _ => Vec::new(),
            };
            let neighbours: Vec<Value> = candidates.iter().flat_map(around).collect();
            candidates.extend(neighbours);
            candidates.sort_unstable();
            candidates.dedup();
        }
        question.candidates.insert(sort, candidates.clone());
        candidates
    }
}
