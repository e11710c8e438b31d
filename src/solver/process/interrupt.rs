//! The user's wish to stop, as a flag that every run looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// How often the user's wish and the deadline are looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// A cloneable flag: once it is set, by a signal or by [`set`](Interrupt::set), running processes are killed promptly.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that only [`set`](Interrupt::set) sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that `SIGINT` (Ctrl-C), `SIGTERM` and `SIGHUP` (the terminal is closed) set; the last one not where we were
    /// started to ignore it, as by `nohup`. The second of one kind or of two ends our process at once, with exit code 130,
    /// 143 or 129; the kernel then kills the running children. `SIGUSR1` sets it too, and never does more: a cluster's
    /// job may pass on with it what it does not know we were sent ourselves.
    ///
    /// # Errors
    /// When a handler cannot be installed.
    pub fn on_signals() -> io::Result<Self> {
        let interrupt = Self::new();
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal)) {
            // In this order: the first handler acts only if the second has run before.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupt.0))?;
            flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        flag::register(SIGUSR1, Arc::clone(&interrupt.0))?;
        Ok(interrupt)
    }

    /// Whether to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks every run that holds this flag to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Does `work` with a flag of its own, which is set when the deadline has come or this flag is set. Setting that flag
    /// does not set this one, so that [`is_set`](Interrupt::is_set) here tells the user's wish from the deadline.
    pub fn until<T>(&self, deadline: Option<Instant>, work: impl FnOnce(&Interrupt) -> T) -> T {
        let halt = Interrupt::new();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    if self.is_set() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        halt.set();
                        break;
                    }
                    std::thread::park_timeout(LOOK_INTERVAL);
                }
            });
            // Also when `work` panics: the scope waits for the watcher.
            let _ended = Ended { done: &done, watcher: watcher.thread().clone() };
            work(&halt)
        })
    }
}

/// Whether this process ignores a signal; it does not where the kernel does not say.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Tells a watcher that there is nothing to watch any more.
struct Ended<'a> {
    done: &'a AtomicBool,
    watcher: Thread,
}

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for the flag, at most ten seconds.
    fn wait(halt: &Interrupt) -> bool {
        let begun = Instant::now();
        while !halt.is_set() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        halt.is_set()
    }

    #[test]
    fn the_deadline_halts_the_work_and_is_not_the_users_wish() {
        let user = Interrupt::new();
        assert!(user.until(Some(Instant::now()), wait));
        assert!(!user.is_set());
    }

    #[test]
    fn the_users_wish_halts_the_work() {
        let user = Interrupt::new();
        assert!(user.until(None, |halt| {
            user.set();
            wait(halt)
        }));
    }

    #[test]
    fn signals_that_are_ignored_are_told_from_others() {
        // Rust's runtime ignores the one, and nobody the other.
        assert!(is_ignored(signal_hook::consts::SIGPIPE) && !is_ignored(SIGUSR1));
    }

    #[test]
    fn work_that_panics_leaves_no_watcher_behind() {
        let said = crate::isolate::isolated(|| Interrupt::new().until(None, |_| panic!("at work"))).unwrap_err();
        assert!(said.starts_with("at work"), "{said}");
    }
}
