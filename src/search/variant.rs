//! The variants of the search, as data: those that the paper compares (IV.B), and our own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One way to search. Names on the command line are in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// `MulStringFuzz`: three objectives, trace crowding.
    #[default]
    Default,
    /// The target's own time in place of the runtime difference.
    OnlyTime,
    /// Without the coverage objective.
    NoCoverage,
    /// Without the complexity objective.
    NoComplexity,
    /// NSGA-II's own crowding distance in place of trace crowding.
    DefaultCrowding,
    /// The `StringFuzz` baseline: single-objective on the target's time, no crossover.
    #[serde(rename = "stringfuzz")]
    StringFuzz,
    /// The `StringFuzz` baseline on the runtime difference.
    #[serde(rename = "stringfuzz-runtime-difference")]
    StringFuzzRuntimeDifference,
    /// The control: every individual is freshly generated; survival as in [`Variant::Default`].
    Random,
    /// Not the paper's: [`Variant::Default`], but each fresh script leaves out operators of its own, and a quarter of
    /// every generation is fresh.
    Swarm,
}

/// Which time a variant maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeObjective {
    /// Eq. 1: target time plus its lead over the reference.
    Difference,
    /// The target's CPU time alone.
    Target,
}

/// How survivors of one front are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowding {
    /// Eq. 4: one minus the mean trace similarity to the rest of the front.
    Trace,
    /// NSGA-II's distance in objective space.
    Distance,
}

/// Where offspring come from and who survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Tournaments, crossover and mutation; NSGA-II survival.
    Nsga2,
    /// Mutation of random survivors; the slowest survive.
    SingleObjective,
    /// Fresh scripts; NSGA-II survival.
    Random,
}

impl Variant {
    /// All variants, in the paper's order, the control behind them and our own last.
    pub const ALL: [Variant; 9] = [
        Variant::Default,
        Variant::OnlyTime,
        Variant::NoCoverage,
        Variant::NoComplexity,
        Variant::DefaultCrowding,
        Variant::StringFuzz,
        Variant::StringFuzzRuntimeDifference,
        Variant::Random,
        Variant::Swarm,
    ];

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Default => "default",
            Variant::OnlyTime => "only-time",
            Variant::NoCoverage => "no-coverage",
            Variant::NoComplexity => "no-complexity",
            Variant::DefaultCrowding => "default-crowding",
            Variant::StringFuzz => "stringfuzz",
            Variant::StringFuzzRuntimeDifference => "stringfuzz-runtime-difference",
            Variant::Random => "random",
            Variant::Swarm => "swarm",
        }
    }

    /// The time it maximises.
    pub fn time_objective(self) -> TimeObjective {
        match self {
            Variant::OnlyTime | Variant::StringFuzz => TimeObjective::Target,
            _ => TimeObjective::Difference,
        }
    }

    /// How it crowds.
    pub fn crowding(self) -> Crowding {
        match self {
            Variant::DefaultCrowding | Variant::StringFuzz | Variant::StringFuzzRuntimeDifference => Crowding::Distance,
            _ => Crowding::Trace,
        }
    }

    /// How it makes offspring and chooses survivors.
    pub fn strategy(self) -> Strategy {
        match self {
            Variant::StringFuzz | Variant::StringFuzzRuntimeDifference => Strategy::SingleObjective,
            Variant::Random => Strategy::Random,
            _ => Strategy::Nsga2,
        }
    }

    /// Whether coverage is an objective (it is measured in every variant).
    pub fn uses_coverage(self) -> bool {
        self.strategy() != Strategy::SingleObjective && self != Variant::NoCoverage
    }

    /// Whether the search needs what observed runs show: lines or traces. They are measured in every variant that has
    /// an instrumented target, but a search that looks at neither is not charged for them.
    pub fn observes(self) -> bool {
        self.uses_coverage() || self.crowding() == Crowding::Trace
    }

    /// Whether fresh scripts come from a swarm of configurations ([`Swarm`](crate::generator::Swarm)).
    pub fn uses_swarm(self) -> bool {
        self == Variant::Swarm
    }

    /// The share of every generation after the first that is fresh scripts in place of children. None in the paper's
    /// variants.
    pub fn immigrants(self) -> f64 {
        if self == Variant::Swarm { 0.25 } else { 0.0 }
    }

    /// Whether complexity is an objective.
    pub fn uses_complexity(self) -> bool {
        self.strategy() != Strategy::SingleObjective && self != Variant::NoComplexity
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no variant's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no variant; choose one of {list}", list = Variant::ALL.map(Variant::name).join(", "))]
pub struct UnknownVariant(pub String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        Variant::ALL.into_iter().find(|variant| variant.name() == name).ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_baselines_do_without_observation() {
        let without: Vec<_> = Variant::ALL.into_iter().filter(|variant| !variant.observes()).collect();
        assert_eq!(without, [Variant::StringFuzz, Variant::StringFuzzRuntimeDifference]);
    }

    #[test]
    fn names_read_back_and_serde_agrees_with_display() {
        for variant in Variant::ALL {
            assert_eq!(variant.name().parse(), Ok(variant));
            assert_eq!(serde_json::to_value(variant).unwrap(), variant.name());
        }
        assert!("fast".parse::<Variant>().unwrap_err().to_string().contains("default-crowding"));
    }
}
