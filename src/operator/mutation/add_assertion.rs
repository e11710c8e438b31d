//! Add assertion: a random one over the variables that are there.

use super::{MutationResult, Mutator};
use crate::generator::Scope;
use crate::operator::{Context, declarations};
use crate::random::FuzzRng;
use crate::smtlib::script::{Command, Script};

/// "We add a random assertion. When adding an assertion, we need to check the validity of the variables": the
/// assertion uses declared variables only, and at least one.
#[derive(Clone, Copy, Debug)]
pub struct AddAssertion;

impl Mutator for AddAssertion {
    fn name(&self) -> &'static str {
        "add-assertion"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        let scope = Scope::of(script);
        if scope.is_empty() {
            return MutationResult::Skipped;
        }
        let assertion = context.grammar.assertion(&mut script.terms, &scope, rng);
        script.commands.insert(declarations::assertion_point(script), Command::Assert(assertion));
        MutationResult::Mutated
    }
}
