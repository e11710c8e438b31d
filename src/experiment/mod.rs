//! Many runs side by side: what is compared, the runs on this machine or a cluster, statistics, and the papers' tables.

mod error;
mod folder;
pub mod local;
mod measures;
mod overview;
mod plan;
pub mod slurm;
mod spec;
mod state;
pub mod statistics;
pub mod tables;

pub use error::ExperimentError;
pub use folder::{ExperimentFolder, names};
pub use measures::RunMeasures;
pub use overview::{Overview, Standing};
pub use plan::{Plan, Task};
pub use spec::{Arm, Compute, PaperRow, Scale, Spec};
pub use state::{Phase, TaskState};
