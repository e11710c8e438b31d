//! The C of ours that runs inside instrumented solvers, and its compilation by the machine's compiler.

use std::fs;
use std::path::Path;

use super::{ProvisionError, tool};
use crate::solver::process::{Command, Interrupt, Scratch};

/// What both sources include.
const SHARED_COUNTERS: (&str, &str) = ("shared_counters.h", include_str!("../../../gcov-tools/shared_counters.h"));

/// Linked into an instrumented solver, it takes the place of the compiler's coverage runtime and shares the counters.
pub(super) const RUNTIME: CSource<'static> =
    CSource { name: "runtime.c", text: include_str!("../../../gcov-tools/runtime.c"), headers: &[SHARED_COUNTERS] };

/// Loaded into an instrumented solver, it shares the counters and leaves the compiler's coverage runtime without work.
pub(super) const PRELOAD: CSource<'static> =
    CSource { name: "preload.c", text: include_str!("../../../gcov-tools/preload.c"), headers: &[SHARED_COUNTERS] };

/// A C source file, and the headers that it includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CSource<'a> {
    /// The file's name.
    pub(super) name: &'a str,
    /// Its text.
    pub(super) text: &'a str,
    /// The headers that it expects beside it: their names and texts.
    pub(super) headers: &'a [(&'a str, &'a str)],
}

impl CSource<'_> {
    /// All that decides what is compiled, for hashes.
    pub(super) fn whole_text(&self) -> String {
        let files = [(self.name, self.text)].into_iter().chain(self.headers.iter().copied());
        files.flat_map(|(name, text)| [name, "\n", text, "\n"]).collect()
    }

    /// Compiles it to the file `target`.
    pub(super) fn compile(
        &self,
        compiler: &Path,
        flags: &[&str],
        target: &Path,
        interrupt: &Interrupt,
    ) -> Result<(), ProvisionError> {
        let scratch = Scratch::new()?;
        for (name, text) in [(self.name, self.text)].iter().chain(self.headers) {
            let path = scratch.path().join(name);
            fs::write(&path, text).map_err(|error| ProvisionError::files(&path, error))?;
        }
        let command = Command::new(compiler)
            .args(["-x", "c", "-std=gnu11", "-O2", "-g0"])
            .args(flags.iter().copied())
            .arg(self.name)
            .arg("-o")
            .arg(target)
            .in_folder(scratch.path());
        tool::succeed(command, &format!("compile {}", self.name), interrupt).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_header_is_another_source() {
        let changed = CSource { headers: &[("shared_counters.h", "")], ..RUNTIME };
        assert_ne!(changed.whole_text(), RUNTIME.whole_text());
    }
}
