//! Line tables: gcov's, and ours.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod flow;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use mulstringfuzz::coverage::{CoverageMap, LineCounts, LineSlot};

/// (file, line) → count, for every line with code.
pub(crate) type Table = BTreeMap<(String, u32), u64>;

/// A C++ compiler of GCC 12.
pub(crate) fn compiler() -> Option<String> {
    let is_12 = |name: &&str| {
        let version = Command::new(name).arg("-dumpversion").stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.stdout.starts_with(b"12"))
    };
    let found = ["g++-12", "g++"].into_iter().find(is_12);
    if found.is_none() {
        eprintln!("not tested: there is no GCC 12 here");
    }
    found.map(str::to_owned)
}

/// A translation unit in gcov's JSON.
#[derive(serde::Deserialize)]
pub(crate) struct GcovUnit {
    current_working_directory: String,
    files: Vec<GcovFile>,
}

#[derive(serde::Deserialize)]
struct GcovFile {
    file: String,
    lines: Vec<GcovLine>,
}

#[derive(serde::Deserialize)]
struct GcovLine {
    line_number: u32,
    count: i64,
}

impl GcovUnit {
    /// File by file: its full name, and its lines with their counts.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (String, impl Iterator<Item = (u32, i64)>)> {
        self.files.iter().map(|file| {
            let lines = file.lines.iter().map(|line| (line.line_number, line.count));
            (full_name(&self.current_working_directory, &file.file), lines)
        })
    }
}

/// What gcov makes of the notes under `build` and the data files under `data` (a `GCOV_PREFIX`).
pub(crate) fn gcov_table(build: &Path, data: &Path) -> Table {
    link_notes(build, data);
    gcov_table_of(data)
}

/// Lays links to the notes under `build`, an absolute path, beside the data files under `data`, where gcov wants them.
pub(crate) fn link_notes(build: &Path, data: &Path) {
    let beside = data.join(build.strip_prefix("/").expect("an absolute path"));
    for notes in files(build, "gcno") {
        let copy = beside.join(notes.strip_prefix(build).expect("under the build folder"));
        fs::create_dir_all(copy.parent().expect("has a parent")).expect("a folder");
        std::os::unix::fs::symlink(&notes, &copy).expect("a link");
    }
}

/// gcov, to print as JSON what it makes of files that are named in addition; runs in `folder`.
pub(crate) fn gcov_command(folder: &Path) -> Command {
    let tool = if Command::new("gcov-12").arg("-v").output().is_ok() { "gcov-12" } else { "gcov" };
    let mut command = Command::new(tool);
    command.args(["--json-format", "--stdout"]).current_dir(folder).stderr(Stdio::null());
    command
}

/// The units in gcov's output.
pub(crate) fn gcov_units(output: &[u8]) -> impl Iterator<Item = GcovUnit> {
    let lines = output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("gcov's JSON"))
}

/// What gcov makes of the data files under `data` that have their notes beside them.
pub(crate) fn gcov_table_of(data: &Path) -> Table {
    let stems = files(data, "gcno");
    let mut sums: BTreeMap<(String, u32), i64> = BTreeMap::new();
    for some in stems.chunks(100) {
        let output = gcov_command(data).args(some).output().expect("gcov starts");
        for unit in gcov_units(&output.stdout) {
            for (file, lines) in unit.lines() {
                for (line, count) in lines {
                    *sums.entry((file.clone(), line)).or_default() += count;
                }
            }
        }
    }
    sums.into_iter().map(|(place, count)| (place, u64::try_from(count).unwrap_or(0))).collect()
}

pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

pub(crate) fn full_name(folder: &str, name: &str) -> String {
    let mut full = PathBuf::new();
    for component in Path::new(folder).join(name).components() {
        if component == Component::ParentDir {
            full.pop();
        } else {
            full.push(component);
        }
    }
    full.to_string_lossy().into_owned()
}

/// Our table.
pub(crate) fn table(map: &CoverageMap, counts: &LineCounts) -> Table {
    let row = |index: usize| {
        let slot = LineSlot::new(index as u32);
        let (file, line) = map.location(slot);
        ((full_name(map.root(), file), line), counts.get(slot))
    };
    (0..map.slots()).map(row).collect()
}

/// Fails with a few of the differences, if there are any.
pub(crate) fn assert_same(ours: &Table, gcov: &Table) {
    let missing: Vec<_> = gcov.iter().filter(|(place, _)| !ours.contains_key(place)).collect();
    let extra: Vec<_> = ours.iter().filter(|(place, _)| !gcov.contains_key(place)).collect();
    let different: Vec<_> = gcov
        .iter()
        .filter_map(|(place, count)| ours.get(place).map(|our| (place, our, count)))
        .filter(|(_, our, count)| our != count)
        .collect();
    let executed = gcov.values().filter(|count| **count > 0).count();
    eprintln!(
        "{} lines, {executed} executed: {} different, {} missing, {} extra",
        gcov.len(),
        different.len(),
        missing.len(),
        extra.len()
    );
    assert!(executed > 0, "gcov saw nothing");
    assert!(
        missing.is_empty() && extra.is_empty() && different.is_empty(),
        "missing {:?}\nextra {:?}\ndifferent (ours, gcov's) {:?}",
        &missing[..missing.len().min(9)],
        &extra[..extra.len().min(9)],
        &different[..different.len().min(9)]
    );
}
