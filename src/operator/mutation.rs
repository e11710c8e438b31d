//! Mutation: the seven operators of the paper's section III.E, one file each, and the choice among them.

mod add_assertion;
mod delete_assertion;
mod delete_variable;
mod exchange_subterms;
mod fuzz_literals;
mod new_variable;
mod replace_operator;

pub use add_assertion::AddAssertion;
pub use delete_assertion::DeleteAssertion;
pub use delete_variable::DeleteVariable;
pub use exchange_subterms::ExchangeSubterms;
pub(super) use exchange_subterms::{exchange, has_own_sort, is_movable};
pub use fuzz_literals::FuzzLiterals;
pub(super) use fuzz_literals::{fuzz_characters, fuzz_numeral};
pub use new_variable::NewVariable;
pub use replace_operator::ReplaceOperator;
pub(super) use replace_operator::alternatives;

use super::{Context, declarations};
use crate::random::{FuzzRng, below};
use crate::smtlib::script::Script;
use crate::smtlib::signature::Op;
use crate::smtlib::term::{Head, Parts};

/// What a mutation did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutationResult {
    /// The script is another one now.
    Mutated,
    /// The script has nothing that the operator works on, and is as it was.
    Skipped,
}

/// A mutation operator. It keeps the script well-sorted; whether the result is in the fragment is checked afterwards.
pub trait Mutator: Send + Sync + std::fmt::Debug {
    /// The operator's name in results: `new-variable`.
    fn name(&self) -> &'static str;

    /// Changes `script`, most operators in one random place.
    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult;
}

/// The paper's seven operators.
pub const MUTATORS: [&dyn Mutator; 7] = [
    &NewVariable,
    &DeleteVariable,
    &AddAssertion,
    &DeleteAssertion,
    &FuzzLiterals,
    &ReplaceOperator,
    &ExchangeSubterms,
];

/// How often one operator is tried on a script before another is drawn: most tries succeed, and those that do not
/// gave the same script again or left the fragment.
const ATTEMPTS: usize = 16;

/// Applies one operator, drawn uniformly from those of `mutators` that apply, and gives its name. The script has
/// changed then, is in the fragment, and declares just what it uses. `None`, and the script as it was, if no operator
/// applies.
pub fn mutate_once(
    script: &mut Script,
    mutators: &[&dyn Mutator],
    rng: &mut FuzzRng,
    context: &Context<'_>,
) -> Option<&'static str> {
    let mut candidates = mutators.to_vec();
    while !candidates.is_empty() {
        let mutator = candidates.swap_remove(below(rng, candidates.len()));
        if try_mutator(script, mutator, rng, context) {
            return Some(mutator.name());
        }
    }
    None
}

/// Applies one operator until it changed the script within the fragment; otherwise leaves the script as it was.
fn try_mutator(script: &mut Script, mutator: &dyn Mutator, rng: &mut FuzzRng, context: &Context<'_>) -> bool {
    // The arena only grows, so the commands alone bring the old script back.
    let before = script.commands.clone();
    for _ in 0..ATTEMPTS {
        let result = mutator.mutate(script, rng, context);
        if result == MutationResult::Skipped {
            break;
        }
        // Equal terms are one, so equal commands are an unchanged script.
        if script.commands != before {
            declarations::tidy(script);
            if context.fragment.admits(script).is_ok() {
                return true;
            }
        }
        script.commands.clone_from(&before);
    }
    script.commands.clone_from(&before);
    false
}

/// Whether the argument number `place` of a term may be replaced by any closed term of its sort. The function that an
/// application of a function's value names may not: if a declared function came there, `(f x)` would be read otherwise.
pub(super) fn is_free_place(parts: &Parts<'_>, place: usize) -> bool {
    match parts.head {
        Head::Operator(op) => !op.signature().literal_arguments.contains(&place),
        Head::Application => place > 0,
        _ => true,
    }
}

/// Whether `op` demands literals as arguments.
pub(super) fn takes_literals(op: Op) -> bool {
    !op.signature().literal_arguments.is_empty()
}

#[cfg(test)]
mod tests;
