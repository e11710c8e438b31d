//! Runs one command under limits and says what became of it: the only place of the crate that starts processes.
//!
//! One thread drives a run: it starts the child in a process group of its own, then sleeps in `poll` on the child's
//! exit and its two output pipes, waking at least every 20 ms to read the CPU clocks of the child and its descendants.
//! What is over within a millisecond is not looked at: that costs as much as such a run itself.
//! At the end the whole group is killed and reaped, whatever happened, so that no process outlives its run.

mod brand;
mod capture;
mod cgroup;
mod command;
mod folder;
mod group;
mod inherited;
mod interrupt;
mod scratch;
mod spawn;
mod status;

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
pub use nix::sys::signal::Signal;

use brand::Brand;
pub use brand::Following;
use capture::Capture;
pub use command::{Command, Limits, Observer};
use folder::Folder;
use group::Group;
pub use inherited::inherited_limits_below;
pub use interrupt::Interrupt;
pub use scratch::Scratch;

/// When a run's CPU clocks are looked at first.
const FIRST_LOOK: Duration = Duration::from_millis(1);
/// How long a run sleeps at most between two looks at its CPU clocks: the overshoot of the CPU limit, per thread.
const LONGEST_SLEEP: Duration = Duration::from_millis(20);
/// The same for a run that only elapsed time limits: there is nothing to overshoot, and looking costs time.
const LONGEST_REST: Duration = Duration::from_millis(200);
/// A failed process whose peak resident memory reached this share of its limit failed for lack of memory: allocators
/// fail somewhat below the limit, because `RLIMIT_AS` counts code, stacks and reserved pages too.
const MEMORY_OUT_SHARE: f64 = 0.85;
/// Who ends a whole job (a cluster at its time limit, a closing session) sends its processes the signal one after the
/// other: how long after a child's death we wait for our own, and how often we look.
const SAME_SIGNAL_PATIENCE: Duration = Duration::from_millis(500);
const SAME_SIGNAL_LOOK: Duration = Duration::from_millis(5);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// Why a process was stopped, or could not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It had used its CPU time.
    Cpu,
    /// It had used its elapsed time.
    Wall,
    /// It needed more memory than allowed: it was stopped for that, failed close to the limit, or the kernel killed it.
    Memory,
    /// Somebody else killed it: by a `SIGKILL` that we did not send, with little memory used and before its time was up.
    Killed,
    /// It printed more than allowed, or wrote more into files.
    Output,
    /// It had more processes and threads than allowed.
    Threads,
    /// The user interrupted us.
    Interrupted,
}

/// What became of a command.
#[derive(Clone, Debug)]
pub struct Run {
    /// The beginning of standard output, [`Limits::output_bytes`] at most.
    pub stdout: Vec<u8>,
    /// The beginning of standard error, [`Limits::output_bytes`] at most.
    pub stderr: Vec<u8>,
    /// Bytes printed on standard output in all.
    pub stdout_bytes: u64,
    /// Whether a stream was longer than what was kept of it.
    pub truncated: bool,
    /// How the process ended.
    pub exit: Exit,
    /// Why it was stopped, if it was.
    pub stopped: Option<Stopped>,
    /// CPU seconds, user and system, of the process and its descendants: the true figure, which may be a little over
    /// the limit.
    pub cpu_seconds: f64,
    /// Elapsed seconds.
    pub wall_seconds: f64,
    /// The largest resident memory that was seen, in bytes; 0 if the process ended before it was looked at.
    pub peak_memory_bytes: u64,
    /// Involuntary context switches: many mean that the run was measured on an oversubscribed machine.
    pub preemptions: u64,
}

impl Run {
    /// Whether the process ended by itself with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.stopped.is_none() && self.exit == Exit::Code(0)
    }

    /// Standard output as text; bytes that are not UTF-8 become replacement characters.
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text; bytes that are not UTF-8 become replacement characters.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Why a command could not be run at all. What a running process does is a [`Run`], never an error.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The executable is not there, or may not be executed.
    #[error("cannot run {}: {source}", program.display())]
    Start {
        /// The executable.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No executable of this name is on the `PATH`.
    #[error("no program named {0} on the PATH")]
    NotFound(String),
    /// A string of the command holds a NUL byte, or a descriptor's number is below 3.
    #[error("{} cannot be passed to a process: {reason}", program.display())]
    Invalid {
        /// The executable.
        program: PathBuf,
        /// What cannot be passed.
        reason: String,
    },
    /// A system call failed while the process ran.
    #[error("watching {} failed: {source}", program.display())]
    Watch {
        /// The executable.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The scratch folder could not be made.
    #[error("cannot make the scratch folder {}: {source}", folder.display())]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// The path of the executable `name` on the `PATH`.
///
/// # Errors
/// [`ProcessError::NotFound`].
pub fn find_program(name: &str) -> Result<PathBuf, ProcessError> {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0))
        .ok_or_else(|| ProcessError::NotFound(name.to_owned()))
}

/// Runs `command` under `limits` until it ends, a limit stops it, or `interrupt` is set.
///
/// When it returns, every process of the run is dead: the group is killed and reaped, and so are descendants that left the
/// group and the session, whoever their parents were ([`Following::Sight`] misses some). Safe to call from many threads at
/// once. A thread that calls it must outlive the call (the kernel kills the child when the thread that started it ends).
///
/// # Errors
/// When the process cannot be started or watched. A process that fails, hangs, crashes or is stopped is a [`Run`].
pub fn run(command: Command, limits: &Limits, interrupt: &Interrupt) -> Result<Run, ProcessError> {
    let Command { ref program, ref folder, graceful, .. } = command;
    let program = program.clone();
    let folder = folder.clone().filter(|_| limits.file_bytes < u64::MAX);
    let started = Instant::now();
    let brand = Brand::next();
    let spawn::Child { pid, pidfd, stdout, stderr, observer } = spawn::spawn(command, limits, brand)?;
    let mut watch = Watch {
        group: Group::new(pid, brand),
        folder: folder.map(|folder| Folder::new(folder, limits.file_bytes)),
        pidfd,
        stdout: Capture::new(stdout, limits.output_bytes, observer),
        stderr: Capture::new(stderr, limits.output_bytes, None),
        limits,
        interrupt,
        graceful,
        started,
        stopping: None,
    };
    let watched = watch.until_exit();
    // Whatever happened, nothing of the run may live on.
    let usage = watch.group.kill_and_reap();
    let wall_seconds = started.elapsed().as_secs_f64();
    let failed = |source: io::Error| ProcessError::Watch { program: program.clone(), source };
    watched.map_err(|errno| failed(errno.into()))?;
    let usage = usage.map_err(failed)?;
    watch.stdout.drain();
    watch.stderr.drain();
    let told_to_end = matches!(usage.exit, Exit::Signal(libc::SIGTERM | libc::SIGINT | libc::SIGHUP));
    let stopped = match watch.stopping {
        Some(stopping) => Some(stopping.reason),
        None if told_to_end && set_within(interrupt, SAME_SIGNAL_PATIENCE) => Some(Stopped::Interrupted),
        None => usage.limit_reached(limits),
    };
    Ok(Run {
        stdout_bytes: watch.stdout.total(),
        truncated: watch.stdout.truncated() || watch.stderr.truncated(),
        stdout: watch.stdout.into_kept(),
        stderr: watch.stderr.into_kept(),
        exit: usage.exit,
        stopped,
        cpu_seconds: usage.cpu_seconds,
        wall_seconds,
        peak_memory_bytes: usage.peak_memory_bytes,
        preemptions: usage.preemptions,
    })
}

/// Whether `interrupt` is set now or soon.
fn set_within(interrupt: &Interrupt, patience: Duration) -> bool {
    let until = Instant::now() + patience;
    while !interrupt.is_set() && Instant::now() < until {
        std::thread::sleep(SAME_SIGNAL_LOOK);
    }
    interrupt.is_set()
}

impl Limits {
    fn longest_sleep(&self) -> Duration {
        if self.cpu_seconds.is_finite() || self.memory_bytes < u64::MAX { LONGEST_SLEEP } else { LONGEST_REST }
    }
}

/// A stop under way: why, and when `SIGKILL` follows.
struct Stopping {
    reason: Stopped,
    kill_at: Instant,
    killed: bool,
}

/// A run being watched.
struct Watch<'a> {
    group: Group,
    folder: Option<Folder>,
    pidfd: OwnedFd,
    stdout: Capture,
    stderr: Capture,
    limits: &'a Limits,
    interrupt: &'a Interrupt,
    graceful: Option<(Signal, Duration)>,
    started: Instant,
    stopping: Option<Stopping>,
}

impl Watch<'_> {
    /// Returns when the child has ended (it is not reaped yet), by itself or stopped by us.
    fn until_exit(&mut self) -> Result<(), Errno> {
        let mut next_look = self.started + FIRST_LOOK;
        while !self.wait(next_look.saturating_duration_since(Instant::now()))? {
            // Output wakes us too, and says nothing about the clocks.
            if Instant::now() >= next_look || self.prints_too_much() || self.interrupt.is_set() {
                next_look = Instant::now() + self.enforce();
            }
        }
        Ok(())
    }

    /// Stops the run if it has reached a limit; says how long to sleep until the next look.
    fn enforce(&mut self) -> Duration {
        let now = Instant::now();
        if let Some(stopping) = &mut self.stopping {
            if self.interrupt.is_set() && stopping.reason != Stopped::Interrupted {
                stopping.kill_at = now;
            }
            if now >= stopping.kill_at && !stopping.killed {
                self.group.signal(Signal::SIGKILL);
                stopping.killed = true;
            }
            return LONGEST_SLEEP;
        }
        let used = self.group.look();
        // Time that the process spent waiting for a core is the machine's, not the solver's: on a loaded machine the
        // guard would otherwise stop a busy solver before its CPU limit, and call that a timeout.
        let wall = now.duration_since(self.started).as_secs_f64() - self.group.seconds_waiting_for_a_core();
        let reason = if self.interrupt.is_set() {
            Stopped::Interrupted
        } else if used.cpu_seconds >= self.limits.cpu_seconds {
            Stopped::Cpu
        } else if wall >= self.limits.wall_seconds {
            Stopped::Wall
        } else if used.resident_bytes > self.limits.memory_bytes {
            Stopped::Memory
        } else if used.threads > self.limits.threads {
            Stopped::Threads
        } else if self.prints_too_much() || self.folder.as_mut().is_some_and(|folder| folder.is_too_full(now)) {
            Stopped::Output
        } else {
            let cpu_left = (self.limits.cpu_seconds - used.cpu_seconds) / used.threads.max(1) as f64;
            // Often at first, so that the memory of a quick run is seen as well.
            let next_look = wall.clamp(0.002, self.limits.longest_sleep().as_secs_f64());
            let left = cpu_left.min(self.limits.wall_seconds - wall).min(next_look);
            // A millisecond at least, so that the last stretch before the limit is not spent spinning.
            return Duration::from_secs_f64(left.max(0.001));
        };
        self.stop(reason, now);
        LONGEST_SLEEP
    }

    fn prints_too_much(&self) -> bool {
        self.stdout.total() + self.stderr.total() > self.limits.printed_bytes
    }

    /// Begins to stop the run: gently first if the command asks for it and the user does not wait.
    fn stop(&mut self, reason: Stopped, now: Instant) {
        let gentle = self.graceful.filter(|_| reason != Stopped::Interrupted);
        let (signal, grace) = gentle.unwrap_or((Signal::SIGKILL, Duration::ZERO));
        self.group.signal(signal);
        self.stopping = Some(Stopping { reason, kill_at: now + grace, killed: gentle.is_none() });
    }

    /// Sleeps until the child ends, prints, or `sleep` has passed; reads what it printed. True when it has ended.
    fn wait(&mut self, sleep: Duration) -> Result<bool, Errno> {
        let mut sources = vec![PollFd::new(self.pidfd.as_fd(), PollFlags::POLLIN)];
        let open = [&self.stdout, &self.stderr].into_iter().filter_map(Capture::descriptor);
        sources.extend(open.map(|descriptor| PollFd::new(descriptor, PollFlags::POLLIN)));
        // Rounded up: poll counts milliseconds, and a sleep of none would spin.
        let timeout = PollTimeout::try_from(sleep.as_micros().div_ceil(1000)).unwrap_or(PollTimeout::MAX);
        match poll(&mut sources, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno),
        }
        let ready: Vec<RawFd> = sources
            .iter()
            .filter(|source| source.any().unwrap_or(false))
            .map(|source| source.as_fd().as_raw_fd())
            .collect();
        let ended = ready.contains(&self.pidfd.as_raw_fd());
        for capture in [&mut self.stdout, &mut self.stderr] {
            if capture.descriptor().is_some_and(|descriptor| ready.contains(&descriptor.as_raw_fd())) {
                capture.read_some();
            }
        }
        Ok(ended)
    }
}
