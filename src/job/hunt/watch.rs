//! Who is told how a hunt goes.

use crate::console::{progress, say};
use crate::hunt::outcome::Defect;
use crate::hunt::{Found, State};
use crate::oracle::testimony::Testimony;

/// Is told how a hunt goes.
pub(in crate::job) trait Watch: Sync {
    /// What was said of an instance; whichever thread asked tells it.
    fn heard(&self, _testimonies: &[Testimony]) {}

    /// Where the hunt is, and what was found so far.
    fn stands(&self, _state: &State, _defects: &[Defect]) {}

    /// What is being made small; nothing any more if none.
    fn minimising(&self, _found: Option<&Found>) {}

    /// A line for the user, also for one who wants no progress.
    fn warn(&self, line: &str) {
        say!("{line}");
    }

    /// A line about the progress.
    fn say(&self, line: &str) {
        progress!("{line}");
    }
}

/// Nobody looks on: only what is found is told.
#[derive(Debug)]
pub(in crate::job) struct Unwatched;

impl Watch for Unwatched {}
