//! Growth of one defect: time against size, target and reference, one panel for each dimension.

use crate::explain::growth::{Along, Growth, Measured, Point};
use crate::report::figure::canvas::{Align, Canvas, Drawing};
use crate::report::figure::chart::{Axis, Chart, Entry, LETTER, Swatch};
use crate::report::figure::palette::{Ink, Shape, Stroke, dash};
use crate::report::figure::scale::{Scale, short};
use crate::report::figure::{Data, Figure};

/// Times below this are drawn at it, CPU seconds.
const LEAST: f64 = 0.001;
/// Size of a panel, figure units, and the room for its title.
const PANEL: (f64, f64) = (430.0, 320.0);
const TITLE: f64 = 30.0;
const RADIUS: f64 = 4.5;
/// Half the size of the paper inside an open marker.
const HOLE: f64 = 2.6;

/// The figure: panels two in a row.
pub(in crate::report) fn figure(growth: &Growth) -> Figure {
    let panels: Vec<&Along> = growth.dimensions.iter().filter(|along| !along.points.is_empty()).collect();
    let Growth { target, reference, limit_seconds, .. } = growth;
    Figure {
        name: "growth",
        title: "Growth of time with size",
        caption: format!(
            "CPU time of {target} and {reference} on copies of one instance, scaled along one dimension each, both axes \
             logarithmic. Open symbols are lower bounds: time or memory ran out (limit {} s, dotted). The dashed line marks the \
             instance itself. Times below {LEAST} s are drawn there, and size 0 at the left edge.",
            short(*limit_seconds)
        ),
        drawing: if panels.is_empty() {
            Err("The instance has nothing to scale.".into())
        } else {
            Ok(draw(growth, &panels))
        },
        data: data(growth),
    }
}

fn draw(growth: &Growth, panels: &[&Along]) -> Drawing {
    let columns = panels.len().min(2);
    let height = PANEL.1 + TITLE;
    let rows = panels.len().div_ceil(columns);
    let canvas = Canvas::new(PANEL.0 * columns as f64, height * rows as f64);
    for (number, along) in panels.iter().enumerate() {
        let at = (PANEL.0 * (number % columns) as f64, height * (number / columns) as f64);
        let title = format!("By {}", along.dimension.title());
        canvas.text((at.0 + PANEL.0 / 2.0, at.1 + 20.0), title, LETTER + 2.0, Align::Middle, Ink::Text);
        draw_panel(canvas.part((at.0, at.1 + TITLE), PANEL), growth, along);
    }
    canvas.finish()
}

/// One solver's run of a point.
type RunOf = fn(&Point) -> &Measured;

fn draw_panel(canvas: Canvas, growth: &Growth, along: &Along) {
    let solvers: [(&str, RunOf); 2] =
        [(&growth.target, |point| &point.target), (&growth.reference, |point| &point.reference)];
    let positive = along.points.iter().map(|point| point.size).filter(|size| *size > 0.0);
    let smallest = positive.fold(f64::INFINITY, f64::min);
    // A place for size 0, which a logarithmic axis does not have.
    let edge = if smallest.is_finite() { smallest / 2.0 } else { 1.0 };
    let x_of = |point: &Point| if point.size > 0.0 { point.size } else { edge };
    let seconds_of = |measured: &Measured| measured.seconds.max(LEAST);
    let times = along.points.iter().flat_map(|point| [seconds_of(&point.target), seconds_of(&point.reference)]);
    let x = Axis::new(along.dimension.title(), Scale::logarithmic(along.points.iter().map(x_of)));
    // Room above the limit, for the label of the dashed line.
    let y = Axis::new("CPU time [s]", Scale::logarithmic(times.chain([2.0 * growth.limit_seconds])));
    let legend = solvers.iter().enumerate().map(|(number, (name, _))| Entry {
        swatch: Swatch::Marker(Shape::of_series(number), Ink::Series(number)),
        label: (*name).to_owned(),
    });
    let (low, high) = (x.scale.low, x.scale.high);
    let chart = Chart::on(canvas, &x, &y, &legend.collect::<Vec<_>>());
    let limit = [(low, growth.limit_seconds), (high, growth.limit_seconds)];
    chart.line(&limit, Stroke::solid(Ink::Muted, 1.0).dashed(Some((1.5, 3.0))));
    if let Some(itself) = along.points.iter().find(|point| point.factor == 1.0) {
        chart.vertical(x_of(itself), "the instance");
    }
    for (number, (name, measured)) in solvers.iter().enumerate() {
        let (shape, ink) = (Shape::of_series(number), Ink::Series(number));
        let line: Vec<(f64, f64)> =
            along.points.iter().map(|point| (x_of(point), seconds_of(measured(point)))).collect();
        chart.line(&line, Stroke::solid(ink, 1.6).dashed(dash(number)));
        for (point, at) in along.points.iter().zip(&line) {
            let run = measured(point);
            let bound = if run.ran_out { "more than " } else { "" };
            if point.size == 0.0 {
                let (left, middle) = chart.at(*at);
                chart.canvas.text((left, middle - 9.0), "size 0", LETTER - 2.0, Align::Middle, Ink::Muted);
            }
            let title = format!("{name}, size {}: {} after {bound}{} s", point.size, run.result, short(run.seconds));
            chart.marker(*at, shape, RADIUS, ink, &title);
            if run.ran_out {
                chart.marker(*at, shape, HOLE, Ink::Paper, "");
            }
        }
    }
}

fn data(growth: &Growth) -> Data {
    let columns =
        ["dimension", "factor", "size", "target_result", "target_seconds", "reference_result", "reference_seconds"];
    let mut data = Data::new(&columns);
    for along in &growth.dimensions {
        for Point { factor, size, target, reference } in &along.points {
            data.push([
                along.dimension.name().to_owned(),
                factor.to_string(),
                size.to_string(),
                target.result.clone(),
                target.seconds.to_string(),
                reference.result.clone(),
                reference.seconds.to_string(),
            ]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{Dimension, Law};
    use crate::report::figure::svg::{Styles, write};

    #[test]
    fn a_bound_is_an_open_symbol_and_every_dimension_a_panel() {
        let run = |seconds, ran_out: bool| Measured { result: "sat".into(), seconds, ran_out, solved: !ran_out };
        let point = |factor, target| Point { factor, size: 4.0 * factor, target, reference: run(0.01, false) };
        let points = vec![point(0.0, run(0.1, false)), point(1.0, run(2.0, false)), point(2.0, run(5.0, true))];
        let along = |dimension| Along {
            dimension,
            points: points.clone(),
            budget_ended: false,
            law: Law::TooFewPoints { usable: 2 },
        };
        let dimensions =
            vec![along(Dimension::StringLengths), along(Dimension::Integers), along(Dimension::Assertions)];
        let growth = Growth {
            target: "slow".into(),
            reference: "fast".into(),
            limit_seconds: 5.0,
            trivial_seconds: 0.0,
            dimensions,
        };
        let figure = figure(&growth);
        let canvas = figure.drawing.as_ref().expect("points");
        assert_eq!((canvas.width, canvas.height), (860.0, 700.0), "two columns, two rows");
        let svg = write(canvas, figure.name, figure.title, &figure.caption, Styles::Own);
        roxmltree::Document::parse(&svg).expect("well-formed");
        assert_eq!(svg.matches("f-paper\" cx").count(), 3, "one hole in each panel");
        assert!(svg.contains("after more than 5 s"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(String::from_utf8(figure.data.csv()).expect("UTF-8").lines().count(), 10);
        let nothing = super::figure(&Growth { dimensions: Vec::new(), ..growth });
        assert!(nothing.drawing.is_err());
    }
}
