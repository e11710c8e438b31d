//! `experiment shows`: whether a script still shows a defect; the test that reducers of others are given.

use std::path::PathBuf;

use crate::job::experiment::shown::Shown;
use crate::solver::process::Interrupt;

/// Whether a script still shows a defect.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowsArgs {
    /// The script
    #[arg(value_name = "FILE")]
    script: PathBuf,
    /// What it is to show.
    #[command(flatten)]
    shown: Shown,
}

/// Fails if the script does not show it.
pub(super) fn run(args: &ShowsArgs, interrupt: &Interrupt) -> anyhow::Result<()> {
    args.shown.check(&args.script, interrupt)
}
