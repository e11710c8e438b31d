//! One recorded run, finished or not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::instance_in;
use super::triaged::Triaged;
use crate::config::{Config, Settings};
use crate::evaluate::runtime::{is_solved_as_recorded, ran_out_as_recorded};
use crate::experiment::Discovery;
use crate::hunt::outcome::{Defect, Outcome, names as hunt_names};
use crate::record::format::{Environment, EvaluationRow, FrontRow, GenerationRow, ResultRow, Summary};
use crate::record::{
    RecordedDefect, names, read_defects, read_environment, read_json, read_members, read_rows, read_summary,
};
use crate::report::error::ReportError;

/// A run as it is recorded so far.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its directory, as the user names it.
    pub root: PathBuf,
    /// What it is called in the report: `ARM/NNN`, or its directory's name.
    pub label: String,
    /// What decided it.
    pub config: Config,
    /// The text of its `config.toml`.
    pub config_text: String,
    /// Versions, machine, command; a run that was killed early may have none.
    pub environment: Option<Environment>,
    /// What it came to when it stopped; none while it goes on.
    pub summary: Option<Summary>,
    /// All evaluations, in the order in which they ended.
    pub evaluations: Vec<EvaluationRow>,
    /// All generations.
    pub generations: Vec<GenerationRow>,
    /// The Pareto front of the final population; empty while the run is not finished.
    pub front: Vec<FrontRow>,
    /// The population's individuals (the last recorded one while the run is not finished), by number.
    pub members: Vec<u32>,
    /// Members of the final population, run again at a higher limit; empty if nobody did.
    pub result_set: Vec<ResultRow>,
    /// All suspicions of performance defects, with all that is recorded of them.
    pub defects: Vec<RecordedDefect>,
    /// Wrong answers, wrong models and crashes that its hunt found; none if it has not hunted.
    pub findings: Option<Vec<Finding>>,
    /// What its triage came to; none if it has not been triaged.
    pub triaged: Option<Triaged>,
    /// When it came upon its distinct defects, of an experiment's run whose triage is over.
    pub discovery: Option<Discovery>,
    by_id: BTreeMap<u32, usize>,
}

/// A finding of a run's hunt.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is said of it.
    pub defect: Defect,
    /// Its smallest instance; none if its folder does not have it any more.
    pub instance: Option<String>,
}

/// A member of a run's result set, with its times at the highest limit at which they were measured.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "as in result_set.csv; CPU seconds")]
pub struct Member {
    pub id: u32,
    pub limit_seconds: f64,
    pub target_result: String,
    pub target_seconds: f64,
    pub reference_result: String,
    pub reference_seconds: f64,
}

impl Run {
    /// Reads a run directory. Another process may still work in it.
    ///
    /// # Errors
    /// [`ReportError`] if a file is missing, damaged or unreadable.
    pub fn read(root: &Path, label: String) -> Result<Self, ReportError> {
        let config_path = root.join(names::CONFIG);
        let config = Config::resolve(Settings::read(&config_path)?)?;
        let config_text =
            std::fs::read_to_string(&config_path).map_err(|source| ReportError::Read { path: config_path, source })?;
        let environment = root.join(names::ENVIRONMENT).is_file().then(|| read_environment(root)).transpose()?;
        let evaluations: Vec<EvaluationRow> = read_rows(&root.join(names::EVALUATIONS))?;
        let by_id = evaluations.iter().enumerate().map(|(index, row)| (row.id, index)).collect();
        // A run that goes on keeps the results of its last stop until it ends; they are not those of its evaluations.
        let count = evaluations.len() as u64;
        let summary = read_summary(root)?.filter(|summary| summary.evaluations == count);
        let is_over = summary.is_some();
        Ok(Run {
            root: root.to_owned(),
            label,
            config,
            config_text,
            environment,
            summary,
            by_id,
            evaluations,
            generations: read_rows(&root.join(names::GENERATIONS))?,
            front: if is_over { read_rows(&root.join(names::FRONT))? } else { Vec::new() },
            members: read_members(root, is_over)?,
            result_set: read_rows(&root.join(names::RESULT_SET))?,
            defects: read_defects(root)?,
            findings: findings(&root.join(names::HUNT))?,
            triaged: Triaged::read(&root.join(names::TRIAGE))?,
            discovery: root.join(names::TRIAGED).is_file().then(|| Discovery::read(root)).transpose()?,
        })
    }

    /// The evaluation of an individual.
    pub fn evaluation(&self, id: u32) -> Option<&EvaluationRow> {
        self.by_id.get(&id).map(|index| &self.evaluations[*index])
    }

    /// CPU seconds of a timing run.
    pub fn limit_seconds(&self) -> f64 {
        self.config.limit.as_secs_f64()
    }

    /// CPU seconds that the search paid for so far.
    pub fn charged_seconds(&self) -> f64 {
        self.evaluations.iter().map(|row| row.charged_seconds.unwrap_or(row.solver_seconds)).sum()
    }

    /// CPU seconds of all evaluations' solver runs so far.
    pub fn solver_seconds(&self) -> f64 {
        self.evaluations.iter().map(|row| row.solver_seconds).sum()
    }

    /// CPU seconds of all solver runs, those that confirmed too; not known while it goes on.
    pub fn all_solver_seconds(&self) -> f64 {
        let all = self.summary.as_ref().map_or(0.0, |summary| summary.solver_core_seconds);
        all.max(self.solver_seconds())
    }

    /// Lines that any individual covered so far; none without counts.
    pub fn total_lines(&self) -> Option<u64> {
        let last = self.generations.last().map(|row| row.total_lines);
        self.summary.as_ref().map_or(last, |summary| summary.total_lines).filter(|lines| *lines > 0)
    }

    /// Whether it is over, by itself and not by an interrupt or a failure.
    pub fn is_finished(&self) -> bool {
        self.summary.as_ref().is_some_and(Summary::is_final)
    }

    /// Whether all members of its result set were measured at a higher limit.
    pub fn is_measured(&self) -> bool {
        let measured: std::collections::BTreeSet<u32> = self.result_set.iter().map(|row| row.id).collect();
        !measured.is_empty() && self.members.iter().all(|id| measured.contains(id))
    }

    /// The result set: at the limit of `result_set.csv` if all of it was measured, else at the search limit.
    pub fn results(&self) -> Vec<Member> {
        if !self.is_measured() {
            let rows = self.members.iter().filter_map(|id| self.evaluation(*id));
            return rows.map(|row| Member::of_search(row, self.limit_seconds())).collect();
        }
        self.result_set.iter().map(Member::from).collect()
    }
}

impl Member {
    fn of_search(row: &EvaluationRow, limit_seconds: f64) -> Self {
        Member {
            id: row.id,
            limit_seconds,
            target_result: row.target_result.clone(),
            target_seconds: row.target_seconds,
            reference_result: row.reference_result.clone(),
            reference_seconds: row.reference_seconds,
        }
    }

    /// Whether the target answered.
    pub fn target_solved(&self) -> bool {
        is_solved_as_recorded(&self.target_result)
    }

    /// Whether the target ran out of time or memory.
    pub fn target_ran_out(&self) -> bool {
        ran_out_as_recorded(&self.target_result, self.target_seconds, self.limit_seconds)
    }

    /// Whether the reference answered.
    pub fn reference_solved(&self) -> bool {
        is_solved_as_recorded(&self.reference_result)
    }
}

impl From<&ResultRow> for Member {
    fn from(row: &ResultRow) -> Self {
        Member {
            id: row.id,
            limit_seconds: row.limit_seconds,
            target_result: row.target_result.clone(),
            target_seconds: row.target_seconds,
            reference_result: row.reference_result.clone(),
            reference_seconds: row.reference_seconds,
        }
    }
}

/// What the hunt in `folder` found; none if there was no hunt.
fn findings(folder: &Path) -> Result<Option<Vec<Finding>>, ReportError> {
    let Some(outcome) = read_json::<Outcome>(&folder.join(hunt_names::HUNT))? else { return Ok(None) };
    let read = |defect: Defect| {
        let instance = instance_in(&defect.folder(folder), hunt_names::REDUCED);
        Finding { defect, instance }
    };
    Ok(Some(outcome.defects.into_iter().map(read).collect()))
}

/// Whether two results contradict each other.
pub fn disagree(one: &str, other: &str) -> bool {
    is_solved_as_recorded(one) && is_solved_as_recorded(other) && one != other
}
