//! What a user chooses of a hunt, on the command line or in an experiment.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::operator::type_aware::Way;

/// Instances at most, unless the user says otherwise.
pub const INSTANCES: u64 = 1000;
/// CPU time of each run of a solver, likewise.
pub const LIMIT: Duration = Duration::from_secs(2);
/// CPU time of each run where seeds are mutated: that of TypeFuzz's paper (section 4.3).
pub const MUTANT_LIMIT: Duration = Duration::from_secs(8);
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
    /// TypeFuzz: an expression gives way to an operator over expressions of the seed
    Typefuzz,
    /// OpFuzz: an operator gives way to another one over the same arguments
    Opfuzz,
    /// FuzzChick: an expression gives way to another one of the seed
    Fuzzchick,
    /// TypeFuzz, OpFuzz and FuzzChick, drawn for each step
    Mixed,
    /// FuzzSMT: fresh formulas of --generator, which need no seeds
    Fuzzsmt,
}

impl StrategyName {
    /// How seeds are mutated; `None` where they are not.
    pub fn way(self) -> Option<Way> {
        Some(match self {
            StrategyName::Typefuzz => Way::Typefuzz,
            StrategyName::Opfuzz => Way::Opfuzz,
            StrategyName::Fuzzchick => Way::Fuzzchick,
            StrategyName::Mixed => Way::Mixed,
            StrategyName::None | StrategyName::Storm | StrategyName::Fuzzsmt => return None,
        })
    }

    /// CPU time of each run, unless the user says otherwise.
    pub fn limit(self) -> Duration {
        if self.way().is_some() { MUTANT_LIMIT } else { LIMIT }
    }
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
