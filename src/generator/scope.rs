//! Scope: the variables that a fresh term may use.

use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// The variables of each sort, as terms of one script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// By sort, in the order in which sorts came.
    variables: Vec<(Sort, Vec<TermId>)>,
}

impl Scope {
    /// The declared variables of `script`.
    pub fn of(script: &mut Script) -> Scope {
        let mut scope = Scope::default();
        for command in &script.commands {
            if let Command::Declare(declaration) = command
                && declaration.parameters.is_empty()
            {
                let variable = script.terms.constant(declaration.name, declaration.sort);
                scope.add(variable, declaration.sort);
            }
        }
        scope
    }

    /// Adds a variable.
    pub fn add(&mut self, variable: TermId, sort: Sort) {
        match self.variables.iter_mut().find(|(known, _)| *known == sort) {
            Some((_, variables)) => variables.push(variable),
            None => self.variables.push((sort, vec![variable])),
        }
    }

    /// The variables of a sort.
    #[inline]
    pub fn variables(&self, sort: Sort) -> &[TermId] {
        self.variables.iter().find(|(known, _)| *known == sort).map_or(&[], |(_, variables)| variables)
    }

    /// All variables, with their sorts.
    pub fn all(&self) -> impl Iterator<Item = (TermId, Sort)> + '_ {
        self.variables.iter().flat_map(|(sort, variables)| variables.iter().map(move |&variable| (variable, *sort)))
    }

    /// Whether there is no variable of any sort.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }
}
