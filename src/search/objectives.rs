//! The objectives of an individual, and the only place that knows which way each of them points.

use super::variant::{TimeObjective, Variant};

/// What was measured of an individual, in natural units and directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Target CPU seconds, clipped at the limit.
    pub target_seconds: f64,
    /// Eq. 1, from 0 to twice the limit.
    pub t_score: f64,
    /// Coverage reward (Algorithm 2), 0 or more.
    pub coverage_score: f64,
    /// Eq. 2 without its minus: 1 or more, smaller is better.
    pub complexity: f64,
}

/// A point in objective space: runtime, coverage, simplicity. **All three are maximised.**
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Objectives(pub [f64; 3]);

impl Objectives {
    /// How many objectives there are; one that a variant does without is constant.
    pub const COUNT: usize = 3;

    /// The point that `variant` makes of what was measured (paper IV.B). An objective that the variant leaves out is
    /// zero for everybody, which takes it out of dominance, of crowding and of hypervolume alike.
    pub fn of(measured: &Measured, variant: Variant) -> Self {
        let time = match variant.time_objective() {
            TimeObjective::Difference => measured.t_score,
            TimeObjective::Target => measured.target_seconds,
        };
        let coverage = if variant.uses_coverage() { measured.coverage_score } else { 0.0 };
        let simplicity = if variant.uses_complexity() { -measured.complexity } else { 0.0 };
        Objectives([time, coverage, simplicity])
    }

    /// The runtime objective, seconds.
    pub fn time(self) -> f64 {
        self.0[0]
    }

    /// Pareto dominance: nowhere worse, somewhere better.
    pub fn dominates(self, other: Self) -> bool {
        let pairs = || self.0.iter().zip(&other.0);
        pairs().all(|(mine, theirs)| mine >= theirs) && pairs().any(|(mine, theirs)| mine > theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURED: Measured =
        Measured { target_seconds: 5.0, t_score: 9.98269, coverage_score: 120.0, complexity: 11.0 };

    #[test]
    fn each_variant_takes_its_objectives() {
        let of = |variant| Objectives::of(&MEASURED, variant).0;
        assert_eq!(of(Variant::Default), [9.98269, 120.0, -11.0]);
        assert_eq!(of(Variant::DefaultCrowding), [9.98269, 120.0, -11.0]);
        assert_eq!(of(Variant::OnlyTime), [5.0, 120.0, -11.0]);
        assert_eq!(of(Variant::NoCoverage), [9.98269, 0.0, -11.0]);
        assert_eq!(of(Variant::NoComplexity), [9.98269, 120.0, 0.0]);
        assert_eq!(of(Variant::StringFuzz), [5.0, 0.0, 0.0]);
        assert_eq!(of(Variant::StringFuzzRuntimeDifference), [9.98269, 0.0, 0.0]);
    }

    #[test]
    fn dominance_needs_one_strictly_better_and_none_worse() {
        let a = Objectives([1.0, 2.0, -3.0]);
        assert!(!a.dominates(a));
        assert!(a.dominates(Objectives([1.0, 2.0, -4.0])));
        assert!(!a.dominates(Objectives([0.0, 0.0, -2.0])));
        assert!(!Objectives([0.0, 9.0, -9.0]).dominates(a));
    }
}
