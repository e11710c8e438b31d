//! When distinct defects were found: how many by when, and when the k-th.

use super::collect::Collected;
use super::layout::{Table, grouped};
use crate::experiment::ExperimentError;
use crate::experiment::discovery::{Discovery, mean_by, time_to};

/// Moments of the curve in its file.
const STEPS: u32 = 100;
/// Of those, the ones that people see: every so many.
const SHOWN: u32 = 20;
/// Which of the defects, counted, are asked when they were found.
const COUNTS: [(usize, &str); 8] = [
    (1, "seconds_to_1"),
    (2, "seconds_to_2"),
    (3, "seconds_to_3"),
    (4, "seconds_to_4"),
    (6, "seconds_to_6"),
    (8, "seconds_to_8"),
    (12, "seconds_to_12"),
    (16, "seconds_to_16"),
];
/// What stands where fewer than half of the runs got so far.
const NOT_REACHED: &str = "not reached";

/// The tables; none if runs are not triaged.
///
/// # Errors
/// [`ExperimentError::Record`] if a run cannot be read.
pub(super) fn tables(collected: &Collected<'_>) -> Result<Vec<Table>, ExperimentError> {
    if !collected.campaigns.triages() {
        return Ok(Vec::new());
    }
    let mut arms = Vec::new();
    for arm in &collected.arms {
        let runs: Result<Vec<Discovery>, _> = arm.runs.iter().map(|(_, root, _)| Discovery::read(root)).collect();
        arms.push(Found { name: &arm.arm.name, label: arm.arm.label(), runs: runs? });
    }
    let finished = collected.finished();
    Ok(vec![curves(&arms, &finished), times(&arms, &finished)])
}

/// What the runs of one arm found.
struct Found<'a> {
    name: &'a str,
    label: &'a str,
    runs: Vec<Discovery>,
}

/// How many defects there were by when.
fn curves(arms: &[Found<'_>], finished: &str) -> Table {
    let end = arms.iter().flat_map(|arm| &arm.runs).map(|run| run.end).fold(0.0, f64::max);
    let moment = |step: u32| end * f64::from(step) / f64::from(STEPS);
    let shown: Vec<u32> = (1..=STEPS).filter(|step| step.is_multiple_of(SHOWN)).collect();
    let mut headings = vec!["Method".to_owned(), "Runs".to_owned()];
    headings.extend(shown.iter().map(|&step| format!("{} s", grouped(moment(step), 0))));
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for Found { name, label, runs } in arms {
        let mut row = vec![(*label).to_owned(), runs.len().to_string()];
        let at = |step: &u32| mean_by(runs, moment(*step)).map_or_else(|| "–".to_owned(), |mean| grouped(mean, 1));
        row.extend(shown.iter().map(at));
        rows.push(row);
        for step in 0..=STEPS {
            if let Some(mean) = mean_by(runs, moment(step)) {
                let numbers = [runs.len().to_string(), moment(step).to_string(), mean.to_string()];
                records.push([(*name).to_owned()].into_iter().chain(numbers).collect());
            }
        }
    }
    Table {
        name: "discovery".into(),
        title: "Distinct confirmed defects by the solver time of the search".into(),
        note: format!(
            "Means over the runs, at so many CPU seconds that the search was charged with, lessons included. A defect \
             counts from the moment on in which the first of the instances was evaluated that the triage puts under it. \
             {finished}."
        ),
        headings,
        rows,
        columns: vec!["arm", "runs", "seconds", "distinct"],
        records,
    }
}

/// When the k-th was found.
fn times(arms: &[Found<'_>], finished: &str) -> Table {
    let mut headings = vec!["Method".to_owned(), "Runs".to_owned()];
    headings.extend(COUNTS.iter().map(|(count, _)| format!("{count} (s)")));
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for Found { name, label, runs } in arms {
        let times = COUNTS.map(|(count, _)| time_to(runs, count));
        let head = |first: &str| vec![first.to_owned(), runs.len().to_string()];
        let text = |time: Option<f64>| time.map_or_else(|| NOT_REACHED.to_owned(), |time| grouped(time, 0));
        rows.push(head(label).into_iter().chain(times.map(text)).collect());
        let number = |time: Option<f64>| time.map(|time| time.to_string()).unwrap_or_default();
        records.push(head(name).into_iter().chain(times.map(number)).collect());
    }
    Table {
        name: "discovery-times".into(),
        title: "Solver time of the search until the k-th distinct confirmed defect".into(),
        note: format!(
            "Medians over the runs, in CPU seconds that the search was charged with: by then half of the runs had found so \
             many. {finished}."
        ),
        headings,
        rows,
        columns: ["arm", "runs"].into_iter().chain(COUNTS.map(|(_, key)| key)).collect(),
        records,
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Format;
    use super::*;

    #[test]
    fn the_tables_say_how_many_by_when_and_when_the_kth() {
        let run = |found: &[f64], end: f64| Discovery { found: found.to_vec(), end };
        let arms = [
            Found { name: "a", label: "Arm A", runs: vec![run(&[10.0, 30.0], 100.0), run(&[50.0], 90.0)] },
            Found { name: "b", label: "Arm B", runs: Vec::new() },
        ];
        let curves = curves(&arms, "2 of 4 runs are finished");
        assert_eq!(curves.headings, ["Method", "Runs", "20 s", "40 s", "60 s", "80 s", "100 s"]);
        assert_eq!(curves.rows[0], ["Arm A", "2", "0.5", "1.0", "1.5", "1.5", "1.5"]);
        assert_eq!(curves.rows[1], ["Arm B", "0", "–", "–", "–", "–", "–"]);
        assert_eq!(curves.records.len(), 101, "an arm without runs has no curve");
        assert_eq!(curves.records[30], ["a", "2", "30", "1"]);
        let times = times(&arms, "2 of 4 runs are finished");
        assert_eq!(times.rows[0][..5], ["Arm A", "2", "10", "30", "not reached"]);
        let csv = Format::Csv.of(&times);
        assert!(csv.contains("\na,2,10,30,,,,,,\nb,0,,,,,,,,\n"), "{csv}");
    }
}
