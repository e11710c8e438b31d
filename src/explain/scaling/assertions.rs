//! Scaling by whole assertions: copies of all of them, each over variables of its own.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::smtlib::script::{Command, Declaration, Script};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId};

/// Makes the script ask for `copies` (at least 1) of its assertions at once; answers how many assertions it has then.
/// `None` if the script is more than one plain question (definitions, named terms, assumptions, levels), or if no
/// declared symbol occurs in it, so that copies would be the same.
pub(super) fn repeat(script: &mut Script, copies: u32) -> Option<f64> {
    let asserted: Vec<TermId> = script.assertions().collect();
    let declared: Vec<Declaration> = script.declarations().cloned().collect();
    let question = script.commands.iter().position(|command| *command == Command::CheckSat)?;
    let is_plain = |(place, command): (usize, &Command)| match command {
        Command::SetLogic(_) | Command::Declare(_) | Command::Other(_) => true,
        Command::Assert(_) => place < question,
        Command::CheckSat => place == question,
        _ => false,
    };
    let mut used = vec![false; script.terms.len()];
    script.terms.mark_used(asserted.iter().copied(), &mut used);
    let heads = || (0..).zip(&used).filter(|(_, used)| **used).map(|(index, _)| script.terms.head(TermId(index)));
    let occurs = heads().any(|head| matches!(head, Head::Constant(_) | Head::Function(_)));
    let names_terms = heads().any(|head| matches!(head, Head::Annotation(_)));
    if asserted.is_empty() || !occurs || names_terms || !script.commands.iter().enumerate().all(is_plain) {
        return None;
    }
    let mut taken = names(script);
    let mut added = Vec::new();
    for number in 2..=copies {
        let mut renamed: FxHashMap<Symbol, Symbol> = FxHashMap::default();
        for declaration in &declared {
            let name = fresh(declaration.name, number, &mut taken);
            renamed.insert(declaration.name, name);
            added.push(Command::Declare(Declaration { name, ..declaration.clone() }));
        }
        let renaming = |parts: Parts<'_>| match parts.head {
            Head::Constant(name) => renamed.get(&name).map(|&name| Head::Constant(name)),
            Head::Function(name) => renamed.get(&name).map(|&name| Head::Function(name)),
            _ => None,
        };
        let mut results: Vec<TermId> = (0..used.len() as u32).map(TermId).collect();
        for index in (0..used.len()).filter(|&index| used[index]) {
            let term = TermId(index as u32);
            let parts = script.terms.parts(term);
            let head = renaming(parts).unwrap_or(parts.head);
            let arguments: Vec<TermId> = parts.arguments.iter().map(|each| results[each.0 as usize]).collect();
            // Interning may move the pools that the slices point into.
            let (words, binders) = (parts.words.to_vec(), parts.binders.to_vec());
            let copy = Parts { head, sort: parts.sort, arguments: &arguments, words: &words, binders: &binders };
            results[index] = script.terms.intern(copy);
        }
        added.extend(asserted.iter().map(|root| Command::Assert(results[root.0 as usize])));
    }
    script.commands.splice(question..question, added);
    Some(asserted.len() as f64 * f64::from(copies))
}

/// All names in a script: declared, bound, or of symbols that are not understood; and the words of commands that are
/// kept as text.
fn names(script: &Script) -> FxHashSet<Symbol> {
    let mut names: FxHashSet<Symbol> = script.declarations().map(|each| each.name).collect();
    for index in 0..script.terms.len() as u32 {
        let parts = script.terms.parts(TermId(index));
        names.extend(parts.binders.iter().map(|(name, _)| *name));
        if let Head::Constant(name) | Head::Function(name) | Head::Bound(name) | Head::Verbatim(name) = parts.head {
            names.insert(name);
        }
    }
    for command in &script.commands {
        if let Command::Other(text) = command {
            let words = text.as_str().split(|c: char| c.is_whitespace() || "()|".contains(c));
            names.extend(words.map(Symbol::new));
        }
    }
    names
}

/// A name for copy `number` of `name` that nothing has yet.
fn fresh(name: Symbol, number: u32, taken: &mut FxHashSet<Symbol>) -> Symbol {
    let mut text = format!("{}_{number}", name.as_str());
    while !taken.insert(Symbol::new(&text)) {
        text.push('_');
    }
    Symbol::new(&text)
}
