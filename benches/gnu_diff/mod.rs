//! GNU `diff`, the tool that the paper compares traces with.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// How many of the `lines` lines of file `one` GNU `diff` leaves unchanged.
pub(crate) fn diff(one: &Path, other: &Path, lines: u64, options: &[&str]) -> u64 {
    let mut diff = Command::new("diff");
    let mut child =
        diff.args(options).arg("--text").args([one, other]).stdout(Stdio::piped()).spawn().expect("GNU diff runs");
    let mut deleted = 0;
    let mut output = BufReader::with_capacity(1 << 16, child.stdout.take().expect("its output"));
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).expect("its output") > 0 {
        deleted += u64::from(line.starts_with(b"<"));
        line.clear();
    }
    child.wait().expect("it ends");
    lines - deleted
}
