//! Where verbs put the scripts that they make: numbered files of an empty folder, or standard output.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::exit::{AlreadyReported, NotWritten, Status};

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
        Ok(fs::write(&path, text).map_err(|source| NotWritten { path, source })?)
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

/// Standard output, for a verb's result. What a reader that stopped reading misses is no error; any other failure is
/// remembered, and is what the program ends with.
#[derive(Debug, Default)]
pub struct StandardOutput {
    failure: Option<io::Error>,
    /// Nobody reads any more.
    is_closed: bool,
}

impl StandardOutput {
    /// The verb's result, or the failure to print it.
    ///
    /// # Errors
    /// [`NotWritten`] (exit code 4), or the verb's own.
    pub fn finish<T>(mut self, result: anyhow::Result<T>) -> anyhow::Result<T> {
        // What was not flushed so far may fail only now.
        drop(self.flush());
        match self.failure {
            Some(source) => Err(NotWritten { path: PathBuf::from("standard output"), source }.into()),
            None => result,
        }
    }

    /// Prints the help or version that was asked for, or to standard error what is wrong with the command line.
    ///
    /// # Errors
    /// [`AlreadyReported`] for a wrong command line, [`NotWritten`] for a help that could not be printed.
    pub fn tell_usage(mut self, told: &clap::Error) -> anyhow::Result<Status> {
        let printed = told.print();
        if told.use_stderr() {
            return Err(AlreadyReported.into());
        }
        drop(self.outcome(printed.map(|()| 0), 0));
        self.finish(Ok(Status::Done))
    }

    /// The outcome of an attempt to write `whole` bytes.
    fn outcome(&mut self, attempt: io::Result<usize>, whole: usize) -> io::Result<usize> {
        match attempt {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(whole)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failure.get_or_insert(error);
                Err(kind.into())
            }
            written => written,
        }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let attempt = if self.is_closed { Ok(bytes.len()) } else { io::stdout().lock().write(bytes) };
        self.outcome(attempt, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let attempt = if self.is_closed { Ok(()) } else { io::stdout().lock().flush() };
        self.outcome(attempt.map(|()| 0), 0).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_stopped_is_no_failure_and_a_full_disk_is() {
        let mut output = StandardOutput::default();
        let tried = output.outcome(Err(io::ErrorKind::BrokenPipe.into()), 7);
        assert_eq!((tried.ok(), output.is_closed), (Some(7), true));
        assert_eq!(output.write(b"nobody reads this").ok(), Some(17));
        assert_eq!(output.finish(Ok(1)).ok(), Some(1));
        let mut output = StandardOutput::default();
        assert!(output.outcome(Err(io::ErrorKind::StorageFull.into()), 7).is_err());
        let error = output.finish(Ok(1)).expect_err("nothing was printed");
        assert_eq!(crate::exit::code(&error), 4);
    }

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
