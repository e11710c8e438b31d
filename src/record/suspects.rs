//! `suspects.csv` and `suspects/`: scripts on which a solver may be wrong, one of each structural class, for a hunt to judge.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::directory::names;
use super::error::RecordError;
use super::file::write_atomically;
use super::format::SuspectRow;
use super::reader::read_rows;
use super::table::Table;
use crate::oracle::suspicion::Suspicion;

/// Suspects of one suspicion that are kept: more than a night of hunting can judge.
const MOST: usize = 1000;

/// All suspects of a run.
#[derive(Debug)]
pub(super) struct SuspectStore {
    root: PathBuf,
    table: Table<SuspectRow>,
    classes: BTreeMap<Suspicion, BTreeSet<String>>,
}

impl SuspectStore {
    /// Opens the table and the folder, or makes them, and reads what is there.
    pub(super) fn open(root: &Path) -> Result<Self, RecordError> {
        let folder = root.join(names::SUSPECTS);
        fs::create_dir_all(&folder).map_err(RecordError::write(&folder))?;
        let table = Table::open(&root.join(names::SUSPECT_TABLE))?;
        let mut store = SuspectStore { root: root.to_owned(), table, classes: BTreeMap::new() };
        store.read_classes()?;
        Ok(store)
    }

    fn read_classes(&mut self) -> Result<(), RecordError> {
        self.classes.clear();
        for row in read_suspects(&self.root)? {
            self.classes.entry(row.suspicion).or_default().insert(row.class);
        }
        Ok(())
    }

    /// Forgets suspects of later generations, which are evaluated again: which script of a class is kept must not depend on
    /// where a run was interrupted.
    pub(super) fn keep_until(&mut self, generation: Option<u32>) -> Result<(), RecordError> {
        let is_kept = |row: &SuspectRow| generation.is_some_and(|last| row.generation <= last);
        let forgotten: Vec<SuspectRow> = read_suspects(&self.root)?.into_iter().filter(|row| !is_kept(row)).collect();
        // Scripts first: a row without its script would be worse than the other way round.
        for row in &forgotten {
            let path = path_of(&self.root, row.id);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(RecordError::Write { path, source });
                }
                _ => {}
            }
        }
        self.table.keep_while(is_kept)?;
        self.read_classes()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Whether a script of this class would be another suspect: the first of its class, and not one of too many.
    pub(super) fn wants(&self, suspicion: Suspicion, class: &str) -> bool {
        self.classes.get(&suspicion).is_none_or(|known| known.len() < MOST && !known.contains(class))
    }

    /// Adds a suspect that is wanted.
    pub(super) fn add(&mut self, row: &SuspectRow, script: &str) -> Result<(), RecordError> {
        write_atomically(&path_of(&self.root, row.id), script.as_bytes())?;
        self.table.append(row)?;
        self.classes.entry(row.suspicion).or_default().insert(row.class.clone());
        Ok(())
    }
}

/// Where a suspect's script is, in the target's dialect.
pub fn path_of(root: &Path, id: u32) -> PathBuf {
    root.join(names::SUSPECTS).join(format!("{id:06}.smt2"))
}

/// The suspects of the run in `root`, in the order in which they were found; none of a run that kept none.
///
/// # Errors
/// [`RecordError::Read`], [`RecordError::Damaged`].
pub fn read_suspects(root: &Path) -> Result<Vec<SuspectRow>, RecordError> {
    read_rows(&root.join(names::SUSPECT_TABLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: u32, generation: u32, class: &str) -> SuspectRow {
        SuspectRow {
            id,
            generation,
            suspicion: Suspicion::Contradiction,
            target_result: "sat".into(),
            reference_result: "unsat".into(),
            class: class.into(),
        }
    }

    #[test]
    fn a_class_has_one_suspect_of_each_suspicion() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SuspectStore::open(folder.path()).unwrap();
        assert!(store.wants(Suspicion::Contradiction, "a"));
        store.add(&row(7, 0, "a"), "(check-sat)\n").unwrap();
        assert!(!store.wants(Suspicion::Contradiction, "a") && store.wants(Suspicion::Crash, "a"));
        let again = SuspectStore::open(folder.path()).unwrap();
        assert!(!again.wants(Suspicion::Contradiction, "a") && again.wants(Suspicion::Contradiction, "b"));
        assert_eq!(fs::read_to_string(path_of(folder.path(), 7)).unwrap(), "(check-sat)\n");
    }

    #[test]
    fn suspects_of_generations_that_are_evaluated_again_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SuspectStore::open(folder.path()).unwrap();
        store.add(&row(1, 0, "a"), "1").unwrap();
        store.add(&row(9, 1, "b"), "9").unwrap();
        store.keep_until(Some(0)).unwrap();
        assert_eq!(read_suspects(folder.path()).unwrap(), [row(1, 0, "a")]);
        assert!(store.wants(Suspicion::Contradiction, "b") && !path_of(folder.path(), 9).exists());
        store.keep_until(None).unwrap();
        assert_eq!(read_suspects(folder.path()).unwrap(), []);
    }
}
