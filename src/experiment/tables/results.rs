//! The paper's Table I: means over the runs of each arm, the paper's own beside them.

use super::collect::Collected;
use super::layout::Table;
use super::measure::Measure;
use crate::config::format_duration;
use crate::experiment::PaperRow;
use crate::experiment::statistics::mean;

/// The paper's columns, then three of ours.
const COLUMNS: [Measure; 8] = [
    Measure::TOTAL_LINES,
    Measure::MEAN_LINES,
    Measure::MEAN_T_SCORE,
    Measure::TIMEOUTS,
    Measure::MEAN_COMPLEXITY,
    Measure::EVALUATIONS,
    Measure::DEFECTS,
    Measure::CORE_SECONDS,
];
/// What the column of the triage is.
const TOLD: &str = " Distinct: defects that a triage of all candidates of the run tells apart and confirms, within its \
                    own budget of solver time.";
/// What stands where there is no number.
const NONE: &str = "–";

/// The table.
pub(super) fn table(collected: &Collected<'_>) -> Table {
    let Collected { plan, campaigns, .. } = collected;
    let own: &[Measure] = if campaigns.triages() { &[Measure::DISTINCT] } else { &[] };
    let mut headings = vec!["Method".to_owned(), "Runs".to_owned()];
    headings.extend(COLUMNS.iter().chain(own).map(Measure::heading));
    let mut columns = vec!["arm", "runs"];
    columns.extend(COLUMNS.map(|measure| measure.key));
    columns.extend([
        "paper_total_lines",
        "paper_mean_lines",
        "paper_mean_t_score",
        "paper_timeouts",
        "paper_mean_complexity",
    ]);
    columns.extend(own.iter().map(|measure| measure.key));
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for arm in &collected.arms {
        let paper = arm.arm.paper.unwrap_or_default();
        let means = COLUMNS.map(|measure| mean(&arm.values(&measure)));
        let mut row = vec![arm.arm.label().to_owned(), arm.runs.len().to_string()];
        row.extend(COLUMNS.iter().zip(means).map(|(measure, mean)| cell(measure, mean, &paper)));
        row.extend(own.iter().map(|measure| cell(measure, mean(&arm.values(measure)), &paper)));
        rows.push(row);
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut record = vec![arm.arm.name.clone(), arm.runs.len().to_string()];
        record.extend(means.map(number));
        record.extend(COLUMNS[..5].iter().map(|measure| number((measure.paper)(&paper))));
        record.extend(own.iter().map(|measure| number(mean(&arm.values(measure)))));
        records.push(record);
    }
    let limit = campaigns.config(collected.baseline().arm, plan.seed).map(|config| config.limit).unwrap_or_default();
    Table {
        name: "results".into(),
        title: plan.title.clone(),
        note: format!(
            "Means over the runs; in parentheses what the paper found. {}. CPU limit in the search {} (so that the \
             t-score is at most {}; in the paper 5s and 10s); Num_timeout: members of the result set on which the target \
             ran out of time (or memory) in {} of CPU time (in the paper 40m); Defects: those of them that the reference answered \
             within a tenth of that. Avg_tScore is Eq. 1 in every row; where the search is by the target's time alone \
             (StringFuzz's default, only time) the paper prints that time, at most 5s. Eq. 1 saturates: among scripts that \
             time out it differs by the reference's milliseconds alone, which jitter. All arms have the same solver time, \
             of the runs that their search looks at; Core time is the CPU time that a search really took, with runs that \
             others look at, repeated timings, and our own work (RQ3).{}",
            collected.finished(),
            format_duration(limit),
            format_duration(limit * 2),
            format_duration(campaigns.measure_limit),
            if own.is_empty() { "" } else { TOLD },
        ),
        headings,
        rows,
        columns,
        records,
    }
}

fn cell(measure: &Measure, mean: Option<f64>, paper: &PaperRow) -> String {
    let ours = mean.map_or_else(|| NONE.to_owned(), |mean| measure.text(mean));
    match (measure.paper)(paper) {
        Some(theirs) => {
            // As printed in the paper: without zeros that say nothing.
            let text = measure.text(theirs);
            let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            format!("{ours} ({text})")
        }
        None => ours,
    }
}
