//! Faults of the machine, made to order: a library (`faults.c`) that is preloaded into our program and lets the N-th change of
//! a folder fail, or be the last one.

#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What happens at a change of the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From that change on the disk is full; a write fails after half of its bytes.
    Full,
    /// That change alone fails, as on a bad sector.
    Broken,
    /// From that change on nothing may be opened for writing, made, renamed or removed.
    Denied,
    /// The process is killed by `SIGKILL`, in the middle of a write.
    Kill,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Full => "full",
            Kind::Broken => "broken",
            Kind::Denied => "denied",
            Kind::Kill => "kill",
        }
    }
}

/// Lets the `at`-th change below `folder` that the command's process makes, counted from 1, be faulty.
pub(crate) fn at_change(command: &mut Command, folder: &Path, at: u32, kind: Kind) {
    let folder = folder.canonicalize().expect("a folder that is there");
    command.env("LD_PRELOAD", library()).env("FAULTS_UNDER", folder).env("FAULTS_AT", at.to_string());
    command.env("FAULTS_KIND", kind.name());
}

/// Lets the command's calendar jump forth and back by so many seconds whenever it is looked at.
pub(crate) fn with_jumping_calendar(command: &mut Command, seconds: u32) {
    command.env("LD_PRELOAD", library()).env("FAULTS_CLOCK", seconds.to_string());
}

/// The library, compiled once for each test program.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let compiled = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-o"])
            .arg(&path)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/faults.c"))
            .arg("-ldl")
            .status();
        assert!(compiled.expect("a C compiler").success());
        path
    })
}
