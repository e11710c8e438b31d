//! `manual FOLDER`: writes a manual page for the program and one for each verb.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Command;

use crate::exit::NotWritten;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz manual ~/.local/share/man/man1
  mulstringfuzz manual man && man -l man/mulstringfuzz-fuzz.1";

/// Write a manual page for the program and for each verb; `man -l FOLDER/mulstringfuzz.1` shows one.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where they go, such as ~/.local/share/man/man1; it is made if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes them and prints the folder.
///
/// # Errors
/// [`NotWritten`] for the folder, or when `output` cannot be written to.
pub fn run(args: &Args, command: &Command, output: &mut dyn Write) -> anyhow::Result<()> {
    let Args { folder } = args;
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command.clone(), folder));
    written.map_err(|source| NotWritten { path: folder.clone(), source })?;
    writeln!(output, "{}", folder.display()).context("cannot write the result")
}
