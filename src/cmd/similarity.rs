//! `similarity`: Eq. 3 of the paper for the traces of two scripts, or for two trace files.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Serialize;

use super::evaluate::read_script;
use crate::config::parse_duration;
use crate::evaluate::{Fusion, Observe};
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, find, known_profiles};
use crate::trace::{Trace, TraceLines, common_lines, read_trace, similarity};

/// Print the similarity of two scripts' traces (0 to 1), or of two trace files.
#[derive(Clone, Debug, clap::Args)]
pub struct SimilarityArgs {
    /// A script, or a trace log
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// Another of the same kind
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// The solver whose traces are compared, as "NAME OPTION…" or "NAME@VERSION OPTION…"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3")]
    pub target: SolverSpec,
    /// CPU time of each run
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// Compare lines without the numbers of ids
    #[arg(long)]
    pub ids: bool,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Print the result as JSON, with the numbers of lines
    #[arg(long)]
    pub json: bool,
}

/// The result.
#[derive(Clone, Copy, Debug, Serialize)]
struct Row {
    similarity: f64,
    common_lines: u64,
    trace_lines_a: u64,
    trace_lines_b: u64,
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Script,
    Trace,
}

/// Prints the similarity to `output`.
///
/// # Errors
/// When a file cannot be read, the two are of different kinds, the solver is missing or writes no traces, or the user
/// interrupts.
pub fn run(args: &SimilarityArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    let (first, second) = match (kind(&args.first)?, kind(&args.second)?) {
        (Kind::Trace, Kind::Trace) => (trace_file(&args.first, args)?, trace_file(&args.second, args)?),
        (Kind::Script, Kind::Script) => traces_of_scripts(args, interrupt)?,
        _ => bail!("{} and {} must be two scripts or two traces", args.first.display(), args.second.display()),
    };
    let row = Row {
        similarity: similarity(&first, &second),
        common_lines: common_lines(&first, &second),
        trace_lines_a: first.len(),
        trace_lines_b: second.len(),
    };
    print(&row, args.json, output).context("cannot write the result")
}

/// A script begins with a parenthesis or a comment, after blanks; a trace does not.
fn kind(file: &Path) -> anyhow::Result<Kind> {
    let unreadable = || format!("cannot read {}", file.display());
    let bytes = BufReader::new(File::open(file).with_context(unreadable)?).bytes();
    for byte in bytes {
        match byte.with_context(unreadable)? {
            blank if blank.is_ascii_whitespace() => {}
            b'(' | b';' => return Ok(Kind::Script),
            _ => return Ok(Kind::Trace),
        }
    }
    Ok(Kind::Trace)
}

fn lines(args: &SimilarityArgs) -> TraceLines {
    if args.ids { TraceLines::Ids } else { TraceLines::Raw }
}

fn trace_file(file: &Path, args: &SimilarityArgs) -> anyhow::Result<Trace> {
    let unreadable = || format!("cannot read {}", file.display());
    let opened = File::open(file).with_context(unreadable)?;
    read_trace(opened, lines(args), None).with_context(unreadable)
}

fn traces_of_scripts(args: &SimilarityArgs, interrupt: &Interrupt) -> anyhow::Result<(Trace, Trace)> {
    let profiles = known_profiles(args.profiles.as_deref(), &Cache::locate()?)?;
    let target = find(&args.target, &profiles, &Cache::locate()?)?;
    if target.profile.trace.is_empty() {
        bail!("{} writes no traces", target.spec);
    }
    let observe = Observe {
        instrumented: None,
        trace: Some(lines(args)),
        fusion: Fusion::Apart,
        limit: args.limit,
        soft_limit: None,
        max_trace_lines: None,
    };
    let trace = |file: &Path| -> anyhow::Result<Trace> {
        let (script, _) = read_script(file)?;
        let observed = observe.run(&script, &target, interrupt)?;
        let trace = observed.trace.with_context(|| format!("{} cannot read {}", target.spec, file.display()))?;
        Ok(std::sync::Arc::unwrap_or_clone(trace))
    };
    Ok((trace(&args.first)?, trace(&args.second)?))
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
        let folder = tempfile::tempdir()?;
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&a, first)?;
        std::fs::write(&b, second)?;
        let args = SimilarityArgs {
            first: a,
            second: b,
            target: SolverSpec::parse("z3str3")?,
            limit: Duration::from_secs(1),
            ids: false,
            profiles: None,
            json: false,
        };
        let mut output = Vec::new();
        run(&args, &Interrupt::new(), &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn two_traces_are_compared_line_by_line() {
        let compared = compare("[a]\n[b]\n[c]\n", "[a]\n[c]\n[d]\n[e]\n[f]\n").expect("two traces");
        assert_eq!(compared, "0.500000\n");
    }

    #[test]
    fn a_trace_and_a_script_cannot_be_compared() {
        assert!(compare("[a]\n", "; a script\n(check-sat)\n").is_err());
    }
}
