//! Terms that occur several times in a large formula are named by `let`, so that it stays as small as its graph.

use rustc_hash::FxHashMap;

use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// The term with a name for each of its subterms that occurs several times; as it is if it has at most so many symbols
/// without names.
pub(super) fn with_names(terms: &mut Terms, root: TermId, most: u64) -> TermId {
    let all: Vec<TermId> = terms.subterms(std::iter::once(root)).collect();
    let mut symbols: FxHashMap<TermId, u64> = FxHashMap::default();
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    for &term in &all {
        let mut sum: u64 = 1;
        for argument in terms.arguments(term) {
            sum = sum.saturating_add(symbols.get(argument).copied().unwrap_or(1));
            *uses.entry(*argument).or_default() += 1;
        }
        symbols.insert(term, sum);
    }
    if symbols.get(&root).is_none_or(|&size| size <= most) {
        return root;
    }
    let mut named: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut values = Vec::new();
    for term in all {
        let parts = terms.parts(term);
        let arguments: Vec<TermId> = parts.arguments.iter().map(|argument| named[argument]).collect();
        let made = if arguments == parts.arguments {
            term
        } else {
            let (head, sort) = (parts.head, parts.sort);
            let (words, binders) = (parts.words.to_vec(), parts.binders.to_vec());
            terms.intern(Parts { head, sort, arguments: &arguments, words: &words, binders: &binders })
        };
        let is_shared = uses.get(&term).is_some_and(|&uses| uses > 1) && !arguments.is_empty();
        let stands_for = if is_shared {
            let (name, sort) = (Symbol::new(&format!("e{}", values.len())), terms.sort(term));
            values.push((name, sort, made));
            terms.bound(name, sort)
        } else {
            made
        };
        named.insert(term, stands_for);
    }
    values.into_iter().rev().fold(named[&root], |body, (name, sort, value)| {
        let arguments = [value, body];
        let (sort_of_body, binders) = (terms.sort(body), [(name, sort)]);
        terms.intern(Parts {
            head: Head::Let,
            sort: sort_of_body,
            arguments: &arguments,
            words: &[],
            binders: &binders,
        })
    })
}
