//! The run directory itself: its layout, its lock, and that nothing in it is ever overwritten by accident.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::error::RecordError;
use super::file::{UNFINISHED, write_atomically};

/// The names in a run directory (design §7).
pub mod names {
    /// Everything that decides the run, resolved.
    pub const CONFIG: &str = "config.toml";
    /// Versions, machine, command.
    pub const ENVIRONMENT: &str = "environment.json";
    /// One row per evaluation.
    pub const EVALUATIONS: &str = "evaluations.csv";
    /// One row per generation.
    pub const GENERATIONS: &str = "generations.csv";
    /// The final population.
    pub const POPULATION: &str = "population";
    /// The Pareto front.
    pub const FRONT: &str = "front.csv";
    /// The final population, run again at a higher limit.
    pub const RESULT_SET: &str = "result_set.csv";
    /// One folder per defect.
    pub const DEFECTS: &str = "defects";
    /// Suspicions that are not confirmed, one folder each.
    pub const CANDIDATES: &str = "candidates";
    /// What was learned of candidates.
    pub const KNOWN: &str = "known.jsonl";
    /// One row per script on which a solver may be wrong.
    pub const SUSPECT_TABLE: &str = "suspects.csv";
    /// These scripts.
    pub const SUSPECTS: &str = "suspects";
    /// What a hunt made of them.
    pub const HUNT: &str = "hunt";
    /// Scripts on which this program itself failed, `ID.smt2`.
    pub const INTERNAL_ERRORS: &str = "internal-errors";
    /// What a triage made of the defects and candidates.
    pub const TRIAGE: &str = "triage";
    /// What the triage came to, in numbers, of a run of an experiment.
    pub const TRIAGED: &str = "triaged.json";
    /// The archive.
    pub const COVERAGE: &str = "coverage.csv";
    /// The archive for LCOV, and what reads its tracefiles.
    pub const TRACEFILE: &str = "coverage.info";
    /// What `report` and scripts read.
    pub const SUMMARY: &str = "summary.json";
    /// What a replay needs.
    pub const OBSERVATIONS: &str = "observations";
    /// State for `--resume`.
    pub const CHECKPOINT: &str = "checkpoint";
    /// The structured log.
    pub const LOG: &str = "log.jsonl";
    /// Held while a process works in the directory.
    pub const LOCK: &str = "lock";
}

/// The folders of a run directory.
const FOLDERS: [&str; 4] = [names::POPULATION, names::DEFECTS, names::CANDIDATES, names::OBSERVATIONS];

/// Who looks whether a directory is in use holds its lock for a moment, and so does a solver that a killed run was about to
/// start, on a busy machine for longer: the lock is tried for two seconds.
const LOCK_TRIES: u32 = 40;
/// Between two tries.
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// A run directory that this process alone works in.
#[derive(Debug)]
pub struct RunDirectory {
    root: PathBuf,
    /// Locked as long as it is open; the kernel unlocks it however the process ends.
    _lock: Flock<File>,
}

impl RunDirectory {
    /// Whether a new run may be recorded in `root`: it must not exist, be empty, or hold only what a run left that was
    /// killed before it began.
    ///
    /// # Errors
    /// [`RecordError::Exists`] if it holds anything else; [`RecordError::Read`].
    pub fn check_free(root: &Path) -> Result<(), RecordError> {
        let entries = match std::fs::read_dir(root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory && !root.exists() => return Ok(()),
            Err(_) if root.exists() => return Err(RecordError::Exists { path: root.to_owned() }),
            Err(source) => return Err(RecordError::Read { path: root.to_owned(), source }),
        };
        for entry in entries {
            let name = entry.map_err(RecordError::read(root))?.file_name();
            let name = name.to_string_lossy();
            let name = name.strip_suffix(UNFINISHED).unwrap_or(&name);
            let before = [names::LOCK, names::LOG, names::ENVIRONMENT];
            // Of the configuration only the file that would have become it.
            let left_behind = FOLDERS.iter().chain(&before).any(|own| name == *own)
                || (name == names::CONFIG && !root.join(names::CONFIG).exists());
            if !left_behind {
                return Err(RecordError::Exists { path: root.to_owned() });
            }
        }
        Ok(())
    }

    /// Makes a new run directory where [`check_free`](Self::check_free) allows it.
    ///
    /// # Errors
    /// Those of `check_free`; [`RecordError::Write`] if it cannot be made.
    pub fn create(root: &Path) -> Result<Self, RecordError> {
        Self::check_free(root)?;
        std::fs::create_dir_all(root).map_err(RecordError::write(root))?;
        let directory = Self::locked(root)?;
        for folder in FOLDERS {
            let folder = root.join(folder);
            std::fs::create_dir_all(&folder).map_err(RecordError::write(&folder))?;
        }
        Ok(directory)
    }

    /// Opens the directory of an earlier run, to go on in it.
    ///
    /// # Errors
    /// [`RecordError::NotARun`], [`RecordError::Locked`], [`RecordError::Write`].
    pub fn open(root: &Path) -> Result<Self, RecordError> {
        if !root.join(names::CONFIG).is_file() {
            return Err(RecordError::NotARun { path: root.to_owned(), missing: names::CONFIG });
        }
        Self::locked(root)
    }

    /// Makes a folder that is laid out in another way, such as a hunt's, or opens it, to work in it alone.
    ///
    /// # Errors
    /// [`RecordError::Locked`], [`RecordError::Write`].
    pub fn claim(root: &Path) -> Result<Self, RecordError> {
        std::fs::create_dir_all(root).map_err(RecordError::write(root))?;
        Self::locked(root)
    }

    /// Whether a folder is a run directory in which something was evaluated.
    pub fn has_run(root: &Path) -> bool {
        root.join(names::CONFIG).is_file() && root.join(names::EVALUATIONS).is_file()
    }

    /// Whether a folder is a run directory, in which perhaps nothing was evaluated yet.
    pub fn is_begun(root: &Path) -> bool {
        root.join(names::CONFIG).is_file()
    }

    /// Whether a process works in the run directory now.
    pub fn is_in_use(root: &Path) -> bool {
        let Ok(file) = File::open(root.join(names::LOCK)) else { return false };
        matches!(Flock::lock(file, FlockArg::LockSharedNonblock), Err((_, Errno::EWOULDBLOCK)))
    }

    fn locked(root: &Path) -> Result<Self, RecordError> {
        let path = root.join(names::LOCK);
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(RecordError::write(&path))?;
        for _ in 0..LOCK_TRIES {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Err((refused, Errno::EWOULDBLOCK)) => file = refused,
                outcome => return Self::with_lock(root, &path, outcome),
            }
            std::thread::sleep(LOCK_PAUSE);
        }
        Self::with_lock(root, &path, Flock::lock(file, FlockArg::LockExclusiveNonblock))
    }

    fn with_lock(root: &Path, path: &Path, outcome: Result<Flock<File>, (File, Errno)>) -> Result<Self, RecordError> {
        match outcome {
            Ok(mut lock) => {
                let written = lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id()));
                written.map_err(RecordError::write(path))?;
                Ok(RunDirectory { root: root.to_owned(), _lock: lock })
            }
            Err((mut file, Errno::EWOULDBLOCK)) => {
                let mut process = String::new();
                // The number is only for the message.
                drop(file.read_to_string(&mut process));
                Err(RecordError::Locked { path: root.to_owned(), process: process.trim().to_owned() })
            }
            Err((_, errno)) => Err(RecordError::Write { path: path.to_owned(), source: errno.into() }),
        }
    }

    /// The directory's path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a file in it (see [`names`]).
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Writes a file of the directory as a whole, atomically.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), RecordError> {
        write_atomically(&self.path(name), content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_anything_in_it_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("thesis.tex"), "x").unwrap();
        assert!(matches!(RunDirectory::create(folder.path()), Err(RecordError::Exists { .. })));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn two_cannot_work_in_one_directory() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("run");
        let first = RunDirectory::create(&root).unwrap();
        first.write(names::CONFIG, b"").unwrap();
        let message = RunDirectory::open(&root).unwrap_err().to_string();
        assert!(message.ends_with(&format!("is in use by process {}", std::process::id())), "{message}");
        drop(first);
        assert!(RunDirectory::open(&root).is_ok());
    }

    #[test]
    fn a_folder_without_a_configuration_is_no_run() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(RunDirectory::open(folder.path()), Err(RecordError::NotARun { .. })));
    }
}
