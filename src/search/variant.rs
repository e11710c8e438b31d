//! The variants of the search, as data: those that the paper compares (IV.B), and our own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::single_objective::TIMINGS;
use crate::evaluate::individual::Needs;

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
    /// The `StringFuzz` baseline, `stringbreak`: single-objective on the target's time, no crossover.
    #[serde(rename = "stringfuzz")]
    StringFuzz,
    /// The `StringFuzz` baseline on the runtime difference.
    #[serde(rename = "stringfuzz-runtime-difference")]
    StringFuzzRuntimeDifference,
    /// The control: every individual is freshly generated; survival as in [`Variant::Default`].
    Random,
    /// Not the paper's: [`Variant::Default`], but each fresh script leaves out operators of its own, and a quarter of
    /// every generation is fresh; timeouts are equal, covered lines count by rarity, and `StringFuzz`'s transformers are
    /// among the mutations.
    Swarm,
    /// Not the paper's: the fresh scripts and mutations of [`Variant::Swarm`], but of each kind of script the best one is
    /// kept, whatever the others are.
    Diverse,
}

/// Which time a variant maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeObjective {
    /// Eq. 1: target time plus its lead over the reference.
    Difference,
    /// The target's CPU time alone.
    Target,
}

/// What covered lines count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageObjective {
    /// Algorithm 2: a line that no run executed before pays once, and a known one little.
    Reward,
    /// A line pays the more, the fewer of parents and offspring run it; scored anew in every generation.
    Rarity,
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
    /// `stringbreak`: mutation of random survivors; the slowest survive
    /// ([`single_objective`](crate::search::single_objective)).
    SingleObjective,
    /// Fresh scripts; NSGA-II survival.
    Random,
    /// Crossover and mutation of the elites of cells, those the more often whose offspring lead somewhere; the best of each
    /// cell survives ([`elites`](crate::search::elites)).
    Elites,
}

impl Variant {
    /// All variants, in the paper's order, the control behind them and our own last.
    pub const ALL: [Variant; 10] = [
        Variant::Default,
        Variant::OnlyTime,
        Variant::NoCoverage,
        Variant::NoComplexity,
        Variant::DefaultCrowding,
        Variant::StringFuzz,
        Variant::StringFuzzRuntimeDifference,
        Variant::Random,
        Variant::Swarm,
        Variant::Diverse,
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
            Variant::Diverse => "diverse",
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
            Variant::DefaultCrowding
            | Variant::StringFuzz
            | Variant::StringFuzzRuntimeDifference
            | Variant::Diverse => Crowding::Distance,
            _ => Crowding::Trace,
        }
    }

    /// How it makes offspring and chooses survivors.
    pub fn strategy(self) -> Strategy {
        match self {
            Variant::StringFuzz | Variant::StringFuzzRuntimeDifference => Strategy::SingleObjective,
            Variant::Random => Strategy::Random,
            Variant::Diverse => Strategy::Elites,
            _ => Strategy::Nsga2,
        }
    }

    /// What covered lines count for; none if coverage is no objective (it may be measured all the same).
    pub fn coverage_objective(self) -> Option<CoverageObjective> {
        match self {
            Variant::Swarm => Some(CoverageObjective::Rarity),
            // Most scripts are alone in their cells, so that lines decide next to nothing for what observed runs cost.
            Variant::Diverse | Variant::NoCoverage => None,
            _ if self.strategy() == Strategy::SingleObjective => None,
            _ => Some(CoverageObjective::Reward),
        }
    }

    /// Whether coverage is an objective.
    pub fn uses_coverage(self) -> bool {
        self.coverage_objective().is_some()
    }

    /// Whether the search needs what observed runs show: lines or traces. They are measured in every variant that has
    /// an instrumented target, but a search that looks at neither is not charged for them.
    pub fn observes(self) -> bool {
        self.uses_coverage() || self.crowding() == Crowding::Trace
    }

    /// Which runs the search looks at: the reference's only where the runtime difference is its objective.
    pub fn needs(self) -> Needs {
        Needs { reference: self.time_objective() == TimeObjective::Difference, observed: self.observes() }
    }

    /// How often the target is timed on each script, of which the median counts: once, but as often as `stringbreak` does
    /// where that is the search, unless the user says how often. It has to see through the noise of a clock.
    pub fn timings(self) -> u32 {
        if self.strategy() == Strategy::SingleObjective { TIMINGS } else { 1 }
    }

    /// Whether fresh scripts come from a swarm of configurations ([`Swarm`](crate::generator::Swarm)).
    pub fn uses_swarm(self) -> bool {
        self.is_ours()
    }

    /// Whether all targets that ran out where the reference was quick are equally slow. Else the order among them is that of
    /// the reference's milliseconds, which vary from run to run, and decides who survives. Not so in the paper's variants.
    pub fn saturates(self) -> bool {
        self.is_ours()
    }

    /// Whether `StringFuzz`'s transformers are among the mutations of offspring, beside the paper's seven.
    pub fn uses_transformers(self) -> bool {
        self.is_ours()
    }

    /// Whether it is none of the paper's.
    fn is_ours(self) -> bool {
        matches!(self, Variant::Swarm | Variant::Diverse)
    }

    /// The share of every generation after the first that is fresh scripts in place of children. None in the paper's
    /// variants.
    pub fn immigrants(self) -> f64 {
        if self.is_ours() { 0.25 } else { 0.0 }
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
    fn only_the_baselines_and_the_elites_do_without_observation() {
        let without: Vec<_> = Variant::ALL.into_iter().filter(|variant| !variant.observes()).collect();
        assert_eq!(without, [Variant::StringFuzz, Variant::StringFuzzRuntimeDifference, Variant::Diverse]);
    }

    #[test]
    fn only_a_search_by_the_difference_needs_the_reference() {
        let without: Vec<_> = Variant::ALL.into_iter().filter(|variant| !variant.needs().reference).collect();
        assert_eq!(without, [Variant::OnlyTime, Variant::StringFuzz]);
    }

    #[test]
    fn what_is_ours_is_in_none_of_the_papers_variants() {
        for variant in &Variant::ALL[..8] {
            assert!(!variant.saturates() && !variant.uses_transformers() && !variant.uses_swarm(), "{variant}");
            assert_ne!(variant.coverage_objective(), Some(CoverageObjective::Rarity), "{variant}");
            assert_ne!(variant.strategy(), Strategy::Elites, "{variant}");
            assert_eq!(variant.immigrants(), 0.0, "{variant}");
        }
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
