//! The processes of one run: what they use, and their end.
//!
//! They are the child, which leads a process group, and its descendants. A descendant whose parent ends becomes our
//! child (we are a *subreaper*), and is known by the run's [`Brand`], so that it can be counted, killed and reaped even then.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use super::brand::{Brand, end_abandoned};
use super::cgroup::oom_kills;
use super::inherited::memory_bytes;
use super::status::{Status, adopted, children, cpu_clock};
use super::{Exit, Limits, MEMORY_OUT_SHARE, Stopped};

/// How long processes are hunted for that multiply as fast as they are killed.
const HUNT: Duration = Duration::from_secs(5);

/// The processes of one run.
pub(super) struct Group {
    leader: Pid,
    brand: Option<Brand>,
    /// What those used that were reaped while the leader ran.
    reaped: Reaped,
    /// Descendants seen alive, in the group or not, with their start times: a number alone may be another's by now.
    descendants: BTreeMap<i32, u64>,
    /// The largest address space seen, in bytes.
    peak_address_space: u64,
    /// The largest resident memory of all together that was seen, in bytes.
    peak_resident: u64,
    /// Kills for lack of memory before the first look; `None` until then, or if the kernel does not say.
    oom_kills: Option<u64>,
    was_looked_at: bool,
}

/// What the processes use at one moment.
#[derive(Default)]
pub(super) struct Used {
    /// CPU seconds, user and system, including those of children that were waited for.
    pub(super) cpu_seconds: f64,
    /// Resident memory of all, in bytes.
    pub(super) resident_bytes: u64,
    /// Threads of all, one of each process at least: how many seconds of CPU time can pass in one second.
    pub(super) threads: u64,
}

/// What the processes have used in all, and how the child ended.
pub(super) struct Usage {
    pub(super) exit: Exit,
    pub(super) cpu_seconds: f64,
    pub(super) peak_memory_bytes: u64,
    pub(super) preemptions: u64,
    peak_address_space: u64,
    /// Whether the kernel killed somebody in our control group for lack of memory meanwhile.
    kernel_killed: bool,
}

/// How a shell that starts a solver, and ends after it, tells that the solver was ended by `SIGKILL`.
const KILLED_IN_SHELL: Exit = Exit::Code(128 + libc::SIGKILL);

impl Usage {
    /// The limit that ended the run without our doing, if one did.
    pub(super) fn limit_reached(&self, limits: &Limits) -> Option<Stopped> {
        let peak = self.peak_memory_bytes.max(self.peak_address_space) as f64;
        let for_memory = peak >= MEMORY_OUT_SHARE * memory_bytes(limits) as f64;
        match self.exit {
            Exit::Code(0) => None,
            Exit::Signal(libc::SIGXCPU | libc::SIGKILL) if self.cpu_seconds >= limits.cpu_seconds => Some(Stopped::Cpu),
            Exit::Signal(libc::SIGXFSZ) => Some(Stopped::Output),
            Exit::Signal(libc::SIGKILL) | KILLED_IN_SHELL if self.kernel_killed => Some(Stopped::Memory),
            _ if for_memory => Some(Stopped::Memory),
            // Not ours: a person's, an early out-of-memory daemon's, a cluster's, that of a limit that we inherited.
            Exit::Signal(libc::SIGXCPU | libc::SIGKILL) | KILLED_IN_SHELL => Some(Stopped::Killed),
            Exit::Code(_) | Exit::Signal(_) => None,
        }
    }
}

impl Group {
    /// The group led by `leader`, whose processes bear `brand`.
    pub(super) fn new(leader: Pid, brand: Option<Brand>) -> Self {
        static FIRST: Once = Once::new();
        FIRST.call_once(|| {
            // Without it (it needs no privilege) orphans escape to init: killed with the group, but not counted.
            prctl::set_child_subreaper(true).ok();
            end_abandoned();
        });
        Group {
            leader,
            brand,
            reaped: Reaped::default(),
            descendants: BTreeMap::new(),
            peak_address_space: 0,
            peak_resident: 0,
            oom_kills: None,
            was_looked_at: false,
        }
    }

    /// Sends `signal` to the whole group. A group that is gone is no error.
    pub(super) fn signal(&self, signal: Signal) {
        killpg(self.leader, signal).ok();
    }

    /// What the processes use now.
    pub(super) fn look(&mut self) -> Used {
        if !std::mem::replace(&mut self.was_looked_at, true) {
            // Hardly anybody fills the memory before the first look; who does is called killed, and asked once more.
            self.oom_kills = oom_kills();
        }
        let mut used = Used::default();
        let mut pending: Vec<i32> = self.descendants.keys().copied().collect();
        pending.extend(self.orphans());
        pending.push(self.leader.as_raw());
        let mut counted = BTreeSet::new();
        while let Some(pid) = pending.pop() {
            if !counted.insert(pid) {
                continue;
            }
            let Some(status) = Status::of(pid) else {
                self.descendants.remove(&pid);
                continue;
            };
            if pid != self.leader.as_raw() && *self.descendants.entry(pid).or_insert(status.started) != status.started {
                self.descendants.remove(&pid);
                continue;
            }
            if status.is_dead && pid != self.leader.as_raw() {
                // Its parent's to reap, or ours: a run that starts many of them would use up the numbers otherwise.
                if status.parent == std::process::id() {
                    self.reap(pid);
                }
                continue;
            }
            used.cpu_seconds += cpu_clock(pid).unwrap_or_default().as_secs_f64() + status.children_seconds;
            used.resident_bytes += status.resident_bytes;
            used.threads += status.threads;
            self.peak_address_space = self.peak_address_space.max(status.address_space);
            pending.extend(children(pid));
        }
        used.cpu_seconds += self.reaped.cpu.as_secs_f64();
        self.peak_resident = self.peak_resident.max(used.resident_bytes);
        used
    }

    /// Those whose parents are gone, so that they are our children, and what runs of dead processes have left to us.
    fn orphans(&self) -> Vec<i32> {
        let Some(ours) = self.brand else { return Vec::new() };
        let is_of_run = |brand: Brand| brand == ours || brand.is_abandoned();
        let adopted = adopted().unwrap_or_default().into_iter();
        adopted.filter(|&pid| pid != self.leader.as_raw() && Brand::of(pid).is_some_and(is_of_run)).collect()
    }

    /// Waits for the end of a child of ours, and counts what it used.
    fn reap(&mut self, pid: i32) {
        self.descendants.remove(&pid);
        if let Ok((_, usage)) = wait4(pid) {
            self.reaped = self.reaped.plus(&usage);
        }
    }

    /// Kills and reaps what has left the group, until there is nothing: whose parent is killed is our child only then.
    fn end_escaped(&mut self) {
        let begun = Instant::now();
        loop {
            // Those that were seen, in case they bear no brand, if they are our children by now.
            let is_ours = |pid: i32, started: u64| {
                Status::of(pid).is_some_and(|now| now.started == started && now.parent == std::process::id())
            };
            let seen = self.descendants.iter().filter(|&(&pid, &started)| is_ours(pid, started)).map(|(&pid, _)| pid);
            let escaped: BTreeSet<i32> = seen.chain(self.orphans()).collect();
            if escaped.is_empty() {
                return;
            }
            if begun.elapsed() > HUNT {
                tracing::warn!(processes = escaped.len(), "a run's processes multiply as fast as they are killed");
                return;
            }
            for &pid in &escaped {
                kill(Pid::from_raw(pid), Signal::SIGKILL).ok();
            }
            for pid in escaped {
                self.reap(pid);
            }
        }
    }

    /// The peak of resident memory, from what the kernel says of the reaped processes. A child that shares our memory
    /// until it executes its program inherits our own peak, so the kernel's figure says nothing below that; what
    /// [`look`](Self::look) saw stands in for it there.
    fn peak_memory(&self, reaped: u64) -> u64 {
        if exceeds_own_peak(reaped) { reaped } else { self.peak_resident }
    }

    /// Seconds that the leader was ready to run while other processes had the cores; 0 if the kernel does not say.
    pub(super) fn seconds_waiting_for_a_core(&self) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{}/schedstat", self.leader)).unwrap_or_default();
        let nanoseconds = text.split_ascii_whitespace().nth(1).and_then(|field| field.parse::<u64>().ok());
        Duration::from_nanos(nanoseconds.unwrap_or(0)).as_secs_f64()
    }

    /// Kills every process of the run, waits for their end, and sums up what they used.
    pub(super) fn kill_and_reap(&mut self) -> io::Result<Usage> {
        self.signal(Signal::SIGKILL);
        let (status, mut total) = wait4(self.leader.as_raw())?;
        let exit = if libc::WIFSIGNALED(status) {
            Exit::Signal(libc::WTERMSIG(status))
        } else {
            Exit::Code(libc::WEXITSTATUS(status))
        };
        // The members that outlived the leader are our children by now, or children of such.
        while let Ok((_, usage)) = wait4(-self.leader.as_raw()) {
            total = total.plus(&usage);
        }
        self.end_escaped();
        total = total.plus(&self.reaped);
        Ok(Usage {
            exit,
            cpu_seconds: total.cpu.as_secs_f64(),
            peak_memory_bytes: self.peak_memory(total.peak_memory_bytes),
            preemptions: total.preemptions,
            peak_address_space: self.peak_address_space,
            kernel_killed: exit == Exit::Signal(libc::SIGKILL)
                && self.oom_kills.is_some()
                && oom_kills() > self.oom_kills,
        })
    }
}

/// Whether so many bytes are more than this process has ever had in memory.
fn exceeds_own_peak(bytes: u64) -> bool {
    // A peak only grows, and asking for it costs more than the shortest runs: what is not above an earlier answer is not
    // above a later one.
    static KNOWN: AtomicU64 = AtomicU64::new(0);
    bytes > KNOWN.load(Ordering::Relaxed) && {
        let peak = own_peak_memory();
        KNOWN.fetch_max(peak, Ordering::Relaxed);
        bytes > peak
    }
}

/// The largest resident memory that this process has had, in bytes.
fn own_peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    kilobytes.unwrap_or(0_u64) * 1024
}

/// What reaped processes used.
#[derive(Default)]
struct Reaped {
    cpu: Duration,
    peak_memory_bytes: u64,
    preemptions: u64,
}

impl Reaped {
    fn plus(&self, other: &Self) -> Self {
        Reaped {
            cpu: self.cpu + other.cpu,
            peak_memory_bytes: self.peak_memory_bytes.max(other.peak_memory_bytes),
            preemptions: self.preemptions + other.preemptions,
        }
    }
}

/// Waits for the child `pid` to end, or for any child of group `-pid`, and reaps it.
#[expect(unsafe_code, reason = "wait4, the only call that gives one child's usage, has no safe interface")]
fn wait4(pid: i32) -> io::Result<(i32, Reaped)> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is a valid one; wait4 writes only to the two structures given.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        while libc::wait4(pid, &raw mut status, 0, &raw mut usage) < 0 {
            if Errno::last() != Errno::EINTR {
                return Err(io::Error::last_os_error());
            }
        }
        usage
    };
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs()) + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    let reaped = Reaped {
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        // Counted in kilobytes.
        peak_memory_bytes: usage.ru_maxrss.unsigned_abs() * 1024,
        preemptions: usage.ru_nivcsw.unsigned_abs(),
    };
    Ok((status, reaped))
}
