//! A solver that the user names by the path of its executable: which known solver it is, it says itself, or the user does.

use std::path::Path;

use super::{Installed, ProvisionError, check_version};
use crate::solver::installed::Solver;
use crate::solver::process::{Command, Interrupt, Limits, Scratch, run};
use crate::solver::profile::{Profile, Profiles, SolverSpec, Source, Version};

/// What solvers call themselves when they print their version, and the profile that goes with that.
const NAMES: [(&str, &str); 6] = [
    ("Z3 version", "z3"),
    ("cvc5", "cvc5"),
    ("CVC4", "cvc4"),
    ("Yices", "yices"),
    ("boolector", "boolector"),
    ("bitwuzla", "bitwuzla"),
];
/// How solvers are asked for their version.
const VERSION: &str = "--version";
/// CPU seconds for that.
const LIMIT: f64 = 20.0;

/// The executable at the path that `spec` names, with the profile of the solver that the user says it is like
/// (`like=NAME[@VERSION]`), else of the one that it says it is, at its version.
///
/// # Errors
/// When it cannot be run, nothing tells which solver it is, or it has another version than `spec` says.
pub(super) fn solver(spec: &SolverSpec, profiles: &Profiles) -> Result<Solver, ProvisionError> {
    let path = Path::new(&spec.name);
    let scratch = Scratch::new()?;
    // Instrumented builds write their counters when they end.
    let command = Command::new(path).args([VERSION]).in_folder(scratch.path()).env("GCOV_PREFIX", scratch.path());
    let run = run(command, &Limits::cpu(LIMIT), &Interrupt::new())?;
    let printed = run.stdout_text() + &run.stderr_text();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let of = |text: &str| NAMES.iter().find(|(word, _)| text.contains(word)).map(|(_, name)| *name);
    // Boolector and Bitwuzla print the number alone.
    let name = of(&printed).or_else(|| NAMES.iter().map(|(_, name)| *name).find(|name| file.contains(name)));
    let unknown = || ProvisionError::UnknownExecutable {
        path: spec.name.clone(),
        printed: printed.lines().next().unwrap_or_default().to_owned(),
    };
    let printed_version = Version::find_in(&printed);
    let likeness = spec.likeness();
    let likeness = likeness.map_err(|source| ProvisionError::NotALikeness { path: spec.name.clone(), source })?;
    let known = match likeness {
        // Its own number may be of another series than that of what it is like.
        Some(like) => like,
        None => SolverSpec {
            name: name.ok_or_else(unknown)?.to_owned(),
            version: Some(printed_version.clone().ok_or_else(unknown)?),
            options: Vec::new(),
        },
    };
    let (profile, known_version) = profiles.get(&known)?;
    let version = printed_version.or_else(|| spec.version.clone()).unwrap_or_else(|| known_version.clone());
    let installed = Installed { executable: path.to_owned(), version, libraries: Vec::new() };
    let source = Source::Path { path: path.to_owned() };
    let family = profile.family().to_owned();
    let profile = Profile { name: spec.name.clone(), family, source, instrumented: None, ..profile };
    if let Some(wanted) = &spec.version {
        check_version(&installed, wanted, &profile)?;
    }
    Ok(Solver::new(spec.pinned_likeness(&known_version), profile, installed))
}
