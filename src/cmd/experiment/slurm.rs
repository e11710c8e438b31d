//! `experiment run --engine slurm`, and `experiment cancel`: what is beyond one machine.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Context;

use super::Which;
use crate::config::parse_duration;
use crate::experiment::slurm::{self, Options};
use crate::number::positive;

/// What jobs ask of the cluster.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "With --engine slurm")]
pub(super) struct SlurmArgs {
    /// Stay until all jobs are over, and print the first table
    #[arg(long)]
    pub(super) wait: bool,
    /// The partition [default: the cluster's]
    #[arg(long, value_name = "NAME")]
    slurm_partition: Option<String>,
    /// Time that a run has until it is stopped, put back into the queue, and goes on where it was: at most what the
    /// partition allows
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = parse_duration)]
    slurm_time: Duration,
    /// Memory of a run, as sbatch --mem takes it; a solver may take 8 GB
    #[arg(long, value_name = "SIZE", default_value = "9G")]
    slurm_memory: String,
    /// Runs at once
    #[arg(long, value_name = "N", default_value = "100", value_parser = positive::<NonZeroUsize>)]
    slurm_max_tasks: NonZeroUsize,
    /// How often a run that was stopped or killed is put back into the queue
    #[arg(long, value_name = "N", default_value = "20")]
    slurm_max_restarts: u32,
    /// A further option of sbatch, such as --account=strings; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    slurm_option: Vec<String>,
}

impl SlurmArgs {
    pub(super) fn options(&self) -> Options {
        Options {
            partition: self.slurm_partition.clone(),
            time: self.slurm_time,
            memory: self.slurm_memory.clone(),
            max_tasks: self.slurm_max_tasks,
            max_restarts: self.slurm_max_restarts,
            further: self.slurm_option.clone(),
        }
    }
}

/// Take an experiment's jobs out of the queue.
#[derive(Clone, Debug, clap::Args)]
pub struct CancelArgs {
    #[command(flatten)]
    which: Which,
    /// Print the jobs' numbers as JSON
    #[arg(long)]
    json: bool,
}

/// Cancels the jobs, and says on `output` which.
pub(super) fn cancel(args: &CancelArgs, output: &mut dyn Write) -> anyhow::Result<()> {
    let cancelled = slurm::cancel(&args.which.folder()?)?;
    writeln!(output, "{}", said_of_cancelled(&cancelled, args.json)).context("cannot write what was cancelled")
}

fn said_of_cancelled(jobs: &[u64], json: bool) -> String {
    let numbers: Vec<String> = jobs.iter().map(u64::to_string).collect();
    match jobs {
        _ if json => serde_json::json!({ "cancelled": jobs }).to_string(),
        [] => "no job to cancel".to_owned(),
        _ => format!("cancelled {}", numbers.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cancelled_is_said() {
        assert_eq!(said_of_cancelled(&[12, 13], false), "cancelled 12, 13");
        assert_eq!(said_of_cancelled(&[], false), "no job to cancel");
        assert_eq!(said_of_cancelled(&[12, 13], true), r#"{"cancelled":[12,13]}"#);
        assert_eq!(said_of_cancelled(&[], true), r#"{"cancelled":[]}"#);
    }
}
