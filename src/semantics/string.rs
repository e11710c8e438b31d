//! The operators of the theory of Unicode strings that look at characters: codes, digits, order, case.
//!
//! A string is a slice of code points from 0 to [`LARGEST_CODE_POINT`]. The operators that only move characters are
//! those of [sequences](super::sequence), here under the same names.

use num_bigint::{BigInt, Sign};

use super::sequence::check_length;
pub use super::sequence::{
    MAX_LENGTH, TooLong, at, concat, contains, index_of, is_prefix, is_suffix, last_index_of, length, replace,
    replace_all, reverse, substring, update,
};
use crate::smtlib::literal::LARGEST_CODE_POINT;

mod decimal;

/// The code points of `0` to `9`, the digits of the theory.
const DIGITS: std::ops::RangeInclusive<u32> = 0x30..=0x39;

/// `str.<`: whether `left` comes before `right` in the lexicographic order of code points.
pub fn less(left: &[u32], right: &[u32]) -> bool {
    left < right
}

/// `str.<=`: whether `left` comes before `right` or is equal to it.
pub fn less_or_equal(left: &[u32], right: &[u32]) -> bool {
    left <= right
}

/// `str.is_digit`: whether the string is one digit.
pub fn is_digit(string: &[u32]) -> bool {
    matches!(string, [character] if DIGITS.contains(character))
}

/// `str.to_code`: the code point of the only character, or -1.
pub fn to_code(string: &[u32]) -> BigInt {
    match string {
        [character] => BigInt::from(*character),
        _ => BigInt::from(-1),
    }
}

/// `str.from_code`: the string of the character with this code point; empty if there is none.
pub fn from_code(code: &BigInt) -> Vec<u32> {
    u32::try_from(code).ok().filter(|code| *code <= LARGEST_CODE_POINT).into_iter().collect()
}

/// `str.to_int`: the number that the digits stand for, in decimal; -1 if the string is empty or has another character.
pub fn to_int(string: &[u32]) -> BigInt {
    if string.is_empty() || !string.iter().all(|character| DIGITS.contains(character)) {
        return BigInt::from(-1);
    }
    decimal::value(string)
}

/// `str.from_int`: the number in decimal, without leading zeros; empty for a negative one.
///
/// # Errors
/// [`TooLong`].
pub fn from_int(number: &BigInt) -> Result<Vec<u32>, TooLong> {
    if number.sign() == Sign::Minus {
        return Ok(Vec::new());
    }
    // A decimal digit carries less than four bits, so this is fewer digits than there are. It spares us the conversion
    // of a number that is far too long.
    check_length(usize::try_from(number.bits() / 4).unwrap_or(usize::MAX))?;
    let digits = decimal::digits(number.magnitude());
    check_length(digits.len())?;
    Ok(digits)
}

/// `str.to_lower`: the string with `A` to `Z` in lower case. As in cvc5, no other letter has a case.
pub fn to_lower(string: &[u32]) -> Vec<u32> {
    string
        .iter()
        .map(|&character| if (0x41..=0x5A).contains(&character) { character + 0x20 } else { character })
        .collect()
}

/// `str.to_upper`: the string with `a` to `z` in upper case. As in cvc5, no other letter has a case.
pub fn to_upper(string: &[u32]) -> Vec<u32> {
    string
        .iter()
        .map(|&character| if (0x61..=0x7A).contains(&character) { character - 0x20 } else { character })
        .collect()
}

#[cfg(test)]
mod tests;
