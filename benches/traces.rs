//! Traces of the real Z3: reading them beside `cat`, comparing them beside GNU `diff`.
//!
//!   cargo bench --bench traces                    speed
//!   cargo bench --bench traces -- equality 300    that many pairs, whose common lines must be those of diff --minimal

#[path = "../tests/installed/mod.rs"]
mod installed;

mod gnu_diff;
mod median;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use gnu_diff::diff;
use installed::{random_scripts, script, solver, text};
use median::median;
use mulstringfuzz::solver::installed::{RunOptions, Solver};
use mulstringfuzz::solver::process::{Interrupt, Limits};
use mulstringfuzz::trace::{Trace, TraceLines, common_lines, read_trace, similarity};
use nix::fcntl::{FcntlArg, fcntl};

const SLOW: &str = "(assert (> (str.indexof \"kL?]q7mm4x\" t n) (str.to.int s)))";
const SLOW_TOO: &str = "(assert (> (str.indexof \"abba\" s n) (+ 1 (str.to.int (str.++ t s)))))";
const READERS: usize = 10;
/// Traces that are compared in pairs.
const TRACES: usize = 70;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            reading();
            hundred_thousand_lines();
            all_pairs();
        }
        ["reading"] => reading(),
        ["hundred-thousand"] => hundred_thousand_lines(),
        ["pairs"] => all_pairs(),
        ["equality", pairs] => equality(pairs.parse().expect("a number of pairs")),
        _ => eprintln!("expected nothing, or one of: reading, hundred-thousand, pairs, equality PAIRS"),
    }
}

fn pipe() -> (io::PipeReader, io::PipeWriter) {
    let (reader, writer) = io::pipe().expect("a pipe");
    fcntl(&writer, FcntlArg::F_SETPIPE_SZ(1 << 20)).expect("a large pipe");
    (reader, writer)
}

/// The trace of a run of some CPU seconds, of some lines at most.
fn trace(solver: &Solver, text: &str, seconds: f64, lines: Option<u64>) -> Trace {
    let (reader, writer) = pipe();
    let options = RunOptions { trace: Some(OwnedFd::from(writer)), ..RunOptions::default() };
    thread::scope(|scope| {
        let reading = scope.spawn(move || read_trace(reader, TraceLines::Raw, lines));
        solver.solve_with(text, &Limits::cpu(seconds), &Interrupt::new(), options).expect("the solver runs");
        reading.join().expect("no panic").expect("a readable pipe")
    })
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Eight million lines of a real trace through a pipe, read by us and by `cat`: as fast as a file comes, and as fast as
/// the solver writes.
fn reading() {
    let solver = solver("z3str3");
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a scratch folder");
    let (whole, part) = (folder.path().join("trace"), folder.path().join("part"));
    let mut tracing = solver.clone();
    tracing.spec.options = vec!["trace=true".to_owned(), format!("trace_file_name={}", whole.display())];
    let limits = Limits { file_bytes: 4 << 30, ..Limits::cpu(30.0) };
    tracing.solve(&text(&script(SLOW), &solver), &limits, &Interrupt::new()).expect("the solver runs");
    let status =
        Command::new("head").args(["-n", "8000000"]).arg(&whole).stdout(File::create(&part).expect("a file")).status();
    assert!(status.expect("head runs").success());
    std::fs::remove_file(&whole).expect("removable");
    let bytes = part.metadata().expect("a file").len() as f64;

    let from_file = |ours: bool| {
        let (reader, writer) = pipe();
        let mut source = Command::new("cat").arg(&part).stdout(writer).spawn().expect("cat runs");
        let taken = seconds(|| if ours { drop(read_trace(reader, TraceLines::Raw, None)) } else { cat(reader) });
        source.wait().expect("it ends");
        bytes / 1e6 / taken
    };
    let (mut by_us, mut by_cat) = (Vec::new(), Vec::new());
    for _ in 0..READERS {
        by_cat.push(from_file(false));
        by_us.push(from_file(true));
    }
    let [by_us, by_cat] = [by_us, by_cat].map(median);
    let lines = read_trace(File::open(&part).expect("a file"), TraceLines::Raw, None).expect("readable");
    println!(
        "{} lines, {:.0} MB, {} distinct; medians of {READERS}:",
        lines.len(),
        bytes / 1e6,
        lines.distinct_lines()
    );
    println!(
        "  from a file through a pipe: cat {by_cat:.0} MB/s, ours {by_us:.0} MB/s, {:.0} %",
        100.0 * by_us / by_cat
    );

    // Runs of the solver with the same deterministic limit write the same trace.
    let text = text(&script(SLOW), &solver);
    let from_solver = |ours: bool| {
        let (reader, writer) = pipe();
        let options =
            RunOptions { trace: Some(OwnedFd::from(writer)), soft_limit: Some(290_000), ..RunOptions::default() };
        let start = Instant::now();
        thread::scope(|scope| {
            let reading = scope.spawn(move || {
                if ours {
                    read_trace(reader, TraceLines::Raw, None).expect("readable").len()
                } else {
                    cat(reader);
                    0
                }
            });
            solver.solve_with(&text, &Limits::cpu(60.0), &Interrupt::new(), options).expect("the solver runs");
            let lines = reading.join().expect("no panic");
            (lines, start.elapsed().as_secs_f64())
        })
    };
    let (mut by_us, mut by_cat, mut lines) = (Vec::new(), Vec::new(), 0);
    for _ in 0..READERS {
        by_cat.push(from_solver(false).1);
        let (read, taken) = from_solver(true);
        by_us.push(taken);
        lines = read;
    }
    let [by_us, by_cat] = [by_us, by_cat].map(median);
    println!(
        "  {lines} lines from the solver: to cat {by_cat:.2} s, to us {by_us:.2} s, {:.0} %",
        100.0 * by_cat / by_us
    );
}

/// `cat > /dev/null`.
fn cat(reader: impl Into<Stdio>) {
    let status = Command::new("cat").stdin(reader).stdout(Stdio::null()).status();
    assert!(status.expect("cat runs").success());
}

fn hundred_thousand_lines() {
    let solver = solver("z3str3");
    let of = |assertions| trace(&solver, &text(&script(assertions), &solver), 20.0, Some(100_000));
    let (a, b) = (of(SLOW), of(SLOW_TOO));
    let ours = (0..30).map(|_| seconds(|| assert!(similarity(&a, &b) < 1.0))).collect();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let [one, other] = ["a", "b"].map(|name| folder.path().join(name));
    write_lines(&a, &one);
    write_lines(&b, &other);
    let by_diff = (0..3).map(|_| seconds(|| assert!(diff(&one, &other, a.len(), &["--minimal"]) > 0))).collect();
    let [ours, by_diff] = [ours, by_diff].map(median);
    println!(
        "two traces of {} and {} lines: {:.2} ms, GNU diff --minimal {by_diff:.1} s, ratio {:.0}",
        a.len(),
        b.len(),
        1000.0 * ours,
        by_diff / ours
    );
}

/// Traces of random formulas, of a second of CPU time each.
fn traces(count: usize, lines: Option<u64>) -> Vec<Trace> {
    let [target, reference] = ["z3str3", "cvc4"].map(solver);
    let scripts = random_scripts(&target, &reference).take(count);
    scripts.map(|script| trace(&target, &text(&script, &target), 1.5, lines)).collect()
}

fn all_pairs() {
    let traces = traces(TRACES, None);
    let mut lines: Vec<u64> = traces.iter().map(Trace::len).collect();
    lines.sort_unstable();
    let mut taken = Vec::new();
    for (number, one) in traces.iter().enumerate() {
        taken.extend(
            traces[number + 1..].iter().map(|other| 1000.0 * seconds(|| assert!(similarity(one, other) <= 1.0))),
        );
    }
    let mean = taken.iter().sum::<f64>() / taken.len() as f64;
    taken.sort_by(f64::total_cmp);
    println!(
        "all {} pairs of {TRACES} traces (median {}, longest {} lines): mean {mean:.2} ms, median {:.2} ms, longest {:.0} ms",
        taken.len(),
        lines[TRACES / 2],
        lines[TRACES - 1],
        taken[taken.len() / 2],
        taken[taken.len() - 1]
    );
}

/// Checks that common lines are GNU `diff --minimal`'s; traces are cut where it would take minutes.
fn equality(pairs: usize) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let traces = traces(40, Some(10_000));
    let file = |number: usize| folder.path().join(number.to_string());
    for (number, trace) in traces.iter().enumerate() {
        write_lines(trace, &file(number));
    }
    let numbers = 0..traces.len();
    let all = numbers.clone().flat_map(|one| numbers.clone().skip(one + 1).map(move |other| (one, other)));
    let mut compared = 0;
    for (one, other) in all.take(pairs) {
        let theirs = diff(&file(one), &file(other), traces[one].len(), &["--minimal"]);
        assert_eq!(common_lines(&traces[one], &traces[other]), theirs, "traces {one} and {other}");
        compared += 1;
    }
    println!("{compared} pairs of traces of up to 10000 lines: all have the common lines of diff --minimal");
}

/// Writes a trace as text whose lines are equal where the trace's are.
fn write_lines(trace: &Trace, file: &Path) {
    let mut writer = BufWriter::new(File::create(file).expect("a file"));
    trace.line_hashes().for_each(|hash| writeln!(writer, "{hash:016x}").expect("writable"));
    writer.flush().expect("writable");
}
