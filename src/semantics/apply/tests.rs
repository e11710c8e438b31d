//! Bit-vector operators against the machine's own arithmetic, at all values of small widths.

use super::*;
use crate::smtlib::signature::table;

fn apply(name: &str, indices: &[u32], arguments: &[Value]) -> Value {
    let sorts: Vec<_> = arguments.iter().map(Value::sort).collect();
    let (op, sort) = table().resolve(name, indices, &sorts).unwrap();
    let Rule::Strict(function) = rule(op) else { panic!("{name} has semantics") };
    let value = function(&Call { op, indices, arguments, languages: &RefCell::new(Languages::new()) }).unwrap();
    assert_eq!(value.sort(), sort, "{name}");
    value
}

fn signed(width: u32, bits: u64) -> i64 {
    let shift = 64 - width;
    (bits << shift).cast_signed() >> shift
}

#[test]
fn binary_operators_agree_with_the_machine() {
    type Reference = fn(u32, u64, u64) -> u64;
    let operators: [(&str, Reference); 18] = [
        ("bvand", |_, a, b| a & b),
        ("bvor", |_, a, b| a | b),
        ("bvxor", |_, a, b| a ^ b),
        ("bvxnor", |_, a, b| !(a ^ b)),
        ("bvnand", |_, a, b| !(a & b)),
        ("bvnor", |_, a, b| !(a | b)),
        ("bvadd", |_, a, b| a + b),
        ("bvsub", |_, a, b| a.wrapping_sub(b)),
        ("bvmul", |_, a, b| a * b),
        ("bvudiv", |_, a, b| a.checked_div(b).unwrap_or(u64::MAX)),
        ("bvurem", |_, a, b| a.checked_rem(b).unwrap_or(a)),
        ("bvshl", |_, a, b| a << b.min(63)),
        ("bvlshr", |_, a, b| a >> b.min(63)),
        ("bvashr", |width, a, b| (signed(width, a) >> b.min(63)) as u64),
        ("bvsdiv", |width, a, b| {
            let (a, b) = (signed(width, a), signed(width, b));
            a.checked_div(b).unwrap_or(if a < 0 { 1 } else { -1 }) as u64
        }),
        ("bvsrem", |width, a, b| {
            let (a, b) = (signed(width, a), signed(width, b));
            a.checked_rem(b).unwrap_or(a) as u64
        }),
        ("bvsmod", |width, a, b| {
            let (a, b) = (signed(width, a), signed(width, b));
            a.checked_rem(b).map_or(a, |r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }) as u64
        }),
        ("bvcomp", |_, a, b| u64::from(a == b)),
    ];
    for width in 1..=4_u32 {
        let mask = (1 << width) - 1;
        for (name, reference) in operators {
            for (a, b) in (0..=mask).flat_map(|a| (0..=mask).map(move |b| (a, b))) {
                let (result, mask) = if name == "bvcomp" { (1, 1) } else { (width, mask) };
                let expected = Value::bits(result, reference(width, a, b) & mask);
                let found = apply(name, &[], &[Value::bits(width, a), Value::bits(width, b)]);
                assert_eq!(found, expected, "({name} {a} {b}) of width {width}");
            }
        }
    }
}

#[test]
fn predicates_agree_with_the_machine() {
    type Reference = fn(u64, u64, i64, i64, i64) -> bool;
    // Unsigned numbers, signed numbers, and half of the modulus.
    let predicates: [(&str, Reference); 15] = [
        ("bvult", |a, b, _, _, _| a < b),
        ("bvule", |a, b, _, _, _| a <= b),
        ("bvugt", |a, b, _, _, _| a > b),
        ("bvuge", |a, b, _, _, _| a >= b),
        ("bvslt", |_, _, a, b, _| a < b),
        ("bvsle", |_, _, a, b, _| a <= b),
        ("bvsgt", |_, _, a, b, _| a > b),
        ("bvsge", |_, _, a, b, _| a >= b),
        ("bvuaddo", |a, b, _, _, half| a + b >= 2 * half as u64),
        ("bvumulo", |a, b, _, _, half| a * b >= 2 * half as u64),
        ("bvusubo", |a, b, _, _, _| a < b),
        ("bvsaddo", |_, _, a, b, half| !(-half..half).contains(&(a + b))),
        ("bvssubo", |_, _, a, b, half| !(-half..half).contains(&(a - b))),
        ("bvsmulo", |_, _, a, b, half| !(-half..half).contains(&(a * b))),
        ("bvsdivo", |_, _, a, b, half| a == -half && b == -1),
    ];
    for width in 1..=4_u32 {
        let mask = (1_u64 << width) - 1;
        for (name, reference) in predicates {
            for (a, b) in (0..=mask).flat_map(|a| (0..=mask).map(move |b| (a, b))) {
                let expected = reference(a, b, signed(width, a), signed(width, b), 1 << (width - 1));
                let found = apply(name, &[], &[Value::bits(width, a), Value::bits(width, b)]);
                assert_eq!(found, Value::Bool(expected), "({name} {a} {b}) of width {width}");
            }
        }
    }
}

#[test]
fn unary_and_indexed_operators_agree_with_the_machine() {
    for (width, bits) in (1..=5_u32).flat_map(|width| (0..1_u64 << width).map(move |bits| (width, bits))) {
        let mask = (1_u64 << width) - 1;
        let value = [Value::bits(width, bits)];
        let same = |name: &str, indices: &[u32], expected: u64| {
            assert_eq!(apply(name, indices, &value), Value::bits(width, expected & mask), "({name} {bits}) {width}");
        };
        same("bvnot", &[], !bits);
        same("bvneg", &[], bits.wrapping_neg());
        for places in 0..=width + 1 {
            let by = places % width;
            same("rotate_left", &[places], (bits << by) | (bits >> (width - by)));
            same("rotate_right", &[places], (bits >> by) | (bits << (width - by)));
        }
        assert_eq!(apply("bvredor", &[], &value), Value::bits(1, u64::from(bits != 0)));
        assert_eq!(apply("bvredand", &[], &value), Value::bits(1, u64::from(bits == mask)));
        assert_eq!(apply("bvnego", &[], &value), Value::Bool(bits == 1 << (width - 1)));
        assert_eq!(apply("zero_extend", &[3], &value), Value::bits(width + 3, bits));
        assert_eq!(apply("sign_extend", &[3], &value), Value::bits(width + 3, signed(width, bits) as u64));
        assert_eq!(apply("repeat", &[2], &value), Value::bits(2 * width, (bits << width) | bits));
        assert_eq!(apply("bv2nat", &[], &value), Value::int(bits));
        assert_eq!(apply("sbv_to_int", &[], &value), Value::int(signed(width, bits)));
        assert_eq!(apply("int2bv", &[width], &[Value::int(signed(width, bits))]), value[0]);
        assert_eq!(
            apply("concat", &[], &[value[0].clone(), Value::bits(3, 5)]),
            Value::bits(width + 3, (bits << 3) | 5)
        );
        for low in 0..width {
            assert_eq!(apply("extract", &[width - 1, low], &value), Value::bits(width - low, bits >> low));
        }
    }
}

#[test]
fn sizes_are_bounded() {
    let wide = [Value::bits(8, 1)];
    let op = table().resolve("repeat", &[1 << 20], &[wide[0].sort()]).unwrap().0;
    let Rule::Strict(repeat) = rule(op) else { panic!("repeat has semantics") };
    assert!(matches!(
        repeat(&Call { op, indices: &[1 << 20], arguments: &wide, languages: &RefCell::new(Languages::new()) }),
        Err(Open::GaveUp(_))
    ));
}
