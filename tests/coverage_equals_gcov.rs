//! Our line counts are gcov's: on a C++ program that uses what makes counting hard, however it ends, and on a real
//! solver when `MULSTRINGFUZZ_GCOV_BUILD` names its build folder (see `gcov-tools/compare-with-gcov.sh`).

mod coverage_program {
    //! Building and running the test program, and asking gcov.
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Component, Path, PathBuf};
    use std::process::{Command, Stdio};

    use mulstringfuzz::coverage::{CoverageMap, LineCounts, LineSlot};

    /// (file, line) → count, for every line with code.
    pub(super) type Table = BTreeMap<(String, u32), u64>;

    const SHAPES_H: &str = r#"
#pragma once
#include <stdexcept>
#include <vector>
template <class T> struct Stack {
    std::vector<T> items;
    Stack() {} Stack(int n) : items(n) {}
    ~Stack() { while (!items.empty()) items.pop_back(); }
    void push(T item) { items.push_back(item); }
    T pop() {
        if (items.empty())
            throw std::out_of_range("empty");
        T top = items.back(); items.pop_back();
        return top;
    }
};
inline int length(const char *text) { int n = 0; while (*text++) n++; return n; }
inline int twice(int x) { return x > 3 ? 2 * x : x + x; } inline int thrice(int x) { return 3 * x; }
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int side; Square(int s) : side(s) {} Square() : Square(1) {} int area() const override { return side * side; } };
int other(int rounds);
int recurse(int depth);
extern "C" void point(void);
"#;
    const MAIN_CPP: &str = r#"
#include "shapes.h"
#include <functional>
#include <cstdio>
#define SUM3(a, b, c) do { for (int i = 0; i < 3; i++) total += (a) + \
    (b) * i + (c); } while (0)
static Square unit_square;
static int classify(int x) {
    switch (x % 5) {
    case 0: return 1;
    case 1: case 2: return x > 7 ? 2 : 3;
    case 3: break;
    default: goto out;
    }
    x++;
out:
    return x;
}
static int nested(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) if ((i ^ j) & 1) s += j; else s--; return s; }
static int collatz(unsigned n) { int steps = 0; do { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } while (n != 1 && steps < 1000); return steps; }
struct Guard { int &depth; Guard(int &d) : depth(d) { depth++; } ~Guard() { depth--; } };
static int deep(int n, int &depth) {
    Guard guard(depth);
    if (n == 0) {
        for (int i = 0; i < 4; i++) { if (i == 2) point(); }
        return depth;
    }
    return deep(n - 1, depth) + (n % 2 ? 1 : 0);
}
int main(int argc, char **) {
    int total = unit_square.area(), depth = 0;
    Stack<int> numbers; Stack<double> reals(2);
    for (int i = 0; i < 20; i++) { numbers.push(i); total += classify(i); }
    auto add = [&](int x) { total += x; return total; }; std::function<int(int)> same = add;
    for (int x : {1, 2, 3}) same(x);
    try { for (;;) total += numbers.pop(); } catch (const std::out_of_range &) { total++; }
    try { reals.pop(); reals.pop(); reals.pop(); }
    catch (std::exception &error) { total += length(error.what()); }
    SUM3(1, 2, argc); total += nested(9); total += collatz(27);
    Shape *shape = new Square(3); total += shape->area(); delete shape;
    total += twice(2) + twice(9) + thrice(1) + other(6) + recurse(5);
    total += deep(7, depth);
    if (total == -1) std::puts("never");
    return total > 100 && total < 100000 ? 0 : 3;
}
"#;
    const OTHER_CPP: &str = r#"
#include "./shapes.h"
#include <string>
static const std::string names[] = {"one", "two"};
int recurse(int depth) { return depth <= 1 ? 1 : recurse(depth - 1) + recurse(depth - 2); }
static int risky(int x) { if (x == 4) throw x; return x; }
int other(int rounds) {
    int sum = 0, i = 0; Stack<int> stack;
    while (i < rounds) { sum += twice(i) + length(names[i & 1].c_str()); stack.push(i++); }
    for (i = 0; i < rounds; i++) try { sum += risky(i); } catch (int caught) { sum -= caught; }
    for (const char *p = "a,b,,c"; *p; p++) sum += *p == ',' ? 1 : (*p > 'a' && *p < 'c') || *p == 'c';
    return sum + stack.pop();
}
struct Unused { Unused() {} int never() { return length("never"); } };
int not_called(int x) { Unused unused; while (x-- > 0 && unused.never()) ; return x; }
"#;
    /// Not instrumented, so that whatever happens here changes no counter.
    const POINT_C: &str = r#"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern void __gcov_dump(void);
void point(void) {
    const char *what = getenv("POINT");
    if (what == NULL) return;
    if (strcmp(what, "dump") == 0) { __gcov_dump(); _exit(0); }
    if (write(1, "ready\n", 6) != 6) _exit(9);
    for (;;) pause();
}
"#;

    /// A built program: its folder has `stock` (the ordinary gcov runtime), `shared` and `shared-pie` (ours).
    pub(super) struct Program {
        pub(super) folder: tempfile::TempDir,
    }

    impl Program {
        /// `None`, with a notice, when there is no GCC 12 to build it with.
        pub(super) fn build(optimisation: &str) -> Option<Program> {
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
            program.run(&compiler, &[&objects[..], &["--coverage", "-o", "stock"]].concat());
            program.run(&compiler, &[&objects[..], &["runtime.o", "--coverage", "-no-pie", "-o", "shared"]].concat());
            program.run(&compiler, &[&objects[..], &["runtime.o", "--coverage", "-pie", "-o", "shared-pie"]].concat());
            Some(program)
        }

        pub(super) fn run(&self, command: &str, arguments: &[&str]) {
            let status = Command::new(command).args(arguments).current_dir(self.path()).status();
            assert!(status.expect("the compiler starts").success(), "{command} {arguments:?}");
        }

        pub(super) fn path(&self) -> &Path {
            self.folder.path()
        }

        /// Runs the program with the ordinary runtime; its data files are in the folder that is returned.
        pub(super) fn stock_run(&self, point: Option<&str>) -> tempfile::TempDir {
            let data = tempfile::tempdir().expect("a scratch folder");
            let mut command = Command::new(self.path().join("stock"));
            command.env("GCOV_PREFIX", data.path()).env_remove("POINT");
            if let Some(point) = point {
                command.env("POINT", point);
            }
            assert!(command.status().expect("the program starts").success());
            data
        }
    }

    /// A C++ compiler of GCC 12.
    pub(super) fn compiler() -> Option<String> {
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
    pub(super) fn gcov_table(build: &Path, data: &Path) -> Table {
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
    pub(super) fn table(map: &CoverageMap, counts: &LineCounts) -> Table {
        let row = |index: usize| {
            let slot = LineSlot::new(index as u32);
            let (file, line) = map.location(slot);
            ((full_name(map.root(), file), line), counts.get(slot))
        };
        (0..map.slots()).map(row).collect()
    }

    /// Fails with a few of the differences, if there are any.
    pub(super) fn assert_same(ours: &Table, gcov: &Table) {
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
}

use std::io::Read;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use coverage_program::{Program, assert_same, gcov_table, table};
use mulstringfuzz::coverage::{CounterChannel, CoverageError, CoverageMap, SourceFilter, read_data_folder};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

fn whole_map(build: &Path) -> CoverageMap {
    let cache = tempfile::tempdir().expect("a scratch folder");
    CoverageMap::load_or_build_with(build, cache.path(), SourceFilter::All).expect("a map")
}

/// A started program, ended for sure when the test ends.
struct Running(Child);

impl Running {
    fn wait(&mut self) -> std::process::ExitStatus {
        self.0.wait().expect("it ends")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Starts `command` with the channel's descriptor inherited.
fn spawn(command: &mut Command, channel: &CounterChannel) -> Running {
    let inherited = nix::unistd::dup(channel.fd()).expect("a descriptor");
    let (name, value) = channel.environment_for(inherited.as_raw_fd());
    Running(command.env(name, value).stdout(Stdio::piped()).spawn().expect("the program starts"))
}

#[test]
fn a_finished_run_counts_as_in_gcov() {
    for optimisation in ["-O0", "-O1", "-O2"] {
        let Some(program) = Program::build(optimisation) else { return };
        let data = program.stock_run(None);
        let gcov = gcov_table(program.path(), data.path());
        let map = whole_map(program.path());
        let counters = read_data_folder(data.path(), &map).expect("data files");
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
        for name in ["shared", "shared-pie", "shared"] {
            let channel = CounterChannel::new(&map).expect("shared memory");
            let status = spawn(Command::new(program.path().join(name)).env_remove("POINT"), &channel).wait();
            assert!(status.success());
            let counters = channel.collect(&map).expect("counters");
            assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
        }
    }
}

#[test]
fn a_killed_run_counts_as_a_dump_at_the_same_point() {
    let Some(program) = Program::build("-O1") else { return };
    let data = program.stock_run(Some("dump"));
    let gcov = gcov_table(program.path(), data.path());
    let map = whole_map(program.path());
    for signal in [Signal::SIGKILL, Signal::SIGTERM, Signal::SIGXCPU] {
        let channel = CounterChannel::new(&map).expect("shared memory");
        let mut child = spawn(Command::new(program.path().join("shared")).env("POINT", "wait"), &channel);
        let mut ready = [0; 6];
        child.0.stdout.take().expect("a pipe").read_exact(&mut ready).expect("the program says it is ready");
        let live = channel.collect(&map).expect("counters of a running program");
        kill(Pid::from_raw(child.0.id() as i32), signal).expect("it is alive");
        assert!(!child.wait().success());
        let counters = channel.collect(&map).expect("counters of a killed program");
        assert_eq!(live, counters);
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    }
}

#[test]
fn own_sources_only_by_default_and_the_cache_is_kept_true() {
    let Some(program) = Program::build("-O0") else { return };
    let cache = tempfile::tempdir().expect("a scratch folder");
    let map = CoverageMap::load_or_build(program.path(), cache.path()).expect("a map");
    let own: Vec<_> = (0..map.files() as u32).collect();
    assert_eq!(own.len(), 3, "main.cpp, other.cpp, shapes.h");
    let file = std::fs::read_dir(cache.path()).expect("the cache").next().expect("a file").expect("an entry").path();
    let again = CoverageMap::load_or_build(program.path(), cache.path()).expect("the cached map");
    assert_eq!(format!("{again:?}"), format!("{map:?}"));
    // Damage: any flipped byte is noticed, and the map is built anew.
    let sound = std::fs::read(&file).expect("the cache file");
    for position in [0, 4, sound.len() / 3, sound.len() / 2, sound.len() - 1] {
        let mut damaged = sound.clone();
        damaged[position] ^= 0x40;
        std::fs::write(&file, damaged).expect("writable");
        let rebuilt = CoverageMap::load_or_build(program.path(), cache.path()).expect("a rebuilt map");
        assert_eq!(format!("{rebuilt:?}"), format!("{map:?}"));
        assert_eq!(std::fs::read(&file).expect("the cache file"), sound);
    }
    // A rebuild gives the unit another stamp, so another map.
    let compiler = coverage_program::compiler().expect("it was there before");
    program.run(&compiler, &["-g0", "-O0", "--coverage", "-c", "other.cpp"]);
    let newer = CoverageMap::load_or_build(program.path(), cache.path()).expect("a new map");
    assert_ne!(newer.fingerprint(), map.fingerprint());
    // The old program does not fit the new notes.
    let channel = CounterChannel::new(&newer).expect("shared memory");
    spawn(&mut Command::new(program.path().join("shared")), &channel).wait();
    assert!(matches!(channel.collect(&newer), Err(CoverageError::Foreign { .. })));
    let data = program.stock_run(None);
    assert!(matches!(read_data_folder(data.path(), &newer), Err(CoverageError::Foreign { .. })));
}

#[test]
fn programs_that_share_nothing_are_told_apart() {
    let Some(program) = Program::build("-O0") else { return };
    let map = whole_map(program.path());
    let channel = CounterChannel::new(&map).expect("shared memory");
    spawn(&mut Command::new("true"), &channel).wait();
    assert!(matches!(channel.collect(&map), Err(CoverageError::NotShared(_))));
    // A descriptor that is something else is left alone, and without the variable the program simply runs.
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "precious").expect("writable");
    let inherited = nix::unistd::dup(file.as_file()).expect("a descriptor");
    for value in [inherited.as_raw_fd().to_string(), "99999999999".to_owned(), "x".to_owned(), String::new()] {
        let mut command = Command::new(program.path().join("shared"));
        command.env(mulstringfuzz::coverage::COUNTERS_VARIABLE, &value).env_remove("POINT");
        assert!(command.status().expect("it ends").success(), "{value}");
    }
    assert_eq!(std::fs::read_to_string(file.path()).expect("readable"), "precious");
    assert!(!program.path().join("main.gcda").exists());
}

/// On a real build: `MULSTRINGFUZZ_GCOV_BUILD` is its folder, `MULSTRINGFUZZ_GCOV_COMMAND` a command of a program
/// of that build with the ordinary gcov runtime, which must end by itself.
#[test]
fn a_real_build_counts_as_in_gcov() {
    let Some(build) = std::env::var_os("MULSTRINGFUZZ_GCOV_BUILD") else { return };
    let command = std::env::var("MULSTRINGFUZZ_GCOV_COMMAND").expect("the command to run");
    let build = Path::new(&build).canonicalize().expect("a build folder");
    let data = tempfile::tempdir().expect("a scratch folder");
    let mut words = command.split_whitespace();
    let mut stock = Command::new(words.next().expect("a program"));
    stock.args(words).env("GCOV_PREFIX", data.path()).stdout(Stdio::null());
    stock.status().expect("the program starts");
    let map = whole_map(&build);
    let counters = read_data_folder(data.path(), &map).expect("data files");
    let gcov = gcov_table(&build, data.path());
    assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
}
