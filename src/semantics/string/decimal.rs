//! Long numbers in decimal notation, as code points of digits.

use num_bigint::{BigInt, BigUint};

/// How many digits fit in a machine word.
const WORD_DIGITS: usize = 19;

/// The number that a string of digits stands for. Halves are put together by one multiplication each, so that a
/// million digits cost what multiplying long numbers costs, and not the square of their count.
pub(super) fn value(digits: &[u32]) -> BigInt {
    // Words of 19 digits, the least significant first.
    let mut parts: Vec<BigInt> = digits.rchunks(WORD_DIGITS).map(|chunk| BigInt::from(word(chunk))).collect();
    let mut base = BigInt::from(10_u64.pow(WORD_DIGITS as u32));
    while parts.len() > 1 {
        let pairs = parts.chunks(2).map(|pair| match pair {
            [low, high] => low + high * &base,
            _ => pair[0].clone(),
        });
        parts = pairs.collect();
        if parts.len() > 1 {
            base = &base * &base;
        }
    }
    parts.pop().unwrap_or_default()
}

/// The value of at most 19 digits.
fn word(digits: &[u32]) -> u64 {
    digits.iter().fold(0, |value, digit| value * 10 + u64::from(digit - u32::from(b'0')))
}

/// The decimal digits of a number, without leading zeros.
pub(super) fn digits(number: &BigUint) -> Vec<u32> {
    number.to_radix_be(10).into_iter().map(|digit| u32::from(b'0') + u32::from(digit)).collect()
}
