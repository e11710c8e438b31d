//! Trace logs of solvers and their similarity (Eq. 3 of the `MulStringFuzz` paper).
//!
//! A log is never stored as text: [`read_trace`] consumes the pipe a solver writes to and keeps interned hashes of
//! lines: 4 bytes a line, and 8 for each that is different from all before. [`similarity()`] compares two logs exactly, by
//! their longest common subsequence, in less than 30 bytes for each line of the two while it works. A campaign keeps the
//! traces of living individuals only, population and offspring: 80 logs of a million lines take some 320 MB, and three
//! times that if no line occurs twice. `trace.max-lines` bounds each.

mod anchors;
mod hash;
mod lcs;
mod reader;
mod record;
mod side_by_side;
mod similarity;

pub use reader::{LineTexts, TraceLines, read_trace, read_trace_and_texts};
pub use record::TraceDamaged;
pub use side_by_side::{Marked, side_by_side};
pub use similarity::{Comparison, common_lines, share, similarity};

/// A trace log: its lines, interned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// One token per line: an index into `dictionary`.
    tokens: Vec<u32>,
    /// The hashes of the distinct lines, ascending.
    dictionary: Vec<u64>,
}

impl Trace {
    /// Number of lines: ‖I‖ of Eq. 3.
    pub fn len(&self) -> u64 {
        self.tokens.len() as u64
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Number of distinct lines.
    pub fn distinct_lines(&self) -> usize {
        self.dictionary.len()
    }

    /// The lines in order, each as its 64-bit hash: equal lines have equal hashes, in every trace and on every machine.
    pub fn line_hashes(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.tokens.iter().map(|&token| self.dictionary[token as usize])
    }

    /// Memory that the trace takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.tokens[..]) + size_of_val(&self.dictionary[..])
    }

    /// From tokens in any numbering; sorts the dictionary, so that two traces' can be merged, and equal traces are
    /// equal values.
    fn from_interned(mut tokens: Vec<u32>, distinct: Vec<u64>) -> Self {
        let mut order: Vec<(u64, u32)> = distinct.into_iter().zip(0..).collect();
        order.sort_unstable();
        let mut rank = vec![0; order.len()];
        for (position, &(_, token)) in (0..).zip(&order) {
            rank[token as usize] = position;
        }
        for token in &mut tokens {
            *token = rank[*token as usize];
        }
        tokens.shrink_to_fit();
        Trace { tokens, dictionary: order.into_iter().map(|(hash, _)| hash).collect() }
    }
}
