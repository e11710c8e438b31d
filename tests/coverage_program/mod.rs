//! Building and running the test program, and asking gcov.

pub(crate) mod solver;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use mulstringfuzz::coverage::{CoverageMap, LineCounts, LineSlot};

/// (file, line) → count, for every line with code.
pub(crate) type Table = BTreeMap<(String, u32), u64>;

const SHAPES_H: &str = include_str!("shapes.h");
const MAIN_CPP: &str = include_str!("main.cpp");
const OTHER_CPP: &str = include_str!("other.cpp");
const POINT_C: &str = include_str!("point.c");

/// A built program: its folder has `stock`, `stock-no-pie`, `stock-stripped` and `stock-static` (the ordinary gcov
/// runtime), `shared` and `shared-pie` (ours).
pub(crate) struct Program {
    pub(crate) folder: tempfile::TempDir,
}

impl Program {
    /// `None`, with a notice, when there is no GCC 12 to build it with.
    pub(crate) fn build(optimisation: &str) -> Option<Program> {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let compiler = compiler()?;
        for (name, text) in
            [("shapes.h", SHAPES_H), ("main.cpp", MAIN_CPP), ("other.cpp", OTHER_CPP), ("point.c", POINT_C)]
        {
            fs::write(folder.path().join(name), text).expect("a source file");
        }
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("gcov-tools/runtime.c");
        let program = Program { folder };
        let flags = ["-g0", optimisation];
        program.run(&compiler, &[&flags[..], &["--coverage", "-c", "main.cpp"]].concat());
        program.run(&compiler, &[&flags[..], &["--coverage", "-c", "other.cpp"]].concat());
        program.run(&compiler, &["-x", "c", "-c", "point.c"]);
        let runtime = runtime.to_str().expect("a UTF-8 path");
        program.run(&compiler, &["-x", "c", "-O2", "-Wall", "-Wextra", "-Werror", "-c", runtime]);
        let objects = ["main.o", "other.o", "point.o"];
        for (name, flag) in [("", "-pie"), ("-no-pie", "-no-pie"), ("-stripped", "-s"), ("-static", "-static")] {
            program.run(&compiler, &[&objects[..], &["--coverage", flag, "-o", &format!("stock{name}")]].concat());
        }
        program.run(&compiler, &[&objects[..], &["runtime.o", "--coverage", "-no-pie", "-o", "shared"]].concat());
        program.run(&compiler, &[&objects[..], &["runtime.o", "--coverage", "-pie", "-o", "shared-pie"]].concat());
        Some(program)
    }

    pub(crate) fn run(&self, command: &str, arguments: &[&str]) {
        let status = Command::new(command).args(arguments).current_dir(self.path()).status();
        assert!(status.expect("the compiler starts").success(), "{command} {arguments:?}");
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A program of which one unit is in a shared library; its name.
    pub(crate) fn link_with_library(&self) -> &'static str {
        let compiler = compiler().expect("it was there before");
        self.run(&compiler, &["-g0", "-fPIC", "--coverage", "-shared", "other.cpp", "-o", "libother.so"]);
        let objects = ["main.o", "point.o", "libother.so", "-Wl,-rpath,$ORIGIN"];
        self.run(&compiler, &[&objects[..], &["--coverage", "-o", "with-library"]].concat());
        "with-library"
    }

    /// Runs the program with the ordinary runtime; its data files are in the folder that is returned.
    pub(crate) fn stock_run(&self, point: Option<&str>) -> tempfile::TempDir {
        let data = tempfile::tempdir().expect("a scratch folder");
        let mut command = Command::new(self.path().join("stock"));
        command.env("GCOV_PREFIX", data.path()).env_remove("POINT");
        if let Some(point) = point {
            command.env("POINT", point);
        }
        let code = command.stdout(Stdio::null()).status().expect("the program starts").code();
        assert_eq!(code, Some(if point == Some("exit") { 42 } else { 0 }));
        data
    }
}

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

#[derive(serde::Deserialize)]
struct GcovUnit {
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

/// What gcov makes of the notes under `build` and the data files under `data` (a `GCOV_PREFIX`).
pub(crate) fn gcov_table(build: &Path, data: &Path) -> Table {
    // gcov wants notes beside the data.
    let beside = data.join(build.strip_prefix("/").expect("an absolute path"));
    let mut stems = Vec::new();
    for notes in files(build, "gcno") {
        let copy = beside.join(notes.strip_prefix(build).expect("under the build folder"));
        fs::create_dir_all(copy.parent().expect("has a parent")).expect("a folder");
        std::os::unix::fs::symlink(&notes, &copy).expect("a link");
        stems.push(copy);
    }
    let mut sums: BTreeMap<(String, u32), i64> = BTreeMap::new();
    for some in stems.chunks(100) {
        let tool = if Command::new("gcov-12").arg("-v").output().is_ok() { "gcov-12" } else { "gcov" };
        let mut command = Command::new(tool);
        command.args(["--json-format", "--stdout"]).args(some).current_dir(build).stderr(Stdio::null());
        let output = command.output().expect("gcov starts");
        for unit in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let unit: GcovUnit = serde_json::from_slice(unit).expect("gcov's JSON");
            for file in unit.files {
                let full = full_name(&unit.current_working_directory, &file.file);
                for line in file.lines {
                    *sums.entry((full.clone(), line.line_number)).or_default() += line.count;
                }
            }
        }
    }
    sums.into_iter().map(|(place, count)| (place, u64::try_from(count).unwrap_or(0))).collect()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
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

fn full_name(folder: &str, name: &str) -> String {
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
