//! Delete variable: other variables of its sort take its places.

use super::{MutationResult, Mutator};
use crate::operator::{Context, declarations};
use crate::random::{FuzzRng, pick};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::term::TermId;

/// "We delete a variable and replace the place where the variable is used in the assert statement with other
/// variables"; one of each sort stays.
#[derive(Clone, Copy, Debug)]
pub struct DeleteVariable;

impl Mutator for DeleteVariable {
    fn name(&self) -> &'static str {
        "delete-variable"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        let variables = declarations::variables(script);
        let has_other = |&&(name, sort): &&(_, _)| variables.iter().any(|&(other, own)| own == sort && other != name);
        let deletable: Vec<_> = variables.iter().filter(has_other).copied().collect();
        let Some(&(name, sort)) = pick(rng, &deletable) else { return MutationResult::Skipped };
        let others: Vec<TermId> = variables
            .iter()
            .filter(|&&(other, own)| own == sort && other != name)
            .map(|&(other, _)| script.terms.constant(other, sort))
            .collect();
        let deleted = script.terms.constant(name, sort);
        let Script { commands, terms } = script;
        // Definitions may be used by several assertions and cannot name a variable that is declared after them, so
        // the choice for them is the first variable that is declared; assertions choose each for themselves.
        let first = others[0];
        for command in commands.iter_mut() {
            match command {
                Command::Assert(root) => {
                    let Some(&other) = pick(rng, &others) else { return MutationResult::Skipped };
                    *root = terms.substitute(*root, |_, term| (term == deleted).then_some(other));
                }
                Command::Define(definition) => {
                    definition.body = terms.substitute(definition.body, |_, term| (term == deleted).then_some(first));
                }
                Command::DefineRecursive(list) => {
                    for definition in list {
                        definition.body =
                            terms.substitute(definition.body, |_, term| (term == deleted).then_some(first));
                    }
                }
                Command::CheckSatAssuming(list) | Command::GetValue(list) => {
                    for term in list {
                        *term = terms.substitute(*term, |_, inner| (inner == deleted).then_some(first));
                    }
                }
                _ => {}
            }
        }
        commands.retain(|command| !matches!(command, Command::Declare(each) if each.name == name));
        hoist_declarations(commands);
        MutationResult::Mutated
    }
}

/// Moves the declarations of variables of built-in sorts before the first definition, so that any may be named there.
fn hoist_declarations(commands: &mut Vec<Command>) {
    let is_definition = |command: &Command| matches!(command, Command::Define(_) | Command::DefineRecursive(_));
    let Some(first) = commands.iter().position(is_definition) else { return };
    let mut target = first;
    for index in first..commands.len() {
        if matches!(&commands[index], Command::Declare(each) if each.parameters.is_empty()) {
            let declaration = commands.remove(index);
            commands.insert(target, declaration);
            target += 1;
        }
    }
}
