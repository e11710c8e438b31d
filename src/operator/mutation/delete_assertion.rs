//! Delete assertion: any but the last one left.

use super::{MutationResult, Mutator};
use crate::operator::{Context, declarations};
use crate::random::{FuzzRng, pick};
use crate::smtlib::script::Script;

/// "We delete an assertion randomly"; one stays, because a script without assertions asks nothing.
#[derive(Clone, Copy, Debug)]
pub struct DeleteAssertion;

impl Mutator for DeleteAssertion {
    fn name(&self) -> &'static str {
        "delete-assertion"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        let assertions = declarations::assertion_indices(script);
        match pick(rng, &assertions) {
            Some(&index) if assertions.len() >= 2 => {
                script.commands.remove(index);
                MutationResult::Mutated
            }
            _ => MutationResult::Skipped,
        }
    }
}
