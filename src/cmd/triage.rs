//! `triage`: from the raw findings of runs to few, distinct, confirmed, small defects with a report each.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::config::parse_duration;
use crate::exit::Status;
use crate::job::triage::{self as job, Extent, TriageRequest};
use crate::number::positive;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz triage runs/z3 --target z3@5.4.1 --reference cvc5@1.4.2 --out triaged
  # scripts of others, and whether an older version is slow as well
  mulstringfuzz triage benchmarks --also z3@4.13.4 --target z3@5.4.1 --reference cvc5@1.4.2 --limit 2s --out triaged";

/// The headings of the options.
const SOLVERS: &str = "Solvers";
const LIMITS: &str = "Limits";
const LEFT_OUT: &str = "What to leave out";
const OUTPUT: &str = "Output";

/// Reduce, cluster, confirm and explain slow instances: DIR/triage.md lists the distinct defects, the worst first, and
/// each has a report to paste into an issue.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TriageArgs {
    /// Run directories (their candidates and defects), folders of scripts, or scripts
    #[arg(value_name = "DIR", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The solver under test: "NAME OPTION…", "NAME@VERSION OPTION…", or an executable, "./build/z3 like=NAME"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3", help_heading = SOLVERS)]
    pub target: SolverSpec,
    /// The solver that answers quickly
    #[arg(long, value_name = "SOLVER", default_value = "cvc4", help_heading = SOLVERS)]
    pub reference: SolverSpec,
    /// Another version of the target to try each defect on; may be repeated
    #[arg(long = "also", value_name = "SOLVER", help_heading = SOLVERS)]
    pub also: Vec<SolverSpec>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    pub profiles: Option<PathBuf>,
    /// CPU time within which the target must not answer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration, help_heading = LIMITS)]
    pub limit: Duration,
    /// CPU time of the confirming runs, at least the limit [default: four times the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = LIMITS)]
    pub confirm_limit: Option<Duration>,
    /// Start no new work after this much CPU time of the solvers; the list is written all the same
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = LIMITS)]
    pub budget: Option<Duration>,
    /// Instances to reduce at once
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>, help_heading = LIMITS)]
    pub jobs: NonZeroUsize,
    /// What is known already: a file of patterns, or an earlier triage or run; may be repeated. Instances that are slow
    /// for nothing else are left out
    #[arg(long, value_name = "PATH", help_heading = LEFT_OUT)]
    pub known: Vec<PathBuf>,
    /// Do not measure where the time goes and how it grows
    #[arg(long, help_heading = LEFT_OUT)]
    pub no_explain: bool,
    /// Where the result goes: a new folder, or that of an earlier triage. Its reductions for the same solvers and limit
    /// are reused; confirmations and explanations are made again, within the budget
    #[arg(long, short, value_name = "DIR", help_heading = OUTPUT)]
    pub out: PathBuf,
    /// Exit with code 1 if a defect is confirmed, here or by the run that found it
    #[arg(long, help_heading = OUTPUT)]
    pub fail_on_defect: bool,
    /// Print the result as JSON: the defects, and what was dropped and why
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}

impl TriageArgs {
    fn request(&self) -> TriageRequest {
        TriageRequest {
            inputs: self.inputs.clone(),
            out: self.out.clone(),
            target: self.target.clone(),
            reference: self.reference.clone(),
            also: self.also.clone(),
            limit: self.limit,
            confirm_limit: self.confirm_limit,
            budget: self.budget,
            known: self.known.clone(),
            no_explain: self.no_explain,
            jobs: self.jobs,
            profiles: self.profiles.clone(),
            extent: Extent::Reports,
        }
    }
}

/// Triages the instances, and prints the list of defects to `output`.
///
/// # Errors
/// An input that cannot be read, a solver that is missing, or a result that cannot be written.
pub fn run(args: &TriageArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let triage = job::run(&args.request(), interrupt)?;
    let printed = if args.json { serde_json::to_string_pretty(&triage)? + "\n" } else { triage.markdown() };
    output.write_all(printed.as_bytes()).context("cannot print the list")?;
    Ok(match () {
        () if interrupt.is_set() => Status::Interrupted,
        () if args.fail_on_defect && triage.confirmed() > 0 => Status::DefectsFound,
        () => Status::Done,
    })
}
