//! Nodes by what they are: a term keeps its number when the rest of its script changes.

use rustc_hash::FxHashMap;

use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// The number of a node: equal terms of all scripts of a reduction have the same.
pub(super) type Node = usize;

/// What a node is.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    head: Head,
    sort: Sort,
    arguments: Vec<Node>,
    words: Vec<u32>,
    binders: Vec<(Symbol, Sort)>,
}

/// The numbers that were given so far.
#[derive(Default)]
pub(super) struct Nodes(FxHashMap<Shape, Node>);

impl Nodes {
    /// The numbers of the terms of an arena, by their ids.
    pub(super) fn of(&mut self, terms: &Terms) -> Vec<Node> {
        let mut numbers: Vec<Node> = Vec::with_capacity(terms.len());
        // Arguments precede their terms.
        for term in (0..terms.len() as u32).map(TermId) {
            let parts = terms.parts(term);
            let shape = Shape {
                head: parts.head,
                sort: parts.sort,
                arguments: parts.arguments.iter().map(|argument| numbers[argument.0 as usize]).collect(),
                words: parts.words.to_vec(),
                binders: parts.binders.to_vec(),
            };
            let next = self.0.len();
            numbers.push(*self.0.entry(shape).or_insert(next));
        }
        numbers
    }
}

/// Where these terms are, by the numbers of their nodes.
pub(super) fn places(numbers: &[Node], terms: &[TermId]) -> FxHashMap<Node, TermId> {
    terms.iter().map(|&term| (numbers[term.0 as usize], term)).collect()
}
