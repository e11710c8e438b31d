//! What only some solvers have: which names are theirs, and how their terms are kept.

use super::super::lexer::{Token, TokenKind};
use super::super::signature::{Bindings, Form, Op, Reading, table};
use super::super::sort::{Sort, SortExpression};
use super::super::symbol::Symbol;
use super::super::term::{Head, Parts, TermId};
use super::Parser;
use super::error::nearest;
use super::scope::{Function, NameId};
use super::term::push_symbol;

impl Parser<'_> {
    /// Whether a name that no declaration and no signature explains is a solver's own: the table has it as an extension,
    /// or it has a dot, as solvers' names do, and is no misspelling of a name that is known.
    pub(super) fn is_extension(&mut self, name: NameId) -> bool {
        if self.scope.is_free(name) && !self.extensions.contains(&name) {
            let readings = self.scope.readings(name);
            let text = self.scope.symbol(name).as_str();
            let extends = if readings.is_empty() {
                self.is_in_another_namespace(text)
            } else {
                readings.iter().any(|reading| reading.op.signature().extension)
            };
            if extends {
                self.extensions.insert(name);
            }
        }
        self.scope.is_free(name) && self.extensions.contains(&name)
    }

    /// Whether an unknown name has the form `namespace.name`, which solvers give to their operators, and is no
    /// misspelling of a name that is known.
    fn is_in_another_namespace(&self, text: &str) -> bool {
        let Some((space, rest)) = namespace(text) else { return false };
        let known = || self.scope.declared().chain(table().spellings()).filter_map(namespace);
        // In a namespace that is known, the name may be misspelled; else the namespace.
        let misspelled = if known().any(|(other, _)| other == space) {
            nearest(rest, known().filter(|(other, _)| *other == space).map(|(_, other)| other))
        } else {
            nearest(space, known().filter(|(_, other)| *other == rest).map(|(other, _)| other))
        };
        misspelled.is_none()
    }

    /// Whether `(as name S)` is kept where nothing declares the name: it is a solver's own, or the sort is, as in
    /// `(as ff3 (_ FiniteField 7))`.
    pub(super) fn is_qualified_extension(&mut self, name: NameId, sort: Sort) -> bool {
        let SortExpression { name: family, indices, arguments } = sort.expression();
        self.is_extension(name) || (!indices.is_empty() && table().sort(*family, indices, arguments).is_err())
    }

    /// Whether an indexed name is a solver's own: scripts declare none.
    pub(super) fn is_indexed_extension(&self, name: NameId) -> bool {
        let text = self.scope.symbol(name).as_str();
        let readings = self.scope.readings(name);
        if readings.is_empty() {
            let indexed = table().operators().filter(|op| !op.signature().indices.is_empty()).map(Op::name);
            return nearest(text, indexed).is_none();
        }
        readings.iter().any(|reading| reading.op.signature().extension)
    }

    /// Whether `(_ name …` is kept as it is written because of this index, which is no numeral.
    pub(super) fn keeps_indices(&self, name: NameId, token: Token) -> bool {
        token.kind != TokenKind::End && (self.lenient || self.is_indexed_extension(name))
    }

    /// The sort of `(_ as-array f)`; unknown of anything else with an index that is no numeral.
    pub(super) fn sort_of_function_index(&mut self, text: &str, index: Token) -> Sort {
        let (true, Ok(function)) = (text == "as-array", self.symbol_text(index, "a function")) else {
            return Sort::UNKNOWN;
        };
        let function = self.scope.name(function);
        self.function_sort(function).and_then(Sort::function_as_array).unwrap_or(Sort::UNKNOWN)
    }

    /// The name, kept as it is written, applied to arguments if there are any.
    pub(super) fn kept(&mut self, name: NameId, sort: Sort, arguments: &[TermId]) -> TermId {
        let mut text = String::new();
        push_symbol(&mut text, self.scope.symbol(name).as_str());
        self.verbatim(Symbol::new(&text), sort, arguments)
    }

    /// The name applied to the values from `base` on, of which some are of unknown sort; none if all sorts are known or
    /// nothing of this name is.
    pub(super) fn apply_partly(&mut self, name: NameId, base: usize) -> Option<TermId> {
        self.collect_sorts(base);
        if !self.sorts.contains(&Sort::UNKNOWN) {
            return None;
        }
        let integers: Vec<usize> = (0..self.sorts.len()).filter(|&each| self.sorts[each] == Sort::INT).collect();
        let function = self.scope.overloads(name).find_map(|function| self.partial_result(function));
        let as_integers = self.partial_operator(name);
        for &each in &integers {
            self.sorts[each] = Sort::REAL;
        }
        let real_function = self.scope.overloads(name).find_map(|function| self.partial_result(function));
        let as_reals = self.partial_operator(name);
        if function.is_none() && as_integers.is_none() && (real_function.is_some() || as_reals.is_some()) {
            for &each in &integers {
                self.values[base + each] = self.real(self.values[base + each]);
            }
        }
        if let Some(sort) = function.or(if as_integers.is_none() { real_function } else { None }) {
            return Some(self.function(self.scope.symbol(name), sort, base));
        }
        // `(* 2 t)` is real if t is.
        let operator = as_integers.into_iter().chain(as_reals).reduce(agreeing);
        if let Some((reading, sort)) = operator {
            let mut arguments = self.values[base..].to_vec();
            if reading.form == Form::Swapped {
                arguments.reverse();
            }
            let head = Head::Operator(reading.op);
            return Some(self.terms.intern(Parts { head, sort, arguments: &arguments, words: &[], binders: &[] }));
        }
        // Another form, or an omitted argument: nothing that is known contradicts it.
        let has_forms =
            |reading: &Reading| reading.form != Form::Plain || reading.op.signature().default_last.is_some();
        let known = self.scope.readings(name).iter().any(has_forms);
        self.collect_sorts(base);
        let arguments = self.values[base..].to_vec();
        (known && self.scope.is_free(name)).then(|| self.kept(name, Sort::UNKNOWN, &arguments))
    }

    /// The sort of a declared function's result, if the collected sorts that are known fit.
    fn partial_result(&self, function: &Function) -> Option<Sort> {
        let mut bindings = Bindings::default();
        let fits = function.parameters.len() == self.sorts.len()
            && function
                .parameters
                .iter()
                .zip(&self.sorts)
                .all(|(parameter, &sort)| sort == Sort::UNKNOWN || parameter.unify(sort, &mut bindings));
        fits.then(|| function.result.instantiate(&bindings).unwrap_or(Sort::UNKNOWN))
    }

    /// The first reading of the name that the collected sorts do not contradict, and the sort of its result: unknown if
    /// other readings give another.
    fn partial_operator(&self, name: NameId) -> Option<(Reading, Sort)> {
        let fitting = self.scope.readings(name).iter().filter_map(|reading| {
            let signature = reading.op.signature();
            let sort = match (reading.form, self.sorts.as_slice()) {
                (Form::Plain, sorts) => signature.apply_partly(&[], sorts),
                (Form::Swapped, &[one, other]) => signature.apply_partly(&[], &[other, one]),
                _ => None,
            };
            sort.map(|sort| (*reading, sort))
        });
        fitting.reduce(agreeing)
    }
}

/// The first of two readings, with a sort if they agree about it.
fn agreeing(first: (Reading, Sort), other: (Reading, Sort)) -> (Reading, Sort) {
    if first.1 == other.1 { first } else { (first.0, Sort::UNKNOWN) }
}

/// The parts of `namespace.name`.
fn namespace(text: &str) -> Option<(&str, &str)> {
    text.split_once('.').filter(|(space, name)| {
        let is_word = !space.is_empty() && space.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_word && name.starts_with(|first: char| !first.is_ascii_digit())
    })
}
