//! The similarity of two trace logs: Eq. 3 of the `MulStringFuzz` paper, exactly.

use super::Trace;
use super::anchors::{lower_bound, trim};
use super::lcs::{Band, Index};

/// Word updates that are made without looking for a band first: well below a second.
const FREE_WORK: u64 = 100_000_000;
/// Marks a line that the other trace does not have.
const ABSENT: u32 = u32::MAX;

/// sim(a, b) = 2 · ‖a ∩ b‖ / (‖a‖ + ‖b‖) of Eq. 3, from 0 to 1, where ‖a ∩ b‖ is the number of lines that
/// [`common_lines`] finds. Identical traces have 1, and so have two empty ones. Symmetric, deterministic.
///
/// Take care to compare traces of the same [`TraceLines`](super::TraceLines) only.
pub fn similarity(a: &Trace, b: &Trace) -> f64 {
    let lines = a.len() + b.len();
    if lines == 0 { 1.0 } else { 2.0 * common_lines(a, b) as f64 / lines as f64 }
}

/// The length of the longest common subsequence of the lines: what `diff --minimal` leaves unchanged. Always exact,
/// whatever the sizes.
pub fn common_lines(a: &Trace, b: &Trace) -> u64 {
    if a == b {
        return a.len();
    }
    let (mut left, mut right, tokens) = shared(a, b);
    let mut common = 0;
    // Trimming may leave lines that only one side has, and leaving them out may allow more trimming.
    loop {
        let (a, b, trimmed) = trim(&left, &right);
        common += trimmed;
        let (a, b) = (a.to_vec(), b.to_vec());
        let before = a.len() + b.len();
        (left, right) = in_both(&a, &b, tokens);
        if trimmed == 0 && left.len() + right.len() == before {
            break;
        }
    }
    if left.len() > right.len() {
        std::mem::swap(&mut left, &mut right);
    }
    common + longest(&left, &right, tokens)
}

/// The longest common subsequence of sequences without common ends.
fn longest(short: &[u32], long: &[u32], tokens: usize) -> u64 {
    if short.is_empty() {
        return 0;
    }
    let index = Index::new(short, tokens);
    if index.work(long) <= FREE_WORK {
        return index.lcs(long, Band::ALL);
    }
    // Long and alike: the more is known to be common, the narrower the band that has to be searched.
    let least = lower_bound(short, long, tokens);
    if least == upper_bound(short, long, tokens) {
        return least;
    }
    let least = usize::try_from(least).unwrap_or(0);
    index.lcs(long, Band { delete: short.len() - least, insert: long.len() - least })
}

/// The number of lines common to both as multisets: no common subsequence is longer.
fn upper_bound(a: &[u32], b: &[u32], tokens: usize) -> u64 {
    let mut counts = vec![0u32; tokens];
    for &token in a {
        counts[token as usize] += 1;
    }
    let mut common = 0;
    for &token in b {
        let count = &mut counts[token as usize];
        common += u64::from(*count > 0);
        *count = count.saturating_sub(1);
    }
    common
}

/// The lines that both traces have, in a numbering of their own, and how many different ones there are.
fn shared(a: &Trace, b: &Trace) -> (Vec<u32>, Vec<u32>, usize) {
    let mut number_a = vec![ABSENT; a.dictionary.len()];
    let mut number_b = vec![ABSENT; b.dictionary.len()];
    let (mut at_a, mut at_b, mut tokens) = (0, 0, 0);
    while let (Some(of_a), Some(of_b)) = (a.dictionary.get(at_a), b.dictionary.get(at_b)) {
        if of_a == of_b {
            number_a[at_a] = tokens;
            number_b[at_b] = tokens;
            tokens += 1;
        }
        at_a += usize::from(of_a <= of_b);
        at_b += usize::from(of_b <= of_a);
    }
    let renumber = |tokens: &[u32], number: &[u32]| -> Vec<u32> {
        tokens.iter().map(|&token| number[token as usize]).filter(|&token| token != ABSENT).collect()
    };
    (renumber(&a.tokens, &number_a), renumber(&b.tokens, &number_b), tokens as usize)
}

/// Both sequences without the tokens that only one of them has.
fn in_both(a: &[u32], b: &[u32], tokens: usize) -> (Vec<u32>, Vec<u32>) {
    let mut sides = vec![0u8; tokens];
    for &token in a {
        sides[token as usize] |= 1;
    }
    for &token in b {
        sides[token as usize] |= 2;
    }
    let keep = |sequence: &[u32]| sequence.iter().copied().filter(|&token| sides[token as usize] == 3).collect();
    (keep(a), keep(b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{TraceLines, read_trace};
    use super::*;

    fn trace(text: &str) -> Trace {
        read_trace(text.as_bytes(), TraceLines::Raw, None).expect("readable")
    }

    #[test]
    fn the_ends_of_the_scale() {
        assert_eq!(similarity(&trace(""), &trace("")).to_bits(), 1f64.to_bits());
        assert_eq!(similarity(&trace("a\nb\n"), &trace("a\nb\n")).to_bits(), 1f64.to_bits());
        assert_eq!(similarity(&trace("a\n"), &trace("b\n")).to_bits(), 0f64.to_bits());
        assert_eq!(similarity(&trace("a\n"), &trace("")).to_bits(), 0f64.to_bits());
    }

    #[test]
    fn a_worked_example() {
        // b c d is common: 2·3 / (4 + 5).
        let value = similarity(&trace("a\nb\nc\nd\n"), &trace("b\nx\nc\nd\na\n"));
        assert!((value - 6.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn near_identical_giants_are_exact_by_the_band() {
        // Frequent lines in plenty, so that the free work does not suffice; changes on both sides.
        let a: Vec<u32> = (0..300_000u32).map(|i| if i % 5 == 0 { 100 + i / 5 % 40_000 } else { i % 7 }).collect();
        let edited = |step: usize| a.iter().enumerate().filter(move |(i, _)| i % step != 3).map(|(_, &token)| token);
        let (x, y): (Vec<u32>, Vec<u32>) = (edited(997).collect(), edited(1009).collect());
        let index = Index::new(&x, 40_100);
        assert!(index.work(&y) > FREE_WORK);
        assert_eq!(longest(&x, &y, 40_100), index.lcs(&y, Band::ALL));
    }

    proptest! {
        #[test]
        fn equals_another_implementation(a in "[a-f\n]{0,120}", b in "[a-f\n]{0,120}") {
            // Single letters as lines.
            let lines = |text: &str| text.chars().filter(|letter| *letter != '\n').flat_map(|letter| [letter, '\n']).collect::<String>();
            let (a, b) = (lines(&a), lines(&b));
            let (x, y): (Vec<char>, Vec<char>) = (a.chars().filter(|c| *c != '\n').collect(), b.chars().filter(|c| *c != '\n').collect());
            let equal = similar::capture_diff_slices(similar::Algorithm::Lcs, &x, &y).iter().map(|op| match op {
                similar::DiffOp::Equal { len, .. } => *len as u64,
                _ => 0,
            }).sum::<u64>();
            prop_assert_eq!(common_lines(&trace(&a), &trace(&b)), equal);
            prop_assert_eq!(common_lines(&trace(&b), &trace(&a)), equal);
        }
    }
}
