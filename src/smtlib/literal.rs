//! String literals: source text ⇄ code points, in each dialect.
//!
//! The three readings, as solvers have them: SMT-LIB 2.6 knows `\u{X}` and `\uXXXX` and takes any other backslash as
//! it is; 2.5 (Z3 4.8.10, CVC4 1.6) reads C-style escapes; 2.0 is like 2.5 and also knows `\"`. A doubled quote is a
//! quote in all of them. CVC4 1.6 alone reads `\u{41}` as `u{41}`; we read it as Z3 does, which is what its author
//! meant.

use std::borrow::Cow;

use super::dialect::Dialect;
use super::lexer::{Lexer, TokenKind};

/// The largest code point of a string (SMT-LIB 2.6, theory of Unicode strings).
pub const LARGEST_CODE_POINT: u32 = 0x2_FFFF;

/// Appends the code points that a literal stands for. `source` is what stands between its outer quotes.
///
/// # Errors
/// A character above [`LARGEST_CODE_POINT`].
pub fn read(source: &str, dialect: Dialect, out: &mut Vec<u32>) -> Result<(), char> {
    if source.is_ascii() && !source.contains(['\\', '"']) {
        out.extend(source.bytes().map(u32::from));
        return Ok(());
    }
    let mut rest = source;
    while let Some(character) = rest.chars().next() {
        let (code_point, length) = match character {
            '"' => (u32::from('"'), if rest.starts_with("\"\"") { 2 } else { 1 }),
            '\\' if dialect == Dialect::SmtLib26 => unicode_escape(rest).unwrap_or((u32::from('\\'), 1)),
            '\\' => unicode_escape(rest).unwrap_or_else(|| c_escape(rest)),
            _ => (u32::from(character), character.len_utf8()),
        };
        if code_point > LARGEST_CODE_POINT {
            return Err(character);
        }
        out.push(code_point);
        rest = &rest[length..];
    }
    Ok(())
}

/// `\u{X}` of one to five digits, or `\uXXXX`: its code point and its length.
fn unicode_escape(text: &str) -> Option<(u32, usize)> {
    let digits = text.strip_prefix("\\u")?;
    let (digits, length) = match digits.strip_prefix('{') {
        Some(braced) => {
            // Not further: a literal of many `\u{` would be searched to its end for each.
            let end = braced.bytes().take(6).position(|byte| byte == b'}')?;
            (braced.get(..end).filter(|digits| !digits.is_empty())?, end + 4)
        }
        None => (digits.get(..4)?, 6),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let code_point = u32::from_str_radix(digits, 16).ok()?;
    (code_point <= LARGEST_CODE_POINT).then_some((code_point, length))
}

/// A C-style escape: its code point and its length. What is none stands for the character after the backslash.
fn c_escape(text: &str) -> (u32, usize) {
    let after = &text[1..];
    let Some(character) = after.chars().next() else { return (u32::from('\\'), 1) };
    let simple = match character {
        'n' => 0x0A,
        't' => 0x09,
        'r' => 0x0D,
        'f' => 0x0C,
        'v' => 0x0B,
        'a' => 0x07,
        'b' => 0x08,
        'x' => {
            let digits = after.get(1..3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            return match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
                Some(code_point) => (code_point, 4),
                None => (u32::from('x'), 2),
            };
        }
        '0'..='7' => {
            let digits = after.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte));
            return digits.fold((0, 1), |(value, length), digit| {
                let longer = value * 8 + u32::from(digit - b'0');
                if longer <= 0xFF { (longer, length + 1) } else { (value, length) }
            });
        }
        '"' if after.starts_with("\"\"") => return (u32::from('"'), 3),
        other => return (u32::from(other), 1 + other.len_utf8()),
    };
    (simple, 2)
}

/// A code point that a dialect cannot write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwritable(pub u32);

/// Appends a literal with its quotes.
///
/// # Errors
/// A code point above 255 in a dialect that has no escape for it.
pub fn write(code_points: &[u32], dialect: Dialect, out: &mut String) -> Result<(), Unwritable> {
    out.push('"');
    let mut rest = code_points;
    while let Some(&code_point) = rest.first() {
        // Characters that stand for themselves go in runs: they are almost all, and one at a time is slow.
        let mut run = [0_u8; 32];
        let mut length = 0;
        while length < run.len()
            && let Some(&plain @ (0x20..=0x21 | 0x23..=0x5B | 0x5D..=0x7E)) = rest.get(length)
        {
            run[length] = plain as u8;
            length += 1;
        }
        if length > 0 {
            out.push_str(std::str::from_utf8(&run[..length]).unwrap_or_default());
            rest = &rest[length..];
            continue;
        }
        rest = &rest[1..];
        match u8::try_from(code_point) {
            Ok(b'"') => out.push_str(if dialect == Dialect::SmtLib20 { "\\\"" } else { "\"\"" }),
            _ if dialect == Dialect::SmtLib26 => {
                out.push_str("\\u{");
                push_hexadecimal(out, code_point, 1);
                out.push('}');
            }
            Ok(_) => {
                out.push_str("\\x");
                push_hexadecimal(out, code_point, 2);
            }
            Err(_) => return Err(Unwritable(code_point)),
        }
    }
    out.push('"');
    Ok(())
}

/// Rewrites the string literals of a verbatim text (a command, the attributes of an annotation) for another dialect;
/// everything else stays as it is.
///
/// # Errors
/// A code point that the other dialect cannot write.
pub fn translate(text: &str, from: Dialect, to: Dialect) -> Result<Cow<'_, str>, Unwritable> {
    if from == to || !text.contains('"') {
        return Ok(Cow::Borrowed(text));
    }
    let mut lexer = Lexer::new(text, from == Dialect::SmtLib20);
    let (mut out, mut copied, mut code_points) = (String::new(), 0, Vec::new());
    while let Ok(token) = lexer.next_token()
        && token.kind != TokenKind::End
    {
        let (start, end) = (token.start as usize, token.end as usize);
        if token.kind == TokenKind::String {
            code_points.clear();
            let body = &text[start + 1..end - 1];
            // All dialects read the rest alike, raw line ends included, and what need not change stays verbatim.
            let differs = body.contains(['\\', '"']) || !body.is_ascii();
            if differs && read(body, from, &mut code_points).is_ok() {
                out.push_str(&text[copied..start]);
                write(&code_points, to, &mut out)?;
                copied = end;
            }
        }
    }
    out.push_str(&text[copied..]);
    Ok(Cow::Owned(out))
}

fn push_hexadecimal(out: &mut String, value: u32, least_digits: u32) {
    let digits = (32 - value.leading_zeros()).div_ceil(4).max(least_digits);
    for position in (0..digits).rev() {
        let digit = (value >> (4 * position)) & 0xF;
        out.push(char::from_digit(digit, 16).unwrap_or('0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str, dialect: Dialect) -> String {
        let mut out = Vec::new();
        read(source, dialect, &mut out).unwrap();
        out.iter().map(|&code| char::from_u32(code).unwrap_or('?')).collect()
    }

    #[test]
    fn smt_lib_2_6_knows_only_unicode_escapes() {
        let read = |source| text(source, Dialect::SmtLib26);
        assert_eq!(read(r"\u{41}\u0042\u{1F600}"), "AB\u{1F600}");
        for verbatim in
            [r"\x41", r"\n", r"\\", r"\u", r"\u41", r"\u{}", r"\u{123456}", r"\u{30000}", r"\u{4g}", r"\u00e"]
        {
            assert_eq!(read(verbatim), verbatim);
        }
        assert_eq!(read(r#"a""b"#), "a\"b");
    }

    #[test]
    fn escapes_that_never_end_take_no_longer_than_their_length() {
        let source = "\\u{".repeat(200_000);
        assert_eq!(text(&source, Dialect::SmtLib26), source);
    }

    #[test]
    fn smt_lib_2_5_reads_c_escapes() {
        let read = |source| text(source, Dialect::SmtLib25);
        assert_eq!(read(r"\x41\x5c\n\t\r\f\v\a\b\\"), "A\\\n\t\r\u{c}\u{b}\u{7}\u{8}\\");
        assert_eq!(read(r"\101\0\04\400\8"), "A\0\u{4}\u{20}08");
        assert_eq!(read(r"\q\e\x4\"), "qex4\\");
        assert_eq!(read(r"\u{41}"), "A");
    }

    #[test]
    fn a_character_beyond_the_theory_is_refused() {
        assert_eq!(read("a\u{E0001}", Dialect::SmtLib26, &mut Vec::new()), Err('\u{E0001}'));
    }

    #[test]
    fn verbatim_text_gets_the_other_dialects_literals() {
        let text = r#"(echo "a\"b" |"\"| "c\n") ; "\""#;
        let there = translate(text, Dialect::SmtLib20, Dialect::SmtLib26).unwrap();
        assert_eq!(there, r#"(echo "a""b" |"\"| "c\u{a}") ; "\""#);
        let back = translate(&there, Dialect::SmtLib26, Dialect::SmtLib20).unwrap();
        assert_eq!(back, r#"(echo "a\"b" |"\"| "c\x0a") ; "\""#);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for dialect in Dialect::ALL {
            let last = if dialect == Dialect::SmtLib26 { 0x3000 } else { 0xFF };
            let code_points: Vec<u32> = (0..=last).chain([u32::from('\\'), u32::from('u'), u32::from('"')]).collect();
            let mut source = String::new();
            write(&code_points, dialect, &mut source).unwrap();
            let mut back = Vec::new();
            read(&source[1..source.len() - 1], dialect, &mut back).unwrap();
            assert_eq!(back, code_points, "{dialect}");
        }
        let mut out = String::new();
        assert_eq!(write(&[0xD800], Dialect::SmtLib26, &mut out), Ok(()));
        assert_eq!(write(&[0x100], Dialect::SmtLib25, &mut out), Err(Unwritable(0x100)));
    }
}
