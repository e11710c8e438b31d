//! The theory of fixed-size bit-vectors and the operators of the logic `QF_BV`, by their definitions in SMT-LIB 2.6, in
//! which division by zero has a value.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use super::super::evaluate::{Open, Outcome};
use super::super::value::{BitVector, Value};
use super::{Apply, Call, Rule, overflow};

pub(super) fn rule(name: &str) -> Option<Rule> {
    let apply = structure(name)
        .or_else(|| bitwise(name))
        .or_else(|| arithmetic(name))
        .or_else(|| comparison(name))
        .or_else(|| conversion(name))
        .or_else(|| overflow::apply(name))?;
    Some(Rule::Strict(apply))
}

fn width(wanted: u64) -> Result<u32, Open> {
    let width = u32::try_from(wanted).ok().filter(|&width| width <= BitVector::WIDEST);
    width.ok_or(Open::GaveUp("a bit-vector wider than a million bits"))
}

fn structure(name: &str) -> Option<Apply> {
    Some(match name {
        "concat" => |call| fold(call, |left, right| joined(&left, right)),
        "extract" => |call| {
            let (high, low, bits) = (call.index(0)?, call.index(1)?, call.bits(0)?);
            if low > high || high >= bits.width() {
                return Err(call.unsupported());
            }
            Ok(Value::BitVector(BitVector::new(high - low + 1, bits.unsigned() >> low)))
        },
        "repeat" => |call| {
            let (times, bits) = (call.index(0)?, call.bits(0)?);
            width(u64::from(times) * u64::from(bits.width()))?;
            (1..times).try_fold(bits.clone(), |all, _| joined(&all, bits)).map(Value::BitVector)
        },
        "zero_extend" => |call| {
            let bits = call.bits(0)?;
            let width = width(u64::from(bits.width()) + u64::from(call.index(0)?))?;
            Ok(Value::BitVector(BitVector::new(width, bits.unsigned().clone())))
        },
        "sign_extend" => |call| {
            let bits = call.bits(0)?;
            let width = width(u64::from(bits.width()) + u64::from(call.index(0)?))?;
            Ok(Value::BitVector(BitVector::from_integer(width, &bits.signed())))
        },
        "rotate_left" => |call| Ok(rotated(call.bits(0)?, call.index(0)?)),
        "rotate_right" => |call| {
            let bits = call.bits(0)?;
            let places = call.index(0)? % bits.width().max(1);
            Ok(rotated(bits, bits.width() - places))
        },
        _ => return None,
    })
}

fn joined(left: &BitVector, right: &BitVector) -> Result<BitVector, Open> {
    let width = width(u64::from(left.width()) + u64::from(right.width()))?;
    Ok(BitVector::new(width, (left.unsigned() << right.width()) | right.unsigned()))
}

fn rotated(bits: &BitVector, left: u32) -> Value {
    let left = left % bits.width().max(1);
    let number = (bits.unsigned() << left) | (bits.unsigned() >> (bits.width() - left));
    Value::BitVector(BitVector::new(bits.width(), number))
}

fn bitwise(name: &str) -> Option<Apply> {
    Some(match name {
        "bvnot" => |call| Ok(Value::BitVector(call.bits(0)?.inverted())),
        "bvand" => |call| same_width(call, |left, right| left.unsigned() & right.unsigned()),
        "bvor" => |call| same_width(call, |left, right| left.unsigned() | right.unsigned()),
        "bvxor" => |call| same_width(call, |left, right| left.unsigned() ^ right.unsigned()),
        "bvxnor" => |call| same_width(call, |left, right| left.unsigned() ^ right.inverted().unsigned()),
        "bvnand" => |call| same_width(call, |left, right| inverse(left, left.unsigned() & right.unsigned())),
        "bvnor" => |call| same_width(call, |left, right| inverse(left, left.unsigned() | right.unsigned())),
        "bvcomp" => |call| {
            let equal = call.bits(0)? == call.bits(1)?;
            Ok(Value::bits(1, u64::from(equal)))
        },
        "bvredor" => |call| Ok(Value::bits(1, u64::from(!call.bits(0)?.unsigned().is_zero()))),
        "bvredand" => |call| Ok(Value::bits(1, u64::from(call.bits(0)?.inverted().unsigned().is_zero()))),
        "bvshl" => |call| {
            same_width(call, |left, right| places(left, right).map_or_else(BigUint::zero, |by| left.unsigned() << by))
        },
        "bvlshr" => |call| {
            same_width(call, |left, right| places(left, right).map_or_else(BigUint::zero, |by| left.unsigned() >> by))
        },
        "bvashr" => |call| {
            let (left, right) = (call.bits(0)?, call.bits(1)?);
            let by = places(left, right).unwrap_or(left.width());
            // Shifting a negative integer rounds down, which is what repeats the sign.
            Ok(Value::BitVector(BitVector::from_integer(left.width(), &(left.signed() >> by))))
        },
        _ => return None,
    })
}

fn inverse(like: &BitVector, number: BigUint) -> BigUint {
    BitVector::new(like.width(), number).inverted().unsigned().clone()
}

/// By how many places to shift, if that leaves anything.
fn places(bits: &BitVector, by: &BitVector) -> Option<u32> {
    by.unsigned().to_u32().filter(|&by| by < bits.width())
}

fn arithmetic(name: &str) -> Option<Apply> {
    Some(match name {
        "bvneg" => |call| Ok(Value::BitVector(call.bits(0)?.negated())),
        "bvadd" => |call| same_width(call, |left, right| left.unsigned() + right.unsigned()),
        "bvsub" => |call| same_width(call, |left, right| left.unsigned() + right.negated().unsigned()),
        "bvmul" => |call| same_width(call, |left, right| left.unsigned() * right.unsigned()),
        "bvudiv" => |call| same_width(call, unsigned_quotient),
        "bvurem" => |call| same_width(call, unsigned_remainder),
        "bvsdiv" => |call| {
            same_width(call, |left, right| {
                let quotient = BitVector::new(left.width(), unsigned_quotient(&absolute(left), &absolute(right)));
                signed(left.is_negative() != right.is_negative(), &quotient)
            })
        },
        "bvsrem" => |call| {
            same_width(call, |left, right| {
                let remainder = BitVector::new(left.width(), unsigned_remainder(&absolute(left), &absolute(right)));
                signed(left.is_negative(), &remainder)
            })
        },
        "bvsmod" => |call| same_width(call, signed_modulus),
        _ => return None,
    })
}

fn unsigned_quotient(left: &BitVector, right: &BitVector) -> BigUint {
    if right.unsigned().is_zero() {
        return BitVector::new(left.width(), BigUint::zero()).inverted().unsigned().clone();
    }
    left.unsigned() / right.unsigned()
}

fn unsigned_remainder(left: &BitVector, right: &BitVector) -> BigUint {
    if right.unsigned().is_zero() { left.unsigned().clone() } else { left.unsigned() % right.unsigned() }
}

fn absolute(bits: &BitVector) -> BitVector {
    if bits.is_negative() { bits.negated() } else { bits.clone() }
}

fn signed(negative: bool, bits: &BitVector) -> BigUint {
    if negative { bits.negated().unsigned().clone() } else { bits.unsigned().clone() }
}

/// The remainder of the divisor's sign.
fn signed_modulus(left: &BitVector, right: &BitVector) -> BigUint {
    let remainder = BitVector::new(left.width(), unsigned_remainder(&absolute(left), &absolute(right)));
    if remainder.unsigned().is_zero() {
        return BigUint::zero();
    }
    match (left.is_negative(), right.is_negative()) {
        (false, false) => remainder.unsigned().clone(),
        (true, false) => remainder.negated().unsigned() + right.unsigned(),
        (false, true) => remainder.unsigned() + right.unsigned(),
        (true, true) => remainder.negated().unsigned().clone(),
    }
}

fn comparison(name: &str) -> Option<Apply> {
    Some(match name {
        "bvult" => |call| Ok(Value::Bool(call.bits(0)?.unsigned() < call.bits(1)?.unsigned())),
        "bvule" => |call| Ok(Value::Bool(call.bits(0)?.unsigned() <= call.bits(1)?.unsigned())),
        "bvugt" => |call| Ok(Value::Bool(call.bits(0)?.unsigned() > call.bits(1)?.unsigned())),
        "bvuge" => |call| Ok(Value::Bool(call.bits(0)?.unsigned() >= call.bits(1)?.unsigned())),
        "bvslt" => |call| Ok(Value::Bool(call.bits(0)?.signed() < call.bits(1)?.signed())),
        "bvsle" => |call| Ok(Value::Bool(call.bits(0)?.signed() <= call.bits(1)?.signed())),
        "bvsgt" => |call| Ok(Value::Bool(call.bits(0)?.signed() > call.bits(1)?.signed())),
        "bvsge" => |call| Ok(Value::Bool(call.bits(0)?.signed() >= call.bits(1)?.signed())),
        _ => return None,
    })
}

fn conversion(name: &str) -> Option<Apply> {
    Some(match name {
        "bv2nat" => |call| Ok(Value::Int(BigInt::from(call.bits(0)?.unsigned().clone()))),
        "sbv_to_int" => |call| Ok(Value::Int(call.bits(0)?.signed())),
        "int2bv" => |call| {
            let width = width(u64::from(call.index(0)?))?;
            Ok(Value::BitVector(BitVector::from_integer(width, call.integer(0)?)))
        },
        _ => return None,
    })
}

/// Left-associative over the arguments.
fn fold(call: &Call<'_>, join: fn(BitVector, &BitVector) -> Result<BitVector, Open>) -> Outcome {
    let first = call.bits(0)?.clone();
    (1..call.arguments.len()).try_fold(first, |left, at| join(left, call.bits(at)?)).map(Value::BitVector)
}

/// Left-associative over arguments of one width, which the result has too.
fn same_width(call: &Call<'_>, operation: fn(&BitVector, &BitVector) -> BigUint) -> Outcome {
    let first = call.bits(0)?.clone();
    let result = (1..call.arguments.len()).try_fold(first, |left, at| {
        let right = call.bits(at)?;
        if right.width() != left.width() {
            return Err(call.unsupported());
        }
        Ok(BitVector::new(left.width(), operation(&left, right)))
    });
    result.map(Value::BitVector)
}

/// The least and the greatest integer of two's complement.
pub(super) fn signed_range(width: u32) -> (BigInt, BigInt) {
    let half = BigInt::one() << width.saturating_sub(1);
    (-half.clone(), half - 1)
}
