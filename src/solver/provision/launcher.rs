//! Launchers: programs of ours that stand in for the command of a solver which comes as a library only.
//!
//! One is installed into `bin/` of the unpacked package, under the command's name, and finds the library by its own
//! place. Beside it stands the hash of what it was made of: a launcher of another source is made anew.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::c_source::CSource;
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
/// The libraries are found by the launcher's own place, those that they need as well (which `RUNPATH` would not do), and
/// what those need is none of the linker's business. From here on the compiler tells by a file's name what it is.
const LINK_FLAGS: [&str; 5] =
    ["-Wl,--no-as-needed", "-Wl,--disable-new-dtags", "-Wl,--allow-shlib-undefined", "-x", "none"];

/// What a launcher is made of.
enum Recipe {
    /// A Python script.
    Python(&'static str),
    /// A C program, linked with libraries of the package.
    C(CLauncher),
}

/// What a C launcher is made of.
struct CLauncher {
    source: CSource<'static>,
    /// How the names of the libraries begin: what follows differs with each package.
    libraries: &'static [&'static str],
    /// A function that the libraries must have.
    function: &'static str,
}

/// The name of the solver's command, and what its launcher is made of.
fn recipe(launcher: Launcher) -> (&'static str, Recipe) {
    match launcher {
        Launcher::Bitwuzla => ("bitwuzla", Recipe::Python(include_str!("../../../launchers/bitwuzla.py"))),
        Launcher::Boolector => {
            let text = include_str!("../../../launchers/boolector.c");
            let source = CSource { name: "boolector.c", text, headers: &[] };
            let function = "boolector_parse_smt2";
            ("boolector", Recipe::C(CLauncher { source, libraries: &["libboolector-"], function }))
        }
        Launcher::Cvc5 => {
            let text = include_str!("../../../launchers/cvc5.c");
            let source = CSource { name: "cvc5.c", text, headers: &[] };
            let function = "cvc5_parser_new";
            ("cvc5", Recipe::C(CLauncher { source, libraries: &["libcvc5-", "libcvc5parser-"], function }))
        }
    }
}

/// All that decides what is installed.
fn hash(recipe: &Recipe) -> String {
    match recipe {
        Recipe::Python(text) => hash_text(&format!("{PYTHON_FLAGS}\n{text}")),
        Recipe::C(launcher) => hash_text(&format!("{LINK_FLAGS:?}\n{}", launcher.source.whole_text())),
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
        Recipe::C(c) => c.compile(setup, folder, name, &new)?,
    }
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755))
        .and_then(|()| fs::rename(&new, &launcher))
        .map_err(|source| ProvisionError::files(&launcher, source))?;
    record::write_whole(&made_of, &hash(&recipe))
}

impl CLauncher {
    /// Compiles it for the package in `folder`.
    fn compile(&self, setup: &Setup<'_>, folder: &Path, name: &str, target: &Path) -> Result<(), ProvisionError> {
        let files = record::files(folder);
        let find = |beginning: &&str| {
            let begins = |file: &&PathBuf| {
                file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(*beginning))
            };
            files.iter().find(begins)
        };
        let libraries: Option<Vec<&PathBuf>> = self.libraries.iter().map(find).collect();
        let has_function = |file: &&PathBuf| fs::read(file).is_ok_and(|bytes| contains(&bytes, self.function));
        let libraries = libraries.filter(|libraries| libraries.iter().any(has_function)).ok_or_else(|| {
            let package = folder.file_name().unwrap_or_default().display().to_string();
            ProvisionError::NoInterface { package, command: name.to_owned(), function: self.function }
        })?;
        let compiler = tool::find("gcc", &format!("make the command {name}, which the package does not have"))?;
        let place =
            |library: &&PathBuf| library.parent().and_then(Path::file_name).map(|folder| folder.display().to_string());
        let places: BTreeSet<String> = libraries.iter().filter_map(place).collect();
        let paths: Vec<String> = places.into_iter().map(|place| format!("$ORIGIN/../{place}")).collect();
        let search = format!("-Wl,-rpath,{}", paths.join(":"));
        let libraries: Vec<String> = libraries.into_iter().map(|library| library.display().to_string()).collect();
        let flags: Vec<&str> =
            LINK_FLAGS.into_iter().chain([search.as_str()]).chain(libraries.iter().map(String::as_str)).collect();
        self.source.compile(&compiler, &flags, target, setup.interrupt)
    }
}

/// Whether a file's bytes contain the name, as the tables of a library with that function do.
fn contains(bytes: &[u8], name: &str) -> bool {
    memchr::memmem::find(bytes, name.as_bytes()).is_some()
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
