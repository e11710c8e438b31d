//! The user's wish to stop, as a flag that every run looks at.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;

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
