//! Solver profiles: what a solver is, as data (TOML), built in or the user's.

mod inherit;
mod source;
mod spec;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use source::{Launcher, Source};
pub use spec::{SolverSpec, SpecError, Version};

use crate::smtlib::dialect::Dialect;

/// The built-in profiles.
const BUILT_IN: &str = include_str!("profiles.toml");

/// What is known of an instrumented executable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instrumented {
    /// The folder of its `.gcno` files, as the compiler laid them out; relative paths start at the executable's folder.
    pub notes: PathBuf,
    /// How the counters of its runs reach us.
    #[serde(default)]
    pub counters: CounterSource,
}

/// How the counters of an instrumented solver's runs reach us (`gcov-tools/README.md` compares the ways).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CounterSource {
    /// It is linked with `gcov-tools/runtime.c`, and shares its memory with us.
    #[default]
    SharedMemory,
    /// It is linked as usual; a library of ours is loaded into it (`LD_PRELOAD`), which shares its memory with us.
    Preload,
    /// It is linked as usual; it writes `.gcda` files when it ends by itself, and none when it is killed.
    DataFiles,
}

/// The theory of the script on which a solver shows that it works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelfTest {
    /// Strings.
    #[default]
    Strings,
    /// Bit-vectors.
    BitVectors,
}

impl SelfTest {
    /// A satisfiable script, which declares `x`.
    pub fn satisfiable(self) -> String {
        self.script("")
    }

    /// An unsatisfiable script.
    pub fn unsatisfiable(self) -> String {
        self.script("(assert (distinct x x))\n")
    }

    fn script(self, more: &str) -> String {
        let (logic, sort, value) = match self {
            SelfTest::Strings => ("ALL", "String", "\"a\""),
            SelfTest::BitVectors => ("QF_BV", "(_ BitVec 8)", "#x01"),
        };
        format!("(set-logic {logic})\n(declare-fun x () {sort})\n(assert (= x {value}))\n{more}(check-sat)\n")
    }
}

/// How a solver is asked for its model, as SMT-LIB has it unless a profile says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelQuestion {
    /// Further arguments.
    pub arguments: Vec<String>,
    /// The command before all others.
    pub option: String,
    /// The command behind the question. Empty: it prints no model that is read here.
    pub command: String,
}

impl Default for ModelQuestion {
    fn default() -> Self {
        ModelQuestion {
            arguments: Vec::new(),
            option: "(set-option :produce-models true)".to_owned(),
            command: "(get-model)".to_owned(),
        }
    }
}

impl ModelQuestion {
    /// Whether there is a way to ask.
    pub fn can_be_asked(&self) -> bool {
        !self.command.is_empty()
    }
}

/// A solver, as far as it is the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name on the command line.
    pub name: String,
    /// One line for people.
    #[serde(default)]
    pub summary: String,
    /// Whose program it is: solvers of one family share their mistakes, and do not confirm each other. Its name if empty; of a
    /// solver that is like another, that one's.
    #[serde(default)]
    pub family: String,
    /// The version that is meant when none is named.
    pub version: Version,
    /// The package of the Python package index whose newest release is meant when no version is named, once `setup` has
    /// asked for it; `version` until then. None: `version` is always meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<String>,
    /// Where it comes from.
    pub source: Source,
    /// The end of the executable's path inside its package.
    #[serde(default)]
    pub executable: PathBuf,
    /// Arguments that make it print its version.
    pub probe: Vec<String>,
    /// Arguments of every run.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Arguments that set the random seed, `{seed}`.
    #[serde(default)]
    pub seed: Vec<String>,
    /// Arguments that write the trace to descriptor `{fd}`. Empty: it has no trace.
    #[serde(default)]
    pub trace: Vec<String>,
    /// Arguments that make it check its own models.
    #[serde(default)]
    pub check_model: Vec<String>,
    /// How it is asked for its model.
    #[serde(default)]
    pub model: ModelQuestion,
    /// Arguments without which it takes no script with `push`, or with several questions. Empty: it takes them as they are.
    #[serde(default)]
    pub incremental: Vec<String>,
    /// Messages of its crashes, beside the known ones: a line of its output that contains one is a crash.
    #[serde(default)]
    pub crashes: Vec<String>,
    /// Texts that make an output say nothing. They are of a hunt, not of the solver, so that no file has them.
    #[serde(skip)]
    pub ignores: Vec<String>,
    /// Arguments that make it give up by itself after `{limit}` units of its own, deterministically.
    #[serde(default)]
    pub soft_limit: Vec<String>,
    /// Units of [`Profile::soft_limit`] for which it seldom needs more than a second, instrumented and writing a trace.
    #[serde(default)]
    pub soft_limit_per_second: u64,
    /// How scripts are spelled.
    pub dialect: Dialect,
    /// Its names of logics, where they differ from the script's.
    #[serde(default)]
    pub logics: BTreeMap<String, String>,
    /// Commands to add at a script's end; none of them may fail after any answer.
    #[serde(default)]
    pub epilogue: String,
    /// Operators that it does not parse, does not decide or gets wrong, by family, with their SMT-LIB 2.6 names.
    #[serde(default)]
    pub rejects: BTreeMap<String, Vec<String>>,
    /// Which of the rejected it reads all the same, and gives up on or gets wrong: a hunt for wrong answers asks about them.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Set if it is instrumented for coverage.
    #[serde(default)]
    pub instrumented: Option<Instrumented>,
    /// On which script it shows that it works.
    #[serde(default)]
    pub self_test: SelfTest,
    /// Whether it takes `(reset)` between scripts in one process.
    #[serde(default)]
    pub resets: bool,
    /// Tactics by which it can be asked, `(check-sat-using TACTIC)`, in all its versions. Empty: it has none.
    #[serde(default)]
    pub tactics: Vec<String>,
    /// What changed at a version, in the order of versions.
    #[serde(default)]
    pub since: Vec<Since>,
}

/// What changed in a solver at a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// The first version with the change.
    pub version: Version,
    /// Replaces [`Profile::source`].
    pub source: Option<Source>,
    /// Replaces [`Profile::arguments`].
    pub arguments: Option<Vec<String>>,
    /// Replaces [`Profile::seed`].
    pub seed: Option<Vec<String>>,
    /// Replaces [`Profile::model`].
    pub model: Option<ModelQuestion>,
    /// Replaces [`Profile::incremental`].
    pub incremental: Option<Vec<String>>,
    /// Replaces [`Profile::dialect`].
    pub dialect: Option<Dialect>,
    /// Replaces [`Profile::logics`].
    pub logics: Option<BTreeMap<String, String>>,
    /// Replaces [`Profile::rejects`].
    pub rejects: Option<BTreeMap<String, Vec<String>>>,
}

impl Profile {
    /// Whose program it is.
    pub fn family(&self) -> &str {
        if self.family.is_empty() { &self.name } else { &self.family }
    }

    /// The profile as it is for `version`: the changes up to it applied.
    #[must_use]
    pub fn at(&self, version: &Version) -> Profile {
        let mut profile = self.clone();
        for change in self.since.iter().filter(|change| change.version <= *version) {
            let Since { version: _, source, arguments, seed, model, incremental, dialect, logics, rejects } =
                change.clone();
            profile.source = source.unwrap_or(profile.source);
            profile.arguments = arguments.unwrap_or(profile.arguments);
            profile.seed = seed.unwrap_or(profile.seed);
            profile.model = model.unwrap_or(profile.model);
            profile.incremental = incremental.unwrap_or(profile.incremental);
            profile.dialect = dialect.unwrap_or(profile.dialect);
            profile.logics = logics.unwrap_or(profile.logics);
            profile.rejects = rejects.unwrap_or(profile.rejects);
        }
        profile.since.clear();
        profile
    }

    /// The soft limit that nearly all runs reach within `time` of CPU, so that they end by themselves and show the same
    /// each time; 0 if it has none.
    pub fn soft_limit_within(&self, time: Duration) -> u64 {
        if self.soft_limit.is_empty() { 0 } else { (self.soft_limit_per_second as f64 * time.as_secs_f64()) as u64 }
    }

    /// The rejected operators that it does not even read.
    pub fn unread(&self) -> impl Iterator<Item = &str> {
        self.rejects.values().flatten().filter(|name| !self.reads.contains(name)).map(String::as_str)
    }

    /// Whether the operator with this SMT-LIB 2.6 name is among the rejected, whatever its family.
    pub fn rejects_operator(&self, operator: &str) -> bool {
        self.rejects.values().flatten().any(|rejected| rejected == operator)
    }
}

/// The SHA-256 that a download must have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The package.
    pub package: String,
    /// Its version.
    pub release: String,
    /// `wheel` or `source`.
    pub kind: String,
    /// The hash, in lower-case hexadecimal.
    pub sha256: String,
}

/// A file of profiles.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileFile {
    #[serde(default)]
    solver: Vec<toml::Spanned<toml::Table>>,
    #[serde(default)]
    pin: Vec<Pin>,
}

/// All known profiles.
#[derive(Clone, Debug)]
pub struct Profiles {
    by_name: BTreeMap<String, Profile>,
    pins: Vec<Pin>,
}

impl Profiles {
    /// The built-in profiles.
    ///
    /// # Panics
    /// Never: a test parses them.
    pub fn built_in() -> Self {
        let mut profiles = Profiles { by_name: BTreeMap::new(), pins: Vec::new() };
        profiles.add(BUILT_IN, Path::new("profiles.toml")).expect("the built-in profiles are valid");
        profiles
    }

    /// The built-in profiles, and those of a user's file if there is one.
    ///
    /// # Errors
    /// As [`Profiles::add_file`].
    pub fn with_file(path: Option<&Path>) -> Result<Self, ProfileError> {
        let mut profiles = Profiles::built_in();
        if let Some(path) = path {
            profiles.add_file(path)?;
        }
        Ok(profiles)
    }

    /// Adds the profiles of the file at `path`; one of a known name replaces it, and one may be `like` a known one.
    ///
    /// # Errors
    /// When the file cannot be read or is not a file of profiles.
    pub fn add_file(&mut self, path: &Path) -> Result<(), ProfileError> {
        let unreadable = |source| ProfileError::Unreadable { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        self.add(&text, &std::path::absolute(path).map_err(unreadable)?)
    }

    fn add(&mut self, text: &str, path: &Path) -> Result<(), ProfileError> {
        let file: ProfileFile = toml::from_str(text)
            .map_err(|source| ProfileError::Invalid { path: path.to_owned(), source: Box::new(source) })?;
        self.pins.extend(file.pin);
        for table in file.solver {
            let line = 1 + text[..table.span().start.min(text.len())].matches('\n').count();
            let mut profile = inherit::profile(table.into_inner(), &self.by_name)
                .map_err(|reason| ProfileError::NotAProfile { path: path.to_owned(), line, reason })?;
            if profile.crashes.iter().any(|message| message.trim().is_empty()) {
                let reason =
                    format!("an empty message in `crashes` of {} would make every answer a crash", profile.name);
                return Err(ProfileError::NotAProfile { path: path.to_owned(), line, reason });
            }
            // Solvers are started in a folder of their own, where a path as the user wrote it would mean nothing.
            let folder = path.parent().unwrap_or(Path::new(""));
            profile.source.anchor(folder);
            profile.since.iter_mut().filter_map(|change| change.source.as_mut()).for_each(|it| it.anchor(folder));
            self.by_name.insert(profile.name.clone(), profile);
        }
        Ok(())
    }

    /// The profile of `spec` at its version, or at the default version, and that version; of an executable that is named by its
    /// path, those of what it is said to be like.
    ///
    /// # Errors
    /// When no profile has this name.
    pub fn get(&self, spec: &SolverSpec) -> Result<(Profile, Version), ProfileError> {
        if let Ok(Some(known)) = spec.likeness() {
            return self.get(&known);
        }
        let profile = self.by_name.get(&spec.name).ok_or_else(|| ProfileError::UnknownSolver {
            name: spec.name.clone(),
            known: self.by_name.keys().cloned().collect::<Vec<_>>().join(", "),
        })?;
        let version = spec.version.clone().unwrap_or_else(|| profile.version.clone());
        Ok((profile.at(&version), version))
    }

    /// Gives each profile that follows a package's releases the newest version that is known.
    pub(super) fn follow(&mut self, newest: impl Fn(&str) -> Option<Version>) {
        for profile in self.by_name.values_mut() {
            if let Some(version) = profile.follows.as_deref().and_then(&newest) {
                profile.version = version;
            }
        }
    }

    /// The package whose newest release `spec` means.
    pub(super) fn followed(&self, spec: &SolverSpec) -> Option<&str> {
        self.by_name.get(&spec.name).filter(|_| spec.version.is_none())?.follows.as_deref()
    }

    /// All profiles, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Profile> {
        self.by_name.values()
    }

    /// The pinned hash of a download.
    pub fn pin(&self, package: &str, release: &str, kind: &str) -> Option<&str> {
        let found =
            self.pins.iter().rev().find(|pin| (&*pin.package, &*pin.release, &*pin.kind) == (package, release, kind));
        found.map(|pin| pin.sha256.as_str())
    }
}

/// What is wrong with a profile, or with a name of one.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is not a file of profiles.
    #[error("{} is not a file of solver profiles: {source}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A profile in the file is wrong.
    #[error("{}:{line}: {reason}", path.display())]
    NotAProfile {
        /// The file.
        path: PathBuf,
        /// The line at which the profile begins.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// No profile has this name.
    #[error(
        "no solver named {name}; known: {known}; an executable of your own is named by its path, such as ./{name}, or \
         described in a file that --profiles names"
    )]
    UnknownSolver {
        /// The name.
        name: String,
        /// The names that exist.
        known: String,
    },
}

#[cfg(test)]
mod tests;
