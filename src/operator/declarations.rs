//! Declarations: keeping them in step with the assertions.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::smtlib::annotation::name_in;
use crate::smtlib::lexer::{Lexer, TokenKind};
use crate::smtlib::printer::write_symbol;
use crate::smtlib::script::{Command, Declaration, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// The symbols at the heads of the terms of a script's commands: variables, functions, and unknown identifiers.
pub fn used_symbols(script: &Script) -> FxHashSet<Symbol> {
    symbols_under(script, script.commands.iter().flat_map(Command::terms))
}

/// The symbols at the heads of the subterms of `roots`.
pub fn symbols_under(script: &Script, roots: impl Iterator<Item = TermId>) -> FxHashSet<Symbol> {
    let mut used = vec![false; script.terms.len()];
    script.terms.mark_used(roots, &mut used);
    let mut symbols = FxHashSet::default();
    for index in (0..used.len()).filter(|&index| used[index]) {
        match script.terms.head(TermId(index as u32)) {
            Head::Constant(name) | Head::Function(name) => {
                symbols.insert(name);
            }
            Head::Verbatim(text) => {
                symbols.insert(text);
                // `(_ as-array f)` uses f.
                symbols.extend(words_of(text).map(|(_, word)| word));
            }
            _ => {}
        }
    }
    symbols
}

/// The symbols that stand without arguments in a script's terms: variables, and functions that are given as values.
pub fn standing_alone(script: &Script) -> FxHashSet<Symbol> {
    let mut symbols = FxHashSet::default();
    for index in 0..script.terms.len() as u32 {
        match script.terms.head(TermId(index)) {
            Head::Constant(name) => {
                symbols.insert(name);
            }
            Head::Verbatim(text) => symbols.extend(words_of(text).map(|(_, word)| word)),
            _ => {}
        }
    }
    symbols
}

/// The symbols in text that is kept as it is written, each with the place where it stands.
pub(super) fn words_of(text: Symbol) -> impl Iterator<Item = (Range<usize>, Symbol)> {
    let text = text.as_str();
    let mut lexer = Lexer::new(text, false);
    std::iter::from_fn(move || {
        loop {
            let token = lexer.next_token().ok()?;
            let place = token.start as usize..token.end as usize;
            match token.kind {
                TokenKind::End => return None,
                TokenKind::Symbol => return Some((place.clone(), Symbol::new(&text[place]))),
                TokenKind::QuotedSymbol => {
                    return Some((place.clone(), Symbol::new(&text[place.start + 1..place.end - 1])));
                }
                _ => {}
            }
        }
    })
}

/// Text that is kept as it is written, with other names for some of its symbols.
pub(super) fn renamed_words(text: Symbol, names: &FxHashMap<Symbol, Symbol>) -> Symbol {
    let mut renamed = String::new();
    let mut done = 0;
    for (place, word) in words_of(text) {
        if let Some(new) = names.get(&word) {
            renamed.push_str(&text.as_str()[done..place.start]);
            // Writing to a string cannot fail.
            let _ = write_symbol(&mut renamed, new.as_str());
            done = place.end;
        }
    }
    if done == 0 {
        return text;
    }
    renamed.push_str(&text.as_str()[done..]);
    Symbol::new(&renamed)
}

/// Drops the declarations and definitions that no assertion needs, and what the script said about its status, which a
/// change makes a lie.
pub fn tidy(script: &mut Script) {
    drop_unused(script);
    script.commands.retain(|command| !matches!(command, Command::Other(text) if is_status(*text)));
}

/// Drops the declarations and definitions that no assertion needs.
pub fn drop_unused(script: &mut Script) {
    let mut roots: Vec<TermId> = Vec::new();
    let mut verbatim: Vec<Symbol> = Vec::new();
    let mut defines = false;
    for command in &script.commands {
        match command {
            Command::Assert(term) => roots.push(*term),
            Command::CheckSatAssuming(list) | Command::GetValue(list) => roots.extend_from_slice(list),
            Command::Define(_) | Command::DefineRecursive(_) => defines = true,
            Command::Other(text) => verbatim.push(*text),
            _ => {}
        }
    }
    let used = if defines { symbols_with_definitions(script, roots) } else { symbols_under(script, roots.into_iter()) };
    // A command that is kept as text may name anything.
    let is_used = |name: Symbol| used.contains(&name) || verbatim.iter().any(|text| has_word(*text, name));
    let script_terms = &script.terms;
    script.commands.retain(|command| match command {
        Command::Declare(declaration) => is_used(declaration.name),
        Command::Define(definition) => is_used(definition.name) || names_one_of(script_terms, definition.body, &used),
        Command::DefineRecursive(list) => list.iter().any(|each| is_used(each.name)),
        _ => true,
    });
}

/// The symbols under `roots`, and under the bodies of the definitions that those need.
fn symbols_with_definitions(script: &Script, mut roots: Vec<TermId>) -> FxHashSet<Symbol> {
    let mut expanded: FxHashSet<Symbol> = FxHashSet::default();
    loop {
        let symbols = symbols_under(script, roots.iter().copied());
        let before = roots.len();
        for command in &script.commands {
            match command {
                Command::Define(each)
                    if (symbols.contains(&each.name) || names_one_of(&script.terms, each.body, &symbols))
                        && expanded.insert(each.name) =>
                {
                    roots.push(each.body);
                }
                Command::DefineRecursive(list)
                    if list.iter().any(|each| symbols.contains(&each.name))
                        && list.first().is_some_and(|first| expanded.insert(first.name)) =>
                {
                    roots.extend(list.iter().map(|each| each.body));
                }
                _ => {}
            }
        }
        if roots.len() == before {
            return symbols;
        }
    }
}

/// Whether a term inside `body` has a name (`:named`) that is one of `symbols`.
fn names_one_of(terms: &Terms, body: TermId, symbols: &FxHashSet<Symbol>) -> bool {
    let mut used = vec![false; body.0 as usize + 1];
    terms.mark_used(std::iter::once(body), &mut used);
    let annotations =
        (0..).zip(used).filter(|(_, used)| *used).filter_map(|(index, _)| match terms.head(TermId(index)) {
            Head::Annotation(text) => Some(text),
            _ => None,
        });
    annotations.filter_map(|text| name_in(text.as_str())).any(|name| symbols.contains(&name))
}

/// Whether a command that is kept as text has `name` as a word.
fn has_word(command: Symbol, name: Symbol) -> bool {
    let separates = |character: char| character.is_whitespace() || "()|\"".contains(character);
    // A name that is no single word needs bars; it is looked for as it is.
    if name.as_str().is_empty() || name.as_str().contains(separates) {
        return command.as_str().contains(name.as_str());
    }
    command.as_str().split(separates).any(|word| word == name.as_str())
}

/// Whether a command is `(set-info :status …)`.
pub fn is_status(command: Symbol) -> bool {
    let mut words =
        command.as_str().split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
    words.next() == Some("set-info") && words.next() == Some(":status")
}

/// The declared variables of a script (declarations without parameters), in order.
pub fn variables(script: &Script) -> Vec<(Symbol, Sort)> {
    script.declarations().filter(|each| each.parameters.is_empty()).map(|each| (each.name, each.sort)).collect()
}

/// A name `varN` that nothing in `script` has, nor `taken` refuses.
pub fn fresh_name(script: &Script, mut taken: impl FnMut(Symbol) -> bool) -> Symbol {
    let names = taken_names(script);
    untaken_name(|name| names.contains(&name) || taken(name))
}

/// The first name `varN` that `taken` does not refuse.
pub fn untaken_name(mut taken: impl FnMut(Symbol) -> bool) -> Symbol {
    let mut number = 0_u32;
    loop {
        let name = Symbol::new(&format!("var{number}"));
        if !taken(name) {
            return name;
        }
        number += 1;
    }
}

/// The names that a new variable of `script` cannot have.
pub fn taken_names(script: &Script) -> FxHashSet<Symbol> {
    let mut names: FxHashSet<Symbol> = used_symbols(script);
    for command in &script.commands {
        match command {
            Command::Declare(declaration) => {
                names.insert(declaration.name);
            }
            Command::Define(definition) => {
                names.insert(definition.name);
            }
            Command::DefineRecursive(list) => names.extend(list.iter().map(|each| each.name)),
            _ => {}
        }
    }
    // A bound variable of the same name would capture the new one.
    for index in 0..script.terms.len() as u32 {
        let parts = script.terms.parts(TermId(index));
        names.extend(parts.binders.iter().map(|(name, _)| *name));
    }
    names
}

/// Where new declarations and definitions go: before the first command that they could serve.
pub fn declaration_point(script: &Script) -> usize {
    let serves = |command: &Command| {
        matches!(
            command,
            Command::Assert(_)
                | Command::CheckSat
                | Command::CheckSatAssuming(_)
                | Command::Push(_)
                | Command::Pop(_)
                | Command::GetValue(_)
        )
    };
    script.commands.iter().position(serves).unwrap_or(script.commands.len())
}

/// Where a new assertion goes: after the last one that the first check sees.
pub fn assertion_point(script: &Script) -> usize {
    let is_check = |command: &Command| matches!(command, Command::CheckSat | Command::CheckSatAssuming(_));
    let end = script.commands.iter().position(is_check).unwrap_or(script.commands.len());
    let last = script.commands[..end].iter().rposition(|command| matches!(command, Command::Assert(_)));
    last.map_or(end, |last| last + 1)
}

/// Adds the declaration of a variable.
pub fn declare(script: &mut Script, name: Symbol, sort: Sort) {
    let at = declaration_point(script);
    script.commands.insert(at, Command::Declare(Declaration { name, parameters: Vec::new(), sort }));
}

/// The indices of the `assert` commands.
pub fn assertion_indices(script: &Script) -> Vec<usize> {
    let is_assertion = |index: &usize| matches!(script.commands[*index], Command::Assert(_));
    (0..script.commands.len()).filter(is_assertion).collect()
}
