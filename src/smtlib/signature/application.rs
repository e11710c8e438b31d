//! What a signature makes of arguments.

use super::super::sort::Sort;
use super::{Associativity, Bindings, Signature, SortPattern};

impl Signature {
    /// Whether it takes arguments of more sorts than one.
    pub(super) fn is_general(&self) -> bool {
        !self.variables.is_empty()
    }

    /// The parameter that the argument at `position` of `count` belongs to.
    pub fn parameter(&self, position: usize, count: usize) -> Option<&SortPattern> {
        match self.associativity {
            None => self.parameters.get(position),
            Some(Associativity::LeftAssoc) => self.parameters.get(position.min(1)),
            Some(Associativity::RightAssoc) => self.parameters.get(usize::from(position + 1 == count)),
            Some(Associativity::Chainable | Associativity::Pairwise) => self.parameters.first(),
        }
    }

    /// The result's sort on these indices and argument sorts, if they fit.
    pub fn apply(&self, indices: &[u32], arguments: &[Sort]) -> Option<Sort> {
        let count = arguments.len();
        if !self.takes(indices.len(), count) {
            return None;
        }
        if self.variables.is_empty() && self.index_variables.is_empty() {
            let matches = |(position, &sort): (usize, &Sort)| matches!(self.parameter(position, count), Some(SortPattern::Sort(own)) if *own == sort);
            return if arguments.iter().enumerate().all(matches) { self.result.ground() } else { None };
        }
        if self.associativity == Some(Associativity::LeftAssoc) && count > 2 {
            // Fold: the widths of `concat` differ from step to step.
            let first = self.apply(indices, &arguments[..2])?;
            return arguments[2..].iter().try_fold(first, |sort, &next| self.apply(indices, &[sort, next]));
        }
        let mut bindings = Bindings::default();
        let matched = self.indices.iter().zip(indices).all(|(index, &numeral)| index.unify(numeral, &mut bindings))
            && arguments.iter().enumerate().all(|(position, &sort)| {
                self.parameter(position, count).is_some_and(|parameter| parameter.unify(sort, &mut bindings))
            });
        let holds = matched && bindings.settled() && self.conditions.iter().all(|each| each.holds(&bindings));
        if holds { self.result.instantiate(&bindings) } else { None }
    }

    /// Whether it takes this many indices and arguments.
    fn takes(&self, indices: usize, arguments: usize) -> bool {
        let fits = match self.associativity {
            None => arguments == self.parameters.len(),
            // `(- a)` is another signature; `(and p)` and `(str.++ x)` are what Z3 reads and prints.
            Some(_) => arguments >= 2 || (arguments == 1 && self.parameters[0] == self.result),
        };
        fits && indices == self.indices.len()
    }

    /// The result's sort on argument sorts of which some are [`Sort::UNKNOWN`], if the others fit; unknown itself if it
    /// depends on them.
    pub fn apply_partly(&self, indices: &[u32], arguments: &[Sort]) -> Option<Sort> {
        let count = arguments.len();
        let mut bindings = Bindings::default();
        let fits = self.takes(indices.len(), count)
            && self.indices.iter().zip(indices).all(|(index, &numeral)| index.unify(numeral, &mut bindings))
            && arguments.iter().enumerate().all(|(position, &sort)| {
                sort == Sort::UNKNOWN
                    || self.parameter(position, count).is_some_and(|parameter| parameter.unify(sort, &mut bindings))
            });
        fits.then(|| self.result.instantiate(&bindings).unwrap_or(Sort::UNKNOWN))
    }
}
