//! The constructors of regular languages, and the laws by which they bring expressions into normal form.
//!
//! Union and intersection are associative, commutative and idempotent: that alone keeps the number of derivatives
//! finite (Brzozowski 1964). The other laws keep it small.

use super::class::Class;
use super::{Node, Regex, Regexes};

/// Longer concatenations on the left of another, and unions and intersections of more operands within another, are
/// left as they are. Without such a bound, an expression that nests a million of them would take its square.
const LONGEST_CONCATENATION: usize = 16;
const MOST_OPERANDS: usize = 128;

impl Regexes {
    /// The words of one character of this set.
    pub(super) fn class(&mut self, class: Class) -> Regex {
        if class.is_empty() {
            return Regex::NONE;
        }
        if let Some(&number) = self.class_numbers.get(&class) {
            return self.intern(Node::Class(number));
        }
        let number = self.classes.len() as u32;
        self.classes.push(class.clone());
        self.class_numbers.insert(class, number);
        self.intern(Node::Class(number))
    }

    fn character(&mut self, character: u32) -> Regex {
        if let Some(&regex) = self.characters.get(&character) {
            return regex;
        }
        let regex = self.class(Class::range(character, character));
        self.characters.insert(character, regex);
        regex
    }

    /// `str.to_re`: the language of this word alone.
    pub(super) fn literal(&mut self, word: &[u32]) -> Regex {
        word.iter().rev().fold(Regex::EPSILON, |rest, &character| {
            let first = self.character(character);
            self.concat_pair(first, rest)
        })
    }

    /// `re.range`: the words of one character from `low` to `high`; none unless both are single characters.
    pub(super) fn range(&mut self, low: &[u32], high: &[u32]) -> Regex {
        match (low, high) {
            (&[low], &[high]) => self.class(Class::range(low, high)),
            _ => Regex::NONE,
        }
    }

    /// `re.++`: a word of each part, one after the other.
    pub(super) fn concat(&mut self, parts: &[Regex]) -> Regex {
        parts.iter().rev().fold(Regex::EPSILON, |rest, &part| self.concat_pair(part, rest))
    }

    /// The concatenation of two languages.
    pub(super) fn concat_pair(&mut self, first: Regex, second: Regex) -> Regex {
        if !matches!(self.node(first), Node::Concat(..)) {
            return self.concat_head(first, second);
        }
        let mut heads = [Regex::EPSILON; LONGEST_CONCATENATION];
        let mut length = 0;
        let mut rest = first;
        while let Node::Concat(head, tail) = self.node(rest)
            && length < LONGEST_CONCATENATION - 1
        {
            heads[length] = head;
            rest = tail;
            length += 1;
        }
        if matches!(self.node(rest), Node::Concat(..)) {
            return self.concat_head(first, second);
        }
        heads[length] = rest;
        heads[..=length].iter().rev().fold(second, |rest, &head| self.concat_head(head, rest))
    }

    /// The concatenation of a language that stays as it is with another.
    fn concat_head(&mut self, head: Regex, rest: Regex) -> Regex {
        match (head, rest) {
            (Regex::NONE, _) | (_, Regex::NONE) => return Regex::NONE,
            (Regex::EPSILON, other) | (other, Regex::EPSILON) => return other,
            _ => {}
        }
        // L* L* = L*
        let next = if let Node::Concat(next, _) = self.node(rest) { next } else { rest };
        if next == head && matches!(self.node(head), Node::Star(_)) {
            return rest;
        }
        self.intern(Node::Concat(head, rest))
    }

    /// `re.union`: the words of any of these languages.
    pub(super) fn union(&mut self, operands: &[Regex]) -> Regex {
        let mut list = std::mem::take(&mut self.scratch);
        self.flatten(operands, &mut list, |node| if let Node::Union(list) = node { Some(list) } else { None });
        let result = self.union_of(&mut list);
        list.clear();
        self.scratch = list;
        result
    }

    fn union_of(&mut self, list: &mut Vec<Regex>) -> Regex {
        list.retain(|&operand| operand != Regex::NONE);
        self.merge_classes(list, Class::union);
        self.merge_loops(list);
        sort(list);
        if list.contains(&Regex::ALL) || self.has_complement_of_another(list) {
            return Regex::ALL;
        }
        if list.iter().any(|&operand| operand != Regex::EPSILON && self.is_nullable(operand)) {
            list.retain(|&operand| operand != Regex::EPSILON);
        }
        match list.as_slice() {
            [] => Regex::NONE,
            [only] => *only,
            operands => {
                let list = self.push_list(operands);
                self.intern(Node::Union(list))
            }
        }
    }

    /// `re.inter`: the words of all these languages.
    pub(super) fn intersection(&mut self, operands: &[Regex]) -> Regex {
        let mut list = std::mem::take(&mut self.scratch);
        self.flatten(operands, &mut list, |node| if let Node::Intersection(list) = node { Some(list) } else { None });
        let result = self.intersection_of(&mut list);
        list.clear();
        self.scratch = list;
        result
    }

    fn intersection_of(&mut self, list: &mut Vec<Regex>) -> Regex {
        list.retain(|&operand| operand != Regex::ALL);
        self.merge_classes(list, |sets| sets[1..].iter().fold(sets[0].clone(), |both, set| both.intersection(set)));
        sort(list);
        if list.contains(&Regex::NONE) || self.has_complement_of_another(list) {
            return Regex::NONE;
        }
        if list.contains(&Regex::EPSILON) {
            let nullable = list.iter().all(|&operand| self.is_nullable(operand));
            return if nullable { Regex::EPSILON } else { Regex::NONE };
        }
        match list.as_slice() {
            [] => Regex::ALL,
            [only] => *only,
            operands => {
                let shortest = operands.iter().map(|&operand| self.facts(operand).shortest).max();
                let longest = operands.iter().map(|&operand| self.facts(operand).longest).min();
                if shortest > longest {
                    return Regex::NONE;
                }
                let list = self.push_list(operands);
                self.intern(Node::Intersection(list))
            }
        }
    }

    /// Appends the operands, and in place of those that `nested` knows, theirs.
    fn flatten(&self, operands: &[Regex], list: &mut Vec<Regex>, nested: fn(Node) -> Option<super::List>) {
        for &operand in operands {
            match nested(self.node(operand)).map(|inner| self.list(inner)) {
                Some(inner) if inner.len() <= MOST_OPERANDS => list.extend_from_slice(inner),
                _ => list.push(operand),
            }
        }
    }

    /// Puts one class in the place of all.
    fn merge_classes(&mut self, list: &mut Vec<Regex>, merge: fn(&[&Class]) -> Class) {
        let class = |pool: &Self, regex| if let Node::Class(number) = pool.node(regex) { Some(number) } else { None };
        let classes: Vec<u32> = list.iter().filter_map(|&operand| class(self, operand)).collect();
        if classes.len() > 1 {
            let sets: Vec<&Class> = classes.iter().map(|&number| &self.classes[number as usize]).collect();
            let merged = merge(&sets);
            list.retain(|&operand| class(self, operand).is_none());
            list.push(self.class(merged));
        }
    }

    /// Whether a sorted list has both a language and its complement.
    fn has_complement_of_another(&self, list: &[Regex]) -> bool {
        list.iter().any(|&operand| match self.node(operand) {
            Node::Complement(inner) => list.binary_search(&inner).is_ok(),
            _ => false,
        })
    }

    /// `re.comp`: all other words.
    pub(super) fn complement(&mut self, regex: Regex) -> Regex {
        match (regex, self.node(regex)) {
            (Regex::NONE, _) => Regex::ALL,
            (Regex::ALL, _) => Regex::NONE,
            (_, Node::Complement(inner)) => inner,
            _ => self.intern(Node::Complement(regex)),
        }
    }

    /// `re.diff`: the words of `left` that are not in `right`.
    pub(super) fn difference(&mut self, left: Regex, right: Regex) -> Regex {
        let others = self.complement(right);
        self.intersection(&[left, others])
    }
}

fn sort(list: &mut Vec<Regex>) {
    list.sort_unstable();
    list.dedup();
}
