//! Interpretations: what a script's symbols stand for, and what partial operations yield where the standard is silent.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::value::Value;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

/// The variable that marks a quantifier of the interpretation's arena as a function: only models give a
/// `lambda` a value, so that their reader writes `(exists ((lambda Bool) (x S)) t)` for `(lambda ((x S)) t)`.
pub(super) const LAMBDA: &str = "lambda";

/// The operations whose value the standard leaves free at some arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Partial {
    /// `(div a 0)`.
    Div,
    /// `(mod a 0)`.
    Mod,
    /// `(/ a 0.0)`.
    Divide,
    /// Z3's `(rem a 0)`.
    Rem,
    /// `(seq.nth s i)` outside of the sequence.
    Nth,
}

impl Partial {
    /// All of them.
    pub const ALL: [Partial; 5] = [Partial::Div, Partial::Mod, Partial::Divide, Partial::Rem, Partial::Nth];

    /// The name under which Z3's models give its free points.
    pub fn name(self) -> &'static str {
        match self {
            Partial::Div => "div0",
            Partial::Mod => "mod0",
            Partial::Divide => "/0",
            Partial::Rem => "rem0",
            Partial::Nth => "seq.nth_u",
        }
    }

    /// The operation whose free points Z3's models give under this name.
    pub fn named(name: &str) -> Option<Partial> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }
}

/// A function, as far as an interpretation says what it is.
#[derive(Clone, Debug)]
pub enum Function {
    /// Its values at some arguments, and at all others.
    Table {
        /// The values that are listed.
        entries: BTreeMap<Vec<Value>, Value>,
        /// The value at all other arguments; none if nothing is said of them.
        default: Option<Value>,
    },
    /// A term over parameters, as models give it.
    Body {
        /// The parameters' names in the body, and their sorts.
        parameters: Vec<(Symbol, Sort)>,
        /// The body: a term of [`Interpretation::terms`].
        body: TermId,
    },
}

/// What the symbols of a script stand for.
#[derive(Clone, Debug, Default)]
pub struct Interpretation {
    values: FxHashMap<Symbol, Value>,
    functions: FxHashMap<Symbol, Function>,
    free: FxHashMap<Partial, Function>,
    universes: FxHashMap<Sort, Vec<Value>>,
    terms: Terms,
}

impl Interpretation {
    /// One that says nothing of any symbol.
    pub fn new() -> Self {
        Self::default()
    }

    /// One whose functions' bodies are terms of this arena.
    pub fn over(terms: Terms) -> Self {
        Interpretation { terms, ..Self::default() }
    }

    /// The arena of the functions' bodies.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The value of a constant.
    pub fn value(&self, name: Symbol) -> Option<&Value> {
        self.values.get(&name)
    }

    /// Gives a constant a value.
    pub fn set(&mut self, name: Symbol, value: Value) {
        self.values.insert(name, value);
    }

    /// What a function is, or a constant that is given as a term.
    pub fn function(&self, name: Symbol) -> Option<&Function> {
        self.functions.get(&name)
    }

    /// Says what a function is.
    pub fn set_function(&mut self, name: Symbol, function: Function) {
        self.functions.insert(name, function);
    }

    /// Says nothing any more of a function, or of a constant that is given as a term.
    pub(super) fn forget_function(&mut self, name: Symbol) {
        self.functions.remove(&name);
    }

    /// Adds one value to a function's table, which begins here if the function has none.
    pub fn set_at(&mut self, name: Symbol, arguments: Vec<Value>, value: Value) {
        let empty = || Function::Table { entries: BTreeMap::new(), default: None };
        if let Function::Table { entries, .. } = self.functions.entry(name).or_insert_with(empty) {
            entries.insert(arguments, value);
        }
    }

    /// What a partial operation is at its free points.
    pub fn free(&self, operation: Partial) -> Option<&Function> {
        self.free.get(&operation)
    }

    /// Says what a partial operation is at its free points.
    pub fn set_free(&mut self, operation: Partial, function: Function) {
        self.free.insert(operation, function);
    }

    /// All elements of an uninterpreted sort, if the interpretation lists them.
    pub fn universe(&self, sort: Sort) -> Option<&[Value]> {
        self.universes.get(&sort).map(Vec::as_slice)
    }

    /// Adds an element to the universe of its sort.
    pub fn add_element(&mut self, sort: Sort, name: Symbol) {
        let element = Value::Abstract(sort, name);
        self.universes.entry(sort).or_default().push(element.clone());
        self.set(name, element);
    }

    /// The values of all constants, by name.
    pub fn values(&self) -> Vec<(Symbol, &Value)> {
        let mut values: Vec<(Symbol, &Value)> = self.values.iter().map(|(&name, value)| (name, value)).collect();
        values.sort_unstable_by_key(|(name, _)| *name);
        values
    }

    /// The functions and the constants that are given as terms, by name.
    pub fn functions(&self) -> Vec<(Symbol, &Function)> {
        let mut functions: Vec<(Symbol, &Function)> = self.functions.iter().map(|(&name, it)| (name, it)).collect();
        functions.sort_unstable_by_key(|(name, _)| *name);
        functions
    }

    /// Gives every declared constant and function that has no value yet the default one of its sort: what a solver
    /// leaves out of a model may be anything. Sorts that the script does not declare as uninterpreted get theirs only
    /// from a theory.
    pub fn complete(&mut self, script: &Script) {
        let datatypes = script.declares_datatypes();
        for declaration in script.declarations() {
            let name = declaration.name;
            if self.values.contains_key(&name) {
                continue;
            }
            let uninterpreted = self.universe(declaration.sort).and_then(<[Value]>::first).cloned();
            let Some(value) = uninterpreted.clone().or_else(|| Value::default_of(declaration.sort)) else { continue };
            // A default may have elements that a listed universe lacks.
            let outside = uninterpreted.is_none() && !self.universes.is_empty();
            if (datatypes || outside) && mentions_unknown(declaration.sort) {
                continue;
            }
            if declaration.parameters.is_empty() {
                if !self.functions.contains_key(&name) {
                    self.set(name, value);
                }
                continue;
            }
            let empty = || Function::Table { entries: BTreeMap::new(), default: None };
            if let Function::Table { default, .. } = self.functions.entry(name).or_insert_with(empty) {
                default.get_or_insert(value);
            }
        }
    }
}

/// Whether the sort has a part that is of no theory.
fn mentions_unknown(sort: Sort) -> bool {
    let expression = sort.expression();
    !crate::smtlib::signature::table().sort_names().contains(&expression.name)
        || expression.arguments.iter().any(|&argument| mentions_unknown(argument))
}

#[cfg(test)]
mod tests;
