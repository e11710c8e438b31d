//! Frames: the checksummed records of the observation log and of the checkpoint.
//!
//! A frame is a mark, the lengths of a JSON head and a binary body, a checksum over both, the head, the body. A log is
//! frames one after another; whatever stands after the last whole frame is what a killed process left.

use sha2::{Digest, Sha256};

/// The first bytes of every frame, with the version of the format.
pub(super) const MARK: [u8; 4] = *b"msf1";
/// Mark, two lengths, checksum.
pub(super) const PREFIX: usize = 4 + 4 + 4 + 8;

/// Where a frame lies in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// First byte.
    pub(super) offset: u64,
    /// Length in bytes, prefix included.
    pub(super) length: usize,
}

/// Makes a frame.
pub(super) fn encode(head: &[u8], body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(PREFIX + head.len() + body.len());
    frame.extend(MARK);
    frame.extend((head.len() as u32).to_le_bytes());
    frame.extend((body.len() as u32).to_le_bytes());
    frame.extend(checksum(head, body));
    frame.extend(head);
    frame.extend(body);
    frame
}

/// Head and body of the frame at the start of `bytes`, and what follows it; `None` if there is no sound frame.
pub(super) fn decode(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (prefix, rest) = bytes.split_at_checked(PREFIX)?;
    if prefix[..4] != MARK {
        return None;
    }
    let (head, rest) = rest.split_at_checked(word(prefix, 4))?;
    let (body, rest) = rest.split_at_checked(word(prefix, 8))?;
    (prefix[12..PREFIX] == checksum(head, body)).then_some((head, body, rest))
}

/// The length of the frame that begins with this prefix, if it is one.
pub(super) fn length(prefix: &[u8]) -> usize {
    PREFIX + word(prefix, 4).saturating_add(word(prefix, 8))
}

/// The number at a place of a prefix.
fn word(prefix: &[u8], at: usize) -> usize {
    prefix[at..at + 4].iter().rev().fold(0, |sum, &byte| (sum << 8) | usize::from(byte))
}

fn checksum(head: &[u8], body: &[u8]) -> [u8; 8] {
    let digest = Sha256::new().chain_update(head).chain_update(body).finalize();
    std::array::from_fn(|place| digest[place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn frames_read_back_one_after_another(
            head in proptest::collection::vec(any::<u8>(), 0..40), body in proptest::collection::vec(any::<u8>(), 0..40)
        ) {
            let mut bytes = encode(&head, &body);
            bytes.extend(encode(b"next", b""));
            let (first_head, first_body, rest) = decode(&bytes).expect("a frame");
            prop_assert_eq!((first_head, first_body), (head.as_slice(), body.as_slice()));
            prop_assert_eq!(decode(rest).expect("a frame"), (b"next".as_slice(), b"".as_slice(), b"".as_slice()));
        }

        #[test]
        fn a_frame_with_a_flipped_byte_is_none(place in any::<prop::sample::Index>(), flip in 1_u8..) {
            let mut bytes = encode(b"{\"id\":1}", b"body");
            let place = place.index(bytes.len());
            bytes[place] ^= flip;
            prop_assert!(decode(&bytes).is_none());
        }

        #[test]
        fn half_a_frame_is_none(cut in 0_usize..31) {
            let frame = encode(b"{\"id\":1}", b"body");
            prop_assert!(decode(&frame[..cut]).is_none());
        }
    }
}
