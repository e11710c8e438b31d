//! Unseen constants: the neighbours of a seed's literals, which the paper's mutations never make (its limitations).

use std::collections::BTreeSet;

use super::expressions::Expressions;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId};

/// Literals that are added at most, so that those of the seed stay likely.
const MOST: usize = 64;

impl Expressions {
    /// Adds what is near the literals among the expressions: of a numeral its neighbours, of a decimal those of its whole
    /// part, of a string its length, its prefix and suffix without one character, and the empty one, of a bit-vector 0,
    /// all ones, and its neighbours.
    pub(super) fn add_neighbours(&mut self, script: &mut Script) {
        let mut known: BTreeSet<TermId> = BTreeSet::new();
        let mut literals = Vec::new();
        for sort in self.sorts().to_vec() {
            for &term in self.closed(sort) {
                known.insert(term);
                if let Head::Literal(kind) = script.terms.head(term) {
                    literals.push((term, kind));
                }
            }
        }
        let mut added = 0;
        for (term, kind) in literals {
            let sort = script.terms.sort(term);
            let near = match kind {
                LiteralKind::Numeral => near_numeral(script, term, sort),
                LiteralKind::Decimal => near_decimal(script, term, sort),
                LiteralKind::String => near_string(script, term),
                LiteralKind::Binary => near_bits(script, term, sort, kind, 2),
                LiteralKind::Hexadecimal => near_bits(script, term, sort, kind, 16),
            };
            for each in near {
                if added < MOST && known.insert(each) {
                    self.add(&script.terms, each);
                    added += 1;
                }
            }
        }
    }
}

/// A literal of decimal digits, with what follows them.
fn digits(script: &mut Script, kind: LiteralKind, sort: Sort, value: u64, tail: &[u32]) -> TermId {
    let text: Vec<u32> = value.to_string().bytes().map(u32::from).chain(tail.iter().copied()).collect();
    script.terms.literal(kind, sort, &text)
}

fn near_numeral(script: &mut Script, term: TermId, sort: Sort) -> Vec<TermId> {
    let Some(value) = script.terms.numeral_value(term) else { return Vec::new() };
    let near = [value.checked_sub(1), value.checked_add(1)];
    near.into_iter().flatten().map(|value| digits(script, LiteralKind::Numeral, sort, value, &[])).collect()
}

fn near_decimal(script: &mut Script, term: TermId, sort: Sort) -> Vec<TermId> {
    let text = script.terms.text(term).to_vec();
    let point = text.iter().position(|&it| it == u32::from('.')).unwrap_or(text.len());
    let ten =
        |value: u64, digit: &u32| value.checked_mul(10)?.checked_add(u64::from(digit.checked_sub(u32::from(b'0'))?));
    let Some(whole) = text[..point].iter().try_fold(0, ten) else { return Vec::new() };
    let near = [whole.checked_sub(1), whole.checked_add(1)];
    near.into_iter().flatten().map(|it| digits(script, LiteralKind::Decimal, sort, it, &text[point..])).collect()
}

fn near_string(script: &mut Script, term: TermId) -> Vec<TermId> {
    let text = script.terms.text(term).to_vec();
    let mut near = vec![script.terms.numeral(text.len() as u64), script.terms.string(&[])];
    if let ([_, suffix @ ..], [prefix @ .., _]) = (&text[..], &text[..]) {
        near.push(script.terms.string(prefix));
        near.push(script.terms.string(suffix));
    }
    near
}

/// Literals of as many digits in a base that is 2 or 16.
fn near_bits(script: &mut Script, term: TermId, sort: Sort, kind: LiteralKind, base: u32) -> Vec<TermId> {
    let text = script.terms.text(term).to_vec();
    let last = char::from_digit(base - 1, base).map_or(0, u32::from);
    let zeros = vec![u32::from('0'); text.len()];
    let ones = vec![last; text.len()];
    let (up, down) = (counted(&text, base, true), counted(&text, base, false));
    [zeros, ones, up, down].iter().map(|text| script.terms.literal(kind, sort, text)).collect()
}

/// The digits one further up or down, around the end.
fn counted(text: &[u32], base: u32, up: bool) -> Vec<u32> {
    let mut digits = text.to_vec();
    for digit in digits.iter_mut().rev() {
        let value = char::from_u32(*digit).and_then(|it| it.to_digit(base)).unwrap_or(0);
        let next = (value + if up { 1 } else { base - 1 }) % base;
        *digit = char::from_digit(next, base).map_or(*digit, u32::from);
        // Upwards a carry is a 0, downwards it is the largest digit.
        if next != if up { 0 } else { base - 1 } {
            break;
        }
    }
    digits
}
