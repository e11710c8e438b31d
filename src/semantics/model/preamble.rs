//! What stands before a model's definitions, so that our parser can read them: sorts and declarations.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use crate::smtlib::printer::write_symbol;
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;

/// The sorts of the elements that have names such as `@uc_A_0` or `@A_0`: they have the sort's name in them.
pub(super) fn elements(names: &FxHashSet<&str>, script: &Script) -> Vec<(Symbol, Sort)> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_unstable();
    let sort_of = |name: &str| {
        let inside = name.strip_prefix("@uc_").or_else(|| name.strip_prefix('@'))?;
        let (sort, _) = inside.rsplit_once('_')?;
        let declared = format!("(declare-sort {sort} ");
        let is_declared = |command: &Command| match command {
            Command::Other(text) => text.as_str().starts_with(&declared),
            _ => false,
        };
        let known = script.commands.iter().any(is_declared);
        known.then(|| (Symbol::new(name), Sort::named(Symbol::new(sort))))
    };
    names.into_iter().filter_map(sort_of).collect()
}

/// The commands before those of the model, and how many they are: sorts and declarations of the script, elements,
/// prototypes.
pub(super) fn preamble(script: &Script, elements: &[(Symbol, Sort)], prototypes: &[String]) -> (String, usize) {
    let mut commands: Vec<String> = Vec::new();
    for command in &script.commands {
        match command {
            Command::Other(text) => {
                let declares = ["(declare-sort", "(define-sort", "(declare-datatype"];
                if declares.iter().any(|start| text.as_str().starts_with(start)) {
                    commands.push(text.to_string());
                }
            }
            Command::Declare(it) => commands.push(declaration(it.name, &it.parameters, it.sort)),
            Command::Define(it) => commands.push(declaration(it.name, &sorts(it), it.sort)),
            Command::DefineRecursive(list) => {
                commands.extend(list.iter().map(|it| declaration(it.name, &sorts(it), it.sort)));
            }
            _ => {}
        }
    }
    commands.extend(elements.iter().map(|&(name, sort)| declaration(name, &[], sort)));
    commands.extend_from_slice(prototypes);
    let count = commands.len();
    (commands.join("\n") + "\n", count)
}

fn declaration(name: Symbol, parameters: &[Sort], sort: Sort) -> String {
    let mut out = String::from("(declare-fun ");
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    // Writing to a string cannot fail.
    let _ = write_symbol(&mut out, name.as_str());
    let _ = write!(out, " ({}) {sort})", parameters.join(" "));
    out
}

fn sorts(definition: &Definition) -> Vec<Sort> {
    definition.parameters.iter().map(|&(_, sort)| sort).collect()
}
