//! Functions as values: their names as arguments, `lambda`, and terms that are applied.

use super::super::lexer::TokenKind;
use super::super::signature::{SortPattern, table};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::super::term::{Head, Parts, TermId};
use super::Parser;
use super::apply::{is_array, result_sort};
use super::error::{Fault, Parsed};
use super::scope::{Mark, Meaning, NameId};
use super::term::FrameKind;

impl Parser<'_> {
    /// The sort of the latest function of this name, if it has no sort variables: `(-> Int Bool)`.
    pub(super) fn function_sort(&self, name: NameId) -> Option<Sort> {
        let function = self.scope.overloads(name).find(|function| function.variables == 0)?;
        let parameters: Vec<Sort> = function.parameters.iter().map(SortPattern::ground).collect::<Option<_>>()?;
        Some(Sort::function(&parameters, function.result.ground()?))
    }

    /// Whether the name of a binder that only some solvers have is one here: nothing of that name is declared, and a list
    /// of variables follows.
    pub(super) fn binds(&mut self, name: NameId) -> Parsed<bool> {
        if self.scope.meaning(name) != Meaning::Free {
            return Ok(false);
        }
        let position = self.lexer.position();
        let opens_twice = self.token()?.kind == TokenKind::LeftParenthesis && {
            let second = self.token()?.kind;
            second == TokenKind::LeftParenthesis
        };
        self.lexer.seek(position);
        Ok(opens_twice)
    }

    /// After the name of such a binder: its variables.
    pub(super) fn open_binder(&mut self, name: NameId, offset: u32) -> Parsed<()> {
        let (mark, binders) = (self.scope.mark(), self.binders.len() as u32);
        self.expect(TokenKind::LeftParenthesis, "'(' and sorted variables such as (x Int)")?;
        self.sorted_variables()?;
        self.push_frame(FrameKind::Binder { name: self.scope.symbol(name), binders, mark }, offset);
        Ok(())
    }

    /// The binder with the values from `base` on as its bodies.
    pub(super) fn finish_bodies(&mut self, name: Symbol, base: usize, binders: u32, mark: Mark) -> TermId {
        self.scope.undo(mark);
        self.collect_sorts(base);
        let variables = &self.binders[binders as usize..];
        let sort = match (name.as_str(), self.sorts.as_slice()) {
            (_, sorts) if sorts.contains(&Sort::UNKNOWN) => Sort::UNKNOWN,
            ("lambda", &[body]) => {
                let parameters: Vec<Sort> = variables.iter().map(|(_, sort)| *sort).collect();
                Sort::function(&parameters, body)
            }
            ("choice" | "witness", &[Sort::BOOL]) if variables.len() == 1 => variables[0].1,
            ("set.comprehension", &[Sort::BOOL, element]) => Sort::new(Symbol::new("Set"), &[], &[element]),
            _ => Sort::UNKNOWN,
        };
        let head = Head::Binder(name);
        let term =
            self.terms.intern(Parts { head, sort, arguments: &self.values[base..], words: &[], binders: variables });
        self.binders.truncate(binders as usize);
        term
    }

    /// A term that stands at the head of a list, the first value from `base` on, applied to the others.
    pub(super) fn apply_term(&mut self, base: usize, offset: u32) -> Parsed<TermId> {
        if self.values.len() <= base + 1 {
            return Err(Fault::new(offset, "a term in parentheses", "arguments, or no parentheses"));
        }
        if let Some(term) = self.applied(base) {
            return Ok(term);
        }
        if self.lenient {
            return Ok(self.application(base, Sort::UNKNOWN));
        }
        self.collect_sorts(base);
        let shown: Vec<String> = self.sorts[1..].iter().map(ToString::to_string).collect();
        let found = format!("a term of sort {} applied to ({})", self.sorts[0], shown.join(" "));
        Err(Fault::new(offset, found, "an operator, or a function or array that takes them"))
    }

    /// The application of a function, or Z3's of an array, which is `select`.
    fn applied(&mut self, base: usize) -> Option<TermId> {
        self.collect_sorts(base);
        let integers: Vec<usize> = (1..self.sorts.len()).filter(|&each| self.sorts[each] == Sort::INT).collect();
        for with_reals in [false, true] {
            if with_reals {
                for &each in &integers {
                    self.sorts[each] = Sort::REAL;
                }
            }
            let function = self.sorts[0].applied_to(&self.sorts[1..]);
            let array = table().resolve("select", &[], &self.sorts).ok();
            let takes_arguments = self.sorts[0].is_function() || is_array(self.sorts[0]);
            let unknown = self.sorts[0] == Sort::UNKNOWN || (takes_arguments && self.sorts.contains(&Sort::UNKNOWN));
            if function.is_none() && array.is_none() && !unknown {
                continue;
            }
            if with_reals {
                for &each in &integers {
                    self.values[base + each] = self.real(self.values[base + each]);
                }
            }
            return Some(match (function, array) {
                (Some(sort), _) => self.application(base, sort),
                (None, Some((op, sort))) => self.terms.apply(op, &self.values[base..], sort),
                (None, None) => self.application(base, Sort::UNKNOWN),
            });
        }
        None
    }

    fn application(&mut self, base: usize, sort: Sort) -> TermId {
        let arguments = &self.values[base..];
        self.terms.intern(Parts { head: Head::Application, sort, arguments, words: &[], binders: &[] })
    }

    /// A name applied to functions or arrays, or itself one that is applied: what is left where no signature fits the
    /// values from `base` on.
    pub(super) fn apply_to_functions(&mut self, name: NameId, base: usize) -> Option<TermId> {
        let symbol = self.scope.symbol(name);
        let head = match self.scope.meaning(name) {
            Meaning::Bound(sort) => Some(self.terms.bound(symbol, sort)),
            Meaning::Constant(sort) => Some(self.terms.constant(symbol, sort)),
            Meaning::Functions(_) if self.higher_order => {
                self.function_sort(name).map(|sort| self.terms.constant(symbol, sort))
            }
            _ => None,
        };
        if let Some(head) = head {
            self.values.insert(base, head);
            let term = self.applied(base);
            self.values.remove(base);
            if term.is_some() {
                return term;
            }
        }
        self.collect_sorts(base);
        let functions: Vec<usize> =
            (0..self.sorts.len()).filter(|&position| self.sorts[position].is_function()).collect();
        if functions.is_empty() {
            return None;
        }
        // Z3's functions are arrays.
        for &position in &functions {
            let array = self.sorts[position].function_as_array().unwrap_or(Sort::UNKNOWN);
            self.values[base + position] = self.as_array_where(self.values[base + position], array);
        }
        self.collect_sorts(base);
        let declared = self.scope.overloads(name).find_map(|function| result_sort(function, &self.sorts));
        if let Some(sort) = declared {
            return Some(self.function(self.scope.symbol(name), sort, base));
        }
        self.scope.readings(name).iter().find_map(|&reading| self.operator(reading, base))
    }

    /// A function's name, a variable or a `lambda` as an array, where this array's sort is wanted; else the term itself.
    pub(super) fn as_array_where(&mut self, term: TermId, sort: Sort) -> TermId {
        let parts = self.terms.parts(term);
        let is_named = matches!(parts.head, Head::Binder(_) | Head::Constant(_) | Head::Bound(_));
        if !is_named || parts.sort.function_as_array() != Some(sort) {
            return term;
        }
        let (head, arguments, binders) = (parts.head, parts.arguments.to_vec(), parts.binders.to_vec());
        self.terms.intern(Parts { head, sort, arguments: &arguments, words: &[], binders: &binders })
    }
}
