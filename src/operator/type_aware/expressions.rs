//! The expressions of a seed by their sorts: what replacements are made of.

use rustc_hash::FxHashMap;

use super::scope::Scope;
use crate::operator::mutation::has_own_sort;
use crate::random::{FuzzRng, below};
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{TermId, Terms};

/// The unique expressions of a seed's assertions (`GetTypedExpressions` and `GetUniqueExpressions` of Algorithms 1 and
/// 2). Terms stay valid in the arena that they were collected from, however it grows.
#[derive(Clone, Debug, Default)]
pub(super) struct Expressions {
    /// In the order in which the sorts first occur, so that nothing depends on how sorts are numbered.
    sorts: Vec<Sort>,
    of_sort: FxHashMap<Sort, Typed>,
}

/// The expressions of one sort.
#[derive(Clone, Debug, Default)]
struct Typed {
    /// Those that may stand anywhere.
    closed: Vec<TermId>,
    /// Those with variables that a binder outside them introduces.
    open: Vec<TermId>,
}

impl Expressions {
    /// The expressions of the assertions of `script`, without those whose sort is not known.
    pub(super) fn of(script: &Script) -> Self {
        let mut expressions = Expressions::default();
        for term in script.terms.subterms(script.assertions()) {
            expressions.add(&script.terms, term);
        }
        expressions
    }

    /// Adds an expression, which must not be there yet.
    pub(super) fn add(&mut self, terms: &Terms, term: TermId) {
        let sort = terms.sort(term);
        if !has_own_sort(terms, term) {
            return;
        }
        let Expressions { sorts, of_sort } = self;
        let typed = of_sort.entry(sort).or_insert_with(|| {
            sorts.push(sort);
            Typed::default()
        });
        if terms.is_closed(term) { typed.closed.push(term) } else { typed.open.push(term) }
    }

    /// The sorts of the expressions, each once.
    pub(super) fn sorts(&self) -> &[Sort] {
        &self.sorts
    }

    /// The expressions of a sort that may stand anywhere.
    pub(super) fn closed(&self, sort: Sort) -> &[TermId] {
        self.of_sort.get(&sort).map_or(&[], |typed| &typed.closed)
    }

    /// Whether there is an expression of this sort.
    pub(super) fn has(&self, sort: Sort) -> bool {
        self.of_sort.contains_key(&sort)
    }

    /// The expressions of `sort` that are locally compatible with a place (Definition 2) and are not `expr`.
    pub(super) fn choices(&self, sort: Sort, terms: &Terms, scope: &Scope, expr: Option<TermId>) -> Vec<TermId> {
        let Some(typed) = self.of_sort.get(&sort) else { return Vec::new() };
        let open = typed.open.iter().filter(|&&each| scope.admits(terms, each));
        typed.closed.iter().chain(open).copied().filter(|&each| Some(each) != expr).collect()
    }

    /// A uniformly drawn one of [`Self::choices`].
    pub(super) fn draw(
        &self,
        sort: Sort,
        terms: &Terms,
        scope: &Scope,
        expr: Option<TermId>,
        rng: &mut FuzzRng,
    ) -> Option<TermId> {
        let typed = self.of_sort.get(&sort)?;
        let open = if scope.is_empty() { 0 } else { typed.open.iter().filter(|&&it| scope.admits(terms, it)).count() };
        let nth = |place: usize| match typed.closed.get(place) {
            Some(&closed) => Some(closed),
            None => typed.open.iter().copied().filter(|&it| scope.admits(terms, it)).nth(place - typed.closed.len()),
        };
        match typed.closed.len() + open {
            0 => None,
            1 => nth(0).filter(|&only| Some(only) != expr),
            // One of them at most is `expr`, so that this ends.
            count => loop {
                let drawn = nth(below(rng, count));
                if expr.is_none() || drawn != expr {
                    break drawn;
                }
            },
        }
    }
}
