//! What a report is about: runs, grouped into arms that are compared.

mod arms;
mod run;
mod triaged;

use std::path::Path;

pub use arms::{Arm, Experiment, Study};
pub use run::{Finding, Member, Run, disagree};
pub use triaged::{Distinct, Triaged};

/// The instance in a folder of a result that is listed; if it cannot be read, that is said, and the rest is reported on:
/// people clear folders away.
fn instance_in(folder: &Path, name: &str) -> Option<String> {
    let read = std::fs::read_to_string(folder.join(name));
    read.inspect_err(|error| tracing::warn!("{} is reported on without its {name}: {error}", folder.display())).ok()
}
