//! A task of an experiment: a campaign with what is measured of it, a hunt with what reduces its finding, or a measurement of
//! coverage; begun, or gone on with where it was.

mod coverage;
mod external;
mod hunt;
mod ours;
mod rediscovered;
pub mod run;
pub mod shown;
pub mod status;
pub mod task;
mod triage;
