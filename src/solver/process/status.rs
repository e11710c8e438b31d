//! What the kernel says of a process.

use std::fs;
use std::time::Duration;

use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::{Pid, SysconfVar, sysconf};

/// The parts of `/proc/PID/stat` that we need.
pub(super) struct Status {
    /// Whether it has ended, and only its entry is left.
    pub(super) is_dead: bool,
    pub(super) parent: u32,
    /// When it started, in clock ticks since the machine did.
    pub(super) started: u64,
    /// CPU seconds of the children that it has waited for, to a hundredth.
    pub(super) children_seconds: f64,
    pub(super) threads: u64,
    /// Bytes.
    pub(super) address_space: u64,
    pub(super) resident_bytes: u64,
}

impl Status {
    /// Of a process, living or dead; `None` if there is none of this number.
    pub(super) fn of(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field, the name in parentheses, may hold anything; the fields after it are numbered from 3.
        let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u64>().ok());
        let per = |unit| sysconf(unit).ok().flatten().and_then(|value| u64::try_from(value).ok());
        let ticks = per(SysconfVar::CLK_TCK)?;
        Some(Status {
            // A process whose first thread alone has ended looks like a dead one, but for the number of its threads.
            is_dead: matches!(*fields.first()?, "Z" | "X") && field(20)? <= 1,
            parent: u32::try_from(field(4)?).ok()?,
            started: field(22)?,
            children_seconds: (field(16)? + field(17)?) as f64 / ticks as f64,
            threads: field(20)?,
            address_space: field(23)?,
            resident_bytes: field(24)? * per(SysconfVar::PAGE_SIZE)?,
        })
    }
}

/// The CPU time of a process, all its threads together.
pub(super) fn cpu_clock(pid: i32) -> Option<Duration> {
    let clock = clock_getcpuclockid(Pid::from_raw(pid)).ok()?;
    clock_gettime(clock).ok().map(Duration::from)
}

/// The children of a process, of all its threads.
pub(super) fn children(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    threads.flatten().filter_map(|thread| listed(&thread.path().join("children").to_string_lossy())).flatten().collect()
}

/// Our children that our first thread started, and those that the kernel gave us because their own parents ended: these
/// come to the first thread too, as long as it lives. `None` if the kernel does not say.
pub(super) fn adopted() -> Option<Vec<i32>> {
    let us = std::process::id();
    listed(&format!("/proc/{us}/task/{us}/children"))
}

fn listed(file: &str) -> Option<Vec<i32>> {
    let list = fs::read_to_string(file).ok()?;
    Some(list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect())
}
