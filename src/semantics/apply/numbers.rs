//! What integers and reals have in common.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Num;

use super::super::evaluate::{Open, Outcome};
use super::super::value::Value;
use super::{Apply, Call, Rule};

/// The most bits of a number: squaring a few dozen times would fill any memory.
pub(super) const MOST_BITS: u64 = 1 << 20;

/// The numbers of a theory.
pub(super) trait Number: Num + Ord + Clone {
    fn of(value: &Value) -> Option<&Self>;
    fn value(self) -> Value;
    fn size(&self) -> u64;
}

impl Number for BigInt {
    fn of(value: &Value) -> Option<&Self> {
        if let Value::Int(value) = value { Some(value) } else { None }
    }

    fn value(self) -> Value {
        Value::Int(self)
    }

    fn size(&self) -> u64 {
        self.bits()
    }
}

impl Number for BigRational {
    fn of(value: &Value) -> Option<&Self> {
        if let Value::Real(value) = value { Some(value) } else { None }
    }

    fn value(self) -> Value {
        Value::Real(self)
    }

    fn size(&self) -> u64 {
        self.numer().bits() + self.denom().bits()
    }
}

/// The rule of an operator that both theories have.
pub(super) fn rule<N: Number>(name: &str) -> Option<Rule> {
    let apply: Apply = match name {
        "+" => |call| fold::<N>(call, |left, right| left + right),
        "*" => |call| fold::<N>(call, |left, right| left * right),
        "-" => |call| match call.arguments {
            [one] => Ok((N::zero() - N::of(one).cloned().ok_or_else(|| call.unsupported())?).value()),
            _ => fold::<N>(call, |left, right| left - right),
        },
        "<" => |call| chain::<N>(call, |left, right| left < right),
        "<=" => |call| chain::<N>(call, |left, right| left <= right),
        ">" => |call| chain::<N>(call, |left, right| left > right),
        ">=" => |call| chain::<N>(call, |left, right| left >= right),
        _ => return None,
    };
    Some(Rule::Strict(apply))
}

/// Refuses numbers whose result would be too large.
pub(super) fn bounded<N: Number>(left: &N, right: &N) -> Result<(), Open> {
    if left.size() + right.size() > MOST_BITS { Err(Open::GaveUp("a number of a million bits")) } else { Ok(()) }
}

fn fold<N: Number>(call: &Call<'_>, operation: fn(N, N) -> N) -> Outcome {
    let mut numbers = call.arguments.iter().map(|value| N::of(value).ok_or_else(|| call.unsupported()));
    let first = numbers.next().unwrap_or_else(|| Err(call.unsupported()))?.clone();
    let result = numbers.try_fold(first, |left, right| {
        let right = right?;
        bounded(&left, right)?;
        Ok(operation(left, right.clone()))
    });
    result.map(N::value)
}

/// Chainable: every argument is so related to the next.
fn chain<N: Number>(call: &Call<'_>, holds: fn(&N, &N) -> bool) -> Outcome {
    let numbers: Option<Vec<&N>> = call.arguments.iter().map(N::of).collect();
    let numbers = numbers.ok_or_else(|| call.unsupported())?;
    Ok(Value::Bool(numbers.is_sorted_by(|left, right| holds(left, right))))
}
