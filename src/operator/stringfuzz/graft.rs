//! `graft`: for each sort, a subtree and a leaf change places.

use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator, exchange, is_free_place, is_movable};
use crate::random::FuzzRng;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// Of each sort (strings, integers, truth values, languages) a random application and a random leaf change places. The
/// leaf is outside the application, so that no term comes to be part of itself; `StringFuzz` does not see to that, and
/// takes literals alone for leaves because it does not know the sorts of variables.
#[derive(Clone, Copy, Debug)]
pub struct Graft {
    /// Take strings out of `str.to_re` too, which is the leaf among languages otherwise.
    pub str_to_re: bool,
}

impl Mutator for Graft {
    fn name(&self) -> &'static str {
        "graft"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        let enter = |parts: &Parts<'_>, place: usize| {
            is_free_place(parts, place) && (self.str_to_re || !is_string_language(parts.head))
        };
        let mut result = MutationResult::Skipped;
        for sort in [Sort::STRING, Sort::INT, Sort::BOOL, Sort::REGLAN] {
            let is_leaf = |terms: &Terms, term| is_movable(terms, term) && is_leaf(terms, term);
            let is_tree = |terms: &Terms, term| {
                terms.sort(term) == sort && is_movable(terms, term) && !self::is_leaf(terms, term)
            };
            if exchange(script, is_tree, is_leaf, enter, rng) {
                result = MutationResult::Mutated;
            }
        }
        result
    }
}

/// Whether a term is a literal, a variable, an operator without arguments, or the language of one string.
fn is_leaf(terms: &Terms, term: TermId) -> bool {
    let arguments = terms.arguments(term);
    arguments.is_empty() || (is_string_language(terms.head(term)) && terms.arguments(arguments[0]).is_empty())
}

/// Whether `str.to_re` stands at the head of a term.
fn is_string_language(head: Head) -> bool {
    matches!(head, Head::Operator(op) if op.name() == "str.to_re")
}
