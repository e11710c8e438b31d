//! One campaign — begun, resumed, or replayed — and what comes after it: from settings to a run directory with its summary.

mod aftermath;
mod afterwards;
mod bench;
mod campaign;
mod seeds;
mod summary;
mod suspects;
mod triage;

use std::path::{Path, PathBuf};

use crate::campaign::StopReason;
use crate::console::Console;
use crate::record::format::Summary;
use crate::solver::process::Interrupt;
pub(crate) use afterwards::Afterwards;
pub(crate) use campaign::{Asked, begin, resume};

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Course<'a> {
    /// A new campaign, recorded in a folder that does not exist.
    New(Asked<'a>, &'a Path),
    /// The campaign in this folder goes on.
    Resumed(Asked<'a>, &'a Path),
    /// The first folder's campaign again on its recorded evaluations; the second is the new record.
    Replayed(&'a Path, &'a Path),
}

/// A run that has ended, or was interrupted.
#[derive(Debug)]
pub(crate) struct Fuzzed {
    /// What came of it.
    pub(crate) summary: Summary,
    /// Its directory.
    pub(crate) root: PathBuf,
    /// The run whose evaluations it repeated, if it did.
    pub(crate) replayed: Option<PathBuf>,
    /// Whether the user interrupted it.
    pub(crate) is_interrupted: bool,
    /// How many wrong answers, wrong models and crashes of the run's two solvers its hunt found.
    pub(crate) own_wrong_answers: u64,
}

/// Runs the campaign, then what comes after it; a replay is the campaign alone.
///
/// # Errors
/// When the user asks for what cannot be had, a solver is missing, or results cannot be written.
pub(crate) fn run<'a>(
    course: impl FnOnce() -> anyhow::Result<Course<'a>>,
    after: &Afterwards<'_>,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<Fuzzed> {
    let console = Console::new(after.jobs.get(), quiet);
    let ended = course().and_then(|course| {
        let (root, replayed) = match &course {
            Course::New(_, root) | Course::Resumed(_, root) => (*root, None),
            Course::Replayed(source, root) => (*root, Some(*source)),
        };
        let report = match course {
            Course::New(asked, out) => begin(asked, out, interrupt, &console),
            Course::Resumed(asked, root) => resume(asked, root, interrupt, &console),
            Course::Replayed(source, out) => campaign::replay(after.jobs.get(), source, out, interrupt, &console),
        };
        Ok((report?, root, replayed))
    });
    console.close();
    let (report, root, replayed) = ended?;
    let (reason, is_replay) = (report.reason, replayed.is_some());
    let (summary, own_wrong_answers) =
        if is_replay { (report.summary, 0) } else { after.of(root, &report, interrupt)? };
    let is_interrupted = reason == StopReason::Interrupted || interrupt.is_set();
    let (root, replayed) = (root.to_owned(), replayed.map(Path::to_owned));
    Ok(Fuzzed { summary, root, replayed, is_interrupted, own_wrong_answers })
}
