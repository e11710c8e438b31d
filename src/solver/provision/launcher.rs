//! Launchers: programs of ours that stand in for the command of a solver which comes as a library only.
//!
//! One is installed into `bin/` of the unpacked package, under the command's name, and finds the library by its own
//! place. Beside it stands the hash of what it was made of: a launcher of another source is made anew.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::pypi::hash_text;
use super::{ProvisionError, Setup, Step, record, tool};
use crate::solver::process::Command;
use crate::solver::profile::Launcher;

/// The folder of launchers in an unpacked package.
const FOLDER: &str = "bin";
/// Bytes of the longest first line by which Linux starts a script.
const FIRST_LINE_BYTES: usize = 255;
/// Starts Python without what a run does not need: site packages, the user's variables, the script's folder.
const PYTHON_FLAGS: &str = "-IS";

/// What a launcher is made of.
enum Recipe {
    /// A Python script.
    Python(&'static str),
}

/// The name of the solver's command, and what its launcher is made of.
fn recipe(launcher: Launcher) -> (&'static str, Recipe) {
    match launcher {
        Launcher::Bitwuzla => ("bitwuzla", Recipe::Python(include_str!("../../../launchers/bitwuzla.py"))),
    }
}

/// All that decides what is installed.
fn hash(recipe: &Recipe) -> String {
    match recipe {
        Recipe::Python(text) => hash_text(&format!("{PYTHON_FLAGS}\n{text}")),
    }
}

/// Where the launcher of the package in `folder` is, and the hash of what it was made of.
fn places(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let launcher = folder.join(FOLDER).join(name);
    let made_of = launcher.with_extension("made-of");
    (launcher, made_of)
}

/// Whether the launcher in the package's `folder` is the one that [`install`] would make, and can be started.
pub(super) fn is_current(folder: &Path, launcher: Launcher) -> bool {
    let (name, recipe) = recipe(launcher);
    let (launcher, made_of) = places(folder, name);
    fs::read_to_string(made_of).is_ok_and(|made_of| made_of == hash(&recipe)) && has_interpreter(&launcher)
}

/// Whether the program that a script's first line names is there; a program that is no script needs none.
fn has_interpreter(launcher: &Path) -> bool {
    let Ok(program) = fs::read(launcher) else { return false };
    let Some(rest) = program.strip_prefix(b"#!") else { return true };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let interpreter = String::from_utf8_lossy(line);
    interpreter.split(' ').next().is_some_and(|path| Path::new(path).is_file())
}

/// Makes the launcher of the package that is unpacked in `folder`.
///
/// # Errors
/// When what it is made with is missing, or the package is not what it is made for.
pub(super) fn install(setup: &Setup<'_>, folder: &Path, launcher: Launcher) -> Result<(), ProvisionError> {
    let (name, recipe) = recipe(launcher);
    (setup.progress)(Step::Stage(&format!("making the command {name}, which the package does not have")));
    let (launcher, made_of) = places(folder, name);
    let bin = folder.join(FOLDER);
    fs::create_dir_all(&bin).map_err(|source| ProvisionError::files(&bin, source))?;
    // Beside its place, then renamed: another process may be running the old one.
    let new = launcher.with_extension("new");
    match &recipe {
        Recipe::Python(text) => {
            let script = format!("{}\n{text}", first_line(setup, name)?);
            fs::write(&new, script).map_err(|source| ProvisionError::files(&new, source))?;
        }
    }
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755))
        .and_then(|()| fs::rename(&new, &launcher))
        .map_err(|source| ProvisionError::files(&launcher, source))?;
    record::write_whole(&made_of, &hash(&recipe))
}

/// The first line of a Python launcher. It names the Python that `pip` chose the package for, by its own place: `python3`
/// may be a shell script that looks for it, in each run.
fn first_line(setup: &Setup<'_>, name: &str) -> Result<String, ProvisionError> {
    let purpose = format!("run {name}");
    let command = Command::new(tool::find("python3", &purpose)?).args(["-c", "import sys; print(sys.executable)"]);
    let printed = tool::succeed(command, &purpose, setup.interrupt)?.stdout_text();
    let python = printed.trim();
    let line = format!("#!{python} {PYTHON_FLAGS}");
    if python.contains(char::is_whitespace) || line.len() > FIRST_LINE_BYTES || !Path::new(python).is_file() {
        let reason = format!(
            "expected the path of a Python without blanks, of {FIRST_LINE_BYTES} characters at most, because the first \
             line of {name} names it; put another python3 first in PATH"
        );
        let source = io::Error::new(io::ErrorKind::InvalidInput, reason);
        return Err(ProvisionError::files(Path::new(python), source));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_of_another_source_or_without_its_python_is_not_current() {
        let folder = tempfile::tempdir().expect("a folder");
        let (launcher, made_of) = places(folder.path(), "bitwuzla");
        assert!(!is_current(folder.path(), Launcher::Bitwuzla), "nothing is there");
        fs::create_dir(folder.path().join(FOLDER)).expect("a folder");
        fs::write(&launcher, "#!/bin/sh -e\n").expect("a file");
        fs::write(&made_of, hash(&recipe(Launcher::Bitwuzla).1)).expect("a file");
        assert!(is_current(folder.path(), Launcher::Bitwuzla));
        fs::write(&launcher, "#!/no/such/python3 -IS\n").expect("a file");
        assert!(!is_current(folder.path(), Launcher::Bitwuzla));
        fs::write(&launcher, "\x7fELF").expect("a file");
        assert!(is_current(folder.path(), Launcher::Bitwuzla), "no script");
        fs::write(&made_of, "another source").expect("a file");
        assert!(!is_current(folder.path(), Launcher::Bitwuzla));
    }
}
