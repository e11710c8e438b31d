//! A chart with two axes, by `plotters`: frame, grid, ticks, axis titles; and a legend above it.

use plotters::chart::{ChartBuilder, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;
use plotters::element::Polygon;
use plotters::prelude::{Color, DrawingArea};
use plotters::style::TextStyle;

use super::canvas::{Align, Canvas, Drawing, Point, Recorder, STEPS, draw, draw_line, steps};
use super::letters::{letters, text_width};
use super::palette::{Ink, Shape, Stroke};
use super::scale::Scale;

/// The height of letters, figure units.
pub const LETTER: f64 = 12.0;
const SMALL: f64 = 11.0;
const LEGEND_LINE: f64 = 18.0;
const SWATCH: f64 = 26.0;

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
#[expect(missing_docs, reason = "the names say it")]
pub enum Swatch {
    Line(Stroke),
    Marker(Shape, Ink),
    Dot(Ink),
    /// A bar of this opacity.
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
pub struct Chart {
    /// Where it stands.
    pub canvas: Canvas,
    /// Where the data are.
    plot: DrawingArea<Recorder, Cartesian2d<Scale, Scale>>,
    x: Scale,
    y: Scale,
}

impl std::fmt::Debug for Chart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chart").field("x", &self.x).field("y", &self.y).finish_non_exhaustive()
    }
}

impl Chart {
    /// A chart of a size in figure units, with its axes, grid and legend.
    pub fn new((width, height): (f64, f64), x: &Axis, y: &Axis, legend: &[Entry]) -> Self {
        Self::on(Canvas::new(width, height), x, y, legend)
    }

    /// A chart that fills a canvas.
    pub fn on(canvas: Canvas, x: &Axis, y: &Axis, legend: &[Entry]) -> Self {
        let widest = y.scale.ticks(5).iter().map(|tick| text_width(&tick.label, LETTER)).fold(0.0, f64::max);
        let left = 34.0 + widest;
        let top = draw_legend(&canvas, legend, left) + 12.0;
        let ink = Ink::Text.colour();
        let text = TextStyle::from(letters(LETTER)).color(&ink);
        let mut builder = ChartBuilder::on(&canvas.area);
        builder.margin_top(steps(top)).margin_right(steps(30.0)).margin_bottom(steps(8.0)).margin_left(steps(5.0));
        builder.x_label_area_size(steps(38.0)).y_label_area_size(steps(left - 5.0));
        let ranges = (x.scale, y.scale);
        // It fails only where the backend does, and a recorder takes everything.
        let Ok(mut chart) = builder.build_cartesian_2d(ranges.0, ranges.1) else {
            unreachable!("a recorder never fails")
        };
        let (of_x, of_y) = ((if canvas.width > 530.0 { 8 } else { 5 }), 5);
        let (x_label, y_label) = (x.scale.labels(of_x), y.scale.labels(of_y));
        chart
            .configure_mesh()
            .x_labels(of_x)
            .y_labels(of_y)
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .x_desc(&x.title)
            .y_desc(&y.title)
            .label_style(text)
            .axis_desc_style(TextStyle::from(letters(LETTER + 1.0)).color(&ink))
            .bold_line_style(Ink::Grid.colour().stroke_width(10))
            .light_line_style(Ink::Grid.colour().mix(0.45).stroke_width(10))
            .axis_style(Ink::Text.colour().stroke_width(12))
            .set_tick_mark_size(LabelAreaPosition::Bottom, steps(5.0))
            .set_tick_mark_size(LabelAreaPosition::Left, steps(5.0))
            .draw()
            .unwrap_or_default();
        let plot = chart.plotting_area().clone();
        Chart { canvas, plot, x: x.scale, y: y.scale }
    }

    /// What was drawn.
    pub fn finish(self) -> Drawing {
        self.canvas.finish()
    }

    /// The place of a pair of values on the chart's canvas.
    pub fn at(&self, values: (f64, f64)) -> Point {
        let (x, y) = self.plot.map_coordinate(&values);
        let (left, top) = self.canvas.area.get_base_pixel();
        (f64::from(x - left) / STEPS, f64::from(y - top) / STEPS)
    }

    /// Draws a line through pairs of values.
    pub fn line(&self, values: &[(f64, f64)], stroke: Stroke) {
        draw_line(&self.plot, values.to_vec(), stroke);
    }

    /// Fills the area between pairs of values.
    pub fn area(&self, values: &[(f64, f64)], ink: Ink, opacity: f64) {
        draw(&self.plot, &Polygon::new(values.to_vec(), ink.colour().mix(opacity)));
    }

    /// Draws a marker at a pair of values.
    pub fn marker(&self, at: (f64, f64), shape: Shape, radius: f64, ink: Ink, title: &str) {
        self.canvas.marker(self.at(at), shape, radius, ink, title);
    }

    /// Draws a vertical line through the whole frame, with a label at its upper end.
    pub fn vertical(&self, x: f64, label: &str) {
        let stroke = Stroke::solid(Ink::Text, 1.2).dashed(Some((5.0, 3.0)));
        self.line(&[(x, self.y.high), (x, self.y.low)], stroke);
        let (place, top) = self.at((x, self.y.high));
        let (shift, align) = if self.x.share(x) > 0.5 { (-5.0, Align::End) } else { (5.0, Align::Start) };
        self.canvas.text((place + shift, top + 12.0), label, SMALL, align, Ink::Muted);
    }

    /// Draws a horizontal line through the whole frame, with a label at its left end.
    pub fn horizontal(&self, y: f64, label: &str) {
        let stroke = Stroke::solid(Ink::Text, 1.2).dashed(Some((5.0, 3.0)));
        self.line(&[(self.x.low, y), (self.x.high, y)], stroke);
        let (left, place) = self.at((self.x.low, y));
        let is_near_the_top = place - self.at((self.x.low, self.y.high)).1 < 16.0;
        let shift = if is_near_the_top { 13.0 } else { -5.0 };
        self.canvas.text((left + 6.0, place + shift), label, SMALL, Align::Start, Ink::Muted);
    }
}

/// Draws a legend in as many lines as it needs, and answers where it ends.
pub fn draw_legend(canvas: &Canvas, entries: &[Entry], left: f64) -> f64 {
    let (mut x, mut y) = (left, if entries.is_empty() { 0.0 } else { 14.0 });
    for entry in entries {
        let width = SWATCH + 6.0 + text_width(&entry.label, LETTER) + 16.0;
        if x > left && x + width > canvas.width {
            (x, y) = (left, y + LEGEND_LINE);
        }
        let middle = (x + SWATCH / 2.0, y);
        match &entry.swatch {
            Swatch::Line(stroke) => canvas.path(vec![(x, y), (x + SWATCH, y)], *stroke),
            Swatch::Marker(shape, ink) => canvas.marker(middle, *shape, 5.0, *ink, ""),
            Swatch::Dot(ink) => canvas.dot(middle, 2.5, *ink, 0.8),
            Swatch::Bar(ink, opacity) => canvas.bar((x + 6.0, y - 5.0), (x + SWATCH, y + 5.0), *ink, *opacity),
        }
        canvas.text((x + SWATCH + 6.0, y + 4.0), entry.label.clone(), LETTER, Align::Start, Ink::Text);
        x += width;
    }
    if entries.is_empty() { 0.0 } else { y + 8.0 }
}
