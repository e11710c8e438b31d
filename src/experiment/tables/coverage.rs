//! How much of the solver the arms cover (`TypeFuzz`'s Fig. 7), and what one covers that another does not.

use super::covering::{Covering, CoveringArm, Sum};
use super::layout::{Table, grouped, halves};
use crate::coverage::{CoverageError, CoverageTotals, Share};
use crate::experiment::arm::PaperRow;
use crate::experiment::statistics::median;
use crate::experiment::{Arm, ExperimentError};

/// What stands where there is no number.
const NONE: &str = "–";

/// What is counted: its heading, and where it stands in totals and in the paper's row.
struct Kind {
    heading: &'static str,
    share: fn(&CoverageTotals) -> Share,
    paper: fn(&PaperRow) -> Option<f64>,
    /// The paper's number, where it prints no percentage.
    counted: fn(&PaperRow) -> Option<f64>,
}

const KINDS: [Kind; 3] = [
    Kind {
        heading: "Lines",
        share: |totals| totals.lines,
        paper: |paper| paper.lines,
        counted: |paper| paper.line_count,
    },
    Kind {
        heading: "Functions",
        share: |totals| totals.functions,
        paper: |paper| paper.functions,
        counted: |paper| paper.function_count,
    },
    Kind { heading: "Branches", share: |totals| totals.branches, paper: |paper| paper.branches, counted: |_| None },
];

/// All three tables.
pub(super) fn tables(covering: &Covering<'_>) -> Result<[Table; 3], ExperimentError> {
    // Sets of different builds were refused when they were read.
    let beyond = only_here(covering).map_err(|error| ExperimentError::Coverage { reason: error.to_string() })?;
    Ok([shares(covering), beyond, gains(covering)])
}

/// How much each arm covers.
fn shares(covering: &Covering<'_>) -> Table {
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for CoveringArm { arm, repeats } in &covering.arms {
        let typical = |of: &dyn Fn(&Sum) -> f64| median(&repeats.values().map(of).collect::<Vec<_>>());
        let scripts = typical(&|sum| sum.scripts as f64);
        let seconds = typical(&|sum| sum.seconds);
        let mut row = vec![arm.label().to_owned()];
        let mut record = vec![arm.name.clone(), repeats.len().to_string(), number(scripts)];
        for kind in &KINDS {
            let share = |sum: &Sum| (kind.share)(&sum.covered.totals());
            let percent = typical(&|sum| share(sum).percent());
            let paper = paper(arm, kind);
            let ours = percent.map_or_else(|| NONE.to_owned(), |percent| format!("{percent:.1} %"));
            let count = typical(&|sum| share(sum).covered as f64);
            let counted = arm.paper.as_ref().and_then(kind.counted);
            row.push(match (paper, count.zip(counted)) {
                (Some(paper), _) => format!("{ours} ({paper:.1} %)"),
                (None, Some((count, paper))) => format!("{ours}: {} ({})", grouped(count, 0), grouped(paper, 0)),
                (None, None) => ours,
            });
            let total = repeats.values().next().map(|sum| share(sum).total as f64);
            record.extend([count, total, percent, paper].map(number));
        }
        row.push(scripts.map_or_else(|| NONE.to_owned(), halves));
        row.push(seconds.map_or_else(|| NONE.to_owned(), |seconds| grouped(seconds, 0)));
        record.push(number(seconds));
        rows.push(row);
        records.push(record);
    }
    let headings = ["Arm"].into_iter().chain(KINDS.map(|kind| kind.heading)).chain(["Scripts", "CPU seconds"]);
    Table {
        name: "coverage".into(),
        title: "Lines, functions and branches that are covered".into(),
        note: format!(
            "Of {}, per cent of all that it has; medians over the repeats, in parentheses the paper's. A union is what its \
             parts cover together in a repeat. {} {}.",
            covering.solver(),
            refusals(covering),
            covering.finished()
        ),
        headings: headings.map(str::to_owned).collect(),
        rows,
        columns: vec![
            "arm",
            "repeats",
            "scripts",
            "lines",
            "all_lines",
            "lines_percent",
            "paper_lines_percent",
            "functions",
            "all_functions",
            "functions_percent",
            "paper_functions_percent",
            "branches",
            "all_branches",
            "branches_percent",
            "paper_branches_percent",
            "solver_seconds",
        ],
        records,
    }
}

/// How many of the scripts the solver did not take to their end.
fn refusals(covering: &Covering<'_>) -> String {
    let (scripts, without) = covering.scripts();
    let refused = covering.answered(&["error", "unsupported"]);
    let ended = covering.answered(&["timeout", "memout"]);
    let lost = match without {
        0 => String::new(),
        without => format!(" {} left no counters, and count as nothing.", grouped(without as f64, 0)),
    };
    format!(
        "Of {} scripts the solver refused {}, and {} were at the limit of time or memory; what these cover until then \
         counts.{lost}",
        grouped(scripts as f64, 0),
        grouped(refused as f64, 0),
        grouped(ended as f64, 0)
    )
}

/// What each arm covers that each other one does not.
fn only_here(covering: &Covering<'_>) -> Result<Table, CoverageError> {
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for one in &covering.arms {
        let mut row = vec![one.arm.label().to_owned()];
        for other in &covering.arms {
            if one.arm.name == other.arm.name {
                row.push(NONE.to_owned());
                continue;
            }
            let beyond: Vec<CoverageTotals> =
                pairs(one, other).map(|(one, other)| one.covered.beyond(&other.covered)).collect::<Result<_, _>>()?;
            let counts =
                KINDS.map(|kind| beyond.iter().map(|totals| (kind.share)(totals).covered as f64).collect::<Vec<_>>());
            let [lines, functions, branches] = counts.each_ref().map(|counts| median(counts));
            row.push(lines.map_or_else(|| NONE.to_owned(), halves));
            let least = counts[0].iter().copied().reduce(f64::min);
            let mut record = vec![one.arm.name.clone(), other.arm.name.clone(), beyond.len().to_string()];
            record.extend([lines, least, functions, branches].map(number));
            records.push(record);
        }
        rows.push(row);
    }
    let labels = covering.arms.iter().map(|arm| arm.arm.label().to_owned());
    Ok(Table {
        name: "only-here".into(),
        title: "Lines that the row's arm covers and the column's does not".into(),
        note: "Medians over the repeats. Two arms of which each has such lines are complementary.".into(),
        headings: ["only in".to_owned()].into_iter().chain(labels).collect(),
        rows,
        columns: vec!["arm", "other", "repeats", "lines", "least_lines", "functions", "branches"],
        records,
    })
}

/// By how much later arms cover more than earlier ones, and whether they do in each repeat.
fn gains(covering: &Covering<'_>) -> Table {
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for (index, later) in covering.arms.iter().enumerate() {
        for earlier in &covering.arms[..index] {
            let mut row = vec![format!("{} over {}", later.arm.label(), earlier.arm.label())];
            let mut record = vec![later.arm.name.clone(), earlier.arm.name.clone()];
            record.push(pairs(later, earlier).count().to_string());
            for kind in &KINDS {
                let percent = |sum: &Sum| (kind.share)(&sum.covered.totals()).percent();
                let gains: Vec<f64> =
                    pairs(later, earlier).map(|(later, earlier)| percent(later) - percent(earlier)).collect();
                let more = gains.iter().filter(|gain| **gain > 0.0).count();
                let typical = median(&gains);
                let in_paper =
                    paper(later.arm, kind).zip(paper(earlier.arm, kind)).map(|(later, earlier)| later - earlier);
                let papers = in_paper.map_or_else(String::new, |gain| format!(" [{gain:+.1}]"));
                row.push(
                    typical
                        .map_or_else(|| NONE.to_owned(), |gain| format!("{gain:+.2} ({more}/{}){papers}", gains.len())),
                );
                record.extend([number(typical), more.to_string(), number(in_paper)]);
            }
            rows.push(row);
            records.push(record);
        }
    }
    Table {
        name: "gains".into(),
        title: "How much more one arm covers than another, in percentage points".into(),
        note: "Medians over the repeats, of differences within a repeat; in parentheses in how many of them the first covers \
               more, in brackets the paper's difference."
            .into(),
        headings: ["Arms"].into_iter().chain(KINDS.map(|kind| kind.heading)).map(str::to_owned).collect(),
        rows,
        columns: vec![
            "arm",
            "other",
            "repeats",
            "lines_gain",
            "lines_more",
            "paper_lines_gain",
            "functions_gain",
            "functions_more",
            "paper_functions_gain",
            "branches_gain",
            "branches_more",
            "paper_branches_gain",
        ],
        records,
    }
}

/// What both came to, by the repeats in which both are finished.
fn pairs<'a>(one: &'a CoveringArm<'_>, other: &'a CoveringArm<'_>) -> impl Iterator<Item = (&'a Sum, &'a Sum)> {
    one.repeats.iter().filter_map(|(repeat, sum)| Some((sum, other.repeats.get(repeat)?)))
}

fn paper(arm: &Arm, kind: &Kind) -> Option<f64> {
    arm.paper.as_ref().and_then(kind.paper)
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
