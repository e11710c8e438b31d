//! The operators that sequences of any sort share with strings, which are sequences of code points.
//!
//! The functions follow the theory of Unicode strings of SMT-LIB 2.6, and cvc5 (`update`) and Z3 (`last_index_of`) for
//! what the standard lacks. Positions are integers of any size, as in terms; whatever lies outside a sequence has the
//! value that the standard gives it, but for [`nth`], which the standard leaves free.

use num_bigint::BigInt;
use thiserror::Error;

use self::finder::Finder;

mod finder;

/// The most elements that a value may have: terms of a few lines can ask for strings that no memory holds, since each
/// nested `str.replace_all` may square a length.
pub const MAX_LENGTH: usize = 1 << 20;

/// A value would have more than [`MAX_LENGTH`] elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a value of more than {MAX_LENGTH} elements")]
pub struct TooLong;

/// Fails if a value of this length is too long.
pub(super) fn check_length(length: usize) -> Result<(), TooLong> {
    if length <= MAX_LENGTH { Ok(()) } else { Err(TooLong) }
}

/// A position as an index, if one can be: not negative, and small enough for any slice.
pub(super) fn index(position: &BigInt) -> Option<usize> {
    usize::try_from(position).ok()
}

/// The result of a search as an integer: -1 stands for "nowhere".
pub(super) fn position(found: Option<usize>) -> BigInt {
    found.map_or_else(|| BigInt::from(-1), BigInt::from)
}

/// `str.++`: all parts, one after the other.
///
/// # Errors
/// [`TooLong`].
pub fn concat<T: Clone>(parts: &[&[T]]) -> Result<Vec<T>, TooLong> {
    check_length(parts.iter().fold(0, |sum, part| part.len().saturating_add(sum)))?;
    Ok(parts.concat())
}

/// `str.len`.
pub fn length<T>(sequence: &[T]) -> BigInt {
    BigInt::from(sequence.len())
}

/// `str.at`: the sequence of the element at a position; empty outside.
pub fn at<'a, T>(sequence: &'a [T], position: &BigInt) -> &'a [T] {
    index(position).and_then(|first| sequence.get(first..=first)).unwrap_or_default()
}

/// `seq.nth`: the element at a position. Outside, the term may have any value, the same for equal arguments.
pub fn nth<'a, T>(sequence: &'a [T], position: &BigInt) -> Option<&'a T> {
    sequence.get(index(position)?)
}

/// `str.substr`: at most `count` elements from position `start` on; empty if `start` lies outside or `count` is not
/// positive.
pub fn substring<'a, T>(sequence: &'a [T], start: &BigInt, count: &BigInt) -> &'a [T] {
    let Some(rest) = index(start).and_then(|start| sequence.get(start..)) else { return &[] };
    if count.sign() != num_bigint::Sign::Plus {
        return &[];
    }
    // A count that is no index is longer than any sequence.
    &rest[..index(count).unwrap_or(usize::MAX).min(rest.len())]
}

/// `str.prefixof`: whether `sequence` begins with `prefix`.
pub fn is_prefix<T: PartialEq>(prefix: &[T], sequence: &[T]) -> bool {
    sequence.starts_with(prefix)
}

/// `str.suffixof`: whether `sequence` ends with `suffix`.
pub fn is_suffix<T: PartialEq>(suffix: &[T], sequence: &[T]) -> bool {
    sequence.ends_with(suffix)
}

/// `str.contains`: whether `needle` occurs in `haystack`; the empty sequence occurs everywhere.
pub fn contains<T: PartialEq>(haystack: &[T], needle: &[T]) -> bool {
    Finder::new(needle).find(haystack).is_some()
}

/// `str.indexof`: the first position from `start` on at which `needle` occurs, or -1. The empty sequence occurs at
/// every position including the length; a `start` beyond that has no occurrence after it.
pub fn index_of<T: PartialEq>(haystack: &[T], needle: &[T], start: &BigInt) -> BigInt {
    let found = index(start).and_then(|start| {
        let rest = haystack.get(start..)?;
        Some(start + Finder::new(needle).find(rest)?)
    });
    position(found)
}

/// `str.last_indexof`: the last position at which `needle` occurs, or -1. The empty sequence occurs last at the
/// length.
pub fn last_index_of<T: PartialEq>(haystack: &[T], needle: &[T]) -> BigInt {
    // The first occurrence in the reversed sequence.
    let reversed = |sequence| <[T]>::iter(sequence).rev().collect::<Vec<&T>>();
    let found = Finder::new(&reversed(needle)).find(&reversed(haystack));
    position(found.map(|from_end| haystack.len() - needle.len() - from_end))
}

/// `str.replace`: `sequence` with the first occurrence of `pattern` replaced. The empty pattern occurs first before
/// everything, so that its replacement is prepended.
///
/// # Errors
/// [`TooLong`].
pub fn replace<T: Clone + PartialEq>(sequence: &[T], pattern: &[T], by: &[T]) -> Result<Vec<T>, TooLong> {
    match Finder::new(pattern).find(sequence) {
        Some(at) => concat(&[&sequence[..at], by, &sequence[at + pattern.len()..]]),
        None => Ok(sequence.to_vec()),
    }
}

/// `str.replace_all`: `sequence` with all occurrences of `pattern` replaced, from left to right. The empty pattern
/// changes nothing.
///
/// # Errors
/// [`TooLong`].
pub fn replace_all<T: Clone + PartialEq>(sequence: &[T], pattern: &[T], by: &[T]) -> Result<Vec<T>, TooLong> {
    if pattern.is_empty() {
        return Ok(sequence.to_vec());
    }
    let finder = Finder::new(pattern);
    let mut result = Vec::with_capacity(sequence.len());
    let mut rest = sequence;
    while let Some(at) = finder.find(rest) {
        check_length(result.len() + at + by.len())?;
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(by);
        rest = &rest[at + pattern.len()..];
    }
    check_length(result.len() + rest.len())?;
    result.extend_from_slice(rest);
    Ok(result)
}

/// `str.rev`: the elements in reverse order.
pub fn reverse<T: Clone>(sequence: &[T]) -> Vec<T> {
    sequence.iter().rev().cloned().collect()
}

/// `str.update`: `sequence` with what stands from a position on overwritten by `by`, as far as the sequence goes.
/// A position outside changes nothing.
pub fn update<T: Clone>(sequence: &[T], position: &BigInt, by: &[T]) -> Vec<T> {
    let mut result = sequence.to_vec();
    if let Some(rest) = index(position).and_then(|start| result.get_mut(start..)) {
        let overwritten = by.len().min(rest.len());
        rest[..overwritten].clone_from_slice(&by[..overwritten]);
    }
    result
}

#[cfg(test)]
mod tests;
