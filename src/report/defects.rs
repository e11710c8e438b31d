//! The suspicions of performance defects of a study, in the order in which a reader wants to see them.

use super::figure::Data;
use super::study::{Run, Study};
use crate::record::format::{DefectState, EvaluationRow};
use crate::record::{DefectRun, RecordedDefect};

/// A suspicion that was not refuted.
#[derive(Clone, Debug)]
pub(super) struct Suspicion<'a> {
    /// Its run.
    pub(super) run: &'a Run,
    /// What is recorded of it.
    pub(super) defect: &'a RecordedDefect,
    /// The evaluation that made it a candidate.
    pub(super) evaluation: Option<&'a EvaluationRow>,
    /// The target's run at the highest limit.
    pub(super) target: Timing<'a>,
    /// The reference's run at the highest limit, the slowest of them.
    pub(super) reference: Timing<'a>,
}

/// A solver's run. Times are CPU seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing<'a> {
    /// What it answered.
    pub(super) answer: &'a str,
    /// How long it took.
    pub(super) seconds: f64,
    /// How long it might have taken.
    pub(super) limit: f64,
}

impl Suspicion<'_> {
    /// Whether it was confirmed.
    pub(super) fn is_confirmed(&self) -> bool {
        self.defect.record.state == DefectState::Confirmed
    }

    /// The target's time over the reference's; a lower bound if the target ran out of time.
    pub(super) fn ratio(&self) -> f64 {
        self.target.seconds / self.reference.seconds.max(0.001)
    }
}

/// An arm's suspicions, the most severe first: confirmed before candidates, then by the ratio of times, then the
/// simplest; and how many were refuted.
pub(super) fn of_runs(runs: &[Run]) -> (Vec<Suspicion<'_>>, usize) {
    let all = || runs.iter().flat_map(|run| run.defects.iter().map(move |defect| (run, defect)));
    let refuted = all().filter(|(_, defect)| defect.record.state == DefectState::Refuted).count();
    let mut suspicions: Vec<Suspicion<'_>> = all()
        .filter(|(_, defect)| defect.record.state != DefectState::Refuted)
        .map(|(run, defect)| {
            let record = &defect.record;
            let (target, reference) = (&record.target, &record.reference);
            Suspicion {
                run,
                defect,
                evaluation: run.evaluation(record.id),
                target: timing(&defect.runs, "target ", target, record.target_seconds, run.limit_seconds()),
                reference: timing(&defect.runs, "reference ", reference, record.reference_seconds, run.limit_seconds()),
            }
        })
        .collect();
    suspicions.sort_by(|one, other| {
        let complexity = |it: &Suspicion<'_>| it.evaluation.map_or(u64::MAX, |row| row.complexity);
        other
            .is_confirmed()
            .cmp(&one.is_confirmed())
            .then(other.ratio().total_cmp(&one.ratio()))
            .then(complexity(one).cmp(&complexity(other)))
            .then(one.run.label.cmp(&other.run.label))
            .then(one.defect.record.number.cmp(&other.defect.record.number))
    });
    (suspicions, refuted)
}

/// The slowest run among those at the highest limit: of a confirmation, or else the search's.
fn timing<'a>(runs: &'a [DefectRun], purpose: &str, solver: &str, seconds: f64, limit: f64) -> Timing<'a> {
    let confirming = || runs.iter().filter(|run| run.purpose.starts_with(purpose));
    let mut searching = runs.iter().filter(|run| run.purpose == "search" && run.solver == solver);
    let slowest = confirming().max_by(|one, other| one.cpu_seconds.total_cmp(&other.cpu_seconds));
    slowest.or(searching.next_back()).map_or(Timing { answer: "", seconds, limit }, |run| Timing {
        answer: &run.answer,
        seconds: run.cpu_seconds,
        limit: run.limit_seconds,
    })
}

/// All suspicions of a study as a table.
pub(super) fn data(study: &Study) -> Data {
    let mut data = Data::new(&[
        "arm",
        "run",
        "number",
        "id",
        "state",
        "target_result",
        "target_seconds",
        "target_limit_seconds",
        "reference_result",
        "reference_seconds",
        "complexity",
        "bytes",
        "generation",
        "class",
    ]);
    for arm in &study.arms {
        for found in of_runs(&arm.runs).0 {
            let record = &found.defect.record;
            let measure =
                |of: fn(&EvaluationRow) -> u64| found.evaluation.map_or(String::new(), |row| of(row).to_string());
            data.push([
                arm.name.clone(),
                found.run.label.clone(),
                record.number.to_string(),
                record.id.to_string(),
                if found.is_confirmed() { "confirmed" } else { "candidate" }.to_owned(),
                found.target.answer.to_owned(),
                found.target.seconds.to_string(),
                found.target.limit.to_string(),
                found.reference.answer.to_owned(),
                found.reference.seconds.to_string(),
                measure(|row| row.complexity),
                measure(|row| row.bytes),
                record.generation.to_string(),
                record.class.clone(),
            ]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(purpose: &str, solver: &str, cpu_seconds: f64) -> DefectRun {
        let (purpose, solver, answer) = (purpose.to_owned(), solver.to_owned(), "timeout".to_owned());
        DefectRun { purpose, solver, limit_seconds: cpu_seconds.floor(), answer, cpu_seconds }
    }

    #[test]
    fn a_confirmation_outweighs_the_search() {
        let runs = [
            run("search", "z3", 1.01),
            run("search", "cvc4", 0.1),
            run("target 1", "z3@1", 4.02),
            run("target 2", "z3@1", 4.01),
        ];
        let target = timing(&runs, "target ", "z3", 1.0, 1.0);
        assert_eq!((target.seconds, target.limit), (4.02, 4.0));
        assert_eq!(timing(&runs, "reference ", "cvc4", 0.1, 1.0).seconds, 0.1);
        assert_eq!(timing(&[], "target ", "z3", 1.0, 2.0).seconds, 1.0);
    }
}
