//! Which folders are runs and hunts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::hunt::outcome::names as hunts;
use crate::record::{RecordError, RunDirectory};

/// How deep runs may lie below a folder: `EXPERIMENT/runs/ARM/001`.
const DEPTH: u32 = 4;

pub(super) fn is_hunt(folder: &Path) -> bool {
    folder.join(hunts::CONFIG).is_file()
}

/// The runs and hunts in a folder, in the order of their names: the folder itself, or those below it. The hunt of a run, which
/// lies in the run's folder, is a part of the run.
///
/// # Errors
/// [`RecordError::Read`] if `folder` cannot be read.
pub fn find(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let mut found = Vec::new();
    search(folder, DEPTH, &mut found)?;
    Ok(found)
}

fn search(folder: &Path, depth: u32, found: &mut Vec<PathBuf>) -> Result<(), RecordError> {
    if RunDirectory::is_begun(folder) || is_hunt(folder) {
        found.push(folder.to_owned());
        return Ok(());
    }
    if depth == 0 {
        return Ok(());
    }
    let mut inner = Vec::new();
    for entry in fs::read_dir(folder).map_err(RecordError::read(folder))? {
        let path = entry.map_err(RecordError::read(folder))?.path();
        // Not where a link leads: it may be a folder above.
        inner.extend((path.is_dir() && !path.is_symlink()).then_some(path));
    }
    inner.sort();
    inner.iter().try_for_each(|folder| search(folder, depth - 1, found))
}
