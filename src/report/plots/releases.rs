//! How many of the defects each release has, and how many have shown themselves up to it (TypeFuzz's Fig. 6).

use crate::matrix::releases::Release;
use crate::matrix::{Matrix, Measure, Verdict, family};
use crate::report::figure::canvas::{Align, Canvas, Drawing};
use crate::report::figure::chart::{Entry, LETTER, Swatch, draw_legend};
use crate::report::figure::letters::text_width;
use crate::report::figure::palette::{Ink, Shape, Stroke};
use crate::report::figure::scale::Scale;
use crate::report::figure::{Data, Figure};

/// Width of a release's column and height of the plot without its legend and its names, figure units.
const COLUMN: f64 = 78.0;
const HEIGHT: f64 = 220.0;
/// The share of a column that its bar takes.
const BAR: f64 = 0.56;
/// Where the columns begin.
const LEFT: f64 = 58.0;
const OPACITY: f64 = 0.85;

/// The figure: a bar for each solver, and a line through neighbours of one name.
pub(in crate::report) fn figure(matrix: &Matrix) -> Figure {
    let releases = matrix.releases();
    let bad = match matrix.measure {
        Measure::Time => "it comes to no answer",
        Measure::Answers => "it answers wrongly, gives a wrong model, or crashes",
    };
    Figure {
        name: "releases",
        title: "Defects by release",
        caption: format!(
            "Bars: the number of instances, of {}, on which the solver is bad: {bad} within {} s of CPU time, as in Fig. 6 of \
             the TypeFuzz paper. Line: the number on which it or an earlier solver of its name is bad; the distance between \
             line and bar is what was mended, or what it does not decide.",
            matrix.rows.len(),
            matrix.limit_seconds
        ),
        drawing: if matrix.rows.is_empty() {
            Err("There are no instances.".into())
        } else {
            Ok(draw(matrix, &releases))
        },
        data: data(&releases),
    }
}

fn ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Wrong => Ink::Alarm,
        Verdict::Fails => Ink::Series(3),
        Verdict::Slow => Ink::Series(1),
        Verdict::GivesUp => Ink::Series(2),
        Verdict::Answers | Verdict::Unclear => Ink::Grid,
    }
}

fn draw(matrix: &Matrix, releases: &[Release]) -> Drawing {
    let kinds = matrix.kinds_of_defect();
    let so_far = Stroke::solid(Ink::Text, 1.6);
    let bars =
        kinds.iter().map(|kind| Entry { swatch: Swatch::Bar(ink(*kind), OPACITY), label: kind.heading().to_owned() });
    let legend: Vec<Entry> =
        bars.chain([Entry { swatch: Swatch::Line(so_far), label: "up to this release".into() }]).collect();
    let widest = legend.iter().map(|entry| text_width(&entry.label, LETTER) + 48.0).sum::<f64>();
    let width = (LEFT + COLUMN * releases.len() as f64 + 20.0).max(LEFT + widest);
    let mut canvas = Canvas::of_width(width);
    let top = draw_legend(&canvas, &legend, LEFT) + 14.0;
    let bottom = top + HEIGHT;
    canvas.height = bottom + 42.0;
    let scale = Scale::linear_from_zero([releases.iter().map(|each| each.so_far).max().unwrap_or(0) as f64]);
    let height = |count: f64| bottom - scale.share(count) * HEIGHT;
    let right = LEFT + COLUMN * releases.len() as f64;
    for tick in scale.ticks(5).into_iter().filter(|tick| tick.value.fract() == 0.0) {
        let y = height(tick.value);
        canvas.path(vec![(LEFT, y), (right, y)], Stroke::solid(Ink::Grid, 1.0));
        canvas.text((LEFT - 8.0, y + 4.0), tick.label, LETTER, Align::End, Ink::Text);
    }
    let middle = |column: usize| LEFT + COLUMN * (column as f64 + 0.5);
    for (column, release) in releases.iter().enumerate() {
        let mut below = 0;
        for kind in &kinds {
            let count = release.defects.get(kind).copied().unwrap_or(0);
            let (low, high) = (height(f64::from(below)), height(f64::from(below + count as u32)));
            below += count as u32;
            let (from, to) = (middle(column) - COLUMN * BAR / 2.0, middle(column) + COLUMN * BAR / 2.0);
            canvas.bar((from, high), (to, low), ink(*kind), OPACITY);
        }
        let (name, version) = release.solver.split_once('@').unwrap_or((&release.solver, ""));
        canvas.text((middle(column), bottom + 18.0), name, LETTER, Align::Middle, Ink::Text);
        canvas.text((middle(column), bottom + 34.0), version, LETTER, Align::Middle, Ink::Text);
    }
    let mut column = 0;
    for of_one_name in releases.chunk_by(|one, other| family(&one.solver) == family(&other.solver)) {
        let places: Vec<(f64, f64)> = of_one_name
            .iter()
            .enumerate()
            .map(|(at, each)| (middle(column + at), height(each.so_far as f64)))
            .collect();
        for place in &places {
            canvas.marker(*place, Shape::Circle, 3.2, Ink::Text, "");
        }
        canvas.path(places, so_far);
        column += of_one_name.len();
    }
    canvas.path(vec![(LEFT, top), (LEFT, bottom), (right, bottom)], Stroke::solid(Ink::Text, 1.2));
    canvas.text_upwards((15.0, f64::midpoint(top, bottom)), "defects [count]", LETTER + 1.0, Ink::Text);
    canvas.finish()
}

fn data(releases: &[Release]) -> Data {
    let mut data = Data::new(&["solver", "wrong", "crashes", "slow", "gives_up", "defects", "new", "so_far"]);
    for release in releases {
        let by_kind = [Verdict::Wrong, Verdict::Fails, Verdict::Slow, Verdict::GivesUp]
            .map(|kind| release.defects.get(&kind).copied().unwrap_or(0).to_string());
        let [wrong, crashes, slow, gives_up] = by_kind;
        let [defects, new, so_far] = [release.total(), release.new, release.so_far].map(|count| count.to_string());
        data.push([release.solver.clone(), wrong, crashes, slow, gives_up, defects, new, so_far]);
    }
    data
}
