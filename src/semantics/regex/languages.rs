//! Questions about languages. Handles of the pool never leave this folder.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::{Budget, Form, GaveUp, Language, Regex, Regexes, ReplaceError};

/// Answers questions about languages, and remembers what it has found out about their parts.
#[derive(Debug, Default)]
pub struct Languages {
    pool: Regexes,
    /// The handles of expressions, by their digests.
    known: FxHashMap<u128, Regex>,
}

impl Languages {
    /// One that has not been asked yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn handle(&mut self, language: &Language) -> Regex {
        let Languages { pool, known } = self;
        language.fold(known, |form, operands: &[Regex]| made(pool, form, operands))
    }

    /// `str.in_re`: whether the word is in the language.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub fn matches(&mut self, word: &[u32], language: &Language, budget: &mut Budget) -> Result<bool, GaveUp> {
        let regex = self.handle(language);
        self.pool.matches(word, regex, budget)
    }

    /// `=` on the sort `RegLan`: whether two languages have the same words.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub fn equivalent(&mut self, left: &Language, right: &Language, budget: &mut Budget) -> Result<bool, GaveUp> {
        let (left, right) = (self.handle(left), self.handle(right));
        self.pool.equivalent(left, right, budget)
    }

    /// A word of the language, a short one; `None` if there is no word.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice, or the word would be too long.
    pub fn witness(&mut self, language: &Language, budget: &mut Budget) -> Result<Option<Vec<u32>>, GaveUp> {
        let regex = self.handle(language);
        self.pool.witness(regex, budget)
    }

    /// `str.replace_re`: `text` with the first match of the language replaced.
    ///
    /// # Errors
    /// [`ReplaceError`].
    pub fn replace(
        &mut self,
        text: &[u32],
        language: &Language,
        by: &[u32],
        budget: &mut Budget,
    ) -> Result<Vec<u32>, ReplaceError> {
        let regex = self.handle(language);
        self.pool.replace(text, regex, by, budget)
    }

    /// `str.replace_re_all`: `text` with all matches that are not empty replaced, from left to right.
    ///
    /// # Errors
    /// [`ReplaceError`].
    pub fn replace_all(
        &mut self,
        text: &[u32],
        language: &Language,
        by: &[u32],
        budget: &mut Budget,
    ) -> Result<Vec<u32>, ReplaceError> {
        let regex = self.handle(language);
        self.pool.replace_all(text, regex, by, budget)
    }

    /// `str.indexof_re`: where the first match from `start` on begins, or −1.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub fn index_of(
        &mut self,
        text: &[u32],
        language: &Language,
        start: &BigInt,
        budget: &mut Budget,
    ) -> Result<BigInt, GaveUp> {
        let regex = self.handle(language);
        self.pool.index_of(text, regex, start, budget)
    }
}

/// The handle of a form over operands that have theirs. One that lacks an operand is the empty language: nobody makes
/// such an expression.
fn made(pool: &mut Regexes, form: &Form, operands: &[Regex]) -> Regex {
    let first = operands.first().copied().unwrap_or(Regex::NONE);
    match form {
        Form::None => Regex::NONE,
        Form::All => Regex::ALL,
        Form::AllChar => Regex::ALLCHAR,
        Form::Word(word) => pool.literal(word),
        Form::Range(low, high) => pool.range(&[*low], &[*high]),
        Form::Concat => pool.concat(operands),
        Form::Union => pool.union(operands),
        Form::Intersection => pool.intersection(operands),
        Form::Difference => operands.iter().skip(1).fold(first, |left, &right| pool.difference(left, right)),
        Form::Complement => pool.complement(first),
        Form::Star => pool.star(first),
        Form::Plus => pool.plus(first),
        Form::Optional => pool.optional(first),
        Form::Power(count) => pool.power(first, *count),
        Form::Loop(low, high) => pool.repeat(first, *low, *high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(count: u32) -> Vec<Language> {
        (0..count).map(|letter| Language::new(Form::Range(97 + letter, 97 + letter), Vec::new())).collect()
    }

    #[test]
    fn a_language_means_the_same_to_whoever_is_asked() {
        let letters = letters(26);
        // Asked in other orders, the two give other handles to the same letters.
        let (mut one, mut other) = (Languages::new(), Languages::new());
        for letter in &letters {
            assert!(one.witness(letter, &mut Budget::default()).unwrap().is_some());
        }
        for (place, letter) in letters.iter().enumerate().rev() {
            let word = [97 + place as u32];
            assert_eq!(other.matches(&word, letter, &mut Budget::default()), Ok(true));
            assert_eq!(one.matches(&word, letter, &mut Budget::default()), Ok(true));
            assert_eq!(one.equivalent(letter, &letters[0], &mut Budget::default()), Ok(place == 0));
        }
    }

    #[test]
    fn a_language_outlives_whoever_was_asked_first() {
        let union = Language::new(Form::Union, letters(26));
        {
            let mut first = Languages::new();
            assert_eq!(first.matches(&[122], &union, &mut Budget::default()), Ok(true));
        }
        assert_eq!(Languages::new().matches(&[122], &union, &mut Budget::default()), Ok(true));
        assert_eq!(Languages::new().matches(&[123], &union, &mut Budget::default()), Ok(false));
    }

    #[test]
    fn deep_expressions_have_handles() {
        let deep = (0..200_000).fold(Language::word("ab"), |inside, _| {
            Language::new(Form::Star, vec![Language::new(Form::Optional, vec![inside])])
        });
        let mut languages = Languages::new();
        assert_eq!(languages.matches(&[97, 98, 97, 98], &deep, &mut Budget::default()), Ok(true));
        assert_eq!(languages.matches(&[97], &deep, &mut Budget::default()), Ok(false));
    }
}
