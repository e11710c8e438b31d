//! The seeds of a hunt: the scripts below folders, and which of them old and new solvers read differently.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cmd::instances::scripts_at;
use crate::console::say;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, detect, parse};
use crate::smtlib::script::Script;

/// The most files that are named where none can be read.
const SHOWN: usize = 8;

/// Scripts by their paths, and what is to be said of some.
#[derive(Debug, Default)]
pub(in crate::cmd) struct Seeds {
    pub(in crate::cmd) scripts: Vec<(String, Script)>,
    /// Files that are no scripts, and why.
    unreadable: Vec<String>,
    /// Files whose string literals depend on the dialect, and how they were read.
    ambiguous: Vec<(String, Dialect)>,
}

impl Seeds {
    /// The scripts at these paths, folders searched through, in the order of their names.
    ///
    /// # Errors
    /// A path that cannot be searched, or no script at all: then the files, and what is wrong with each.
    pub(in crate::cmd) fn read(paths: &[PathBuf]) -> anyhow::Result<Seeds> {
        let mut seeds = Seeds::default();
        for path in paths {
            for file in scripts_at(path)? {
                seeds.add(&file);
            }
        }
        anyhow::ensure!(!seeds.scripts.is_empty(), "{}", seeds.why_none());
        Ok(seeds)
    }

    /// What is wrong with the first files.
    fn why_none(&self) -> String {
        let mut lines: Vec<String> = self.unreadable.iter().take(SHOWN).cloned().collect();
        if let more @ 1.. = self.unreadable.len().saturating_sub(SHOWN) {
            lines.push(format!("and {more} more"));
        }
        if lines.is_empty() {
            return "there are no scripts among the seeds".to_owned();
        }
        format!("there are no scripts among the seeds that can be read:\n  {}", lines.join("\n  "))
    }

    fn add(&mut self, file: &Path) {
        let name = file.display().to_string();
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => return self.unreadable.push(format!("cannot read {name}: {error}")),
        };
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() {
            return self.unreadable.push(format!("{name}: the file is empty"));
        }
        let dialect = detect(&text);
        let parsed = |dialect| parse(&text, &name, &ParseOptions { dialect: Some(dialect) });
        match parsed(dialect) {
            Ok(script) => {
                let other = if dialect == Dialect::SmtLib26 { Dialect::SmtLib25 } else { Dialect::SmtLib26 };
                if text.contains('\\') && parsed(other).is_ok_and(|read| read != script) {
                    self.ambiguous.push((name.clone(), dialect));
                }
                self.scripts.push((name, script));
            }
            Err(error) => self.unreadable.push(error.to_string()),
        }
    }

    /// Says on standard error what a user should know of the seeds.
    pub(in crate::cmd) fn tell(&self) {
        for (name, dialect) in &self.ambiguous {
            say!(
                "note: {name}: solvers of SMT-LIB 2.5 (Z3 4.8.10, CVC4 1.6) and 2.6 read its string literals differently: a \
                 difference of dialects, no defect. It is read as {dialect}, and each solver gets its own spelling"
            );
        }
        if let Some(first) = self.unreadable.first() {
            say!("note: {} files are left out; the first: {first}", self.unreadable.len());
        }
    }
}
