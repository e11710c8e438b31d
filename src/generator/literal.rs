//! Random literals.

use rand::Rng;

use super::parameters::Parameters;
use crate::random::{FuzzRng, below, between, chance};
use crate::smtlib::term::{TermId, Terms};

/// The characters of random strings: printable ASCII without space, and without the backslash, which solvers read in
/// five different ways.
const FIRST: u32 = 0x21;
const BACKSLASH: u32 = 0x5C;
const CHARACTERS: u64 = 0x7E - 0x21;

/// A character that every solver reads alike.
#[inline]
pub fn character(rng: &mut FuzzRng) -> u32 {
    character_of(rng.next_u64() >> 48)
}

/// The character for 16 random bits.
#[inline]
fn character_of(bits: u64) -> u32 {
    let character = FIRST + ((bits * CHARACTERS) >> 16) as u32;
    character + u32::from(character >= BACKSLASH)
}

/// How many characters [`text_character`] draws from: printable ASCII, and the five that C's `isspace` knows besides it.
const TEXT_CHARACTERS: usize = 100;

/// A character of a text file in ASCII: printable or white space, the backslash included.
pub fn text_character(rng: &mut FuzzRng) -> u32 {
    text_alphabet(below(rng, TEXT_CHARACTERS))
}

/// All characters that [`text_character`] draws from.
pub fn text_characters() -> impl Iterator<Item = u32> {
    (0..TEXT_CHARACTERS).map(text_alphabet)
}

fn text_alphabet(index: usize) -> u32 {
    const PRINTABLE: usize = 95;
    let (first, index) = if index < PRINTABLE { (0x20, index) } else { (0x09, index - PRINTABLE) };
    first + index as u32
}

/// Fills `text` with random characters.
pub(super) fn characters(rng: &mut FuzzRng, text: &mut Vec<u32>, length: usize) {
    text.clear();
    let mut rest = length;
    while rest > 0 {
        // One draw serves four characters.
        let mut bits = rng.next_u64();
        for _ in 0..rest.min(4) {
            text.push(character_of(bits & 0xFFFF));
            bits >>= 16;
        }
        rest = rest.saturating_sub(4);
    }
}

/// A random string literal. `previous` is the one drawn before, and becomes the new one; `text` is working memory.
pub(super) fn string(
    parameters: &Parameters,
    terms: &mut Terms,
    previous: &mut Option<TermId>,
    text: &mut Vec<u32>,
    rng: &mut FuzzRng,
) -> TermId {
    if let Some(whole) = *previous
        && parameters.related_string_probability > 0.0
        && chance(rng, parameters.related_string_probability)
        && !terms.text(whole).is_empty()
    {
        let whole = terms.text(whole);
        let start = below(rng, whole.len());
        let length = 1 + below(rng, whole.len() - start);
        text.clear();
        text.extend_from_slice(&whole[start..start + length]);
        // The longer one stays, so that pieces do not shrink to nothing.
        return terms.string(text);
    }
    if parameters.short_string_probability > 0.0 && chance(rng, parameters.short_string_probability) {
        let length = below(rng, parameters.string_length as usize + 1);
        characters(rng, text, length);
        if chance(rng, 0.5) {
            // Digits, for the conversions between strings and integers.
            for character in text.iter_mut() {
                *character = u32::from(b'0') + *character % 10;
            }
        }
    } else {
        characters(rng, text, parameters.string_length as usize);
    }
    let literal = terms.string(text);
    *previous = Some(literal);
    literal
}

/// A random numeral.
pub(super) fn numeral(parameters: &Parameters, terms: &mut Terms, smallest: u32, rng: &mut FuzzRng) -> TermId {
    let value = between(rng, smallest, parameters.maximum_integer.max(smallest));
    terms.numeral(u64::from(value))
}

/// Two literals of one character each, in order.
pub(super) fn character_range(terms: &mut Terms, rng: &mut FuzzRng) -> [TermId; 2] {
    let mut bounds = [character(rng), character(rng)];
    bounds.sort_unstable();
    bounds.map(|bound| terms.string(&[bound]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_for;

    #[test]
    fn characters_are_printable_and_no_backslash() {
        let drawn: std::collections::BTreeSet<u32> = (0..=0xFFFF).map(character_of).collect();
        assert_eq!(drawn.len() as u64, CHARACTERS);
        assert!(drawn.iter().all(|&each| (0x21..=0x7E).contains(&each) && each != BACKSLASH));
    }

    #[test]
    fn characters_of_texts_are_those_that_c_can_print_or_calls_space() {
        let all: std::collections::BTreeSet<u32> = text_characters().collect();
        assert_eq!(all.len(), TEXT_CHARACTERS);
        assert!(all.iter().all(|&each| (0x20..=0x7E).contains(&each) || (0x09..=0x0D).contains(&each)));
    }

    #[test]
    fn a_related_string_is_a_piece_of_the_one_before() {
        let parameters = Parameters { related_string_probability: 1.0, ..Parameters::default() };
        let (mut terms, mut text, mut rng) = (Terms::new(), Vec::new(), rng_for(1, 0, 0));
        let whole = terms.string(&[1, 2, 3, 4, 5]);
        for _ in 0..50 {
            let piece = string(&parameters, &mut terms, &mut Some(whole), &mut text, &mut rng);
            let (piece, whole) = (terms.text(piece), terms.text(whole));
            assert!(whole.windows(piece.len()).any(|window| window == piece));
        }
    }
}
