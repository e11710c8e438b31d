//! Where solver time went.

use super::{WIDE, pooled};
use crate::report::figure::canvas::{Align, Canvas, Drawing};
use crate::report::figure::chart::{Entry, LETTER, Swatch, draw_legend};
use crate::report::figure::letters::text_width;
use crate::report::figure::palette::{Ink, Stroke};
use crate::report::figure::scale::{Layout, Scale, grouped, short};
use crate::report::figure::{Data, Figure};
use crate::report::study::{Arm, Study};

const PARTS: [&str; 3] = ["target, timed", "reference, timed", "target, observed"];
/// Height of an arm's bar with its room, figure units.
const ROW: f64 = 34.0;

/// CPU seconds of an arm's solver runs: target, reference, observed.
fn parts(arm: &Arm) -> [f64; 3] {
    let rows = || arm.runs.iter().flat_map(|run| &run.evaluations);
    let target: f64 = rows().map(|row| row.target_seconds).sum();
    let reference: f64 = rows().map(|row| row.reference_seconds).sum();
    let all: f64 = rows().map(|row| row.solver_seconds).sum();
    [target, reference, (all - target - reference).max(0.0)]
}

/// The figure.
pub(super) fn time_figure(study: &Study) -> Figure {
    let arms: Vec<[f64; 3]> = study.arms.iter().map(parts).collect();
    let empty = arms.iter().flatten().all(|seconds| *seconds == 0.0);
    Figure {
        name: "solver-time",
        title: "Where solver time went",
        caption: format!(
            "CPU time of the evaluations' solver runs: the timed runs of both solvers, which Eq. 1 compares, and the \
             observed run of the instrumented target, which counts lines and writes the trace. The observed part is what remains of an \
             evaluation's solver time, so that it includes what timed runs took beyond the limit. A large reference part \
             means that many instances are hard for both. {}.",
            pooled(study)
        ),
        drawing: if empty { Err("No solver time is recorded yet.".into()) } else { Ok(draw(study, &arms)) },
        data: data(study, &arms),
    }
}

fn draw(study: &Study, arms: &[[f64; 3]]) -> Drawing {
    let labels = study.arms.iter().map(|arm| text_width(&arm.name, LETTER)).fold(0.0, f64::max) + 20.0;
    let mut canvas = Canvas::of_width(WIDE.0);
    let inks = [(Ink::Series(0), 0.9), (Ink::Series(1), 0.9), (Ink::Series(2), 0.9)];
    let entry = |(part, (ink, opacity)): (&&str, &(Ink, f64))| Entry {
        swatch: Swatch::Bar(*ink, *opacity),
        label: (*part).to_owned(),
    };
    let legend: Vec<Entry> = PARTS.iter().zip(&inks).map(entry).collect();
    let top = draw_legend(&canvas, &legend, labels) + 10.0;
    let bottom = top + ROW * arms.len() as f64;
    canvas.height = bottom + 46.0;
    let right = WIDE.0 - 110.0;
    let scale = Scale { layout: Layout::Linear, low: 0.0, high: 100.0 };
    let place = |percent: f64| labels + scale.share(percent) * (right - labels);
    for tick in scale.ticks(5) {
        let x = place(tick.value);
        canvas.path(vec![(x, top), (x, bottom)], Stroke::solid(Ink::Grid, 1.0));
        canvas.text((x, bottom + 16.0), tick.label, LETTER, Align::Middle, Ink::Text);
    }
    for (number, (arm, parts)) in study.arms.iter().zip(arms).enumerate() {
        let y = top + ROW * (number as f64 + 0.5);
        let total: f64 = parts.iter().sum();
        canvas.text((labels - 10.0, y + 4.0), arm.name.clone(), LETTER, Align::End, Ink::Text);
        let mut start = 0.0;
        for (part, (ink, opacity)) in parts.iter().zip(&inks) {
            let percent = 100.0 * part / total.max(f64::MIN_POSITIVE);
            let (from, to) = (place(start), place(start + percent));
            canvas.bar((from, y - 10.0), (to, y + 10.0), *ink, *opacity);
            if to - from > 34.0 {
                let label = format!("{} %", grouped(percent, 0));
                canvas.text((f64::midpoint(from, to), y + 4.0), label, LETTER, Align::Middle, Ink::Paper);
            }
            start += percent;
        }
        canvas.text((right + 8.0, y + 4.0), format!("{} s", short(total)), LETTER, Align::Start, Ink::Text);
    }
    canvas.path(vec![(labels, top), (labels, bottom), (right, bottom)], Stroke::solid(Ink::Text, 1.2));
    let middle = f64::midpoint(labels, right);
    canvas.text((middle, bottom + 38.0), "share of solver CPU time [%]", LETTER + 1.0, Align::Middle, Ink::Text);
    canvas.text((right + 8.0, bottom + 16.0), "CPU time [s]", LETTER, Align::Start, Ink::Text);
    canvas.finish()
}

fn data(study: &Study, arms: &[[f64; 3]]) -> Data {
    let mut data = Data::new(&["arm", "target_seconds", "reference_seconds", "observed_seconds"]);
    for (arm, parts) in study.arms.iter().zip(arms) {
        let [target, reference, observed] = parts.map(|seconds| seconds.to_string());
        data.push([arm.name.clone(), target, reference, observed]);
    }
    data
}
