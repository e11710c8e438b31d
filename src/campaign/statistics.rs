//! The numbers of a generation and of the result set.

use std::time::Duration;

use super::population::{Known, Member, State};
use crate::config::Config;
use crate::oracle::candidate::{Failing, failing};
use crate::record::format::{EvaluationRow, GenerationRow};
use crate::search::hypervolume::hypervolume;
use crate::search::nsga2::fast_non_dominated_sort;
use crate::search::{Objectives, Variant};

/// The complexity at which the third axis of the hypervolume is zero.
const REFERENCE_COMPLEXITY: f64 = 1000.0;
/// The second axis of the hypervolume is in thousands of lines.
const LINES_UNIT: f64 = 1000.0;

/// The hypervolume of a set, the same for all variants and limits. Axes, all maximised, with the reference point at 0:
/// t-score over its maximum (twice the limit); lines covered, in thousands (the coverage *score* depends on the rest of
/// the run and would not compare); 1 − complexity ⁄ 1000. So one member that scores half of the maximum, covers 14,000
/// lines and has complexity 20 gives 0.5 × 14 × 0.98.
pub fn hypervolume_of(members: impl Iterator<Item = (f64, u64, u64)>, limit: Duration) -> f64 {
    let points: Vec<Objectives> = members
        .map(|(t_score, lines, complexity)| {
            let time = t_score / (2.0 * limit.as_secs_f64());
            Objectives([time, lines as f64 / LINES_UNIT, 1.0 - complexity as f64 / REFERENCE_COMPLEXITY])
        })
        .collect();
    hypervolume(&points, Objectives([0.0; 3]))
}

/// Positions of the members that nobody in the population dominates in the paper's three objectives, whatever the
/// variant searched for.
pub(super) fn pareto_front(population: &[Member], limit: Duration) -> Vec<usize> {
    let objectives: Vec<Objectives> = population
        .iter()
        .map(|member| member.known.objectives(member.coverage_score, limit, Variant::Default, false))
        .collect();
    fast_non_dominated_sort(&objectives).into_iter().next().unwrap_or_default()
}

/// The mean of a quantity over the population; 0 of nobody.
pub(super) fn mean(population: &[Member], of: impl Fn(&Known) -> f64) -> f64 {
    if population.is_empty() {
        return 0.0;
    }
    population.iter().map(|member| of(&member.known)).sum::<f64>() / population.len() as f64
}

/// Members that the target did not answer within the limit.
pub(super) fn timeouts(population: &[Member], limit: Duration) -> u64 {
    let timed_out =
        |member: &&Member| failing(&member.known.evaluated.observation.target, limit) == Some(Failing::Slow);
    population.iter().filter(timed_out).count() as u64
}

/// The hypervolume of a population.
pub(super) fn hypervolume_of_population(population: &[Member], limit: Duration) -> f64 {
    let of =
        |member: &Member| (member.known.evaluated.t_score, member.known.lines(), member.known.evaluated.complexity);
    hypervolume_of(population.iter().map(of), limit)
}

/// The row of the generation that has just ended.
pub(super) fn generation_row(state: &State, config: &Config, rows: &[EvaluationRow], fronts: usize) -> GenerationRow {
    let population = &state.population;
    let crowding: Vec<f64> =
        population.iter().filter_map(|member| member.crowding).filter(|crowding| crowding.is_finite()).collect();
    let generation = state.generation.unwrap_or(0);
    GenerationRow {
        generation,
        evaluations: rows.len() as u64,
        invalid: rows.iter().filter(|row| !row.valid).count() as u64,
        total_evaluations: state.totals.evaluations,
        population: population.len() as u64,
        fronts: fronts as u64,
        front_size: population.iter().filter(|member| member.rank == 0).count() as u64,
        newcomers: rows.iter().filter(|row| row.survives == Some(true)).count() as u64,
        mean_t_score: mean(population, |known| known.evaluated.t_score),
        max_t_score: population.iter().map(|member| member.known.evaluated.t_score).fold(0.0, f64::max),
        mean_target_seconds: mean(population, |known| known.target_seconds(config.limit)),
        mean_complexity: mean(population, |known| known.evaluated.complexity as f64),
        min_complexity: population.iter().map(|member| member.known.evaluated.complexity).min().unwrap_or(0),
        mean_lines: mean(population, |known| known.lines() as f64),
        total_lines: state.archive.covered_lines() as u64,
        mean_crowding: (!crowding.is_empty()).then(|| crowding.iter().sum::<f64>() / crowding.len() as f64),
        hypervolume: hypervolume_of_population(population, config.limit),
        timeouts: timeouts(population, config.limit),
        candidates: state.totals.candidates,
        solver_seconds: state.totals.solver_seconds,
        charged_seconds: state.totals.charged_seconds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hypervolume_has_the_documented_axes() {
        let limit = Duration::from_secs(5);
        let one = hypervolume_of([(5.0, 14_000, 20)].into_iter(), limit);
        assert!((one - 0.5 * 14.0 * 0.98).abs() < 1e-12, "{one}");
        assert_eq!(hypervolume_of([(5.0, 14_000, 2000), (0.0, 1, 1)].into_iter(), limit), 0.0);
    }
}
