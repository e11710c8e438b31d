//! What a run writes into its folder, looked at now and then: a limit of the kernel's is about each file alone.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Most files and folders that a run may make in its folder: an instrumented solver writes some thousands of data files.
const MOST_FILES: usize = 100_000;
/// When a folder is looked at first: most runs have ended by then.
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// The part of the time that looking may take.
const SHARE: u32 = 20;

/// The folder of a run.
pub(super) struct Folder {
    path: PathBuf,
    most_bytes: u64,
    next_look: Instant,
}

impl Folder {
    /// The folder at `path` of a run that starts now, and may write so many bytes there.
    pub(super) fn new(path: PathBuf, most_bytes: u64) -> Self {
        Folder { path, most_bytes, next_look: Instant::now() + FIRST_LOOK }
    }

    /// Whether there is more in it than allowed; `false` if it is not time for a look.
    pub(super) fn is_too_full(&mut self, now: Instant) -> bool {
        if now < self.next_look {
            return false;
        }
        let is_too_full = exceeds(&self.path, self.most_bytes, MOST_FILES);
        self.next_look = Instant::now() + FIRST_LOOK.max(now.elapsed() * SHARE);
        is_too_full
    }
}

/// Whether more bytes on disk, or more files and folders, are below `folder`. What vanishes meanwhile does not count.
fn exceeds(folder: &Path, most_bytes: u64, most_files: usize) -> bool {
    let (mut bytes, mut files) = (0, 0);
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            // Of a link itself, not of what it leads to.
            let Ok(data) = entry.metadata() else { continue };
            files += 1;
            // Counted in blocks of 512 bytes: a file with a hole is smaller than its length.
            bytes += data.blocks().saturating_mul(512);
            if bytes > most_bytes || files > most_files {
                return true;
            }
            if data.is_dir() {
                pending.push(entry.path());
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_lies_below_a_folder_counts_and_holes_do_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).expect("folders");
        fs::write(inner.join("one"), vec![1; 100_000]).expect("a file");
        fs::write(folder.path().join("two"), vec![1; 100_000]).expect("a file");
        fs::File::create(inner.join("hole")).and_then(|file| file.set_len(1 << 40)).expect("a file with a hole");
        std::os::unix::fs::symlink("/", folder.path().join("link")).expect("a link");
        assert!(exceeds(folder.path(), 199_999, 100));
        assert!(!exceeds(folder.path(), 300_000, 100));
        // Two folders, three files, and the link.
        assert!(exceeds(folder.path(), 300_000, 5) && !exceeds(folder.path(), 300_000, 6));
        assert!(!exceeds(&folder.path().join("none"), 0, 0));
    }
}
