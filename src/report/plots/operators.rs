//! What each operator's offspring came to.

use super::{count, marker_entry, pooled};
use crate::report::figure::canvas::{Align, Canvas, Drawing, Point};
use crate::report::figure::chart::{Entry, LETTER, draw_legend};
use crate::report::figure::letters::text_width;
use crate::report::figure::palette::{Ink, Shape, Stroke};
use crate::report::figure::scale::{Scale, grouped};
use crate::report::figure::{Data, Figure};
use crate::report::series::{OperatorYield, operator_yields, wilson};
use crate::report::study::Study;

const WIDTH: f64 = 860.0;
/// Between two panels, figure units.
const GAP: f64 = 26.0;

/// What is counted: its title, how many did it, and of how many.
pub(in crate::report) struct Share {
    /// The panel's title.
    pub(in crate::report) title: &'static str,
    /// How many did.
    pub(in crate::report) successes: fn(&OperatorYield) -> usize,
    /// Of how many.
    pub(in crate::report) trials: fn(&OperatorYield) -> usize,
}

/// The shares that are shown.
pub(in crate::report) const SHARES: [Share; 4] = [
    Share { title: "valid", successes: |row| row.valid, trials: |row| row.offspring },
    Share { title: "survived", successes: |row| row.survived, trials: |row| row.offspring },
    Share { title: "beat its parents", successes: |row| row.better, trials: |row| row.with_parents },
    Share { title: "became candidate", successes: |row| row.candidates, trials: |row| row.offspring },
];

/// The yields of each arm.
fn by_arm(study: &Study) -> Vec<Vec<OperatorYield>> {
    study.arms.iter().map(|arm| operator_yields(arm.runs.iter())).collect()
}

/// The figure.
pub(super) fn figure(study: &Study) -> Figure {
    let yields = by_arm(study);
    let rows = operator_yields(study.runs());
    let evaluations: usize = rows.iter().map(|row| row.offspring).sum();
    Figure {
        name: "operators",
        title: "What each operator's offspring came to",
        caption: format!(
            "Shares of each operator's offspring, with Wilson's 95 % intervals: valid (the target takes it), survived (it came into the next \
             population), beat its parents (a higher t-score than each of them), became candidate (suspicion of a \
             performance defect). Fresh scripts have no parents. Intervals that do not overlap show a difference between operators; \
             long ones, that there were few offspring. {} of {}.",
            count(evaluations, "evaluation"),
            pooled(study)
        ),
        drawing: if rows.is_empty() {
            Err("Nothing was evaluated yet.".into())
        } else {
            Ok(draw(study, &rows, &yields))
        },
        data: data(study, &yields),
    }
}

fn draw(study: &Study, rows: &[OperatorYield], yields: &[Vec<OperatorYield>]) -> Drawing {
    let arms = study.arms.len();
    let height = 14.0 + 10.0 * arms as f64;
    let labels = rows.iter().map(|row| text_width(&row.name, LETTER)).fold(0.0, f64::max) + 16.0;
    let mut canvas = Canvas::of_width(WIDTH);
    let legend: Vec<Entry> = if study.compares() {
        study.arms.iter().enumerate().map(|(number, arm)| marker_entry(number, &arm.name)).collect()
    } else {
        Vec::new()
    };
    let top = draw_legend(&canvas, &legend, labels) + 26.0;
    let bottom = top + height * rows.len() as f64;
    canvas.height = bottom + 46.0;
    let width = (WIDTH - labels - 18.0 - GAP * (SHARES.len() - 1) as f64) / SHARES.len() as f64;
    for (number, row) in rows.iter().enumerate() {
        let y = top + height * (number as f64 + 0.5);
        let edge = top + height * number as f64;
        canvas.path(vec![(8.0, edge), (WIDTH - 18.0, edge)], Stroke { opacity: 0.6, ..Stroke::solid(Ink::Grid, 1.0) });
        canvas.text((labels - 10.0, y + 4.0), row.name.clone(), LETTER, Align::End, Ink::Text);
    }
    for (number, share) in SHARES.iter().enumerate() {
        let left = labels + (width + GAP) * number as f64;
        draw_panel(&canvas, (left, top), (left + width, bottom), share, rows, yields);
    }
    canvas.finish()
}

/// Draws what is counted between two corners.
fn draw_panel(
    canvas: &Canvas,
    (left, top): Point,
    (right, bottom): Point,
    share: &Share,
    rows: &[OperatorYield],
    yields: &[Vec<OperatorYield>],
) {
    let part = |row: &OperatorYield| {
        let (successes, trials) = ((share.successes)(row), (share.trials)(row));
        (trials > 0).then(|| {
            let (low, high) = wilson(successes, trials);
            [successes as f64 / trials as f64, low, high].map(|share| 100.0 * share)
        })
    };
    let most = yields.iter().flatten().filter_map(part).map(|[share, ..]| share).fold(1.0, f64::max);
    let scale = Scale::linear([0.0, (1.6 * most).min(100.0)]);
    let place = |percent: f64| left + scale.share(percent.min(scale.high)) * (right - left);
    canvas.text((f64::midpoint(left, right), top - 10.0), share.title, LETTER + 1.0, Align::Middle, Ink::Text);
    for tick in scale.ticks(3) {
        let x = place(tick.value);
        canvas.path(vec![(x, top), (x, bottom)], Stroke::solid(Ink::Grid, 1.0));
        canvas.text((x, bottom + 16.0), tick.label, LETTER, Align::Middle, Ink::Text);
    }
    canvas.path(vec![(left, top), (left, bottom), (right, bottom)], Stroke::solid(Ink::Text, 1.2));
    canvas.text((f64::midpoint(left, right), bottom + 36.0), "of offspring [%]", LETTER, Align::Middle, Ink::Text);
    let height = (bottom - top) / rows.len() as f64;
    let arms = yields.len() as f64;
    for (number, row) in rows.iter().enumerate() {
        let middle = top + height * (number as f64 + 0.5);
        for (arm, yields) in yields.iter().enumerate() {
            let Some(own) = yields.iter().find(|own| own.name == row.name) else { continue };
            let Some([percent, low, high]) = part(own) else { continue };
            let y = middle + 10.0 * (arm as f64 - (arms - 1.0) / 2.0);
            let title = format!("{}: {} of {}", own.name, (share.successes)(own), (share.trials)(own));
            if arms > 1.0 {
                canvas.path(vec![(place(low), y), (place(high), y)], Stroke::solid(Ink::Series(arm), 1.4));
                canvas.marker((place(percent), y), Shape::of_series(arm), 3.6, Ink::Series(arm), &title);
            } else {
                canvas.bar((place(0.0), y - 6.0), (place(percent), y + 6.0), Ink::Series(arm), 0.75);
                canvas.path(vec![(place(low), y), (place(high), y)], Stroke::solid(Ink::Text, 1.2));
                for tip in [place(low), place(high)] {
                    canvas.path(vec![(tip, y - 3.0), (tip, y + 3.0)], Stroke::solid(Ink::Text, 1.2));
                }
            }
        }
    }
}

fn data(study: &Study, yields: &[Vec<OperatorYield>]) -> Data {
    let columns = ["arm", "operator", "offspring", "valid", "survived", "with_parents", "beat_parents", "candidates"];
    let mut data = Data::new(&columns);
    for (arm, yields) in study.arms.iter().zip(yields) {
        for row in yields {
            let counts = [row.offspring, row.valid, row.survived, row.with_parents, row.better, row.candidates];
            let [offspring, valid, survived, parents, better, candidates] = counts.map(|count| count.to_string());
            data.push([arm.name.clone(), row.name.clone(), offspring, valid, survived, parents, better, candidates]);
        }
    }
    data
}

/// A share in percent with its interval, and the counts: `12 (41; 36–47)`.
pub(in crate::report) fn percent(share: &Share, row: &OperatorYield) -> Option<(f64, String)> {
    let (successes, trials) = ((share.successes)(row), (share.trials)(row));
    (trials > 0).then(|| {
        let (low, high) = wilson(successes, trials);
        let share = 100.0 * successes as f64 / trials as f64;
        let text = format!(
            "{successes} ({}; {}\u{2013}{})",
            grouped(share, 0),
            grouped(100.0 * low, 0),
            grouped(100.0 * high, 0)
        );
        (share, text)
    })
}
