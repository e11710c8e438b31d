//! Derivatives, and membership by them.
//!
//! The derivative of a language by a character is what may follow that character in a word of the language (Brzozowski
//! 1964). Derivatives are remembered by expression and character.

use super::{Budget, GaveUp, Node, Regex, Regexes};

impl Regexes {
    /// Whether a word is in the language.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub(super) fn matches(&mut self, word: &[u32], regex: Regex, budget: &mut Budget) -> Result<bool, GaveUp> {
        let mut state = regex;
        for (place, &character) in word.iter().enumerate() {
            if state == Regex::ALL {
                return Ok(true);
            }
            let facts = self.facts(state);
            let rest = u32::try_from(word.len() - place).unwrap_or(u32::MAX);
            if rest < facts.shortest || rest > facts.longest {
                return Ok(false);
            }
            state = self.derivative(state, character, budget)?;
        }
        Ok(self.is_nullable(state))
    }

    /// The words that, put after `character`, are in the language.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub(super) fn derivative(&mut self, regex: Regex, character: u32, budget: &mut Budget) -> Result<Regex, GaveUp> {
        budget.read()?;
        if let Some(known) = self.known_derivative(regex, character) {
            return Ok(known);
        }
        // An explicit stack: operands before what they are operands of.
        let mut pending = vec![regex];
        while let Some(&top) = pending.last() {
            if self.known_derivative(top, character).is_some() {
                pending.pop();
                continue;
            }
            let before = pending.len();
            self.push_missing(top, character, &mut pending);
            if pending.len() == before {
                let parts = if let Node::Union(list) | Node::Intersection(list) = self.node(top) {
                    list.range().len()
                } else {
                    1
                };
                budget.step(parts)?;
                let derivative = self.assemble(top, character);
                self.derivatives.insert((top, character), derivative);
                pending.pop();
            }
        }
        Ok(self.known(regex, character))
    }

    /// A derivative that takes no work, or that was computed before.
    fn known_derivative(&self, regex: Regex, character: u32) -> Option<Regex> {
        let after = |number: u32, rest| {
            if self.classes[number as usize].contains(character) { rest } else { Regex::NONE }
        };
        match self.node(regex) {
            Node::None | Node::Epsilon => Some(Regex::NONE),
            Node::Class(number) => Some(after(number, Regex::EPSILON)),
            Node::Concat(head, rest) if let Node::Class(number) = self.node(head) => Some(after(number, rest)),
            _ => self.derivatives.get(&(regex, character)).copied(),
        }
    }

    /// [`known_derivative`](Self::known_derivative), where [`push_missing`](Self::push_missing) has seen to it.
    fn known(&self, regex: Regex, character: u32) -> Regex {
        let known = self.known_derivative(regex, character);
        debug_assert!(known.is_some(), "operands come before what they are operands of");
        known.unwrap_or(Regex::NONE)
    }

    /// Pushes the operands whose derivatives the derivative of `regex` is made from and that are not known.
    fn push_missing(&self, regex: Regex, character: u32, pending: &mut Vec<Regex>) {
        let mut need = |operand| {
            if self.known_derivative(operand, character).is_none() {
                pending.push(operand);
            }
        };
        match self.node(regex) {
            Node::None | Node::Epsilon | Node::Class(_) => {}
            Node::Concat(head, rest) => {
                need(head);
                if self.is_nullable(head) {
                    need(rest);
                }
            }
            Node::Union(list) | Node::Intersection(list) => self.list(list).iter().copied().for_each(need),
            Node::Complement(inner) | Node::Star(inner) | Node::Loop { body: inner, .. } => need(inner),
        }
    }

    /// The derivative of an expression, from those of its operands.
    fn assemble(&mut self, regex: Regex, character: u32) -> Regex {
        match self.node(regex) {
            Node::None | Node::Epsilon | Node::Class(_) => self.known(regex, character),
            Node::Concat(head, rest) => {
                let first = self.known(head, character);
                let first = self.concat_pair(first, rest);
                if !self.is_nullable(head) {
                    return first;
                }
                let second = self.known(rest, character);
                self.union(&[first, second])
            }
            Node::Union(list) => {
                let operands: Vec<Regex> = list.range().map(|at| self.known(self.operands[at], character)).collect();
                self.union(&operands)
            }
            Node::Intersection(list) => {
                let operands: Vec<Regex> = list.range().map(|at| self.known(self.operands[at], character)).collect();
                self.intersection(&operands)
            }
            Node::Complement(inner) => {
                let inner = self.known(inner, character);
                self.complement(inner)
            }
            Node::Star(body) => {
                let first = self.known(body, character);
                self.concat_pair(first, regex)
            }
            // With the empty word in the body, `low` is 0, and fewer repetitions are among the others: no union.
            Node::Loop { body, low, high } => {
                let first = self.known(body, character);
                let rest = self.repeat(body, low.saturating_sub(1), high.map(|high| high - 1));
                self.concat_pair(first, rest)
            }
        }
    }
}
