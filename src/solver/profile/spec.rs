//! How a user names a solver: `NAME[@VERSION] [OPTION…]`.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::shell::{quote, words};
use crate::solver::{likeness, tactic};

/// A solver as the user names it: `z3str3`, `cvc4@1.8`, `"z3@4.8.10 rewriter.flat=false"`, or by its path: `./build/z3`, in
/// quotes if it has blanks, and with what it is like if it does not say so itself: `"./build/mine like=z3@5.4.1"`. Two
/// configurations of one solver are two specs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SolverSpec {
    /// The profile's name.
    pub name: String,
    /// The version; the profile's default if `None`.
    pub version: Option<Version>,
    /// Further arguments of the solver.
    pub options: Vec<String>,
}

/// Why a text does not name a solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no name.
    #[error("a solver's name is missing in {0:?}: expected NAME[@VERSION] [OPTION…]")]
    NoName(String),
    /// A quote is not closed, or nothing follows a backslash.
    #[error("{0:?} ends within quotes: words are read as a shell reads them, so that blanks of a path stand in quotes")]
    OpenQuote(String),
    /// What it is like is said of a solver that has a name.
    #[error("{0} is a solver that we know: `like=` is for one that is named by its path")]
    LikenessOfKnown(String),
    /// What follows `@` is no version.
    #[error("{0:?} is not a version: expected a number with dots, such as 4.8.10")]
    NotAVersion(String),
}

impl SolverSpec {
    /// Parses `NAME[@VERSION] [OPTION…]`, words as a shell reads them: `'./my solvers/z3' rewriter.flat=false`.
    ///
    /// # Errors
    /// When the name is missing, the version is not one, a quote is not closed, or a known solver is said to be like one.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let mut words = words(text).ok_or_else(|| SpecError::OpenQuote(text.to_owned()))?.into_iter();
        let first = &words.next().unwrap_or_default();
        let options: Vec<String> = words.collect();
        if first.split('@').next().is_some_and(|name| name.contains('/')) {
            return Ok(Self::of_path(first, options));
        }
        let (name, version) = match first.split_once('@') {
            Some((name, version)) => (name, Some(version.parse()?)),
            None => (first.as_str(), None),
        };
        if name.is_empty() {
            return Err(SpecError::NoName(text.to_owned()));
        }
        if options.iter().any(|option| likeness::is_likeness(option)) {
            return Err(SpecError::LikenessOfKnown(name.to_owned()));
        }
        Ok(SolverSpec { name: name.to_owned(), version, options })
    }

    /// An executable of the user's, by its path, which may have its version behind it as labels do.
    fn of_path(path: &str, options: Vec<String>) -> Self {
        let (path, version) = match path.rsplit_once('@') {
            Some((before, version)) if !version.contains('/') && version.parse::<Version>().is_ok() => {
                (before, version.parse().ok())
            }
            _ => (path, None),
        };
        // Records are read in other folders than the one in which the path was given.
        let absolute = std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string());
        SolverSpec { name: absolute, version, options }
    }

    /// The tactic by which Z3 is asked, which is written as an option: `z3 check-sat-using=dom-simplify`.
    pub fn tactic(&self) -> Option<&str> {
        tactic::of(&self.options)
    }

    /// The known solver that this one is like, if the user says so: `like=NAME[@VERSION]`.
    ///
    /// # Errors
    /// When that is not a solver's name.
    pub fn likeness(&self) -> Result<Option<SolverSpec>, SpecError> {
        likeness::of(&self.options).map(Self::parse).transpose()
    }

    /// The same, like its known solver at this version, if it does not name one itself: what `setup` finds later changes
    /// nothing then.
    #[must_use]
    pub fn pinned_likeness(&self, version: &Version) -> SolverSpec {
        let mut pinned = self.clone();
        if let Ok(Some(known @ SolverSpec { version: None, .. })) = self.likeness() {
            pinned.options.retain(|option| !likeness::is_likeness(option));
            pinned.options.insert(0, likeness::option(&format!("{}@{version}", known.name)));
        }
        pinned
    }

    /// The options that are arguments of the program.
    pub fn arguments(&self) -> impl Iterator<Item = &String> {
        self.options.iter().filter(|option| !tactic::is_tactic(option) && !likeness::is_likeness(option))
    }

    /// Whether this names an executable by its path.
    pub fn is_path(&self) -> bool {
        self.name.contains('/')
    }
}

impl FromStr for SolverSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::parse(text)
    }
}

impl TryFrom<String> for SolverSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        Self::parse(&text)
    }
}

impl From<SolverSpec> for String {
    fn from(spec: SolverSpec) -> String {
        spec.to_string()
    }
}

/// A word of a spec, in quotes where it would be read as another word, or as several.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\');
    if word.is_empty() || word.contains(is_special) { Cow::Owned(quote(word)) } else { Cow::Borrowed(word) }
}

impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => f.write_str(&quoted(&format!("{}@{version}", self.name)))?,
            None => f.write_str(&quoted(&self.name))?,
        }
        self.options.iter().try_for_each(|option| write!(f, " {}", quoted(option)))
    }
}

/// A version: parts between dots, compared as numbers where they are numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Version(String);

impl Version {
    /// The version's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first thing in a program's output that looks like a version: `Z3 version 4.8.10 - 64 bit`.
    pub fn find_in(output: &str) -> Option<Version> {
        output.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '[' | ']')).find_map(|word| {
            let word = word.trim_start_matches('v').trim_end_matches('.');
            word.contains('.').then(|| word.parse().ok()).flatten()
        })
    }

    /// Whether one is the beginning of the other, part by part: `1.5` and `1.5.118`, but not `1.5` and `1.51`.
    pub fn agrees_with(&self, other: &Version) -> bool {
        self.0.split('.').zip(other.0.split('.')).all(|(ours, theirs)| ours == theirs)
    }

    /// How many parts it has.
    pub fn part_count(&self) -> usize {
        self.0.split('.').count()
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |part: &str| (part.parse::<u64>().ok(), part.to_owned());
        self.0.split('.').map(key).cmp(other.0.split('.').map(key)).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Version {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        // It becomes part of file names, so nothing else is let in.
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_');
        let valid = text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(allowed) && !text.contains("..");
        if valid { Ok(Version(text.to_owned())) } else { Err(SpecError::NotAVersion(text.to_owned())) }
    }
}

impl TryFrom<String> for Version {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<Version> for String {
    fn from(version: Version) -> String {
        version.0
    }
}
