//! What a report is about: runs, grouped into arms that are compared.

mod arms;
mod run;
mod triaged;

pub use arms::{Arm, Experiment, Study};
pub use run::{Finding, Member, Run, disagree};
pub use triaged::{Distinct, Triaged};
