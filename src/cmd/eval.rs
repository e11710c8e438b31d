//! `eval FILE --model M`: what a script's assertions are under a model, without a solver.

use std::io::Write;
use std::path::PathBuf;

use crate::job::eval::{self as job, EvalRequest};
use crate::smtlib::dialect::Dialect;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  z3 a.smt2 | mulstringfuzz eval a.smt2 --model -
  mulstringfuzz eval a.smt2 --model a.model -v   # which atoms decide it, and their values";

/// Evaluate a script's assertions under a model: true, false, free (the standard leaves the value open), or unknown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The script; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What a solver printed for (get-model) or (get-value …); - is standard input
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// How the model's string literals are read: smtlib-2.5 or smtlib-2.6 [default: found out from both texts]
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Further operators, in the syntax of the built-in theory files
    #[arg(long, value_name = "FILE")]
    theory: Vec<PathBuf>,
    /// Print values and evidence as JSON, on standard output
    #[arg(long)]
    json: bool,
}

impl Args {
    fn request(&self, verbose: u8) -> EvalRequest {
        EvalRequest {
            file: self.file.clone(),
            model: self.model.clone(),
            dialect: self.dialect,
            theory: self.theory.clone(),
            json: self.json,
            evidence: verbose > 0,
        }
    }
}

/// Evaluates the assertions of a file.
///
/// # Errors
/// A file that cannot be read, or that is no script or no model.
pub fn run(args: &Args, verbose: u8, out: &mut dyn Write) -> anyhow::Result<()> {
    let report = job::run(&args.request(verbose))?;
    // A reader that closes the pipe early, such as `head`, is no error.
    match out.write_all(&report) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
