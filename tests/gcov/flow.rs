//! Functions and branches: gcov's, and ours.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

use mulstringfuzz::coverage::{CoverageMap, CumulativeCoverage, FlowMap, FunctionTable, LineSlot, Share};

use super::{files, full_name, gcov_command};

/// Which functions were entered and which branches taken.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// (file, line, position in gcov's list of the line) → taken.
    pub(crate) branches: BTreeMap<(String, u32, usize), bool>,
    /// (file, name) → entered.
    pub(crate) functions: BTreeMap<(String, String), bool>,
}

#[derive(serde::Deserialize)]
struct Unit {
    current_working_directory: String,
    files: Vec<SourceFile>,
}

#[derive(serde::Deserialize)]
struct SourceFile {
    file: String,
    functions: Vec<Function>,
    lines: Vec<Line>,
}

#[derive(serde::Deserialize)]
struct Function {
    name: String,
    execution_count: i64,
}

#[derive(serde::Deserialize)]
struct Line {
    line_number: u32,
    branches: Vec<Branch>,
}

#[derive(serde::Deserialize)]
struct Branch {
    count: i64,
}

/// What `gcov -b` makes of the data files under `data` that have their notes beside them.
pub(crate) fn gcov_flow_of(data: &Path) -> Flow {
    let mut flow = Flow::default();
    for some in files(data, "gcno").chunks(100) {
        let output = gcov_command(data).arg("--branch-probabilities").args(some).output().expect("gcov starts");
        for text in output.stdout.split(|&byte| byte == b'\n').filter(|text| !text.is_empty()) {
            let unit: Unit = serde_json::from_slice(text).expect("gcov's JSON");
            for SourceFile { file, functions, lines } in unit.files {
                let file = full_name(&unit.current_working_directory, &file);
                for Function { name, execution_count } in functions {
                    *flow.functions.entry((file.clone(), name)).or_default() |= execution_count > 0;
                }
                for Line { line_number, branches } in lines {
                    for (position, Branch { count }) in branches.into_iter().enumerate() {
                        *flow.branches.entry((file.clone(), line_number, position)).or_default() |= count > 0;
                    }
                }
            }
        }
    }
    flow
}

/// Fails with a few of the differences between ours and gcov's, if there are any.
pub(crate) fn assert_same_flow(
    map: &CoverageMap,
    flow: &FlowMap,
    notes: &Path,
    coverage: &CumulativeCoverage<'_>,
    gcov: &Flow,
) {
    let mut ours = Flow::default();
    for slot in (0..map.slots() as u32).map(LineSlot::new) {
        let (file, line) = map.location(slot);
        for (position, branch) in flow.branches_of(slot).enumerate() {
            ours.branches.insert((full_name(map.root(), file), line, position), coverage.taken(branch));
        }
    }
    let table = FunctionTable::read(notes, map).expect("the map's notes");
    for index in 0..table.len() as u32 {
        if let (Some(function), Some(number)) = (table.get(index), flow.number_of(index)) {
            let key = (full_name(map.root(), &function.file), function.name.clone());
            ours.functions.insert(key, coverage.entered(number));
        }
    }
    assert_same_keys("branches", &ours.branches, &gcov.branches);
    assert_same_keys("functions", &ours.functions, &gcov.functions);
    let totals = coverage.totals();
    assert_eq!(totals.branches, share(&gcov.branches));
    assert_eq!(totals.functions, share(&gcov.functions));
    eprintln!("{} of functions, {} of branches, as in gcov", totals.functions, totals.branches);
}

fn share<K>(of: &BTreeMap<K, bool>) -> Share {
    Share { covered: of.values().filter(|covered| **covered).count(), total: of.len() }
}

fn assert_same_keys<K: Ord + Debug>(what: &str, ours: &BTreeMap<K, bool>, gcov: &BTreeMap<K, bool>) {
    let missing: Vec<_> = gcov.iter().filter(|(key, _)| !ours.contains_key(key)).collect();
    let extra: Vec<_> = ours.keys().filter(|key| !gcov.contains_key(key)).collect();
    let different: Vec<_> = gcov.iter().filter(|(key, gcov)| ours.get(key).is_some_and(|ours| ours != *gcov)).collect();
    assert!(gcov.values().any(|covered| *covered), "gcov saw no {what}");
    assert!(
        missing.is_empty() && extra.is_empty() && different.is_empty(),
        "{what}: {} missing, {} extra, {} different\nmissing {:?}\nextra {:?}\ndifferent (gcov's) {:?}",
        missing.len(),
        extra.len(),
        different.len(),
        &missing[..missing.len().min(9)],
        &extra[..extra.len().min(9)],
        &different[..different.len().min(9)]
    );
}
