//! What a reduction did, in words and as JSON.

use std::path::PathBuf;

use serde::Serialize;

use super::slow::CONFIRM_RUNS;
use crate::number::counted;
use crate::reduce::Ended;
use crate::reduce::property::{CRASH_MARGIN, KeptAnswer, RunLimit, Spent};
use crate::reduce::search::Tally;
use crate::reduce::size::Size;

/// What was done, for `--json` and for the summary.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    /// The input.
    pub(super) file: PathBuf,
    /// What was kept, in words.
    pub(super) kept: String,
    /// Why it ended.
    pub(super) ended: Ended,
    /// The size of the input.
    pub(super) before: Size,
    /// The size of the result.
    pub(super) after: Size,
    /// Of an interrupted reduction: a smaller script that looks as if it had the property, but may lack it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unsure: Option<Unsure>,
    /// Assertions of the result.
    pub(super) assertions: usize,
    /// Candidates.
    pub(super) tests: Tally,
    /// What the reduction itself spent, confirmation and seeds of the result apart.
    pub(super) spent: Spent,
    /// What was spent in all.
    pub(super) total: Spent,
    /// Of three runs at the confirm limit, in how many the target was slow; nothing without such runs.
    pub(super) confirmed_runs: Option<u32>,
    /// Random seeds that were tried.
    pub(super) seeds: Option<u32>,
    /// On how many of them the result is slow.
    pub(super) slow_seeds: Option<u32>,
    /// On how many of them the input is.
    pub(super) slow_seeds_of_input: Option<u32>,
    /// Of a satisfiable result: whether the reference's own check of its model passes; nothing where it cannot tell.
    pub(super) model_checked: Option<bool>,
    /// With `crash`, how long it took, and how long runs may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) crash: Option<CrashTime>,
    /// With `script:CMD`, the first lines that CMD wrote to standard error for the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command_said: Option<String>,
}

/// The time of a crash, in CPU seconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct CrashTime {
    /// What it took on the input.
    seconds: f64,
    /// What each run may take.
    limit_seconds: f64,
    /// Whether that follows from the first, because the user gave no limit.
    is_automatic: bool,
}

impl CrashTime {
    /// That of a property with this limit.
    pub(super) fn of(property: &KeptAnswer<'_>, limit: RunLimit) -> CrashTime {
        CrashTime {
            seconds: property.seconds(),
            limit_seconds: property.limit().as_secs_f64(),
            is_automatic: limit == RunLimit::AboveCrash,
        }
    }
}

/// A script that nobody made sure of.
#[derive(Debug, Serialize)]
pub(super) struct Unsure {
    /// Its file; without one it stands below the result, as a remark.
    pub(super) file: Option<PathBuf>,
    /// Its size.
    #[serde(flatten)]
    pub(super) size: Size,
}

/// The summary in words.
pub(super) fn described(summary: &Summary) -> String {
    let Summary { before, after, tests, spent, total, .. } = summary;
    let mut text = String::new();
    let mut say = |line: String| text.push_str(&line);
    say(format!(
        "kept: {}\nbytes {} -> {}, complexity {} -> {}, {} left\n{} candidates ({} more were known), {} \
         accepted; {} solver runs, {} of them slow, {:.1} s of CPU time\n",
        summary.kept,
        before.bytes,
        after.bytes,
        before.complexity,
        after.complexity,
        counted(summary.assertions, "assertion"),
        tests.judged,
        tests.known,
        tests.accepted,
        spent.solver_calls,
        spent.slow_runs,
        spent.solver_seconds
    ));
    if let Some(CrashTime { seconds, limit_seconds, is_automatic: true }) = summary.crash {
        say(format!(
            "limit of each run: {limit_seconds:.1} s of CPU time, {} s more than the input's crash took ({seconds:.1} s)\n",
            CRASH_MARGIN.as_secs()
        ));
    }
    if let (Some(seeds), Some(slow), Some(input)) = (summary.seeds, summary.slow_seeds, summary.slow_seeds_of_input) {
        say(format!("slow on {slow} of {seeds} random seeds (the input: {input})\n"));
    }
    if let Some(confirmed) = summary.confirmed_runs {
        let how = if confirmed == CONFIRM_RUNS { "confirmed" } else { "NOT confirmed" };
        say(format!(
            "{how}: slow in {confirmed} of {CONFIRM_RUNS} runs at the confirm limit; {:.1} s of CPU time in all\n",
            total.solver_seconds
        ));
    }
    if summary.after.commands == 0 {
        say("warning: an empty script has the property too: does what decides look at the script at all?\n".to_owned());
    }
    if summary.after.commands == 0
        && let Some(said) = summary.command_said.as_deref().filter(|said| !said.is_empty())
    {
        say(format!("for the input, it wrote to standard error:\n{said}\n"));
    }
    match summary.ended {
        Ended::Fixpoint => {}
        Ended::Limits => say("stopped at --max-tests\n".to_owned()),
        Ended::Interrupted => {
            say("interrupted: this is the smallest script that surely has the property\n".to_owned());
        }
    }
    if let Some(Unsure { file, size }) = &summary.unsure {
        let bytes = counted(size.bytes, "byte");
        say(match file {
            Some(file) => format!(
                "{} ({bytes}) is smaller and looks as if it had the property, but nobody made sure: reduce it to go on\n",
                file.display()
            ),
            None => format!("a smaller one ({bytes}), of which nobody made sure, stands below it as a remark\n"),
        });
    }
    text
}
