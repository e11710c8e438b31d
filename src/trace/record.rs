//! The compact encoding of a trace for the run directory.

use std::io::Read;

use super::Trace;

/// The bytes are not an encoded trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("damaged trace record")]
pub struct TraceDamaged;

/// The level at which zstd compresses records: its default.
const COMPRESSION_LEVEL: i32 = 3;

impl Trace {
    /// Encodes compactly: number of distinct lines and of lines (64 bits each), hashes in the order of their first
    /// occurrence (64 bits each), tokens in that numbering (32 bits each), all little-endian and compressed with zstd.
    pub fn encode(&self) -> Vec<u8> {
        let mut number = vec![u32::MAX; self.dictionary.len()];
        let mut hashes = Vec::with_capacity(8 * self.dictionary.len());
        let mut tokens = Vec::with_capacity(4 * self.tokens.len());
        let mut next = 0u32;
        for &token in &self.tokens {
            let number = &mut number[token as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
                hashes.extend(self.dictionary[token as usize].to_le_bytes());
            }
            tokens.extend(number.to_le_bytes());
        }
        let mut plain = (u64::from(next)).to_le_bytes().to_vec();
        plain.extend(self.len().to_le_bytes());
        plain.extend(hashes);
        plain.extend(tokens);
        zstd::bulk::compress(&plain, COMPRESSION_LEVEL).unwrap_or_default()
    }

    /// Decodes what [`Trace::encode`] made.
    ///
    /// # Errors
    /// [`TraceDamaged`] when the bytes are anything else.
    pub fn decode(bytes: &[u8]) -> Result<Self, TraceDamaged> {
        Self::decode_at_most(bytes, u64::MAX)
    }

    /// Decodes what [`Trace::encode`] made of a trace of so many lines. What a few bytes claim to be is never larger.
    ///
    /// # Errors
    /// [`TraceDamaged`] when the bytes are anything else.
    pub fn decode_of_length(bytes: &[u8], lines: u64) -> Result<Self, TraceDamaged> {
        // Two lengths, a token a line, and a hash for each that is different from all others.
        let largest = lines.saturating_mul(12).saturating_add(16);
        Self::decode_at_most(bytes, largest).and_then(|it| if it.len() == lines { Ok(it) } else { Err(TraceDamaged) })
    }

    fn decode_at_most(bytes: &[u8], largest: u64) -> Result<Self, TraceDamaged> {
        let mut plain = Vec::new();
        let decoder = zstd::Decoder::new(bytes).map_err(|_| TraceDamaged)?;
        decoder.take(largest.saturating_add(1)).read_to_end(&mut plain).map_err(|_| TraceDamaged)?;
        if plain.len() as u64 > largest {
            return Err(TraceDamaged);
        }
        let (distinct, rest) = take_length(&plain)?;
        let (lines, rest) = take_length(rest)?;
        let split = distinct.checked_mul(8).filter(|&split| split <= rest.len()).ok_or(TraceDamaged)?;
        let (hashes, tokens) = rest.split_at(split);
        if Some(tokens.len()) != lines.checked_mul(4) {
            return Err(TraceDamaged);
        }
        let hashes: Vec<u64> = hashes.as_chunks::<8>().0.iter().map(|hash| u64::from_le_bytes(*hash)).collect();
        let tokens: Vec<u32> = tokens.as_chunks::<4>().0.iter().map(|token| u32::from_le_bytes(*token)).collect();
        if tokens.iter().any(|&token| token as usize >= distinct) {
            return Err(TraceDamaged);
        }
        let trace = Trace::from_interned(tokens, hashes);
        if trace.dictionary.is_sorted_by(|left, right| left < right) { Ok(trace) } else { Err(TraceDamaged) }
    }
}

fn take_length(bytes: &[u8]) -> Result<(usize, &[u8]), TraceDamaged> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or(TraceDamaged)?;
    Ok((usize::try_from(u64::from_le_bytes(*length)).map_err(|_| TraceDamaged)?, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{TraceLines, read_trace};
    use super::*;

    proptest! {
        #[test]
        fn encoding_is_lossless(text in "[a-c\n]{0,80}") {
            let trace = read_trace(text.as_bytes(), TraceLines::Raw, None).expect("readable");
            prop_assert_eq!(Trace::decode(&trace.encode()), Ok(trace));
        }

        #[test]
        fn a_trace_of_another_length_is_refused(text in "[a-c\n]{0,80}", more in 1_u64..9) {
            let trace = read_trace(text.as_bytes(), TraceLines::Raw, None).expect("readable");
            let (bytes, lines) = (trace.encode(), trace.len());
            prop_assert_eq!(Trace::decode_of_length(&bytes, lines), Ok(trace));
            prop_assert_eq!(Trace::decode_of_length(&bytes, lines + more), Err(TraceDamaged));
            prop_assert_eq!(Trace::decode_of_length(&bytes, lines.saturating_sub(more)).is_ok(), lines == 0);
        }

        #[test]
        fn garbage_is_refused_quietly(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            drop(Trace::decode(&bytes));
            drop(Trace::decode(&zstd::bulk::compress(&bytes, 1).expect("compressible")));
        }
    }
}
