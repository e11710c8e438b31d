//! The machine on which something was measured, as far as a report's reader needs to know it.

use std::fs;

use serde::{Deserialize, Serialize};

/// A machine: processor, cores, operating system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's model name.
    pub processor: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Operating system, kernel and architecture.
    pub system: String,
}

impl Machine {
    /// This machine. What the system does not tell is `unknown`.
    pub fn this() -> Machine {
        Machine {
            processor: field_of("/proc/cpuinfo", "model name", ':').unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: system(),
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {} cores, {}", self.processor, self.cores, self.system)
    }
}

fn system() -> String {
    let name = field_of("/etc/os-release", "PRETTY_NAME", '=').unwrap_or_else(unknown);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_else(|_| unknown());
    format!("{name} (Linux {}, {})", kernel.trim(), std::env::consts::ARCH)
}

/// The value after `key` and `separator` on the first line of the file that begins with `key`.
fn field_of(file: &str, key: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let (_, value) = text.lines().find(|line| line.starts_with(key))?.split_once(separator)?;
    Some(value.trim().trim_matches('"').to_owned())
}

fn unknown() -> String {
    "unknown".to_owned()
}
