//! Matches within a string: the operators that look for a word of a language, and replace it.
//!
//! A match is the leftmost, and of those that begin there the shortest (SMT-LIB 2.6).

use num_bigint::BigInt;
use thiserror::Error;

use super::{Budget, GaveUp, Regex, Regexes};
use crate::semantics::sequence::{self, TooLong, check_length};

/// Why a replacement has no value here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReplaceError {
    /// The matches take too many steps to find.
    #[error(transparent)]
    GaveUp(#[from] GaveUp),
    /// The result is too long.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

/// Whether the empty word counts as a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Empty {
    Matches,
    Ignored,
}

impl Regexes {
    /// `str.replace_re`: `text` with the first match of the language replaced. If the language has the empty word, that
    /// is a match before everything, so that its replacement is prepended.
    ///
    /// # Errors
    /// [`ReplaceError`].
    pub(super) fn replace(
        &mut self,
        text: &[u32],
        regex: Regex,
        by: &[u32],
        budget: &mut Budget,
    ) -> Result<Vec<u32>, ReplaceError> {
        match self.find(text, regex, Empty::Matches, budget)? {
            Some((start, end)) => Ok(sequence::concat(&[&text[..start], by, &text[end..]])?),
            None => Ok(text.to_vec()),
        }
    }

    /// `str.replace_re_all`: `text` with all matches that are not empty replaced, from left to right.
    ///
    /// # Errors
    /// [`ReplaceError`].
    pub(super) fn replace_all(
        &mut self,
        text: &[u32],
        regex: Regex,
        by: &[u32],
        budget: &mut Budget,
    ) -> Result<Vec<u32>, ReplaceError> {
        let mut result = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((start, end)) = self.find(rest, regex, Empty::Ignored, budget)? {
            check_length(result.len() + start + by.len())?;
            result.extend_from_slice(&rest[..start]);
            result.extend_from_slice(by);
            rest = &rest[end..];
        }
        check_length(result.len() + rest.len())?;
        result.extend_from_slice(rest);
        Ok(result)
    }

    /// `str.indexof_re` (cvc5): the first position from `start` on at which a word of the language begins, or -1. A
    /// `start` outside of `text` has no position after it; the length is not outside.
    ///
    /// # Errors
    /// [`GaveUp`] if the budget does not suffice.
    pub(super) fn index_of(
        &mut self,
        text: &[u32],
        regex: Regex,
        start: &BigInt,
        budget: &mut Budget,
    ) -> Result<BigInt, GaveUp> {
        let mut found = None;
        if let Some(start) = sequence::index(start)
            && let Some(rest) = text.get(start..)
        {
            found = self.find(rest, regex, Empty::Matches, budget)?.map(|(place, _)| start + place);
        }
        Ok(sequence::position(found))
    }

    /// Where the first match begins and ends.
    fn find(
        &mut self,
        text: &[u32],
        regex: Regex,
        empty: Empty,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>, GaveUp> {
        for start in 0..=text.len() {
            if let Some(length) = self.shortest_prefix(&text[start..], regex, empty, budget)? {
                return Ok(Some((start, start + length)));
            }
        }
        Ok(None)
    }

    /// The length of the shortest prefix of `text` that is in the language.
    fn shortest_prefix(
        &mut self,
        text: &[u32],
        regex: Regex,
        empty: Empty,
        budget: &mut Budget,
    ) -> Result<Option<usize>, GaveUp> {
        if empty == Empty::Matches && self.is_nullable(regex) {
            return Ok(Some(0));
        }
        let mut state = regex;
        for (place, &character) in text.iter().enumerate() {
            // The empty language has no shortest word either.
            if text.len() - place < self.facts(state).shortest as usize {
                return Ok(None);
            }
            state = self.derivative(state, character, budget)?;
            if self.is_nullable(state) {
                return Ok(Some(place + 1));
            }
        }
        Ok(None)
    }
}
