//! The numbers of one finished run that tables and tests compare.

use std::path::Path;

use super::ExperimentError;
use super::statistics::convergence;
use super::triage::Triaged;
use crate::evaluate::runtime::ran_out_as_recorded;
use crate::oracle::candidate::is_quick_as_recorded;
use crate::record::format::{GenerationRow, ResultRow, Summary};
use crate::record::{RecordError, names, read_rows, read_summary};

/// What one run came to. Means are over the result set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunMeasures {
    /// Lines of the target that any script of the run ran (the paper's `Tot_lines`).
    pub total_lines: f64,
    /// Lines that a script of the result set ran (`Avg_lines`).
    pub mean_lines: f64,
    /// Eq. 1, seconds (`Avg_tScore`).
    pub mean_t_score: f64,
    /// Scripts of the result set on which the target ran out of time or memory at the measure limit (`Num_timeout`).
    pub timeouts: f64,
    /// Those of them that the reference answered within a tenth of it: performance defects, if they are confirmed.
    pub defects: f64,
    /// Eq. 2 (`Avg_complexity`).
    pub mean_complexity: f64,
    /// Scripts that were evaluated.
    pub evaluations: f64,
    /// Generations after generation 0.
    pub generations: f64,
    /// Of the result set (see `campaign::hypervolume_of`).
    pub hypervolume: f64,
    /// CPU seconds of solvers that the search was charged with.
    pub charged_seconds: f64,
    /// CPU seconds after which the mean t-score stayed within 5 % of its final value.
    pub convergence_seconds: f64,
    /// The generation in which it got there.
    pub convergence_generation: f64,
    /// Scripts of the result set that the target answered in a second of the measurement, per cent.
    pub solved_in_a_second: f64,
    /// Those that it answered at all within the measure limit, per cent.
    pub solved: f64,
    /// CPU seconds of this program and of all that it started, in the search.
    pub core_seconds: f64,
    /// What the triage came to; none if there was none.
    pub triaged: Option<Triaged>,
}

impl RunMeasures {
    /// Reads them from a run directory whose run and measurement are finished.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn read(root: &Path) -> Result<Self, ExperimentError> {
        let summary =
            read_summary(root)?.ok_or(RecordError::NotARun { path: root.to_owned(), missing: names::SUMMARY })?;
        let results: Vec<ResultRow> = read_rows(&root.join(names::RESULT_SET))?;
        let generations: Vec<GenerationRow> = read_rows(&root.join(names::GENERATIONS))?;
        Ok(RunMeasures { triaged: Triaged::read(root)?, ..Self::of(&summary, &results, &generations) })
    }

    /// Distinct defects that the triage confirmed.
    pub fn distinct(&self) -> f64 {
        self.triaged.map_or(0.0, |triaged| triaged.distinct as f64)
    }

    /// Those of them that are not probably the same as another one.
    pub fn distinct_unlike(&self) -> f64 {
        self.triaged.map_or(0.0, |triaged| triaged.distinct_unlike as f64)
    }

    /// CPU seconds of solvers that search and triage were charged with.
    pub fn all_seconds(&self) -> f64 {
        self.charged_seconds + self.triaged.map_or(0.0, |triaged| triaged.solver_seconds)
    }

    fn of(summary: &Summary, results: &[ResultRow], generations: &[GenerationRow]) -> Self {
        let slow = |row: &&ResultRow| ran_out_as_recorded(&row.target_result, row.target_seconds, row.limit_seconds);
        let quick =
            |row: &&ResultRow| is_quick_as_recorded(&row.reference_result, row.reference_seconds, row.limit_seconds);
        let solved_within = |seconds: f64| {
            let is_solved = |row: &&ResultRow| {
                ["sat", "unsat"].contains(&row.target_result.as_str()) && row.target_seconds <= seconds
            };
            let solved = results.iter().filter(is_solved).count();
            if results.is_empty() { 0.0 } else { 100.0 * solved as f64 / results.len() as f64 }
        };
        let t_score = |moment: fn(&GenerationRow) -> f64| {
            let points: Vec<(f64, f64)> = generations.iter().map(|row| (moment(row), row.mean_t_score)).collect();
            convergence(&points).unwrap_or(0.0)
        };
        RunMeasures {
            total_lines: summary.total_lines.unwrap_or(0) as f64,
            mean_lines: summary.mean_lines.unwrap_or(0.0),
            mean_t_score: summary.mean_t_score,
            timeouts: results.iter().filter(slow).count() as f64,
            defects: results.iter().filter(slow).filter(quick).count() as f64,
            mean_complexity: summary.mean_complexity,
            evaluations: summary.evaluations as f64,
            generations: f64::from(summary.generations),
            hypervolume: summary.hypervolume.unwrap_or(0.0),
            charged_seconds: summary.charged_seconds,
            convergence_seconds: t_score(|row| row.charged_seconds),
            convergence_generation: t_score(|row| f64::from(row.generation)),
            solved_in_a_second: solved_within(1.0),
            solved: solved_within(f64::INFINITY),
            core_seconds: summary.total_core_seconds,
            triaged: None,
        }
    }
}
