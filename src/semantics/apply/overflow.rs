//! Whether arithmetic on bit-vectors leaves what their width can hold (SMT-LIB 2.7).

use num_bigint::BigInt;

use super::super::evaluate::Outcome;
use super::super::value::Value;
use super::bit_vectors::signed_range;
use super::{Apply, Call};

pub(super) fn apply(name: &str) -> Option<Apply> {
    Some(match name {
        "bvnego" => |call| {
            let bits = call.bits(0)?;
            Ok(Value::Bool(bits.signed() == signed_range(bits.width()).0))
        },
        "bvuaddo" => |call| unsigned(call, |left, right| left + right),
        "bvumulo" => |call| unsigned(call, |left, right| left * right),
        "bvusubo" => |call| Ok(Value::Bool(call.bits(0)?.unsigned() < call.bits(1)?.unsigned())),
        "bvsaddo" => |call| signed(call, |left, right| left + right),
        "bvssubo" => |call| signed(call, |left, right| left - right),
        "bvsmulo" => |call| signed(call, |left, right| left * right),
        // The quotient of the least number and -1 alone is too large.
        "bvsdivo" => |call| {
            let (left, right) = (call.bits(0)?, call.bits(1)?);
            Ok(Value::Bool(left.signed() == signed_range(left.width()).0 && right.signed() == BigInt::from(-1)))
        },
        _ => return None,
    })
}

fn unsigned(call: &Call<'_>, operation: fn(BigInt, BigInt) -> BigInt) -> Outcome {
    let (left, right) = (call.bits(0)?, call.bits(1)?);
    let result = operation(BigInt::from(left.unsigned().clone()), BigInt::from(right.unsigned().clone()));
    Ok(Value::Bool(result.bits() > u64::from(left.width())))
}

fn signed(call: &Call<'_>, operation: fn(BigInt, BigInt) -> BigInt) -> Outcome {
    let (left, right) = (call.bits(0)?, call.bits(1)?);
    let result = operation(left.signed(), right.signed());
    let (least, greatest) = signed_range(left.width());
    Ok(Value::Bool(result < least || result > greatest))
}
