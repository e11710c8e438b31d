//! The report: one HTML page about recorded runs that needs nothing else, and its plots as files.

mod defects;
mod error;
mod escape;
pub mod figure;
mod page;
mod plots;
pub mod series;
pub mod study;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

pub use error::ReportError;

use crate::explain::Growth;
use crate::matrix::Matrix;
use crate::record::{RecordError, write_atomically};
use figure::Figure;
use figure::png;
use figure::svg::{self, Styles};
use plots::Plots;
use study::Study;

/// What was written, and about what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// The folder of the plots.
    pub plots: PathBuf,
    /// Names of the plots that were drawn.
    pub drawn: Vec<&'static str>,
    /// Names of the plots for which there are no data, with the reason.
    pub missing: Vec<(&'static str, String)>,
    /// Arms that are compared.
    pub arms: usize,
    /// Runs that the report is about.
    pub runs: usize,
    /// Of these, how many are not finished.
    pub unfinished: usize,
}

/// Reports on run directories and experiments: writes `report.html` and `plots/` in `out`, over those of an earlier
/// report. The same records give the same bytes.
///
/// # Errors
/// [`ReportError`] if a folder is neither a run nor an experiment, a file in it is damaged, or the report cannot be
/// written.
pub fn write(folders: &[PathBuf], out: &Path) -> Result<Written, ReportError> {
    let study = Study::read(folders)?;
    let plots = Plots::of(&study);
    let folder = out.join("plots");
    std::fs::create_dir_all(&folder).map_err(|source| RecordError::Write { path: folder.clone(), source })?;
    let all: Vec<&Figure> = plots.all().collect();
    all.par_iter().try_for_each(|figure| write_figure(figure, &folder))?;
    write_atomically(&folder.join("defects.csv"), &defects::data(&study).csv())?;
    let page = out.join("report.html");
    write_atomically(&page, page::html(&study, &plots, out)?.as_bytes())?;
    let missing = |figure: &&Figure| figure.drawing.as_ref().err().map(|reason| (figure.name, reason.clone()));
    Ok(Written {
        page,
        plots: folder,
        drawn: all.iter().filter(|figure| figure.drawing.is_ok()).map(|figure| figure.name).collect(),
        missing: all.iter().filter_map(missing).collect(),
        arms: study.arms.len(),
        runs: study.runs().count(),
        unfinished: study.runs().filter(|run| !run.is_finished()).count(),
    })
}

/// Writes the heat map of a matrix in `out`, which is made if it does not exist, and how many defects each solver has:
/// `matrix` and `releases`, each as `.svg`, `.png` and `.csv`.
///
/// # Errors
/// [`ReportError`] if it cannot be drawn or written.
pub fn write_matrix(matrix: &Matrix, out: &Path) -> Result<(), ReportError> {
    std::fs::create_dir_all(out).map_err(|source| RecordError::Write { path: out.to_owned(), source })?;
    write_figure(&plots::heat_map::heat_map(matrix), out)?;
    write_figure(&plots::releases::figure(matrix), out)
}

/// The plot of a defect's growth: CPU time against size, target and reference.
pub fn growth_figure(growth: &Growth) -> Figure {
    plots::growth::figure(growth)
}

/// Writes `growth.svg` and `growth.csv` in `out`, which is made if it does not exist; no drawing if there is nothing to
/// draw.
///
/// # Errors
/// [`ReportError::Record`] if a file cannot be written.
pub fn write_growth(growth: &Growth, out: &Path) -> Result<(), ReportError> {
    let figure = growth_figure(growth);
    std::fs::create_dir_all(out).map_err(|source| RecordError::Write { path: out.to_owned(), source })?;
    write_atomically(&out.join("growth.csv"), &figure.data.csv())?;
    if let Ok(drawing) = &figure.drawing {
        let svg = svg::write(drawing, figure.name, figure.title, &figure.caption, Styles::Own);
        write_atomically(&out.join("growth.svg"), svg.as_bytes())?;
    }
    Ok(())
}

/// A plot as SVG and PNG, with what was plotted as CSV. A plot that cannot be drawn leaves no drawing of an earlier
/// report behind.
fn write_figure(figure: &Figure, folder: &Path) -> Result<(), ReportError> {
    let path = |kind: &str| folder.join(format!("{}.{kind}", figure.name));
    write_atomically(&path("csv"), &figure.data.csv())?;
    let Ok(drawing) = &figure.drawing else {
        for path in [path("svg"), path("png")] {
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(RecordError::Write { path, source }.into());
                }
                _ => {}
            }
        }
        return Ok(());
    };
    let svg = svg::write(drawing, figure.name, figure.title, &figure.caption, Styles::Own);
    write_atomically(&path("svg"), svg.as_bytes())?;
    Ok(write_atomically(&path("png"), &png::write(drawing)?)?)
}
