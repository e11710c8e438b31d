//! A formula in the making: its nodes so far, and how operators are applied to them.

use super::nodes::{Nodes, Wanted};
use super::parameters::Parameters;
use super::part::Part;
use crate::random::{FuzzRng, pick};
use crate::smtlib::script::Declaration;
use crate::smtlib::signature::{Op, table};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

/// What the parts of a logic work on.
#[derive(Debug)]
pub(super) struct Build<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) rng: &'a mut FuzzRng,
    pub(super) parameters: &'a Parameters,
    pub(super) parts: &'a [Box<dyn Part>],
    pub(super) nodes: Nodes,
    /// The sorts, then the symbols that are declared.
    pub(super) sorts: Vec<Sort>,
    pub(super) declarations: Vec<Declaration>,
    /// The predicates, which the connectives connect.
    pub(super) predicates: Vec<TermId>,
    /// What must hold so that no divisor is one that the standard leaves open.
    pub(super) guards: Vec<TermId>,
    /// Reads, writes and array equalities that are still to be made.
    pub(super) due: Due,
}

/// What is made between the layers, and how much of it is left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Due {
    pub(super) writes: u32,
    pub(super) equalities: u32,
    pub(super) reads: u32,
    /// Equalities that are made last, as predicates.
    pub(super) late_equalities: u32,
}

/// The operator of this name in the built-in theories; of several, the first.
pub(super) fn operator(name: &str) -> Op {
    table().named(name).first().copied().expect("a name of the built-in theories")
}

impl<'a> Build<'a> {
    pub(super) fn new(
        terms: &'a mut Terms,
        rng: &'a mut FuzzRng,
        parameters: &'a Parameters,
        parts: &'a [Box<dyn Part>],
    ) -> Self {
        Build {
            terms,
            rng,
            parameters,
            parts,
            nodes: Nodes::new(parameters.compact || parts.iter().any(|part| part.interleaves())),
            sorts: Vec::new(),
            declarations: Vec::new(),
            predicates: Vec::new(),
            guards: Vec::new(),
            due: Due::default(),
        }
    }

    /// An operator applied to arguments; `None` if it does not take them.
    pub(super) fn apply(&mut self, op: Op, indices: &[u32], arguments: &[TermId]) -> Option<TermId> {
        let sorts: Vec<Sort> = arguments.iter().map(|&argument| self.terms.sort(argument)).collect();
        let sort = op.signature().apply(indices, &sorts)?;
        Some(self.terms.apply_indexed(op, indices, arguments, sort))
    }

    /// The application of the operator of this name that takes these arguments.
    pub(super) fn named(&mut self, name: &str, arguments: &[TermId]) -> Option<TermId> {
        let sorts: Vec<Sort> = arguments.iter().map(|&argument| self.terms.sort(argument)).collect();
        let (op, sort) = table().resolve(name, &[], &sorts).ok()?;
        Some(self.terms.apply(op, arguments, sort))
    }

    /// A random node of these.
    pub(super) fn draw(&mut self, wanted: Wanted) -> Option<TermId> {
        self.nodes.draw(wanted, self.rng)
    }

    /// A random node made to this sort: as it is, or by what its part does to make it fit; a literal if there is none.
    pub(super) fn argument(&mut self, sort: Sort) -> Option<TermId> {
        let parts = self.parts;
        parts.iter().find_map(|part| part.argument(sort, self))
    }

    /// A fresh symbol, declared: `stem_0`, `stem_1`, and so on. Stems tell signatures apart, so that scripts that exchange
    /// assertions mean the same by the same name.
    pub(super) fn declare(&mut self, stem: &str, parameters: Vec<Sort>, sort: Sort) -> Symbol {
        let name = (0..).map(|number| Symbol::new(&format!("{stem}_{number}")));
        let name = name.into_iter().find(|name| !self.declarations.iter().any(|each| each.name == *name));
        let name = name.expect("there are more names than declarations");
        self.declarations.push(Declaration { name, parameters, sort });
        name
    }

    /// Declares a variable, and adds it to the nodes.
    pub(super) fn add_variable(&mut self, stem: &str, sort: Sort) {
        let name = self.declare(stem, Vec::new(), sort);
        let variable = self.terms.constant(name, sort);
        self.add(variable);
    }

    /// Adds a node to those that operands are drawn from.
    pub(super) fn add(&mut self, term: TermId) {
        self.nodes.add(term, self.terms.sort(term));
    }

    /// A sort of a random part that has values of its own.
    pub(super) fn some_sort(&mut self) -> Option<Sort> {
        let parts = self.parts;
        let valued: Vec<&Box<dyn Part>> = parts.iter().filter(|part| part.has_values()).collect();
        let part = pick(self.rng, &valued)?;
        part.some_sort(self)
    }
}
