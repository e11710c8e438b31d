//! Standard output, where verbs print: what a reader that left misses is no error, and any other failure is.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::exit::{AlreadyReported, NotWritten, Status};

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
}
