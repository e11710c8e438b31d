//! Literals of every sort, most of them where operators change their behaviour: zero, the ends of ranges, short strings
//! over few characters.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::One;
use rand::Rng;

use crate::random::{FuzzRng, below, between, chance, pick};
use crate::semantics::value::{Array, BitVector, Value};
use crate::smtlib::literal::LARGEST_CODE_POINT;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{TermId, Terms};

/// Characters that meet often, and those beside the ranges that operators know: digits, letters, ASCII, all.
const CHARACTERS: &[u32] = &[0x61, 0x61, 0x61, 0x62, 0x62, 0x63, 0x30, 0x31, 0x39];
const EDGE_CHARACTERS: &[u32] = &[
    0,
    0x20,
    0x22,
    0x2F,
    0x3A,
    0x40,
    0x41,
    0x5A,
    0x5B,
    0x5C,
    0x60,
    0x7A,
    0x7B,
    0x7F,
    0xE9,
    0xFF,
    0x100,
    0xFFFF,
    0x1_0000,
    LARGEST_CODE_POINT,
];

/// Integers beside what operators on strings know.
const CODES: &[u32] = &[0x2F, 0x30, 0x39, 0x3A, 0x41, 0x61, 0x7F, 0xFF, LARGEST_CODE_POINT, LARGEST_CODE_POINT + 1];

/// The longest random string, sequence or list of an array's entries.
const LONGEST: usize = 5;

/// A leaf of a sort: a literal, or the simplest of languages.
pub(super) fn term(sort: Sort, terms: &mut Terms, rng: &mut FuzzRng) -> Option<TermId> {
    if sort != Sort::REGLAN {
        return Some(value(sort, rng)?.term(terms));
    }
    let apply = |name: &str, arguments: &[TermId], terms: &mut Terms| {
        let sorts: Vec<Sort> = arguments.iter().map(|&each| terms.sort(each)).collect();
        let (op, sort) = table().resolve(name, &[], &sorts).ok()?;
        Some(terms.apply(op, arguments, sort))
    };
    match below(rng, 8) {
        0 => apply("re.none", &[], terms),
        1 => apply("re.all", &[], terms),
        2 => apply("re.allchar", &[], terms),
        3 | 4 => character_range(terms, rng),
        _ => {
            let text = value(Sort::STRING, rng)?.term(terms);
            apply("str.to_re", &[text], terms)
        }
    }
}

/// A `re.range`, which is empty now and then.
pub(super) fn character_range(terms: &mut Terms, rng: &mut FuzzRng) -> Option<TermId> {
    let mut bounds = [character(rng), character(rng)];
    if chance(rng, 0.9) {
        bounds.sort_unstable();
    }
    let bounds = bounds.map(|bound| terms.string(&[bound]));
    let (op, sort) = table().resolve("re.range", &[], &[Sort::STRING, Sort::STRING]).ok()?;
    Some(terms.apply(op, &bounds, sort))
}

/// A value of a sort; none of sorts that have no literals.
pub(super) fn value(sort: Sort, rng: &mut FuzzRng) -> Option<Value> {
    match sort {
        Sort::BOOL => return Some(Value::Bool(chance(rng, 0.5))),
        Sort::INT => return Some(Value::Int(integer(rng))),
        Sort::REAL => return Some(Value::Real(rational(rng))),
        Sort::STRING => return Some(Value::String(string(rng).into())),
        _ => {}
    }
    let expression = sort.expression();
    match (expression.name.as_str(), expression.indices.as_slice(), expression.arguments.as_slice()) {
        ("BitVec", &[width], []) => (width <= BitVector::WIDEST).then(|| Value::BitVector(bits(width, rng))),
        ("Array", [], &[index, element]) => {
            let mut entries = BTreeMap::new();
            for _ in 0..below(rng, LONGEST) {
                entries.insert(value(index, rng)?, value(element, rng)?);
            }
            let array = Array::new(index, element, everywhere(element, rng)?, entries);
            Some(Value::Array(Arc::new(array)))
        }
        ("Seq", [], &[element]) => {
            let items: Option<Vec<Value>> = (0..below(rng, LONGEST)).map(|_| small(element, rng)).collect();
            Some(Value::sequence(element, items?))
        }
        _ => None,
    }
}

/// A value that may stand in a constant array: CVC4 takes no negative number there, and cvc5 no array but a constant one.
fn everywhere(sort: Sort, rng: &mut FuzzRng) -> Option<Value> {
    match sort.expression().arguments[..] {
        [index, element] => Some(Value::Array(Arc::new(Array::constant(index, element, everywhere(element, rng)?)))),
        _ if sort == Sort::INT => Some(Value::int(between(rng, 0, 3))),
        _ => value(sort, rng),
    }
}

/// A value of few, so that sequences have items in common.
fn small(sort: Sort, rng: &mut FuzzRng) -> Option<Value> {
    if sort == Sort::INT && chance(rng, 0.9) { Some(Value::int(below(rng, 3))) } else { value(sort, rng) }
}

fn integer(rng: &mut FuzzRng) -> BigInt {
    let magnitude = match below(rng, 20) {
        0..=11 => BigInt::from(between(rng, 0, 6)),
        12..=14 => BigInt::from(pick(rng, CODES).copied().unwrap_or_default()),
        15..=17 => (BigInt::one() << between(rng, 3, 70)) + between(rng, 0, 2) - 1,
        _ => BigInt::from(between(rng, 0, 1000)),
    };
    if chance(rng, 0.3) { -magnitude } else { magnitude }
}

fn rational(rng: &mut FuzzRng) -> BigRational {
    let numerator = integer(rng);
    if chance(rng, 0.4) {
        return BigRational::from_integer(numerator);
    }
    let denominator = *pick(rng, &[2_u32, 2, 3, 4, 7, 10, 1000]).unwrap_or(&2);
    BigRational::new(numerator, BigInt::from(denominator))
}

fn character(rng: &mut FuzzRng) -> u32 {
    let characters = if chance(rng, 0.85) { CHARACTERS } else { EDGE_CHARACTERS };
    pick(rng, characters).copied().unwrap_or(0x61)
}

fn string(rng: &mut FuzzRng) -> Vec<u32> {
    let length = below(rng, LONGEST + 1);
    if chance(rng, 0.2) {
        // A number.
        return (0..length).map(|_| between(rng, 0x30, 0x39)).collect();
    }
    (0..length).map(|_| character(rng)).collect()
}

fn bits(width: u32, rng: &mut FuzzRng) -> BitVector {
    let half = BigUint::one() << (width - 1);
    let number = match below(rng, 10) {
        0 => BigUint::ZERO,
        1 => BigUint::one(),
        2 => half,
        3 => half - BigUint::one(),
        4 => (BigUint::one() << width) - BigUint::one(),
        5 => BigUint::from(width),
        _ => BigUint::from(rng.next_u64()) << (width / 65),
    };
    BitVector::new(width, number)
}
