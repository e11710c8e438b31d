//! The archive of all line counts seen: the paper's *codeInfos* (Algorithm 2).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::counts::{LineCounts, LineSlot};
use super::error::CoverageError;
use super::map::CoverageMap;

/// For each line the most that any run ever executed it, and so which lines and files are known.
///
/// It knows of a [`CoverageMap`] only which file each slot belongs to, so that recorded counts can be scored again
/// without the build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ArchiveRecord", into = "ArchiveRecord")]
pub struct Archive {
    file_of_slot: Arc<[u32]>,
    /// By slot; 0 for a line that never ran.
    maxima: Vec<u64>,
    /// By file: has a line that ran.
    known_files: Vec<bool>,
    covered: usize,
}

impl Archive {
    /// An empty archive. `file_of_slot` gives each slot's file index, as
    /// [`CoverageMap::file_of_slot`] does.
    pub fn new(file_of_slot: Arc<[u32]>) -> Self {
        let files = file_of_slot.iter().max().map_or(0, |&last| last as usize + 1);
        Archive { maxima: vec![0; file_of_slot.len()], known_files: vec![false; files], covered: 0, file_of_slot }
    }

    /// Raises the maxima to the counts of a run. Merging is commutative and idempotent. Slots beyond the archive's
    /// are ignored.
    pub fn merge(&mut self, counts: &LineCounts) {
        for (slot, count) in counts.iter() {
            let Some(maximum) = self.maxima.get_mut(slot.index()) else { continue };
            if *maximum == 0 {
                self.covered += 1;
                self.known_files[self.file_of_slot[slot.index()] as usize] = true;
            }
            *maximum = count.max(*maximum);
        }
    }

    /// The most that any merged run executed the line; 0 if none did.
    pub fn maximum(&self, slot: LineSlot) -> u64 {
        self.maxima.get(slot.index()).copied().unwrap_or(0)
    }

    /// Whether some line of the file ran.
    pub fn knows_file(&self, file: u32) -> bool {
        self.known_files.get(file as usize).copied().unwrap_or(false)
    }

    /// The file of a slot; `None` beyond the archive's slots.
    pub fn file_of(&self, slot: LineSlot) -> Option<u32> {
        self.file_of_slot.get(slot.index()).copied()
    }

    /// Number of lines that ever ran.
    pub fn covered_lines(&self) -> usize {
        self.covered
    }

    /// Number of files with a line that ever ran.
    pub fn covered_files(&self) -> usize {
        self.known_files.iter().filter(|known| **known).count()
    }

    /// Number of line slots.
    pub fn slots(&self) -> usize {
        self.maxima.len()
    }

    /// The lines that ever ran, ascending, with their maxima.
    pub fn iter(&self) -> impl Iterator<Item = (LineSlot, u64)> + '_ {
        let lines = (0..).zip(&self.maxima).filter(|(_, maximum)| **maximum > 0);
        lines.map(|(slot, &maximum)| (LineSlot::new(slot), maximum))
    }

    /// The rows of `coverage.csv`, ascending by file and line: file, line, maximum. Slots that `map` does not have are
    /// left out.
    pub fn rows<'a>(&'a self, map: &'a CoverageMap) -> impl Iterator<Item = (&'a str, u32, u64)> + 'a {
        self.iter().filter(|(slot, _)| slot.index() < map.slots()).map(|(slot, maximum)| {
            let (file, line) = map.location(slot);
            (file, line, maximum)
        })
    }

    /// The maxima in the compact encoding of [`LineCounts::encode`].
    pub fn encode(&self) -> Vec<u8> {
        self.iter().collect::<LineCounts>().encode()
    }

    /// The inverse of [`Archive::encode`].
    ///
    /// # Errors
    /// [`CoverageError::Damaged`] when the bytes are anything else, or have slots beyond `file_of_slot`.
    pub fn decode(bytes: &[u8], file_of_slot: Arc<[u32]>) -> Result<Self, CoverageError> {
        let counts = LineCounts::decode(bytes)?;
        let mut archive = Archive::new(file_of_slot);
        if counts.iter().any(|(slot, _)| slot.index() >= archive.slots()) {
            return Err(CoverageError::Damaged("archive"));
        }
        archive.merge(&counts);
        Ok(archive)
    }
}

/// How an archive is written in a checkpoint: without the lines that never ran.
#[derive(Serialize, Deserialize)]
struct ArchiveRecord {
    /// Runs of slots of the same file: file, number of slots.
    files: Vec<(u32, u32)>,
    slots: Vec<u32>,
    maxima: Vec<u64>,
}

impl From<Archive> for ArchiveRecord {
    fn from(archive: Archive) -> Self {
        let runs = archive.file_of_slot.chunk_by(|left, right| left == right);
        let (slots, maxima) = archive.iter().map(|(slot, maximum)| (slot.index() as u32, maximum)).unzip();
        ArchiveRecord { files: runs.map(|run| (run[0], run.len() as u32)).collect(), slots, maxima }
    }
}

impl TryFrom<ArchiveRecord> for Archive {
    type Error = CoverageError;

    fn try_from(record: ArchiveRecord) -> Result<Self, CoverageError> {
        const SLOT_LIMIT: u64 = 1 << 28;
        let total: u64 = record.files.iter().map(|&(_, slots)| u64::from(slots)).sum();
        let sound = total <= SLOT_LIMIT
            && record.files.iter().all(|&(file, _)| u64::from(file) < SLOT_LIMIT)
            && record.slots.len() == record.maxima.len()
            && record.slots.iter().all(|&slot| u64::from(slot) < total);
        if !sound {
            return Err(CoverageError::Damaged("archive"));
        }
        let slots = record.files.iter().flat_map(|&(file, slots)| std::iter::repeat_n(file, slots as usize));
        let mut archive = Archive::new(slots.collect());
        let lines = record.slots.into_iter().map(LineSlot::new).zip(record.maxima);
        archive.merge(&lines.collect());
        Ok(archive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pairs: &[(u32, u64)]) -> LineCounts {
        pairs.iter().map(|&(slot, count)| (LineSlot::new(slot), count)).collect()
    }

    #[test]
    fn maxima_only_rise() {
        let mut archive = Archive::new([0, 0, 1].into());
        archive.merge(&counts(&[(0, 5), (2, 1)]));
        archive.merge(&counts(&[(0, 3), (1, 2)]));
        assert_eq!(archive.iter().map(|(_, maximum)| maximum).collect::<Vec<_>>(), [5, 2, 1]);
        assert_eq!((archive.covered_lines(), archive.covered_files()), (3, 2));
    }

    #[test]
    fn both_encodings_are_lossless() {
        let mut archive = Archive::new([0, 0, 1, 4].into());
        archive.merge(&counts(&[(0, 5), (3, u64::MAX)]));
        let text = serde_json::to_string(&archive).expect("serialisable");
        assert_eq!(serde_json::from_str::<Archive>(&text).expect("own text"), archive);
        let decoded = Archive::decode(&archive.encode(), [0, 0, 1, 4].into()).expect("own bytes");
        assert_eq!(decoded, archive);
        assert!(Archive::decode(&archive.encode(), [0].into()).is_err());
    }
}
