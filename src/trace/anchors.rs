//! A common subsequence that is long where two traces are nearly alike: a lower bound for the longest one.
//!
//! Lines that occur once in both sequences are anchors; a longest increasing run of them is kept, and the gaps
//! between are treated alike until they are small enough for the exact algorithm (the idea of "patience" diffs).

use super::lcs::{Band, Index};

/// A gap with at most this product of lengths is solved exactly.
const EXACT_CELLS: usize = 1 << 22;
/// Deepest nesting of gaps.
const DEPTH_LIMIT: u32 = 24;

/// What one token did in the gap under treatment.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    in_a: u32,
    in_b: u32,
    /// Its last position in `b`, or its number for the exact algorithm.
    place: u32,
}

/// Working memory, one entry per token, all default between uses.
struct Scratch {
    seen: Vec<Seen>,
}

/// The length of some common subsequence of `a` and `b`, whose tokens are below `tokens`.
pub(super) fn lower_bound(a: &[u32], b: &[u32], tokens: usize) -> u64 {
    let mut scratch = Scratch { seen: vec![Seen::default(); tokens] };
    let mut total = 0;
    let mut gaps = vec![(a, b, 0)];
    while let Some((a, b, depth)) = gaps.pop() {
        let (a, b, trimmed) = trim(a, b);
        total += trimmed;
        if a.is_empty() || b.is_empty() {
            continue;
        }
        if a.len().saturating_mul(b.len()) <= EXACT_CELLS {
            total += scratch.exact(a, b);
            continue;
        }
        let anchors = if depth < DEPTH_LIMIT { scratch.anchors(a, b) } else { Vec::new() };
        total += anchors.len() as u64;
        let (mut after_a, mut after_b) = (0, 0);
        for &(in_a, in_b) in &anchors {
            gaps.push((&a[after_a..in_a], &b[after_b..in_b], depth + 1));
            (after_a, after_b) = (in_a + 1, in_b + 1);
        }
        if !anchors.is_empty() {
            gaps.push((&a[after_a..], &b[after_b..], depth + 1));
        }
    }
    total
}

/// Both sequences without their common beginning and end, and the length of these.
pub(super) fn trim<'a>(a: &'a [u32], b: &'a [u32]) -> (&'a [u32], &'a [u32], u64) {
    let same = |(x, y): &(&u32, &u32)| x == y;
    let prefix = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    (&a[..a.len() - suffix], &b[..b.len() - suffix], (prefix + suffix) as u64)
}

impl Scratch {
    /// Positions in `a` and `b` of tokens that occur once in each, increasing in both.
    fn anchors(&mut self, a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
        for &token in a {
            self.seen[token as usize].in_a += 1;
        }
        for (position, &token) in b.iter().enumerate() {
            let seen = &mut self.seen[token as usize];
            seen.in_b += 1;
            seen.place = position as u32;
        }
        let once = |(position, &token): (usize, &u32)| {
            let seen = self.seen[token as usize];
            (seen.in_a == 1 && seen.in_b == 1).then_some((position, seen.place as usize))
        };
        let candidates: Vec<(usize, usize)> = a.iter().enumerate().filter_map(once).collect();
        self.forget(a, b);
        longest_increasing(&candidates)
    }

    fn exact(&mut self, a: &[u32], b: &[u32]) -> u64 {
        let mut tokens = 0;
        let mut number = |sequence: &[u32]| -> Vec<u32> {
            let numbered = sequence.iter().map(|&token| {
                let seen = &mut self.seen[token as usize];
                if seen.in_a == 0 {
                    *seen = Seen { in_a: 1, in_b: 0, place: tokens };
                    tokens += 1;
                }
                seen.place
            });
            numbered.collect()
        };
        let (small_a, small_b) = (number(a), number(b));
        self.forget(a, b);
        Index::new(&small_a, tokens as usize).lcs(&small_b, Band::ALL)
    }

    fn forget(&mut self, a: &[u32], b: &[u32]) {
        for &token in a.iter().chain(b) {
            self.seen[token as usize] = Seen::default();
        }
    }
}

/// A longest subsequence of `pairs`, which ascend in the first part, that ascends in the second too.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Index of the pair that ends the best run of each length, and of each pair's predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut run: Vec<_> =
        std::iter::successors(ends.last().copied(), |&index| before[index]).map(|index| pairs[index]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletions_alone_are_found_exactly() {
        let a: Vec<u32> = (0..60_000).map(|i| if i % 3 == 0 { i } else { i % 50 }).collect();
        let b: Vec<u32> = a.iter().enumerate().filter(|(i, _)| i % 101 != 7).map(|(_, &token)| token).collect();
        assert_eq!(lower_bound(&a, &b, 60_000), b.len() as u64);
    }

    #[test]
    fn the_longest_run_is_kept() {
        let pairs = [(0, 5), (1, 1), (2, 2), (3, 9), (4, 3)];
        assert_eq!(longest_increasing(&pairs), [(1, 1), (2, 2), (4, 3)]);
        assert!(longest_increasing(&[]).is_empty());
    }
}
