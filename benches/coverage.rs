//! What coverage costs above the instrumented run, on a real build.
//!
//! `MULSTRINGFUZZ_GCOV_BUILD` is the folder with the `.gcno` files, `MULSTRINGFUZZ_GCOV_COMMAND` a command of a program
//! of that build that is linked with `gcov-tools/runtime.c`. Without them there is nothing to measure.

use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use mulstringfuzz::coverage::{Archive, CounterChannel, CoverageMap, Mode, reward};

struct Build {
    folder: PathBuf,
    command: String,
    cache: tempfile::TempDir,
    map: CoverageMap,
}

static BUILD: LazyLock<Option<Build>> = LazyLock::new(|| {
    let folder = PathBuf::from(std::env::var_os("MULSTRINGFUZZ_GCOV_BUILD")?);
    let command = std::env::var("MULSTRINGFUZZ_GCOV_COMMAND").ok()?;
    let cache = tempfile::tempdir().ok()?;
    let map = CoverageMap::load_or_build(&folder, cache.path()).ok()?;
    Some(Build { folder, command, cache, map })
});

fn main() {
    if BUILD.is_some() {
        divan::main();
    } else {
        eprintln!("nothing to measure: set MULSTRINGFUZZ_GCOV_BUILD and MULSTRINGFUZZ_GCOV_COMMAND");
    }
}

impl Build {
    /// A run with shared counters, up to its end.
    fn run(&self) -> Option<CounterChannel> {
        let channel = CounterChannel::new(&self.map).ok()?;
        // A duplicate does not close on exec.
        let inherited = nix::unistd::dup(channel.fd()).ok()?;
        let (name, value) = channel.environment_for(inherited.as_raw_fd());
        self.command().env(name, value).status().ok()?;
        Some(channel)
    }

    fn command(&self) -> Command {
        let mut words = self.command.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).stdout(Stdio::null());
        command
    }
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn the_run_alone() {
    if let Some(build) = &*BUILD {
        drop(build.command().status());
    }
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn the_run_with_shared_counters() {
    drop(BUILD.as_ref().and_then(Build::run));
}

#[divan::bench(sample_count = 30, sample_size = 1)]
fn counters_to_line_counts(bencher: divan::Bencher<'_, '_>) {
    let Some((build, channel)) = BUILD.as_ref().and_then(|build| Some((build, build.run()?))) else { return };
    bencher.bench(|| channel.collect(&build.map).map(|counters| build.map.line_counts(&counters)));
}

#[divan::bench(sample_count = 30)]
fn reward_and_merge(bencher: divan::Bencher<'_, '_>) {
    let Some((build, channel)) = BUILD.as_ref().and_then(|build| Some((build, build.run()?))) else { return };
    let Ok(counters) = channel.collect(&build.map) else { return };
    let counts = build.map.line_counts(&counters);
    let mut archive = Archive::new(build.map.file_of_slot());
    bencher.bench_local(|| {
        let score = reward(&counts, &archive, Mode::Prose);
        archive.merge(&counts);
        score
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn load_the_cached_map() {
    if let Some(build) = &*BUILD {
        drop(CoverageMap::load_or_build(&build.folder, build.cache.path()));
    }
}
