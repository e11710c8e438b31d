//! Instances, and CPU time of the solver, until a defect is found, by the bounds of STORM (its RQ3, Figs. 4 and 5).

use super::hunted::{FinishedHunt, Hunted};
use super::layout::{Table, grouped, halves};
use crate::config::format_duration;
use crate::experiment::statistics::median;
use crate::experiment::{Arm, Defect};

/// What the hunts under two bounds came to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    runs: usize,
    found: usize,
    /// A run that did not find the defect counts as one that takes for ever.
    instances: Option<f64>,
    seconds: Option<f64>,
}

impl Cell {
    fn of(runs: &[&FinishedHunt<'_>]) -> Cell {
        let typical = |value: fn(&FinishedHunt<'_>) -> f64| {
            let values: Vec<f64> = runs.iter().map(|run| if run.found { value(run) } else { f64::INFINITY }).collect();
            median(&values).filter(|value| value.is_finite())
        };
        Cell {
            runs: runs.len(),
            found: runs.iter().filter(|run| run.found).count(),
            instances: typical(|run| run.instances as f64),
            seconds: typical(|run| run.seconds),
        }
    }
}

/// The bounds of an arm that compares them: of the depth, of the assertions. One that minimises is a column of `sizes`.
fn bounds(arm: &Arm) -> Option<(u32, u32)> {
    arm.hunt.depth.zip(arm.hunt.assertions).filter(|_| !arm.hunt.minimises())
}

/// Both tables: instances, seconds.
pub(super) fn tables(hunted: &Hunted<'_>) -> [Table; 2] {
    let distinct = |of: fn((u32, u32)) -> u32| {
        let mut values: Vec<u32> = hunted.plan.arms.iter().filter_map(bounds).map(of).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (depths, assertions) = (distinct(|(depth, _)| depth), distinct(|(_, assertions)| assertions));
    let cell = |defect: Option<&Defect>, depth: u32, assertions: u32| {
        let arms = hunted.plan.arms.iter().filter(|arm| bounds(arm) == Some((depth, assertions)));
        Cell::of(&arms.flat_map(|arm| hunted.of(&arm.name, defect)).collect::<Vec<_>>())
    };
    let mut headings = vec!["Defect".to_owned(), "Depth".to_owned()];
    headings.extend(assertions.iter().map(|assertions| format!("{assertions} assertions")));
    let (mut instances, mut seconds) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    let each = hunted.hunts.defects.iter().map(Some).filter(|_| hunted.hunts.defects.len() > 1);
    for defect in [None].into_iter().chain(each) {
        let name = defect.map_or("all", |defect| defect.name.as_str());
        for &depth in &depths {
            let cells: Vec<Cell> = assertions.iter().map(|&assertions| cell(defect, depth, assertions)).collect();
            let row = |text: &dyn Fn(&Cell) -> String| {
                [name.to_owned(), depth.to_string()].into_iter().chain(cells.iter().map(text)).collect::<Vec<_>>()
            };
            instances.0.push(row(&|cell| said(cell, cell.instances.map(halves))));
            seconds.0.push(row(&|cell| said(cell, cell.seconds.map(|seconds| grouped(seconds, 2)))));
            for (cell, assertions) in cells.iter().zip(&assertions) {
                let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
                let start = [name.to_owned(), depth.to_string(), assertions.to_string(), cell.runs.to_string()];
                let record = |value| [&start[..], &[cell.found.to_string(), number(value)]].concat();
                instances.1.push(record(cell.instances));
                seconds.1.push(record(cell.seconds));
            }
        }
    }
    let table = |name: &str, title: &str, note: String, column, (rows, records)| Table {
        name: name.into(),
        title: title.into(),
        note,
        headings: headings.clone(),
        rows,
        columns: vec!["defect", "depth", "assertions", "runs", "found", column],
        records,
    };
    let what = "by the bounds of depth (rows) and assertions (columns)";
    let of_all = |depth, assertions| cell(None, depth, assertions).instances;
    [
        table(
            "iterations",
            &format!("Instances until a defect is found, {what}"),
            note(hunted) + &gain(&depths, &assertions, of_all),
            "median_instances",
            instances,
        ),
        table(
            "iteration-seconds",
            &format!("CPU seconds of the solver until a defect is found, {what}"),
            note(hunted),
            "median_seconds",
            seconds,
        ),
    ]
}

fn note(hunted: &Hunted<'_>) -> String {
    let first = hunted.plan.arms.iter().find(|arm| bounds(arm).is_some());
    let config = first.and_then(|arm| hunted.hunts.config(arm).ok());
    let sizes = config.map_or(String::new(), |config| {
        let (instances, limit) = (config.instances, format_duration(config.limit));
        format!(" within at most {instances} instances, {limit} of CPU time each")
    });
    format!(
        "Medians over the runs of all defects, then of each; in parentheses how many runs found the defect{sizes}, if not \
         all did; – where half of them did not. {}.",
        hunted.finished()
    )
}

/// How much a large bound of assertions gains, beside what the paper says of its Fig. 4, which prints no numbers.
fn gain(depths: &[u32], assertions: &[u32], median: impl Fn(u32, u32) -> Option<f64>) -> String {
    let (Some(&depth), Some(&least), Some(&most)) = (depths.first(), assertions.first(), assertions.last()) else {
        return String::new();
    };
    let Some((small, large)) = median(depth, least).zip(median(depth, most)) else { return String::new() };
    format!(
        " At depth {depth}, {least} assertions take {:.1} times the instances of {most} (in the paper up to 12 times at \
         depth 4).",
        small / large
    )
}

fn said(cell: &Cell, value: Option<String>) -> String {
    let value = value.unwrap_or_else(|| "–".to_owned());
    if cell.found < cell.runs { format!("{value} ({}/{})", cell.found, cell.runs) } else { value }
}
