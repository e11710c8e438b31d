//! Traces: any stream has as many lines as line feeds, in whatever pieces it comes; any record is read or refused; two
//! traces are as similar as their longest common subsequence says.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::trace::{Trace, TraceLines, common_lines, read_trace, similarity};
use mulstringfuzz_fuzz::byte_parts;

/// Hands out a few bytes at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.len().min(buffer.len()).min(7);
        self.0.read(&mut buffer[..length])
    }
}

/// The length of the longest common subsequence, by the textbook.
fn reference(a: &[&[u8]], b: &[&[u8]]) -> u64 {
    let mut row = vec![0_u64; b.len() + 1];
    for line in a {
        let mut diagonal = 0;
        for (place, other) in b.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = if line == other { diagonal + 1 } else { above.max(row[place]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

fn complete_lines(text: &[u8]) -> Vec<&[u8]> {
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    text[..end].split_inclusive(|byte| *byte == b'\n').collect()
}

fuzz_target!(|bytes: &[u8]| {
    let packed = zstd::bulk::compress(bytes, 1).expect("compressible");
    for record in [bytes, &packed] {
        if let Ok(trace) = Trace::decode(record) {
            assert_eq!(Trace::decode(&trace.encode()), Ok(trace));
        }
    }
    let (one, other) = byte_parts(bytes);
    let read = |text: &[u8]| read_trace(text, TraceLines::Raw, None).expect("readable");
    let (a, b) = (read(one), read(other));
    let (lines, others) = (complete_lines(one), complete_lines(other));
    assert_eq!((a.len(), b.len()), (lines.len() as u64, others.len() as u64));
    assert_eq!(read_trace(Slow(one), TraceLines::Raw, None).expect("readable"), a);
    assert_eq!(Trace::decode(&a.encode()).as_ref(), Ok(&a));
    assert_eq!(common_lines(&a, &b), reference(&lines, &others));
    assert_eq!(similarity(&a, &b), similarity(&b, &a));
    assert!((0.0..=1.0).contains(&similarity(&a, &b)));
    assert_eq!(similarity(&a, &a), 1.0);
    drop(read_trace(one, TraceLines::Ids, Some(3)));
});
