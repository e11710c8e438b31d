//! The run directory (design §7): the only place that writes results.
//!
//! Truth is the *observation log* (`observations/log`): one checksummed frame per evaluation, appended as it happens,
//! and one per finished generation. Everything else can be made again from it and the configuration; the CSV files and
//! the checkpoint are there for people and for speed. Rows are flushed one by one, whole files are replaced atomically.

mod checkpoint;
mod defects;
mod directory;
mod error;
mod file;
pub mod format;
mod frame;
pub mod internal_errors;
mod journal;
mod lessons;
mod log;
mod reader;
mod recorder;
mod result_set;
mod suspects;
mod table;
mod traces;

pub use checkpoint::Checkpoint;
pub use defects::{
    BY_TRIAGE, DefectStore, Findings, RunList, SearchRuns, open_defects, read_confirmation, read_defect,
};
pub use directory::{RunDirectory, names};
pub use error::RecordError;
pub use file::{can_write, write_atomically};
pub use journal::{Journal, TOLD};
pub use lessons::{Lesson, read_lessons};
pub use log::{Damage, ObservationLog, Recorded, Similarities, StoppedWithin};
pub use reader::{
    DefectRun, RecordedDefect, read_defects, read_json, read_last_row, read_members, read_population, read_rows,
    read_summary,
};
pub use recorder::{OBSERVATION_LOG, Recorder, read_environment, read_lines, read_seeds};
pub use result_set::ResultSet;
pub use suspects::{path_of as suspect_path, read_suspects};
pub use table::{Row, Table};
pub use traces::TraceStore;
