//! Symbols as text: which of them need bars.

use std::fmt;

use super::super::lexer::is_symbol_byte;

/// Words that the standard reserves: as names they need bars.
const RESERVED: [&str; 13] = [
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "HEXADECIMAL",
    "forall",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
];

/// The length of the longest reserved word: longer names need not be compared.
const LONGEST_RESERVED: usize = 11;

/// Whether `name` can stand without bars.
pub(in super::super) fn is_simple(name: &str) -> bool {
    let bytes = name.as_bytes();
    match bytes.first() {
        None => false,
        // `-5` is a symbol of the standard, but Z3 reads it as a number.
        Some(b'-') if bytes.get(1).is_some_and(u8::is_ascii_digit) => false,
        Some(first) => {
            !first.is_ascii_digit()
                && bytes.iter().all(|&byte| is_symbol_byte(byte))
                && (bytes.len() > LONGEST_RESERVED || !RESERVED.contains(&name))
        }
    }
}

/// Writes `name` as an SMT-LIB symbol, with bars where a simple symbol could not carry it.
///
/// # Errors
/// Those of `out`.
pub fn write_symbol(out: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    if is_simple(name) {
        return out.write_str(name);
    }
    out.write_str("|")?;
    out.write_str(name)?;
    out.write_str("|")
}
