//! `translate`: the alphabet is permuted.

use super::walk::{change_everywhere, with_bounds};
use crate::generator::text_characters;
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator, takes_literals};
use crate::random::{FuzzRng, choose_front};
use crate::smtlib::script::Script;
use crate::smtlib::term::{Head, LiteralKind};

/// Printable characters and white space are exchanged for one another, in all string literals alike; others stay.
#[derive(Clone, Copy, Debug)]
pub struct Translate {
    /// Exchange digits too. Without them strings stay numbers, if they are.
    pub integers: bool,
    /// Translate the bounds of `re.range` too, and put them in order.
    pub re_range: bool,
}

impl Mutator for Translate {
    fn name(&self) -> &'static str {
        "translate"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        let permutation = self.permutation(rng);
        let mut result = MutationResult::Skipped;
        let translated = |character: u32| permutation.get(character as usize).copied().unwrap_or(character);
        change_everywhere(script, |terms, term| match terms.head(term) {
            Head::Literal(LiteralKind::String) => {
                // What stayed by chance may change the next time.
                result = MutationResult::Mutated;
                let text: Vec<u32> = terms.text(term).iter().copied().map(translated).collect();
                terms.string(&text)
            }
            Head::Operator(op) if takes_literals(op) && self.re_range => {
                result = MutationResult::Mutated;
                with_bounds(terms, term, translated)
            }
            _ => term,
        });
        result
    }
}

impl Translate {
    /// For each character below 128, the one that takes its place.
    fn permutation(self, rng: &mut FuzzRng) -> Vec<u32> {
        let is_digit = |character: &u32| (u32::from(b'0')..=u32::from(b'9')).contains(character);
        let characters: Vec<u32> = text_characters().filter(|each| self.integers || !is_digit(each)).collect();
        let mut shuffled = characters.clone();
        choose_front(rng, &mut shuffled, characters.len());
        let mut permutation: Vec<u32> = (0..128).collect();
        for (character, other) in characters.into_iter().zip(shuffled) {
            permutation[character as usize] = other;
        }
        permutation
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_for;

    #[test]
    fn an_alphabet_is_permuted_with_or_without_its_digits() {
        for (integers, re_range) in [(false, false), (true, true)] {
            let permutation = Translate { integers, re_range }.permutation(&mut rng_for(1, 0, 0));
            let mut sorted = permutation.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..128).collect::<Vec<u32>>());
            let digits_stay = (b'0'..=b'9').all(|digit| permutation[usize::from(digit)] == u32::from(digit));
            assert_eq!(digits_stay, !integers);
        }
    }
}
