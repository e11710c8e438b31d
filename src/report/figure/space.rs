//! A box in three dimensions, seen from the front, above and a little from the right, with points in it.

use super::canvas::{Align, Canvas, Point, Shape, Stroke};
use super::chart::{Entry, LETTER, draw_legend};
use super::palette::Ink;
use super::scale::Scale;

/// The angle by which the box is turned about its vertical axis, degrees.
const TURN: f64 = 34.0;
/// The angle from which it is seen, degrees above the horizon.
const ELEVATION: f64 = 20.0;
/// Ticks of every axis; all run from 0 to 1.
const UNIT: Scale = Scale { layout: super::scale::Layout::Linear, low: 0.0, high: 1.0 };

/// A point in the box: each coordinate is in 0 to 1; the third is the height.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SpacePoint {
    pub at: [f64; 3],
    pub shape: Shape,
    pub ink: Ink,
    pub title: String,
}

struct View {
    middle: Point,
    size: f64,
}

impl View {
    /// Where a point of the box is seen.
    fn project(&self, [x, y, z]: [f64; 3]) -> Point {
        let (sin, cos) = TURN.to_radians().sin_cos();
        let (up, flat) = ELEVATION.to_radians().sin_cos();
        let (x, y, z) = (x - 0.5, y - 0.5, z - 0.5);
        let right = x * cos + y * sin;
        (self.middle.0 + self.size * right, self.middle.1 - self.size * (z * flat * 0.85 + distance([x, y, z]) * up))
    }
}

/// How far away from the reader a point is.
fn distance([x, y, _]: [f64; 3]) -> f64 {
    let (sin, cos) = TURN.to_radians().sin_cos();
    y * cos - x * sin
}

/// Draws the box with the titles of its axes and the points, the far ones first, each on a stem from the floor.
pub fn draw(size: (f64, f64), titles: [&str; 3], mut points: Vec<SpacePoint>, legend: &[Entry]) -> Canvas {
    let mut canvas = Canvas::new(size.0, size.1);
    let top = draw_legend(&mut canvas, legend, 40.0);
    let view = View { middle: (size.0 / 2.0 + 16.0, f64::midpoint(top, size.1) - 10.0), size: (size.1 - top) * 0.69 };
    draw_walls(&mut canvas, &view);
    draw_titles(&mut canvas, &view, titles);
    points.sort_by(|one, other| distance(other.at).total_cmp(&distance(one.at)));
    for SpacePoint { at, .. } in &points {
        let stem = vec![view.project(*at), view.project([at[0], at[1], 0.0])];
        canvas.path(stem, Stroke { opacity: 0.55, ..Stroke::solid(Ink::Muted, 0.8) });
    }
    for SpacePoint { at, shape, ink, title } in points {
        canvas.marker(view.project(at), shape, 5.0, ink, title);
    }
    canvas
}

fn draw_walls(canvas: &mut Canvas, view: &View) {
    let mut line = |from: [f64; 3], to: [f64; 3], ink: Ink| {
        canvas.path(vec![view.project(from), view.project(to)], Stroke::solid(ink, 1.0));
    };
    for step in 0..=5 {
        let at = f64::from(step) / 5.0;
        line([at, 0.0, 0.0], [at, 1.0, 0.0], Ink::Grid);
        line([0.0, at, 0.0], [1.0, at, 0.0], Ink::Grid);
        line([at, 1.0, 0.0], [at, 1.0, 1.0], Ink::Grid);
        line([0.0, 1.0, at], [1.0, 1.0, at], Ink::Grid);
        line([0.0, at, 0.0], [0.0, at, 1.0], Ink::Grid);
        line([0.0, 0.0, at], [0.0, 1.0, at], Ink::Grid);
    }
    line([0.0; 3], [1.0, 0.0, 0.0], Ink::Text);
    line([1.0, 0.0, 0.0], [1.0, 1.0, 0.0], Ink::Text);
    line([0.0; 3], [0.0, 0.0, 1.0], Ink::Text);
}

fn draw_titles(canvas: &mut Canvas, view: &View, [x_title, y_title, z_title]: [&str; 3]) {
    for tick in UNIT.ticks(5) {
        let value = tick.value;
        let (x, y) = view.project([value, 0.0, 0.0]);
        canvas.text((x - 4.0, y + 15.0), tick.label.clone(), LETTER, Align::End, Ink::Text);
        let (x, y) = view.project([1.0, value, 0.0]);
        canvas.text((x + 5.0, y + 14.0), tick.label.clone(), LETTER, Align::Start, Ink::Text);
        let (x, y) = view.project([0.0, 0.0, value]);
        canvas.text((x - 8.0, y + 4.0), tick.label, LETTER, Align::End, Ink::Text);
    }
    let below = |at: [f64; 3], down: f64| {
        let (x, y) = view.project(at);
        (x, y + down)
    };
    let at = below([0.5, 0.0, 0.0], 44.0);
    canvas.text((at.0 - 34.0, at.1), x_title, LETTER + 1.0, Align::End, Ink::Text);
    let at = below([1.0, 0.5, 0.0], 44.0);
    canvas.text((at.0 + 30.0, at.1), y_title, LETTER + 1.0, Align::Start, Ink::Text);
    let (x, y) = view.project([0.0, 0.0, 0.5]);
    canvas.text_upwards((x - 38.0, y), z_title, LETTER + 1.0, Ink::Text);
}
