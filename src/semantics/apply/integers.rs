//! The theory of integers: `div` and `mod` are those of the standard, whose remainder is never negative.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::super::evaluate::Open;
use super::super::interpretation::Partial;
use super::super::value::Value;
use super::{Rule, numbers};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "div" => Rule::Partial(Partial::Div, |call| {
            Ok(Value::Int(divided(call.integer(0)?, call.integer(1)?).ok_or(Open::Free)?.0))
        }),
        "mod" => Rule::Partial(Partial::Mod, |call| {
            Ok(Value::Int(divided(call.integer(0)?, call.integer(1)?).ok_or(Open::Free)?.1))
        }),
        "abs" => Rule::Strict(|call| Ok(Value::Int(call.integer(0)?.abs()))),
        "divisible" => Rule::Strict(|call| {
            let divisor = BigInt::from(call.index(0)?);
            Ok(Value::Bool(call.integer(0)?.is_multiple_of(&divisor)))
        }),
        _ => return numbers::rule::<BigInt>(name),
    })
}

/// Quotient and remainder with `0 <= remainder < |divisor|`; none of a division by zero.
pub(super) fn divided(dividend: &BigInt, divisor: &BigInt) -> Option<(BigInt, BigInt)> {
    if divisor.is_zero() {
        return None;
    }
    // Rounding down leaves a remainder of the divisor's sign.
    let (quotient, remainder) = dividend.div_mod_floor(divisor);
    if remainder.is_negative() { Some((quotient + 1, remainder - divisor)) } else { Some((quotient, remainder)) }
}
