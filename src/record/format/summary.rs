//! `summary.json`: what `report` and scripts read.

use serde::{Deserialize, Serialize};

/// Reasons to stop after which a run can go on.
const OPEN: [&str; 2] = ["interrupted", "failed"];

impl Summary {
    /// Whether the run is over: it was neither interrupted nor did it fail.
    pub fn is_final(&self) -> bool {
        !OPEN.contains(&self.stop_reason.as_str())
    }
}

/// The run in numbers. Means are over the result set, that is the final population. Times are seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys are described in docs/run-directory.md, with units")]
pub struct Summary {
    pub variant: String,
    pub seed: u64,
    pub target: String,
    pub reference: String,
    pub evaluations: u64,
    pub evaluations_per_minute: f64,
    /// Generations after generation 0 that were told, a last one that was cut short included.
    pub generations: u32,
    pub stop_reason: String,
    pub population: u64,
    pub front_size: u64,
    /// Lines that any individual ever ran; none if nothing counted lines.
    pub total_lines: Option<u64>,
    /// None if nothing counted lines.
    pub mean_lines: Option<f64>,
    pub mean_t_score: f64,
    /// Members of the result set that the target did not answer within the limit.
    pub timeouts: u64,
    /// Confirmed defects, as they were found: several may be one.
    pub defects: u64,
    pub candidates: u64,
    pub refuted: u64,
    pub mean_complexity: f64,
    /// See `campaign::statistics` for the axes and the reference point; none if nothing counted lines, which are one of
    /// the axes.
    pub hypervolume: Option<f64>,
    pub invalid: u64,
    #[serde(default)]
    pub killed: u64,
    #[serde(default)]
    pub crashed: u64,
    pub wall_seconds: f64,
    /// CPU seconds of all solver runs: evaluations, confirmations, and runs that were stopped.
    pub solver_core_seconds: f64,
    /// CPU seconds of this process and all its children.
    pub total_core_seconds: f64,
    pub solver_share: f64,
    /// CPU seconds of the evaluations' solver runs that the search pays for: what a solver budget limits.
    #[serde(default)]
    pub charged_seconds: f64,
    /// Patterns of defects that the run learned.
    #[serde(default)]
    pub learned_patterns: u64,
    /// Scripts on which this program itself failed.
    #[serde(default)]
    pub internal_errors: u64,
    /// Wall seconds of all that came after the search, also when the run was resumed.
    #[serde(default)]
    pub afterwards_seconds: f64,
    #[serde(flatten)]
    pub aftermath: Aftermath,
}

/// What came of a run after its search; nothing of what was left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Aftermath {
    /// Distinct defects that the triage or the run confirmed.
    pub distinct_defects: Option<u64>,
    /// Confirmed defects that the triage did not get to: which of the distinct ones they are is not known.
    pub untriaged_defects: Option<u64>,
    /// The list of the triage, below the run directory.
    pub triage: Option<String>,
    /// Wrong answers, wrong models and crashes that the hunt found, of whatever solver, each once.
    pub wrong_answers: Option<u64>,
    /// What else the hunt found, each once: contradictions of which nothing tells who is wrong.
    pub other_findings: Option<u64>,
    /// Findings of the hunt that are probably the same as an earlier one, and are not among those counts.
    pub alike_findings: Option<u64>,
    /// Suspects that no hunt has judged.
    pub unjudged_suspects: Option<u64>,
    /// The folder of the hunt, below the run directory.
    pub hunt: Option<String>,
}
