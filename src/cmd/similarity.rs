//! `similarity`: Eq. 3 of the paper for the traces of two scripts, or for two trace files.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::config::parse_duration;
use crate::job::similarity::{self as job, SimilarityRequest};
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz similarity a.smt2 b.smt2 --target z3str3
  mulstringfuzz similarity a.trace b.trace --diff | less";

/// Print the similarity of two scripts' traces (0 to 1), or of two trace files.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SimilarityArgs {
    /// A script, or a trace log
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// Another of the same kind
    #[arg(value_name = "B")]
    pub second: PathBuf,
    /// The solver whose traces are compared: "NAME OPTION…", "NAME@VERSION OPTION…", or the path of an executable, "./build/z3
    /// [like=NAME]"
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
    /// Compare the first N lines of each trace only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_lines: Option<u64>,
    /// Print both traces side by side, with common lines marked (`=`), as wide as the terminal
    #[arg(long, conflicts_with = "json")]
    pub diff: bool,
    /// Print the result as JSON, with the numbers of lines
    #[arg(long)]
    pub json: bool,
}

impl SimilarityArgs {
    fn request(&self) -> SimilarityRequest {
        SimilarityRequest {
            first: self.first.clone(),
            second: self.second.clone(),
            target: self.target.clone(),
            limit: self.limit,
            ids: self.ids,
            profiles: self.profiles.clone(),
            max_lines: self.max_lines,
            diff: self.diff,
        }
    }
}

/// Prints the similarity to `output`.
///
/// # Errors
/// When a file cannot be read, the two are of different kinds, the solver is missing or writes no traces, or the user
/// interrupts.
pub fn run(args: &SimilarityArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    job::run(&args.request(), interrupt)?.print(args.json, output).context("cannot write the result")
}
