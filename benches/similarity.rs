//! Trace logs: reading speed, and the similarity of pairs like those of a solver.

use divan::counter::BytesCount;
use mulstringfuzz::trace::{Trace, TraceLines, read_trace, similarity};

fn main() {
    divan::main();
}

/// A small generator of pseudo-random numbers (xorshift), so that every run measures the same text.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A log of the mix that string solvers write: mostly new terms, whose ids drift, among few lines that recur often.
fn log(lines: u64, seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut text = String::new();
    for line in 0..lines {
        let id = 100 + line / 8 + numbers.below(40);
        let line = match numbers.below(10) {
            0..=5 => format!("[mk-app] #{id} = #{} #{}", id - 1 - numbers.below(30), numbers.below(90)),
            6 => format!("[instance] 0 #{id}"),
            7 => format!("[attach-encode] #{id} 0"),
            8 => "[end-of-instance]".to_owned(),
            _ => format!("[inst-discovered] theory-solving 0 seq# ; #{id}"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The log with every `step`-th line left out.
fn thinned(text: &str, step: usize) -> String {
    let kept = text.split_inclusive('\n').enumerate().filter(|(number, _)| number % step != step / 2);
    kept.map(|(_, line)| line).collect()
}

fn trace(text: &str) -> Trace {
    read_trace(text.as_bytes(), TraceLines::Raw, None).unwrap_or_default()
}

#[divan::bench(args = [TraceLines::Raw, TraceLines::Ids], sample_count = 10)]
fn read_a_million_lines(bencher: divan::Bencher<'_, '_>, lines: TraceLines) {
    let text = log(1_000_000, 1);
    bencher.counter(BytesCount::of_str(&text)).bench(|| read_trace(text.as_bytes(), lines, None));
}

#[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000], sample_count = 10)]
fn similarity_of_different_logs(bencher: divan::Bencher<'_, '_>, lines: u64) {
    let (a, b) = (trace(&log(lines, 1)), trace(&log(lines, 2)));
    bencher.bench(|| similarity(&a, &b));
}

#[divan::bench(args = [10_000, 100_000, 1_000_000], sample_count = 5)]
fn similarity_of_near_twins(bencher: divan::Bencher<'_, '_>, lines: u64) {
    let text = log(lines, 1);
    let (a, b) = (trace(&thinned(&text, 97)), trace(&thinned(&text, 101)));
    bencher.bench(|| similarity(&a, &b));
}
