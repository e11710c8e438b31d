//! The state of the search between two generations.

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::Setup;
use super::learning::Knowledge;
use super::similarity::SimilarityCache;
use crate::config::Config;
use crate::coverage::{Archive, LineCounts};
use crate::evaluate::individual::{Evaluated, Individual, Observation};
use crate::evaluate::{GLANCE, runtime};
use crate::oracle::candidate::{Failing, candidate};
use crate::search::{Measured, Objectives, Variant};

/// An individual whose evaluation is known.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) evaluated: Arc<Evaluated>,
    /// How long its trace was, even if the trace itself is not at hand.
    pub(super) trace_lines: Option<u64>,
}

impl Known {
    pub(super) fn id(&self) -> u32 {
        self.evaluated.individual.id.0
    }

    /// How often it ran which lines, if that is known.
    pub(super) fn coverage(&self) -> Option<&LineCounts> {
        self.evaluated.observation.coverage.as_deref()
    }

    /// Lines that it ran; 0 without coverage.
    pub(super) fn lines(&self) -> u64 {
        self.coverage().map_or(0, |counts| counts.len() as u64)
    }

    /// What Eq. 1 charges the target, seconds.
    pub(super) fn target_seconds(&self, limit: Duration) -> f64 {
        runtime::target_seconds(&self.evaluated.observation.target, limit)
    }

    /// Whether it is a candidate for a performance defect.
    pub(super) fn is_slow(&self, limit: Duration) -> bool {
        let Observation { target, reference, .. } = &self.evaluated.observation;
        candidate(target, reference, limit) == Some(Failing::Slow)
    }

    /// Its point in objective space. One whose slowness is known counts as if it had been given up after a glance.
    pub(super) fn objectives(
        &self,
        coverage_score: f64,
        limit: Duration,
        variant: Variant,
        is_known: bool,
    ) -> Objectives {
        let is_saturated = variant.saturates() && self.is_slow(limit);
        let t_score = if is_saturated { runtime::saturated_t_score(limit) } else { self.evaluated.t_score };
        let most = if is_known { limit.as_secs_f64() * GLANCE } else { f64::INFINITY };
        let measured = Measured {
            target_seconds: self.target_seconds(limit).min(most),
            t_score: t_score.min(2.0 * most),
            coverage_score,
            complexity: self.evaluated.complexity as f64,
        };
        Objectives::of(&measured, variant)
    }
}

/// A member of the population.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) known: Known,
    /// As scored in the generation that is over.
    pub(super) coverage_score: f64,
    /// The front among parents and offspring.
    pub(super) rank: usize,
    /// Crowding in that front; none in generation 0 and for searches that do without.
    pub(super) crowding: Option<f64>,
    /// How many offspring of its cell led nowhere; 0 in searches without cells.
    pub(super) fruitless: u32,
    /// Whether it has offspring in the next generation. Not all have in the `StringFuzz` baseline, whose population is its
    /// result so far.
    pub(super) breeds: bool,
}

impl Member {
    pub(super) fn individual(&self) -> &Individual {
        &self.known.evaluated.individual
    }
}

/// Sums over all evaluations of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Totals {
    pub(super) evaluations: u64,
    pub(super) invalid: u64,
    /// Evaluations whose target somebody killed: invalid ones.
    pub(super) killed: u64,
    /// Evaluations on which the target crashed.
    pub(super) crashed: u64,
    pub(super) timeouts: u64,
    pub(super) candidates: u64,
    pub(super) solver_seconds: f64,
    /// What the search pays for of it.
    pub(super) charged_seconds: f64,
}

/// Everything that the next generation depends on.
#[derive(Debug)]
pub(super) struct State {
    /// The last generation that is over; none before generation 0.
    pub(super) generation: Option<u32>,
    pub(super) population: Vec<Member>,
    pub(super) archive: Archive,
    /// Fingerprints of everybody who was ever bred.
    pub(super) seen: FxHashSet<u128>,
    pub(super) next_id: u32,
    pub(super) totals: Totals,
    /// The best mean t-score of a generation, and the generation.
    pub(super) best_mean_t_score: (f64, u32),
    pub(super) similarities: SimilarityCache,
    /// What is known of defects.
    pub(super) knowledge: Knowledge,
}

impl State {
    /// Before generation 0 of a run.
    pub(super) fn knowing(setup: &Setup<'_>) -> Self {
        let knowledge = Knowledge::beforehand(&setup.config.known);
        State { knowledge, ..State::new(Arc::clone(&setup.lines.file_of_slot)) }
    }

    fn new(file_of_slot: Arc<[u32]>) -> Self {
        State {
            generation: None,
            population: Vec::new(),
            archive: Archive::new(file_of_slot),
            seen: FxHashSet::default(),
            next_id: 0,
            totals: Totals::default(),
            best_mean_t_score: (f64::NEG_INFINITY, 0),
            similarities: SimilarityCache::default(),
            knowledge: Knowledge::default(),
        }
    }

    /// Where the search sees somebody in objective space.
    pub(super) fn objectives(&self, known: &Known, coverage_score: f64, config: &Config) -> Objectives {
        let is_known = self.knowledge.occurs_in(&known.evaluated.individual.script);
        known.objectives(coverage_score, config.limit, config.variant, is_known)
    }

    /// The generation to come.
    pub(super) fn next_generation(&self) -> u32 {
        self.generation.map_or(0, |generation| generation + 1)
    }

    /// Generations since the mean t-score was last better than ever.
    pub(super) fn stagnant_generations(&self) -> u64 {
        self.generation.map_or(0, |generation| u64::from(generation - self.best_mean_t_score.1))
    }

    /// Remembers who was bred, so that nobody is bred twice.
    pub(super) fn note_bred(&mut self, individuals: &[Arc<Individual>]) {
        self.next_id += individuals.len() as u32;
        self.seen.extend(individuals.iter().map(|individual| individual.fingerprint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::individual::{IndividualId, Origin, Timed};
    use crate::smtlib::script::Script;
    use crate::solver::answer::Answer;

    const LIMIT: Duration = Duration::from_secs(5);

    fn time(target: (Answer, f64), reference: (Answer, f64), variant: Variant) -> f64 {
        time_of(target, reference, variant, false)
    }

    fn time_of(target: (Answer, f64), reference: (Answer, f64), variant: Variant, is_known: bool) -> f64 {
        let run = |(answer, cpu_seconds)| Timed { answer, cpu_seconds, wall_seconds: 0.0, peak_memory_bytes: 0 };
        let observation = Observation {
            target: run(target),
            reference: run(reference),
            coverage: None,
            trace: None,
            solver_seconds: 0.0,
        };
        let individual = Individual {
            id: IndividualId(0),
            generation: 0,
            slot: 0,
            script: Script::new(),
            origin: Origin::Generated,
            operator: String::new(),
            parents: Vec::new(),
            fingerprint: 0,
        };
        let evaluated = Arc::new(Evaluated::new(Arc::new(individual), observation, LIMIT));
        Known { evaluated, trace_lines: None }.objectives(0.0, LIMIT, variant, is_known).time()
    }

    #[test]
    fn what_is_known_to_be_slow_counts_as_if_it_had_been_given_up() {
        for variant in [Variant::Default, Variant::Swarm] {
            assert_eq!(time_of((Answer::Timeout, 5.01), (Answer::Sat, 0.25), variant, true), 2.5);
            assert_eq!(time_of((Answer::Sat, 0.5), (Answer::Sat, 0.25), variant, true), 0.75);
        }
    }

    #[test]
    fn where_the_reference_is_quick_timeouts_are_equal_in_our_own_variants_alone() {
        let timeout = |seconds| time((Answer::Timeout, 5.01), (Answer::Sat, seconds), Variant::Swarm);
        assert_eq!([timeout(0.01), timeout(0.0173), timeout(0.5)], [10.0; 3]);
        // A reference that takes longer is no jitter, and one that does not answer no comparison.
        assert_eq!(timeout(2.0), 8.0);
        assert_eq!(time((Answer::Timeout, 5.01), (Answer::Unknown(String::new()), 0.01), Variant::Swarm), 5.0);
        assert_eq!(time((Answer::MemoryOut, 1.0), (Answer::Sat, 0.25), Variant::Diverse), 10.0);
        assert_eq!(time((Answer::Sat, 4.0), (Answer::Sat, 0.25), Variant::Swarm), 7.75);
        assert_eq!(time((Answer::Timeout, 5.01), (Answer::Sat, 0.25), Variant::Default), 9.75);
    }
}
