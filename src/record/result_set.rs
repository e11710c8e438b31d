//! `result_set.csv`: the final population at a higher limit, one row after the other, so that a stop loses one run.

use std::collections::BTreeMap;

use super::directory::{RunDirectory, names};
use super::error::RecordError;
use super::format::ResultRow;
use super::reader::read_rows;
use super::table::Table;

/// The growing table.
#[derive(Debug)]
pub struct ResultSet {
    table: Table<ResultRow>,
    rows: BTreeMap<u32, ResultRow>,
}

impl ResultSet {
    /// Opens the table of a run, or makes it. Rows that were measured at another limit are dropped: they do not compare.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn open(directory: &RunDirectory, limit_seconds: f64) -> Result<Self, RecordError> {
        let path = directory.path(names::RESULT_SET);
        let mut table = Table::open(&path)?;
        table.keep_while(|row: &ResultRow| row.limit_seconds == limit_seconds)?;
        let rows = read_rows::<ResultRow>(&path)?.into_iter().map(|row| (row.id, row)).collect();
        Ok(ResultSet { table, rows })
    }

    /// What is there, by the individuals' numbers.
    pub fn rows(&self) -> &BTreeMap<u32, ResultRow> {
        &self.rows
    }

    /// Adds a row, unless its individual has one.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn add(&mut self, row: ResultRow) -> Result<(), RecordError> {
        if !self.rows.contains_key(&row.id) {
            self.table.append(&row)?;
            self.rows.insert(row.id, row);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: u32, limit_seconds: f64) -> ResultRow {
        ResultRow {
            id,
            limit_seconds,
            target_result: "timeout".into(),
            target_seconds: limit_seconds,
            target_memory_bytes: 1,
            reference_result: "sat".into(),
            reference_seconds: 0.01,
            reference_memory_bytes: 1,
        }
    }

    #[test]
    fn rows_outlive_the_process_and_are_never_doubled() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("run");
        {
            let directory = RunDirectory::create(&root).unwrap();
            let mut set = ResultSet::open(&directory, 10.0).unwrap();
            for id in [3, 1, 3] {
                set.add(row(id, 10.0)).unwrap();
            }
        }
        std::fs::write(root.join(names::CONFIG), "").unwrap();
        let directory = RunDirectory::open(&root).unwrap();
        assert_eq!(ResultSet::open(&directory, 10.0).unwrap().rows().keys().copied().collect::<Vec<_>>(), [1, 3]);
        assert!(ResultSet::open(&directory, 20.0).unwrap().rows().is_empty());
    }
}
