//! The functions of a build: their names and where they are defined. Read from the notes when they are asked for, since
//! what campaigns need, the counts of lines, does without them.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::error::CoverageError;
use super::gcno::{Identity, Notes, read_functions};
use super::map::{CoverageMap, Unit};
use super::paths::absolute;

/// A function of the target's sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceFunction {
    /// Its name as the linker knows it: mangled in C++.
    pub name: String,
    /// The file of its definition, relative to [`CoverageMap::root`] if it is under it.
    pub file: String,
    /// The line where it begins, from 1.
    pub line: u32,
}

/// The functions of a [`CoverageMap`], by the indices that [`CoverageMap::function_counts`] gives.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    functions: Vec<SourceFunction>,
}

impl FunctionTable {
    /// Reads the functions of `map` from the notes that it was made of (some tenths of a second for a large solver).
    ///
    /// # Errors
    /// [`CoverageError`] when notes cannot be read, or are no longer those of the map.
    pub fn read(gcno_folder: &Path, map: &CoverageMap) -> Result<Self, CoverageError> {
        let of_unit = |unit: &Unit| functions_of(gcno_folder, map, unit);
        let found: Vec<_> = map.units().par_iter().map(of_unit).collect::<Result<_, _>>()?;
        let mut functions = vec![SourceFunction::default(); map.function_count()];
        for (index, function) in found.into_iter().flatten() {
            functions[index as usize] = function;
        }
        Ok(FunctionTable { functions })
    }

    /// The function with this index; `None` beyond the table.
    pub fn get(&self, function: u32) -> Option<&SourceFunction> {
        self.functions.get(function as usize)
    }

    /// Number of functions.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }
}

/// The notes of `unit`, as `read` reads them, which must still be those that the map was made of.
pub(super) fn notes_of(
    folder: &Path,
    unit: &Unit,
    read: fn(&[u8], &Path) -> Result<Notes, CoverageError>,
) -> Result<Notes, CoverageError> {
    let mut path = folder.join(&unit.path).into_os_string();
    path.push(".gcno");
    let path = Path::new(&path);
    let bytes = fs::read(path).map_err(CoverageError::io("read", path))?;
    let notes = read(&bytes, path)?;
    if (Identity { stamp: notes.stamp, checksum: notes.checksum }) != unit.identity {
        return Err(CoverageError::Foreign { unit: unit.path.clone(), reason: "its notes were replaced" });
    }
    Ok(notes)
}

/// The functions of one unit, each with its index in the map.
fn functions_of(folder: &Path, map: &CoverageMap, unit: &Unit) -> Result<Vec<(u32, SourceFunction)>, CoverageError> {
    let notes = notes_of(folder, unit, read_functions)?;
    let shown: Vec<String> = notes.sources.iter().map(|name| shown(map, &notes.working_folder, name)).collect();
    let place = |function: &super::gcno::Function| {
        let index = map.function_of(unit, function.ident)?;
        let file = shown.get(function.source as usize)?.clone();
        Some((index, SourceFunction { name: function.name.clone(), file, line: function.start_line }))
    };
    Ok(notes.functions.iter().filter_map(place).collect())
}

/// The name of a source file as the map has it.
pub(super) fn shown(map: &CoverageMap, working_folder: &str, name: &str) -> String {
    let full = absolute(working_folder, name);
    full.strip_prefix(map.root()).map(str::to_owned).unwrap_or(full)
}
