//! The signature table: every operator that the tool knows, read from `theories/*.smt2`.

/// One operator with one signature: a line of the table. An overloaded name (`-`) is several `Op`s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Op(pub(crate) u16);
