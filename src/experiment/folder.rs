//! The folder of an experiment: its plan, and one run directory for each arm and repeat.

use std::path::{Path, PathBuf};

use super::ExperimentError;
use super::plan::{Plan, Task};
use super::state::TaskState;
use crate::record::{RecordError, write_atomically};

/// The names in an experiment's folder.
pub mod names {
    /// The plan: everything that decides the runs.
    pub const PLAN: &str = "experiment.toml";
    /// `ARM/NNN`, a run directory each.
    pub const RUNS: &str = "runs";
    /// The tables as Markdown, CSV and LaTeX.
    pub const TABLES: &str = "tables";
}

/// An experiment's folder with its plan.
#[derive(Clone, Debug)]
pub struct ExperimentFolder {
    root: PathBuf,
    plan: Plan,
}

impl ExperimentFolder {
    /// Makes the folder of a plan, or goes on in one that holds runs of it.
    ///
    /// # Errors
    /// [`ExperimentError::Differs`] if it holds runs of another plan; [`ExperimentError::Record`] if it holds anything
    /// else or cannot be written.
    pub fn create(root: &Path, plan: Plan) -> Result<Self, ExperimentError> {
        match Self::open(root) {
            Ok(earlier) => plan
                .check_continues(&earlier.plan)
                .map_err(|what| ExperimentError::Differs { path: root.to_owned(), what })?,
            Err(ExperimentError::NotAnExperiment { .. }) => {
                let occupied = std::fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_some());
                if occupied {
                    return Err(RecordError::Exists { path: root.to_owned() }.into());
                }
            }
            Err(error) => return Err(error),
        }
        let folder = ExperimentFolder { root: root.to_owned(), plan };
        make(&root.join(names::RUNS))?;
        // Paths and numbers of a plan are UTF-8 and finite, so that it can be written; an empty file is refused.
        let toml = toml::to_string_pretty(&folder.plan).unwrap_or_default();
        write_atomically(&root.join(names::PLAN), toml.as_bytes())?;
        Ok(folder)
    }

    /// Opens the folder of an experiment that was begun.
    ///
    /// # Errors
    /// [`ExperimentError::NotAnExperiment`], [`ExperimentError::Read`], [`ExperimentError::Parse`].
    pub fn open(root: &Path) -> Result<Self, ExperimentError> {
        let path = root.join(names::PLAN);
        let text = std::fs::read_to_string(&path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => ExperimentError::NotAnExperiment { path: root.to_owned() },
            _ => ExperimentError::Read { path: path.clone(), source },
        })?;
        let plan = toml::from_str(&text).map_err(|source| ExperimentError::Parse { path, source: Box::new(source) })?;
        Ok(ExperimentFolder { root: root.to_owned(), plan })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What it holds runs of.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The run directory of a task.
    pub fn run(&self, task: &Task<'_>) -> PathBuf {
        self.root.join(names::RUNS).join(&task.arm.name).join(format!("{:03}", task.repeat))
    }

    /// How far a task is.
    ///
    /// # Errors
    /// [`ExperimentError::Record`] if its run directory cannot be read.
    pub fn state(&self, task: &Task<'_>) -> Result<TaskState, ExperimentError> {
        TaskState::of(&self.run(task), self.plan.measure_limit)
    }

    /// Writes a file below the folder, as a whole.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn write(&self, name: &Path, content: &[u8]) -> Result<PathBuf, ExperimentError> {
        let path = self.root.join(name);
        if let Some(parent) = path.parent() {
            make(parent)?;
        }
        write_atomically(&path, content)?;
        Ok(path)
    }
}

fn make(folder: &Path) -> Result<(), ExperimentError> {
    let made = std::fs::create_dir_all(folder);
    made.map_err(|source| RecordError::Write { path: folder.to_owned(), source }.into())
}
