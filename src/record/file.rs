//! Writing files so that neither a crash nor a full disk leaves half a file behind.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::error::RecordError;

/// What the name of a file ends in that would have replaced another one.
pub(super) const UNFINISHED: &str = ".new";

/// Replaces a file as a whole: a reader, and whoever comes after a crash, sees the old content or the new, never a part.
///
/// # Errors
/// [`RecordError::Write`]; the old content stays.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(UNFINISHED);
    let new = path.with_file_name(name);
    let written = File::create(&new)
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&new, path));
    if let Err(source) = written {
        // The half-written file is of no use to anybody; that it cannot be removed either changes nothing.
        drop(std::fs::remove_file(&new));
        return Err(RecordError::Write { path: path.to_owned(), source });
    }
    if let Some(folder) = path.parent() {
        // A bare name is in the working directory.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(RecordError::write(path))?;
    }
    Ok(())
}

/// Whether [`write_atomically`] can replace this file: for a verb that writes it only after a long time.
///
/// # Errors
/// [`RecordError::Write`]
pub fn can_write(path: &Path) -> Result<(), RecordError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(UNFINISHED);
    let new = path.with_file_name(name);
    if path.is_dir() {
        return Err(RecordError::write(path)(std::io::ErrorKind::IsADirectory.into()));
    }
    File::create(&new).and_then(|_| std::fs::remove_file(&new)).map_err(RecordError::write(path))
}

/// A file that only grows. Every append is one unbuffered write; one that fails is taken back.
#[derive(Debug)]
pub(super) struct AppendFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl AppendFile {
    /// Opens the file, or makes it.
    pub(super) fn open(path: &Path) -> Result<Self, RecordError> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = options.map_err(RecordError::write(path))?;
        let length = file.metadata().map_err(RecordError::read(path))?.len();
        Ok(AppendFile { path: path.to_owned(), file, length })
    }

    /// Opens a file that is only read.
    pub(super) fn read_only(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(RecordError::read(path))?;
        let length = file.metadata().map_err(RecordError::read(path))?.len();
        Ok(AppendFile { path: path.to_owned(), file, length })
    }

    /// The file's path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's length in bytes: where the next append goes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Appends; after an error the file is as it was before.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.overwrite_from(self.length, bytes)
    }

    /// Replaces everything from `offset` on, by one write if the new end is not shorter than the old.
    pub(super) fn overwrite_from(&mut self, offset: u64, bytes: &[u8]) -> Result<(), RecordError> {
        let end = offset + bytes.len() as u64;
        let written = self
            .file
            .write_all_at(bytes, offset)
            .and_then(|()| if end < self.length { self.file.set_len(end) } else { Ok(()) });
        if let Err(source) = written {
            // Taking back is all that can be done; a torn end that stays is repaired when the run is resumed.
            drop(self.file.set_len(self.length.max(offset)));
            return Err(RecordError::Write { path: self.path.clone(), source });
        }
        self.length = end;
        Ok(())
    }

    /// Cuts the file to a length.
    pub(super) fn truncate(&mut self, length: u64) -> Result<(), RecordError> {
        self.file.set_len(length).map_err(RecordError::write(&self.path))?;
        self.length = length;
        Ok(())
    }

    /// Makes sure that what was appended survives a power cut.
    pub(super) fn sync(&self) -> Result<(), RecordError> {
        self.file.sync_data().map_err(RecordError::write(&self.path))
    }

    /// Reads a part of the file.
    pub(super) fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, RecordError> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset).map_err(RecordError::read(&self.path))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_append_that_fails_is_taken_back() {
        let mut full = AppendFile {
            path: "/dev/full".into(),
            file: OpenOptions::new().write(true).open("/dev/full").unwrap(),
            length: 0,
        };
        let error = full.append(b"row\n").unwrap_err();
        assert!(error.is_write(), "{error}");
        assert_eq!(full.length(), 0);
    }

    #[test]
    fn a_replacement_leaves_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.json");
        write_atomically(&path, b"old").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_atomically(&folder.path().join("no/where"), b"x").unwrap_err().is_write());
    }

    #[test]
    fn a_bare_name_is_in_the_working_directory() {
        // Tests run in the package's folder.
        let name = Path::new("a-bare-name.test");
        write_atomically(name, b"new").unwrap();
        assert_eq!(std::fs::read(name).unwrap(), b"new");
        std::fs::remove_file(name).unwrap();
    }

    #[test]
    fn the_end_of_a_file_can_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AppendFile::open(&folder.path().join("a")).unwrap();
        file.append(b"one\ntwo\n").unwrap();
        file.overwrite_from(4, b"2\n").unwrap();
        assert_eq!(std::fs::read(file.path()).unwrap(), b"one\n2\n");
        file.append(b"three\n").unwrap();
        assert_eq!(file.read_at(6, 5).unwrap(), b"three");
    }
}
