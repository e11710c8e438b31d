//! Numbers: literals, what solvers read as literals, and integers where reals are wanted.

use super::super::signature::table;
use super::super::sort::Sort;
use super::super::term::{Head, LiteralKind, TermId};
use super::Parser;

impl Parser<'_> {
    /// A numeral or decimal from its digits. Leading zeros are dropped, so that equal numbers are equal terms.
    pub(super) fn number(&mut self, text: &str, kind: LiteralKind) -> TermId {
        let whole = text.find('.').unwrap_or(text.len());
        let digits = text.as_bytes();
        let leading = digits[..whole].iter().take_while(|&&digit| digit == b'0').count().min(whole.saturating_sub(1));
        self.words.clear();
        self.words.extend(digits[leading..].iter().map(|&digit| u32::from(digit)));
        let sort = if kind == LiteralKind::Decimal { Sort::REAL } else { Sort::INT };
        self.terms.literal(kind, sort, &self.words)
    }

    /// `3/8`, which cvc5 reads as a number, is an application of `/`.
    pub(super) fn rational(&mut self, text: &str) -> TermId {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let numbers = [numerator, denominator].map(|digits| {
            let number = self.number(digits, LiteralKind::Numeral);
            self.real(number)
        });
        match table().resolve("/", &[], &[Sort::REAL; 2]) {
            Ok((op, sort)) => self.terms.apply(op, &numbers, sort),
            Err(_) => numbers[0],
        }
    }

    /// `-5`, `-2.5` and `-3/8`, which Z3 or cvc5 read as numbers, are applications of `-`.
    pub(super) fn negative_number(&mut self, text: &str) -> Option<TermId> {
        let digits = text.strip_prefix('-')?;
        let is_natural = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((numerator, denominator)) = digits.split_once('/')
            && is_natural(numerator)
            && is_natural(denominator)
        {
            let number = self.rational(digits);
            let (op, sort) = table().resolve("-", &[], &[Sort::REAL]).ok()?;
            return Some(self.terms.apply(op, &[number], sort));
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        if !is_natural(whole) || !is_natural(fraction) {
            return None;
        }
        let kind = if digits.contains('.') { LiteralKind::Decimal } else { LiteralKind::Numeral };
        let number = self.number(digits, kind);
        let sort = self.terms.sort(number);
        let (op, sort) = table().resolve("-", &[], &[sort]).ok()?;
        Some(self.terms.apply(op, &[number], sort))
    }

    /// An integer term as a real one: a numeral becomes a decimal, and so do the numerals of a constant expression
    /// such as `(- 5)`; anything else goes through `to_real`.
    pub(super) fn real(&mut self, term: TermId) -> TermId {
        match self.terms.head(term) {
            Head::Literal(LiteralKind::Numeral) => {
                self.words.clear();
                self.words.extend_from_slice(self.terms.text(term));
                self.words.extend([u32::from(b'.'), u32::from(b'0')]);
                self.terms.literal(LiteralKind::Decimal, Sort::REAL, &self.words)
            }
            Head::Operator(op) if op.name() == "-" && self.terms.arguments(term).len() == 1 => {
                let argument = self.terms.arguments(term)[0];
                let negated = match self.terms.head(argument) {
                    Head::Literal(_) => self.real(argument),
                    _ => return self.through_to_real(term),
                };
                match table().resolve("-", &[], &[Sort::REAL]) {
                    Ok((op, sort)) => self.terms.apply(op, &[negated], sort),
                    Err(_) => self.through_to_real(term),
                }
            }
            _ => self.through_to_real(term),
        }
    }

    fn through_to_real(&mut self, term: TermId) -> TermId {
        match table().resolve("to_real", &[], &[Sort::INT]) {
            Ok((op, sort)) => self.terms.apply(op, &[term], sort),
            Err(_) => term,
        }
    }
}
