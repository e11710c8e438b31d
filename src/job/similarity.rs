//! Eq. 3 of the paper for the traces of two scripts, or for two trace files.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Serialize;

use crate::config::format_duration;
use crate::console::{columns, say};
use crate::evaluate::{Fusion, Observe};
use crate::job::input::read_script;
use crate::number::counted;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, find, known_profiles};
use crate::trace::{Comparison, LineTexts, Trace, TraceLines, read_trace_and_texts, share, side_by_side};

/// What is asked of two traces.
#[derive(Clone, Debug)]
pub struct SimilarityRequest {
    /// A script, or a trace log.
    pub first: PathBuf,
    /// Another of the same kind.
    pub second: PathBuf,
    /// The solver whose traces are compared, as "NAME OPTION…" or "NAME@VERSION OPTION…".
    pub target: SolverSpec,
    /// CPU time of each run.
    pub limit: Duration,
    /// Compare lines without the numbers of ids.
    pub ids: bool,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
    /// Compare the first N lines of each trace only.
    pub max_lines: Option<u64>,
    /// Print both traces side by side, with common lines marked (`=`), as wide as the terminal.
    pub diff: bool,
}

/// Seconds that a user waits without being told.
const LONG: f64 = 10.0;
/// Word updates that take less than that on every machine: nothing is estimated below.
const LARGE_WORK: u64 = 200_000_000;

/// The result.
#[derive(Clone, Copy, Debug, Serialize)]
struct Row {
    similarity: f64,
    common_lines: u64,
    trace_lines_a: u64,
    trace_lines_b: u64,
}

/// Bytes at the beginning of a file that tell what it is.
const LOOKED_AT: u64 = 64 << 10;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Script,
    Trace,
}

/// Two traces and how alike they are.
#[derive(Debug)]
pub struct Compared {
    row: Row,
    traces: [Trace; 2],
    texts: Option<LineTexts>,
}

impl Compared {
    /// Prints the similarity, or the traces side by side if that is asked for.
    ///
    /// # Errors
    /// When `output` cannot be written.
    pub fn print(&self, json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
        let Compared { row, traces: [first, second], texts } = self;
        match texts {
            Some(texts) => print_diff(row, first, second, texts, columns(), output),
            None => print(row, json, output),
        }
    }
}

/// Compares the traces.
///
/// # Errors
/// When a file cannot be read, the two are of different kinds, the solver is missing or writes no traces, or the user
/// interrupts.
pub fn run(args: &SimilarityRequest, interrupt: &Interrupt) -> anyhow::Result<Compared> {
    let mut texts = args.diff.then(LineTexts::default);
    let (first, second) = match (kind(&args.first)?, kind(&args.second)?) {
        (Kind::Trace, Kind::Trace) => {
            (trace_file(&args.first, args, texts.as_mut())?, trace_file(&args.second, args, texts.as_mut())?)
        }
        (Kind::Script, Kind::Script) => traces_of_scripts(args, texts.as_mut(), interrupt)?,
        _ => bail!("{} and {} must be two scripts or two traces", args.first.display(), args.second.display()),
    };
    let comparison = Comparison::of(&first, &second);
    let lines = (first.len(), second.len());
    if comparison.work() > LARGE_WORK {
        say_how_long(comparison.seconds(), lines);
    }
    let common_lines = comparison.common_lines();
    let row =
        Row { similarity: share(common_lines, lines), common_lines, trace_lines_a: lines.0, trace_lines_b: lines.1 };
    Ok(Compared { row, traces: [first, second], texts })
}

/// Says how long a comparison takes, if that is long, and what would be quicker.
fn say_how_long(seconds: f64, (first, second): (u64, u64)) {
    if seconds > LONG {
        let time = format_duration(Duration::from_secs(seconds.min(1e9) as u64));
        let fewer = shorter(first.max(second), seconds);
        say!(
            "comparing {first} with {second} lines exactly takes about {time}; --max-lines {fewer} takes some seconds"
        );
    }
}

/// How many lines of traces of so many can be compared in half of what is long, where all take `seconds`: the time grows with
/// the square of their number. Two digits of it.
fn shorter(lines: u64, seconds: f64) -> u64 {
    let most = lines as f64 * (LONG / 2.0 / seconds).sqrt();
    let unit = 10_f64.powf((most.max(10.0).log10().floor() - 1.0).max(0.0));
    ((most / unit).floor() * unit).max(1.0) as u64
}

/// A script begins with a parenthesis or a comment, after blanks; a trace does not, but is text.
fn kind(file: &Path) -> anyhow::Result<Kind> {
    let unreadable = || format!("cannot read {}", file.display());
    let mut first = Vec::new();
    File::open(file).with_context(unreadable)?.take(LOOKED_AT).read_to_end(&mut first).with_context(unreadable)?;
    match first.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'(' | b';') => return Ok(Kind::Script),
        None if (first.len() as u64) < LOOKED_AT => {
            bail!("{} is empty: expected a script, or a trace log", file.display())
        }
        _ => {}
    }
    // A character that is cut off at the end has no length of an error.
    let foreign = std::str::from_utf8(&first).err().filter(|error| error.error_len().is_some());
    let binary = foreign.map(|error| error.valid_up_to()).or_else(|| first.iter().position(|byte| *byte == 0));
    match binary {
        Some(place) => {
            bail!("{} is no text from byte {} on: expected a script, or a trace log", file.display(), place + 1)
        }
        None => Ok(Kind::Trace),
    }
}

fn lines(args: &SimilarityRequest) -> TraceLines {
    if args.ids { TraceLines::Ids } else { TraceLines::Raw }
}

fn trace_file(file: &Path, args: &SimilarityRequest, texts: Option<&mut LineTexts>) -> anyhow::Result<Trace> {
    let unreadable = || format!("cannot read {}", file.display());
    let opened = File::open(file).with_context(unreadable)?;
    read_trace_and_texts(opened, lines(args), args.max_lines, texts).with_context(unreadable)
}

fn traces_of_scripts(
    args: &SimilarityRequest,
    mut texts: Option<&mut LineTexts>,
    interrupt: &Interrupt,
) -> anyhow::Result<(Trace, Trace)> {
    let cache = Cache::locate()?;
    let target = find(&args.target, &known_profiles(args.profiles.as_deref(), &cache)?, &cache)?;
    if target.profile.trace.is_empty() {
        bail!("{} writes no traces", target.spec);
    }
    let observe = Observe {
        instrumented: None,
        trace: Some(lines(args)),
        fusion: Fusion::Apart,
        limit: args.limit,
        soft_limit: None,
        max_trace_lines: args.max_lines,
    };
    let mut trace = |file: &Path| -> anyhow::Result<Trace> {
        let (script, _) = read_script(file)?;
        let trace = observe.trace_and_texts(&script, &target, texts.as_deref_mut(), interrupt)?;
        trace.with_context(|| format!("{} cannot read {}", target.spec, file.display()))
    };
    Ok((trace(&args.first)?, trace(&args.second)?))
}

/// The numbers of lines, and both traces side by side in so many columns.
fn print_diff(
    row: &Row,
    first: &Trace,
    second: &Trace,
    texts: &LineTexts,
    columns: usize,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let marked = side_by_side(first, second, texts, columns);
    let Row { similarity, common_lines, trace_lines_a, trace_lines_b } = row;
    writeln!(
        output,
        "similarity {similarity:.6}: {} and {}, {common_lines} of them common",
        counted(*trace_lines_a as usize, "line"),
        counted(*trace_lines_b as usize, "line")
    )?;
    if marked.common < *common_lines {
        writeln!(output, "{} are marked: a longest alignment of traces like these would take too long", marked.common)?;
    }
    output.write_all(marked.text.as_bytes())?;
    Ok(())
}

fn print(row: &Row, json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
    if json {
        serde_json::to_writer_pretty(&mut *output, row)?;
        writeln!(output)?;
    } else {
        writeln!(output, "{:.6}", row.similarity)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(first: &str, second: &str) -> anyhow::Result<String> {
        compare_by(first, second, false, None)
    }

    fn compare_by(first: &str, second: &str, diff: bool, max_lines: Option<u64>) -> anyhow::Result<String> {
        let folder = tempfile::tempdir()?;
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&a, first)?;
        std::fs::write(&b, second)?;
        let args = SimilarityRequest {
            first: a,
            second: b,
            target: SolverSpec::parse("z3str3")?,
            limit: Duration::from_secs(1),
            ids: false,
            profiles: None,
            max_lines,
            diff,
        };
        let mut output = Vec::new();
        run(&args, &Interrupt::new())?.print(false, &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn two_traces_are_compared_line_by_line() {
        let compared = compare("[a]\n[b]\n[c]\n", "[a]\n[c]\n[d]\n[e]\n[f]\n").expect("two traces");
        assert_eq!(compared, "0.500000\n");
        let beginnings = compare_by("[a]\n[b]\n[c]\n", "[a]\n[c]\n[d]\n", false, Some(1)).expect("two traces");
        assert_eq!(beginnings, "1.000000\n");
    }

    #[test]
    fn a_cap_is_named_by_which_a_comparison_takes_some_seconds() {
        assert_eq!(shorter(4_000_000, 500.0), 400_000);
        assert_eq!(shorter(4_567_890, 20.0), 2_200_000);
        assert_eq!(shorter(12, 1e9), 1);
    }

    /// Without a terminal there are 80 columns.
    #[test]
    fn the_difference_fits_80_columns() {
        let second = "[a]\n[c]\n[a line that is longer than the thirty-six columns of a side]\n";
        insta::assert_snapshot!(compare_by("[a]\n[b]\n[c]\n", second, true, None).expect("two traces"), @r"
        similarity 0.666667: 3 lines and 3 lines, 2 of them common
        1 [a]                                  = 1 [a]
        2 [b]                                  <
        3 [c]                                  = 2 [c]
                                               > 3 [a line that is longer than the thi…
        ");
    }

    #[test]
    fn a_trace_and_a_script_cannot_be_compared() {
        assert!(compare("[a]\n", "; a script\n(check-sat)\n").is_err());
    }

    #[test]
    fn what_is_neither_a_script_nor_a_trace_is_told() {
        for (text, words) in [(" \n", "a is empty"), ("\u{7f}ELF\0\u{1}", "a is no text from byte 5 on")] {
            let said = compare(text, "[a]\n").unwrap_err().to_string();
            assert!(said.contains(words) && said.ends_with("expected a script, or a trace log"), "{said}");
        }
    }
}
