//! A walk over every occurrence of every subterm: equal terms at two places may become two different ones.
//!
//! It takes as long as printing the script. Literals that an operator demands as arguments (the bounds of `re.range`)
//! are part of the operator.

use crate::operator::mutation::{MutationResult, takes_literals};
use crate::operator::seed::change_terms;
use crate::smtlib::script::Script;
use crate::smtlib::term::{Head, TermId, Terms};

/// One step of the walk; an explicit stack, because scripts may nest deeper than threads' stacks.
enum Step {
    Enter(TermId),
    Leave(TermId),
}

/// Replaces each occurrence of each subterm by what `change` makes of it, arguments before their terms. What it gives
/// must have the sort of what it was given. Skipped if nothing changed.
pub(super) fn change_everywhere(
    script: &mut Script,
    mut change: impl FnMut(&mut Terms, TermId) -> TermId,
) -> MutationResult {
    let mut result = MutationResult::Skipped;
    change_terms(script, |terms, root| {
        let changed = changed(terms, root, &mut change);
        if changed != root {
            result = MutationResult::Mutated;
        }
        changed
    });
    result
}

fn changed(terms: &mut Terms, root: TermId, change: &mut impl FnMut(&mut Terms, TermId) -> TermId) -> TermId {
    let mut steps = vec![Step::Enter(root)];
    // The results of the subterms that were left and whose terms are not yet.
    let mut results: Vec<TermId> = Vec::new();
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(term) if is_whole(terms, term) => results.push(change(terms, term)),
            Step::Enter(term) => {
                steps.push(Step::Leave(term));
                steps.extend(terms.arguments(term).iter().rev().map(|&argument| Step::Enter(argument)));
            }
            Step::Leave(term) => {
                let first = results.len() - terms.arguments(term).len();
                let same = results[first..] == *terms.arguments(term);
                let rebuilt = if same { term } else { terms.with_arguments(term, &results[first..]) };
                results.truncate(first);
                results.push(change(terms, rebuilt));
            }
        }
    }
    results.pop().unwrap_or(root)
}

/// Whether a term is changed without its arguments being changed before.
fn is_whole(terms: &Terms, term: TermId) -> bool {
    terms.arguments(term).is_empty() || matches!(terms.head(term), Head::Operator(op) if takes_literals(op))
}

/// The term with its literal arguments of one character (the bounds of `re.range`) mapped, and put in order.
pub(super) fn with_bounds(terms: &mut Terms, term: TermId, mut map: impl FnMut(u32) -> u32) -> TermId {
    let bounds: Vec<u32> = terms.arguments(term).iter().flat_map(|&bound| terms.text(bound)).copied().collect();
    if bounds.len() != terms.arguments(term).len() {
        // No range, and so the empty language: what some solvers read, and most reject.
        return term;
    }
    let mut mapped: Vec<u32> = bounds.into_iter().map(&mut map).collect();
    mapped.sort_unstable();
    let bounds: Vec<TermId> = mapped.iter().map(|&bound| terms.string(&[bound])).collect();
    terms.with_arguments(term, &bounds)
}
