//! Bit-vectors: a width, and the bits as an unsigned number.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::One;

/// A bit-vector. Its number is below 2 to the power of its width.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BitVector {
    width: u32,
    bits: BigUint,
}

impl BitVector {
    /// The widest bit-vector that is computed: sorts and indices can ask for any width.
    pub const WIDEST: u32 = 1 << 20;

    /// The lowest `width` bits of a number.
    pub fn new(width: u32, bits: BigUint) -> BitVector {
        if bits.bits() <= u64::from(width) {
            return BitVector { width, bits };
        }
        let modulus_less_one = (BigUint::one() << width) - 1_u32;
        BitVector { width, bits: bits & modulus_less_one }
    }

    /// The bit-vector of an integer modulo 2 to the power of `width`.
    pub fn from_integer(width: u32, integer: &BigInt) -> BitVector {
        let magnitude = BitVector::new(width, integer.magnitude().clone());
        if integer.sign() == Sign::Minus { magnitude.negated() } else { magnitude }
    }

    /// How many bits it has.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Its number, read as unsigned.
    pub fn unsigned(&self) -> &BigUint {
        &self.bits
    }

    /// Its number, read in two's complement.
    pub fn signed(&self) -> BigInt {
        let value = BigInt::from(self.bits.clone());
        if self.is_negative() { value - (BigInt::one() << self.width) } else { value }
    }

    /// Whether the highest bit is set.
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bits.bit(u64::from(self.width) - 1)
    }

    /// Two's complement.
    #[must_use]
    pub fn negated(&self) -> BitVector {
        BitVector::new(self.width, (BigUint::one() << self.width) - &self.bits)
    }

    /// All bits turned over.
    #[must_use]
    pub fn inverted(&self) -> BitVector {
        BitVector { width: self.width, bits: (BigUint::one() << self.width) - 1_u32 - &self.bits }
    }
}
