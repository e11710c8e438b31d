//! A solver that is killed at its CPU limit yields its coverage and its trace every time, and leaves nothing behind.
//!
//! One test, alone in its process: it looks at all that the process holds.

mod installed;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use installed::{built, map_folder, script};
use mulstringfuzz::evaluate::{Fusion, Instrumented, Observe};
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::trace::TraceLines;

const RUNS: usize = 100;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Our open descriptors and mappings that are shared memory.
fn shared_memory() -> usize {
    let mapped = fs::read_to_string("/proc/self/maps").expect("our mappings");
    let open = fs::read_dir("/proc/self/fd").expect("our descriptors").filter_map(|entry| {
        let target = fs::read_link(entry.ok()?.path()).ok()?;
        target.to_string_lossy().contains("memfd:").then_some(())
    });
    mapped.lines().filter(|line| line.contains("memfd:")).count() + open.count()
}

/// What a run could leave on disk or as named shared memory: whatever bears our process's number.
fn left_behind() -> Vec<String> {
    let folders = [std::env::temp_dir(), PathBuf::from("/dev/shm")];
    let ours = format!("mulstringfuzz-run-{}", std::process::id());
    folders
        .iter()
        .filter(|folder| folder.exists())
        .flat_map(|folder| names(folder))
        .filter(|name| name.starts_with(&ours) || name.contains("mulstringfuzz-counters"))
        .collect()
}

#[test]
fn a_run_killed_at_its_limit_always_shows_its_coverage_and_trace_and_leaves_nothing() {
    let instrumented = Instrumented::open(built("z3str3-gcov"), &map_folder(), &Interrupt::new()).expect("sound");
    let solver = instrumented.solver.clone();
    let observe = Observe {
        instrumented: Some(instrumented),
        trace: Some(TraceLines::Raw),
        fusion: Fusion::Fused,
        limit: Duration::from_millis(150),
        soft_limit: None,
        max_trace_lines: None,
    };
    let script = script("(assert (> (str.indexof \"kL?]q7mm4x\" t n) (str.to.int s)))");
    let (before, held) = (left_behind(), shared_memory());
    let mut complete = 0;
    for _ in 0..RUNS {
        let seen = observe.run(&script, &solver, &Interrupt::new()).expect("the solver runs");
        let lines = seen.coverage.map_or(0, |coverage| coverage.len());
        let events = seen.trace.map_or(0, |trace| trace.len());
        assert!(seen.cpu_seconds >= 0.15, "it was not killed: {} s", seen.cpu_seconds);
        complete += usize::from(lines > 10_000 && events > 1000);
    }
    assert_eq!(complete, RUNS);
    assert_eq!((left_behind(), shared_memory()), (before, held));
}
