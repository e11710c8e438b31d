//! Gets solvers: downloads or builds them into the user's cache folder, verifies them, and finds them there again.
//!
//! Every step is idempotent and leaves nothing half-done: a download or an unpacked package is made beside its place
//! and renamed into it, a build continues where it was interrupted, and a solver counts as installed only once it has
//! told its version and solved a small script.

mod c_source;
mod debian;
mod executable;
mod instrumented;
mod launcher;
mod newest;
mod preload;
mod probe;
mod pypi;
mod record;
mod tool;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::installed::Solver;
use super::process::{Interrupt, ProcessError, find_program};
use super::profile::{Profile, ProfileError, Profiles, SolverSpec, Source, SpecError, Version};
pub use newest::{known_profiles, provide_newest};
pub use preload::preload_library;
pub use probe::{probe, self_test};
pub use record::Installed;
pub(super) use record::join;

/// How often one that waits for another's setup looks again.
const LOCK_POLL: Duration = Duration::from_millis(200);

/// What a setup is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A new stage, for people.
    Stage(&'a str),
    /// Object file number `done` of `total` is being compiled.
    Object {
        /// Its number, from 1.
        done: usize,
        /// All that have to be compiled.
        total: usize,
        /// Its source file.
        name: &'a str,
    },
}

/// Receives the steps of a setup.
pub type Progress = Arc<dyn Fn(Step<'_>) + Send + Sync>;

/// What all parts of a setup share.
#[derive(Clone)]
pub struct Setup<'a> {
    /// The known profiles, with their pinned hashes.
    pub profiles: &'a Profiles,
    /// Where solvers are kept.
    pub cache: &'a Cache,
    /// Receives the steps.
    pub progress: Progress,
    /// Ends the setup early; it can be continued.
    pub interrupt: &'a Interrupt,
    /// Compilers to run at once.
    pub jobs: usize,
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup").field("cache", self.cache).field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// The user's folder of solvers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache of this user: `$MULSTRINGFUZZ_CACHE`, else `mulstringfuzz` in `$XDG_CACHE_HOME`, else in `~/.cache`.
    ///
    /// # Errors
    /// When none of the variables, nor `$HOME`, is set.
    pub fn locate() -> Result<Self, ProvisionError> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        set("MULSTRINGFUZZ_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("mulstringfuzz")))
            .or_else(|| set("HOME").map(|folder| folder.join(".cache/mulstringfuzz")))
            .map(Cache::at)
            .ok_or(ProvisionError::NoCache)
    }

    /// A cache in `folder`, which need not exist.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Cache { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder `name` in the cache, and its parents.
    fn make(&self, name: &str) -> Result<PathBuf, ProvisionError> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(|source| ProvisionError::files(&folder, source))?;
        Ok(folder)
    }

    /// A folder for unfinished work, in the cache, so that a rename can move it into place.
    fn temporary(&self) -> Result<tempfile::TempDir, ProvisionError> {
        let parent = self.make("unfinished")?;
        tempfile::tempdir_in(&parent).map_err(|source| ProvisionError::files(&parent, source))
    }

    /// Locks the item `name` against other setups, waiting for them; unlocked when dropped.
    fn lock(&self, name: &str, setup: &Setup<'_>) -> Result<File, ProvisionError> {
        let path = self.make("locks")?.join(format!("{name}.lock"));
        let lock = File::create(&path).map_err(|source| ProvisionError::files(&path, source))?;
        let mut said = false;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(fs::TryLockError::WouldBlock) if setup.interrupt.is_set() => {
                    return Err(ProvisionError::Interrupted);
                }
                Err(fs::TryLockError::WouldBlock) => {
                    if !said {
                        (setup.progress)(Step::Stage("waiting for another setup of the same solver"));
                        said = true;
                    }
                    std::thread::sleep(LOCK_POLL);
                }
                Err(fs::TryLockError::Error(source)) => return Err(ProvisionError::files(&path, source)),
            }
        }
    }
}

/// Why a solver could not be got, or found.
#[derive(Debug, thiserror::Error)]
pub enum ProvisionError {
    /// No place for the cache.
    #[error("no cache folder: set MULSTRINGFUZZ_CACHE, XDG_CACHE_HOME or HOME")]
    NoCache,
    /// It has not been set up.
    #[error("{spec} is not installed; run: mulstringfuzz setup \"{spec}\"")]
    NotInstalled {
        /// The solver.
        spec: String,
    },
    /// The profile is wrong or unknown.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// A program that setup needs is missing.
    #[error("{program} is needed to {purpose}; on Debian: apt-get install {packages}")]
    MissingProgram {
        /// The program.
        program: String,
        /// What for.
        purpose: String,
        /// The Debian packages that bring it.
        packages: String,
    },
    /// A program that setup needs failed.
    #[error("{purpose} failed ({exit}): {output}")]
    ToolFailed {
        /// What it was to do.
        purpose: String,
        /// How it ended.
        exit: String,
        /// The end of what it printed.
        output: String,
    },
    /// A download is not what it should be.
    #[error("{file} has SHA-256 {actual} instead of {expected}: the download is damaged or has been tampered with")]
    WrongHash {
        /// The downloaded file's name.
        file: String,
        /// What it should be.
        expected: String,
        /// What it is.
        actual: String,
    },
    /// The package does not hold the executable.
    #[error("{package} holds no executable {executable}")]
    NoExecutable {
        /// The package.
        package: String,
        /// The executable's name.
        executable: String,
    },
    /// The package has no command, and no library that one could be made with.
    #[error(
        "{package} brings neither the command {command} nor the C interface that one could be made with (no library of it \
         has the function {function}): expected a newer version"
    )]
    NoInterface {
        /// The package.
        package: String,
        /// The command.
        command: String,
        /// The function that is not there.
        function: &'static str,
    },
    /// The solver does not tell its version, or another than was asked for.
    #[error("{executable} says it is {actual} instead of version {expected}")]
    WrongVersion {
        /// The executable.
        executable: String,
        /// The version asked for.
        expected: String,
        /// What it printed.
        actual: String,
    },
    /// The solver failed its self-test.
    #[error("{spec} does not work: it answers {answer} to {what}{}", hint.map(|hint| format!("; {hint}")).unwrap_or_default())]
    Unhealthy {
        /// The solver.
        spec: String,
        /// What it was asked.
        what: &'static str,
        /// What it answered.
        answer: String,
        /// What the user can do, where there is something.
        hint: Option<&'static str>,
    },
    /// An executable does not say which solver it is.
    #[error(
        "cannot tell which solver {path} is (it prints {printed:?} as its version): say which known solver it is like, \
         \"{path} like=NAME\" or like=NAME@VERSION, or describe it in a file of profiles (--profiles FILE)"
    )]
    UnknownExecutable {
        /// The executable.
        path: String,
        /// What it prints.
        printed: String,
    },
    /// What an executable is said to be like is no solver's name.
    #[error("{path}: {source}")]
    NotALikeness {
        /// The executable.
        path: String,
        /// What is wrong with the name.
        source: SpecError,
    },
    /// The user interrupted the setup: what is done of it is kept.
    #[error("interrupted; run setup again to continue")]
    Interrupted,
    /// The user interrupted while a solver showed that it works.
    #[error("interrupted")]
    InterruptedProbe,
    /// A process could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A file could not be read or written.
    #[error("{}: {source}{}", path.display(), if matches!(source.kind(), io::ErrorKind::StorageFull) { " (free some space, then run setup again)" } else { "" })]
    Files {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl ProvisionError {
    fn files(path: &Path, source: io::Error) -> Self {
        ProvisionError::Files { path: path.to_owned(), source }
    }
}

/// Finds `spec` where [`provide`] put it; downloads and builds nothing.
///
/// # Errors
/// [`ProvisionError::NotInstalled`], or what is wrong with the profile.
pub fn find(spec: &SolverSpec, profiles: &Profiles, cache: &Cache) -> Result<Solver, ProvisionError> {
    if spec.is_path() {
        return executable::solver(spec, profiles);
    }
    let (profile, version) = profiles.get(spec)?;
    let missing = || ProvisionError::NotInstalled { spec: spec.to_string() };
    let installed = match &profile.source {
        Source::Path { path } => record::probe(&profile, &search(path)?, Vec::new())?,
        Source::Pypi { package, release, launcher } => {
            let folder = pypi::place(cache, package, &fill(release, &version));
            let is_current = launcher.is_none_or(|launcher| launcher::is_current(&folder, launcher));
            record::load(&folder, &profile).filter(|_| is_current).ok_or_else(missing)?
        }
        Source::Debian { packages, .. } => {
            record::load(&debian::place(cache, packages, &version), &profile).ok_or_else(missing)?
        }
        Source::Instrumented { package, release } => {
            instrumented::find(cache, package, &fill(release, &version), &profile).ok_or_else(missing)?
        }
    };
    check_version(&installed, &version, &profile)?;
    Ok(Solver::new(spec.clone(), profile, installed))
}

/// Finds `spec`, and lets it show that it works, with the options that it is named with.
///
/// # Errors
/// As [`find`] and [`self_test`].
pub fn find_working(
    spec: &SolverSpec,
    profiles: &Profiles,
    cache: &Cache,
    interrupt: &Interrupt,
) -> Result<Solver, ProvisionError> {
    let solver = find(spec, profiles, cache)?;
    self_test(&solver, interrupt)?;
    Ok(solver)
}

/// Gets `spec`: finds it, or downloads or builds it, and checks that it works.
///
/// # Errors
/// When it cannot be got, is not what it should be, or does not work; when the user interrupts.
pub fn provide(spec: &SolverSpec, setup: &Setup<'_>) -> Result<Solver, ProvisionError> {
    // An executable of the user's is there, or is not.
    if spec.is_path() {
        return find_working(spec, setup.profiles, setup.cache, setup.interrupt);
    }
    let (profile, version) = setup.profiles.get(spec)?;
    let current = match &profile.source {
        // Cheap when nothing is left to do, and relinks when the extra objects have changed.
        Source::Instrumented { package, release } => {
            instrumented::provide(setup, package, &fill(release, &version), &profile)?;
            find(spec, setup.profiles, setup.cache)
        }
        _ => find(spec, setup.profiles, setup.cache),
    };
    let solver = match (current, &profile.source) {
        (Err(ProvisionError::NotInstalled { .. }), Source::Pypi { package, release, launcher }) => {
            pypi::provide(setup, package, &fill(release, &version), *launcher, &profile)?;
            find(spec, setup.profiles, setup.cache)?
        }
        (Err(ProvisionError::NotInstalled { .. }), Source::Debian { packages, .. }) => {
            debian::provide(setup, packages, &version, &profile)?;
            find(spec, setup.profiles, setup.cache)?
        }
        (current, _) => current?,
    };
    self_test(&solver, setup.interrupt)?;
    Ok(solver)
}

/// The release of a package for `version`: the template filled in. A version of more parts than the template's default
/// (`4.5.1.0.post2`) is a release already.
fn fill(release: &str, version: &Version) -> String {
    const PARTS_OF_A_VERSION: usize = 3;
    if version.part_count() > PARTS_OF_A_VERSION {
        version.to_string()
    } else {
        release.replace("{version}", version.as_str())
    }
}

/// A user's executable: a path, or a name to look up.
fn search(path: &Path) -> Result<PathBuf, ProcessError> {
    match path.to_str() {
        Some(name) if path.components().count() == 1 => find_program(name),
        _ => Ok(path.to_owned()),
    }
}

fn check_version(installed: &Installed, wanted: &Version, profile: &Profile) -> Result<(), ProvisionError> {
    if installed.version.agrees_with(wanted) {
        return Ok(());
    }
    Err(ProvisionError::WrongVersion {
        executable: profile.name.clone(),
        expected: wanted.to_string(),
        actual: installed.version.to_string(),
    })
}

#[cfg(test)]
mod tests;
