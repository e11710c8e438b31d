//! `convert --dialect D FILE`: prints a script in another dialect.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;

use crate::job::destination::write_one;
use crate::job::input::{load_theories, read};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse_lenient};
use crate::smtlib::printer::{PrintOptions, print};

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz convert --dialect smtlib-2.5 a.smt2 --out old.smt2
  mulstringfuzz convert --dialect smtlib-2.6 --from smtlib-2.5 - < old.smt2";

/// Print a script in another dialect: operators, regular-expression loops and string escapes are translated; what the
/// tool does not know is kept as it is written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The script; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The dialect to print: smtlib-2.0, smtlib-2.5 or smtlib-2.6
    #[arg(long)]
    dialect: Dialect,
    /// How the script's string literals are read [default: found out from the script]
    #[arg(long, value_name = "DIALECT")]
    from: Option<Dialect>,
    /// Further operators, in the syntax of the built-in theory files
    #[arg(long, value_name = "FILE")]
    theory: Vec<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Converts the file.
///
/// # Errors
/// A file that cannot be read or written, text that is no SMT-LIB, or what the dialect cannot spell.
pub fn run(args: &Args, output: &mut dyn Write) -> anyhow::Result<()> {
    load_theories(&args.theory)?;
    let name = args.file.display().to_string();
    let script = parse_lenient(&read(&args.file)?, &name, &ParseOptions { dialect: args.from })?;
    let printed = print(&script, args.dialect, &PrintOptions::default()).with_context(|| name)?;
    match &args.out {
        Some(out) => Ok(write_one(out, &printed)?),
        None => output.write_all(printed.as_bytes()).context("cannot write the script"),
    }
}
