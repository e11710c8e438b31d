//! The bytes of a file → the text of a script.

use super::ParseError;
use crate::smtlib::lexer::line_and_column;

/// The text of a file that holds these bytes, without the mark with which some editors begin a file in UTF-8.
///
/// # Errors
/// The first byte that is not UTF-8.
pub fn decode(bytes: Vec<u8>, file: &str) -> Result<String, ParseError> {
    const MARK: char = '\u{feff}';
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[end];
        let (line, column) = line_and_column(&String::from_utf8_lossy(&error.as_bytes()[..end]), end);
        ParseError {
            file: file.to_owned(),
            line,
            column,
            found: format!("the byte {byte:#04x}, which is not UTF-8"),
            expected: "a text in UTF-8".to_owned(),
            help: Some("save the script as UTF-8".to_owned()),
        }
    })?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_not_utf_8_is_told_with_its_place_and_a_mark_at_the_beginning_is_no_part_of_the_text() {
        let error = decode(b"; caf\xc3\xa9\n(assert \"\xe9\")".to_vec(), "a.smt2").unwrap_err();
        insta::assert_snapshot!(error, @"a.smt2:2:10: found the byte 0xe9, which is not UTF-8, expected a text in UTF-8; save the script as UTF-8");
        assert_eq!(decode("\u{feff}(check-sat)\u{feff}".into(), "a").as_deref(), Ok("(check-sat)\u{feff}"));
        assert_eq!(decode(Vec::new(), "a").as_deref(), Ok(""));
    }
}
