//! Our line counts are gcov's: on a C++ program that uses what makes counting hard, however it ends, and on a real
//! solver when `MULSTRINGFUZZ_GCOV_BUILD` names its build folder (see `gcov-tools/compare-with-gcov.sh`).

mod coverage_program;
mod gcov;

use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use coverage_program::Program;
use coverage_program::solver::{TestSolver, observe};
use gcov::flow::{assert_same_flow, gcov_flow_of};
use gcov::{assert_same, compiler, gcov_table, gcov_table_of, link_notes, table};
use mulstringfuzz::coverage::{
    CounterChannel, CoverageError, CoverageMap, CumulativeCoverage, FlowMap, SourceFilter, read_data_folder,
    write_data_folder,
};
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::solver::provision::preload_library;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

fn whole_map(build: &Path) -> CoverageMap {
    let cache = tempfile::tempdir().expect("a scratch folder");
    CoverageMap::load_or_build_with(build, cache.path(), SourceFilter::All).expect("a map")
}

/// A started program, ended for sure when the test ends.
struct Running(Child);

impl Running {
    /// Waits until the program, started with `POINT=wait`, says that it is at that point.
    fn until_ready(&mut self) {
        let mut ready = [0; 6];
        self.0.stdout.take().expect("a pipe").read_exact(&mut ready).expect("the program says it is ready");
    }

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
fn runs_cover_the_functions_and_branches_that_they_do_in_gcov() {
    for optimisation in ["-O0", "-O1", "-O2"] {
        let Some(program) = Program::build(optimisation) else { return };
        let map = whole_map(program.path());
        let cache = tempfile::tempdir().expect("a scratch folder");
        let flow = FlowMap::load_or_build(program.path(), cache.path(), &map).expect("a map of branches");
        let mut together = CumulativeCoverage::new(&map, &flow);
        // The run that is cut short covers less, and nothing that the whole one does not.
        let mut totals = Vec::new();
        for point in [Some("dump"), None] {
            let data = program.stock_run(point);
            link_notes(program.path(), data.path());
            let counters = read_data_folder(data.path(), &map).expect("data files");
            let mut alone = CumulativeCoverage::new(&map, &flow);
            alone.add(&counters);
            let gcov = gcov_flow_of(data.path());
            assert_same_flow(&map, &flow, program.path(), &alone, &gcov);
            let lines = gcov_table_of(data.path());
            let executed = lines.values().filter(|count| **count > 0).count();
            assert_eq!((alone.totals().lines.covered, alone.totals().lines.total), (executed, lines.len()));
            together.merge(&alone);
            together.add(&counters);
            totals.push(alone.totals());
        }
        assert!(totals[0].branches.covered < totals[1].branches.covered);
        assert_eq!(together.totals(), totals[1]);
    }
}

#[test]
fn the_cached_map_of_branches_is_kept_true() {
    let Some(program) = Program::build("-O1") else { return };
    let cache = tempfile::tempdir().expect("a scratch folder");
    let map = CoverageMap::load_or_build(program.path(), cache.path()).expect("a map");
    let load = || FlowMap::load_or_build(program.path(), cache.path(), &map);
    let flow = load().expect("a map of branches");
    let file = cache.path().join(format!("flow-{:016x}.map", map.fingerprint()));
    let sound = std::fs::read(&file).expect("the cache file");
    assert_eq!(load().expect("the cached one"), flow);
    for position in [0, 4, sound.len() / 3, sound.len() / 2, sound.len() - 1] {
        let mut damaged = sound.clone();
        damaged[position] ^= 0x40;
        std::fs::write(&file, damaged).expect("writable");
        assert_eq!(load().expect("a rebuilt one"), flow);
        assert_eq!(std::fs::read(&file).expect("the cache file"), sound);
    }
    // A header of the system has functions and branches too, but they are not the program's.
    let everything = whole_map(program.path());
    let of_all = FlowMap::load_or_build(program.path(), cache.path(), &everything).expect("a map of branches");
    assert!(flow.functions() > 0 && flow.functions() < of_all.functions());
    assert!(flow.branches() > 0 && flow.branches() < of_all.branches());
    // After a rebuild, the notes are no longer those of the map.
    program.run(&compiler().expect("it was there before"), &["-g0", "-O0", "--coverage", "-c", "other.cpp"]);
    std::fs::remove_file(&file).expect("it is there");
    assert!(matches!(load(), Err(CoverageError::Foreign { .. })));
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
        child.until_ready();
        let live = channel.collect(&map).expect("counters of a running program");
        kill(Pid::from_raw(child.0.id().cast_signed()), signal).expect("it is alive");
        assert!(!child.wait().success());
        let counters = channel.collect(&map).expect("counters of a killed program");
        assert_eq!(live, counters);
        let written = tempfile::tempdir().expect("a scratch folder");
        write_data_folder(&counters, &map, program.path(), written.path()).expect("writable");
        assert_same(&gcov_table_of(written.path()), &gcov);
        assert_eq!(read_data_folder(written.path(), &map).expect("data files"), counters);
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    }
}

/// The same with the library that makes a stock program share its counters; its data files would go to `data`.
fn spawn_preloaded(command: &mut Command, channel: &CounterChannel, library: &Path, data: &Path) -> Running {
    spawn(command.env("LD_PRELOAD", library).env("GCOV_PREFIX", data), channel)
}

fn library() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let library = preload_library(folder.path(), &Interrupt::new()).expect("a library");
    (folder, library)
}

fn is_empty(folder: &Path) -> bool {
    folder.read_dir().expect("a folder").next().is_none()
}

#[test]
fn a_stock_program_with_the_library_counts_as_in_gcov_and_leaves_no_files() {
    let (_folder, library) = library();
    for optimisation in ["-O0", "-O2"] {
        let Some(program) = Program::build(optimisation) else { return };
        let map = whole_map(program.path());
        for point in [None, Some("exit")] {
            let gcov = gcov_table(program.path(), program.stock_run(point).path());
            for name in ["stock", "stock-no-pie", "stock-stripped", "stock", "shared"] {
                let data = tempfile::tempdir().expect("a scratch folder");
                let channel = CounterChannel::new(&map).expect("shared memory");
                let mut command = Command::new(program.path().join(name));
                match point {
                    Some(point) => command.env("POINT", point),
                    None => command.env_remove("POINT"),
                };
                let mut child = spawn_preloaded(&mut command, &channel, &library, data.path());
                let mut printed = String::new();
                child.0.stdout.take().expect("a pipe").read_to_string(&mut printed).expect("text");
                let expected = if point.is_some() { (Some(42), "bye") } else { (Some(0), "") };
                assert_eq!((child.wait().code(), printed.as_str()), expected, "{name}");
                let counters = channel.collect(&map).expect("counters");
                assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
                assert!(is_empty(data.path()), "{name}");
            }
        }
    }
}

#[test]
fn a_killed_stock_program_with_the_library_counts_as_a_dump_at_the_same_point() {
    let Some(program) = Program::build("-O1") else { return };
    let (_folder, library) = library();
    let gcov = gcov_table(program.path(), program.stock_run(Some("dump")).path());
    let map = whole_map(program.path());
    for (name, signal) in [
        ("stock", Signal::SIGKILL),
        ("stock", Signal::SIGTERM),
        ("stock-no-pie", Signal::SIGKILL),
        ("stock-no-pie", Signal::SIGTERM),
        ("stock-stripped", Signal::SIGKILL),
    ] {
        let data = tempfile::tempdir().expect("a scratch folder");
        let channel = CounterChannel::new(&map).expect("shared memory");
        let mut command = Command::new(program.path().join(name));
        let mut child = spawn_preloaded(command.env("POINT", "wait"), &channel, &library, data.path());
        child.until_ready();
        kill(Pid::from_raw(child.0.id().cast_signed()), signal).expect("it is alive");
        assert_eq!(child.wait().signal(), Some(signal as i32));
        let counters = channel.collect(&map).expect("counters of a killed program");
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
        assert!(is_empty(data.path()), "{name}");
    }
}

#[test]
fn a_program_whose_units_cannot_be_found_is_told_what_to_do() {
    let Some(program) = Program::build("-O0") else { return };
    let (_folder, library) = library();
    let map = whole_map(program.path());
    let run = |mut command: Command| {
        let data = tempfile::tempdir().expect("a scratch folder");
        let channel = CounterChannel::new(&map).expect("shared memory");
        assert!(spawn_preloaded(command.env_remove("POINT"), &channel, &library, data.path()).wait().success());
        channel.collect(&map).map(|counters| map.line_counts(&counters).len())
    };
    let uninstrumented = run(Command::new("true")).expect_err("nothing is counted").to_string();
    assert!(uninstrumented.contains("gcc-12 --coverage"), "{uninstrumented}");
    let linked_statically = run(Command::new(program.path().join("stock-static"))).expect_err("no loader").to_string();
    assert!(linked_statically.contains("link it dynamically"), "{linked_statically}");
    let in_a_library = Command::new(program.path().join(program.link_with_library()));
    let in_a_library = run(in_a_library).expect_err("not all is counted").to_string();
    assert!(in_a_library.contains("link the solver statically"), "{in_a_library}");
    // A script that starts the program leaves the counters to it.
    let mut script = Command::new("sh");
    script.args(["-c", "exec ./stock"]).current_dir(program.path());
    assert!(run(script).is_ok_and(|lines| lines > 0));
}

/// Whichever way the counters come, the fuzzer's observed runs have the same counts; only data files need a run that
/// ends by itself.
#[test]
fn observed_runs_have_coverage_by_every_way() {
    const QUICK: &str = "(set-logic ALL)\n(check-sat)\n";
    const ENDLESS: &str = "(set-logic ALL)\n(declare-fun loop () Bool)\n(check-sat)\n";
    let Some(solver) = TestSolver::build() else { return };
    let open = |executable, counters, options| solver.open(executable, counters, options);
    let shared = open("shared", "shared-memory", "").expect("a sound build");
    let preload = open("stock", "preload", "").expect("a sound build");
    let files = open("stock", "data-files", "").expect("a sound build");
    let polite = open("stock", "data-files", "--polite").expect("a sound build");
    let quick = observe(&shared, QUICK).coverage.expect("coverage");
    assert!(!quick.is_empty());
    for instrumented in [&preload, &files] {
        assert_eq!(observe(instrumented, QUICK).coverage.as_ref(), Some(&quick));
    }
    // The lines of the loop, and what led there.
    for instrumented in [&shared, &preload] {
        let endless = observe(instrumented, ENDLESS);
        assert!(endless.coverage.is_some_and(|counts| counts.iter().any(|(_, count)| count > 1000)));
    }
    assert!(observe(&files, ENDLESS).coverage.is_none(), "it was killed");
    assert!(observe(&polite, ENDLESS).coverage.is_some_and(|counts| counts.len() > quick.len()));
    // A build that cannot yield counts is refused before anything is evaluated.
    let refusal = |executable, counters| open(executable, counters, "").expect_err("no counts").to_string();
    assert!(refusal("shared", "data-files").contains("wrote no .gcda files"));
    assert!(refusal("missing-units", "preload").contains("gcc-12 --coverage"));
    assert_eq!(solver.data_files(), Vec::<PathBuf>::new());
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
    let compiler = compiler().expect("it was there before");
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

/// A project that knows nothing of us, sets its own optimisation, links all statically and has a project within.
const CMAKE_LISTS: &str = "cmake_minimum_required(VERSION 3.15)
project(solver)
set(CMAKE_CXX_FLAGS \"${CMAKE_CXX_FLAGS} -O3\")
file(WRITE ${CMAKE_BINARY_DIR}/part/CMakeLists.txt \"project(part)\\nadd_library(other STATIC ../../other.cpp)\")
add_subdirectory(${CMAKE_BINARY_DIR}/part)
add_executable(solver main.cpp point.c)
target_link_libraries(solver other -static)
";

#[test]
fn a_cmake_project_is_instrumented_from_outside() {
    let Some(program) = Program::build("-O1") else { return };
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("not tested: there is no CMake here");
        return;
    }
    std::fs::write(program.path().join("CMakeLists.txt"), CMAKE_LISTS).expect("writable");
    let include = concat!("-DCMAKE_PROJECT_INCLUDE=", env!("CARGO_MANIFEST_DIR"), "/gcov-tools/instrument.cmake");
    let compiler = format!("-DCMAKE_CXX_COMPILER={}", compiler().expect("it was there before"));
    let build = program.path().join("build");
    for (runtime, kept) in [("-DMULSTRINGFUZZ_RUNTIME=OFF", "stock"), ("-DMULSTRINGFUZZ_RUNTIME=ON", "shared")] {
        program.run("cmake", &["-S", ".", "-B", "build", "--log-level=WARNING", include, &compiler, runtime]);
        program.run("cmake", &["--build", "build"]);
        std::fs::rename(build.join("solver"), build.join(kept)).expect("the solver was linked");
    }
    let run = |name: &str| {
        let mut command = Command::new(build.join(name));
        command.env_remove("POINT");
        command
    };
    let data = tempfile::tempdir().expect("a scratch folder");
    assert!(run("stock").env("GCOV_PREFIX", data.path()).status().expect("it starts").success());
    let gcov = gcov_table(&build, data.path());
    let map = whole_map(&build);
    let counters = read_data_folder(data.path(), &map).expect("data files");
    assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    let channel = CounterChannel::new(&map).expect("shared memory");
    assert!(spawn(&mut run("shared"), &channel).wait().success());
    let counters = channel.collect(&map).expect("counters");
    assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
}

/// On a real build: `MULSTRINGFUZZ_GCOV_BUILD` is its folder, `MULSTRINGFUZZ_GCOV_COMMAND` a command of a program
/// of that build with the ordinary gcov runtime, which must end by itself and do the same each time;
/// `MULSTRINGFUZZ_GCOV_SHARED`, if set, the same program linked with ours.
#[test]
fn a_real_build_counts_as_in_gcov() {
    let Some(build) = std::env::var_os("MULSTRINGFUZZ_GCOV_BUILD") else { return };
    let command = std::env::var("MULSTRINGFUZZ_GCOV_COMMAND").expect("the command to run");
    let build = Path::new(&build).canonicalize().expect("a build folder");
    let data = tempfile::tempdir().expect("a scratch folder");
    let stock = || {
        let mut words = command.split_whitespace();
        let mut stock = Command::new(words.next().expect("a program"));
        stock.args(words);
        stock
    };
    let status = stock().env("GCOV_PREFIX", data.path()).stdout(Stdio::null()).status().expect("the program starts");
    let map = whole_map(&build);
    let counters = read_data_folder(data.path(), &map).expect("data files");
    let gcov = gcov_table(&build, data.path());
    assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    let cache = tempfile::tempdir().expect("a scratch folder");
    let flow = FlowMap::load_or_build(&build, cache.path(), &map).expect("a map of branches");
    let mut coverage = CumulativeCoverage::new(&map, &flow);
    coverage.add(&counters);
    assert_same_flow(&map, &flow, &build, &coverage, &gcov_flow_of(data.path()));
    if let Some(shared) = std::env::var_os("MULSTRINGFUZZ_GCOV_SHARED") {
        let channel = CounterChannel::new(&map).expect("shared memory");
        spawn(Command::new(shared).args(command.split_whitespace().skip(1)), &channel).wait();
        let counters = channel.collect(&map).expect("counters");
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    }
    let (_folder, library) = library();
    let unused = tempfile::tempdir().expect("a scratch folder");
    let channel = CounterChannel::new(&map).expect("shared memory");
    let mut child = spawn_preloaded(&mut stock(), &channel, &library, unused.path());
    let mut printed = Vec::new();
    child.0.stdout.take().expect("a pipe").read_to_end(&mut printed).expect("what it prints");
    assert_eq!(child.wait(), status);
    let counters = channel.collect(&map).expect("counters");
    assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    assert!(is_empty(unused.path()));
}
