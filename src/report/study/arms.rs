//! Finding runs, and grouping them into arms.

use std::path::{Path, PathBuf};

use super::run::Run;
use crate::experiment::{ExperimentFolder, Runs, names as layout};
use crate::record::{RunDirectory, names};
use crate::report::error::ReportError;

/// Runs that are repeats of each other: they differ in their seeds.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its name: the variant, or the experiment's name for it.
    pub name: String,
    /// Its runs, in the order of their names.
    pub runs: Vec<Run>,
}

/// An experiment with its plan.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The folder.
    pub folder: ExperimentFolder,
    /// The plan's file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// All that a report is about.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// The arms, at least one, in the order of the experiment's plan; without a plan, in that of their names; those of
    /// single runs in the order in which they were given.
    pub arms: Vec<Arm>,
    /// The experiments that have a plan.
    pub experiments: Vec<Experiment>,
    /// Run directories in which nothing was evaluated yet.
    pub not_begun: Vec<PathBuf>,
}

impl Study {
    /// Reads the runs of all folders, each a run directory or an experiment.
    ///
    /// # Errors
    /// [`ReportError`] if a folder is neither, or a file in it is damaged.
    pub fn read(folders: &[PathBuf]) -> Result<Self, ReportError> {
        let mut study = Study::default();
        for folder in folders {
            if RunDirectory::has_run(folder) {
                let name = folder
                    .file_name()
                    .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
                let run = Run::read(folder, name)?;
                let arm = run.config.variant.name().to_owned();
                study.add(arm, run);
            } else if folder.join(layout::PLAN).is_file() || folder.join(layout::RUNS).is_dir() {
                study.read_experiment(folder)?;
            } else {
                return Err(ReportError::NotResults { path: folder.clone() });
            }
        }
        Ok(study)
    }

    fn read_experiment(&mut self, folder: &Path) -> Result<(), ReportError> {
        let path = folder.join(layout::PLAN);
        let mut arms = folders(&folder.join(layout::RUNS))?;
        if path.is_file() {
            let text =
                std::fs::read_to_string(&path).map_err(|source| ReportError::Read { path: path.clone(), source })?;
            let planned = ExperimentFolder::open(folder)?;
            let no_plots = |what| Err(ReportError::NoPlots { path: folder.to_owned(), what });
            match planned.plan().runs {
                Runs::Campaigns(_) => {}
                Runs::Hunts(_) => return no_plots("hunts"),
                Runs::Coverage(_) => return no_plots("coverage"),
            }
            let place = |arm: &PathBuf| planned.plan().arms.iter().position(|own| own.name == name(arm));
            arms.sort_by_key(|arm| place(arm).unwrap_or(usize::MAX));
            self.experiments.push(Experiment { folder: planned, path, text });
        }
        let mut found = false;
        for arm in arms {
            for root in folders(&arm)? {
                if RunDirectory::has_run(&root) {
                    let name = name(&arm);
                    let label = format!("{name}/{}", self::name(&root));
                    self.add(name, Run::read(&root, label)?);
                    found = true;
                } else if root.join(names::CONFIG).is_file() || root.join(names::LOCK).is_file() {
                    self.not_begun.push(root);
                }
            }
        }
        if found { Ok(()) } else { Err(ReportError::NoRuns { path: folder.to_owned() }) }
    }

    fn add(&mut self, arm: String, run: Run) {
        match self.arms.iter_mut().find(|known| known.name == arm) {
            Some(known) => known.runs.push(run),
            None => self.arms.push(Arm { name: arm, runs: vec![run] }),
        }
    }

    /// All runs, arm by arm.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.arms.iter().flat_map(|arm| &arm.runs)
    }

    /// Whether arms are compared.
    pub fn compares(&self) -> bool {
        self.arms.len() > 1
    }

    /// The names of the solvers, the target's and the reference's, if all runs have the same.
    pub fn solvers(&self) -> (&str, &str) {
        let one = |of: fn(&Run) -> &str, role: &'static str| {
            let mut names = self.runs().map(of);
            let first = names.next().unwrap_or(role);
            if names.all(|name| name == first) { first } else { role }
        };
        (one(|run| &run.config.target, "target"), one(|run| &run.config.reference, "reference"))
    }

    /// All different values that runs have, in ascending order.
    pub fn distinct<T: Ord>(&self, of: impl Fn(&Run) -> T) -> Vec<T> {
        let mut values: Vec<T> = self.runs().map(of).collect();
        values.sort();
        values.dedup();
        values
    }
}

/// The folders in a folder, by name.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let failed = |source| ReportError::Read { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
