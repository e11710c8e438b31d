//! The papers' tables, ours beside theirs, as Markdown, LaTeX and CSV.

mod answers;
mod collect;
mod comparison;
mod coverage;
mod covering;
mod deltas;
mod discovery;
mod fronts;
mod hunted;
mod iterations;
mod layout;
mod measure;
mod rediscovered;
mod relative;
mod results;
mod sizes;
mod solved;

use std::path::{Path, PathBuf};

pub use collect::{ArmRuns, Collected};
pub use layout::{Format, Table};
pub use measure::{MEASURES, Measure, TRIAGE_MEASURES};

use super::ExperimentError;
use super::folder::{ExperimentFolder, names};
use super::plan::Runs;
use super::spec::Compute;
use answers::Answered;
use covering::Covering;
use hunted::Hunted;

/// The tables of an experiment, and the finished runs that they are made of.
#[derive(Clone, Debug)]
pub struct Tables<'a> {
    folder: &'a ExperimentFolder,
    /// The numbers of each run, as CSV.
    runs: String,
    /// The tables, in the order of the plan.
    pub all: Vec<Table>,
}

impl<'a> Tables<'a> {
    /// Reads the finished runs, and makes the tables of them.
    ///
    /// # Errors
    /// [`ExperimentError::NothingFinished`], [`ExperimentError::Record`].
    pub fn of(folder: &'a ExperimentFolder) -> Result<Self, ExperimentError> {
        let compute = &folder.plan().compute;
        let mut all = Vec::new();
        let runs = match &folder.plan().runs {
            Runs::Campaigns(campaigns) => {
                let collected = Collected::read(folder, campaigns)?;
                for compute in compute {
                    match compute {
                        Compute::Results => all.push(results::table(&collected)),
                        Compute::Comparison => all.extend(comparison::tables(&collected)),
                        Compute::Relative => all.push(relative::table(&collected)),
                        Compute::Solved => all.push(solved::table(&collected)),
                        Compute::Fronts => all.push(fronts::table(&collected)?),
                        Compute::Discovery => all.extend(discovery::tables(&collected)?),
                        Compute::Iterations
                        | Compute::Sizes
                        | Compute::Deltas
                        | Compute::Answers
                        | Compute::Rediscovered
                        | Compute::Coverage => {}
                    }
                }
                collect::runs_csv(&collected)
            }
            Runs::Coverage(_) => {
                let covering = Covering::read(folder)?;
                if compute.contains(&Compute::Coverage) {
                    all.extend(coverage::tables(&covering)?);
                }
                covering.runs_csv()
            }
            Runs::Hunts(hunts) if hunts.defects.is_empty() => {
                let answered = Answered::read(folder, hunts)?;
                if compute.contains(&Compute::Answers) {
                    all.extend(answers::tables(&answered));
                }
                answered.runs_csv()
            }
            Runs::Hunts(hunts) => {
                let hunted = Hunted::read(folder, hunts)?;
                for compute in compute {
                    match compute {
                        Compute::Iterations => all.extend(iterations::tables(&hunted)),
                        Compute::Sizes => all.push(sizes::table(&hunted)),
                        Compute::Deltas => all.push(deltas::table(&hunted)),
                        Compute::Rediscovered => all.push(rediscovered::table(&hunted)),
                        _ => {}
                    }
                }
                hunted.runs_csv()
            }
        };
        Ok(Tables { folder, runs, all })
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
        written.push(write("runs.csv", self.runs.clone())?);
        Ok(written)
    }
}

#[cfg(test)]
mod tests;
