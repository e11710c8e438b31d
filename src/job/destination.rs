//! Where scripts that are made go: numbered files of an empty folder, or standard output.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::exit::NotWritten;

/// Why scripts could not be put where the user wants them.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The folder has files already: a usage error (exit code 2), so that nothing is ever overwritten.
    #[error("{} is not empty: choose a new folder for --out", .0.display())]
    NotEmpty(PathBuf),
    /// A folder or file could not be written (exit code 4).
    #[error("{0}")]
    Write(#[from] NotWritten),
}

/// Writes one script to the file that the user names for it.
///
/// # Errors
/// [`NotWritten`] (exit code 4).
pub fn write_one(path: &Path, text: &str) -> Result<(), NotWritten> {
    fs::write(path, text).map_err(|source| NotWritten { path: path.to_owned(), source })
}

/// The destination of a sequence of scripts.
#[derive(Debug)]
pub enum Destination {
    /// `000001.smt2`, `000002.smt2`, … in a folder.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// How many digits a number has.
        digits: usize,
    },
    /// Standard output, with `(reset)` lines between scripts, so that a solver can read them all at once.
    StandardOutput,
}

impl Destination {
    /// A destination for `count` scripts: `folder`, which is made if it does not exist, or standard output.
    ///
    /// # Errors
    /// [`OutputError`] if the folder is not empty or cannot be made.
    pub fn open(folder: Option<&Path>, count: usize) -> Result<Destination, OutputError> {
        let Some(folder) = folder else { return Ok(Destination::StandardOutput) };
        let failed = |source| NotWritten { path: folder.to_path_buf(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        if fs::read_dir(folder).map_err(failed)?.next().is_some() {
            return Err(OutputError::NotEmpty(folder.to_path_buf()));
        }
        Ok(Destination::Folder { folder: folder.to_path_buf(), digits: count.to_string().len().max(6) })
    }

    /// Whether scripts go to standard output, one after the other.
    pub fn is_stream(&self) -> bool {
        matches!(self, Destination::StandardOutput)
    }

    /// What stands between two scripts of a stream.
    pub const SEPARATOR: &'static str = "(reset)\n";

    /// Writes script number `number` (from 1) to its own file.
    ///
    /// # Errors
    /// [`OutputError::Write`]
    pub fn write_file(&self, number: usize, text: &str) -> Result<(), OutputError> {
        let Destination::Folder { folder, digits } = self else { return self.write_stream(text) };
        let path = folder.join(format!("{number:0digits$}.smt2"));
        Ok(write_one(&path, text)?)
    }

    /// Writes text to standard output. A reader that stopped reading is no error.
    ///
    /// # Errors
    /// [`OutputError::Write`]
    pub fn write_stream(&self, text: &str) -> Result<(), OutputError> {
        let mut output = io::stdout().lock();
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(source) => Err(NotWritten { path: PathBuf::from("standard output"), source }.into()),
            Ok(()) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_numbered_and_never_overwritten() {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let folder = scratch.path().join("new");
        let destination = Destination::open(Some(&folder), 12).expect("an empty folder");
        destination.write_file(12, "(check-sat)\n").expect("a writable folder");
        assert_eq!(fs::read_to_string(folder.join("000012.smt2")).expect("the file"), "(check-sat)\n");
        assert!(matches!(Destination::open(Some(&folder), 1), Err(OutputError::NotEmpty(_))));
    }
}
