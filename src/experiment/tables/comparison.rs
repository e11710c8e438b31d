//! Every arm against the baseline, one table a measure: medians with their intervals, and whether they differ.

use super::collect::Collected;
use super::layout::Table;
use super::measure::Measure;
use crate::experiment::statistics::{a12, holm, magnitude, median, median_interval, rank_sum};

/// What arms are compared by.
const COMPARED: [Measure; 8] = [
    Measure::TIMEOUTS,
    Measure::DEFECTS,
    Measure::MEAN_T_SCORE,
    Measure::TOTAL_LINES,
    Measure::MEAN_LINES,
    Measure::MEAN_COMPLEXITY,
    Measure::HYPERVOLUME,
    Measure::EVALUATIONS,
];

/// And if runs are triaged, first of all.
const TRIAGED: [Measure; 2] = [Measure::DISTINCT, Measure::DISTINCT_UNLIKE];

/// The tables.
pub(super) fn tables(collected: &Collected<'_>) -> Vec<Table> {
    let triage: &[Measure] = if collected.campaigns.triages() { &TRIAGED } else { &[] };
    triage.iter().chain(&COMPARED).map(|measure| table(collected, measure)).collect()
}

fn table(collected: &Collected<'_>, measure: &Measure) -> Table {
    let baseline = collected.baseline();
    let of_baseline = baseline.values(measure);
    let is_baseline = |name: &str| name == baseline.arm.name;
    let tests: Vec<_> = collected
        .arms
        .iter()
        .map(|arm| {
            let values = arm.values(measure);
            let test = rank_sum(&values, &of_baseline).filter(|_| !is_baseline(&arm.arm.name));
            let effect = a12(&values, &of_baseline).filter(|_| !is_baseline(&arm.arm.name));
            (arm, values, test, effect)
        })
        .collect();
    let ps: Vec<f64> = tests.iter().filter_map(|(_, _, test, _)| test.map(|test| test.p)).collect();
    let mut corrected = holm(&ps).into_iter();
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for (arm, values, test, effect) in tests {
        let (median, interval) = (median(&values), median_interval(&values));
        let holm = test.and_then(|_| corrected.next());
        let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| measure.text(value));
        let share = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
        let chance = |p: Option<f64>| match p {
            Some(p) if p < 0.001 => "<0.001".to_owned(),
            p => share(p),
        };
        rows.push(vec![
            arm.arm.label().to_owned(),
            values.len().to_string(),
            text(median),
            interval.map_or_else(String::new, |it| format!("{} – {}", measure.text(it.low), measure.text(it.high))),
            test.map_or_else(String::new, |test| format!("{:.1}", test.u)),
            chance(test.map(|test| test.p)),
            chance(holm),
            share(effect),
            effect.map_or_else(String::new, |effect| magnitude(effect).name().to_owned()),
        ]);
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        records.push(vec![
            arm.arm.name.clone(),
            values.len().to_string(),
            number(median),
            number(interval.map(|it| it.low)),
            number(interval.map(|it| it.high)),
            number(test.map(|test| test.u)),
            number(test.map(|test| test.p)),
            number(holm),
            number(effect),
        ]);
    }
    let headings = ["Method", "Runs", "Median", "95 % interval", "U", "p", "p (Holm)", "A12", "Effect"];
    Table {
        name: format!("compare-{}", measure.key.replace('_', "-")),
        title: format!("{} against {}", measure.heading(), baseline.arm.label()),
        note:
            "Median with the 95 % percentile-bootstrap interval; two-sided Mann-Whitney U test, its p also corrected \
               for the number of arms (Holm); A12: how likely a run of the method has the larger value (Vargha and \
               Delaney; 0.5 is no difference)."
                .into(),
        headings: headings.map(str::to_owned).into(),
        rows,
        columns: vec!["arm", "runs", "median", "low", "high", "u", "p", "p_holm", "a12"],
        records,
    }
}
