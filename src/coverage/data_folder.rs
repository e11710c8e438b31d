//! Folders of `.gcda` files: read after a program with the ordinary gcov runtime has ended, written for gcov's kin.
//!
//! Such a program writes its files when it exits, under the folder named by `GCOV_PREFIX`; a killed one writes none.
//! Counters that came through shared memory can be written as such files, so that `gcov`, `lcov` and `gcovr` show what
//! a killed run covered, too.

use std::fs;
use std::path::Path;

use super::counters::Counters;
use super::error::CoverageError;
use super::gcda::{self, Data, FunctionData};
use super::layout::{UnitIndex, find_function};
use super::map::{CoverageMap, files_with_extension};

/// Reads all data files under `folder`, the `GCOV_PREFIX` of one run or of several: counts of several add up.
///
/// # Errors
/// [`CoverageError::Foreign`] when a file is not of the map's build, and the errors of [`gcda::read`]. An empty folder
/// is [`CoverageError::NotShared`]: the program was killed, or is not instrumented.
pub fn read_data_folder(folder: &Path, map: &CoverageMap) -> Result<Counters, CoverageError> {
    let files = files_with_extension(folder, "gcda")?;
    if files.is_empty() {
        return Err(CoverageError::NotShared("there are no .gcda files; was it killed, or is it not instrumented?"));
    }
    let index = UnitIndex::new(map);
    let mut found: Vec<(u32, Vec<u64>)> = Vec::new();
    for path in files {
        let bytes = fs::read(&path).map_err(CoverageError::io("read", &path))?;
        let data = gcda::read(&bytes, &path)?;
        let unit = index.find(data.stamp, &path.with_extension("").to_string_lossy())?;
        for function in data.functions {
            let counters = function.counters.len() as u32;
            let identity = [function.ident, function.line_checksum, function.graph_checksum, counters];
            if let Some(known) = find_function(map, unit, identity)? {
                found.push((known, function.counters));
            }
        }
    }
    found.sort_by_key(|(function, _)| *function);
    let mut counters = Counters::new(map);
    for (function, values) in found {
        if counters.functions.last() == Some(&function) {
            let start = counters.values.len() - values.len();
            for (sum, value) in counters.values[start..].iter_mut().zip(values) {
                *sum = sum.wrapping_add(value);
            }
        } else {
            counters.functions.push(function);
            counters.values.extend(values);
        }
    }
    Ok(counters)
}

/// Writes the counters of a run into `folder` as data files, each beside a link to its notes in `notes`, the folder
/// from which `map` was made: `gcov`, `lcov --directory` and `gcovr` find there all they need. Only functions that
/// have lines in the map are written.
///
/// # Errors
/// [`CoverageError::Io`] when a file or link cannot be made; a link that exists is left as it is.
///
/// # Panics
/// If `counters` were collected for another map.
pub fn write_data_folder(
    counters: &Counters,
    map: &CoverageMap,
    notes: &Path,
    folder: &Path,
) -> Result<(), CoverageError> {
    assert_eq!(counters.fingerprint, map.fingerprint(), "counters of another coverage map");
    let notes = notes.canonicalize().map_err(CoverageError::io("read", notes))?;
    let mut ran = counters.iter(map).peekable();
    for unit in map.units() {
        let mut functions = Vec::new();
        while let Some((function, values)) = ran.next_if(|(function, _)| unit.functions.contains(function)) {
            let identity = map.function_identity(function);
            functions.push(FunctionData {
                ident: identity.ident,
                line_checksum: identity.line_checksum,
                graph_checksum: identity.graph_checksum,
                counters: values.to_vec(),
            });
        }
        let stem = folder.join(&unit.path);
        let data = stem.with_added_extension("gcda");
        let parent = data.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(CoverageError::io("make", parent))?;
        fs::write(&data, gcda::write(&Data { stamp: unit.identity.stamp, functions }))
            .map_err(CoverageError::io("write", &data))?;
        let link = stem.with_added_extension("gcno");
        if !link.is_symlink() {
            let target = notes.join(&unit.path).with_added_extension("gcno");
            std::os::unix::fs::symlink(target, &link).map_err(CoverageError::io("make", &link))?;
        }
    }
    Ok(())
}
