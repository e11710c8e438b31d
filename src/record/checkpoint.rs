//! The checkpoint file: one frame, replaced atomically after each generation.

use std::path::Path;

use super::directory::{RunDirectory, names};
use super::error::RecordError;
use super::format::CheckpointRecord;
use super::frame;

/// A checkpoint as it lies in the file: the state, and the encoded archive.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The state.
    pub record: CheckpointRecord,
    /// [`Archive::encode`](crate::coverage::Archive::encode) of the archive.
    pub archive: Vec<u8>,
}

impl Checkpoint {
    pub(super) fn write(&self, directory: &RunDirectory) -> Result<(), RecordError> {
        let path = directory.path(names::CHECKPOINT);
        let head = serde_json::to_vec(&self.record).map_err(|error| RecordError::damaged(&path, error))?;
        directory.write(names::CHECKPOINT, &frame::encode(&head, &self.archive))
    }

    /// Reads the checkpoint; `None` if there is none.
    ///
    /// # Errors
    /// [`RecordError::Damaged`] if the checksum is another, [`RecordError::Read`].
    pub(super) fn read(path: &Path) -> Result<Option<Self>, RecordError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RecordError::Read { path: path.to_owned(), source }),
        };
        let (head, archive, _) =
            frame::decode(&bytes).ok_or_else(|| RecordError::damaged(path, "its checksum is wrong"))?;
        let record = serde_json::from_slice(head).map_err(|error| RecordError::damaged(path, error))?;
        Ok(Some(Checkpoint { record, archive: archive.to_vec() }))
    }
}
