//! The heads of the observation log's frames.

use serde::{Deserialize, Serialize};

use crate::evaluate::individual::{Evaluated, Timed};
use crate::solver::answer::Answer;

/// What a run has used when a frame is written, over all its processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Wall seconds.
    pub wall_seconds: f64,
    /// CPU seconds of our process and all its children.
    pub core_seconds: f64,
    /// CPU seconds of the solver runs, also of those that were stopped before they showed anything.
    pub solver_seconds: f64,
    /// CPU seconds of confirmations.
    pub confirm_seconds: f64,
}

/// A timed run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedRecord {
    answer: Answer,
    cpu: f64,
    wall: f64,
    memory: u64,
}

impl From<&Timed> for TimedRecord {
    fn from(timed: &Timed) -> Self {
        TimedRecord {
            answer: timed.answer.clone(),
            cpu: timed.cpu_seconds,
            wall: timed.wall_seconds,
            memory: timed.peak_memory_bytes,
        }
    }
}

impl From<TimedRecord> for Timed {
    fn from(record: TimedRecord) -> Self {
        Timed {
            answer: record.answer,
            cpu_seconds: record.cpu,
            wall_seconds: record.wall,
            peak_memory_bytes: record.memory,
        }
    }
}

/// An evaluation; the frame's body holds the line counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as in `Evaluated` and `Observation`")]
pub struct ObservationHead {
    pub id: u32,
    pub generation: u32,
    /// Hexadecimal: the key under which a replay looks it up.
    pub fingerprint: String,
    pub target: TimedRecord,
    pub reference: TimedRecord,
    pub solver_seconds: f64,
    pub has_coverage: bool,
    pub trace_lines: Option<u64>,
}

impl ObservationHead {
    /// The head of an evaluation's frame.
    pub fn new(evaluated: &Evaluated, trace_lines: Option<u64>) -> Self {
        let observation = &evaluated.observation;
        ObservationHead {
            id: evaluated.individual.id.0,
            generation: evaluated.individual.generation,
            fingerprint: format!("{:032x}", evaluated.individual.fingerprint),
            target: TimedRecord::from(&observation.target),
            reference: TimedRecord::from(&observation.reference),
            solver_seconds: observation.solver_seconds,
            has_coverage: observation.coverage.is_some(),
            trace_lines,
        }
    }
}

/// What a frame is, and when it was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::record) enum FrameHead {
    /// An evaluation.
    Observation { spent: Spent, observation: Box<ObservationHead> },
    /// A generation is over; the body holds the similarities that it computed.
    Generation { spent: Spent, generation: u32, offspring: u32 },
    /// From here on the run bred others than before, because an evaluation that was lost was made again and showed
    /// something else: what was recorded by the numbers of individuals from `first_id` on is of others.
    Rebred { spent: Spent, generation: u32, first_id: u32 },
    /// The run stopped within a generation, of which these individuals were evaluated; the body holds similarities.
    Stopped { spent: Spent, generation: u32, evaluated: Vec<u32> },
}

impl FrameHead {
    /// What the run had used.
    pub(in crate::record) fn spent(&self) -> Spent {
        match self {
            FrameHead::Observation { spent, .. }
            | FrameHead::Generation { spent, .. }
            | FrameHead::Rebred { spent, .. }
            | FrameHead::Stopped { spent, .. } => *spent,
        }
    }
}
