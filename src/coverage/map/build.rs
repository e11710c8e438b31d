//! Compiles the notes of a build into a map.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use hashbrown::HashMap;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{CoverageMap, FunctionIdentity, SourceFilter, Unit};
use crate::coverage::compiled::{COUNTER_LIMIT, Compiled};
use crate::coverage::error::CoverageError;
use crate::coverage::gcno::{IDENTITY_LENGTH, Identity, Notes, read, read_identity};
use crate::coverage::lines::{FunctionLines, attribute};
use crate::coverage::paths::{absolute, common_folder, is_system};

/// Changes whenever the meaning of a map changes, so that maps of older versions are not used.
const MAP_VERSION: u32 = 1;

/// A notes file of the build.
#[derive(Debug)]
pub(super) struct NotesFile {
    path: PathBuf,
    /// Under the build folder, without the extension.
    relative: String,
    bytes: u64,
    identity: Identity,
}

/// All notes files under `folder`, ascending by path.
pub(super) fn list(folder: &Path) -> Result<Vec<NotesFile>, CoverageError> {
    let found = files_with_extension(folder, "gcno")?;
    if found.is_empty() {
        return Err(CoverageError::NoNotes(folder.to_path_buf()));
    }
    let describe = |path: PathBuf| {
        let mut start = Vec::with_capacity(IDENTITY_LENGTH);
        let mut file = fs::File::open(&path).map_err(CoverageError::io("open", &path))?;
        let bytes = file.metadata().map_err(CoverageError::io("read", &path))?.len();
        let limited = file.by_ref().take(IDENTITY_LENGTH as u64).read_to_end(&mut start);
        limited.map_err(CoverageError::io("read", &path))?;
        let identity = read_identity(&start, &path)?;
        let relative = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        Ok(NotesFile { relative: relative.to_string_lossy().into_owned(), path, bytes, identity })
    };
    found.into_iter().map(describe).collect()
}

/// The files under `folder` whose names end in `.extension`, ascending.
pub(crate) fn files_with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, CoverageError> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).map_err(CoverageError::io("list", &folder))? {
            let entry = entry.map_err(CoverageError::io("list", &folder))?;
            let kind = entry.file_type().map_err(CoverageError::io("list", &folder))?;
            let path = entry.path();
            if kind.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Names the notes. The compiler gives each compilation a stamp of its own, so any rebuild shows.
pub(super) fn fingerprint(notes: &[NotesFile], filter: SourceFilter) -> u64 {
    let mut hash = Sha256::new();
    hash.update(MAP_VERSION.to_le_bytes());
    hash.update([u8::from(filter == SourceFilter::All)]);
    for file in notes {
        hash.update((file.relative.len() as u64).to_le_bytes());
        hash.update(&file.relative);
        hash.update(file.bytes.to_le_bytes());
        hash.update(file.identity.stamp.to_le_bytes());
        hash.update(file.identity.checksum.to_le_bytes());
    }
    let digest = hash.finalize();
    digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A unit's lines, with sources numbered for all units.
struct CompiledUnit {
    identity: Identity,
    relative: String,
    sources: Vec<Option<u32>>,
    functions: Vec<(FunctionIdentity, u32, FunctionLines)>,
}

/// The full names of the files met so far.
#[derive(Default)]
struct FullNames {
    index: HashMap<String, u32>,
}

impl FullNames {
    fn intern(&mut self, name: String) -> u32 {
        let next = self.index.len() as u32;
        *self.index.entry(name).or_insert(next)
    }
}

/// Reads and compiles all notes.
pub(super) fn build(notes: &[NotesFile], fingerprint: u64, filter: SourceFilter) -> Result<CoverageMap, CoverageError> {
    let names = Mutex::new(FullNames::default());
    let compile = |file: &NotesFile| {
        let bytes = fs::read(&file.path).map_err(CoverageError::io("read", &file.path))?;
        unit(file, &read(&bytes, &file.path)?, filter, &names)
    };
    let units: Vec<CompiledUnit> = notes.par_iter().map(compile).collect::<Result<_, _>>()?;
    let names = names.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(assemble(units, names, fingerprint))
}

/// Compiles one unit and drops what the filter does not admit.
fn unit(
    file: &NotesFile,
    notes: &Notes,
    filter: SourceFilter,
    names: &Mutex<FullNames>,
) -> Result<CompiledUnit, CoverageError> {
    let mut functions = Vec::new();
    let full: Vec<String> = notes.sources.iter().map(|name| absolute(&notes.working_folder, name)).collect();
    let admitted: Vec<bool> = full.iter().map(|name| filter == SourceFilter::All || !is_system(name)).collect();
    for mut lines in attribute(notes).functions {
        let function = &notes.functions[lines.function as usize];
        lines.rows.retain(|row| admitted[row.source as usize]);
        lines.loops.retain(|in_line| admitted[in_line.source as usize]);
        let counters = function.counters();
        if counters >= COUNTER_LIMIT {
            let reason = "a function has more counters than a map can number";
            return Err(CoverageError::Corrupt { path: file.path.clone(), kind: "gcno", reason, offset: 0 });
        }
        if !lines.rows.is_empty() {
            let (line_checksum, graph_checksum) = (function.line_checksum, function.graph_checksum);
            let identity = FunctionIdentity { ident: function.ident, line_checksum, graph_checksum };
            functions.push((identity, counters as u32, lines));
        }
    }
    // An ident that occurs twice means the last one, as for gcov.
    functions.reverse();
    functions.sort_by_key(|(identity, ..)| identity.ident);
    let used: BTreeSet<u32> = functions.iter().flat_map(|(.., lines)| &lines.rows).map(|row| row.source).collect();
    let mut names = names.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let number = |(source, name): (u32, String)| used.contains(&source).then(|| names.intern(name));
    let sources = (0..).zip(full).map(number).collect();
    Ok(CompiledUnit { identity: file.identity, relative: file.relative.clone(), sources, functions })
}

/// Numbers files and lines in the order of their names and puts everything into flat arrays.
fn assemble(units: Vec<CompiledUnit>, names: FullNames, fingerprint: u64) -> CoverageMap {
    let sorted: BTreeMap<String, u32> = names.index.into_iter().collect();
    let root = common_folder(sorted.keys().map(String::as_str).filter(|name| !is_system(name)));
    let mut rank = vec![0; sorted.len()];
    for (position, &name) in (0..).zip(sorted.values()) {
        rank[name as usize] = position;
    }
    let mut lines: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); sorted.len()];
    for unit in &units {
        for row in unit.functions.iter().flat_map(|(.., lines)| &lines.rows) {
            if let Some(source) = unit.sources[row.source as usize] {
                lines[rank[source as usize] as usize].insert(row.line);
            }
        }
    }
    let mut slots = SlotNumbers { first: Vec::new(), lines: Vec::new(), files: Vec::new() };
    for (file, of_file) in (0..).zip(&lines) {
        slots.first.push(slots.lines.len());
        slots.lines.extend(of_file);
        slots.files.resize(slots.lines.len(), file);
    }
    slots.first.push(slots.lines.len());
    let shown = |name: &String| name.strip_prefix(root.as_str()).unwrap_or(name).to_owned();
    let files = sorted.keys().map(shown).collect();
    let mut map = CoverageMap {
        fingerprint,
        files,
        root,
        file_of_slot: slots.files.as_slice().into(),
        line_of_slot: slots.lines.clone(),
        units: Vec::new(),
        functions: Vec::new(),
        compiled: Compiled { slots: slots.lines.len() as u32, ..Compiled::new() },
        layouts: std::sync::Mutex::default(),
    };
    for unit in units {
        append(&mut map, unit, &rank, &slots);
    }
    map
}

/// The numbering of lines.
struct SlotNumbers {
    /// File → its first slot; one more entry for the end.
    first: Vec<usize>,
    lines: Vec<u32>,
    files: Vec<u32>,
}

impl SlotNumbers {
    fn slot(&self, file: u32, line: u32) -> Option<u32> {
        let range = self.first[file as usize]..self.first[file as usize + 1];
        let position = self.lines[range.clone()].binary_search(&line).ok()?;
        Some((range.start + position) as u32)
    }
}

fn append(map: &mut CoverageMap, unit: CompiledUnit, rank: &[u32], slots: &SlotNumbers) {
    let start = map.functions.len() as u32;
    let slot_of = |source: u32, line: u32| {
        unit.sources[source as usize].and_then(|source| slots.slot(rank[source as usize], line))
    };
    for (identity, counters, lines) in unit.functions {
        if map.functions[start as usize..].last().is_some_and(|last| last.ident == identity.ident) {
            continue;
        }
        for row in &lines.rows {
            if let Some(slot) = slot_of(row.source, row.line) {
                map.compiled.push_row(slot, &row.form);
            }
        }
        for in_line in &lines.loops {
            if let Some(slot) = slot_of(in_line.source, in_line.line) {
                map.compiled.push_loop(slot, &in_line.blocks, &in_line.arcs);
            }
        }
        map.compiled.finish_function(counters);
        map.functions.push(identity);
    }
    let functions = start..map.functions.len() as u32;
    map.units.push(Unit { identity: unit.identity, path: unit.relative, functions });
}
