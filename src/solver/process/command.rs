//! What to run, and what it may use.

use std::ffi::OsString;
use std::os::fd::{OwnedFd, RawFd};
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::Signal;

/// What a run may use. Infinite or `u64::MAX` values mean no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// CPU seconds, user and system, of the process and its descendants together.
    pub cpu_seconds: f64,
    /// Elapsed seconds, less those that the process waited for a core: the guard against processes that sleep.
    pub wall_seconds: f64,
    /// Bytes of address space of each process, and of resident memory of all together.
    pub memory_bytes: u64,
    /// Bytes of standard output, and of standard error, that are kept; the rest is counted and dropped.
    pub output_bytes: usize,
    /// Bytes printed, on both streams together, at which the run is stopped.
    pub printed_bytes: u64,
    /// Bytes of the largest file that the process may write, and of all that it may leave in its folder, in which it may
    /// then make 100,000 files.
    pub file_bytes: u64,
    /// Threads of all processes together, each of which has one at least.
    pub threads: u64,
}

impl Limits {
    /// The limits of a solver run: `seconds` of CPU time, three times that of elapsed time (10 s at least, because a
    /// loaded machine gives a short run little of its CPU), 8 GB of memory, 1 MiB of output kept of 64 MiB at most, 1 GiB of
    /// files, 1000 threads.
    pub fn cpu(seconds: f64) -> Self {
        Limits {
            cpu_seconds: seconds,
            wall_seconds: (3.0 * seconds).max(10.0),
            memory_bytes: 8_000_000_000,
            output_bytes: 1 << 20,
            printed_bytes: 64 << 20,
            file_bytes: 1 << 30,
            threads: 1000,
        }
    }

    /// No limits but `wall_seconds` of elapsed time: for tools that we trust, such as a compiler.
    pub fn wall(wall_seconds: f64) -> Self {
        Limits {
            cpu_seconds: f64::INFINITY,
            wall_seconds,
            memory_bytes: u64::MAX,
            output_bytes: 1 << 20,
            printed_bytes: u64::MAX,
            file_bytes: u64::MAX,
            threads: u64::MAX,
        }
    }
}

/// Receives each piece of standard output as it arrives.
pub type Observer = Box<dyn FnMut(&[u8]) + Send>;

/// What to run. Standard input is empty, standard output and error are captured, no other descriptor is inherited but
/// [`inherited`](Command::inherited), and the child starts with default signal handling.
pub struct Command {
    /// The executable's path; no search along `PATH` (see [`find_program`](super::find_program)).
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub arguments: Vec<OsString>,
    /// Variables to set, over those inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether the child starts without our own environment variables.
    pub clear_environment: bool,
    /// The folder in which it runs; ours if `None`.
    pub folder: Option<PathBuf>,
    /// Descriptors to pass on, each with its number in the child (3 or more). Ours are closed once the child runs, so
    /// that a pipe ends when the child does.
    pub inherited: Vec<(RawFd, OwnedFd)>,
    /// On a limit, send this signal first and leave the process so long to end by itself; `SIGKILL` follows. Without
    /// it, and for an interrupt always, `SIGKILL` at once.
    pub graceful: Option<(Signal, Duration)>,
    /// Receives standard output as it arrives, besides what is kept.
    pub observer: Option<Observer>,
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Command { program, arguments, environment, folder, inherited, graceful, .. } = self;
        f.debug_struct("Command")
            .field("program", program)
            .field("arguments", arguments)
            .field("environment", environment)
            .field("folder", folder)
            .field("inherited", inherited)
            .field("graceful", graceful)
            .finish_non_exhaustive()
    }
}

impl Command {
    /// A command without arguments that inherits our environment.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Command {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            clear_environment: false,
            folder: None,
            inherited: Vec::new(),
            graceful: None,
            observer: None,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Runs in `folder`.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Passes `descriptor` on, as number `number` (3 or more) in the child.
    #[must_use]
    pub fn inherit(mut self, number: RawFd, descriptor: OwnedFd) -> Self {
        self.inherited.push((number, descriptor));
        self
    }
}
