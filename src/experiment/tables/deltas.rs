//! What each reducer makes of the formulas that show a defect: time, size and reduction (`DeltaSMT`'s Table 3).

use std::collections::HashMap;

use super::hunted::{FinishedHunt, Hunted};
use super::layout::Table;
use crate::experiment::statistics::{mean, median};

/// The most formulas of one bug class that count, as in the paper.
const MOST_OF_A_CLASS: usize = 50;

/// A row of the paper's Table 3. What its text does not say is `None`.
struct PaperRow {
    solver: &'static str,
    formulas: u32,
    classes: u32,
    /// Seconds: the mean, the median.
    seconds: (f64, Option<f64>),
    /// Bytes after delta debugging, likewise.
    bytes: (f64, Option<f64>),
    /// Percent of the bytes, likewise.
    reduction: (f64, Option<f64>),
}

/// Table 3, first the formulas without division, then those with a guarded one.
const PAPER: [PaperRow; 9] = [
    row("CVC3 1.5", [139, 9], (172.0, Some(14.0)), (2429.0, Some(918.0)), (98.0, None)),
    row("MathSAT 4.2.3", [50, 1], (10.0, None), (611.0, None), (97.0, None)),
    row("OpenSMT", [154, 4], (5.0, Some(2.0)), (492.0, None), (96.0, None)),
    row("Spear 2.7", [6, 1], (5.0, None), (401.0, None), (96.0, None)),
    row("Sword smt-comp", [1, 1], (4.0, None), (135.0, None), (99.0, None)),
    row("Beaver 1.1 rc1, division", [469, 12], (5.0, None), (319.0, None), (98.0, None)),
    row("MathSAT 4.2.3, division", [190, 5], (58.0, Some(13.0)), (3709.0, Some(715.0)), (76.0, Some(91.0))),
    row("Spear 2.7, division", [100, 2], (4.0, None), (228.0, None), (99.0, None)),
    row("Z3 1.2, division", [50, 1], (734.0, Some(648.0)), (254.0, None), (99.0, None)),
];

const fn row(
    solver: &'static str,
    [formulas, classes]: [u32; 2],
    seconds: (f64, Option<f64>),
    bytes: (f64, Option<f64>),
    reduction: (f64, Option<f64>),
) -> PaperRow {
    PaperRow { solver, formulas, classes, seconds, bytes, reduction }
}

/// What one arm made of the formulas of one defect.
struct Reduced {
    formulas: usize,
    classes: usize,
    /// How many of them it made smaller.
    smaller: usize,
    /// One number for each formula: bytes as it was found and as it came out (the same where nothing smaller did), percent
    /// that was taken away, CPU seconds.
    before: Vec<f64>,
    after: Vec<f64>,
    reduction: Vec<f64>,
    seconds: Vec<f64>,
    /// Candidates that were judged, where that is known.
    candidates: Vec<f64>,
}

impl Reduced {
    fn of(runs: &[&FinishedHunt<'_>]) -> Reduced {
        let (mut of_class, mut found) = (HashMap::<&str, usize>::new(), Vec::new());
        for &run in runs.iter().filter(|run| run.before.is_some()) {
            let seen = of_class.entry(run.class.as_deref().unwrap_or_default()).or_default();
            *seen += 1;
            if *seen <= MOST_OF_A_CLASS {
                found.push(run);
            }
        }
        let bytes = |run: &FinishedHunt<'_>| {
            let before = run.before.map_or(0, |size| size.bytes);
            (before as f64, run.smaller().map_or(before, |size| size.bytes) as f64)
        };
        let (before, after): (Vec<f64>, Vec<f64>) = found.iter().map(|run| bytes(run)).unzip();
        Reduced {
            formulas: found.len(),
            classes: of_class.len(),
            smaller: found.iter().filter(|run| run.smaller().is_some()).count(),
            reduction: before.iter().zip(&after).map(|(before, after)| 100.0 * (1.0 - after / before)).collect(),
            before,
            after,
            seconds: found.iter().filter_map(|run| run.minimising_seconds).collect(),
            candidates: found.iter().filter_map(|run| Some(run.external.as_ref()?.candidates? as f64)).collect(),
        }
    }
}

/// The table.
pub(super) fn table(hunted: &Hunted<'_>) -> Table {
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    let arms = || hunted.plan.arms.iter().filter(|arm| arm.hunt.minimises());
    for defect in &hunted.hunts.defects {
        for arm in arms() {
            let reduced = Reduced::of(&hunted.of(&arm.name, Some(defect)));
            let mut row = vec![defect.name.clone(), arm.label().to_owned()];
            row.push(if reduced.smaller < reduced.formulas {
                format!("{} ({} smaller)", reduced.formulas, reduced.smaller)
            } else {
                reduced.formulas.to_string()
            });
            row.push(reduced.classes.to_string());
            row.push(whole(mean(&reduced.before)));
            row.push(pair(mean(&reduced.seconds), median(&reduced.seconds), tenths));
            row.push(pair(mean(&reduced.after), median(&reduced.after), whole));
            row.push(pair(mean(&reduced.reduction), median(&reduced.reduction), percent));
            rows.push(row);
            records.push(record(&defect.name, &arm.name, &reduced));
        }
    }
    for PaperRow { solver, formulas, classes, seconds, bytes, reduction } in &PAPER {
        let numbers = [formulas, classes].map(ToString::to_string);
        let mut row = vec![format!("paper: {solver}"), "DeltaSMT".to_owned()];
        row.extend(numbers.into_iter().chain([whole(None)]));
        row.push(pair(Some(seconds.0), seconds.1, whole));
        row.push(pair(Some(bytes.0), bytes.1, whole));
        row.push(pair(Some(reduction.0), reduction.1, |value| whole(value) + " %"));
        rows.push(row);
    }
    let headings = ["Defect", "Reducer", "f", "c", "bytes", "t in s", "s in bytes", "r"];
    Table {
        name: "deltas".into(),
        title: "Formulas that show a defect, and what reducers make of them".into(),
        note: format!(
            "f: formulas, at most {MOST_OF_A_CLASS} of a class; of one defect all reducers have the same. c: bug classes \
             among the results: the messages of a crash, or the sets of operators that are left of a wrong answer. bytes: the \
             formulas as they were found, on average. t: CPU seconds of the reducer with all that it ran. s: bytes that are \
             left; a formula that was not made smaller counts as it was found. r: bytes that were taken away. Of t, s and r \
             the mean, and in parentheses the median. The paper's t is a time of its own machine, and its formulas are in \
             SMT-LIB 1.2. {}.",
            hunted.finished()
        ),
        headings: headings.map(str::to_owned).to_vec(),
        rows,
        columns: vec![
            "defect",
            "arm",
            "formulas",
            "reduced",
            "classes",
            "bytes_before_mean",
            "seconds_mean",
            "seconds_median",
            "bytes_mean",
            "bytes_median",
            "reduction_percent_mean",
            "reduction_percent_median",
            "candidates_mean",
        ],
        records,
    }
}

fn record(defect: &str, arm: &str, reduced: &Reduced) -> Vec<String> {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut record = vec![defect.to_owned(), arm.to_owned()];
    record.extend([reduced.formulas, reduced.smaller, reduced.classes].map(|count| count.to_string()));
    record.push(number(mean(&reduced.before)));
    for values in [&reduced.seconds, &reduced.after, &reduced.reduction] {
        record.extend([number(mean(values)), number(median(values))]);
    }
    record.push(number(mean(&reduced.candidates)));
    record
}

/// A mean with its median in parentheses, if there is one.
fn pair(mean: Option<f64>, median: Option<f64>, text: impl Fn(Option<f64>) -> String) -> String {
    match median {
        Some(_) => format!("{} ({})", text(mean), text(median)),
        None => text(mean),
    }
}

fn whole(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"))
}

fn tenths(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

fn percent(value: Option<f64>) -> String {
    tenths(value) + " %"
}
