//! How far a run of an experiment is, read from its run directory alone, whoever works in it.

use std::path::Path;
use std::time::Duration;

use super::ExperimentError;
use super::triage::Triaged;
use crate::record::format::{GenerationRow, ResultRow};
use crate::record::{RunDirectory, names, read_last_row, read_population, read_rows, read_summary};

/// What is done of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing yet.
    Waiting,
    /// The search, or the hunt, is not over.
    Searching,
    /// The search is over, its result set is not measured to the end; the hunt is, another reducer is not.
    Measuring,
    /// The result set is measured, the candidates are not triaged.
    Triaging,
    /// All.
    Finished,
}

impl Phase {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Waiting => "waiting",
            Phase::Searching => "searching",
            Phase::Measuring => "measuring",
            Phase::Triaging => "triaging",
            Phase::Finished => "finished",
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskState {
    /// What is done.
    pub phase: Phase,
    /// Whether a process works in its directory now.
    pub running: bool,
    /// Generations after generation 0 that are over.
    pub generations: u32,
    /// Evaluations in them; of a hunt, instances.
    pub evaluations: u64,
    /// CPU seconds that the search was charged with.
    pub charged_seconds: f64,
    /// CPU seconds of all solver runs so far, of the search, of the measurement, and of a triage that is over.
    pub solver_seconds: f64,
    /// Members of the result set that were measured, and how many there are.
    pub measured: (usize, usize),
}

impl TaskState {
    /// Nothing is done, and nobody works.
    pub(super) fn waiting() -> Self {
        TaskState {
            phase: Phase::Waiting,
            running: false,
            generations: 0,
            evaluations: 0,
            charged_seconds: 0.0,
            solver_seconds: 0.0,
            measured: (0, 0),
        }
    }

    /// Reads the state of the run in `root`, whose result set is to be measured at `measure_limit`, and whose candidates
    /// are to be triaged if `triages`.
    ///
    /// # Errors
    /// [`ExperimentError::Record`] if what is there cannot be read.
    pub fn of(root: &Path, measure_limit: Duration, triages: bool) -> Result<Self, ExperimentError> {
        let mut state = TaskState { running: RunDirectory::is_in_use(root), ..TaskState::waiting() };
        if !root.join(names::CONFIG).is_file() {
            return Ok(state);
        }
        state.phase = Phase::Searching;
        if let Some(last) = read_last_row::<GenerationRow>(&root.join(names::GENERATIONS))? {
            state.generations = last.generation;
            state.evaluations = last.total_evaluations;
            state.charged_seconds = last.charged_seconds;
            state.solver_seconds = last.solver_seconds;
        }
        let Some(summary) = read_summary(root)? else { return Ok(state) };
        if !summary.is_final() {
            return Ok(state);
        }
        state.phase = Phase::Measuring;
        state.evaluations = summary.evaluations;
        let rows: Vec<ResultRow> = read_rows(&root.join(names::RESULT_SET))?;
        let population = read_population(root)?;
        let limit = measure_limit.as_secs_f64();
        let own = |row: &&ResultRow| row.limit_seconds == limit && population.contains_key(&row.id);
        let done: Vec<_> = rows.iter().filter(own).collect();
        state.solver_seconds += done.iter().map(|row| row.target_seconds + row.reference_seconds).sum::<f64>();
        state.measured = (done.len(), population.len());
        if done.len() >= population.len() {
            let triaged = if triages { Triaged::read(root)? } else { None };
            state.solver_seconds += triaged.map_or(0.0, |triaged| triaged.solver_seconds);
            state.phase = if triages && triaged.is_none() { Phase::Triaging } else { Phase::Finished };
        }
        Ok(state)
    }

    /// The part that is done, from 0 to 1, of a search, a measurement and a triage that take so many CPU seconds. A search
    /// whose length is not known counts as one that takes as long as the measurement, and as nothing until it is over; a
    /// triage counts as nothing until it is over.
    pub fn fraction(&self, search_seconds: Option<f64>, measurement_seconds: f64, triage_seconds: f64) -> f64 {
        let search = search_seconds.unwrap_or(measurement_seconds);
        let all = search + measurement_seconds + triage_seconds;
        let (share, measurement) = (search / all, measurement_seconds / all);
        let measured = self.measured.0 as f64 / self.measured.1.max(1) as f64;
        match self.phase {
            Phase::Waiting => 0.0,
            Phase::Searching => {
                let part = search_seconds.map_or(0.0, |budget| self.charged_seconds / budget);
                share * part.clamp(0.0, 1.0)
            }
            Phase::Measuring => share + measurement * measured,
            Phase::Triaging => share + measurement,
            Phase::Finished => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_finished_when_every_member_of_its_result_set_is_measured_at_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let limit = Duration::from_secs(10);
        let phase = || TaskState::of(root, limit, false).unwrap().phase;
        assert_eq!(phase(), Phase::Waiting);
        std::fs::write(root.join(names::CONFIG), "").unwrap();
        assert_eq!(phase(), Phase::Searching);
        let summary = serde_json::json!({
            "variant": "default", "seed": 1, "target": "t", "reference": "r", "evaluations": 2,
            "evaluations_per_minute": 1.0, "generations": 0, "stop_reason": "interrupted", "population": 2,
            "front_size": 1, "total_lines": 1, "mean_lines": 1.0, "mean_t_score": 1.0, "timeouts": 0, "defects": 0,
            "candidates": 0, "refuted": 0, "mean_complexity": 1.0, "hypervolume": 0.0, "invalid": 0,
            "wall_seconds": 1.0, "solver_core_seconds": 1.0, "total_core_seconds": 1.0, "solver_share": 1.0,
        });
        std::fs::create_dir(root.join(names::POPULATION)).unwrap();
        for id in [3, 5] {
            std::fs::write(root.join(names::POPULATION).join(format!("{id:06}.smt2")), "").unwrap();
        }
        std::fs::write(root.join(names::SUMMARY), summary.to_string()).unwrap();
        assert_eq!(phase(), Phase::Searching);
        std::fs::write(root.join(names::SUMMARY), summary.to_string().replace("interrupted", "budget")).unwrap();
        assert_eq!(phase(), Phase::Measuring);
        let header = <ResultRow as crate::record::Row>::COLUMNS.join(",");
        let measured = |rows: &str| std::fs::write(root.join(names::RESULT_SET), format!("{header}\n{rows}")).unwrap();
        measured("3,10,sat,4,1,sat,0.5,1\n5,20,sat,1,1,sat,1,1\n5,10,sat,1,1,sa");
        let state = TaskState::of(root, limit, false).unwrap();
        assert_eq!((state.phase, state.measured, state.solver_seconds), (Phase::Measuring, (1, 2), 4.5));
        assert!((state.fraction(None, 20.0, 0.0) - 0.75).abs() < 1e-12);
        assert!((state.fraction(Some(180.0), 20.0, 0.0) - 0.95).abs() < 1e-12);
        measured("3,10,sat,1,1,sat,1,1\n5,10,sat,1,1,sat,1,1\n");
        assert_eq!(phase(), Phase::Finished);
        let state = || TaskState::of(root, limit, true).unwrap();
        assert_eq!(state().phase, Phase::Triaging);
        assert!((state().fraction(Some(60.0), 20.0, 20.0) - 0.8).abs() < 1e-12);
        let triaged = serde_json::to_string(&Triaged { solver_seconds: 7.0, ..Triaged::default() }).unwrap();
        std::fs::write(root.join(names::TRIAGED), triaged).unwrap();
        assert_eq!((state().phase, state().solver_seconds), (Phase::Finished, 11.0));
    }
}
