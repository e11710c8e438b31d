//! Similarities as the body of a frame.

use std::io::Read;

/// The level at which zstd compresses similarities: its default.
const COMPRESSION_LEVEL: i32 = 3;

/// How large similarities may become when they are unpacked: those of all pairs of 4,000 individuals. A few bytes may
/// claim to be terabytes.
const LARGEST: u64 = 1 << 27;

/// Two numbers and the bits of the similarity, each little-endian, compressed.
pub(super) fn encode(similarities: impl Iterator<Item = ((u32, u32), f64)>) -> Vec<u8> {
    let plain: Vec<u8> = similarities
        .flat_map(|((one, other), value)| {
            [&one.to_le_bytes()[..], &other.to_le_bytes(), &value.to_bits().to_le_bytes()].concat()
        })
        .collect();
    // Compressing into memory cannot fail; were it to, the empty body is refused when it is read.
    zstd::encode_all(plain.as_slice(), COMPRESSION_LEVEL).unwrap_or_default()
}

pub(super) fn decode(body: &[u8]) -> Option<Vec<((u32, u32), f64)>> {
    let mut plain = Vec::new();
    zstd::Decoder::new(body)
        .ok()?
        .take(LARGEST + 1)
        .read_to_end(&mut plain)
        .ok()
        .filter(|&length| length as u64 <= LARGEST)?;
    let (triples, rest) = plain.as_chunks::<16>();
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, &byte| (sum << 8) | u64::from(byte));
    rest.is_empty().then(|| {
        let triple = |bytes: &[u8; 16]| {
            ((number(&bytes[..4]) as u32, number(&bytes[4..8]) as u32), f64::from_bits(number(&bytes[8..])))
        };
        triples.iter().map(triple).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarities_are_read_as_they_were_written() {
        let pairs = vec![((1, 2), 0.25), ((3, u32::MAX), f64::MIN_POSITIVE)];
        assert_eq!(decode(&encode(pairs.clone().into_iter())), Some(pairs));
    }

    #[test]
    fn a_body_that_would_unpack_to_a_giant_is_refused() {
        let giant = vec![0_u8; LARGEST as usize + 16];
        let packed = zstd::encode_all(giant.as_slice(), 1).unwrap();
        assert!(packed.len() < 100_000);
        assert_eq!(decode(&packed), None);
    }
}
