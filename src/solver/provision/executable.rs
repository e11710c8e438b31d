//! A solver that the user names by the path of its executable: which known solver it is, it says itself, or the user does.

use std::path::Path;

use super::ProvisionError;
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

/// The profile of the executable at the path that `spec` names: that of the solver that the user says it is like
/// (`like=NAME[@VERSION]`), else of the one that it says it is, at its version.
///
/// # Errors
/// When it cannot be run, or nothing tells which solver it is.
pub(super) fn identify(spec: &SolverSpec, profiles: &Profiles) -> Result<(Profile, Version), ProvisionError> {
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
    let version = match (printed_version, &spec.version) {
        (Some(printed), Some(wanted)) if !printed.agrees_with(wanted) => {
            return Err(ProvisionError::WrongVersion {
                executable: spec.name.clone(),
                expected: wanted.to_string(),
                actual: printed.to_string(),
            });
        }
        (Some(printed), _) => printed,
        (None, wanted) => wanted.clone().unwrap_or(known_version),
    };
    let source = Source::Path { path: path.to_owned() };
    let family = profile.family().to_owned();
    Ok((Profile { name: spec.name.clone(), family, source, instrumented: None, ..profile }, version))
}
