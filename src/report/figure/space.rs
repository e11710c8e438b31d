//! A box in three dimensions, by `plotters`, seen from the front, above and a little from the side, with points in it.

use plotters::chart::ChartBuilder;
use plotters::prelude::Color;
use plotters::style::TextStyle;

use super::canvas::{Align, Canvas, Drawing, Point, STEPS, draw_line, steps};
use super::chart::{Entry, LETTER, draw_legend};
use super::letters::letters;
use super::palette::{Ink, Shape, Stroke};
use super::scale::{Layout, Scale};

/// The angle by which the box is turned about its vertical axis, and the one from which it is seen, radians.
const YAW: f64 = 0.6;
const PITCH: f64 = 0.35;
/// All axes run from 0 to 1.
const UNIT: Scale = Scale { layout: Layout::Linear, low: 0.0, high: 1.0 };

/// A point in the box: each coordinate is in 0 to 1; the third is the height.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SpacePoint {
    pub at: [f64; 3],
    pub shape: Shape,
    pub ink: Ink,
    pub title: String,
}

/// Draws the box with the titles of its axes and the points, the far ones first, each on a stem from the floor.
pub fn draw(size: (f64, f64), titles: [&str; 3], mut points: Vec<SpacePoint>, legend: &[Entry]) -> Drawing {
    let canvas = Canvas::new(size.0, size.1);
    let top = draw_legend(&canvas, legend, 40.0);
    let mut builder = ChartBuilder::on(&canvas.area);
    builder.margin_top(steps(top)).margin_bottom(steps(26.0));
    // It fails only where the backend does, and a recorder takes everything.
    let Ok(mut chart) = builder.build_cartesian_3d(UNIT, UNIT, UNIT) else { unreachable!("a recorder never fails") };
    chart.with_projection(|mut view| {
        (view.yaw, view.pitch, view.scale) = (YAW, PITCH, 0.84);
        view.into_matrix()
    });
    let label = UNIT.labels(5);
    // Two axes meet in the nearest corner: its two labels are one text.
    chart
        .configure_axes()
        .axis_panel_style(Ink::Paper.colour().mix(0.0))
        .bold_grid_style(Ink::Grid.colour().stroke_width(10))
        .light_grid_style(Ink::Grid.colour().mix(0.0))
        .max_light_lines(1)
        .tick_size(steps(5.0))
        .x_labels(5)
        .y_labels(5)
        .z_labels(5)
        .x_formatter(&|value| if *value == 1.0 { "1.0\u{a0}\u{a0}\u{a0}0.0".into() } else { label(value) })
        .y_formatter(&label)
        .z_formatter(&|value| if *value == 1.0 { String::new() } else { label(&(1.0 - value)) })
        .label_style(TextStyle::from(letters(LETTER)).color(&Ink::Text.colour()))
        .draw()
        .unwrap_or_default();
    let plot = chart.plotting_area();
    // The second coordinate of `plotters` is the height, and the third one comes towards the reader.
    let place = |[x, y, z]: [f64; 3]| (x, z, 1.0 - y);
    let seen = |at: [f64; 3]| -> Point {
        let (right, down) = plot.map_coordinate(&place(at));
        (f64::from(right) / STEPS, f64::from(down) / STEPS)
    };
    let corners = [[0.0, 0.0, 1.0], [0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    draw_line(plot, corners.map(place).into(), Stroke::solid(Ink::Text, 1.0));
    let title = |at: [f64; 3], (right, down): Point, align: Align, title: &str| {
        let (x, y) = seen(at);
        canvas.text((x + right, y + down), title, LETTER + 1.0, align, Ink::Text);
    };
    title([0.5, 0.0, 0.0], (-40.0, 34.0), Align::End, titles[0]);
    title([1.0, 0.5, 0.0], (40.0, 34.0), Align::Start, titles[1]);
    let (x, y) = seen([0.0, 0.0, 0.5]);
    canvas.text_upwards((x - 46.0, y), titles[2], LETTER + 1.0, Ink::Text);
    let distance = |[x, y, _]: [f64; 3]| y * YAW.cos() - x * YAW.sin();
    points.sort_by(|one, other| distance(other.at).total_cmp(&distance(one.at)));
    for SpacePoint { at: [x, y, z], .. } in &points {
        let stem = Stroke { opacity: 0.55, ..Stroke::solid(Ink::Muted, 0.8) };
        draw_line(plot, vec![place([*x, *y, *z]), place([*x, *y, 0.0])], stem);
    }
    for SpacePoint { at, shape, ink, title } in &points {
        canvas.marker(seen(*at), *shape, 5.0, *ink, title);
    }
    canvas.finish()
}
