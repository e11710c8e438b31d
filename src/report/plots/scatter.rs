//! Target against reference: every evaluation, the result sets, and answers that contradict each other.

use super::{LEAST, marker_entry, pooled, seconds_list};
use crate::report::figure::canvas::{Align, Drawing};
use crate::report::figure::chart::{Axis, Chart, Entry, Swatch};
use crate::report::figure::palette::{Ink, Shape, Stroke};
use crate::report::figure::scale::{Scale, grouped, short};
use crate::report::figure::{Data, Figure};
use crate::report::series::{Thinned, thin};
use crate::report::study::{Study, disagree};

/// Light points that a plot holds.
const MOST_POINTS: usize = 4000;
/// Crosses that a plot holds.
const MOST_CROSSES: usize = 500;
const SIZE: (f64, f64) = (760.0, 560.0);

/// All light points, as (target seconds, reference seconds).
fn evaluations(study: &Study) -> Vec<(f64, f64)> {
    let rows = study.runs().flat_map(|run| &run.evaluations).filter(|row| row.valid);
    rows.map(|row| (row.target_seconds.max(LEAST), row.reference_seconds.max(LEAST))).collect()
}

/// The figure.
pub(super) fn figure(study: &Study) -> Figure {
    let points = evaluations(study);
    let (target, reference) = study.solvers();
    let mut drawing = Err("Nothing was evaluated yet that the target takes.".to_owned());
    let mut thinned = String::new();
    if !points.is_empty() {
        let (canvas, kept) = draw(study, &points);
        if kept.points.len() < points.len() {
            thinned = format!(
                " Of {} evaluations, {} light dots are drawn: those that lie within the same {} units of the drawing are drawn \
                 once.",
                grouped(points.len() as f64, 0),
                grouped(kept.points.len() as f64, 0),
                kept.width
            );
        }
        drawing = Ok(canvas);
    }
    let limits = seconds_list(limits(study));
    Figure {
        name: "scatter",
        title: "Target against reference",
        caption: format!(
            "CPU time of {target} and {reference} on the same instance, both axes logarithmic. Light dots are all evaluations \
             at the search limit, markers the members of the result sets (at the limit of their measurement). On the solid line both take equally \
             long; below and to the right of it {target} is slower, by 10 and by 100 times on the dashed ones. Dotted rails are the limits \
             ({limits}): on them a solver ran out of time. A cross means that the two answers contradict each other (sat against unsat; of crosses that lie on each other, one is drawn). Rejected \
             instances are left out; times below {LEAST} s are drawn there.{thinned} {}.",
            pooled(study)
        ),
        drawing,
        data: data(study),
    }
}

fn limits(study: &Study) -> Vec<f64> {
    let search = study.runs().map(crate::report::study::Run::limit_seconds);
    let results = study.runs().flat_map(|run| &run.result_set).map(|row| row.limit_seconds);
    let mut limits: Vec<f64> = search.chain(results).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    limits
}

fn draw(study: &Study, points: &[(f64, f64)]) -> (Drawing, Thinned) {
    let (target, reference) = study.solvers();
    let results: Vec<_> = study.runs().flat_map(crate::report::study::Run::results).collect();
    let times = points.iter().flat_map(|(x, y)| [*x, *y]);
    let times = times.chain(results.iter().flat_map(|member| [member.target_seconds, member.reference_seconds]));
    let scale = Scale::logarithmic(times.chain(limits(study)).chain([LEAST]));
    let x = Axis::new(format!("CPU time of the target, {target} [s]"), scale);
    let y = Axis::new(format!("CPU time of the reference, {reference} [s]"), scale);
    let mut legend = vec![Entry { swatch: Swatch::Dot(Ink::Muted), label: "all evaluations".into() }];
    for (number, arm) in study.arms.iter().enumerate() {
        let label = if study.compares() { &arm.name } else { "result set" };
        legend.push(marker_entry(number, label));
    }
    if !contradictions(study).is_empty() {
        legend.push(Entry { swatch: Swatch::Marker(Shape::Cross, Ink::Alarm), label: "answers disagree".into() });
    }
    let chart = Chart::new(SIZE, &x, &y, &legend);
    draw_guides(&chart, scale, study);
    let placed: Vec<(f64, f64)> = points.iter().map(|point| chart.at(*point)).collect();
    let thinned = thin(&placed, MOST_POINTS);
    for dot in &thinned.points {
        chart.canvas.dot(*dot, 1.7, Ink::Muted, 0.65);
    }
    for (number, arm) in study.arms.iter().enumerate() {
        for run in &arm.runs {
            for member in run.results() {
                let at = (member.target_seconds.max(LEAST), member.reference_seconds.max(LEAST));
                let title = format!(
                    "{}, individual {}: {} s {}, {} s {}",
                    run.label,
                    member.id,
                    short(at.0),
                    member.target_result,
                    short(at.1),
                    member.reference_result
                );
                chart.marker(at, Shape::of_series(number), 3.6, Ink::Series(number), &title);
            }
        }
    }
    let found = contradictions(study);
    let places: Vec<(f64, f64)> = found.iter().map(|one| chart.at(one.times)).collect();
    let kept = thin(&places, MOST_CROSSES).points;
    let mut next = kept.iter().peekable();
    for (found, place) in found.into_iter().zip(&places) {
        if next.peek() != Some(&place) {
            continue;
        }
        next.next();
        chart.marker(found.times, Shape::Cross, 3.6, Ink::Alarm, &found.words());
    }
    (chart.finish(), thinned)
}

/// The diagonals and the rails.
fn draw_guides(chart: &Chart, scale: Scale, study: &Study) {
    for (factor, stroke) in [
        (1.0, Stroke::solid(Ink::Muted, 1.2)),
        (10.0, Stroke::solid(Ink::Muted, 1.0).dashed(Some((6.0, 4.0)))),
        (100.0, Stroke::solid(Ink::Muted, 1.0).dashed(Some((3.0, 3.0)))),
    ] {
        let (low, high) = (scale.low * factor, scale.high);
        if low >= high {
            continue;
        }
        chart.line(&[(low, scale.low), (high, high / factor)], stroke);
        let at = chart.at((high, high / factor));
        chart.canvas.text((at.0 + 3.0, at.1 + 4.0), format!("{factor}\u{d7}"), 11.0, Align::Start, Ink::Muted);
    }
    for limit in limits(study) {
        for line in [[(limit, scale.low), (limit, scale.high)], [(scale.low, limit), (scale.high, limit)]] {
            chart.line(&line, Stroke::solid(Ink::Text, 1.0).dashed(Some((1.5, 3.0))));
        }
        let at = chart.at((scale.low, limit));
        let label = format!("limit {} s", short(limit));
        chart.canvas.text((at.0 + 6.0, at.1 - 4.0), label, 11.0, Align::Start, Ink::Muted);
    }
}

/// Two answers that contradict each other.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Contradiction {
    /// The run's label.
    pub(in crate::report) run: String,
    /// The individual.
    pub(in crate::report) id: u32,
    /// What the target and the reference answered.
    pub(in crate::report) answers: (String, String),
    /// CPU seconds of the target and the reference.
    pub(in crate::report) times: (f64, f64),
}

impl Contradiction {
    /// In words, with times.
    pub(in crate::report) fn words(&self) -> String {
        let (target, reference) = &self.answers;
        let (slow, quick) = self.times;
        format!(
            "{}, individual {}: target {target} ({} s), reference {reference} ({} s)",
            self.run,
            self.id,
            short(slow),
            short(quick)
        )
    }
}

/// All contradictions among the evaluations and the result sets, each instance once.
pub(in crate::report) fn contradictions(study: &Study) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    for run in study.runs() {
        let label = &run.label;
        let mut seen = std::collections::BTreeSet::new();
        let mut add = |id: u32, target: &str, reference: &str, times: (f64, f64)| {
            if disagree(target, reference) && seen.insert(id) {
                let times = (times.0.max(LEAST), times.1.max(LEAST));
                let answers = (target.to_owned(), reference.to_owned());
                found.push(Contradiction { run: label.clone(), id, answers, times });
            }
        };
        for row in &run.evaluations {
            add(row.id, &row.target_result, &row.reference_result, (row.target_seconds, row.reference_seconds));
        }
        for row in &run.result_set {
            add(row.id, &row.target_result, &row.reference_result, (row.target_seconds, row.reference_seconds));
        }
    }
    found
}

fn data(study: &Study) -> Data {
    let columns =
        ["arm", "run", "id", "set", "target_result", "target_seconds", "reference_result", "reference_seconds"];
    let mut data = Data::new(&columns);
    for arm in &study.arms {
        for run in &arm.runs {
            let mut push = |id: u32, set: &str, target: (&str, f64), reference: (&str, f64)| {
                data.push([
                    arm.name.clone(),
                    run.label.clone(),
                    id.to_string(),
                    set.to_owned(),
                    target.0.to_owned(),
                    target.1.to_string(),
                    reference.0.to_owned(),
                    reference.1.to_string(),
                ]);
            };
            for row in run.evaluations.iter().filter(|row| row.valid) {
                let target = (row.target_result.as_str(), row.target_seconds);
                push(row.id, "evaluation", target, (&row.reference_result, row.reference_seconds));
            }
            for member in run.results() {
                let target = (member.target_result.as_str(), member.target_seconds);
                push(member.id, "result", target, (&member.reference_result, member.reference_seconds));
            }
        }
    }
    data
}
