//! Repetitions: their constructors, and the laws that keep their derivatives few.
//!
//! Counts are kept as numbers, however large they are: nothing here is written out.

use super::{Node, Regex, Regexes};

/// A bound of a loop that has none.
const UNBOUNDED: u32 = u32::MAX;

impl Regexes {
    /// `re.*`: any number of words of the language, one after the other.
    pub(super) fn star(&mut self, regex: Regex) -> Regex {
        let mut body = self.without_epsilon(regex);
        while let Node::Loop { body: inner, low: 0 | 1, .. } = self.node(body) {
            body = inner;
        }
        match self.node(body) {
            Node::None | Node::Epsilon => Regex::EPSILON,
            Node::Star(_) => body,
            _ => self.intern(Node::Star(body)),
        }
    }

    /// `re.+`: at least one word of the language.
    pub(super) fn plus(&mut self, regex: Regex) -> Regex {
        self.repeat(regex, 1, None)
    }

    /// `re.opt`: the language with the empty word.
    pub(super) fn optional(&mut self, regex: Regex) -> Regex {
        self.union(&[Regex::EPSILON, regex])
    }

    /// `(_ re.^ n)`: exactly `count` words of the language.
    pub(super) fn power(&mut self, regex: Regex, count: u32) -> Regex {
        self.repeat(regex, count, Some(count))
    }

    /// `(_ re.loop low high)`: from `low` to `high` words of the language, one after the other; the empty language if
    /// `low` is above `high`. Without `high`, any number from `low` on. The count is kept as a number, however large.
    pub(super) fn repeat(&mut self, regex: Regex, low: u32, high: Option<u32>) -> Regex {
        match (low, high) {
            (low, Some(high)) if low > high => Regex::NONE,
            (0, Some(0)) => Regex::EPSILON,
            (1, Some(1)) => regex,
            (0, Some(1)) => self.optional(regex),
            _ => self.repeat_many(regex, low, high),
        }
    }

    /// [`repeat`](Self::repeat), with `high` at least `low` and more than 1.
    fn repeat_many(&mut self, regex: Regex, low: u32, high: Option<u32>) -> Regex {
        match self.node(regex) {
            Node::None if low > 0 => return Regex::NONE,
            Node::None | Node::Epsilon => return Regex::EPSILON,
            Node::Star(_) => return regex,
            _ => {}
        }
        // With the empty word in the language, fewer words are as good.
        let low = if self.is_nullable(regex) { 0 } else { low };
        if low == 0 && high.is_none() {
            return self.star(regex);
        }
        let body = if low == 0 { self.without_epsilon(regex) } else { regex };
        self.intern(Node::Loop { body, low, high })
    }

    /// The language as a body of repetitions from 0 on: whether it has the empty word makes no difference there.
    fn without_epsilon(&mut self, regex: Regex) -> Regex {
        let Node::Union(list) = self.node(regex) else { return regex };
        match self.list(list) {
            // Of a union, the empty word is the first operand: its handle is the smallest of all that may be there.
            [Regex::EPSILON, other] => *other,
            [Regex::EPSILON, ..] => {
                let rest = self.list(list)[1..].to_vec();
                let list = self.push_list(&rest);
                self.intern(Node::Union(list))
            }
            _ => regex,
        }
    }

    /// Joins loops of the same body before the same rest whose counts meet: Lᵃ⁻ᵇ R ∪ Lᶜ⁻ᵈ R. The derivatives of a loop
    /// whose body has words of several lengths would be unions of that many loops otherwise.
    pub(super) fn merge_loops(&mut self, list: &mut Vec<Regex>) {
        if list.iter().filter(|&&operand| self.leading_loop(operand).is_some()).nth(1).is_none() {
            return;
        }
        let mut loops: Vec<_> = list.iter().filter_map(|&operand| self.leading_loop(operand)).collect();
        loops.sort_unstable();
        list.retain(|&operand| self.leading_loop(operand).is_none());
        let mut joined: Vec<(Regex, Regex, u32, u32)> = Vec::with_capacity(loops.len());
        for (body, rest, low, high) in loops {
            match joined.last_mut() {
                Some(last) if (last.0, last.1) == (body, rest) && low <= last.3.saturating_add(1) => {
                    last.3 = last.3.max(high);
                }
                _ => joined.push((body, rest, low, high)),
            }
        }
        for (body, rest, low, high) in joined {
            let high = (high != UNBOUNDED).then_some(high);
            let repeated = self.repeat_many(body, low, high);
            let operand = self.concat_pair(repeated, rest);
            list.push(operand);
        }
    }

    /// The loop that an expression begins with: its body, what follows, and its bounds.
    fn leading_loop(&self, regex: Regex) -> Option<(Regex, Regex, u32, u32)> {
        let (head, rest) = match self.node(regex) {
            Node::Concat(head, rest) => (head, rest),
            _ => (regex, Regex::EPSILON),
        };
        match self.node(head) {
            Node::Star(body) => Some((body, rest, 0, UNBOUNDED)),
            Node::Loop { body, low, high } if high != Some(UNBOUNDED) => {
                Some((body, rest, low, high.unwrap_or(UNBOUNDED)))
            }
            _ => None,
        }
    }
}
