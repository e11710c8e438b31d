//! `coverage.csv`, and the table of line slots that recorded counts refer to.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::coverage::{CoverageMap, LineSlot};
use crate::record::Row;

/// One line of the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md, with units")]
pub struct CoverageRow {
    pub file: String,
    pub line: u32,
    /// The most that any run executed it.
    pub count: u64,
}

impl Row for CoverageRow {
    const COLUMNS: &'static [&'static str] = &["file", "line", "count"];
}

/// Which line each slot is: all that recorded counts need of the instrumented build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineTable {
    /// Names the build; counts of different builds do not mix.
    pub fingerprint: u64,
    /// File names.
    pub files: Vec<String>,
    /// The file of each slot, as an index into `files`, ascending.
    pub file_of_slot: Arc<[u32]>,
    /// The line of each slot, from 1.
    pub line_of_slot: Vec<u32>,
}

impl LineTable {
    /// Whether each slot has a line and one of the files, ascending.
    pub(in crate::record) fn is_sound(&self) -> bool {
        self.file_of_slot.len() == self.line_of_slot.len()
            && self.file_of_slot.is_sorted()
            && self.file_of_slot.last().is_none_or(|&last| (last as usize) < self.files.len())
    }

    /// The file and line of a slot; `None` beyond the table.
    pub fn location(&self, slot: LineSlot) -> Option<(&str, u32)> {
        let file = *self.file_of_slot.get(slot.index())?;
        Some((self.files.get(file as usize)?, *self.line_of_slot.get(slot.index())?))
    }
}

impl From<&CoverageMap> for LineTable {
    fn from(map: &CoverageMap) -> Self {
        let mut files = vec![String::new(); map.files()];
        let mut line_of_slot = Vec::with_capacity(map.slots());
        for slot in (0..map.slots() as u32).map(LineSlot::new) {
            let (file, line) = map.location(slot);
            let name = &mut files[map.file_index(slot) as usize];
            if name.is_empty() {
                file.clone_into(name);
            }
            line_of_slot.push(line);
        }
        LineTable { fingerprint: map.fingerprint(), files, file_of_slot: map.file_of_slot(), line_of_slot }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_without_file_or_line_is_unsound() {
        let table = |file_of_slot: &[u32], line_of_slot: &[u32]| LineTable {
            fingerprint: 1,
            files: vec!["a".into(), "b".into()],
            file_of_slot: file_of_slot.into(),
            line_of_slot: line_of_slot.to_vec(),
        };
        assert!(table(&[], &[]).is_sound() && table(&[0, 1], &[3, 1]).is_sound());
        for (files, lines) in [(&[0, 2][..], &[3, 1][..]), (&[u32::MAX], &[1]), (&[1, 0], &[1, 1]), (&[0], &[])] {
            assert!(!table(files, lines).is_sound(), "{files:?} {lines:?}");
        }
    }
}
