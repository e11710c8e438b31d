//! Bit-vector literals: `(_ bvN width)` ⇄ binary digits.

/// The widest `(_ bvN width)`, and the most digits of N, that become a binary literal.
pub(super) const WIDEST: u32 = 4096;
/// Binary literals are printed as binary digits up to this width.
const WIDE: usize = 32;
/// Values of so many bits are small.
const SMALL: usize = 32;

/// The bits of a decimal number, the most significant first; what exceeds the width falls away (modulo).
pub(super) fn bits_of(digits: &str, width: u32) -> impl Iterator<Item = bool> + use<> {
    // The least significant first.
    let mut bits = vec![false; width as usize];
    for digit in digits.bytes() {
        let mut carry = u32::from(digit - b'0');
        for bit in &mut bits {
            carry += 10 * u32::from(*bit);
            *bit = carry & 1 == 1;
            carry >>= 1;
        }
    }
    bits.into_iter().rev()
}

/// The value of a wide literal, if it is small: `(_ bv1 117)` is read at a glance, 117 binary digits are not.
pub(super) fn small_of_wide(digits: &[u32]) -> Option<u32> {
    let bits = digits.iter().map(|&digit| u32::from(digit == u32::from(b'1')));
    let is_wide = digits.len() > WIDE && digits.len() <= WIDEST as usize;
    let is_small = is_wide && bits.clone().take(digits.len() - SMALL).all(|bit| bit == 0);
    is_small.then(|| bits.fold(0, |value, bit| value << 1 | bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Vec<u32> {
        text.bytes().map(u32::from).collect()
    }

    #[test]
    fn decimal_digits_become_bits_modulo_the_width() {
        let bits: String = bits_of("5", 4).map(|bit| if bit { '1' } else { '0' }).collect();
        assert_eq!(bits, "0101");
        let bits: String = bits_of("18446744073709551617", 65).map(|bit| if bit { '1' } else { '0' }).collect();
        assert_eq!(bits, format!("1{:064b}", 1));
        assert_eq!(bits_of("16", 4).filter(|&bit| bit).count(), 0);
    }

    #[test]
    fn small_values_of_wide_vectors_have_a_short_form() {
        assert_eq!(small_of_wide(&digits(&format!("{:0117b}", 1))), Some(1));
        assert_eq!(small_of_wide(&digits(&format!("{:033b}", u32::MAX))), Some(u32::MAX));
        assert_eq!(small_of_wide(&digits(&format!("{:032b}", 1))), None, "few digits are read as they are");
        assert_eq!(small_of_wide(&digits(&format!("1{:032b}", 0))), None, "a large value");
        assert_eq!(small_of_wide(&digits(&"0".repeat(4097))), None, "it would not be read as a literal again");
    }
}
