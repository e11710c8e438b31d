//! `add`: one more assertion, at the end.

use crate::generator::{Scope, is_about_strings};
use crate::operator::mutation::{MutationResult, Mutator};
use crate::operator::{Context, declarations};
use crate::random::FuzzRng;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;

/// `stringbreak` adds to scripts of fewer commands only.
const MOST_COMMANDS: usize = 20;

/// A fresh assertion behind the others, over one variable of each sort: those of the script, or new ones where it has none
/// any more.
#[derive(Clone, Copy, Debug)]
pub struct Add;

impl Mutator for Add {
    fn name(&self) -> &'static str {
        "add"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        if script.commands.len() >= MOST_COMMANDS {
            return MutationResult::Skipped;
        }
        let mut scope = Scope::of(script);
        if is_about_strings(context.fragment) {
            for sort in [Sort::STRING, Sort::INT, Sort::BOOL] {
                if scope.variables(sort).is_empty() {
                    let name = declarations::fresh_name(script, |_| false);
                    scope.add(script.terms.constant(name, sort), sort);
                    // If the assertion does not use it, it goes again.
                    declarations::declare(script, name, sort);
                }
            }
        }
        if scope.is_empty() {
            return MutationResult::Skipped;
        }
        let assertion = context.grammar.assertion(&mut script.terms, &scope, rng);
        script.commands.insert(declarations::assertion_point(script), Command::Assert(assertion));
        MutationResult::Mutated
    }
}
