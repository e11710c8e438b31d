//! What can stop a report.

use std::path::PathBuf;

use super::figure::png::PngError;
use crate::config::ConfigError;
use crate::experiment::ExperimentError;
use crate::record::RecordError;

/// A report that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A folder holds neither a run nor an experiment.
    #[error(
        "{path} is neither a run directory (with config.toml and evaluations.csv) nor an experiment (with runs/ARM/NNN)"
    )]
    NotResults {
        /// The folder.
        path: PathBuf,
    },
    /// An experiment in which no run has begun.
    #[error("{path} holds no run that has begun: expected run directories runs/ARM/NNN with evaluations.csv")]
    NoRuns {
        /// The experiment's folder.
        path: PathBuf,
    },
    /// An experiment whose runs have no generations to plot.
    #[error("{path} is an experiment of {what}, which has no plots: `experiment tables {path}` has its tables")]
    NoPlots {
        /// The experiment's folder.
        path: PathBuf,
        /// What its runs are.
        what: &'static str,
    },
    /// A file of a run cannot be read, or the report cannot be written.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// A run's configuration cannot be read.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// An experiment cannot be read.
    #[error("{0}")]
    Experiment(#[from] ExperimentError),
    /// A picture cannot be made.
    #[error(transparent)]
    Png(#[from] PngError),
    /// A folder or file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}
