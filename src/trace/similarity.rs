//! The similarity of two trace logs: Eq. 3 of the `MulStringFuzz` paper, exactly.

use std::time::Instant;

use super::Trace;
use super::anchors::{lower_bound, trim};
use super::lcs::{Band, Index};

/// Word updates that are made without looking for a band first: well below a second.
const FREE_WORK: u64 = 100_000_000;
/// Word updates by which it is estimated how long all of them take: some hundredths of a second.
const SAMPLE_WORK: u64 = 10_000_000;
/// Marks a line that the other trace does not have.
const ABSENT: u32 = u32::MAX;

/// sim(a, b) = 2 · ‖a ∩ b‖ / (‖a‖ + ‖b‖) of Eq. 3, from 0 to 1, where ‖a ∩ b‖ is the number of lines that
/// [`common_lines`] finds. Identical traces have 1, and so have two empty ones. Symmetric, deterministic.
///
/// Take care to compare traces of the same [`TraceLines`](super::TraceLines) only.
pub fn similarity(a: &Trace, b: &Trace) -> f64 {
    share(common_lines(a, b), (a.len(), b.len()))
}

/// Eq. 3 of so many common lines of two traces of so many.
pub fn share(common: u64, (a, b): (u64, u64)) -> f64 {
    let lines = a + b;
    if lines == 0 { 1.0 } else { 2.0 * common as f64 / lines as f64 }
}

/// The length of the longest common subsequence of the lines: what `diff --minimal` leaves unchanged. Always exact,
/// whatever the sizes.
pub fn common_lines(a: &Trace, b: &Trace) -> u64 {
    Comparison::of(a, b).common_lines()
}

/// Two traces, as far as they can be compared in time proportional to their lines: what is left to be done is known.
#[derive(Debug)]
pub struct Comparison {
    /// Common lines that are found already.
    found: u64,
    /// What the longest common subsequence is still to be found of; none if all is found.
    rest: Option<Rest>,
}

/// Two sequences, the shorter one indexed, and where matches can be.
#[derive(Debug)]
struct Rest {
    index: Index,
    long: Vec<u32>,
    band: Band,
}

impl Comparison {
    /// Leaves out what only one of them has, and what both begin or end with.
    pub fn of(a: &Trace, b: &Trace) -> Self {
        if a == b {
            return Comparison { found: a.len(), rest: None };
        }
        let (mut left, mut right, tokens) = shared(a, b);
        let mut found = 0;
        // Trimming may leave lines that only one side has, and leaving them out may allow more trimming.
        loop {
            let (a, b, trimmed) = trim(&left, &right);
            found += trimmed;
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
        let (more, rest) = longest(&left, right, tokens);
        Comparison { found: found + more, rest }
    }

    /// How many words of 64 lines are updated to find the rest: what takes long, where few different lines are repeated in
    /// traces that are not alike, and is then about proportional to the product of the two lengths.
    pub fn work(&self) -> u64 {
        self.rest.as_ref().map_or(0, |Rest { index, long, band }| index.work_within(long, *band).sum())
    }

    /// About how many seconds finding the rest takes on this machine: a small part of it is done, and its time taken.
    pub fn seconds(&self) -> f64 {
        let Some(Rest { index, long, band }) = &self.rest else { return 0.0 };
        let (mut sample, mut lines) = (0, 0);
        for work in index.work_within(long, *band) {
            sample += work;
            lines += 1;
            if sample >= SAMPLE_WORK {
                break;
            }
        }
        let begun = Instant::now();
        std::hint::black_box(index.lcs(&long[..lines], *band));
        begun.elapsed().as_secs_f64() * self.work() as f64 / (sample.max(1)) as f64
    }

    /// The number of common lines.
    pub fn common_lines(&self) -> u64 {
        self.found + self.rest.as_ref().map_or(0, |Rest { index, long, band }| index.lcs(long, *band))
    }
}

/// The longest common subsequence of sequences without common ends: its length where that is known at once, or what is left.
fn longest(short: &[u32], long: Vec<u32>, tokens: usize) -> (u64, Option<Rest>) {
    if short.is_empty() {
        return (0, None);
    }
    let index = Index::new(short, tokens);
    if index.work(&long) <= FREE_WORK {
        return (0, Some(Rest { index, long, band: Band::ALL }));
    }
    // Long and alike: the more is known to be common, the narrower the band that has to be searched.
    let least = lower_bound(short, &long, tokens);
    if least == upper_bound(short, &long, tokens) {
        return (least, None);
    }
    let least = usize::try_from(least).unwrap_or(0);
    let band = Band { delete: short.len() - least, insert: long.len() - least };
    (0, Some(Rest { index, long, band }))
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
        let (found, rest) = longest(&x, y.clone(), 40_100);
        let comparison = Comparison { found, rest };
        assert_eq!(comparison.common_lines(), index.lcs(&y, Band::ALL));
        assert!(comparison.work() < index.work(&y) / 10, "the band is narrow");
    }

    #[test]
    fn what_is_left_to_do_is_known_beforehand() {
        let lines = |step: u32| (0..4000).map(|i| (i * step % 7).to_string()).collect::<Vec<_>>().join("\n");
        let (a, b) = (trace(&lines(3)), trace(&lines(5)));
        let comparison = Comparison::of(&a, &b);
        // Seven lines: each is in every word of the other trace, of which trimming may have taken a line or two.
        let words = 4000_u64.div_ceil(64);
        assert!((words * 3900..=words * 4000).contains(&comparison.work()), "{}", comparison.work());
        assert!(comparison.seconds() > 0.0);
        assert_eq!(comparison.common_lines(), common_lines(&b, &a));
        assert_eq!((Comparison::of(&a, &a).work(), Comparison::of(&a, &a).common_lines()), (0, 4000));
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
