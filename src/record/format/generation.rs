//! A row of `generations.csv`. It depends on the seed and the recorded evaluations alone, never on the clock of the
//! process that writes it, so that a replay writes the same bytes.

use serde::{Deserialize, Serialize};

use crate::record::Row;

/// One generation, after survival. Means are over the population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md, with units")]
pub struct GenerationRow {
    pub generation: u32,
    /// Individuals bred and evaluated in this generation.
    pub evaluations: u64,
    /// Of these, how many the target rejected.
    pub invalid: u64,
    pub total_evaluations: u64,
    pub population: u64,
    /// Fronts among parents and offspring.
    pub fronts: u64,
    /// Size of front 0.
    pub front_size: u64,
    /// Offspring that came into the population.
    pub newcomers: u64,
    pub mean_t_score: f64,
    pub max_t_score: f64,
    pub mean_target_seconds: f64,
    pub mean_complexity: f64,
    pub min_complexity: u64,
    pub mean_lines: f64,
    /// Lines that any individual of the run ever ran.
    pub total_lines: u64,
    /// Mean crowding, of those whose crowding is finite and was needed.
    pub mean_crowding: Option<f64>,
    pub hypervolume: f64,
    /// Members of the population that the target did not answer within the limit.
    pub timeouts: u64,
    /// Candidates for performance defects so far.
    pub candidates: u64,
    /// CPU seconds of the solver runs of all evaluations so far.
    pub solver_seconds: f64,
    /// CPU seconds of these runs that the search pays for.
    #[serde(default)]
    pub charged_seconds: f64,
}

impl Row for GenerationRow {
    const COLUMNS: &'static [&'static str] = &[
        "generation",
        "evaluations",
        "invalid",
        "total_evaluations",
        "population",
        "fronts",
        "front_size",
        "newcomers",
        "mean_t_score",
        "max_t_score",
        "mean_target_seconds",
        "mean_complexity",
        "min_complexity",
        "mean_lines",
        "total_lines",
        "mean_crowding",
        "hypervolume",
        "timeouts",
        "candidates",
        "solver_seconds",
        "charged_seconds",
    ];
}
