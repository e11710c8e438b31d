//! `log.jsonl`: what all modules log while a run goes on, as JSON lines.
//!
//! A process logs through one subscriber, which is set up before it knows of a run directory; so the subscriber writes
//! to [`Journal`], and what comes before a journal is opened goes nowhere.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use super::directory::{RunDirectory, names};
use super::error::RecordError;

static FILE: Mutex<Option<File>> = Mutex::new(None);

/// The target of events that the user is told in another way: they go into the journal alone.
pub const TOLD: &str = "told";

/// Writes to the journal that is open, if one is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Journal;

impl Journal {
    /// Opens the journal of a run directory, to which lines are added; closes the one before.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn open(directory: &RunDirectory) -> Result<(), RecordError> {
        let path = directory.path(names::LOG);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(RecordError::write(&path))?;
        *FILE.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }
}

impl Write for Journal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
