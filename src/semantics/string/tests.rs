use proptest::prelude::*;

use super::*;

fn string(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn int(value: i64) -> BigInt {
    BigInt::from(value)
}

#[test]
fn only_strings_of_digits_are_numbers() {
    for (text, value) in [("", -1), ("007", 7), ("0", 0), ("42", 42), ("-1", -1), ("1 ", -1), ("1a", -1), ("+1", -1)] {
        assert_eq!(to_int(&string(text)), int(value), "{text}");
    }
    // ARABIC-INDIC DIGIT ONE is a digit for Unicode, not for the theory.
    assert_eq!(to_int(&[0x661]), int(-1));
}

#[test]
fn numbers_are_written_in_decimal_and_negative_ones_not_at_all() {
    for (value, text) in [(0, "0"), (7, "7"), (1_000_000, "1000000"), (-1, ""), (-70, "")] {
        assert_eq!(from_int(&int(value)), Ok(string(text)), "{value}");
    }
}

#[test]
fn a_number_may_have_as_many_digits_as_a_string_may_have_characters() {
    let mut digits = vec![u32::from('9'); 40_000];
    digits[0] = u32::from('1');
    let value = to_int(&digits);
    assert_eq!(value, BigInt::from(10).pow(39_999) * 2 - 1);
    assert_eq!(from_int(&value), Ok(digits));
    assert_eq!(from_int(&(BigInt::from(1) << (8 * MAX_LENGTH))), Err(TooLong));
}

#[test]
fn codes_are_those_of_single_characters() {
    assert_eq!(to_code(&string("A")), int(65));
    assert_eq!(to_code(&string("")), int(-1));
    assert_eq!(to_code(&string("AB")), int(-1));
    assert_eq!(from_code(&int(65)), string("A"));
    assert_eq!(from_code(&int(0)), [0]);
    assert_eq!(from_code(&int(0x2_FFFF)), [0x2_FFFF]);
    for outside in [int(-1), int(0x3_0000), BigInt::from(1) << 80] {
        assert!(from_code(&outside).is_empty());
    }
}

#[test]
fn a_digit_is_one_character() {
    assert!(is_digit(&string("0")) && is_digit(&string("9")));
    for other in ["", "00", "a", "/", ":"] {
        assert!(!is_digit(&string(other)), "{other}");
    }
}

#[test]
fn the_order_is_lexicographic() {
    for (left, right) in [("", "a"), ("a", "aa"), ("aa", "b"), ("Z", "a"), ("10", "9")] {
        assert!(less(&string(left), &string(right)), "{left} {right}");
        assert!(!less(&string(right), &string(left)), "{right} {left}");
        assert!(less_or_equal(&string(left), &string(right)) && !less_or_equal(&string(right), &string(left)));
    }
    assert!(!less(&string("a"), &string("a")) && less_or_equal(&string("a"), &string("a")));
    assert!(!less(&[], &[]) && less_or_equal(&[], &[]));
}

#[test]
fn only_ascii_letters_have_a_case() {
    assert_eq!(to_lower(&string("aZ@[É")), string("az@[É"));
    assert_eq!(to_upper(&string("aZ`{é")), string("AZ`{é"));
}

proptest! {
    #[test]
    fn numbers_are_read_as_they_are_written(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let number = BigInt::from_bytes_be(Sign::Plus, &bytes);
        let written = from_int(&number).expect("a short number");
        prop_assert_eq!(&written, &string(&number.to_string()));
        prop_assert_eq!(to_int(&written), number);
    }
}
