//! A solver that the user names by the path of its executable: which known solver it is, it must say itself.

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

/// The profile of the executable at the path that `spec` names: that of the solver that it says it is, at its version.
///
/// # Errors
/// When it cannot be run, or says nothing that tells which solver it is.
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
    let (Some(name), Some(version)) = (name, Version::find_in(&printed)) else {
        return Err(ProvisionError::UnknownExecutable {
            path: spec.name.clone(),
            printed: printed.lines().next().unwrap_or_default().to_owned(),
        });
    };
    let known = SolverSpec { name: name.to_owned(), version: Some(version.clone()), options: Vec::new() };
    let (profile, _) = profiles.get(&known)?;
    let source = Source::Path { path: path.to_owned() };
    let family = profile.family().to_owned();
    Ok((Profile { name: spec.name.clone(), family, source, instrumented: None, ..profile }, version))
}
