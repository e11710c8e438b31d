//! The seeds of a hunt: the scripts below folders, each read when its turn comes, and which of them old and new solvers read
//! differently.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::hunt::seeds::{Seeds, Unusable};
use crate::job::instances::scripts_at;
use crate::number::counted;
use crate::random::{choose_front, rng_for};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, decode, detect, parse};
use crate::smtlib::script::Script;

/// The most files whose literals are told to be read differently, one by one.
const SHOWN_AMBIGUOUS: usize = 8;

/// Sets the random choice of the order of seeds apart from those that make instances.
const ORDER: (u32, u32) = (u32::MAX, u32::MAX);

/// The first half of a digest, which tells seeds apart.
pub(in crate::job) fn half_of(hash: Sha256) -> String {
    format!("{:032x}", hash.finalize().first_chunk().map_or(0, |half| u128::from_be_bytes(*half)))
}

/// Scripts by their paths.
#[derive(Debug)]
pub(in crate::job) struct SeedFiles {
    /// Where relative paths start; empty for the working folder.
    folder: PathBuf,
    paths: Vec<PathBuf>,
    ambiguous: Mutex<Ambiguous>,
}

/// Files whose string literals depend on the dialect.
#[derive(Debug, Default)]
struct Ambiguous {
    /// How they were read, by their numbers.
    met: BTreeMap<usize, Dialect>,
    /// How many of them were told of.
    told: usize,
}

impl SeedFiles {
    /// No seeds.
    pub(super) fn none() -> SeedFiles {
        SeedFiles { folder: PathBuf::new(), paths: Vec::new(), ambiguous: Mutex::default() }
    }

    /// The scripts at these paths, folders searched through, in the order of their names. None is opened.
    ///
    /// # Errors
    /// A path that cannot be searched, or no script at all.
    pub(in crate::job) fn list(folder: &Path, paths: &[PathBuf]) -> anyhow::Result<SeedFiles> {
        let mut listed = Vec::new();
        for path in paths {
            let there = folder.join(path);
            // They are called as the user called them.
            let name = |file: PathBuf| match file.strip_prefix(&there) {
                Ok(rest) if !rest.as_os_str().is_empty() => path.join(rest),
                _ => path.clone(),
            };
            listed.extend(scripts_at(&there)?.into_iter().map(name));
        }
        anyhow::ensure!(!listed.is_empty(), "there are no scripts among the seeds");
        Ok(SeedFiles { folder: folder.to_owned(), paths: listed, ambiguous: Mutex::default() })
    }

    /// All that can be read, by their names; what cannot is said.
    pub(in crate::job) fn all(&self) -> Vec<(String, Script)> {
        let mut scripts = Vec::new();
        for seed in 0..self.count() {
            match self.read(seed) {
                Ok(script) => scripts.push((self.name(seed), script)),
                Err(why) => tracing::warn!("left out: {why}"),
            }
        }
        scripts
    }

    /// What changes if there are other files, or the same in another order: not what is in them.
    pub(super) fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for path in &self.paths {
            hash.update(path.as_os_str().as_encoded_bytes());
            hash.update([0]);
        }
        half_of(hash)
    }

    /// A random order of all, which `seed` decides.
    pub(super) fn shuffled(&self, seed: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.paths.len()).collect();
        let all = order.len();
        choose_front(&mut rng_for(seed, ORDER.0, ORDER.1), &mut order, all);
        order
    }

    /// What a user should know of the seeds that were read since this was asked last.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut ambiguous = self.ambiguous.lock().unwrap_or_else(PoisonError::into_inner);
        let Ambiguous { met, told } = &mut *ambiguous;
        let room = SHOWN_AMBIGUOUS.saturating_sub(*told);
        let new: Vec<(usize, Dialect)> = met.iter().map(|(seed, dialect)| (*seed, *dialect)).collect();
        *told += new.len();
        // Those that are told of need not be remembered: each is met in the first round.
        met.clear();
        let line = |(seed, dialect): (usize, Dialect)| {
            format!(
                "note: {}: solvers of SMT-LIB 2.5 (Z3 4.8.10, CVC4 1.6) and 2.6 read its string literals differently: a \
                 difference of dialects, no defect. It is read as {dialect}, and each solver gets its own spelling",
                self.name(seed)
            )
        };
        new.into_iter().take(room).map(line).collect()
    }

    /// What there was no room for among the notes.
    pub(super) fn last_note(&self) -> Option<String> {
        let told = self.ambiguous.lock().unwrap_or_else(PoisonError::into_inner).told;
        let more = told.checked_sub(SHOWN_AMBIGUOUS).filter(|&more| more > 0)?;
        Some(format!(
            "note: solvers of SMT-LIB 2.5 and 2.6 read the literals of {} differently, too",
            counted(more, "other seed")
        ))
    }
}

impl Seeds for SeedFiles {
    fn count(&self) -> usize {
        self.paths.len()
    }

    fn name(&self, seed: usize) -> String {
        self.paths[seed].display().to_string()
    }

    fn read(&self, seed: usize) -> Result<Script, Unusable> {
        let name = self.name(seed);
        let unreadable = Unusable::Unreadable;
        let bytes = fs::read(self.folder.join(&self.paths[seed]))
            .map_err(|error| unreadable(format!("cannot read {name}: {error}")))?;
        let text = decode(bytes, &name).map_err(|error| unreadable(error.to_string()))?;
        if text.trim().is_empty() {
            return Err(unreadable(format!("{name}: the file is empty")));
        }
        let dialect = detect(&text);
        let parsed = |dialect| parse(&text, &name, &ParseOptions { dialect: Some(dialect) });
        let script = parsed(dialect).map_err(|error| unreadable(error.to_string()))?;
        let other = if dialect == Dialect::SmtLib26 { Dialect::SmtLib25 } else { Dialect::SmtLib26 };
        if text.contains('\\') && parsed(other).is_ok_and(|read| read != script) {
            self.ambiguous.lock().unwrap_or_else(PoisonError::into_inner).met.insert(seed, dialect);
        }
        Ok(script)
    }
}
