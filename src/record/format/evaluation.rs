//! A row of `evaluations.csv`.

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::Evaluated;
use crate::record::Row;

/// Where the search placed an individual when it first saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Coverage score (Algorithm 2) in the generation of birth; none until it is known.
    pub coverage_score: Option<f64>,
    /// The front, 0 the best; none for an invalid individual, and until the generation is over.
    pub rank: Option<usize>,
    /// Crowding in the front; none where nobody needed it.
    pub crowding: Option<f64>,
    /// Whether it came into the next population; none until the generation is over.
    pub survives: Option<bool>,
    /// What the search pays for the evaluation, CPU seconds.
    pub charged_seconds: Option<f64>,
}

/// One evaluation. Times are CPU seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described in docs/run-directory.md, with units")]
pub struct EvaluationRow {
    pub id: u32,
    pub generation: u32,
    pub slot: u32,
    pub origin: String,
    pub operator: String,
    pub parents: String,
    pub target_result: String,
    pub target_seconds: f64,
    pub reference_result: String,
    pub reference_seconds: f64,
    pub t_score: f64,
    pub coverage_score: Option<f64>,
    pub lines_covered: Option<u64>,
    pub complexity: u64,
    pub bytes: u64,
    pub trace_lines: Option<u64>,
    pub rank: Option<usize>,
    pub crowding: Option<f64>,
    pub valid: bool,
    pub survives: Option<bool>,
    pub solver_seconds: f64,
    pub fingerprint: String,
    pub seed_file: String,
    pub charged_seconds: Option<f64>,
}

impl Row for EvaluationRow {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "generation",
        "slot",
        "origin",
        "operator",
        "parents",
        "target_result",
        "target_seconds",
        "reference_result",
        "reference_seconds",
        "t_score",
        "coverage_score",
        "lines_covered",
        "complexity",
        "bytes",
        "trace_lines",
        "rank",
        "crowding",
        "valid",
        "survives",
        "solver_seconds",
        "fingerprint",
        "seed_file",
        "charged_seconds",
    ];
}

impl EvaluationRow {
    /// The row of an evaluation. `bytes` is the length of the script as the target reads it; `trace_lines` the length
    /// of its trace.
    pub fn new(evaluated: &Evaluated, bytes: u64, trace_lines: Option<u64>, place: Place) -> Self {
        let Evaluated { individual, observation, t_score, complexity, valid } = evaluated;
        let parents: Vec<String> = individual.parents.iter().map(ToString::to_string).collect();
        EvaluationRow {
            id: individual.id.0,
            generation: individual.generation,
            slot: individual.slot,
            origin: individual.origin.label().to_owned(),
            operator: individual.operator.clone(),
            parents: parents.join(" "),
            target_result: observation.target.answer.name().to_owned(),
            target_seconds: observation.target.cpu_seconds,
            reference_result: observation.reference.answer.name().to_owned(),
            reference_seconds: observation.reference.cpu_seconds,
            t_score: *t_score,
            coverage_score: place.coverage_score,
            lines_covered: observation.coverage.as_ref().map(|counts| counts.len() as u64),
            complexity: *complexity,
            bytes,
            trace_lines,
            rank: place.rank,
            crowding: place.crowding,
            valid: *valid,
            survives: place.survives,
            solver_seconds: observation.solver_seconds,
            fingerprint: format!("{:032x}", individual.fingerprint),
            seed_file: match &individual.origin {
                crate::evaluate::individual::Origin::Seed(file) => file.clone(),
                _ => String::new(),
            },
            charged_seconds: place.charged_seconds,
        }
    }
}
