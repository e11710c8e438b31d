//! The line counts of one run: which lines ran, and how often.

use std::io::Read;

use super::error::CoverageError;

/// A line of a source file, as a dense index into a [`CoverageMap`](super::CoverageMap).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct LineSlot(u32);

impl LineSlot {
    /// The slot with this index, from 0 to the map's `slots() - 1`.
    pub const fn new(index: u32) -> Self {
        LineSlot(index)
    }

    /// The index, for arrays over all slots.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How often each line ran; only lines that ran, ascending by slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    slots: Vec<u32>,
    counts: Vec<u64>,
}

/// The level at which zstd compresses records: its default, a good balance at these sizes.
const COMPRESSION_LEVEL: i32 = 3;
/// Most lines that an encoded record may claim: far above any solver's size.
const LINE_LIMIT: u64 = 1 << 28;
/// Most bytes that a record may be unpacked: a few of them may claim to be terabytes. The largest solver has some 10^6
/// lines, of at most 15 bytes each.
const LARGEST: u64 = 1 << 28;

impl LineCounts {
    /// Number of lines that ran.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no line ran.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How often the line ran: 0 if it did not.
    pub fn get(&self, slot: LineSlot) -> u64 {
        self.slots.binary_search(&slot.0).map_or(0, |position| self.counts[position])
    }

    /// The lines that ran, ascending, each with its count (at least 1).
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LineSlot, u64)> + '_ {
        self.slots.iter().zip(&self.counts).map(|(&slot, &count)| (LineSlot(slot), count))
    }

    /// Sum of all counts.
    pub fn total(&self) -> u128 {
        self.counts.iter().map(|&count| u128::from(count)).sum()
    }

    /// Encodes compactly: distances between slots and counts as variable-length integers, compressed with zstd.
    pub fn encode(&self) -> Vec<u8> {
        let mut plain = Vec::with_capacity(4 * self.len() + 10);
        push_varint(&mut plain, self.len() as u64);
        let mut previous = 0;
        for (slot, count) in self.iter() {
            push_varint(&mut plain, u64::from(slot.0 - previous));
            push_varint(&mut plain, count);
            previous = slot.0;
        }
        compress(&plain)
    }

    /// Decodes what [`LineCounts::encode`] made.
    ///
    /// # Errors
    /// [`CoverageError::Damaged`] when the bytes are anything else.
    pub fn decode(bytes: &[u8]) -> Result<Self, CoverageError> {
        const DAMAGED: CoverageError = CoverageError::Damaged("line counts");
        let plain = decompress(bytes).ok_or(DAMAGED)?;
        let mut rest = plain.as_slice();
        let lines = take_varint(&mut rest).filter(|&lines| lines <= LINE_LIMIT).ok_or(DAMAGED)?;
        let mut counts = LineCounts::default();
        let mut previous = 0u32;
        for line in 0..lines {
            let step = take_varint(&mut rest).and_then(|step| u32::try_from(step).ok()).ok_or(DAMAGED)?;
            let count = take_varint(&mut rest).filter(|&count| count > 0).ok_or(DAMAGED)?;
            let slot = previous.checked_add(step).filter(|_| step > 0 || line == 0).ok_or(DAMAGED)?;
            counts.slots.push(slot);
            counts.counts.push(count);
            previous = slot;
        }
        if rest.is_empty() { Ok(counts) } else { Err(DAMAGED) }
    }
}

/// Collects `(slot, count)` pairs in any order. Zero counts are left out; counts of the same slot are summed.
impl FromIterator<(LineSlot, u64)> for LineCounts {
    fn from_iter<I: IntoIterator<Item = (LineSlot, u64)>>(pairs: I) -> Self {
        let mut pairs: Vec<(LineSlot, u64)> = pairs.into_iter().filter(|(_, count)| *count > 0).collect();
        if !pairs.is_sorted_by(|left, right| left.0 < right.0) {
            pairs.sort_by_key(|(slot, _)| *slot);
        }
        let mut counts = LineCounts::default();
        for (slot, count) in pairs {
            match counts.counts.last_mut() {
                Some(last) if counts.slots.last() == Some(&slot.0) => *last = last.saturating_add(count),
                _ => {
                    counts.slots.push(slot.0);
                    counts.counts.push(count);
                }
            }
        }
        counts
    }
}

/// Appends an integer in base 128, lowest digit first.
pub(crate) fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Takes an integer off the front of `bytes`; `None` if there is no sound one.
pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let digit = u64::from(byte & 0x7f);
        if shift == 63 && digit > 1 {
            return None;
        }
        value |= digit << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Compresses a record. A vector cannot fail to be written to.
pub(crate) fn compress(plain: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plain, COMPRESSION_LEVEL).unwrap_or_default()
}

/// The inverse of [`compress`].
pub(crate) fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    zstd::Decoder::new(bytes).ok()?.take(LARGEST + 1).read_to_end(&mut plain).ok()?;
    (plain.len() as u64 <= LARGEST).then_some(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn encoding_is_lossless(pairs in proptest::collection::btree_map(any::<u32>(), 1u64.., 0..200)) {
            let counts: LineCounts = pairs.iter().map(|(&slot, &count)| (LineSlot(slot), count)).collect();
            prop_assert_eq!(LineCounts::decode(&counts.encode()).expect("own encoding"), counts);
        }

        #[test]
        fn garbage_is_refused_quietly(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            drop(LineCounts::decode(&bytes));
            drop(LineCounts::decode(&compress(&bytes)));
        }
    }

    #[test]
    fn a_record_that_would_unpack_to_a_giant_is_refused() {
        let giant = compress(&vec![0; LARGEST as usize + 1]);
        assert!(giant.len() < 100_000);
        assert!(decompress(&giant).is_none());
    }

    #[test]
    fn pairs_are_sorted_and_summed() {
        let counts: LineCounts =
            [(5, 1), (2, 3), (5, 4), (7, 0)].into_iter().map(|(slot, count)| (LineSlot(slot), count)).collect();
        let pairs: Vec<_> = counts.iter().map(|(slot, count)| (slot.index(), count)).collect();
        assert_eq!(pairs, [(2, 3), (5, 5)]);
        assert_eq!(counts.total(), 8);
        assert_eq!(counts.get(LineSlot(3)), 0);
    }
}
