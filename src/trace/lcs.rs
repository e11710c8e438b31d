//! The exact length of the longest common subsequence of two token sequences, by sparse bit vectors.
//!
//! The bit-vector recurrence of M. Crochemore, C. Iliopoulos, Y. Pinzon and J. Reid, "A fast and practical bit-vector
//! algorithm for the longest common subsequence problem" (2001), keeps one bit per position of one sequence and
//! updates all of them for every token of the other: V ← (V + (V & M)) | (V & ~M), where M marks the positions that
//! hold the token; zero bits of V count the length. Here only the 64-bit words that M touches are updated, and a
//! carry jumps straight to the next word that has a zero bit, since words of ones pass it on unchanged. Traces
//! repeat few lines often, so nearly all words are skipped.

/// Positions of `a` within `delete` after, and within `insert` before, the position in `b`: outside of this band no
/// match can be part of a long enough common subsequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    /// How many tokens of `a` may stay unmatched.
    pub(super) delete: usize,
    /// How many tokens of `b` may stay unmatched.
    pub(super) insert: usize,
}

impl Band {
    /// No limit.
    pub(super) const ALL: Band = Band { delete: usize::MAX, insert: usize::MAX };

    /// The first and the last word of `a`'s bit vector in which it is, for this position in `b`.
    fn words(self, position: usize) -> (u32, u32) {
        let lowest = (position.saturating_sub(self.insert) / 64) as u32;
        let highest = (position.saturating_add(self.delete) / 64).min(u32::MAX as usize) as u32;
        (lowest, highest)
    }
}

/// For each token the words of `a`'s bit vector that hold it, and the bits in them.
#[derive(Debug)]
pub(super) struct Index {
    /// Token → its entries; one more for the end.
    start: Vec<u32>,
    word: Vec<u32>,
    mask: Vec<u64>,
    positions: usize,
}

impl Index {
    /// Indexes `a`, whose tokens are below `tokens`.
    pub(super) fn new(a: &[u32], tokens: usize) -> Self {
        let mut start = vec![0u32; tokens + 1];
        let mut last_word = vec![u32::MAX; tokens];
        for (position, &token) in a.iter().enumerate() {
            let word = (position / 64) as u32;
            if last_word[token as usize] != word {
                last_word[token as usize] = word;
                start[token as usize + 1] += 1;
            }
        }
        for token in 0..tokens {
            start[token + 1] += start[token];
        }
        let entries = start[tokens] as usize;
        let (mut word, mut mask) = (vec![0; entries], vec![0u64; entries]);
        let mut next: Vec<u32> = start[..tokens].to_vec();
        last_word.fill(u32::MAX);
        for (position, &token) in a.iter().enumerate() {
            let token = token as usize;
            let of_position = (position / 64) as u32;
            if last_word[token] != of_position {
                last_word[token] = of_position;
                word[next[token] as usize] = of_position;
                next[token] += 1;
            }
            mask[next[token] as usize - 1] |= 1 << (position % 64);
        }
        Index { start, word, mask, positions: a.len() }
    }

    /// Number of word updates that [`Index::lcs`] makes for `b` without a band.
    pub(super) fn work(&self, b: &[u32]) -> u64 {
        b.iter().map(|&token| u64::from(self.start[token as usize + 1] - self.start[token as usize])).sum()
    }

    /// The word updates that [`Index::lcs`] makes for each of `b` in `band`.
    pub(super) fn work_within<'a>(&'a self, b: &'a [u32], band: Band) -> impl Iterator<Item = u64> + 'a {
        let starts = || self.start[..self.start.len() - 1].to_vec();
        // The band only moves up, at both ends.
        let (mut first, mut behind) = (starts(), starts());
        b.iter().enumerate().map(move |(position, &token)| {
            let token = token as usize;
            let (lowest, highest) = band.words(position);
            let end = self.start[token + 1];
            while first[token] < end && self.word[first[token] as usize] < lowest {
                first[token] += 1;
            }
            behind[token] = behind[token].max(first[token]);
            while behind[token] < end && self.word[behind[token] as usize] <= highest {
                behind[token] += 1;
            }
            u64::from(behind[token] - first[token])
        })
    }

    /// The length of the longest common subsequence of the indexed sequence and `b`, among the matches in `band`.
    pub(super) fn lcs(&self, b: &[u32], band: Band) -> u64 {
        let mut bits = Bits::new(self.positions.div_ceil(64));
        let mut first: Vec<u32> = self.start[..self.start.len() - 1].to_vec();
        for (position, &token) in b.iter().enumerate() {
            let token = token as usize;
            let (lowest, highest) = band.words(position);
            let end = self.start[token + 1];
            // The band only moves up: entries below it are never needed again.
            while first[token] < end && self.word[first[token] as usize] < lowest {
                first[token] += 1;
            }
            let mut carry = Carry { pending: false, from: 0 };
            for entry in first[token] as usize..end as usize {
                if self.word[entry] > highest {
                    break;
                }
                bits.update(self.word[entry] as usize, self.mask[entry], &mut carry);
            }
            bits.settle(&carry, bits.words.len());
        }
        bits.words.iter().map(|word| u64::from(word.count_zeros())).sum()
    }
}

/// A carry on its way up.
struct Carry {
    pending: bool,
    /// The word into which it goes.
    from: usize,
}

/// The bit vector V, and which of its words have a zero bit: one bit per word, and one bit per 64 words.
struct Bits {
    words: Vec<u64>,
    open: Vec<u64>,
    open_groups: Vec<u64>,
}

impl Bits {
    fn new(words: usize) -> Self {
        let groups = words.div_ceil(64);
        Bits { words: vec![u64::MAX; words], open: vec![0; groups], open_groups: vec![0; groups.div_ceil(64)] }
    }

    fn update(&mut self, word: usize, mask: u64, carry: &mut Carry) {
        if carry.pending && carry.from < word {
            carry.pending = !self.settle(carry, word);
        }
        let old = self.words[word];
        let (sum, first) = old.overflowing_add(old & mask);
        let (sum, second) = sum.overflowing_add(u64::from(carry.pending));
        self.store(word, sum | (old & !mask));
        *carry = Carry { pending: first || second, from: word + 1 };
    }

    /// Lets a pending carry close the lowest zero of the words `carry.from..end`; false if there is none.
    fn settle(&mut self, carry: &Carry, end: usize) -> bool {
        let Some(word) = self.next_open(carry.from, end).filter(|_| carry.pending) else { return false };
        let old = self.words[word];
        self.store(word, old | (old + 1));
        true
    }

    fn store(&mut self, word: usize, value: u64) {
        let old = std::mem::replace(&mut self.words[word], value);
        if (old == u64::MAX) == (value == u64::MAX) {
            return;
        }
        let (group, bit) = (word / 64, 1 << (word % 64));
        if value == u64::MAX {
            self.open[group] &= !bit;
            if self.open[group] == 0 {
                self.open_groups[group / 64] &= !(1 << (group % 64));
            }
        } else {
            self.open[group] |= bit;
            self.open_groups[group / 64] |= 1 << (group % 64);
        }
    }

    /// The first word in `from..end` that has a zero bit.
    fn next_open(&self, from: usize, end: usize) -> Option<usize> {
        if from >= end {
            return None;
        }
        let group = from / 64;
        let here = self.open[group] & (u64::MAX << (from % 64));
        if here != 0 {
            return Some(64 * group + here.trailing_zeros() as usize).filter(|&word| word < end);
        }
        let next = group + 1;
        let mut block = next / 64;
        let mut groups = self.open_groups.get(block)? & (u64::MAX << (next % 64));
        while groups == 0 {
            block += 1;
            if 4096 * block >= end {
                return None;
            }
            groups = *self.open_groups.get(block)?;
        }
        let group = 64 * block + groups.trailing_zeros() as usize;
        Some(64 * group + self.open[group].trailing_zeros() as usize).filter(|&word| word < end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The textbook table.
    pub(crate) fn table(a: &[u32], b: &[u32]) -> u64 {
        let mut row = vec![0u64; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn equals_the_table(
            tokens in 1usize..40,
            a in proptest::collection::vec(0u32..1000, 0..600),
            b in proptest::collection::vec(0u32..1000, 0..600),
        ) {
            let fit = |sequence: Vec<u32>| sequence.into_iter().map(|token| token % tokens as u32).collect::<Vec<_>>();
            let (a, b) = (fit(a), fit(b));
            let expected = table(&a, &b);
            let index = Index::new(&a, tokens);
            prop_assert_eq!(index.lcs(&b, Band::ALL), expected);
            prop_assert_eq!(index.work_within(&b, Band::ALL).sum::<u64>(), index.work(&b));
            // A band that a common subsequence of this length, or one that is 3 shorter, cannot leave.
            for known in [expected, expected.saturating_sub(3)] {
                let band = Band { delete: a.len() - known as usize, insert: b.len() - known as usize };
                prop_assert_eq!(index.lcs(&b, band), expected);
            }
        }
    }

    #[test]
    fn carries_cross_many_words() {
        let a: Vec<u32> = (0..40_000).map(|i| i % 97).collect();
        let b: Vec<u32> = (0..3_000).map(|i| (i * i + 5) % 97).collect();
        assert_eq!(Index::new(&a, 97).lcs(&b, Band::ALL), table(&a, &b));
        assert_eq!(Index::new(&b, 97).lcs(&a, Band::ALL), table(&a, &b));
    }
}
