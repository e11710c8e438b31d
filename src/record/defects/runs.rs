//! The runs of a suspicion: the search's two and those of its confirmation, in a table at the end and as a list meanwhile.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::error::RecordError;
use super::super::file::write_atomically;
use super::super::format::DefectRecord;
use crate::evaluate::individual::Timed;
use crate::oracle::performance::RunRow;

/// The runs of a confirmation that was not finished, or that confirmed, one JSON object per line.
pub(super) const CONFIRMATION: &str = "confirmation.jsonl";
/// The script that these runs are of.
pub(super) const CONFIRMED: &str = "confirmation.script";
/// Rows of a table of runs that are the search's: the header, the target and the reference.
const SEARCH_ROWS: usize = 3;

/// The two runs of the search that made somebody a candidate.
#[derive(Clone, Copy, Debug)]
pub struct SearchRuns<'a> {
    /// The target at the search limit.
    pub target: &'a Timed,
    /// The reference at the search limit.
    pub reference: &'a Timed,
    /// The limit, CPU seconds.
    pub limit_seconds: f64,
}

/// The script that a suspicion's folder has a confirmation of, as far as it came, and its runs; none if it has none. A torn
/// last line is ignored.
///
/// # Errors
/// [`RecordError::Read`].
pub fn read_confirmation(folder: &Path) -> Result<Option<(String, Vec<RunRow>)>, RecordError> {
    let read = |name: &str| {
        let path = folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RecordError::Read { path, source }),
        }
    };
    let (Some(script), Some(runs)) = (read(CONFIRMED)?, read(CONFIRMATION)?) else { return Ok(None) };
    Ok(Some((script, runs.lines().map_while(|line| serde_json::from_str(line).ok()).collect())))
}

/// Removes what a folder has of a confirmation, the runs first: without them the script says nothing.
pub(super) fn forget_confirmation(folder: &Path) -> Result<(), RecordError> {
    for path in [CONFIRMATION, CONFIRMED].map(|name| folder.join(name)) {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(RecordError::write(&path)(error)),
            _ => {}
        }
    }
    Ok(())
}

/// A table of runs with these runs of a confirmation behind the search's: those of an earlier one, or of one that was stopped
/// after they were written, are not counted once more.
pub(super) fn with_confirmation(path: &Path, runs: &[RunRow]) -> Result<Vec<u8>, RecordError> {
    let table = fs::read(path).map_err(RecordError::read(path))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(table.as_slice());
    let mut row = csv::ByteRecord::new();
    for _ in 0..SEARCH_ROWS {
        reader.read_byte_record(&mut row).map_err(|error| RecordError::damaged(path, error))?;
    }
    let end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX).min(table.len());
    Ok([&table[..end], &csv_lines(runs.iter().map(RunRow::record))].concat())
}

/// The growing list of a confirmation's runs.
#[derive(Debug)]
pub struct RunList {
    path: PathBuf,
    file: fs::File,
}

impl RunList {
    /// A list of the `known` runs, written anew: a torn line does not stay in the way.
    pub(super) fn beginning_with(known: &[RunRow], path: PathBuf) -> Result<Self, RecordError> {
        let lines = known.iter().filter_map(|run| serde_json::to_string(run).ok());
        let text = lines.fold(String::new(), |text, line| text + &line + "\n");
        write_atomically(&path, text.as_bytes())?;
        let file = fs::OpenOptions::new().append(true).open(&path).map_err(RecordError::write(&path))?;
        Ok(RunList { path, file })
    }

    /// Adds a run: one write.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn add(&mut self, run: &RunRow) -> Result<(), RecordError> {
        let line = serde_json::to_string(run).map_err(|error| RecordError::damaged(&self.path, error))? + "\n";
        self.file.write_all(line.as_bytes()).map_err(RecordError::write(&self.path))
    }
}

pub(super) fn search_runs(record: &DefectRecord, runs: &SearchRuns<'_>) -> Vec<u8> {
    let row = |solver: &str, timed: &Timed| {
        [
            "search".to_owned(),
            solver.to_owned(),
            String::new(),
            String::new(),
            String::new(),
            runs.limit_seconds.to_string(),
            timed.answer.name().to_owned(),
            timed.cpu_seconds.to_string(),
            timed.wall_seconds.to_string(),
            timed.peak_memory_bytes.to_string(),
        ]
    };
    let mut table = csv_lines([RunRow::COLUMNS.map(str::to_owned)]);
    table.extend(csv_lines([row(&record.target, runs.target), row(&record.reference, runs.reference)]));
    table
}

fn csv_lines<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Writing into memory cannot fail, and all rows have the same length.
        drop(writer.write_record(&row));
    }
    writer.into_inner().unwrap_or_default()
}
