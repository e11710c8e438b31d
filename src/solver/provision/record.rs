//! What is known of an installed solver: where its executable is and what version it said it is.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ProvisionError;
use crate::solver::process::{Command, Interrupt, Limits, Scratch, run};
use crate::solver::profile::{Profile, Version};

/// A solver's executable on this machine, and the version that it told us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// The executable.
    pub executable: PathBuf,
    /// The version that it printed: no solver of unknown version is ever run.
    pub version: Version,
    /// Folders of the shared libraries that it needs, besides the system's.
    pub libraries: Vec<PathBuf>,
}

/// Asks `executable` for its version.
pub(super) fn probe(
    profile: &Profile,
    executable: &Path,
    libraries: Vec<PathBuf>,
) -> Result<Installed, ProvisionError> {
    // An instrumented executable writes its counters when it ends: into the scratch folder, not among its objects.
    let scratch = Scratch::new()?;
    let mut command =
        Command::new(executable).args(&profile.probe).in_folder(scratch.path()).env("GCOV_PREFIX", scratch.path());
    if !libraries.is_empty() {
        command = command.env("LD_LIBRARY_PATH", join(&libraries));
    }
    let run = run(command, &Limits::cpu(20.0), &Interrupt::new())?;
    let output = run.stdout_text() + &run.stderr_text();
    let version = Version::find_in(&output).filter(|_| run.succeeded());
    let version = version.ok_or_else(|| ProvisionError::WrongVersion {
        executable: executable.display().to_string(),
        expected: format!("{} (any)", profile.name),
        actual: format!("{:?}", output.lines().next().unwrap_or_default()),
    })?;
    Ok(Installed { executable: executable.to_owned(), version, libraries })
}

/// The folders as `LD_LIBRARY_PATH` lists them.
pub(in crate::solver) fn join(libraries: &[PathBuf]) -> std::ffi::OsString {
    std::env::join_paths(libraries).unwrap_or_default()
}

/// The record's file for this profile in the package's folder.
fn file(folder: &Path, profile: &Profile) -> PathBuf {
    let name = profile.executable.file_name().unwrap_or_default();
    folder.join(format!("{}.installed.json", name.display()))
}

/// The record in `folder`, if it is complete and the executable still there.
pub(super) fn load(folder: &Path, profile: &Profile) -> Option<Installed> {
    let text = fs::read_to_string(file(folder, profile)).ok()?;
    let mut installed: Installed = serde_json::from_str(&text).ok()?;
    // Stored relative to the folder, so that a cache can be moved.
    installed.executable = folder.join(installed.executable);
    installed.libraries = installed.libraries.iter().map(|library| folder.join(library)).collect();
    installed.executable.is_file().then_some(installed)
}

/// Makes the record of an unpacked package: finds the executable in `folder`, makes it executable and probes it.
pub(super) fn make(folder: &Path, profile: &Profile) -> Result<(), ProvisionError> {
    let executable = find_executable(folder, &profile.executable).ok_or_else(|| ProvisionError::NoExecutable {
        package: folder.file_name().unwrap_or_default().display().to_string(),
        executable: profile.executable.display().to_string(),
    })?;
    fs::set_permissions(&executable, fs::Permissions::from_mode(0o755))
        .map_err(|source| ProvisionError::files(&executable, source))?;
    let libraries = if matches!(profile.source, crate::solver::profile::Source::Debian { .. }) {
        library_folders(folder)
    } else {
        Vec::new()
    };
    let installed = probe(profile, &executable, libraries)?;
    let relative = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
    store(
        folder,
        profile,
        &Installed {
            executable: relative(&installed.executable),
            version: installed.version,
            libraries: installed.libraries.iter().map(|library| relative(library)).collect(),
        },
    )
}

/// Writes the record, whole or not at all.
pub(super) fn store(folder: &Path, profile: &Profile, installed: &Installed) -> Result<(), ProvisionError> {
    let path = file(folder, profile);
    let text = serde_json::to_string_pretty(installed).unwrap_or_default();
    write_whole(&path, &text)
}

/// Writes a file beside its place and renames it.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), ProvisionError> {
    let new = path.with_extension("new");
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(|source| ProvisionError::files(path, source))
}

/// All files under `folder`, in a fixed order. Folders that cannot be read are passed over.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path())),
            Ok(_) => found.push(entry.path()),
            Err(_) => {}
        }
    }
    found
}

fn find_executable(folder: &Path, end: &Path) -> Option<PathBuf> {
    files(folder).into_iter().find(|file| file.ends_with(end) && file.is_file())
}

/// The folders under `folder` that hold shared libraries.
fn library_folders(folder: &Path) -> Vec<PathBuf> {
    let is_library = |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().contains(".so"));
    let mut folders: Vec<_> =
        files(folder).into_iter().filter(is_library).filter_map(|file| file.parent().map(Path::to_owned)).collect();
    folders.dedup();
    folders
}
