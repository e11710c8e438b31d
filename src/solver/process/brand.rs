//! The brand of a run: a number that its processes bear and hand down, by which one is known whose parents are gone.
//!
//! A limit is inherited over `fork`, `setsid` and `exec`, whatever becomes of the environment, and a hard limit that was
//! lowered is never raised again without privilege. `RLIMIT_RTTIME` is the limit of real-time schedules, which solvers
//! have not: its hard limit is free to hold a number. Control groups would serve as well where a user may make them, but
//! to move a process into one takes up to 30 ms, longer than most runs.

use std::fs;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::sys::resource::{Resource, getrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::status::{Status, adopted};

/// A brand has, from the low bits to the high ones, the number of the run, the process that runs it, and a level: a
/// process that is itself in a run can only lower the limit that it inherited, so that its runs are a level below.
const NUMBER_BITS: u32 = 32;
const OWNER_BITS: u32 = 22;
/// The level of runs of a process that inherited no limit. What lies above is no brand, nor is what has level 0.
const FIRST_LEVEL: u64 = 255;

/// How the processes of a run are found that have left their parents, their group and their session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Following {
    /// By a number that they inherit, once they are our children: all are counted and killed.
    Brand,
    /// By having been seen as descendants while their parents lived: some are missed.
    Sight,
}

impl Following {
    /// What this system allows.
    pub fn here() -> Self {
        if Brand::next().is_some() && adopted().is_some() { Following::Brand } else { Following::Sight }
    }
}

/// A number that only the processes of one run bear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Brand(u64);

impl Brand {
    /// The brand of the next run; `None` where a limit that we inherited leaves no room for it.
    pub(super) fn next() -> Option<Brand> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        static INHERITED: OnceLock<u64> = OnceLock::new();
        let inherited = *INHERITED.get_or_init(|| getrlimit(Resource::RLIMIT_RTTIME).map_or(0, |(_, hard)| hard));
        Brand::below(inherited, std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The brand of this run of this process, which inherited this limit.
    fn below(inherited: u64, owner: u32, number: u32) -> Option<Brand> {
        let above = (inherited >> (NUMBER_BITS + OWNER_BITS)).min(FIRST_LEVEL + 1);
        let level = above.checked_sub(1).filter(|&level| level > 0)?;
        let owner = u64::from(owner);
        (owner >> OWNER_BITS == 0).then_some(Brand((level << OWNER_BITS | owner) << NUMBER_BITS | u64::from(number)))
    }

    /// The limit that bears it.
    pub(super) fn limit(self) -> u64 {
        self.0
    }

    /// What a process bears; `None` if that is no brand, or the process is gone.
    #[expect(unsafe_code, reason = "prlimit, which asks for another process's limit, has no safe interface")]
    pub(super) fn of(pid: i32) -> Option<Brand> {
        let mut limit = MaybeUninit::<libc::rlimit>::uninit();
        // SAFETY: sets nothing, and writes one rlimit to a place that is large enough for it, if it succeeds.
        let hard = unsafe {
            if libc::prlimit(pid, libc::RLIMIT_RTTIME, ptr::null(), limit.as_mut_ptr()) != 0 {
                return None;
            }
            limit.assume_init().rlim_max
        };
        (1..=FIRST_LEVEL).contains(&(hard >> (NUMBER_BITS + OWNER_BITS))).then_some(Brand(hard))
    }

    fn owner(self) -> i32 {
        ((self.0 >> NUMBER_BITS) & ((1 << OWNER_BITS) - 1)) as i32
    }

    /// Whether the process that ran this is dead.
    pub(super) fn is_abandoned(self) -> bool {
        Status::of(self.owner()).is_none_or(|owner| owner.is_dead)
    }
}

/// Kills what the runs of processes have left that are dead by now: of ours that were ended by `SIGKILL`, the kernel ends the
/// children but not what these have started.
pub(super) fn end_abandoned() {
    // The numbers of processes of another container mean other processes here.
    let container = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
    let Some(ours) = container("self") else { return };
    let Ok(entries) = fs::read_dir("/proc") else { return };
    for pid in entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
        let is_abandoned = || Brand::of(pid).is_some_and(Brand::is_abandoned);
        if is_abandoned() && container(&pid.to_string()).as_ref() == Some(&ours) && is_abandoned() {
            tracing::debug!(pid, "a process that a dead run has left is killed");
            kill(Pid::from_raw(pid), Signal::SIGKILL).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brands_of_runs_differ_and_those_of_runs_within_runs_are_lower() {
        let outer = Brand::below(u64::MAX, 4711, 7).expect("a brand");
        assert_eq!(outer.owner(), 4711);
        assert_ne!(Some(outer), Brand::below(u64::MAX, 4711, 8));
        assert_ne!(Some(outer), Brand::below(u64::MAX, 4712, 7));
        let inner = Brand::below(outer.limit(), (1 << OWNER_BITS) - 1, u32::MAX).expect("a brand");
        assert!(inner.limit() < outer.limit());
        let mut levels = 0;
        let mut limit = u64::MAX;
        while let Some(brand) = Brand::below(limit, 1, 1) {
            (levels, limit) = (levels + 1, brand.limit());
        }
        assert_eq!(levels, FIRST_LEVEL);
    }

    #[test]
    fn a_limit_of_the_users_own_is_no_brand_and_leaves_no_room_for_one() {
        assert_eq!(Brand::below(200_000, 4711, 7), None);
        assert_eq!(Brand::below(u64::MAX, 1 << OWNER_BITS, 7), None);
        assert_eq!(Brand::of(i32::MAX), None);
    }
}
