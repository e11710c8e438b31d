//! Reads a trace log as it streams from a solver: splits, normalises, hashes and interns its lines.

use std::io::{self, Read};

use hashbrown::HashTable;
use memchr::memchr_iter;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::Trace;
use super::hash::hash_line;

/// What of a line is compared.
///
/// Measured on traces of Z3 4.8.10 (z3str3, `rlimit=15000`) of 28 random string formulas with traces below 1.5 MB: 84
/// pairs of structural twins (variables renamed, two variables swapped, or one literal changed) against 378 pairs of
/// independent formulas. The similarity of a twin pair is above that of a different pair (area under the ROC curve)
/// with 0.9895 for `Raw` and 0.9890 for `Ids`: a tie. Against 28 formulas with one assertion replaced it is 0.978 and
/// 0.987. `Ids` makes different traces alike (mean similarity 0.29 against 0.09) and long ones far more expensive to
/// compare, since few distinct lines are left. So `Raw`, which is the paper's, is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TraceLines {
    /// The line as printed: what the paper compares.
    #[default]
    Raw,
    /// The line without the numbers of ids: `#174` counts as `#`, `x!12` as `x!`.
    Ids,
}

/// Bytes that are read at a time: the size to which Linux lets a pipe grow.
const CHUNK: usize = 1 << 20;
/// Lines that are hashed before they are looked up: the lookups of a batch wait for memory side by side.
const BATCH: usize = 256;
/// Distinct lines that a trace can hold; the rest of a longer one is ignored.
const DISTINCT_LIMIT: usize = u32::MAX as usize - BATCH;

/// Reads `source` to its end, or to `max_lines` complete lines. The source is dropped then, which closes a pipe, so
/// that a solver that goes on writing is ended by `SIGPIPE`. An incomplete last line (of a killed solver) is left out.
///
/// # Errors
/// When reading fails, other than by interruption.
pub fn read_trace(source: impl Read, lines: TraceLines, max_lines: Option<u64>) -> io::Result<Trace> {
    read_trace_and_texts(source, lines, max_lines, None)
}

/// The same, and adds the texts of the distinct lines to `texts`, if there are any to add to.
///
/// # Errors
/// As [`read_trace`].
pub fn read_trace_and_texts(
    mut source: impl Read,
    lines: TraceLines,
    max_lines: Option<u64>,
    texts: Option<&mut LineTexts>,
) -> io::Result<Trace> {
    let mut collector = Collector::new(lines, max_lines.unwrap_or(u64::MAX), texts);
    let mut buffer = vec![0; CHUNK];
    let mut filled = 0;
    while !collector.is_full() {
        if filled == buffer.len() {
            buffer.resize(2 * buffer.len(), 0); // a line longer than the buffer
        }
        let read = match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        // No line feed before `filled`: it was searched already.
        let mut start = 0;
        for offset in memchr_iter(b'\n', &buffer[filled..filled + read]) {
            let end = filled + offset;
            collector.push(&buffer[start..end]);
            start = end + 1;
            if collector.is_full() {
                break;
            }
        }
        filled += read;
        buffer.copy_within(start..filled, 0);
        filled -= start;
    }
    Ok(collector.finish())
}

/// What distinct lines say, by their hashes. A trace itself does not keep it.
#[derive(Clone, Debug, Default)]
pub struct LineTexts(FxHashMap<u64, Box<str>>);

impl LineTexts {
    /// The text of the line with this hash; empty if it is not known. What is not UTF-8 is replaced.
    pub fn of(&self, hash: u64) -> &str {
        self.0.get(&hash).map_or("", |text| text)
    }
}

/// Interns hashes of lines in the order of their first occurrence.
struct Collector<'a> {
    lines: TraceLines,
    left: u64,
    tokens: Vec<u32>,
    distinct: Vec<u64>,
    /// The hash and the token of each distinct line.
    index: HashTable<(u64, u32)>,
    /// Hashes of lines that are not interned yet.
    pending: Vec<u64>,
    normalised: Vec<u8>,
    texts: Option<&'a mut LineTexts>,
}

impl<'a> Collector<'a> {
    fn new(lines: TraceLines, left: u64, texts: Option<&'a mut LineTexts>) -> Self {
        let (tokens, distinct, pending, normalised) = Default::default();
        Collector { lines, left, tokens, distinct, index: HashTable::new(), pending, normalised, texts }
    }

    fn is_full(&self) -> bool {
        self.left == 0 || self.distinct.len() >= DISTINCT_LIMIT
    }

    fn push(&mut self, line: &[u8]) {
        let compared = match self.lines {
            TraceLines::Raw => line,
            TraceLines::Ids => {
                drop_id_numbers(line, &mut self.normalised);
                &self.normalised
            }
        };
        let hash = hash_line(compared);
        if let Some(LineTexts(texts)) = &mut self.texts {
            texts.entry(hash).or_insert_with(|| String::from_utf8_lossy(compared).into());
        }
        self.pending.push(hash);
        self.left -= 1;
        if self.pending.len() == BATCH {
            self.intern();
        }
    }

    /// Interns the lines that were only hashed so far.
    fn intern(&mut self) {
        let (distinct, index) = (&mut self.distinct, &mut self.index);
        for hash in self.pending.drain(..) {
            let token = if let Some(&(_, token)) = index.find(hash, |&(known, _)| known == hash) {
                token
            } else {
                let token = distinct.len() as u32;
                distinct.push(hash);
                index.insert_unique(hash, (hash, token), |&(hash, _)| hash);
                token
            };
            self.tokens.push(token);
        }
    }

    fn finish(mut self) -> Trace {
        self.intern();
        Trace::from_interned(self.tokens, self.distinct)
    }
}

/// Copies `line` without the digits that follow `#` or `!`.
fn drop_id_numbers(line: &[u8], normalised: &mut Vec<u8>) {
    normalised.clear();
    let mut after_mark = false;
    for &byte in line {
        if after_mark && byte.is_ascii_digit() {
            continue;
        }
        after_mark = byte == b'#' || byte == b'!';
        normalised.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Hands out a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn the_incomplete_last_line_is_left_out() {
        let whole = read_trace(&b"a\nb\na\n"[..], TraceLines::Raw, None).expect("readable");
        let killed = read_trace(&b"a\nb\na\n[mk-ap"[..], TraceLines::Raw, None).expect("readable");
        assert_eq!((whole.len(), whole.distinct_lines()), (3, 2));
        assert_eq!(whole, killed);
    }

    #[test]
    fn the_cap_counts_lines() {
        let trace = read_trace(&b"a\nb\nc\n"[..], TraceLines::Raw, Some(2)).expect("readable");
        assert_eq!(trace, read_trace(&b"a\nb\n"[..], TraceLines::Raw, None).expect("readable"));
    }

    #[test]
    fn ids_lose_their_numbers() {
        let mut normalised = Vec::new();
        drop_id_numbers(b"[mk-app] #174 k!12 7 #", &mut normalised);
        assert_eq!(normalised, b"[mk-app] # k! 7 #");
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(text in "[ab\n]{0,60}", step in 1usize..9) {
            let whole = read_trace(text.as_bytes(), TraceLines::Raw, None).expect("readable");
            let slow = read_trace(Slow(text.as_bytes(), step), TraceLines::Raw, None).expect("readable");
            prop_assert_eq!(&whole, &slow);
            prop_assert_eq!(whole.len(), text.matches('\n').count() as u64);
        }
    }
}
