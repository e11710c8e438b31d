//! Scopes: which bound variables may be used at a position (local compatibility, Definition 2).

use crate::operator::position::Position;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms, pattern_binds};

/// The variables that the binders above a position introduce, without those that an inner binder hides.
///
/// They are collected from the parent of the replaced expression upwards, as in section 3.3 of the paper: what the
/// replaced expression itself binds is gone with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    variables: Vec<(Symbol, Sort)>,
}

impl Scope {
    /// The scope at a position.
    pub(super) fn at(script: &Script, position: &Position) -> Self {
        let mut scope = Scope::default();
        let Some(Command::Assert(root)) = script.commands.get(position.command) else { return scope };
        let mut term = *root;
        for &argument in &position.path {
            scope.enter(&script.terms, term, argument as usize);
            let Some(&next) = script.terms.arguments(term).get(argument as usize) else { break };
            term = next;
        }
        scope
    }

    /// Goes from `parent` into its argument number `place`.
    fn enter(&mut self, terms: &Terms, parent: TermId, place: usize) {
        let parts = terms.parts(parent);
        match parts.head {
            // The bound terms are outside the scope of their names.
            Head::Let if place + 1 < parts.arguments.len() => {}
            Head::Match => {
                let Some((pattern, _)) = place.checked_sub(1).and_then(|arm| parts.binders.get(arm)) else { return };
                let binds = |name: Symbol| pattern_binds(pattern.as_str(), name.as_str());
                self.variables.retain(|&(name, _)| !binds(name));
                // A pattern is text, which does not say the sorts: they are those of the variables' uses.
                self.variables.extend(terms.free(parts.arguments[place]).filter(|&(name, _)| binds(name)));
            }
            _ if !parts.binders.is_empty() => {
                self.variables.retain(|&(name, _)| parts.binders.iter().all(|binder| binder.0 != name));
                self.variables.extend_from_slice(parts.binders);
            }
            _ => {}
        }
    }

    /// Whether nothing is bound here.
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Whether all variables that occur free in a term are bound here.
    pub(super) fn admits(&self, terms: &Terms, term: TermId) -> bool {
        terms.is_closed(term) || terms.free(term).all(|variable| self.variables.contains(&variable))
    }
}
