//! Who watches a campaign: a console, or nobody.

use std::time::Duration;

use crate::evaluate::individual::{Evaluated, IndividualId};
use crate::record::format::GenerationRow;

/// What one job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Nothing: the generation's last evaluations run elsewhere.
    Waiting,
    /// It evaluates this individual.
    Evaluating(IndividualId),
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The generation that is evaluated.
    pub generation: u32,
    /// Evaluations so far.
    pub evaluations: u64,
    /// Confirmed defects so far; of a run that learns, the distinct ones.
    pub defects: u64,
    /// Distinct defects so far; none of a run that does not learn which they are.
    pub distinct: Option<u64>,
    /// Candidates so far that are not refuted, without those defects.
    pub candidates: u64,
    /// Evaluations that say nothing: the target refused the script, or somebody killed it.
    pub invalid: u64,
    /// Evaluations in which the target timed out.
    pub timeouts: u64,
    /// Lines that any individual ever ran; none if nothing counts lines, or before generation 0 is over.
    pub lines: Option<u64>,
    /// The highest t-score so far, seconds.
    pub best_t_score: f64,
    /// Wall time so far.
    pub elapsed: Duration,
    /// Wall time left; none without a budget.
    pub left: Option<Duration>,
    /// CPU time left of the budget of solver time, as of the last generation; none without such a budget.
    pub solver_left: Option<Duration>,
    /// Generations after generation 0 that the run has in all; none without a limit.
    pub generations: Option<u32>,
}

/// Watches. All methods return quickly; they are called from several threads.
pub trait Monitor: Sync {
    /// A job begins or ends something.
    fn job(&self, job: usize, doing: Doing);
    /// An evaluation has ended.
    fn evaluated(&self, evaluated: &Evaluated, progress: &Progress);
    /// A generation is over.
    fn generation(&self, row: &GenerationRow, progress: &Progress);
    /// A confirmation begins (`None`) or has come to a verdict.
    fn confirmation(&self, number: u32, verdict: Option<&str>);
    /// So many runs of the confirmation have ended, of so many if that is known.
    fn confirmation_run(&self, _ended: u32, _of: Option<u32>) {}
    /// Something is to be learned of a candidate (`None`), or came out.
    fn learning(&self, _number: u32, _result: Option<&str>) {}
    /// Something that the user has to know.
    fn note(&self, text: &str);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Monitor for Quiet {
    fn job(&self, _: usize, _: Doing) {}
    fn evaluated(&self, _: &Evaluated, _: &Progress) {}
    fn generation(&self, _: &GenerationRow, _: &Progress) {}
    fn confirmation(&self, _: u32, _: Option<&str>) {}
    fn note(&self, _: &str) {}
}
