//! What a user chooses of a hunt, on the command line or in an experiment.

use serde::{Deserialize, Serialize};

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
