//! New variable: a fresh variable of a random sort, and an assertion that uses it.

use super::{MutationResult, Mutator};
use crate::generator::Scope;
use crate::operator::{Context, declarations};
use crate::random::FuzzRng;
use crate::smtlib::script::{Command, Script};

/// "We add a new type of variable, and generate a statement using the variable."
#[derive(Clone, Copy, Debug)]
pub struct NewVariable;

impl Mutator for NewVariable {
    fn name(&self) -> &'static str {
        "new-variable"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        let mut scope = Scope::of(script);
        let Some(sort) = context.grammar.variable_sort(&scope, rng) else { return MutationResult::Skipped };
        let name = declarations::fresh_name(script, |_| false);
        let variable = script.terms.constant(name, sort);
        scope.add(variable, sort);
        let assertion = context.grammar.assertion_using(&mut script.terms, &scope, variable, rng);
        let Some(assertion) = assertion else { return MutationResult::Skipped };
        script.commands.insert(declarations::assertion_point(script), Command::Assert(assertion));
        declarations::declare(script, name, sort);
        MutationResult::Mutated
    }
}
