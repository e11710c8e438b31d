//! `completions SHELL`: prints what a shell needs to complete the command line.

use std::io::Write;

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  source <(mulstringfuzz completions bash)
  mulstringfuzz completions zsh > ~/.zfunc/_mulstringfuzz";

/// Print completions for a shell; each shell has a folder for them, such as ~/.local/share/bash-completion/completions.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints them.
///
/// # Errors
/// When `output` cannot be written to.
pub fn run(args: &Args, command: &Command, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command.clone(), command.get_name(), &mut script);
    output.write_all(&script).context("cannot write the completions")
}
