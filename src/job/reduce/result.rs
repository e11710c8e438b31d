//! What a reduction leaves: the result, and, of one that was interrupted, the smaller script that is not sure.

use std::path::Path;

use anyhow::{Context, bail};

use super::summary::{Summary, Unsure, described};
use super::{ReduceRequest, Workshop};
use crate::job::place::{free_name, is_same};
use crate::record::{can_write, write_atomically};
use crate::reduce::property::Spent;
use crate::reduce::{Ended, Reduction};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::Script;

/// Refuses a place where the result cannot be, before anything runs.
///
/// # Errors
/// The file to reduce itself, or one that cannot be written.
pub(super) fn check_place(args: &ReduceRequest) -> anyhow::Result<()> {
    let Some(out) = &args.out else { return Ok(()) };
    if is_same(out, &args.file) {
        bail!("--out {} is the script to reduce, and would replace it: choose another file", out.display());
    }
    Ok(can_write(out)?)
}

/// What a reduction came to.
#[derive(Debug)]
pub struct Reduced {
    /// The scripts that are in no file.
    pub text: String,
    summary: Summary,
}

impl Reduced {
    /// What was done, as JSON.
    ///
    /// # Errors
    /// None but by a fault of ours.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&self.summary)
    }

    /// The same in words.
    pub fn words(&self) -> String {
        described(&self.summary)
    }

    /// Whether the user interrupted it.
    pub fn is_interrupted(&self) -> bool {
        self.summary.ended == Ended::Interrupted
    }
}

impl Workshop<'_> {
    /// Writes the result, and says what was done.
    pub(super) fn finish(&self, reduction: &Reduction, dialect: Dialect, summary: Summary) -> anyhow::Result<Reduced> {
        self.console.close();
        let mut summary = Summary { total: self.meter.spent(), ..summary };
        let mut text = String::new();
        match &self.args.out {
            Some(out) => write_best(out, &reduction.script, dialect)?,
            None => text.push_str(&printed(&reduction.script, dialect)?),
        }
        if let Some((script, size)) = &reduction.unsure {
            let file = self.args.out.as_deref().map(|out| free_name(out, "unsure"));
            match &file {
                Some(file) => write_best(file, script, dialect)?,
                None => text.push_str(&remark(&printed(script, dialect)?)),
            }
            summary.unsure = Some(Unsure { file, size: *size });
        }
        Ok(Reduced { text, summary })
    }

    /// What was done, as far as every property knows it.
    pub(super) fn summary(&self, kept: String, reduction: &Reduction) -> Summary {
        Summary {
            file: self.args.file.clone(),
            kept,
            ended: reduction.ended,
            before: reduction.before,
            after: reduction.after,
            unsure: None,
            assertions: reduction.script.assertions().count(),
            tests: reduction.tally,
            spent: self.meter.spent(),
            total: Spent::default(),
            confirmed_runs: None,
            seeds: None,
            slow_seeds: None,
            slow_seeds_of_input: None,
            model_checked: None,
            crash: None,
            command_said: None,
        }
    }
}

fn printed(script: &Script, dialect: Dialect) -> anyhow::Result<String> {
    printer::print(script, dialect, &PrintOptions::default()).context("the result cannot be written in this dialect")
}

/// Replaces the file by the script.
///
/// # Errors
/// A dialect that cannot spell the script, or a file that cannot be written.
pub(super) fn write_best(out: &Path, script: &Script, dialect: Dialect) -> anyhow::Result<()> {
    Ok(write_atomically(out, printed(script, dialect)?.as_bytes())?)
}

/// A script as a remark, so that it may stand below another one.
fn remark(text: &str) -> String {
    let lines = text.lines().map(|line| format!("; {line}\n"));
    std::iter::once("; Smaller, but not made sure of:\n".to_owned()).chain(lines).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_remark_is_no_command() {
        assert_eq!(
            super::remark("(check-sat)\n(exit)\n"),
            "; Smaller, but not made sure of:\n; (check-sat)\n; (exit)\n"
        );
    }
}
