//! Where runs and hunts stand, read of their folders while others work in them, or after they are over.

mod folders;
mod fuzzing;
mod hunting;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use crate::record::{RecordError, RunDirectory};
use crate::smtlib::printer::first_assertion;

pub use folders::find;
pub use page::page_of;

/// Whether somebody works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// A process works in the folder now.
    Running,
    /// It ended as it was asked to.
    Finished,
    /// Nobody works, and it is not over: `--resume` goes on.
    Stopped,
}

impl Phase {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Running => "running",
            Phase::Finished => "finished",
            Phase::Stopped => "stopped",
        }
    }

    fn of(folder: &Path, is_over: bool) -> Self {
        match (RunDirectory::is_in_use(folder), is_over) {
            (true, _) => Phase::Running,
            (false, true) => Phase::Finished,
            (false, false) => Phase::Stopped,
        }
    }
}

/// What was found last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Newest {
    /// The first assertion of its smallest script, on one line.
    pub assertion: String,
    /// That script.
    pub file: PathBuf,
    /// Seconds since it was found, or since it was last worked on.
    pub seconds_ago: u64,
}

/// Where one run or hunt stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its folder.
    pub folder: PathBuf,
    /// Whether somebody works in it.
    pub phase: Phase,
    /// Elapsed seconds: of what is over, those that were worked; otherwise those since it began.
    pub elapsed_seconds: f64,
    /// Elapsed seconds after which it ends, if it has such a budget.
    pub budget_seconds: Option<f64>,
    /// What is special to its kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// What was found last; nothing if nothing was.
    pub newest: Option<Newest>,
}

/// A run of `fuzz`, or a hunt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Kind {
    /// A search for performance defects.
    Fuzz(Fuzzing),
    /// A hunt for wrong answers, wrong models and crashes.
    Hunt(Hunting),
}

/// What a run of `fuzz` has done, as its last generation, and its defects, say.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fuzzing {
    /// The solver under test.
    pub target: String,
    /// The solver that is quick.
    pub reference: String,
    /// The variant of the search.
    pub variant: String,
    /// The random seed.
    pub seed: u64,
    /// Generations after generation 0 that are over.
    pub generations: u32,
    /// Evaluations in them.
    pub evaluations: u64,
    /// Lines of the target that any script reached; none if nothing counts lines.
    pub lines: Option<u64>,
    /// Lines that the last ten generations brought.
    pub new_lines: Option<u64>,
    /// The highest t-score of a member of the last generation, seconds.
    pub best_t_score: f64,
    /// The size of the Pareto front.
    pub front: u64,
    /// CPU seconds of the solvers.
    pub solver_seconds: f64,
    /// Confirmed defects; of a run that learns, distinct ones.
    pub confirmed: u64,
    /// Candidates that are neither confirmed nor refuted.
    pub candidates: u64,
    /// Candidates that were refuted.
    pub refuted: u64,
    /// Patterns that were learned.
    pub patterns: u64,
    /// Wrong answers, wrong models and crashes, of whatever solver, that the hunt found after the search.
    pub wrong_answers: Option<u64>,
}

/// What a hunt has done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hunting {
    /// The solvers that were asked.
    pub solvers: Vec<String>,
    /// Instances that were made.
    pub instances: u64,
    /// CPU seconds of the solvers.
    pub solver_seconds: f64,
    /// Distinct findings.
    pub findings: u64,
    /// Findings that are probably the same as an earlier one, and are not among those.
    pub alike: u64,
}

impl Standing {
    /// Reads where the run or hunt in `folder` stands; `None` if there is neither.
    ///
    /// # Errors
    /// [`RecordError`] if a file is damaged or cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, RecordError> {
        if RunDirectory::is_begun(folder) {
            return fuzzing::read(folder).map(Some);
        }
        if folders::is_hunt(folder) {
            return hunting::read(folder).map(Some);
        }
        Ok(None)
    }
}

/// When a file was written last.
fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// Time that passed since then; none of what the clock says is yet to come.
fn since(moment: SystemTime) -> Duration {
    moment.elapsed().unwrap_or_default()
}

/// Of these scripts the one that was written last, if any.
fn newest(scripts: impl Iterator<Item = PathBuf>) -> Option<Newest> {
    let (at, file) = scripts.filter_map(|path| Some((written(&path)?, path))).max()?;
    let text = fs::read_to_string(&file).ok()?;
    let assertion = first_assertion(&text).to_owned();
    Some(Newest { assertion, file, seconds_ago: since(at).as_secs() })
}
