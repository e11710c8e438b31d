//! `reduce`: a small script that keeps what is wrong with a large one.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::config::parse_duration;
use crate::console::say;
use crate::exit::Status;
use crate::job::reduce::{self as job, Keep, ReduceRequest};
use crate::number::positive;
use crate::reduce::strategy::Strategy;
use crate::smtlib::dialect::Dialect;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  # slow for one solver, quick for another
  mulstringfuzz reduce slow.smt2 --keep slow --target z3@5.4.1 --reference cvc5@1.4.2 --limit 5s --out small.smt2
  # whatever a command of yours says: the same exit code as for the input
  mulstringfuzz reduce big.smt2 --keep 'script:./check.sh' --out small.smt2";

/// The headings of the options.
const SOLVERS: &str = "Solvers";
const LIMITS: &str = "Limits";
const KEPT: &str = "What to keep besides";
const HOW: &str = "How";
const OUTPUT: &str = "Output";

/// Shrink a script while a property holds. Candidates are judged by runs of the solvers.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ReduceArgs {
    /// The script; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The property to keep: `slow` (the target is slow, the reference quick), `result` (both answers), `crash` (with
    /// its message), `invalid-model`, or `script:CMD` (CMD FILE ends with the same exit code as for the input)
    #[arg(long, value_name = "PROPERTY")]
    pub keep: Keep,
    /// The solver under test: "NAME OPTION…", "NAME@VERSION OPTION…", or an executable, "./build/z3 like=NAME"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3", help_heading = SOLVERS)]
    pub target: SolverSpec,
    /// The solver that it is compared with
    #[arg(long, value_name = "SOLVER", default_value = "cvc4", help_heading = SOLVERS)]
    pub reference: SolverSpec,
    /// With `--keep result`, in place of the reference: a solver to trust; may be repeated. The result keeps that all
    /// of them agree on sat or unsat, and that the target says the opposite
    #[arg(long, value_name = "SOLVER", conflicts_with = "reference", help_heading = SOLVERS)]
    pub trusted: Vec<SolverSpec>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    pub profiles: Option<PathBuf>,
    /// CPU time within which the target must not answer; for other properties, of each run [default: 5s; for `crash`,
    /// 3s more than the crash takes on FILE]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = LIMITS)]
    pub limit: Option<Duration>,
    /// CPU time within which the reference must answer [default: a tenth of the limit; if it needs more for FILE, one
    /// and a half times that, and at most half the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = LIMITS)]
    pub reference_limit: Option<Duration>,
    /// CPU time within which the target must not answer the result, in three of three runs; at least the limit, or 0s
    /// for no such runs [default: twice the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = LIMITS)]
    pub confirm_limit: Option<Duration>,
    /// Stop after N candidates
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, help_heading = LIMITS)]
    pub max_tests: u64,
    /// Try N random seeds of the target, at milestones and at the end, so that the defect does not depend on one
    #[arg(long, value_name = "N", help_heading = KEPT)]
    pub seeds: Option<u32>,
    /// On how many of --seeds the target must stay slow, but on no more than it is on the input [default: three
    /// quarters]
    #[arg(long, value_name = "K", requires = "seeds", help_heading = KEPT)]
    pub robust: Option<u32>,
    /// What is known already: a file of patterns, or a triage or run that has learned some; may be repeated. The result
    /// keeps the property without them. Where one occurs in the script, fresh variables replace it first. A pattern is
    /// a define-fun whose parameters stand for any term; (! x :not-literal) for one with a variable, (! x :literal) for
    /// one without
    #[arg(long, value_name = "PATH", help_heading = KEPT)]
    pub known: Vec<PathBuf>,
    /// Keep the answer (sat or unsat) of the reference, or of the trusted solvers
    #[arg(long, help_heading = KEPT)]
    pub keep_status: bool,
    /// Keep set-logic
    #[arg(long, help_heading = KEPT)]
    pub keep_logic: bool,
    /// Keep the names of variables
    #[arg(long, help_heading = KEPT)]
    pub keep_names: bool,
    /// Accept the reference's sat even if it does not check its model itself
    #[arg(long, help_heading = KEPT)]
    pub no_model_check: bool,
    /// Which simplifications are tried, in which order
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    pub strategy: Strategy,
    /// The random seed of the strategy
    #[arg(long, default_value_t = 0, help_heading = HOW)]
    pub seed: u64,
    /// Candidates to try at once; the result does not depend on it
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>, help_heading = HOW)]
    pub jobs: NonZeroUsize,
    /// Write the result to this file, and the best so far while the reduction goes on [default: standard output]. After
    /// an interrupt, the file holds the smallest script that certainly has the property; a smaller one that may have it
    /// lies beside it, with the extension .unsure.smt2
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    /// The dialect of the result [default: the target's; with script:CMD, the file's]
    #[arg(long, value_name = "DIALECT", help_heading = OUTPUT)]
    pub dialect: Option<Dialect>,
    /// Print statistics as JSON; needs --out
    #[arg(long, requires = "out", help_heading = OUTPUT)]
    pub json: bool,
}

impl ReduceArgs {
    fn request(&self) -> ReduceRequest {
        ReduceRequest {
            file: self.file.clone(),
            keep: self.keep.clone(),
            target: self.target.clone(),
            reference: self.reference.clone(),
            trusted: self.trusted.clone(),
            limit: self.limit,
            reference_limit: self.reference_limit,
            confirm_limit: self.confirm_limit,
            seeds: self.seeds,
            robust: self.robust,
            known: self.known.clone(),
            keep_status: self.keep_status,
            keep_logic: self.keep_logic,
            keep_names: self.keep_names,
            no_model_check: self.no_model_check,
            strategy: self.strategy,
            dialect: self.dialect,
            max_tests: self.max_tests,
            seed: self.seed,
            jobs: self.jobs,
            out: self.out.clone(),
            profiles: self.profiles.clone(),
        }
    }
}

/// Reduces the file, and prints the result, unless it goes to a file.
///
/// # Errors
/// A file that cannot be read or lacks the property, a solver that is missing, a result that cannot be written.
pub fn run(args: &ReduceArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let reduced = job::run(&args.request(), interrupt)?;
    output.write_all(reduced.text.as_bytes())?;
    if args.json {
        writeln!(output, "{}", reduced.json()?)?;
    }
    say!("{}", reduced.words());
    Ok(if reduced.is_interrupted() { Status::Interrupted } else { Status::Done })
}
