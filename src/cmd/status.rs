//! `status`: where runs and hunts stand, on one page.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use crate::status::page_of;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz status runs            # all runs and hunts below a folder
  watch -n 10 mulstringfuzz status runs/first";

/// Say where runs and hunts stand, also while they go on.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct StatusArgs {
    /// Run directories, hunts, experiments, or folders that hold them
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the status to `output`.
///
/// # Errors
/// When a DIR holds no run and no hunt, or what it holds is damaged.
pub fn run(args: &StatusArgs, output: &mut dyn Write) -> anyhow::Result<()> {
    output.write_all(page_of(&args.folders, args.json)?.as_bytes()).context("cannot write the status")
}
