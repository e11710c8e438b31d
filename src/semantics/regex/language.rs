//! Questions about all words of a language: whether there is one, which, and whether two languages have the same.
//!
//! An expression without complement and intersection answers by its form alone. The others are explored: a language is
//! empty if no derivative by any word has the empty word (Brzozowski 1964), and two languages are equal if no pair of
//! derivatives by the same word disagrees about it (Hopcroft and Karp 1971). One character stands for all those that
//! no class in the expression tells from it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::class::legible;
use super::{Budget, GaveUp, Node, Regex, Regexes};
use crate::semantics::sequence::MAX_LENGTH;
use crate::smtlib::literal::LARGEST_CODE_POINT;

impl Regexes {
    /// Whether the language has no word.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub(super) fn is_empty(&mut self, regex: Regex, budget: &mut Budget) -> Result<bool, GaveUp> {
        // An explicit stack: operands before what they are operands of.
        let mut pending = vec![regex];
        while let Some(&top) = pending.last() {
            if self.known_emptiness(top).is_some() {
                pending.pop();
                continue;
            }
            budget.read()?;
            let before = pending.len();
            let mut need = |operand| {
                if self.known_emptiness(operand).is_none() {
                    pending.push(operand);
                }
            };
            match self.node(top) {
                Node::Concat(head, rest) => [head, rest].into_iter().for_each(need),
                Node::Union(list) => self.list(list).iter().copied().for_each(need),
                Node::Loop { body, .. } => need(body),
                _ => {}
            }
            if pending.len() == before {
                let empty = self.decide_emptiness(top, budget)?;
                self.emptiness.insert(top, empty);
                pending.pop();
            }
        }
        Ok(self.known_emptiness(regex) == Some(true))
    }

    /// Whether the language has no word, if that takes no work or was found out before.
    fn known_emptiness(&self, regex: Regex) -> Option<bool> {
        let facts = self.facts(regex);
        if facts.inhabited || facts.positive {
            return Some(regex == Regex::NONE);
        }
        self.emptiness.get(&regex).copied()
    }

    /// Whether the language has no word, where that is known of the operands.
    fn decide_emptiness(&mut self, regex: Regex, budget: &mut Budget) -> Result<bool, GaveUp> {
        let empty = |operand: &Regex| self.known_emptiness(*operand) == Some(true);
        Ok(match self.node(regex) {
            Node::Concat(head, rest) => empty(&head) || empty(&rest),
            Node::Union(list) => self.list(list).iter().all(empty),
            Node::Loop { body, .. } => empty(&body),
            _ => self.explore(regex, budget)?.is_none(),
        })
    }

    /// The shortest word after which the derivative is seen not to be empty, and that derivative; `None` if the language
    /// is empty. `root` itself is not such a derivative.
    fn explore(&mut self, root: Regex, budget: &mut Budget) -> Result<Option<(Vec<u32>, Regex)>, GaveUp> {
        // How each state was reached first.
        let mut reached = FxHashMap::from_iter([(root, (root, 0))]);
        let mut states = vec![root];
        let mut next = 0;
        while let Some(&state) = states.get(next) {
            next += 1;
            for character in self.representatives(&[state], budget)? {
                let derivative = self.derivative(state, character, budget)?;
                if reached.contains_key(&derivative) || self.known_emptiness(derivative) == Some(true) {
                    continue;
                }
                reached.insert(derivative, (state, character));
                if self.facts(derivative).inhabited {
                    return Ok(Some((path(&reached, root, derivative), derivative)));
                }
                states.push(derivative);
            }
        }
        self.emptiness.extend(states.into_iter().map(|state| (state, true)));
        Ok(None)
    }

    /// A word of the language, one of the shortest if the expression has neither complement nor intersection and a
    /// short one otherwise; `None` if there is no word.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice, or the word would have more than [`MAX_LENGTH`] characters.
    pub(super) fn witness(&mut self, regex: Regex, budget: &mut Budget) -> Result<Option<Vec<u32>>, GaveUp> {
        if self.is_empty(regex, budget)? {
            return Ok(None);
        }
        let mut word = Vec::new();
        // What is still to be written, the last first, and how many times. None of it is empty.
        let mut pending = vec![(regex, 1_u32)];
        while let Some((top, times)) = pending.pop() {
            budget.read()?;
            if times > 1 {
                pending.push((top, times - 1));
            }
            if self.is_nullable(top) {
                continue;
            }
            match self.node(top) {
                Node::Class(number) => word.extend(self.classes[number as usize].sample()),
                Node::Concat(head, rest) => pending.extend([(rest, 1), (head, 1)]),
                Node::Union(list) => {
                    let mut operands = self.list(list).to_vec();
                    operands.sort_by_key(|&operand| self.facts(operand).shortest);
                    for operand in operands {
                        if !self.is_empty(operand, budget)? {
                            pending.push((operand, 1));
                            break;
                        }
                    }
                }
                Node::Loop { body, low, .. } => pending.push((body, low)),
                _ => {
                    if let Some((path, end)) = self.explore(top, budget)? {
                        word.extend(path);
                        pending.push((end, 1));
                    }
                }
            }
            if word.len() > MAX_LENGTH {
                return Err(GaveUp);
            }
        }
        Ok(Some(word))
    }

    /// Whether two languages have the same words: `=` on the sort `RegLan`.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub(super) fn equivalent(&mut self, left: Regex, right: Regex, budget: &mut Budget) -> Result<bool, GaveUp> {
        // Languages that must be equal if `left` and `right` are, as a forest: each points towards its root.
        let mut parents: FxHashMap<Regex, Regex> = FxHashMap::default();
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (root(&mut parents, left), root(&mut parents, right));
            if left == right {
                continue;
            }
            if self.differ(left, right) {
                return Ok(false);
            }
            parents.insert(left, right);
            for character in self.representatives(&[left, right], budget)? {
                let derivative = self.derivative(left, character, budget)?;
                pending.push((derivative, self.derivative(right, character, budget)?));
            }
        }
        Ok(true)
    }

    /// Whether two languages differ by what is known of them already.
    fn differ(&self, left: Regex, right: Regex) -> bool {
        let (left_facts, right_facts) = (self.facts(left), self.facts(right));
        let bounds_differ = (left_facts.shortest, left_facts.longest) != (right_facts.shortest, right_facts.longest);
        left_facts.nullable != right_facts.nullable || left_facts.positive && right_facts.positive && bounds_differ
    }

    /// Characters such that every other one has the same derivatives as one of them, for each of these expressions.
    fn representatives(&self, regexes: &[Regex], budget: &mut Budget) -> Result<Vec<u32>, GaveUp> {
        let mut boundaries = vec![0];
        let mut pending = regexes.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(regex) = pending.pop() {
            if !seen.insert(regex) {
                continue;
            }
            budget.read()?;
            match self.node(regex) {
                Node::None | Node::Epsilon => {}
                Node::Class(number) => boundaries.extend(self.classes[number as usize].boundaries()),
                Node::Concat(head, rest) => {
                    pending.push(head);
                    if self.is_nullable(head) {
                        pending.push(rest);
                    }
                }
                Node::Union(list) | Node::Intersection(list) => pending.extend_from_slice(self.list(list)),
                Node::Complement(inner) | Node::Star(inner) | Node::Loop { body: inner, .. } => pending.push(inner),
            }
        }
        boundaries.sort_unstable();
        boundaries.dedup();
        let ends = boundaries[1..].iter().map(|&next| next - 1).chain([LARGEST_CODE_POINT]);
        Ok(boundaries.iter().zip(ends).map(|(&low, high)| legible(low, high)).collect())
    }
}

/// The characters by which an exploration came from `root` to `end`.
fn path(reached: &FxHashMap<Regex, (Regex, u32)>, root: Regex, end: Regex) -> Vec<u32> {
    let mut characters = Vec::new();
    let mut state = end;
    while state != root {
        let (from, character) = reached[&state];
        characters.push(character);
        state = from;
    }
    characters.reverse();
    characters
}

/// The root of a language in a forest. Every other one on the way there is made to point two steps further.
fn root(parents: &mut FxHashMap<Regex, Regex>, mut regex: Regex) -> Regex {
    while let Some(&parent) = parents.get(&regex) {
        if let Some(&grandparent) = parents.get(&parent) {
            parents.insert(regex, grandparent);
        }
        regex = parent;
    }
    regex
}
