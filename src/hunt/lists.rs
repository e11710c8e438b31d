//! The user's lists: texts of outputs that are crashes, that say nothing, or that show what is known already.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Found;
use crate::solver::profile::SolverSpec;

/// Texts, of all solvers or of one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Texts {
    /// A line of output that contains one of these is the message of a crash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crash: Vec<String>,
    /// An output that contains one of these says nothing: the solver is left out of what is said of the instance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// A finding whose reason or evidence contains one of these is known: it is counted, and not reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
}

/// What a file of lists says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Lists {
    /// Of all solvers.
    #[serde(flatten)]
    pub all: Texts,
    /// Of single ones, by name: `z3`, whatever the version and the options are.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub solver: BTreeMap<String, Texts>,
}

/// What is wrong with a file of lists, or of options, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name}:{line}:{column}: {reason}")]
pub struct ListError {
    /// The file's name.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl ListError {
    /// What is wrong at a byte of the text of the file with this name.
    pub(super) fn at(name: &str, text: &str, offset: usize, reason: &str) -> ListError {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        ListError { name: name.to_owned(), line, column, reason: reason.trim_end().to_owned() }
    }
}

/// The same as it is written.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Written {
    crash: Vec<Spanned<String>>,
    ignore: Vec<Spanned<String>>,
    duplicates: Vec<Spanned<String>>,
    solver: BTreeMap<String, WrittenTexts>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct WrittenTexts {
    crash: Vec<Spanned<String>>,
    ignore: Vec<Spanned<String>>,
    duplicates: Vec<Spanned<String>>,
}

impl Lists {
    /// Reads the text of the file with this name.
    ///
    /// # Errors
    /// [`ListError`]: what is no TOML, a key that is none, a text that is empty and would be in every output.
    pub fn read(text: &str, name: &str) -> Result<Lists, ListError> {
        let at = |offset, reason: &str| ListError::at(name, text, offset, reason);
        let written: Written =
            toml::from_str(text).map_err(|error| at(error.span().map_or(0, |span| span.start), error.message()))?;
        let plain = |list: Vec<Spanned<String>>| {
            let one = |text: Spanned<String>| match text.get_ref().trim() {
                "" => Err(at(text.span().start, "an empty text would be in every output")),
                _ => Ok(text.into_inner()),
            };
            list.into_iter().map(one).collect::<Result<Vec<String>, ListError>>()
        };
        let texts = |crash, ignore, duplicates| {
            Ok(Texts { crash: plain(crash)?, ignore: plain(ignore)?, duplicates: plain(duplicates)? })
        };
        let of_solver =
            |(name, list): (String, WrittenTexts)| Ok((name, texts(list.crash, list.ignore, list.duplicates)?));
        Ok(Lists {
            all: texts(written.crash, written.ignore, written.duplicates)?,
            solver: written.solver.into_iter().map(of_solver).collect::<Result<_, ListError>>()?,
        })
    }

    /// The texts that hold for a solver.
    pub fn of(&self, solver: &SolverSpec) -> Texts {
        let mut texts = self.all.clone();
        if let Some(own) = self.own(solver) {
            texts.crash.extend_from_slice(&own.crash);
            texts.ignore.extend_from_slice(&own.ignore);
            texts.duplicates.extend_from_slice(&own.duplicates);
        }
        texts
    }

    /// Those of a solver alone; one that is named by its path has the program's name.
    fn own(&self, solver: &SolverSpec) -> Option<&Texts> {
        let name = solver.name.rsplit('/').next().unwrap_or_default();
        self.solver.get(&solver.name).or_else(|| self.solver.get(name))
    }

    /// The text by which a finding is known, if it is.
    pub fn known(&self, found: &Found) -> Option<&str> {
        let finding = &found.finding;
        let own = finding.solvers.iter().filter_map(|label| self.own(&SolverSpec::parse(label).ok()?));
        let texts = own.chain([&self.all]).flat_map(|texts| &texts.duplicates);
        let says =
            |text: &str| finding.because.contains(text) || finding.evidence.iter().any(|line| line.contains(text));
        texts.map(String::as_str).find(|text| says(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::source::Case;
    use crate::oracle::correctness::{Finding, Kind};
    use crate::smtlib::script::Script;

    const FILE: &str = "crash = [\"panic in\"]\nduplicates = [\"theory_seq.cpp\"]\n\n[solver.z3]\nignore = [\"not implemented\"]\n\
                        duplicates = [\"signal 11\"]\n";

    #[test]
    fn lists_hold_for_all_solvers_or_for_one() {
        let lists = Lists::read(FILE, "lists.toml").expect("it is sound");
        let texts = |name: &str| lists.of(&name.parse().expect("a solver"));
        assert_eq!((texts("z3@4.8.10 a=b").ignore.len(), texts("/opt/bin/z3").ignore.len()), (1, 1));
        assert_eq!(texts("cvc5"), Texts { ignore: Vec::new(), ..lists.all.clone() });
        let known = |solver: &str, message: &str| {
            let finding = Finding {
                kind: Kind::Crash,
                solvers: vec![solver.to_owned()],
                because: format!("{solver} crashes"),
                evidence: vec![message.to_owned()],
            };
            let case = Case::open("seed".to_owned(), 1, Script::default());
            lists.known(&Found { case, testimonies: Vec::new(), finding }).map(str::to_owned)
        };
        assert_eq!(known("z3@5.4.1", "signal 11").as_deref(), Some("signal 11"));
        assert_eq!(known("cvc5@1.2.0", "signal 11"), None);
        assert_eq!(known("cvc5@1.2.0", "File: ../smt/theory_seq.cpp").as_deref(), Some("theory_seq.cpp"));
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let error = |text: &str| Lists::read(text, "lists.toml").expect_err("it is wrong").to_string();
        assert_eq!(
            error("crash = [\n  \"a\",\n  \" \",\n]\n"),
            "lists.toml:3:3: an empty text would be in every output"
        );
        assert!(error("crash = [\"a\"]\nignored = []\n").starts_with("lists.toml:2:1: unknown field `ignored`"));
        assert!(error("[solver.z3]\ncrash = 7\n").starts_with("lists.toml:2:9: invalid type"));
        assert!(error("crash = [\n").starts_with("lists.toml:"), "{}", error("crash = [\n"));
    }
}
