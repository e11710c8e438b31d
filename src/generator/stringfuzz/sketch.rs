//! A script in the making: string variables, then assertions over them.

use super::super::Generator;
use super::super::literal::characters;
use super::{InvalidParameters, Recipe};
use crate::random::FuzzRng;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Declaration, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

/// What a script looks like, apart from the random choices in it.
pub(super) trait Shape: Clone + Send + Sync + std::fmt::Debug + 'static {
    /// The name of the kind of script.
    const NAME: &'static str;

    /// Checks that the parameters fit together.
    fn check(&self) -> Result<(), InvalidParameters> {
        Ok(())
    }

    /// Declares the variables and makes the assertions of a fresh script.
    fn draw(&self, sketch: &mut Sketch<'_>);
}

impl<S: Shape> Recipe for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn prepare(&self, fragment: &Fragment) -> Result<Box<dyn Generator>, InvalidParameters> {
        self.check()?;
        Ok(Box::new(Sketched { shape: self.clone(), logic: fragment.logic }))
    }
}

/// A generator of scripts of one shape.
#[derive(Debug)]
struct Sketched<S> {
    shape: S,
    logic: Symbol,
}

impl<S: Shape> Generator for Sketched<S> {
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        script.commands.clear();
        script.terms.clear();
        script.commands.push(Command::SetLogic(self.logic));
        let mut sketch =
            Sketch { terms: &mut script.terms, rng, variables: Vec::new(), assertions: Vec::new(), text: Vec::new() };
        self.shape.draw(&mut sketch);
        let Sketch { variables, assertions, .. } = sketch;
        let declare = |name| Declaration { name, parameters: Vec::new(), sort: Sort::STRING };
        script.commands.extend(variables.into_iter().map(declare).map(Command::Declare));
        script.commands.extend(assertions.into_iter().map(Command::Assert));
        script.commands.push(Command::CheckSat);
    }
}

/// Where a [`Shape`] puts its variables and assertions.
#[derive(Debug)]
pub(super) struct Sketch<'a> {
    terms: &'a mut Terms,
    pub(super) rng: &'a mut FuzzRng,
    variables: Vec<Symbol>,
    assertions: Vec<TermId>,
    text: Vec<u32>,
}

impl Sketch<'_> {
    /// A new string variable.
    pub(super) fn variable(&mut self) -> TermId {
        let name = Symbol::new(&format!("var{}", self.variables.len()));
        self.variables.push(name);
        self.terms.constant(name, Sort::STRING)
    }

    /// New string variables.
    pub(super) fn variables(&mut self, count: usize) -> Vec<TermId> {
        (0..count).map(|_| self.variable()).collect()
    }

    /// A random string literal of this length.
    pub(super) fn random_string(&mut self, length: u32) -> TermId {
        characters(self.rng, &mut self.text, length as usize);
        self.terms.string(&self.text)
    }

    /// A string literal.
    pub(super) fn string(&mut self, text: impl IntoIterator<Item = u32>) -> TermId {
        self.text.clear();
        self.text.extend(text);
        self.terms.string(&self.text)
    }

    /// A numeral.
    pub(super) fn numeral(&mut self, value: u64) -> TermId {
        self.terms.numeral(value)
    }

    /// An operator of the built-in theories, by its SMT-LIB 2.6 name, applied to arguments of its sorts.
    pub(super) fn apply(&mut self, operator: &str, arguments: &[TermId]) -> TermId {
        let sorts: Vec<Sort> = arguments.iter().map(|&argument| self.terms.sort(argument)).collect();
        let (op, sort) = table().resolve(operator, &[], &sorts).expect("a built-in operator on its sorts");
        self.terms.apply(op, arguments, sort)
    }

    /// `(operator a (operator b c))`: at least one term, joined from the right.
    pub(super) fn join(&mut self, operator: &str, terms: &[TermId]) -> TermId {
        let (&last, rest) = terms.split_last().expect("a term to begin with");
        rest.iter().rev().fold(last, |joined, &term| self.apply(operator, &[term, joined]))
    }

    /// Asserts a term.
    pub(super) fn assert(&mut self, term: TermId) {
        self.assertions.push(term);
    }

    /// Asserts that two terms are equal.
    pub(super) fn assert_equal(&mut self, one: TermId, other: TermId) {
        let equality = self.apply("=", &[one, other]);
        self.assert(equality);
    }
}
