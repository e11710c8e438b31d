//! When a search came upon each of the distinct defects that the triage after it tells apart.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;

use super::ExperimentError;
use crate::record::format::EvaluationRow;
use crate::record::{Lesson, names, read_defects, read_json, read_lessons, read_rows};
use crate::triage::report::Defect;

/// When the confirmed defects of one run were found, in CPU seconds that the search was charged with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discovery {
    /// When the first instance of each was evaluated, in order.
    pub found: Vec<f64>,
    /// When the search was over.
    pub end: f64,
}

/// The list of a triage.
#[derive(Default, Deserialize)]
#[serde(default)]
struct List {
    defects: Vec<Defect>,
}

impl Discovery {
    /// Reads it from the directory of a run whose triage is over.
    ///
    /// # Errors
    /// [`ExperimentError::Record`].
    pub fn read(root: &Path) -> Result<Self, ExperimentError> {
        let rows: Vec<EvaluationRow> = read_rows(&root.join(names::EVALUATIONS))?;
        let (moments, end) = moments(&rows, &read_lessons(root)?);
        let mut individuals = HashMap::new();
        for defect in read_defects(root)? {
            individuals.insert(defect.folder.file_name().map(OsStr::to_owned), defect.record.id);
        }
        let list: Option<List> = read_json(&root.join(names::TRIAGE).join("triage.json"))?;
        let confirmed = list.unwrap_or_default().defects.into_iter().filter(Defect::is_confirmed);
        let members = confirmed.map(|defect| {
            // By the name of its folder: the experiment's may be elsewhere by now.
            let name = |path: &str| Path::new(path).parent().and_then(Path::file_name).map(OsStr::to_owned);
            defect.members.iter().filter_map(|member| individuals.get(&name(&member.path)).copied()).collect()
        });
        Ok(Self::of(members.collect(), &moments, end))
    }

    /// Of defects, each given by the individuals that are it, and of the moments in which individuals were evaluated. What was
    /// evaluated at an unknown moment counts as found at the end.
    fn of(defects: Vec<Vec<u32>>, moments: &HashMap<u32, f64>, end: f64) -> Self {
        let first = |members: Vec<u32>| {
            let known = members.iter().filter_map(|id| moments.get(id)).copied();
            known.fold(end, f64::min)
        };
        let mut found: Vec<f64> = defects.into_iter().map(first).collect();
        found.sort_by(f64::total_cmp);
        Discovery { found, end }
    }

    /// How many defects were found by then.
    pub fn by(&self, seconds: f64) -> usize {
        self.found.partition_point(|moment| *moment <= seconds)
    }
}

/// The CPU seconds that the search was charged with when each individual was evaluated, one after the other, and those of
/// the whole search. A lesson comes before its generation.
fn moments(rows: &[EvaluationRow], lessons: &[Lesson]) -> (HashMap<u32, f64>, f64) {
    let mut open = lessons.to_vec();
    let mut charged = 0.0;
    let mut moments = HashMap::new();
    for row in rows {
        open.retain(|lesson| {
            let is_before = lesson.generation <= row.generation;
            charged += if is_before { lesson.solver_seconds } else { 0.0 };
            !is_before
        });
        charged += row.charged_seconds.unwrap_or(row.solver_seconds);
        moments.insert(row.id, charged);
    }
    let end = charged + open.iter().map(|lesson| lesson.solver_seconds).sum::<f64>();
    (moments, end)
}

/// The moment by which half of the runs had found so many defects (1, 2, …): of an even number of runs, the earlier of the
/// two in the middle; `None` if fewer than half ever did.
pub(super) fn time_to(runs: &[Discovery], defects: usize) -> Option<f64> {
    let place = defects.checked_sub(1)?;
    let moment = |run: &Discovery| run.found.get(place).copied().unwrap_or(f64::INFINITY);
    let mut moments: Vec<f64> = runs.iter().map(moment).collect();
    moments.sort_by(f64::total_cmp);
    let middle = moments.len().checked_sub(1)? / 2;
    Some(moments[middle]).filter(|moment| moment.is_finite())
}

/// The mean number of defects that the runs had found by then; `None` of no runs. A run that is over keeps what it has.
pub(super) fn mean_by(runs: &[Discovery], seconds: f64) -> Option<f64> {
    let counts: Vec<f64> = runs.iter().map(|run| run.by(seconds) as f64).collect();
    super::statistics::mean(&counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(found: &[f64]) -> Discovery {
        Discovery { found: found.to_vec(), end: 100.0 }
    }

    #[test]
    fn a_defect_is_found_when_its_first_instance_is_evaluated() {
        let moments = HashMap::from([(1, 10.0), (2, 20.0), (3, 30.0)]);
        let found = Discovery::of(vec![vec![3, 2], vec![1], vec![99]], &moments, 40.0);
        assert_eq!(found, Discovery { found: vec![10.0, 20.0, 40.0], end: 40.0 });
        assert_eq!([9.9, 10.0, 25.0, 40.0].map(|seconds| found.by(seconds)), [0, 1, 2, 3]);
    }

    #[test]
    fn the_kth_defect_is_reached_when_half_of_the_runs_have_it() {
        let runs = [run(&[5.0, 50.0]), run(&[9.0]), run(&[7.0, 60.0]), run(&[])];
        assert_eq!(time_to(&runs, 1), Some(7.0));
        assert_eq!(time_to(&runs, 2), Some(60.0), "two of four");
        assert_eq!(time_to(&runs[..3], 2), Some(60.0));
        assert_eq!(time_to(&runs, 3), None);
        assert_eq!(time_to(&[runs[0].clone(), run(&[]), run(&[])], 1), None, "one of three");
        assert_eq!((time_to(&[], 1), time_to(&runs, 0)), (None, None));
        assert_eq!(mean_by(&runs, 8.0), Some(0.5));
        assert_eq!((mean_by(&runs, 100.0), mean_by(&[], 1.0)), (Some(1.25), None));
    }

    #[test]
    fn lessons_are_paid_for_before_the_generation_that_they_decide() {
        let row = |id: u32, generation: u32, charged: f64| {
            let text = format!("{id},{generation},0,,,,,0,,0,0,,,0,0,,,,true,,9,,,{charged}");
            let header = <EvaluationRow as crate::record::Row>::COLUMNS.join(",");
            let table = format!("{header}\n{text}\n");
            csv::Reader::from_reader(table.as_bytes()).deserialize().next().unwrap().unwrap()
        };
        let rows = [row(0, 0, 1.0), row(1, 0, 2.0), row(2, 1, 4.0)];
        let lesson = |generation, solver_seconds| Lesson {
            generation,
            id: 0,
            core: None,
            pattern: None,
            slow: 0,
            tried: 0,
            solver_seconds,
        };
        let (moments, end) = moments(&rows, &[lesson(1, 10.0), lesson(2, 20.0)]);
        assert_eq!([0, 1, 2].map(|id| moments[&id]), [1.0, 3.0, 17.0]);
        assert_eq!(end, 37.0);
    }
}
