//! `evaluate`: the objectives of given scripts, with the coverage archive empty.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::config::parse_duration;
use crate::exit::AlreadyReported;
use crate::job::evaluate::{self as job, EvaluateRequest};
use crate::number::positive;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz evaluate a.smt2 b.smt2
  # without an instrumented build, as JSON
  mulstringfuzz evaluate benchmarks --target z3@5.4.1 --reference cvc5@1.4.2 --no-coverage --json";

/// Print the objectives of scripts: runtime difference, coverage reward against an empty archive, complexity.
///
/// Seconds are those that were measured, the limit at most: a dash (null in JSON) stands where a solver refuses the script or is
/// killed, for which the runtime difference charges what nobody measured. After Ctrl-C the scripts that are finished are printed.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct EvaluateArgs {
    /// Scripts, or folders of scripts, searched recursively; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The solver under test: "NAME OPTION…", "NAME@VERSION OPTION…", or an executable, "./build/z3 like=NAME"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3")]
    pub target: SolverSpec,
    /// The solver that it is compared with
    #[arg(long, value_name = "SOLVER", default_value = "cvc4")]
    pub reference: SolverSpec,
    /// The instrumented build of the target [default: NAME-gcov at the target's version]
    #[arg(long, value_name = "SOLVER", conflicts_with = "no_coverage")]
    pub instrumented: Option<SolverSpec>,
    /// CPU time of the target and of the reference
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// CPU time of the run that yields coverage and trace [default: the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub observe_limit: Option<Duration>,
    /// The target's own, repeatable limit of that run, in its own units (Z3: rlimit); 0 for none [default: what it
    /// usually reaches within --observe-limit]
    #[arg(long, value_name = "N")]
    pub observe_soft_limit: Option<u64>,
    /// Run each FILE once more, without a trace, and write its .gcda files to DIR/NAME, with links to their .gcno
    /// files, for gcov, lcov and gcovr
    #[arg(long, value_name = "DIR", conflicts_with = "no_coverage")]
    pub gcda: Option<PathBuf>,
    /// Run each FILE once more, without a trace, and print how many of the target's lines, functions and branches all
    /// of them cover together (with --json, as the last object of the array)
    #[arg(long, conflicts_with = "no_coverage")]
    pub totals: bool,
    /// Do not measure coverage; no instrumented solver is needed
    #[arg(long)]
    pub no_coverage: bool,
    /// Scripts to evaluate at once
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Print the result as JSON: one array, one object per file
    #[arg(long)]
    pub json: bool,
}

impl EvaluateArgs {
    fn request(&self) -> EvaluateRequest {
        EvaluateRequest {
            files: self.files.clone(),
            target: self.target.clone(),
            reference: self.reference.clone(),
            instrumented: self.instrumented.clone(),
            limit: self.limit,
            observe_limit: self.observe_limit,
            observe_soft_limit: self.observe_soft_limit,
            gcda: self.gcda.clone(),
            totals: self.totals,
            no_coverage: self.no_coverage,
            jobs: self.jobs,
            profiles: self.profiles.clone(),
        }
    }
}

/// Prints to `output` the objectives of each file, in the order in which they are named. One that is no sound script keeps
/// none of the others from being evaluated.
///
/// # Errors
/// When some file is not a sound script (at the end), a solver is missing, or the user interrupts (after what is finished
/// is printed).
pub fn run(args: &EvaluateArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    let evaluated = job::run(&args.request(), interrupt)?;
    // What is finished is told, whatever ends the rest.
    evaluated.print(args.json, output).context("cannot write the result")?;
    let has_failed = evaluated.has_failed();
    evaluated.ended?;
    if has_failed { Err(AlreadyReported.into()) } else { Ok(()) }
}
