//! What a script itself says of its symbols: definitions, and the names of terms.

use rustc_hash::FxHashMap;

use crate::smtlib::annotation::name_in;
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// The definitions and named terms of a script. Which `push` level they belong to is not told apart: a name that has
/// two meanings has none.
#[derive(Debug, Default)]
pub(super) struct Symbols<'a> {
    definitions: FxHashMap<Symbol, Vec<&'a Definition>>,
    named: FxHashMap<Symbol, Option<TermId>>,
    /// The declared names, and whether they have one declaration only.
    declared: FxHashMap<Symbol, bool>,
}

/// What a script defines a symbol as.
#[derive(Clone, Copy, Debug)]
pub(super) enum Defined<'a> {
    Once(&'a Definition),
    /// Differently at different places.
    Ambiguously,
    Not,
}

impl<'a> Symbols<'a> {
    pub(super) fn of(script: &'a Script) -> Self {
        let mut symbols = Symbols::default();
        for command in &script.commands {
            match command {
                Command::Declare(declaration) => {
                    let same = |one: &&Command| matches!(one, Command::Declare(it) if it.name == declaration.name && it != declaration);
                    let once = !symbols.declared.contains_key(&declaration.name)
                        || !script.commands.iter().any(|one| same(&one));
                    symbols.declared.insert(declaration.name, once);
                }
                Command::Define(definition) => symbols.define(definition),
                Command::DefineRecursive(list) => list.iter().for_each(|definition| symbols.define(definition)),
                _ => {}
            }
        }
        for term in (0..script.terms.len()).map(|number| TermId(number as u32)) {
            let Head::Annotation(attributes) = script.terms.head(term) else { continue };
            let Some(name) = name_in(attributes.as_str()) else { continue };
            let value = script.terms.arguments(term).first().copied().filter(|&value| script.terms.is_closed(value));
            let known = symbols.named.entry(name).or_insert(value);
            if *known != value {
                *known = None;
            }
        }
        symbols
    }

    fn define(&mut self, definition: &'a Definition) {
        let known = self.definitions.entry(definition.name).or_default();
        if !known.contains(&definition) {
            known.push(definition);
        }
    }

    /// The definition of a symbol with parameters of these sorts.
    pub(super) fn defined(&self, name: Symbol, sorts: &[Sort]) -> Defined<'a> {
        let Some(known) = self.definitions.get(&name) else { return Defined::Not };
        let fits = |definition: &&&Definition| {
            let parameters = &definition.parameters;
            let same = |(&(_, parameter), &sort): (&(Symbol, Sort), &Sort)| parameter == sort || sort == Sort::UNKNOWN;
            parameters.len() == sorts.len() && parameters.iter().zip(sorts).all(same)
        };
        let mut fitting = known.iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(definition), None) => Defined::Once(definition),
            (None, _) => Defined::Not,
            (Some(_), Some(_)) => Defined::Ambiguously,
        }
    }

    /// Whether the script declares this name.
    pub(super) fn is_declared(&self, name: Symbol) -> bool {
        self.declared.contains_key(&name)
    }

    /// Whether the script declares this name with several signatures: an interpretation, which knows names alone, cannot
    /// speak of one of them.
    pub(super) fn is_overloaded(&self, name: Symbol) -> bool {
        self.declared.get(&name) == Some(&false)
    }

    /// The closed term that `:named` gives this name.
    pub(super) fn named(&self, name: Symbol) -> Option<TermId> {
        self.named.get(&name).copied().flatten()
    }
}
