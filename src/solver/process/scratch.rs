//! Scratch folders: one per run, removed with it, and swept up after a process that died without removing its own.
//!
//! They lie in memory where there is room: to make and remove a folder on a disk takes as long as a short run of a solver,
//! mostly waiting.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError, Weak};
use std::time::Duration;

use nix::sys::statfs::{TMPFS_MAGIC, statfs};

use super::ProcessError;

/// How the folders of all our processes begin.
const PREFIX: &str = "mulstringfuzz-run-";
/// The file in a root that its owner keeps locked for as long as it lives.
const LOCK: &str = "lock";
/// A root without a living owner is swept up only when older than this: a younger one may be about to be locked.
const SWEEP_AGE: Duration = Duration::from_mins(1);

/// Where the system has a file system in memory that every user may write to.
const MEMORY: &str = "/dev/shm";
/// Bytes that must be free there. Containers often have 64 MiB, which one solver that writes much would fill.
const LEAST_MEMORY: u64 = 1 << 30;

/// A folder for one run, removed when dropped.
///
/// It lies in a root folder named by our process id, in memory if that is possible, and otherwise, or if `TMPDIR` is set,
/// under the system's folder for temporary files. The root is removed with the last scratch folder in it. Roots whose owner
/// died are removed when a process makes its first one.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// What we wrote in it: mostly nothing else is there to be removed.
    written: Vec<PathBuf>,
    /// Kept alive by us.
    root: Arc<Root>,
}

impl Scratch {
    /// Makes an empty folder.
    ///
    /// # Errors
    /// [`ProcessError::Scratch`] when it cannot be made.
    pub fn new() -> Result<Self, ProcessError> {
        match Place::best() {
            Place::Memory => Self::at(Place::Memory).or_else(|_| Self::at(Place::Disk)),
            Place::Disk => Self::at(Place::Disk),
        }
    }

    /// Makes an empty folder on disk, for what may be large.
    ///
    /// # Errors
    /// [`ProcessError::Scratch`] when it cannot be made.
    pub fn on_disk() -> Result<Self, ProcessError> {
        Self::at(Place::Disk)
    }

    fn at(place: Place) -> Result<Self, ProcessError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let root = Root::shared(place).map_err(|(folder, source)| ProcessError::Scratch { folder, source })?;
        let path = root.path.join(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&path).map_err(|source| ProcessError::Scratch { folder: path.clone(), source })?;
        Ok(Scratch { path, written: Vec::new(), root })
    }

    /// Writes a file of this name, the first in the folder. Where another run has filled the memory, the folder is another
    /// one from then on.
    ///
    /// # Errors
    /// [`ProcessError::Scratch`] when it cannot be written.
    pub fn write(&mut self, name: &str, text: &[u8]) -> Result<(), ProcessError> {
        let written = self.write_here(name, text);
        if written.is_err() && self.root.place == Place::Memory {
            *self = Self::at(Place::Disk)?;
            return self.write_here(name, text);
        }
        written
    }

    fn write_here(&mut self, name: &str, text: &[u8]) -> Result<(), ProcessError> {
        let file = self.path.join(name);
        let written = fs::write(&file, text);
        self.written.push(file);
        written.map_err(|source| ProcessError::Scratch { folder: self.path.clone(), source })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        for file in &self.written {
            fs::remove_file(file).ok();
        }
        // Most solvers leave nothing, and a folder is looked through only if one does. Nothing is to be done about a failure
        // here; a later process sweeps up.
        if fs::remove_dir(&self.path).is_err() && fs::remove_dir_all(&self.path).is_err() {
            unlock(&self.path);
            fs::remove_dir_all(&self.path).ok();
        }
    }
}

/// Lets us into folders that a solver has closed to us.
fn unlock(folder: &Path) {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        fs::set_permissions(&folder, Permissions::from_mode(0o700)).ok();
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        // A link is no folder, so that nothing outside is touched.
        pending.extend(entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir())).map(|it| it.path()));
    }
}

/// What the folders lie on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Memory,
    Disk,
}

impl Place {
    /// The faster one, unless the user chose another, or there is little room in it now.
    fn best() -> Place {
        static IS_SAID: OnceLock<bool> = OnceLock::new();
        let is_said = || std::env::var_os("TMPDIR").is_some_and(|folder| !folder.is_empty());
        let has_room = || {
            statfs(MEMORY).is_ok_and(|it| {
                let free = it.blocks_available().saturating_mul(u64::try_from(it.block_size()).unwrap_or(0));
                it.filesystem_type() == TMPFS_MAGIC && free >= LEAST_MEMORY
            })
        };
        if *IS_SAID.get_or_init(is_said) || !has_room() { Place::Disk } else { Place::Memory }
    }

    fn folder(self) -> PathBuf {
        match self {
            Place::Memory => MEMORY.into(),
            Place::Disk => std::env::temp_dir(),
        }
    }
}

/// The root of our process's scratch folders in one place.
#[derive(Debug)]
struct Root {
    place: Place,
    path: PathBuf,
    /// Locked while we live.
    _lock: File,
}

impl Root {
    /// The root in use, or a new one.
    fn shared(place: Place) -> Result<Arc<Root>, (PathBuf, io::Error)> {
        static CURRENT: [Mutex<Weak<Root>>; 2] = [Mutex::new(Weak::new()), Mutex::new(Weak::new())];
        static SWEPT: Once = Once::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut current = CURRENT[place as usize].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = current.upgrade() {
            return Ok(root);
        }
        let parent = place.folder();
        SWEPT.call_once(|| [Place::Memory, Place::Disk].map(Place::folder).iter().for_each(|it| sweep(it, SWEEP_AGE)));
        // Where process numbers are of several containers, one of ours may be alive under our number.
        let path = loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            if !path.exists() || is_abandoned(&path, Duration::ZERO) {
                break path;
            }
        };
        let root = Arc::new(Root::at(place, &path).map_err(|source| (path, source))?);
        *current = Arc::downgrade(&root);
        Ok(root)
    }

    fn at(place: Place, path: &Path) -> io::Result<Root> {
        // Left by a dead process that had our number.
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
        fs::create_dir(path)?;
        let lock = File::create(path.join(LOCK))?;
        lock.lock()?;
        Ok(Root { place, path: path.to_owned(), _lock: lock })
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.path).ok();
    }
}

/// Removes the roots under `parent` that nobody holds locked and that are older than `age`. Failures are left to the
/// next process: another user's roots, for example, cannot be removed.
fn sweep(parent: &Path, age: Duration) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_abandoned(&entry.path(), age) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}

/// Whether `root` is older than `age` and no living process holds its lock.
fn is_abandoned(root: &Path, age: Duration) -> bool {
    let old = root.metadata().and_then(|data| data.modified()).is_ok_and(|time| time.elapsed().is_ok_and(|e| e >= age));
    // The lock, not the process id, says who lives: in another container the same number is another process.
    old && File::open(root.join(LOCK))
        .map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_folder_is_removed_with_its_contents_when_dropped() {
        for left_behind in [None, Some("file"), Some("folder/file")] {
            let mut scratch = Scratch::new().expect("a scratch folder");
            let path = scratch.path().to_owned();
            scratch.write("instance", b"x").expect("write");
            if let Some(left_behind) = left_behind.map(|name| path.join(name)) {
                fs::create_dir_all(left_behind.parent().expect("a folder")).expect("a folder");
                fs::write(left_behind, "x").expect("write");
            }
            assert!(path.join("instance").is_file());
            drop(scratch);
            assert!(!path.exists());
        }
    }

    #[test]
    fn a_scratch_folder_that_is_closed_to_us_is_opened_and_removed_and_nothing_outside_is_touched() {
        let outside = tempfile::tempdir().expect("a folder");
        fs::set_permissions(outside.path(), Permissions::from_mode(0o500)).expect("permissions");
        let scratch = Scratch::new().expect("a scratch folder");
        let path = scratch.path().to_owned();
        fs::create_dir_all(path.join("a/b")).expect("folders");
        fs::write(path.join("a/b/file"), "x").expect("a file");
        std::os::unix::fs::symlink(outside.path(), path.join("a/link")).expect("a link");
        for folder in [path.join("a/b"), path.join("a"), path.clone()] {
            fs::set_permissions(folder, Permissions::from_mode(0o000)).expect("permissions");
        }
        // As root too, for whom nothing is closed.
        unlock(&path);
        let mode = |folder: &Path| folder.metadata().expect("a folder").permissions().mode() & 0o777;
        assert_eq!(
            [path.as_path(), &path.join("a"), &path.join("a/b"), outside.path()].map(mode),
            [0o700, 0o700, 0o700, 0o500]
        );
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_in_memory_that_cannot_be_written_to_gives_way_to_one_on_disk() {
        let Ok(mut scratch) = Scratch::at(Place::Memory) else { return };
        fs::remove_dir(scratch.path()).expect("removed");
        scratch.write("instance", b"x").expect("write");
        assert!(scratch.path().starts_with(std::env::temp_dir()) && scratch.path().join("instance").is_file());
    }

    #[test]
    fn sweeping_removes_abandoned_roots_and_spares_the_living_and_the_foreign() {
        let parent = tempfile::tempdir().expect("folder");
        let living = Root::at(Place::Disk, &parent.path().join(format!("{PREFIX}1-0"))).expect("living");
        let dead = parent.path().join(format!("{PREFIX}2-0"));
        drop(Root::at(Place::Disk, &dead).expect("dead"));
        fs::create_dir(&dead).expect("dead again");
        fs::write(dead.join(LOCK), "").expect("lock file");
        let foreign = parent.path().join("other");
        fs::create_dir(&foreign).expect("foreign");
        sweep(parent.path(), Duration::from_hours(1));
        assert!(dead.exists(), "too young");
        sweep(parent.path(), Duration::ZERO);
        assert!(!dead.exists());
        assert!(living.path.exists());
        assert!(foreign.exists());
    }
}
