//! A chart with two axes: frame, grid, ticks, axis titles, legend.

use super::canvas::{Align, Canvas, Mark, Point, Shape, Stroke};
use super::palette::Ink;
use super::scale::Scale;

/// The height of letters, figure units.
pub const LETTER: f64 = 12.0;
/// Width of a letter over its height, on average.
const LETTER_WIDTH: f64 = 0.56;
const SMALL: f64 = 11.0;
const LEGEND_LINE: f64 = 18.0;
const SWATCH: f64 = 26.0;

/// A rectangle of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it; figure units")]
pub struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// An axis: what it shows, with its unit, and its range.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Axis {
    pub title: String,
    pub scale: Scale,
}

impl Axis {
    /// An axis.
    pub fn new(title: impl Into<String>, scale: Scale) -> Self {
        Axis { title: title.into(), scale }
    }
}

/// What stands before a legend's label.
#[derive(Clone, Debug, PartialEq)]
pub enum Swatch {
    /// A piece of line.
    Line(Stroke),
    /// A marker.
    Marker(Shape, Ink),
    /// A small dot.
    Dot(Ink),
    /// A bar.
    Bar(Ink, f64),
}

/// A legend's entry.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Entry {
    pub swatch: Swatch,
    pub label: String,
}

/// A chart that is being drawn.
#[derive(Debug)]
pub struct Chart {
    /// What is drawn so far.
    pub canvas: Canvas,
    /// Where the data are.
    pub frame: Frame,
    x: Axis,
    y: Axis,
}

impl Chart {
    /// A chart of a size in figure units, with its axes, grid and legend.
    pub fn new((width, height): (f64, f64), x: Axis, y: Axis, legend: &[Entry]) -> Self {
        let mut canvas = Canvas::new(width, height);
        let y_ticks = y.scale.ticks(5);
        let widest = y_ticks.iter().map(|tick| text_width(&tick.label, LETTER)).fold(0.0, f64::max);
        let left = 34.0 + widest;
        let top = draw_legend(&mut canvas, legend, left) + 12.0;
        let frame = Frame { left, top, right: width - 30.0, bottom: height - 46.0 };
        let mut chart = Chart { canvas, frame, x, y };
        chart.draw_axes();
        chart
    }

    fn draw_axes(&mut self) {
        let Frame { left, top, right, bottom } = self.frame;
        let grid = |label: &str| Stroke {
            opacity: if label.is_empty() { 0.45 } else { 1.0 },
            ..Stroke::solid(Ink::Grid, 1.0)
        };
        let room = |label: &str, room: f64| label.is_empty() || room > text_width(label, LETTER);
        let x_ticks = self.x.scale.ticks(if right - left > 450.0 { 8 } else { 5 });
        for tick in &x_ticks {
            let x = left + self.x.scale.share(tick.value) * (right - left);
            self.canvas.path(vec![(x, top), (x, bottom)], grid(&tick.label));
            let length = if tick.label.is_empty() { 3.0 } else { 5.0 };
            self.canvas.path(vec![(x, bottom), (x, bottom + length)], Stroke::solid(Ink::Text, 1.0));
            if !tick.label.is_empty() && room(&tick.label, 2.0 * (self.canvas.width - x)) {
                self.canvas.text((x, bottom + 18.0), tick.label.clone(), LETTER, Align::Middle, Ink::Text);
            }
        }
        for tick in self.y.scale.ticks(5) {
            let y = bottom - self.y.scale.share(tick.value) * (bottom - top);
            self.canvas.path(vec![(left, y), (right, y)], grid(&tick.label));
            let length = if tick.label.is_empty() { 3.0 } else { 5.0 };
            self.canvas.path(vec![(left - length, y), (left, y)], Stroke::solid(Ink::Text, 1.0));
            self.canvas.text((left - 8.0, y + 4.0), tick.label, LETTER, Align::End, Ink::Text);
        }
        let corner = vec![(left, top), (left, bottom), (right, bottom)];
        self.canvas.path(corner, Stroke::solid(Ink::Text, 1.2));
        let middle = f64::midpoint(left, right);
        self.canvas.text((middle, bottom + 38.0), self.x.title.clone(), LETTER + 1.0, Align::Middle, Ink::Text);
        self.canvas.text_upwards((15.0, f64::midpoint(top, bottom)), self.y.title.clone(), LETTER + 1.0, Ink::Text);
    }

    /// The place of a pair of values.
    pub fn at(&self, (x, y): (f64, f64)) -> Point {
        let Frame { left, top, right, bottom } = self.frame;
        (left + self.x.scale.share(x) * (right - left), bottom - self.y.scale.share(y) * (bottom - top))
    }

    /// Draws a line through pairs of values.
    pub fn line(&mut self, values: &[(f64, f64)], stroke: Stroke) {
        let points = values.iter().map(|pair| self.at(*pair)).collect();
        self.canvas.path(points, stroke);
    }

    /// Fills the area between pairs of values.
    pub fn area(&mut self, values: &[(f64, f64)], ink: Ink, opacity: f64) {
        let points = values.iter().map(|pair| self.at(*pair)).collect();
        self.canvas.marks.push(Mark::Area { points, ink, opacity });
    }

    /// Draws a marker at a pair of values.
    pub fn marker(&mut self, at: (f64, f64), shape: Shape, radius: f64, ink: Ink, title: impl Into<String>) {
        let at = self.at(at);
        self.canvas.marker(at, shape, radius, ink, title);
    }

    /// Draws a vertical line through the whole frame, with a label at its upper end.
    pub fn vertical(&mut self, x: f64, label: &str) {
        let (place, _) = self.at((x, self.y.scale.low));
        let Frame { left, top, bottom, right } = self.frame;
        self.canvas.path(vec![(place, top), (place, bottom)], Stroke::solid(Ink::Text, 1.2).dashed(&[5.0, 3.0]));
        let fits_left = place - left > right - place;
        let (shift, align) = if fits_left { (-5.0, Align::End) } else { (5.0, Align::Start) };
        self.canvas.text((place + shift, top + 12.0), label, SMALL, align, Ink::Muted);
    }

    /// Draws a horizontal line through the whole frame, with a label at its left end.
    pub fn horizontal(&mut self, y: f64, label: &str) {
        let (_, place) = self.at((self.x.scale.low, y));
        let Frame { left, right, .. } = self.frame;
        self.canvas.path(vec![(left, place), (right, place)], Stroke::solid(Ink::Text, 1.2).dashed(&[5.0, 3.0]));
        let below = place - self.frame.top < 16.0;
        let shift = if below { 13.0 } else { -5.0 };
        self.canvas.text((left + 6.0, place + shift), label, SMALL, Align::Start, Ink::Muted);
    }
}

/// Draws a legend in as many lines as it needs, and answers where it ends.
pub fn draw_legend(canvas: &mut Canvas, entries: &[Entry], left: f64) -> f64 {
    let (mut x, mut y) = (left, if entries.is_empty() { 0.0 } else { 14.0 });
    for entry in entries {
        let width = SWATCH + 6.0 + text_width(&entry.label, LETTER) + 16.0;
        if x > left && x + width > canvas.width {
            (x, y) = (left, y + LEGEND_LINE);
        }
        draw_swatch(canvas, &entry.swatch, x, y);
        canvas.text((x + SWATCH + 6.0, y + 4.0), entry.label.clone(), LETTER, Align::Start, Ink::Text);
        x += width;
    }
    if entries.is_empty() { 0.0 } else { y + 8.0 }
}

fn draw_swatch(canvas: &mut Canvas, swatch: &Swatch, x: f64, y: f64) {
    let middle = (x + SWATCH / 2.0, y);
    match swatch {
        Swatch::Line(stroke) => canvas.path(vec![(x, y), (x + SWATCH, y)], *stroke),
        Swatch::Marker(shape, ink) => canvas.marker(middle, *shape, 5.0, *ink, ""),
        Swatch::Dot(ink) => {
            canvas.marks.push(Mark::Dots { points: vec![middle], radius: 2.5, ink: *ink, opacity: 0.8 });
        }
        Swatch::Bar(ink, opacity) => {
            let points = vec![(x + 6.0, y - 5.0), (x + SWATCH, y - 5.0), (x + SWATCH, y + 5.0), (x + 6.0, y + 5.0)];
            canvas.marks.push(Mark::Area { points, ink: *ink, opacity: *opacity });
        }
    }
}

/// About how wide a text is, figure units.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * LETTER_WIDTH
}
