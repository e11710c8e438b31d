//! `matrix`: the same instances on many solvers, mostly versions of one.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::config::parse_duration;
use crate::exit::Status;
use crate::job::matrix::{self as job, MatrixRequest};
use crate::number::positive;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  # since which version is it slow?
  mulstringfuzz matrix slow.smt2 --solver z3@4.8.10 --solver z3@4.13.4 --solver z3@5.4.1 --limit 20s
  # all findings of a hunt: wrong answers and models
  mulstringfuzz matrix hunts/storm --answers --solver cvc5@1.0.3 --solver cvc5@1.4.2 --out versions";

/// Run the same scripts on many solvers, mostly versions of one: on which are they slow, or wrong, since when and until
/// when? Solvers that are not there are got first.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct MatrixArgs {
    /// Scripts, folders of scripts, run directories or hunts (their defects, reduced if possible)
    #[arg(value_name = "DEFECT", required = true)]
    pub defects: Vec<PathBuf>,
    /// A solver: "NAME OPTION…", "NAME@VERSION OPTION…", or the path of an executable; repeat it, from old to new
    #[arg(long = "solver", value_name = "SOLVER", required = true)]
    pub solvers: Vec<SolverSpec>,
    /// Judge answers and models, as `hunt` does, instead of times: a solver is bad if it is wrong or crashes. A
    /// finding's assignment.smt2 shows that its script is satisfiable
    #[arg(long)]
    pub answers: bool,
    /// CPU time of each run
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// Runs at once
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// Write the table to this new folder, with its heat map (matrix.md, .json, .csv, .svg, .png), the number of
    /// defects of each solver (releases.csv, .svg, .png), and each run as it ends (runs.csv; with --answers, instance
    /// by instance)
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl MatrixArgs {
    fn request(&self) -> MatrixRequest {
        MatrixRequest {
            defects: self.defects.clone(),
            solvers: self.solvers.clone(),
            answers: self.answers,
            limit: self.limit,
            jobs: self.jobs,
            out: self.out.clone(),
            profiles: self.profiles.clone(),
        }
    }
}

/// Runs all on all, and prints the table to `output`: after an interrupt that of what is finished.
///
/// # Errors
/// No script that can be read, a solver that is named twice or cannot be got, or a result that cannot be written.
pub fn run(args: &MatrixArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let matrix = job::run(&args.request(), interrupt)?;
    let text = if args.json { serde_json::to_string_pretty(&matrix)? + "\n" } else { matrix.markdown() };
    output.write_all(text.as_bytes()).context("cannot write the table")?;
    Ok(if interrupt.is_set() { Status::Interrupted } else { Status::Done })
}
