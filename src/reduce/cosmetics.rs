//! The last step: short names, and no logic if it is not needed; checked once, together, with the result.

use rustc_hash::FxHashMap;

use super::search::{Search, Stop};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

impl Search<'_> {
    /// Polishes the best script, and makes sure that the result has the property wholly. If the polished form has not,
    /// less is polished, and at last nothing. Returns whether all that was accepted before stands.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn polish(&mut self, keep_logic: bool, keep_names: bool) -> Result<bool, Stop> {
        let plain = self.best().clone();
        let mut tried: Vec<Script> = vec![];
        for (logic, names) in [(keep_logic, keep_names), (true, keep_names), (keep_logic, true), (true, true)] {
            let mut candidate = plain.clone();
            if !logic {
                candidate.commands.retain(|command| !matches!(command, Command::SetLogic(_)));
            }
            if !names {
                candidate = renamed(&candidate);
            }
            if candidate.commands == plain.commands {
                break;
            }
            if !tried.contains(&candidate) {
                if self.attempt_wholly(&candidate)? {
                    return Ok(true);
                }
                // It may be what was polished that lacks it.
                if !self.settle()? {
                    return Ok(false);
                }
                tried.push(candidate);
            }
        }
        self.settle()
    }
}

/// The script with its declared symbols called `a`, `b`, `c`… in the order of their declarations.
pub fn renamed(script: &Script) -> Script {
    let taken: Vec<Symbol> = kept_names(script);
    let mut names = short_names().filter(|name| !taken.contains(name));
    let mut map: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    for command in &script.commands {
        if let Command::Declare(declaration) = command
            && let Some(name) = names.next()
        {
            map.insert(declaration.name, name);
        }
    }
    let verbatim = script.commands.iter().any(|command| matches!(command, Command::Other(text) if !text.as_str().starts_with("(set-") && !text.as_str().starts_with("(get-")));
    if verbatim {
        // A command that is kept as text may name anything.
        return script.clone();
    }
    let mut script = script.clone();
    rename(&mut script, &map);
    script
}

/// Gives declared symbols other names, none of which the script may have already.
#[expect(clippy::implicit_hasher, reason = "the project has one hasher")]
pub fn rename(script: &mut Script, map: &FxHashMap<Symbol, Symbol>) {
    let results = renamed_terms(&mut script.terms, map);
    for command in &mut script.commands {
        if let Command::Declare(declaration) = command {
            declaration.name = map.get(&declaration.name).copied().unwrap_or(declaration.name);
        }
        for term in command.terms_mut() {
            *term = results[term.0 as usize];
        }
    }
    *script = script.compacted();
}

fn renamed_terms(terms: &mut Terms, map: &FxHashMap<Symbol, Symbol>) -> Vec<TermId> {
    let mut results: Vec<TermId> = Vec::with_capacity(terms.len());
    for index in 0..terms.len() as u32 {
        let parts = terms.parts(TermId(index));
        let head = match parts.head {
            Head::Constant(name) => Head::Constant(map.get(&name).copied().unwrap_or(name)),
            Head::Function(name) => Head::Function(map.get(&name).copied().unwrap_or(name)),
            other => other,
        };
        let arguments: Vec<TermId> = parts.arguments.iter().map(|argument| results[argument.0 as usize]).collect();
        let (words, binders, sort) = (parts.words.to_vec(), parts.binders.to_vec(), parts.sort);
        results.push(terms.intern(Parts { head, sort, arguments: &arguments, words: &words, binders: &binders }));
    }
    results
}

/// Names that are not declarations': a new name must not be one of them.
fn kept_names(script: &Script) -> Vec<Symbol> {
    let mut names: Vec<Symbol> = Vec::new();
    for index in 0..script.terms.len() as u32 {
        names.extend(script.terms.parts(TermId(index)).binders.iter().map(|(name, _)| *name));
    }
    for command in &script.commands {
        match command {
            Command::Define(each) => names.push(each.name),
            Command::DefineRecursive(list) => names.extend(list.iter().map(|each| each.name)),
            _ => {}
        }
    }
    names
}

/// `a` to `z`, then `aa`, `ab`…
fn short_names() -> impl Iterator<Item = Symbol> {
    (0_usize..).map(|number| {
        let mut rest = number;
        let mut name = String::new();
        loop {
            name.insert(0, char::from(b'a' + (rest % 26) as u8));
            rest /= 26;
            if rest == 0 {
                break;
            }
            rest -= 1;
        }
        Symbol::new(&name)
    })
}
