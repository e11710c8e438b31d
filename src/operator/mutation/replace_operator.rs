//! Replace Type: an operator gives way to another of the same signature.

use super::{MutationResult, Mutator};
use crate::operator::Context;
use crate::operator::position::Occurrences;
use crate::random::{FuzzRng, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::smtlib::signature::Op;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// How many positions are drawn: most have an alternative at their sorts.
const DRAWS: usize = 16;

/// "We replace the modifiable function in Assertion with a function of the same type without modifying the contents":
/// same indices, same argument sorts, same result sort. Besides `StringFuzz`'s groups (`str.contains`, `str.prefixof`,
/// `str.suffixof`; `str.len`, `str.to.int`; `re.++`, `re.union`, `re.inter`; `re.*`, `re.+`) these are the comparisons,
/// the connectives, `=` against `distinct`, and so on: whatever the signature table has.
#[derive(Clone, Copy, Debug)]
pub struct ReplaceOperator;

impl Mutator for ReplaceOperator {
    fn name(&self) -> &'static str {
        "replace-operator"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        let may_be_replaced = |terms: &Terms, term: TermId| match terms.head(term) {
            // Operators without arguments are values, which other mutations change.
            Head::Operator(op) => !terms.arguments(term).is_empty() && !context.fragment.alternatives(op).is_empty(),
            _ => false,
        };
        let occurrences = Occurrences::new(script, may_be_replaced, |_, _| true);
        for _ in 0..DRAWS {
            let Some((position, term)) = occurrences.draw(script, |_, _| true, rng) else { break };
            let parts = script.terms.parts(term);
            let alternatives = alternatives(&script.terms, &parts, context.fragment);
            let Some(&op) = pick(rng, &alternatives) else { continue };
            let (sort, arguments, indices) = (parts.sort, parts.arguments.to_vec(), parts.words.to_vec());
            let replacement = script.terms.apply_indexed(op, &indices, &arguments, sort);
            position.replace(script, replacement);
            return MutationResult::Mutated;
        }
        MutationResult::Skipped
    }
}

/// The other operators of the fragment that take the same arguments to the same sort.
pub(in crate::operator) fn alternatives(terms: &Terms, parts: &Parts<'_>, fragment: &Fragment) -> Vec<Op> {
    let Head::Operator(own) = parts.head else { return Vec::new() };
    let sorts: Vec<Sort> = parts.arguments.iter().map(|&argument| terms.sort(argument)).collect();
    let fits = |op: &&Op| {
        sorts.len() >= op.signature().minimum_arguments && op.signature().apply(parts.words, &sorts) == Some(parts.sort)
    };
    fragment.alternatives(own).iter().filter(fits).copied().collect()
}
