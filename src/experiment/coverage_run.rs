//! The folder of a run that measures coverage: `covered.bin`, how far it is with what it covered so far, and at its end
//! `coverage.json`, what it came to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::state::{Phase, TaskState};
use crate::coverage::{CoverageTotals, Covered};
use crate::record::{RecordError, RunDirectory, read_json, write_atomically};

/// Where it is and what it covered so far: [`Progress`] as one line of JSON, then [`Covered::encode`]. One file, so that
/// the numbers and the set are of the same moment, whenever the run is killed.
const COVERED: &str = "covered.bin";
/// What it came to.
const RESULT: &str = "coverage.json";

/// A run's folder.
#[derive(Clone, Debug)]
pub struct CoverageRun {
    root: PathBuf,
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Which seeds there were to draw from, as a fingerprint of the scripts.
    pub seeds: String,
    /// Seeds that are done: they, or their mutants, were run.
    pub done: usize,
    /// How many there are to do.
    pub of: usize,
    /// Seeds of which nothing could be made.
    pub left_out: usize,
    /// Scripts that were run.
    pub scripts: u64,
    /// Those that left no counters, so that what they covered is missing.
    pub without_counters: u64,
    /// What the solver answered, by the names of answers, and how often.
    pub answers: BTreeMap<String, u64>,
    /// CPU seconds of the solver.
    pub solver_seconds: f64,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The solver.
    pub solver: String,
    /// What it covered.
    pub totals: CoverageTotals,
    /// What was done.
    #[serde(flatten)]
    pub progress: Progress,
}

impl CoverageRun {
    /// The run in `root`.
    pub fn new(root: &Path) -> Self {
        CoverageRun { root: root.to_owned() }
    }

    /// How far it is, and what it covered so far; `None` if it has not begun.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn checkpoint(&self) -> Result<Option<(Progress, Covered)>, RecordError> {
        let path = self.root.join(COVERED);
        let Some((progress, set)) = Self::split(&path)? else { return Ok(None) };
        let covered = Covered::decode(&set).map_err(|error| RecordError::damaged(&path, error))?;
        Ok(Some((progress, covered)))
    }

    /// The two parts of a checkpoint, the second still encoded.
    fn split(path: &Path) -> Result<Option<(Progress, Vec<u8>)>, RecordError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RecordError::read(path)(error)),
        };
        let end =
            bytes.iter().position(|&byte| byte == b'\n').ok_or_else(|| RecordError::damaged(path, "it has no line"))?;
        let progress = serde_json::from_slice(&bytes[..end]).map_err(|error| RecordError::damaged(path, error))?;
        Ok(Some((progress, bytes[end + 1..].to_vec())))
    }

    /// Keeps how far it is.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn keep(&self, progress: &Progress, covered: &Covered) -> Result<(), RecordError> {
        let path = self.root.join(COVERED);
        let line = serde_json::to_vec(progress).map_err(|error| RecordError::damaged(&path, error))?;
        write_atomically(&path, &[&line, &b"\n"[..], &covered.encode()].concat())
    }

    /// Records what it came to: it is finished then.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn finish(&self, measured: &Measured) -> Result<(), RecordError> {
        let path = self.root.join(RESULT);
        let json = serde_json::to_vec_pretty(measured).map_err(|error| RecordError::damaged(&path, error))?;
        write_atomically(&path, &json)
    }

    /// What it came to; `None` if it is not finished.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn measured(&self) -> Result<Option<Measured>, RecordError> {
        read_json(&self.root.join(RESULT))
    }

    /// How far it is. Seeds take the place of members of a result set.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn state(&self) -> Result<TaskState, RecordError> {
        let mut state = TaskState { running: RunDirectory::is_in_use(&self.root), ..TaskState::waiting() };
        let progress = match self.measured()? {
            Some(measured) => {
                state.phase = Phase::Finished;
                Some(measured.progress)
            }
            None => Self::split(&self.root.join(COVERED))?.map(|(progress, _)| progress),
        };
        if state.phase != Phase::Finished && (state.running || progress.is_some()) {
            state.phase = Phase::Measuring;
        }
        if let Some(progress) = progress {
            state.evaluations = progress.scripts;
            state.charged_seconds = progress.solver_seconds;
            state.solver_seconds = progress.solver_seconds;
            state.measured = (progress.done, progress.of);
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_where_its_files_say() {
        let folder = tempfile::tempdir().unwrap();
        let run = CoverageRun::new(folder.path());
        assert_eq!((run.state().unwrap().phase, run.checkpoint().unwrap()), (Phase::Waiting, None));
        let covered = Covered::nothing(7, [3, 2, 1]);
        let answers = BTreeMap::from([("sat".to_owned(), 9), ("timeout".to_owned(), 1)]);
        let progress = Progress { done: 1, of: 4, scripts: 10, answers, solver_seconds: 2.5, ..Progress::default() };
        run.keep(&progress, &covered).unwrap();
        assert_eq!(run.checkpoint().unwrap(), Some((progress.clone(), covered.clone())));
        let state = run.state().unwrap();
        assert_eq!((state.phase, state.measured, state.evaluations), (Phase::Measuring, (1, 4), 10));
        assert!((state.fraction(Some(0.0), 80.0, 0.0) - 0.25).abs() < 1e-12);

        let measured = Measured { solver: "z3".into(), totals: covered.totals(), progress };
        run.finish(&measured).unwrap();
        assert_eq!(run.measured().unwrap(), Some(measured));
        assert_eq!((run.state().unwrap().phase, run.state().unwrap().solver_seconds), (Phase::Finished, 2.5));
    }

    #[test]
    fn what_is_damaged_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let run = CoverageRun::new(folder.path());
        for bytes in ["", "{}", "{\n", "{\"done\":1}\nx"] {
            std::fs::write(folder.path().join(COVERED), bytes).unwrap();
            let said = run.checkpoint().unwrap_err().to_string();
            assert!(said.contains("covered.bin"), "{said}");
        }
    }
}
