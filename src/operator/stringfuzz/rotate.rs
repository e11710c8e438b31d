//! `rotate`: arguments move between a term and the terms that are its arguments.

use super::walk::change_everywhere;
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator, takes_literals};
use crate::random::FuzzRng;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, TermId, Terms};

/// A tree rotation, of operators whose arguments all have one sort: in `(f a (g b c))` the arguments go round one
/// place, to `(f b (g c a))`; in `(f (g b c) a)` likewise, to `(f (g c a) b)`.
#[derive(Clone, Copy, Debug)]
pub struct Rotate;

impl Mutator for Rotate {
    fn name(&self) -> &'static str {
        "rotate"
    }

    fn mutate(&self, script: &mut Script, _: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        change_everywhere(script, |terms, term| match uniform_sort(terms, term) {
            Some(sort) if terms.arguments(term).len() > 1 => rotated(terms, term, sort),
            _ => term,
        })
    }
}

/// The sort of all arguments of an operator on strings, or on languages.
fn uniform_sort(terms: &Terms, term: TermId) -> Option<Sort> {
    let Head::Operator(op) = terms.head(term) else { return None };
    let (&first, rest) = terms.arguments(term).split_first()?;
    let sort = terms.sort(first);
    let uniform = rest.iter().all(|&argument| terms.sort(argument) == sort)
        && [Sort::STRING, Sort::REGLAN].contains(&sort)
        && op.signature().theory.as_str() == "Strings"
        && !takes_literals(op);
    uniform.then_some(sort)
}

/// Each argument of the term that is uniform too exchanges arguments with the term: its first for the term's last (for
/// the term's first, if the argument is the last).
fn rotated(terms: &mut Terms, term: TermId, sort: Sort) -> TermId {
    let mut arguments = terms.arguments(term).to_vec();
    let last = arguments.len() - 1;
    for place in 0..=last {
        if uniform_sort(terms, arguments[place]) != Some(sort) {
            continue;
        }
        let other = if place == last { 0 } else { last };
        let mut below = terms.arguments(arguments[place]).to_vec();
        below.rotate_left(1);
        let end = below.len() - 1;
        std::mem::swap(&mut arguments[other], &mut below[end]);
        arguments[place] = terms.with_arguments(arguments[place], &below);
    }
    terms.with_arguments(term, &arguments)
}
