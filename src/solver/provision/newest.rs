//! The newest release of a package: asked for at `setup`, and remembered, so that a name without a version means the same
//! until the next one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Cache, ProvisionError, Setup, Step, provide, record, tool};
use crate::solver::installed::Solver;
use crate::solver::process::Command;
use crate::solver::profile::{ProfileError, Profiles, SolverSpec, Version};

/// The built-in profiles and those of `file`. A solver whose releases are followed has the version that `setup` found last,
/// where nothing else is asked for.
///
/// # Errors
/// As [`Profiles::with_file`].
pub fn known_profiles(file: Option<&Path>, cache: &Cache) -> Result<Profiles, ProfileError> {
    let mut profiles = Profiles::with_file(file)?;
    let found = found(cache);
    profiles.follow(|package| found.get(package).cloned());
    Ok(profiles)
}

/// Gets `spec`; of a solver that is named without a version and whose releases are followed, the newest, which is remembered
/// once it works. Where nobody can say which that is, the version that was known before.
///
/// # Errors
/// As [`provide`].
pub fn provide_newest(spec: &SolverSpec, setup: &Setup<'_>) -> Result<Solver, ProvisionError> {
    let Some(package) = setup.profiles.followed(spec) else { return provide(spec, setup) };
    (setup.progress)(Step::Stage(&format!("asking for the newest release of {package}")));
    let version = match newest_release(package, setup) {
        Ok(release) => version_of(&release),
        Err(ProvisionError::Interrupted) => return Err(ProvisionError::Interrupted),
        Err(error) => {
            (setup.progress)(Step::Stage(&format!("{error}; taking the version that is known")));
            return provide(spec, setup);
        }
    };
    let solver = provide(&SolverSpec { version: Some(version.clone()), ..spec.clone() }, setup)?;
    let _lock = setup.cache.lock("newest", setup)?;
    let mut found = found(setup.cache);
    found.insert(package.to_owned(), version);
    record::write_whole(&file(setup.cache), &serde_json::to_string_pretty(&found).unwrap_or_default())?;
    Ok(solver)
}

fn file(cache: &Cache) -> PathBuf {
    cache.folder().join("newest.json")
}

/// The newest releases that were found so far, by package. What cannot be read is as if nobody had asked.
fn found(cache: &Cache) -> BTreeMap<String, Version> {
    let text = fs::read_to_string(file(cache)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// What `pip install --report` says, as far as it matters here.
#[derive(Deserialize)]
struct Report {
    install: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    version: Version,
}

/// The newest release that has a wheel for this machine.
fn newest_release(package: &str, setup: &Setup<'_>) -> Result<Version, ProvisionError> {
    let purpose = format!("ask for the newest release of {package}");
    let command = Command::new(tool::find("python3", &purpose)?)
        .args(["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--dry-run", "--ignore-installed"])
        .args(["--no-deps", "--only-binary=:all:", "--report", "-"])
        .arg(package);
    let run = tool::succeed(command, &purpose, setup.interrupt)?;
    let text = run.stdout_text();
    let report: Option<Report> = serde_json::from_str(&text).ok();
    let first = report.and_then(|report| report.install.into_iter().next());
    first.map(|item| item.metadata.version).ok_or_else(|| ProvisionError::ToolFailed {
        purpose,
        exit: "no release in its report".to_owned(),
        output: text.chars().take(200).collect(),
    })
}

/// The solver's version for a release of its package: Z3's packages add a part, which is 0 where the version has three.
fn version_of(release: &Version) -> Version {
    let short = release.as_str().strip_suffix(".0").filter(|_| release.part_count() == 4);
    short.and_then(|text| text.parse().ok()).unwrap_or_else(|| release.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_of_four_parts_is_the_version_of_three_if_the_last_is_0() {
        let version = |release: &str| version_of(&release.parse().expect("a version")).to_string();
        assert_eq!(version("5.4.1.0"), "5.4.1");
        assert_eq!(version("4.5.1.0.post2"), "4.5.1.0.post2");
        assert_eq!(version("1.4.0"), "1.4.0");
    }

    #[test]
    fn what_setup_found_is_meant_where_no_version_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path());
        let meant = |name: &str| {
            let profiles = known_profiles(None, &cache).expect("profiles");
            profiles.get(&name.parse().expect("a spec")).expect("a profile").1.to_string()
        };
        let before = meant("z3");
        fs::write(file(&cache), r#"{"z3-solver": "99.1.0"}"#).expect("a file");
        assert_eq!(
            (meant("z3"), meant("z3@4.8.10"), meant("z3str3")),
            ("99.1.0".into(), "4.8.10".into(), "4.8.10".into())
        );
        fs::write(file(&cache), "{").expect("a file");
        assert_eq!(meant("z3"), before, "damaged");
    }
}
