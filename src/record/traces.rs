//! The traces of the living: kept until nobody needs to be compared with them any more.

use std::path::{Path, PathBuf};

use super::error::RecordError;
use crate::trace::Trace;

/// The folder of traces, one file per individual.
#[derive(Debug)]
pub struct TraceStore {
    folder: PathBuf,
}

impl TraceStore {
    /// Opens the folder, or makes it.
    pub(super) fn open(folder: &Path) -> Result<Self, RecordError> {
        std::fs::create_dir_all(folder).map_err(RecordError::write(folder))?;
        Ok(TraceStore { folder: folder.to_owned() })
    }

    fn path(&self, id: u32) -> PathBuf {
        self.folder.join(id.to_string())
    }

    /// Keeps an individual's trace.
    pub(super) fn save(&self, id: u32, trace: &Trace) -> Result<(), RecordError> {
        let path = self.path(id);
        std::fs::write(&path, trace.encode()).map_err(RecordError::write(&path))
    }

    /// An individual's trace; `None` if it was not kept.
    ///
    /// # Errors
    /// [`RecordError`] if it is there and cannot be read.
    pub fn load(&self, id: u32) -> Result<Option<Trace>, RecordError> {
        let path = self.path(id);
        match std::fs::read(&path) {
            Ok(bytes) => Trace::decode(&bytes).map(Some).map_err(|error| RecordError::damaged(&path, error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RecordError::Read { path, source }),
        }
    }

    /// Forgets all traces but those of the living.
    pub(super) fn keep_only(&self, is_alive: impl Fn(u32) -> bool) -> Result<(), RecordError> {
        let content = std::fs::read_dir(&self.folder).map_err(RecordError::read(&self.folder))?;
        for entry in content {
            let path = entry.map_err(RecordError::read(&self.folder))?.path();
            let id = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
            if !id.is_some_and(&is_alive) {
                std::fs::remove_file(&path).map_err(RecordError::write(&path))?;
            }
        }
        Ok(())
    }
}
