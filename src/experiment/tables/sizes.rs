//! How small each way of minimising makes the instances that show a defect (STORM's RQ4, Table 4).

use super::hunted::{FinishedHunt, Hunted};
use super::layout::{Table, halves};
use crate::experiment::statistics::{mean, median};
use crate::experiment::{Arm, Defect};
use crate::hunt::size::InstanceSize;

/// What stands where there is no number.
const NONE: &str = "–";

/// Bytes, assertions, depth.
type Size = [f64; 3];

/// What one arm made of the instances of one defect.
struct Reduced {
    found: usize,
    /// How many of them it took bytes away from.
    smaller: usize,
    /// Medians: of all, of those.
    before: Option<Size>,
    after: Option<Size>,
    /// Bytes that it took away, percent, the median; 0 from one that it did not make smaller.
    reduction: Option<f64>,
    /// CPU seconds that it took for all of them.
    seconds: f64,
}

impl Reduced {
    fn of(runs: &[&FinishedHunt<'_>]) -> Reduced {
        let found: Vec<(InstanceSize, Option<InstanceSize>)> =
            runs.iter().filter_map(|run| Some((run.before?, run.smaller()))).collect();
        let kept = |before: InstanceSize, after: Option<InstanceSize>| {
            after.map_or(1.0, |after| after.bytes as f64 / before.bytes as f64)
        };
        let percent: Vec<f64> = found.iter().map(|&(before, after)| 100.0 * (1.0 - kept(before, after))).collect();
        Reduced {
            found: runs.iter().filter(|run| run.found).count(),
            smaller: found.iter().filter(|(_, after)| after.is_some()).count(),
            before: medians(found.iter().map(|(before, _)| *before)),
            after: medians(found.iter().filter_map(|(_, after)| *after)),
            reduction: median(&percent),
            seconds: runs.iter().filter_map(|run| run.minimising_seconds).sum(),
        }
    }
}

fn medians(sizes: impl Iterator<Item = InstanceSize>) -> Option<Size> {
    let all: Vec<Size> = sizes.map(|size| [size.bytes as f64, size.assertions as f64, f64::from(size.depth)]).collect();
    let of = |column: usize| median(&all.iter().map(|size| size[column]).collect::<Vec<_>>());
    Some([of(0)?, of(1)?, of(2)?])
}

/// The table.
pub(super) fn table(hunted: &Hunted<'_>) -> Table {
    let arms: Vec<&Arm> = hunted.plan.arms.iter().filter(|arm| arm.hunt.minimises()).collect();
    let mut headings = vec!["Defect".to_owned(), "As found".to_owned()];
    headings.extend(arms.iter().map(|arm| arm.label().to_owned()));
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    let mut reductions: Vec<Vec<f64>> = vec![Vec::new(); arms.len()];
    let mut seconds = vec![0.0; arms.len()];
    for defect in &hunted.hunts.defects {
        let each: Vec<Reduced> = arms.iter().map(|arm| Reduced::of(&hunted.of(&arm.name, Some(defect)))).collect();
        // All arms have the same instance in a repeat.
        let before = each.iter().find_map(|reduced| reduced.before);
        let mut row = vec![defect.name.clone(), text(before)];
        row.extend(each.iter().map(|reduced| {
            let partly = reduced.smaller < reduced.found && reduced.smaller > 0;
            let share = if partly { format!(" ({}/{})", reduced.smaller, reduced.found) } else { String::new() };
            text(reduced.after) + &share
        }));
        rows.push(row);
        for (index, (arm, reduced)) in arms.iter().zip(&each).enumerate() {
            reductions[index].extend(reduced.reduction);
            seconds[index] += reduced.seconds;
            records.push(record(arm, defect, reduced));
        }
    }
    for (name, of) in [("mean reduction", mean as fn(&[f64]) -> Option<f64>), ("median reduction", median)] {
        let mut row = vec![name.to_owned(), String::new()];
        row.extend(arms.iter().zip(&reductions).map(|(arm, reductions)| {
            let ours = of(reductions).map_or_else(|| NONE.to_owned(), |value| format!("{value:.1} %"));
            match arm.paper.and_then(|paper| paper.reduction).filter(|_| name.starts_with("median")) {
                Some(paper) => format!("{ours} ({paper} %)"),
                None => ours,
            }
        }));
        rows.push(row);
    }
    let mut row = vec!["CPU seconds".to_owned(), String::new()];
    row.extend(seconds.iter().map(|seconds| format!("{seconds:.1}")));
    rows.push(row);
    Table {
        name: "sizes".into(),
        title: "Sizes of instances as they were found and minimised: bytes / assertions / depth".into(),
        note: format!(
            "Medians over the repeats; within a repeat all have the same instance to minimise. Depth: nesting of \
             connectives, 0 for a predicate. – where no instance of fewer bytes came out, in parentheses of how many runs \
             one did, whose sizes these are. Reductions: bytes that were taken away, none where no smaller instance came \
             out, over the defects; in parentheses what the paper says of its own defects. CPU seconds: of all runs \
             together, of solvers in our minimising, of the whole process with all that it ran in another's. {}.",
            hunted.finished()
        ),
        headings,
        rows,
        columns: vec![
            "defect",
            "arm",
            "found",
            "reduced",
            "bytes_before",
            "assertions_before",
            "depth_before",
            "bytes",
            "assertions",
            "depth",
            "reduction_percent",
            "paper_reduction_percent",
            "minimising_seconds",
        ],
        records,
    }
}

fn record(arm: &Arm, defect: &Defect, reduced: &Reduced) -> Vec<String> {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut record =
        vec![defect.name.clone(), arm.name.clone(), reduced.found.to_string(), reduced.smaller.to_string()];
    for size in [reduced.before, reduced.after] {
        record.extend((0..3).map(|column| number(size.map(|size| size[column]))));
    }
    record.extend([
        number(reduced.reduction),
        number(arm.paper.and_then(|paper| paper.reduction)),
        reduced.seconds.to_string(),
    ]);
    record
}

fn text(size: Option<Size>) -> String {
    size.map_or_else(|| NONE.to_owned(), |size| size.map(halves).join(" / "))
}
