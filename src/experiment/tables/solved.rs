//! How much of the result sets the target solves: what the paper's RQ1 says of its Fig. 3, in numbers.

use super::collect::Collected;
use super::layout::Table;
use super::measure::Measure;
use crate::config::format_duration;
use crate::experiment::PaperRow;
use crate::experiment::statistics::mean;

/// What stands where there is no number.
const NONE: &str = "–";

/// A share, and what the paper prints of it.
type Column = (Measure, fn(&PaperRow) -> Option<f64>);

/// The table.
pub(super) fn table(collected: &Collected<'_>) -> Table {
    let columns: [Column; 2] =
        [(Measure::SOLVED_IN_A_SECOND, |paper| paper.solved_in_a_second), (Measure::SOLVED, |paper| paper.solved)];
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for arm in &collected.arms {
        let paper = arm.arm.paper.unwrap_or_default();
        let mut row = vec![arm.arm.label().to_owned(), arm.runs.len().to_string()];
        let mut record = vec![arm.arm.name.clone(), arm.runs.len().to_string()];
        for (measure, of_paper) in &columns {
            let ours = mean(&arm.values(measure));
            let theirs = of_paper(&paper);
            let text = ours.map_or_else(|| NONE.to_owned(), |ours| format!("{} %", measure.text(ours)));
            row.push(theirs.map_or_else(|| text.clone(), |theirs| format!("{text} ({theirs:.1} %)")));
            record.extend([ours, theirs].map(|value| value.map(|value| value.to_string()).unwrap_or_default()));
        }
        rows.push(row);
        records.push(record);
    }
    let limit = format_duration(collected.campaigns.measure_limit);
    Table {
        name: "solved".into(),
        title: "How much of the result sets the target solves (RQ1, Fig. 3)".into(),
        note: format!(
            "Members of the result set that the target answers with sat or unsat, per cent, within a second and within {limit} \
             of CPU time; means over the runs, in parentheses what the paper says of Fig. 3 (within 40m). {}.",
            collected.finished()
        ),
        headings: ["Method", "Runs", "Solved in 1 s", &format!("Solved in {limit}")].map(str::to_owned).to_vec(),
        rows,
        columns: vec![
            "arm",
            "runs",
            "solved_in_a_second_percent",
            "paper_solved_in_a_second_percent",
            "solved_percent",
            "paper_solved_percent",
        ],
        records,
    }
}
