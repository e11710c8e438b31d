//! The values of literals.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

use super::super::value::{BitVector, Value};
use super::{Open, Outcome};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::LiteralKind;

/// The most digits of a number in the script: to read them all takes time that grows with the square.
pub(super) const MOST_DIGITS: usize = 300_000;
/// The same of a decimal, which is cancelled besides.
const MOST_DECIMAL_DIGITS: usize = 20_000;

pub(super) const TOO_WIDE: &str = "a bit-vector wider than a million bits";

/// The value of a literal, from its text and sort.
pub(super) fn literal(kind: LiteralKind, text: &[u32], sort: Sort) -> Outcome {
    if kind == LiteralKind::String {
        return Ok(Value::String(text.into()));
    }
    let gave_up = match kind {
        LiteralKind::Decimal if text.len() > MOST_DECIMAL_DIGITS => Some("a decimal of more than 20,000 digits"),
        LiteralKind::Numeral if text.len() > MOST_DIGITS => Some("a numeral of more than 300,000 digits"),
        LiteralKind::Binary if text.len() > BitVector::WIDEST as usize => Some(TOO_WIDE),
        LiteralKind::Hexadecimal if text.len() > BitVector::WIDEST as usize / 4 => Some(TOO_WIDE),
        _ => None,
    };
    if let Some(what) = gave_up {
        return Err(Open::GaveUp(what));
    }
    let digits: Vec<u8> = text.iter().filter(|&&digit| digit != u32::from(b'.')).map(|&digit| digit as u8).collect();
    let radix = match kind {
        LiteralKind::Binary => 2,
        LiteralKind::Hexadecimal => 16,
        _ => 10,
    };
    let number = BigUint::parse_bytes(&digits, radix).ok_or(Open::GaveUp("a literal without digits"))?;
    Ok(match kind {
        LiteralKind::Numeral if sort == Sort::REAL => Value::Real(BigRational::from_integer(number.into())),
        LiteralKind::Numeral | LiteralKind::String => Value::Int(number.into()),
        LiteralKind::Decimal => {
            let point = text.iter().position(|&digit| digit == u32::from(b'.'));
            let places = point.map_or(0, |point| text.len() - point - 1);
            let denominator = BigInt::from(10).pow(u32::try_from(places).unwrap_or(u32::MAX));
            Value::Real(BigRational::new(number.into(), denominator))
        }
        LiteralKind::Binary => Value::BitVector(BitVector::new(text.len() as u32, number)),
        LiteralKind::Hexadecimal => Value::BitVector(BitVector::new(4 * text.len() as u32, number)),
    })
}
