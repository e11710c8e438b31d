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

/// The tables of an experiment, from its finished runs.
///
/// # Errors
/// [`ExperimentError::NothingFinished`], [`ExperimentError::Record`].
pub fn tables(folder: &ExperimentFolder) -> Result<Vec<Table>, ExperimentError> {
    let collected = Collected::read(folder)?;
    let mut tables = Vec::new();
    for compute in &folder.plan().compute {
        match compute {
            Compute::Results => tables.push(results::table(&collected)),
            Compute::Comparison => tables.extend(comparison::tables(&collected)),
            Compute::Relative => tables.push(relative::table(&collected)),
            Compute::Fronts => tables.push(fronts::table(&collected)?),
        }
    }
    Ok(tables)
}

/// Writes the tables below the experiment's folder: `tables/tables.md`, a `.tex` and a `.csv` for each, and `runs.csv`,
/// the numbers of each run. Returns what was written.
///
/// # Errors
/// Those of [`tables()`], and when a file cannot be written.
pub fn write(folder: &ExperimentFolder) -> Result<Vec<PathBuf>, ExperimentError> {
    let tables = tables(folder)?;
    let place = |name: &str| Path::new(names::TABLES).join(name);
    let mut written = vec![folder.write(&place("tables.md"), Format::Markdown.document(&tables).as_bytes())?];
    for table in &tables {
        for format in [Format::Csv, Format::Latex] {
            let name = format!("{}.{}", table.name, format.extension());
            written.push(folder.write(&place(&name), format.of(table).as_bytes())?);
        }
    }
    let runs = collect::runs_csv(&Collected::read(folder)?);
    written.push(folder.write(&place("runs.csv"), runs.as_bytes())?);
    Ok(written)
}
