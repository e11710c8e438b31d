//! What `let`s, quantifiers and parameters bind, and the outcomes that depend on it.

use rustc_hash::FxHashMap;

use super::Outcome;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;

/// The open scopes of one context. Depths count from 1.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// For each name, the depths that bind it and to what, the innermost last.
    bindings: FxHashMap<Symbol, Vec<(u32, Outcome)>>,
    scopes: Vec<Scope>,
}

#[derive(Debug, Default)]
struct Scope {
    names: Vec<Symbol>,
    kept: FxHashMap<TermId, Outcome>,
}

impl Scopes {
    /// Opens a scope. Of a name that is bound twice, the last binding counts.
    pub(super) fn open(&mut self, bindings: impl Iterator<Item = (Symbol, Outcome)>) {
        let depth = self.scopes.len() as u32 + 1;
        let mut scope = Scope::default();
        for (name, outcome) in bindings {
            self.bindings.entry(name).or_default().push((depth, outcome));
            scope.names.push(name);
        }
        self.scopes.push(scope);
    }

    /// Closes the innermost scope.
    pub(super) fn close(&mut self) {
        for name in self.scopes.pop().unwrap_or_default().names {
            if let Some(bindings) = self.bindings.get_mut(&name) {
                bindings.pop();
            }
        }
    }

    /// What the name stands for.
    pub(super) fn get(&self, name: Symbol) -> Option<&Outcome> {
        self.bindings.get(&name)?.last().map(|(_, outcome)| outcome)
    }

    /// The depth of the innermost scope that binds the name.
    pub(super) fn depth(&self, name: Symbol) -> Option<u32> {
        self.bindings.get(&name)?.last().map(|(depth, _)| *depth)
    }

    /// The outcome that the scope of this depth keeps of a term.
    pub(super) fn kept(&self, depth: u32, term: TermId) -> Option<Outcome> {
        self.scopes.get(depth as usize - 1)?.kept.get(&term).cloned()
    }

    /// Keeps an outcome until the scope of this depth closes.
    pub(super) fn keep(&mut self, depth: u32, term: TermId, outcome: Outcome) {
        if let Some(scope) = self.scopes.get_mut(depth as usize - 1) {
            scope.kept.insert(term, outcome);
        }
    }
}
