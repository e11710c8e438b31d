//! `solvers`: lists the known solvers, with version, health and what each rejects.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use crate::job::health::SolverList;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz solvers
  mulstringfuzz solvers z3@5.4.1 ./build/z3   # do these work? exit code 3 if not";

/// List the known solvers.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SolversArgs {
    /// Solvers, as NAME, NAME@VERSION or the path of an executable [default: all known, each at its default version]
    #[arg(value_name = "SOLVER")]
    pub solvers: Vec<SolverSpec>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the known solvers to `output`; each installed one solves a small script first, to show that it works.
///
/// # Errors
/// When a solver is unknown, the profiles cannot be read, or `output` not be written; a broken solver is a row, and, if it
/// was named, an error after the list.
pub fn run(args: &SolversArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    let list = SolverList::of(&args.solvers, args.profiles.as_deref(), interrupt)?;
    list.print(args.json, output).context("cannot write the list")?;
    list.check()
}
