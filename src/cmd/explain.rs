//! `explain FILE`: why one script is slow for the target, in a solver developer's terms.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::config::parse_duration;
use crate::job::explain::{self as job, ExplainRequest};
use crate::number::positive;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz explain slow.smt2 --against fast.smt2 --out explained
  mulstringfuzz explain slow.smt2 --target z3@5.4.1 --reference cvc5@1.4.2 --budget 5m";

/// Say why a script is slow: the functions and lines of the target where the time goes, and how it grows with the
/// lengths of strings, with integers, and with more assertions or arguments.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// The script that is slow for the target
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The solver that is slow: "NAME OPTION…", "NAME@VERSION OPTION…", or an executable, "./build/z3 like=NAME"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3")]
    pub target: SolverSpec,
    /// The solver that is fast
    #[arg(long, value_name = "SOLVER", default_value = "cvc4")]
    pub reference: SolverSpec,
    /// A similar script that is fast for the target; its counts are the baseline [default: none]
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// The instrumented build of the target [default: NAME-gcov at the target's version, if it is installed]
    #[arg(long, value_name = "SOLVER")]
    pub instrumented: Option<SolverSpec>,
    /// CPU time of each run on FILE and on its scaled copies
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// CPU time of each run that counts lines
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub observe_limit: Duration,
    /// The target's own limit of those runs, in its own units (Z3: rlimit), which makes counts repeatable; 0 for none,
    /// because such a limit may end the run before the time is spent
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub observe_soft_limit: u64,
    /// CPU time of all runs on scaled copies together
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub budget: Duration,
    /// Dimensions to measure at once
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Write growth.svg and growth.csv to this folder
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the result as JSON instead of Markdown
    #[arg(long)]
    pub json: bool,
}

impl ExplainArgs {
    fn request(&self) -> ExplainRequest {
        ExplainRequest {
            file: self.file.clone(),
            target: self.target.clone(),
            reference: self.reference.clone(),
            against: self.against.clone(),
            instrumented: self.instrumented.clone(),
            limit: self.limit,
            observe_limit: self.observe_limit,
            observe_soft_limit: self.observe_soft_limit,
            budget: self.budget,
            jobs: self.jobs,
            profiles: self.profiles.clone(),
            out: self.out.clone(),
        }
    }
}

/// Explains, and prints to `output`.
///
/// # Errors
/// When a file is not a sound script or the target does not take it, a solver is missing, a result cannot be written, or the user interrupts.
pub fn run(args: &ExplainArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    let explanation = job::run(&args.request(), interrupt)?;
    let printed = if args.json { serde_json::to_string_pretty(&explanation)? + "\n" } else { explanation.markdown() };
    output.write_all(printed.as_bytes()).context("cannot write the result")
}
