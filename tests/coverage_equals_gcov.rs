//! Our line counts are gcov's: on a C++ program that uses what makes counting hard, however it ends, and on a real
//! solver when `MULSTRINGFUZZ_GCOV_BUILD` names its build folder (see `gcov-tools/compare-with-gcov.sh`).

mod coverage_program;

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
        kill(Pid::from_raw(child.0.id().cast_signed()), signal).expect("it is alive");
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
    let compiler = format!("-DCMAKE_CXX_COMPILER={}", coverage_program::compiler().expect("it was there before"));
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
/// of that build with the ordinary gcov runtime, which must end by itself; `MULSTRINGFUZZ_GCOV_SHARED`, if set, the
/// same program linked with ours.
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
    if let Some(shared) = std::env::var_os("MULSTRINGFUZZ_GCOV_SHARED") {
        let channel = CounterChannel::new(&map).expect("shared memory");
        spawn(Command::new(shared).args(command.split_whitespace().skip(1)), &channel).wait();
        let counters = channel.collect(&map).expect("counters");
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
    }
}
