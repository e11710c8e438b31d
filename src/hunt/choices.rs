//! What a user chooses of a hunt, on the command line or in an experiment.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Instances at most, unless the user says otherwise.
pub const INSTANCES: u64 = 1000;
/// CPU time of each run of a solver, likewise.
pub const LIMIT: Duration = Duration::from_secs(2);
/// The part of the instances that ask several times, likewise.
pub const INCREMENTAL: f64 = 0.5;

/// How instances are made of seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    /// The seeds themselves, once each
    None,
    /// STORM: formulas of a seed's parts that one known assignment satisfies
    #[default]
    Storm,
}

/// How instances are made small.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Minimise {
    /// By STORM's bounds, then by reduction
    #[default]
    Both,
    /// STORM's binary search for the least bounds alone
    Bounds,
    /// Reduction under the known truth alone
    Reduction,
    /// Not at all
    None,
}
