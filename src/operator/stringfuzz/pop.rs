//! `pop`: one assertion less, the last one.

use crate::operator::mutation::{MutationResult, Mutator};
use crate::operator::{Context, declarations};
use crate::random::FuzzRng;
use crate::smtlib::script::Script;

/// The last assertion goes. One stays, unlike in `stringbreak`, because a script without assertions asks nothing.
#[derive(Clone, Copy, Debug)]
pub struct Pop;

impl Mutator for Pop {
    fn name(&self) -> &'static str {
        "pop"
    }

    fn mutate(&self, script: &mut Script, _: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        match *declarations::assertion_indices(script) {
            [.., _, last] => {
                script.commands.remove(last);
                MutationResult::Mutated
            }
            _ => MutationResult::Skipped,
        }
    }
}
