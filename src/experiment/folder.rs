//! The folder of an experiment: its plan, and one run directory for each arm and repeat, of hunts for each defect.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::ExperimentError;
use super::coverage_run::CoverageRun;
use super::hunt_run::HuntRun;
use super::plan::{Plan, Runs, Task};
use super::state::TaskState;
use crate::record::{RecordError, write_atomically};

/// The names in an experiment's folder.
pub mod names {
    /// The plan: everything that decides the runs.
    pub const PLAN: &str = "experiment.toml";
    /// `ARM/NNN`, of hunts `ARM/DEFECT/NNN`, a run directory each.
    pub const RUNS: &str = "runs";
    /// The tables as Markdown, CSV and LaTeX.
    pub const TABLES: &str = "tables";
    /// Held while one of the other files is written.
    pub const LOCK: &str = "lock";
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
    /// [`ExperimentError::Differs`] if it holds runs of another plan; [`ExperimentError::Occupied`] if it holds anything
    /// else; [`ExperimentError::Record`] if it cannot be written.
    pub fn create(root: &Path, plan: Plan) -> Result<Self, ExperimentError> {
        match Self::open(root) {
            Ok(earlier) => plan
                .check_continues(&earlier.plan)
                .map_err(|what| ExperimentError::Differs { path: root.to_owned(), what })?,
            Err(ExperimentError::NotAnExperiment { .. }) => {
                if is_occupied(root) {
                    return Err(ExperimentError::Occupied { path: root.to_owned() });
                }
            }
            Err(error) => return Err(error),
        }
        let folder = ExperimentFolder { root: root.to_owned(), plan };
        make(&root.join(names::RUNS))?;
        // Paths and numbers of a plan are UTF-8 and finite, so that it can be written; an empty file is refused.
        let toml = toml::to_string_pretty(&folder.plan).unwrap_or_default();
        folder.write(Path::new(names::PLAN), toml.as_bytes())?;
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
        self.root.join(names::RUNS).join(task.to_string())
    }

    /// How far a task is.
    ///
    /// # Errors
    /// [`ExperimentError::Record`] if its run directory cannot be read.
    pub fn state(&self, task: &Task<'_>) -> Result<TaskState, ExperimentError> {
        let root = self.run(task);
        match &self.plan.runs {
            Runs::Campaigns(campaigns) => {
                TaskState::of(&root, campaigns.measure_limit, campaigns.triage(task.arm).is_some())
            }
            Runs::Coverage(_) => Ok(CoverageRun::new(&root).state()?),
            Runs::Hunts(hunts) => {
                Ok(HuntRun::new(&root).state(hunts.config(task.arm)?.reducer.is_some(), task.defect)?)
            }
        }
    }

    /// Writes a file below the folder, as a whole. Several processes may do so at once: jobs, and users on several
    /// machines.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn write(&self, name: &Path, content: &[u8]) -> Result<PathBuf, ExperimentError> {
        let path = self.root.join(name);
        if let Some(parent) = path.parent() {
            make(parent)?;
        }
        let lock = self.root.join(names::LOCK);
        let locked = File::options().create(true).truncate(false).write(true).open(&lock);
        let _held = locked
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|source| RecordError::Write { path: lock, source })?;
        write_atomically(&path, content)?;
        Ok(path)
    }
}

/// Whether a folder without a plan holds more than a process leaves, or has done so far, that is making an experiment.
fn is_occupied(root: &Path) -> bool {
    let unfinished = format!("{}.new", names::PLAN);
    let own = [names::RUNS, names::LOCK, names::PLAN, &unfinished];
    let names = std::fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.into_iter().any(|name| own.iter().all(|own| name != **own))
}

fn make(folder: &Path) -> Result<(), ExperimentError> {
    let made = std::fs::create_dir_all(folder);
    made.map_err(|source| RecordError::Write { path: folder.to_owned(), source }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_may_write_one_file_at_once() {
        let root = tempfile::tempdir().unwrap();
        let plan = "title = 'T'\nreproduces = ''\nbaseline = 'a'\ncompute = []\nscale = 's'\nseed = 1\nrepeats = 1\n\
                    measure-limit = '1s'\narm = [{ name = 'a' }]\n[settings]\ngenerations = 1\n";
        let plan: Plan = toml::from_str(plan).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        ExperimentFolder::create(&root.path().join("e"), plan.clone()).unwrap();
                    }
                });
            }
        });
        assert_eq!(ExperimentFolder::open(&root.path().join("e")).unwrap().plan(), &plan);
        std::fs::write(root.path().join("thesis.tex"), "x").unwrap();
        let refused = ExperimentFolder::create(root.path(), plan).unwrap_err();
        assert!(refused.to_string().contains("holds something else"), "{refused}");
    }
}
