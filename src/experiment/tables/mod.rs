//! The papers' tables, ours beside theirs, as Markdown, LaTeX and CSV.

mod collect;
mod comparison;
mod fronts;
mod layout;
mod measure;
mod relative;
mod results;

use std::path::{Path, PathBuf};

pub use collect::{ArmRuns, Collected};
pub use layout::{Format, Table};
pub use measure::{MEASURES, Measure};

use super::ExperimentError;
use super::folder::{ExperimentFolder, names};
use super::spec::Compute;

/// The tables of an experiment, and the finished runs that they are made of.
#[derive(Clone, Debug)]
pub struct Tables<'a> {
    folder: &'a ExperimentFolder,
    collected: Collected<'a>,
    /// The tables, in the order of the plan.
    pub all: Vec<Table>,
}

impl<'a> Tables<'a> {
    /// Reads the finished runs, and makes the tables of them.
    ///
    /// # Errors
    /// [`ExperimentError::NothingFinished`], [`ExperimentError::Record`].
    pub fn of(folder: &'a ExperimentFolder) -> Result<Self, ExperimentError> {
        let collected = Collected::read(folder)?;
        let mut all = Vec::new();
        for compute in &folder.plan().compute {
            match compute {
                Compute::Results => all.push(results::table(&collected)),
                Compute::Comparison => all.extend(comparison::tables(&collected)),
                Compute::Relative => all.push(relative::table(&collected)),
                Compute::Fronts => all.push(fronts::table(&collected)?),
            }
        }
        Ok(Tables { folder, collected, all })
    }

    /// Writes them below the experiment's folder: `tables/tables.md`, a `.tex` and a `.csv` for each, and `runs.csv`, the
    /// numbers of each run. Returns what was written.
    ///
    /// # Errors
    /// [`ExperimentError::Record`] when a file cannot be written.
    pub fn write(&self) -> Result<Vec<PathBuf>, ExperimentError> {
        let write = |name: &str, text: String| self.folder.write(&Path::new(names::TABLES).join(name), text.as_bytes());
        let mut written = vec![write("tables.md", Format::Markdown.document(&self.all))?];
        for table in &self.all {
            for format in [Format::Csv, Format::Latex] {
                written.push(write(&format!("{}.{}", table.name, format.extension()), format.of(table))?);
            }
        }
        written.push(write("runs.csv", collect::runs_csv(&self.collected))?);
        Ok(written)
    }
}
