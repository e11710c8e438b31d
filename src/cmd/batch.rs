//! The arguments of the verbs that make many scripts.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Subcommand;

use crate::job::batch::Batch;
use crate::number::positive;

/// Arguments of the verbs that make many scripts. They may stand before and behind the kind or strategy.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scripts")]
pub(super) struct BatchArgs {
    /// How many scripts
    #[arg(short = 'n', long, default_value = "1", global = true, value_parser = positive::<NonZeroUsize>)]
    count: NonZeroUsize,
    /// An empty or new folder for the scripts, 000001.smt2 and so on [default: standard output, with (reset) between]
    #[arg(long, short, global = true)]
    out: Option<PathBuf>,
    /// The seed: equal seeds give equal scripts, whatever --jobs is
    #[arg(long, default_value_t = 0, global = true)]
    seed: u64,
    /// Threads
    #[arg(long, short, default_value = "1", global = true, value_parser = positive::<NonZeroUsize>)]
    jobs: NonZeroUsize,
}

impl BatchArgs {
    /// What is asked for.
    pub(super) fn batch(&self) -> Batch {
        Batch { count: self.count, out: self.out.clone(), seed: self.seed, jobs: self.jobs }
    }
}

/// The error for words that are none of the subcommands `S`, which it lists: "unknown kind …: the kinds are …".
pub(super) fn unknown<S: Subcommand>(what: &str, plural: &str, words: &[String]) -> anyhow::Error {
    let command = S::augment_subcommands(clap::Command::new("mulstringfuzz"));
    let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let word = words.first().map_or("", String::as_str);
    anyhow!("unknown {what} {word:?}: the {plural} are {}", known.join(", "))
}
