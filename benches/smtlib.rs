//! How fast scripts are read, checked and printed: a script of the size that a campaign evolves, and one of 1 MB.

use std::fmt::Write as _;

use divan::Bencher;
use divan::counter::BytesCount;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::{PrintOptions, print_into};

fn main() {
    divan::main();
}

/// About 400 bytes, like the individuals of a campaign.
const SMALL: &str = "\
(set-logic QF_S)
(declare-fun var0 () String)
(declare-fun var1 () Int)
(declare-fun var2 () String)
(assert (str.in_re (str.++ var0 \"K8b)x1#q\") (re.* (re.range \"a\" \"u\"))))
(assert (not (= (str.indexof (str.substr var0 var1 9) var2 var1) (str.to_int var0))))
(assert (str.prefixof (str.at var2 (str.len var0)) (str.replace var0 \"8b8\" var2)))
(assert (< (str.to_int \"8b8\") 9))
(check-sat)
";

/// A script of at least a megabyte, of many different terms.
fn large() -> String {
    let mut text = String::from("(set-logic QF_S)\n");
    for block in 0.. {
        if text.len() >= 1 << 20 {
            break;
        }
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "(declare-fun s{block} () String)\n(declare-fun i{block} () Int)\n\
             (assert (let ((x (str.++ s{block} \"lit{block}\")) (n (+ i{block} {block})))\n  \
             (and (= (str.len x) n) (str.contains x \"a{block}\") (<= 0 (str.indexof x \"b\" n) {block})\n    \
             (or (str.in_re x (re.++ (str.to_re \"k{block}\") (re.* re.allchar))) (not (= x s{block}))))))\n"
        );
    }
    text
}

const SIZES: [&str; 2] = ["400 B", "1 MB"];

fn text_of(size: &str) -> String {
    if size == SIZES[0] { SMALL.to_owned() } else { large() }
}

#[divan::bench(args = SIZES)]
fn parse_and_check(bencher: Bencher, size: &str) {
    let text = text_of(size);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(&text, "bench", &ParseOptions::default()));
}

#[divan::bench(args = SIZES)]
fn print_again(bencher: Bencher, size: &str) {
    let text = text_of(size);
    let script = parse(&text, "bench", &ParseOptions::default()).unwrap_or_default();
    let mut out = String::new();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        out.clear();
        let printed = print_into(&mut out, &script, Dialect::SmtLib26, &PrintOptions::default());
        divan::black_box(printed.is_ok())
    });
}

#[divan::bench(args = SIZES)]
fn parse_check_and_print(bencher: Bencher, size: &str) {
    let text = text_of(size);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let script = parse(&text, "bench", &ParseOptions::default()).unwrap_or_default();
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let printed = print_into(&mut out, &script, Dialect::SmtLib26, &PrintOptions::default());
        divan::black_box((printed.is_ok(), out.len()))
    });
}

#[divan::bench(args = SIZES)]
fn clone_script(bencher: Bencher, size: &str) {
    let text = text_of(size);
    let script = parse(&text, "bench", &ParseOptions::default()).unwrap_or_default();
    bencher.bench(|| script.clone());
}
