//! `report`: one HTML page about runs or an experiment, with its plots.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use serde::Serialize;

use crate::report::{self, Written};

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz report runs/z3                           # runs/z3/report/report.html
  mulstringfuzz report runs/a runs/b --out comparison    # two ways to search, side by side";

/// Write one self-contained HTML page about runs, with all plots as SVG, PNG and CSV beside it.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// Run directories, or experiments (with run directories runs/ARM/NNN); several are compared
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Where report.html and plots/ go; an earlier report there is replaced [default: DIR/report for a single DIR]
    #[arg(long, short, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print the paths of the page and the plots as JSON
    #[arg(long)]
    pub json: bool,
}

/// The result.
#[derive(Debug, Serialize)]
struct Row<'a> {
    report: String,
    plots: String,
    drawn: &'a [&'static str],
    missing: Vec<Missing<'a>>,
    arms: usize,
    runs: usize,
    unfinished: usize,
}

/// A plot without data.
#[derive(Debug, Serialize)]
struct Missing<'a> {
    name: &'a str,
    reason: &'a str,
}

/// Writes the report, and to `output` where it is.
///
/// # Errors
/// When a DIR is neither a run nor an experiment or is damaged, several are given without `--out`, or the report cannot
/// be written.
pub fn run(args: &ReportArgs, output: &mut dyn Write) -> anyhow::Result<()> {
    let out = match (&args.out, args.folders.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, [one]) => one.join("report"),
        (None, _) => bail!("several DIRs need --out FOLDER for their common report"),
    };
    let written = report::write(&args.folders, &out)?;
    print(&written, args.json, output).context("cannot write where the report is")
}

fn print(written: &Written, json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
    if !json {
        return Ok(writeln!(output, "{}", written.page.display())?);
    }
    let missing = written.missing.iter().map(|(name, reason)| Missing { name, reason }).collect();
    let row = Row {
        report: written.page.display().to_string(),
        plots: written.plots.display().to_string(),
        drawn: &written.drawn,
        missing,
        arms: written.arms,
        runs: written.runs,
        unfinished: written.unfinished,
    };
    serde_json::to_writer_pretty(&mut *output, &row)?;
    Ok(writeln!(output)?)
}
