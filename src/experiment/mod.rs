//! Many runs side by side: what is compared, the runs on this machine or a cluster, statistics, and the papers' tables.

mod adjustments;
mod arm;
mod coverage_run;
mod coverages;
mod discovery;
mod error;
mod folder;
mod hunts;
pub mod local;
mod hunt_run;
mod measures;
mod overview;
mod plan;
mod plan_file;
pub mod slurm;
mod spec;
mod state;
pub mod statistics;
pub mod tables;
mod triage;

pub use adjustments::Adjustments;
pub use arm::{Arm, PaperRow, Published, PublishedSolver};
pub use coverage_run::{CoverageRun, Measured, Progress};
pub use coverages::{CoverageConfig, CoverageSettings, Coverages};
pub use discovery::Discovery;
pub use error::ExperimentError;
pub use folder::{ExperimentFolder, names};
pub use hunt_run::{External, HuntRun, Rediscovery};
pub use hunts::{Defect, Grid, HuntConfig, HuntSettings, Hunts, ReducerChoice, Words};
pub use measures::RunMeasures;
pub use overview::{Overview, Standing};
pub use plan::{Campaigns, Plan, Runs, Task};
pub use spec::{Compute, Scale, Spec};
pub use state::{Phase, TaskState};
pub use triage::{TriageSettings, Triaged};
