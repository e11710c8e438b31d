//! `experiment status`: where each arm of an experiment stands.

use std::io::Write;

use anyhow::Context;

use super::Which;
use crate::job::experiment::status::status;

/// Say where an experiment stands.
#[derive(Clone, Debug, clap::Args)]
pub struct StatusArgs {
    #[command(flatten)]
    which: Which,
    /// Print the experiment and every run as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the status to `output`.
pub(super) fn run(args: &StatusArgs, output: &mut dyn Write) -> anyhow::Result<()> {
    output.write_all(status(&args.which.folder()?, args.json)?.as_bytes()).context("cannot write the status")
}
