//! One output stream of a running process: its beginning is kept, the rest is counted and dropped.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::Observer;

/// Bytes read at once: a quarter of a pipe's usual size, which fits a stack.
const CHUNK: usize = 16 << 10;

/// Reads a pipe (set to non-blocking) and keeps its beginning.
pub(super) struct Capture {
    /// `None` once the stream has ended.
    pipe: Option<File>,
    kept: Vec<u8>,
    keep: usize,
    total: u64,
    observer: Option<Observer>,
}

impl Capture {
    /// Captures `pipe`, keeping `keep` bytes; `observer` sees everything.
    pub(super) fn new(pipe: OwnedFd, keep: usize, observer: Option<Observer>) -> Self {
        Capture { pipe: Some(pipe.into()), kept: Vec::new(), keep, total: 0, observer }
    }

    /// The pipe to wait for, while it is open.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Bytes seen so far.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Whether bytes were dropped.
    pub(super) fn truncated(&self) -> bool {
        self.total > self.kept.len() as u64
    }

    /// What was kept.
    pub(super) fn into_kept(self) -> Vec<u8> {
        self.kept
    }

    /// Reads one chunk, so that a process that prints without end cannot keep its watcher from looking at the clock.
    /// True if more may be waiting.
    pub(super) fn read_some(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(read @ 1..) => {
                self.total += read as u64;
                let room = self.keep.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&chunk[..read.min(room)]);
                if let Some(observer) = &mut self.observer {
                    observer(&chunk[..read]);
                }
                true
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            // The end of the stream; a broken stream ends like one.
            Ok(_) | Err(_) => {
                self.pipe = None;
                false
            }
        }
    }

    /// Reads what is left in the pipe. Does not wait for its end: a process that escaped may hold it open. What a pipe
    /// holds is bounded (1 MiB unless privileged), and so is this loop.
    pub(super) fn drain(&mut self) {
        const MOST: usize = (1 << 20) / CHUNK + 1;
        for _ in 0..MOST {
            if !self.read_some() {
                break;
            }
        }
    }
}
