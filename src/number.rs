//! Numbers as people read them, and write them.

use std::str::FromStr;

/// A decimal number with its whole part in groups of three digits: of `-1234.5` and a comma, `-1,234.5`.
pub fn grouped(decimal: &str, separator: char) -> String {
    let (sign, digits) = decimal.strip_prefix('-').map_or(("", decimal), |digits| ("-", digits));
    let (whole, fraction) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let mut grouped = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// How many there are of a thing with a regular plural: `1 assertion`, `2 assertions`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Reads a number of the command line, in words that people know: of `NonZeroUsize`, or where 0 is refused later.
///
/// # Errors
/// What is expected instead.
pub fn positive<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number from 1".to_owned())
}

/// The same where 0 is a number too.
///
/// # Errors
/// What is expected instead.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "defect")), ["0 defects", "1 defect", "2 defects"]);
    }

    #[test]
    fn a_bad_number_is_told_in_plain_words() {
        use std::num::NonZeroUsize;
        assert_eq!(positive::<NonZeroUsize>("3"), Ok(NonZeroUsize::MIN.saturating_add(2)));
        assert_eq!(positive::<NonZeroUsize>("0"), Err("expected a whole number from 1".to_owned()));
        assert_eq!((whole::<u32>("0"), whole::<u32>("abc")), (Ok(0), Err("expected a whole number".to_owned())));
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [("0", "0"), ("999", "999"), ("1000.0", "1,000.0"), ("1234567", "1,234,567"), ("-123.5", "-123.5")];
        for (decimal, text) in cases {
            assert_eq!(grouped(decimal, ','), text);
        }
    }
}
