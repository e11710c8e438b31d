//! The theory of reals, and of reals mixed with integers.

use num_rational::BigRational;
use num_traits::Zero;

use super::super::evaluate::Open;
use super::super::interpretation::Partial;
use super::super::value::Value;
use super::Rule;
use super::numbers::{self, bounded};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "/" => Rule::Partial(Partial::Divide, |call| {
            let (dividend, divisor) = (call.real(0)?, call.real(1)?);
            bounded(dividend, divisor)?;
            if divisor.is_zero() { Err(Open::Free) } else { Ok(Value::Real(dividend / divisor)) }
        }),
        "to_real" => Rule::Strict(|call| Ok(Value::Real(BigRational::from_integer(call.integer(0)?.clone())))),
        "to_int" => Rule::Strict(|call| Ok(Value::Int(call.real(0)?.floor().to_integer()))),
        "is_int" => Rule::Strict(|call| Ok(Value::Bool(call.real(0)?.is_integer()))),
        _ => return numbers::rule::<BigRational>(name),
    })
}
