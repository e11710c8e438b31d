//! Passes over terms: which are used, which contain which, and rewriting within one arena.
//!
//! Arguments precede their terms in an arena, so every pass is a loop over ids, however deep a term nests.

use super::term::{Parts, TermId, Terms};

impl Terms {
    /// The term like `term` but with these arguments, as many and of the same sorts.
    pub fn with_arguments(&mut self, term: TermId, arguments: &[TermId]) -> TermId {
        // Interning may move the pools that the slices point into.
        let (words, binders) = (self.parts(term).words.to_vec(), self.parts(term).binders.to_vec());
        let Parts { head, sort, .. } = self.parts(term);
        self.intern(Parts { head, sort, arguments, words: &words, binders: &binders })
    }

    /// Whether `inner` is `term` or one of its subterms.
    pub fn contains(&self, term: TermId, inner: TermId) -> bool {
        let mut seen = vec![false; term.0 as usize + 1];
        let mut stack = vec![term];
        while let Some(next) = stack.pop() {
            if next == inner {
                return true;
            }
            // What precedes `inner` cannot contain it.
            if next > inner && !std::mem::replace(&mut seen[next.0 as usize], true) {
                stack.extend_from_slice(self.arguments(next));
            }
        }
        false
    }

    /// Marks in `used` every subterm of `roots`; `used` has one flag per term of the arena, in the order of ids.
    pub fn mark_used(&self, roots: impl Iterator<Item = TermId>, used: &mut [bool]) {
        for root in roots {
            used[root.0 as usize] = true;
        }
        for index in (0..used.len()).rev() {
            if used[index] {
                for argument in self.arguments(TermId(index as u32)) {
                    used[argument.0 as usize] = true;
                }
            }
        }
    }

    /// Every distinct subterm of `roots`, these included, in the order of ids: arguments precede their terms.
    pub fn subterms(&self, roots: impl Iterator<Item = TermId>) -> impl Iterator<Item = TermId> {
        let mut used = vec![false; self.len()];
        self.mark_used(roots, &mut used);
        (0..).zip(used).filter_map(|(index, used)| used.then_some(TermId(index)))
    }

    /// `root` with every distinct subterm that `replace` gives another term for replaced by it; a replaced term's own
    /// subterms are replaced only where they occur elsewhere. Replacements must have the sorts of what they replace.
    pub fn substitute(
        &mut self,
        root: TermId,
        mut replace: impl FnMut(&mut Terms, TermId) -> Option<TermId>,
    ) -> TermId {
        let mut used = vec![false; root.0 as usize + 1];
        self.mark_used(std::iter::once(root), &mut used);
        let mut results: Vec<TermId> = (0..=root.0).map(TermId).collect();
        let mut arguments = Vec::new();
        for index in 0..used.len() {
            if !used[index] {
                continue;
            }
            let term = TermId(index as u32);
            if let Some(replacement) = replace(self, term) {
                results[index] = replacement;
                continue;
            }
            arguments.clear();
            arguments.extend(self.arguments(term).iter().map(|argument| results[argument.0 as usize]));
            if arguments != self.arguments(term) {
                results[index] = self.with_arguments(term, &arguments);
            }
        }
        results[root.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::super::sort::Sort;
    use super::super::symbol::Symbol;
    use super::super::term::Head;
    use super::*;

    fn pair(terms: &mut Terms, left: TermId, right: TermId) -> TermId {
        let head = Head::Function(Symbol::new("pair"));
        terms.intern(Parts { head, sort: Sort::INT, arguments: &[left, right], words: &[], binders: &[] })
    }

    #[test]
    fn substitution_rebuilds_only_what_changes() {
        let mut terms = Terms::new();
        let (one, two, three) = (terms.numeral(1), terms.numeral(2), terms.numeral(3));
        let kept = pair(&mut terms, two, two);
        let changed = pair(&mut terms, one, kept);
        let result = terms.substitute(changed, |_, term| (term == one).then_some(three));
        assert_eq!(terms.arguments(result), &[three, kept]);
        assert_eq!(terms.substitute(kept, |_, term| (term == one).then_some(three)), kept);
    }

    #[test]
    fn containment_follows_arguments() {
        let mut terms = Terms::new();
        let (one, two) = (terms.numeral(1), terms.numeral(2));
        let root = pair(&mut terms, one, one);
        let other = pair(&mut terms, root, two);
        assert!(terms.contains(other, one) && terms.contains(root, root));
        assert!(!terms.contains(root, two) && !terms.contains(one, other));
    }
}
