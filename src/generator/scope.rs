//! Scope: the variables that a fresh term may use.

use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// The sorts that the string generator makes terms of, in the order of its tables.
pub(super) const SORTS: [Sort; 4] = [Sort::BOOL, Sort::INT, Sort::STRING, Sort::REGLAN];

/// The variables of each sort, as terms of one script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    variables: [Vec<TermId>; SORTS.len()],
}

impl Scope {
    /// The declared variables of `script`.
    pub fn of(script: &mut Script) -> Scope {
        let mut scope = Scope::default();
        for command in &script.commands {
            if let Command::Declare(declaration) = command
                && declaration.parameters.is_empty()
                && let Some(sort) = index_of(declaration.sort)
            {
                scope.variables[sort].push(script.terms.constant(declaration.name, declaration.sort));
            }
        }
        scope
    }

    /// Adds a variable; one of another sort than the generator's is ignored.
    pub fn add(&mut self, variable: TermId, sort: Sort) {
        if let Some(sort) = index_of(sort) {
            self.variables[sort].push(variable);
        }
    }

    /// The variables of a sort.
    pub fn variables(&self, sort: Sort) -> &[TermId] {
        index_of(sort).map_or(&[], |sort| &self.variables[sort])
    }

    /// Whether there is no variable of any sort.
    pub fn is_empty(&self) -> bool {
        self.variables.iter().all(Vec::is_empty)
    }

    pub(super) fn of_index(&self, sort: usize) -> &[TermId] {
        &self.variables[sort]
    }
}

/// The position of a sort in [`SORTS`].
pub(super) fn index_of(sort: Sort) -> Option<usize> {
    SORTS.iter().position(|&each| each == sort)
}
