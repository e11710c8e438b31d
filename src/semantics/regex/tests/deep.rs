//! Expressions that are nested deeper than any thread's stack.

use super::*;

const DEPTH: usize = 100_000;

#[test]
fn concatenations_nested_on_either_side() {
    let mut bench = Bench::default();
    let (a, b) = (bench.literal("a"), bench.literal("b"));
    let (mut left, mut right) = (Regex::EPSILON, Regex::EPSILON);
    for _ in 0..DEPTH / 2 {
        left = bench.pool.concat(&[left, a]);
        left = bench.pool.concat(&[left, b]);
        right = bench.pool.concat(&[b, right]);
        right = bench.pool.concat(&[a, right]);
    }
    let text = "ab".repeat(DEPTH / 2);
    assert!(bench.matches(&text, right));
    let mut budget = Budget::new(u32::MAX);
    assert_eq!(bench.pool.matches(&word("b"), left, &mut budget), Ok(false));
    assert_eq!(bench.pool.derivative(left, u32::from('b'), &mut budget), Ok(Regex::NONE));
}

#[test]
fn unions_intersections_and_complements() {
    let mut bench = Bench::default();
    let mut regex = bench.literal("ab");
    for count in 0..DEPTH as u32 {
        let other = bench.pool.literal(&[count % 1000, count / 1000, 7]);
        regex = bench.pool.union(&[regex, other]);
        let other = bench.pool.complement(other);
        regex = bench.pool.intersection(&[regex, other]);
    }
    let mut budget = Budget::new(10 * DEPTH as u32);
    assert_eq!(bench.pool.matches(&word("ab"), regex, &mut budget), Ok(true));
    assert_eq!(bench.pool.matches(&word("ac"), regex, &mut budget), Ok(false));
    assert_eq!(bench.pool.matches(&[0, 0, 7], regex, &mut budget), Ok(false));
    // The expression tells a thousand characters apart, each with a derivative as large as itself.
    assert_eq!(bench.pool.is_empty(regex, &mut Budget::default()), Err(GaveUp));
    assert_eq!(bench.pool.witness(regex, &mut Budget::default()), Err(GaveUp));
}

#[test]
fn stars_of_concatenations() {
    let mut bench = Bench::default();
    let a = bench.literal("a");
    let mut regex = a;
    for _ in 0..DEPTH {
        regex = bench.pool.concat(&[a, regex]);
        regex = bench.pool.star(regex);
    }
    assert!(bench.matches("", regex));
    let mut budget = Budget::new(100 * DEPTH as u32);
    assert_eq!(bench.pool.matches(&word("ab"), regex, &mut budget), Ok(false));
}

#[test]
fn loops_of_loops() {
    let mut bench = Bench::default();
    let mut regex = bench.literal("ab");
    for _ in 0..DEPTH / 2 {
        regex = bench.pool.repeat(regex, 0, Some(2));
        regex = bench.pool.repeat(regex, 2, Some(3));
    }
    assert_eq!(bench.witness(regex), Some(String::new()));
    let mut budget = Budget::new(100 * DEPTH as u32);
    assert_eq!(bench.pool.matches(&word("ab"), regex, &mut budget), Ok(true));
    assert_eq!(bench.pool.matches(&word("b"), regex, &mut budget), Ok(false));
}
