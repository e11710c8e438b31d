//! Reads what a run recorded, also while another process still writes it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::checkpoint::Checkpoint;
use super::defects::{INSTANCE, REDUCED, RUNS, STATE};
use super::directory::names;
use super::error::RecordError;
use super::format::{DefectRecord, DefectState, Summary};
use super::table::Row;

/// The rows of a table, by the names of its columns. A last line without its newline, which is being written or was
/// torn by a kill, is left out; a table that is not there has no rows.
///
/// # Errors
/// [`RecordError::Read`]; [`RecordError::Damaged`] if a whole row is not of this type.
pub fn read_rows<R: Row + DeserializeOwned>(path: &Path) -> Result<Vec<R>, RecordError> {
    let content = match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        content => content.map_err(RecordError::read(path))?,
    };
    let whole = content.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&content[..whole]);
    reader.deserialize().map(|row| row.map_err(|error| RecordError::damaged(path, error))).collect()
}

/// Bytes at the end of a table in which its last whole row is looked for: far above the longest row of numbers.
const TAIL: u64 = 1 << 16;

/// The last whole row of a table, without reading the rest of it: how far a run is is asked often. `None` if the table
/// is not there or has no row.
///
/// # Errors
/// [`RecordError::Read`]; [`RecordError::Damaged`] if the row is not of this type.
pub fn read_last_row<R: Row + DeserializeOwned>(path: &Path) -> Result<Option<R>, RecordError> {
    let mut file = match fs::File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(RecordError::read(path))?,
    };
    let mut read = || {
        let length = file.metadata()?.len();
        let mut head = Vec::new();
        (&mut file).take(TAIL).read_to_end(&mut head)?;
        let mut tail = Vec::new();
        if length > TAIL {
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL).max(TAIL)))?;
            file.read_to_end(&mut tail)?;
        }
        Ok((head, tail))
    };
    let (head, tail) = read().map_err(RecordError::read(path))?;
    let Some(header) = head.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
    // What lies between the two parts is not needed: only the last line is.
    let rows = [&head[header + 1..], &tail].concat();
    let Some(end) = rows.iter().rposition(|byte| *byte == b'\n') else { return Ok(None) };
    let start = rows[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let text = [&head[..=header], &rows[start..=end]].concat();
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_slice());
    reader.deserialize().next().transpose().map_err(|error| RecordError::damaged(path, error))
}

/// The summary of a run; `None` while it has none.
///
/// # Errors
/// [`RecordError::Read`], [`RecordError::Damaged`].
pub fn read_summary(root: &Path) -> Result<Option<Summary>, RecordError> {
    read_json(&root.join(names::SUMMARY))
}

/// What a JSON file holds; `None` if it is not there.
///
/// # Errors
/// [`RecordError::Read`]; [`RecordError::Damaged`] if it holds something else.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RecordError> {
    match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        json => {
            let json = json.map_err(RecordError::read(path))?;
            serde_json::from_slice(&json).map(Some).map_err(|error| RecordError::damaged(path, error))
        }
    }
}

/// The scripts of the final population, by the individuals' numbers.
///
/// # Errors
/// [`RecordError::Read`].
pub fn read_population(root: &Path) -> Result<BTreeMap<u32, PathBuf>, RecordError> {
    let folder = root.join(names::POPULATION);
    let mut scripts = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(RecordError::read(&folder))? {
        let path = entry.map_err(RecordError::read(&folder))?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        scripts.extend(number.map(|number| (number, path)));
    }
    Ok(scripts)
}

/// The numbers of the individuals in the population: of the final one if the run `is_over`, else of the last checkpoint.
///
/// # Errors
/// [`RecordError::Read`], [`RecordError::Damaged`].
pub fn read_members(root: &Path, is_over: bool) -> Result<Vec<u32>, RecordError> {
    if is_over {
        return Ok(read_population(root)?.into_keys().collect());
    }
    let checkpoint = Checkpoint::read(&root.join(names::CHECKPOINT))?;
    Ok(checkpoint.map_or_else(Vec::new, |state| state.record.population.iter().map(|member| member.id).collect()))
}

/// A suspicion with what its folder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedDefect {
    /// The folder.
    pub folder: PathBuf,
    /// Where the suspicion stands.
    pub record: DefectRecord,
    /// The script as it was found, in the target's dialect.
    pub instance: String,
    /// Its reduced form, if that is what was confirmed.
    pub reduced: Option<String>,
    /// All runs: of the script as it was found those of the search, and those that confirm of the reduced form if there is one.
    pub runs: Vec<DefectRun>,
}

/// A row of a suspicion's `runs.csv`, as far as readers need it. Times are CPU seconds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md, with units")]
pub struct DefectRun {
    pub purpose: String,
    pub solver: String,
    pub limit_seconds: f64,
    pub answer: String,
    pub cpu_seconds: f64,
}

/// All suspicions, by number. Nothing is changed, so that another process may still work in the directory.
///
/// # Errors
/// [`RecordError::Read`], [`RecordError::Damaged`].
pub fn read_defects(root: &Path) -> Result<Vec<RecordedDefect>, RecordError> {
    let mut defects = Vec::new();
    for home in [names::DEFECTS, names::CANDIDATES].map(|name| root.join(name)).iter().filter(|home| home.is_dir()) {
        for entry in fs::read_dir(home).map_err(RecordError::read(home))? {
            let folder = entry.map_err(RecordError::read(home))?.path();
            let path = folder.join(STATE);
            // A folder without a state is what a killed process left, or is just being made.
            let Ok(json) = fs::read(&path) else { continue };
            let record: DefectRecord =
                serde_json::from_slice(&json).map_err(|error| RecordError::damaged(&path, error))?;
            let path = folder.join(INSTANCE);
            let instance = fs::read_to_string(&path).map_err(RecordError::read(&path))?;
            let reduced = fs::read_to_string(path.with_file_name(REDUCED)).ok();
            let reduced = reduced.filter(|_| record.state == DefectState::Confirmed);
            let path = folder.join(RUNS);
            let table = fs::read(&path).map_err(RecordError::read(&path))?;
            let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(table.as_slice());
            let runs: Result<Vec<DefectRun>, csv::Error> = reader.deserialize().collect();
            let runs = runs.map_err(|error| RecordError::damaged(&path, error))?;
            defects.push(RecordedDefect { folder, record, instance, reduced, runs });
        }
    }
    defects.sort_by_key(|defect| defect.record.number);
    Ok(defects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::format::ResultRow;

    const HEADER: &str = "id,limit_seconds,target_result,target_seconds,target_memory_bytes,reference_result,\
                          reference_seconds,reference_memory_bytes\n";

    #[test]
    fn a_row_that_is_being_written_is_left_out_and_one_that_is_wrong_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(names::RESULT_SET);
        assert_eq!(read_rows::<ResultRow>(&path).unwrap(), []);
        fs::write(&path, format!("{HEADER}7,10,timeout,10.01,5,unsat,0.02,6\n8,10,sa")).unwrap();
        let rows: Vec<ResultRow> = read_rows(&path).unwrap();
        assert_eq!((rows.len(), rows[0].id, rows[0].target_seconds), (1, 7, 10.01));
        fs::write(&path, format!("{HEADER}seven,10,timeout,10.01,5,unsat,0.02,6\n")).unwrap();
        assert!(read_rows::<ResultRow>(&path).unwrap_err().to_string().contains("result_set.csv is damaged"));
    }

    #[test]
    fn the_last_whole_row_is_found_in_short_and_long_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(names::RESULT_SET);
        let last = || read_last_row::<ResultRow>(&path).unwrap().map(|row| row.id);
        assert_eq!(last(), None);
        fs::write(&path, HEADER).unwrap();
        assert_eq!(last(), None);
        for count in [1, 3, 2_000, 10_000] {
            let rows: Vec<String> = (1..=count).map(|id| format!("{id},10,timeout,10.01,5,unsat,0.02,6\n")).collect();
            fs::write(&path, format!("{HEADER}{}99999,10,tim", rows.concat())).unwrap();
            assert_eq!(last(), Some(count), "{count} rows");
        }
    }

    #[test]
    fn a_run_without_a_summary_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_summary(folder.path()).unwrap(), None);
        fs::write(folder.path().join(names::SUMMARY), "{").unwrap();
        assert!(read_summary(folder.path()).is_err());
    }
}
