//! The command line: one struct a verb, which stands beside the verb in `cmd/`.

use clap::{ArgAction, Parser, Subcommand};

use crate::cmd;

/// What `--help` prints below the options.
const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    defects were found (only with --fail-on-defect)
  2    usage, or bad input
  3    a solver is missing or unusable
  4    results could not be written
  101  an internal error of ours, told on standard error; the results so far are safe
  130  interrupted; the results so far are safe";

/// Find the inputs that make an SMT solver slow, or wrong.
#[derive(Debug, Parser)]
#[command(name = "mulstringfuzz", version, after_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    /// Say more on standard error (-v: what is done; -vv: every solver run)
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,

    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Get and build solvers
    Setup(cmd::setup::SetupArgs),
    /// List the solver profiles with version and health
    Solvers(cmd::solvers::SolversArgs),
    /// Search for scripts that are slow for the target and quick for the reference
    Fuzz(cmd::fuzz::FuzzArgs),
    /// Search for wrong answers, models that do not hold, and crashes
    Hunt(cmd::hunt::HuntArgs),
    /// Compare ways to search: many runs, statistics, the papers' tables
    Experiment(cmd::experiment::ExperimentArgs),
    /// Print the objectives of given scripts
    Evaluate(cmd::evaluate::EvaluateArgs),
    /// Say why a script is slow: where the time goes, and how it grows
    Explain(cmd::explain::ExplainArgs),
    /// Print how alike the traces of two scripts are
    Similarity(cmd::similarity::SimilarityArgs),
    /// Shrink a script while a property holds
    Reduce(cmd::reduce::ReduceArgs),
    /// Reduce, cluster, confirm and explain what runs found
    Triage(cmd::triage::TriageArgs),
    /// Run the same scripts on many versions of a solver
    Matrix(cmd::matrix::MatrixArgs),
    /// Write an HTML page with plots about runs or an experiment
    Report(cmd::report::ReportArgs),
    /// Make fresh scripts
    Generate(cmd::generate::Args),
    /// Make mutants of a script
    Mutate(cmd::mutate::Args),
    /// Parse and sort-check scripts
    Check(cmd::check::Args),
    /// Print a script in a dialect
    Convert(cmd::convert::Args),
    /// Evaluate a script's assertions under a model, without a solver
    Eval(cmd::eval::Args),
    /// Print completions for a shell
    Completions(cmd::completions::Args),
    /// Write the manual pages
    Manual(cmd::manual::Args),
}
