//! Positions: where in the assertions a subterm occurs, and how another term is put there.
//!
//! A term is a graph in which equal subterms are one, so a subterm may occur exponentially often. Occurrences are
//! therefore counted bottom-up and drawn top-down; they are never listed.

use crate::random::{FuzzRng, below};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::term::{Parts, TermId, Terms};

/// One occurrence of a subterm: an assertion, and the way down from its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The index of the `assert` command.
    pub command: usize,
    /// The index of the argument to follow at each level; empty for the root.
    pub path: Vec<u32>,
}

impl Position {
    /// Whether neither position is inside the other, so that both can be replaced.
    pub fn is_disjoint_from(&self, other: &Position) -> bool {
        self.command != other.command || !(self.path.starts_with(&other.path) || other.path.starts_with(&self.path))
    }

    /// The term at this position.
    pub fn term(&self, script: &Script) -> Option<TermId> {
        let mut term = root(script, self.command)?;
        for &argument in &self.path {
            term = *script.terms.arguments(term).get(argument as usize)?;
        }
        Some(term)
    }

    /// The term that the term at this position is an argument of, and the index of that argument; `None` at the root.
    pub fn parent(&self, script: &Script) -> Option<(TermId, usize)> {
        let (&argument, above) = self.path.split_last()?;
        let parent = Position { command: self.command, path: above.to_vec() }.term(script)?;
        Some((parent, argument as usize))
    }

    /// Puts `replacement`, which must have the sort of what it replaces, at this position; other occurrences of the
    /// replaced term stay. Does nothing if the position does not exist.
    pub fn replace(&self, script: &mut Script, replacement: TermId) {
        let Some(mut term) = root(script, self.command) else { return };
        let mut spine = Vec::with_capacity(self.path.len());
        for &argument in &self.path {
            spine.push(term);
            let Some(&next) = script.terms.arguments(term).get(argument as usize) else { return };
            term = next;
        }
        let mut current = replacement;
        for (&parent, &argument) in spine.iter().zip(&self.path).rev() {
            current = with_argument(&mut script.terms, parent, argument as usize, current);
        }
        if let Some(Command::Assert(root)) = script.commands.get_mut(self.command) {
            *root = current;
        }
    }
}

/// The asserted term of a command.
fn root(script: &Script, command: usize) -> Option<TermId> {
    match script.commands.get(command) {
        Some(Command::Assert(term)) => Some(*term),
        _ => None,
    }
}

/// `term` with another term as its argument number `index`.
fn with_argument(terms: &mut Terms, term: TermId, index: usize, argument: TermId) -> TermId {
    let mut arguments = terms.arguments(term).to_vec();
    arguments[index] = argument;
    terms.with_arguments(term, &arguments)
}

/// All occurrences of the terms that a predicate selects, in the assertions of a script.
#[derive(Debug)]
pub struct Occurrences {
    /// Per term of the arena: does the predicate select it?
    selected: Vec<bool>,
    /// Per term: how many selected occurrences it contains, itself included; saturates.
    counts: Vec<u64>,
    total: u64,
}

impl Occurrences {
    /// The occurrences of the terms that `select` accepts, but for those in argument places that `enter` refuses
    /// (with everything below them).
    pub fn new(
        script: &Script,
        mut select: impl FnMut(&Terms, TermId) -> bool,
        mut enter: impl FnMut(&Parts<'_>, usize) -> bool,
    ) -> Self {
        let terms = &script.terms;
        let mut selected = Vec::with_capacity(terms.len());
        let mut counts: Vec<u64> = Vec::with_capacity(terms.len());
        for index in 0..terms.len() as u32 {
            let parts = terms.parts(TermId(index));
            let own = select(terms, TermId(index));
            let below = parts.arguments.iter().enumerate().fold(0_u64, |sum, (place, argument)| {
                if enter(&parts, place) { sum.saturating_add(counts[argument.0 as usize]) } else { sum }
            });
            selected.push(own);
            counts.push(below.saturating_add(u64::from(own)));
        }
        let total = script.assertions().fold(0_u64, |sum, root| sum.saturating_add(counts[root.0 as usize]));
        Occurrences { selected, counts, total }
    }

    /// How many occurrences there are; `u64::MAX` for at least that many.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// A uniformly drawn occurrence and its term; `None` if there are none. `enter` must be the one of [`Self::new`].
    pub fn draw(
        &self,
        script: &Script,
        enter: impl FnMut(&Parts<'_>, usize) -> bool,
        rng: &mut FuzzRng,
    ) -> Option<(Position, TermId)> {
        if self.total == 0 {
            return None;
        }
        let number = below(rng, usize::try_from(self.total).unwrap_or(usize::MAX)) as u64;
        self.nth(script, enter, number)
    }

    /// The occurrence of a number, from 0, and its term; `None` if there are fewer. `enter` must be the one of
    /// [`Self::new`].
    pub fn nth(
        &self,
        script: &Script,
        mut enter: impl FnMut(&Parts<'_>, usize) -> bool,
        number: u64,
    ) -> Option<(Position, TermId)> {
        let mut rest = number;
        let (command, mut term) = script.commands.iter().enumerate().find_map(|(index, command)| {
            let Command::Assert(root) = command else { return None };
            let inside = self.counts[root.0 as usize];
            if rest < inside {
                return Some((index, *root));
            }
            rest -= inside;
            None
        })?;
        let mut path = Vec::new();
        loop {
            // The term itself comes first, then its arguments from left to right.
            if self.selected[term.0 as usize] {
                if rest == 0 {
                    return Some((Position { command, path }, term));
                }
                rest -= 1;
            }
            let parts = script.terms.parts(term);
            let (place, argument) = parts.arguments.iter().enumerate().find(|&(place, argument)| {
                if !enter(&parts, place) {
                    return false;
                }
                let inside = self.counts[argument.0 as usize];
                let found = rest < inside;
                if !found {
                    rest -= inside;
                }
                found
            })?;
            path.push(place as u32);
            term = *argument;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_for;
    use crate::smtlib::sort::Sort;
    use crate::smtlib::symbol::Symbol;
    use crate::smtlib::term::Head;

    fn pair(terms: &mut Terms, left: TermId, right: TermId) -> TermId {
        terms.intern(Parts {
            head: Head::Function(Symbol::new("pair")),
            sort: Sort::INT,
            arguments: &[left, right],
            words: &[],
            binders: &[],
        })
    }

    /// A full binary tree of the given depth over one leaf: 2^depth occurrences in depth + 1 nodes.
    fn tree(depth: u32) -> (Script, TermId) {
        let mut script = Script::new();
        let leaf = script.terms.numeral(1);
        let mut root = leaf;
        for _ in 0..depth {
            root = pair(&mut script.terms, root, root);
        }
        script.commands.push(Command::Assert(root));
        (script, leaf)
    }

    #[test]
    fn occurrences_are_counted_without_being_listed() {
        let (script, leaf) = tree(40);
        let occurrences = Occurrences::new(&script, |_, term| term == leaf, |_, _| true);
        assert_eq!(occurrences.total(), 1 << 40);
        let (huge, leaf) = tree(80);
        let occurrences = Occurrences::new(&huge, |_, term| term == leaf, |_, _| true);
        assert_eq!(occurrences.total(), u64::MAX);
        assert!(occurrences.draw(&huge, |_, _| true, &mut rng_for(1, 0, 0)).is_some());
    }

    #[test]
    fn every_occurrence_is_drawn_about_equally_often() {
        let (script, leaf) = tree(3);
        let occurrences = Occurrences::new(&script, |_, term| term == leaf, |_, _| true);
        let mut rng = rng_for(1, 0, 0);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..8000 {
            let (position, term) = occurrences.draw(&script, |_, _| true, &mut rng).expect("there are eight");
            assert_eq!(term, leaf);
            *seen.entry(position.path).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 8);
        assert!(seen.values().all(|&count| (800..1200).contains(&count)), "{seen:?}");
    }

    #[test]
    fn replacing_one_occurrence_leaves_the_others() {
        let (mut script, leaf) = tree(2);
        let other = script.terms.numeral(2);
        let position = Position { command: 0, path: vec![1, 0] };
        assert_eq!(position.term(&script), Some(leaf));
        position.replace(&mut script, other);
        assert_eq!(position.term(&script), Some(other));
        assert_eq!(Position { command: 0, path: vec![1, 1] }.term(&script), Some(leaf));
        assert_eq!(Position { command: 0, path: vec![0, 0] }.term(&script), Some(leaf));
        assert_eq!(position.parent(&script).map(|(_, index)| index), Some(0));
    }

    #[test]
    fn a_place_that_may_not_be_entered_hides_what_is_below() {
        let (script, leaf) = tree(2);
        let first_only = |_: &Parts<'_>, place: usize| place == 0;
        let occurrences = Occurrences::new(&script, |_, term| term == leaf, first_only);
        assert_eq!(occurrences.total(), 1);
        let (position, _) = occurrences.draw(&script, first_only, &mut rng_for(1, 0, 0)).expect("there is one");
        assert_eq!(position.path, vec![0, 0]);
    }

    #[test]
    fn positions_are_disjoint_unless_one_is_inside_the_other() {
        let at = |command, path: &[u32]| Position { command, path: path.to_vec() };
        assert!(at(0, &[0]).is_disjoint_from(&at(0, &[1])));
        assert!(at(0, &[]).is_disjoint_from(&at(1, &[])));
        assert!(!at(0, &[0]).is_disjoint_from(&at(0, &[0, 1])));
        assert!(!at(0, &[0]).is_disjoint_from(&at(0, &[0])));
    }
}
