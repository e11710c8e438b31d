//! Timeouts and convergence time relative to the baseline: the paper's Fig. 6, where arms are population sizes.

use super::collect::Collected;
use super::layout::Table;
use super::measure::Measure;
use crate::experiment::statistics::median;

/// The table.
pub(super) fn table(collected: &Collected<'_>) -> Table {
    let measures = [Measure::TIMEOUTS, Measure::CONVERGENCE_SECONDS, Measure::MEAN_T_SCORE];
    let baseline = measures.map(|measure| median(&collected.baseline().values(&measure)));
    let mut headings = vec!["Method".to_owned(), "Runs".to_owned()];
    for measure in measures {
        headings.extend([measure.heading(), "relative".to_owned()]);
    }
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for arm in &collected.arms {
        let mut row = vec![arm.arm.label().to_owned(), arm.runs.len().to_string()];
        let mut record = vec![arm.arm.name.clone(), arm.runs.len().to_string()];
        for (measure, baseline) in measures.into_iter().zip(baseline) {
            let own = median(&arm.values(&measure));
            let relative = own.zip(baseline.filter(|value| *value != 0.0)).map(|(own, baseline)| own / baseline);
            row.push(own.map_or_else(|| "–".to_owned(), |own| measure.text(own)));
            row.push(relative.map_or_else(|| "–".to_owned(), |relative| format!("{relative:.2}")));
            record.extend([own, relative].map(|value| value.map(|value| value.to_string()).unwrap_or_default()));
        }
        rows.push(row);
        records.push(record);
    }
    Table {
        name: "relative".into(),
        title: format!("Relative to {}", collected.baseline().arm.label()),
        note: format!(
            "Medians. Convergence: the charged CPU time after which the mean t-score stayed within 5 % of its final \
             value. {}.",
            collected.finished()
        ),
        headings,
        rows,
        columns: vec![
            "arm",
            "runs",
            "timeouts",
            "timeouts_relative",
            "convergence_seconds",
            "convergence_seconds_relative",
            "mean_t_score",
            "mean_t_score_relative",
        ],
        records,
    }
}
