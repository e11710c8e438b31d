//! The user's wish to stop, as a flag that every run looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

/// How often [`until`] looks at the user's wish and at the deadline.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// A cloneable flag: once it is set, by a signal or by [`set`](Interrupt::set), running processes are killed promptly.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A flag that only [`set`](Interrupt::set) sets.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that `SIGINT` (Ctrl-C) and `SIGTERM` set. The second of either ends our process at once, with exit code
    /// 130 or 143; the kernel then kills the running children. `SIGUSR1` sets it too, and never does more: a cluster's
    /// job may pass on with it what it does not know we were sent ourselves.
    ///
    /// # Errors
    /// When a handler cannot be installed.
    pub fn on_signals() -> io::Result<Self> {
        let interrupt = Self::new();
        for signal in [SIGINT, SIGTERM] {
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
}

/// Does `work`, with a flag that is set when the deadline has come or the user wants to stop. A panic of `work` goes on
/// in the caller.
pub fn until<T>(deadline: Option<Instant>, user: &Interrupt, work: impl FnOnce(&Interrupt) -> T) -> T {
    let halt = Interrupt::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                if user.is_set() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    halt.set();
                    break;
                }
                std::thread::park_timeout(LOOK_INTERVAL);
            }
        });
        let _end = EndOfWatch { done: &done, watcher: watcher.thread() };
        work(&halt)
    })
}

/// Ends the watcher when it goes out of scope, which it does on a panic too: the scope would wait for it for ever.
struct EndOfWatch<'a> {
    done: &'a AtomicBool,
    watcher: &'a std::thread::Thread,
}

impl Drop for EndOfWatch<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than any of these tests may take.
    const FAR: Duration = Duration::from_hours(1);

    #[test]
    fn a_panic_of_the_work_goes_on_in_the_caller_and_ends_the_watcher() {
        let user = Interrupt::new();
        let panicked = std::panic::catch_unwind(|| until::<()>(Some(Instant::now() + FAR), &user, |_| panic!("no")));
        assert!(panicked.is_err());
        assert!(!user.is_set());
    }

    #[test]
    fn the_deadline_and_the_user_set_the_flag_that_the_work_sees() {
        let wait = |halt: &Interrupt| {
            while !halt.is_set() {
                std::thread::sleep(Duration::from_millis(1));
            }
            "halted"
        };
        assert_eq!(until(Some(Instant::now()), &Interrupt::new(), wait), "halted");
        let user = Interrupt::new();
        user.set();
        assert_eq!(until(None, &user, wait), "halted");
        assert!(!until(None, &Interrupt::new(), Interrupt::is_set));
    }
}
