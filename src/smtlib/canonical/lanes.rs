//! A 128-bit hash in two lanes.

/// The finaliser of `SplitMix64`, after an odd offset so that 0 moves too.
#[inline]
pub(super) const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Two independent running hashes of the same words.
#[derive(Clone, Copy)]
pub(super) struct Lanes(u64, u64);

impl Lanes {
    pub(super) const fn new() -> Self {
        Lanes(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344)
    }

    #[inline]
    pub(super) fn absorb(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
        self.1 = mix(self.1.rotate_left(29) ^ word.wrapping_mul(0xd6e8_feb8_6659_fd93));
    }

    #[inline]
    pub(super) fn absorb_lanes(&mut self, other: Lanes) {
        self.0 = mix(self.0 ^ other.0);
        self.1 = mix(self.1.rotate_left(29) ^ other.1.wrapping_mul(0xd6e8_feb8_6659_fd93));
    }

    pub(super) fn first(self) -> u64 {
        self.0
    }

    pub(super) fn finish(self) -> u128 {
        (u128::from(self.1) << 64) | u128::from(self.0)
    }
}
