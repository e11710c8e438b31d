//! Where results go, and what is read there: told apart before anything runs.

use std::path::{Path, absolute};

use super::destination::{Destination, OutputError};
use crate::exit::NotWritten;

/// Whether both are the same file or folder, by whatever names; not so if one does not exist.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Whether `path`, which need not exist, is `folder` or lies in it.
pub(crate) fn is_within(path: &Path, folder: &Path) -> bool {
    let (Ok(path), Ok(folder)) = (absolute(path), folder.canonicalize()) else { return false };
    let there = path.ancestors().find_map(|part| part.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(folder))
}

/// Removes a folder, if it is there.
///
/// # Errors
/// [`NotWritten`].
pub(crate) fn remove_folder(folder: &Path) -> Result<(), NotWritten> {
    match std::fs::remove_dir_all(folder) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(NotWritten { path: folder.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Makes a new folder for results.
///
/// # Errors
/// A folder that has files already, so that nothing is ever overwritten, or that cannot be made.
pub(crate) fn new_folder(path: &Path) -> anyhow::Result<()> {
    match Destination::open(Some(path), 0) {
        Ok(_) => Ok(()),
        Err(OutputError::Write(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// Names that are tried before one is taken that is not free: more than anybody leaves lying about.
const MOST_NAMES: u32 = 1000;

/// The first path that does not exist of `path` with the extensions `KIND.smt2`, `KIND-2.smt2`, …
pub(crate) fn free_name(path: &Path, kind: &str) -> std::path::PathBuf {
    let name = |number: u32| match number {
        1 => path.with_extension(format!("{kind}.smt2")),
        _ => path.with_extension(format!("{kind}-{number}.smt2")),
    };
    (1..MOST_NAMES).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn places_are_the_same_or_within_by_whatever_names() {
        let scratch = tempfile::tempdir().expect("a folder");
        let inside = scratch.path().join("in");
        fs::create_dir(&inside).expect("a folder");
        assert!(is_same(&inside, &scratch.path().join("in/../in")) && !is_same(&inside, scratch.path()));
        assert!(is_within(&inside, &inside) && is_within(&inside.join("new/deeper"), &inside));
        assert!(!is_within(scratch.path(), &inside) && !is_within(&scratch.path().join("inner"), &inside));
    }

    #[test]
    fn a_free_name_is_of_no_file() {
        let scratch = tempfile::tempdir().expect("a folder");
        let file = scratch.path().join("small.smt2");
        let first = free_name(&file, "unsure");
        assert!(first.ends_with("small.unsure.smt2"));
        fs::write(&first, "").expect("a file");
        assert!(free_name(&file, "unsure").ends_with("small.unsure-2.smt2"));
    }
}
