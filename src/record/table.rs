//! CSV tables that grow by rows, flushed one by one.

use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::RecordError;
use super::file::AppendFile;

/// A row of a table, with the names of its columns in the order of its fields.
pub trait Row: Serialize {
    /// The header line.
    const COLUMNS: &'static [&'static str];
}

/// A growing CSV file with rows of one type.
#[derive(Debug)]
pub struct Table<R> {
    file: AppendFile,
    rows: PhantomData<fn(R)>,
}

impl<R: Row> Table<R> {
    /// Opens the table, or makes one with a header. A last line without its newline is what a killed process left of a
    /// row, and is cut off.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let mut file = AppendFile::open(path)?;
        let length = usize::try_from(file.length()).unwrap_or(usize::MAX);
        let content = file.read_at(0, length)?;
        let whole = content.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        if whole < content.len() {
            file.truncate(whole as u64)?;
        }
        if whole == 0 {
            file.append((R::COLUMNS.join(",") + "\n").as_bytes())?;
        }
        Ok(Table { file, rows: PhantomData })
    }

    /// Where the next row goes.
    pub(super) fn position(&self) -> u64 {
        self.file.length()
    }

    /// Appends one row: one write, no buffer.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be written.
    pub fn append(&mut self, row: &R) -> Result<(), RecordError> {
        let line = lines(std::slice::from_ref(row), self.file.path())?;
        self.file.append(&line)
    }

    /// Replaces all rows from a position on.
    pub(super) fn replace_from(&mut self, position: u64, rows: &[R]) -> Result<(), RecordError> {
        let lines = lines(rows, self.file.path())?;
        self.file.overwrite_from(position, &lines)
    }

    /// Keeps the rows for which `keep` says so, up to the first for which it does not; answers how many are left.
    pub(super) fn keep_while(&mut self, keep: impl Fn(&R) -> bool) -> Result<u64, RecordError>
    where
        R: DeserializeOwned,
    {
        let length = usize::try_from(self.file.length()).unwrap_or(usize::MAX);
        let content = self.file.read_at(0, length)?;
        let mut reader = csv::Reader::from_reader(content.as_slice());
        let mut kept = 0;
        let mut record = csv::StringRecord::new();
        let headers = reader.headers().map_err(|error| RecordError::damaged(self.file.path(), error))?.clone();
        let mut end = reader.position().byte();
        // A row that cannot be read was torn by a kill while its generation's end was written; the rest goes with it.
        while let Ok(true) = reader.read_record(&mut record) {
            let Ok(row) = record.deserialize::<R>(Some(&headers)) else { break };
            if !keep(&row) {
                break;
            }
            kept += 1;
            end = reader.position().byte();
        }
        self.file.truncate(end)?;
        Ok(kept)
    }
}

/// Writes a whole table.
pub(super) fn whole<R: Row>(rows: &[R], path: &Path) -> Result<Vec<u8>, RecordError> {
    let mut bytes = (R::COLUMNS.join(",") + "\n").into_bytes();
    bytes.extend(lines(rows, path)?);
    Ok(bytes)
}

fn lines<R: Serialize>(rows: &[R], path: &Path) -> Result<Vec<u8>, RecordError> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let serialised = rows.iter().try_for_each(|row| writer.serialize(row));
    serialised.map_err(|error| RecordError::damaged(path, error))?;
    writer.into_inner().map_err(|error| RecordError::damaged(path, error.error()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Serialize, Deserialize)]
    struct Pair {
        id: u32,
        text: String,
    }

    impl Row for Pair {
        const COLUMNS: &'static [&'static str] = &["id", "text"];
    }

    fn pair(id: u32, text: &str) -> Pair {
        Pair { id, text: text.into() }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_rest_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "id,text\n1,a\n2,\"b\nc\"\n3,").unwrap();
        let mut table: Table<Pair> = Table::open(&path).unwrap();
        table.append(&pair(3, "d, e")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,text\n1,a\n2,\"b\nc\"\n3,\"d, e\"\n");
    }

    #[test]
    fn rows_after_the_checkpoint_are_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let mut table: Table<Pair> = Table::open(&path).unwrap();
        for id in 0..5 {
            table.append(&pair(id, "x")).unwrap();
        }
        assert_eq!(table.keep_while(|row| row.id < 3).unwrap(), 3);
        let position = table.position();
        table.append(&pair(3, "y")).unwrap();
        table.replace_from(position, &[pair(3, "longer"), pair(4, "z")]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,text\n0,x\n1,x\n2,x\n3,longer\n4,z\n");
    }

    #[test]
    fn an_empty_file_gets_a_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "id,te").unwrap();
        let _table: Table<Pair> = Table::open(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,text\n");
    }
}
