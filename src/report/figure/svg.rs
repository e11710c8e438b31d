//! Canvas → SVG. Inks are classes, so that a page's theme colours an inlined plot; a file of its own brings its styles.

use std::fmt::Write;

use super::canvas::{Align, Canvas, Mark, Point, Shape, Stroke};
use super::palette::Ink;
use crate::report::escape::escape;

/// Whether a drawing brings its own styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Styles {
    /// A file of its own, in the light theme.
    Own,
    /// A part of a page, whose style sheet has [`style_sheet`] with its variables.
    OfThePage,
}

/// The style sheet for inks, with their colours or the page's variables.
pub fn style_sheet(styles: Styles) -> String {
    Ink::all().fold(String::new(), |mut sheet, ink| {
        let name = ink.name();
        let colour = match styles {
            Styles::Own => ink.hex().0,
            Styles::OfThePage => format!("var(--{name})"),
        };
        // A string cannot fail to be written to; so below.
        let _ = writeln!(sheet, ".f-{name}{{fill:{colour}}}.k-{name}{{stroke:{colour};fill:none}}");
        sheet
    })
}

/// The drawing as SVG. `title` and `description` are for those who do not see it.
pub fn write(canvas: &Canvas, name: &str, title: &str, description: &str, styles: Styles) -> String {
    let mut out = String::new();
    let (width, height) = (canvas.width, canvas.height);
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 {width} {height}\" class=\"plot\" role=\"img\" \
         aria-labelledby=\"{name}-t {name}-d\""
    );
    match styles {
        Styles::Own => {
            let _ = write!(
                out,
                " xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
                 font-family=\"Ubuntu, 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n<style>{}</style>\n",
                style_sheet(styles)
            );
        }
        Styles::OfThePage => out.push_str(">\n"),
    }
    let _ = writeln!(out, "<title id=\"{name}-t\">{}</title>", escape(title));
    let _ = writeln!(out, "<desc id=\"{name}-d\">{}</desc>", escape(description));
    if styles == Styles::Own {
        let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" class=\"f-paper\"/>");
    }
    for mark in &canvas.marks {
        write_mark(&mut out, mark);
    }
    out.push_str("</svg>\n");
    out
}

fn write_mark(out: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Path { points, stroke } => write_path(out, points, stroke),
        Mark::Area { points, ink, opacity } => {
            let outline = outline(points.iter().copied());
            writeln!(out, "<path class=\"f-{}\" opacity=\"{opacity}\" d=\"{outline}z\"/>", ink.name())
        }
        Mark::Marker { at, shape, radius, ink, title } => write_marker(out, *at, *shape, *radius, *ink, title),
        Mark::Dots { points, radius, ink, opacity } => {
            let dots = points.iter().fold(String::new(), |mut dots, point| {
                let _ = write!(dots, "M{} {}h0", number(point.0), number(point.1));
                dots
            });
            writeln!(
                out,
                "<path class=\"k-{}\" stroke-linecap=\"round\" stroke-width=\"{}\" opacity=\"{opacity}\" d=\"{dots}\"/>",
                ink.name(),
                number(2.0 * radius)
            )
        }
        Mark::Text { at: (x, y), text, size, align, upwards, ink } => {
            let anchor = match align {
                Align::Start => "start",
                Align::Middle => "middle",
                Align::End => "end",
            };
            let (x, y) = (number(*x), number(*y));
            let turn = if *upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
            writeln!(
                out,
                "<text class=\"f-{}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{turn}>{}</text>",
                ink.name(),
                escape(text)
            )
        }
    };
}

fn write_path(out: &mut String, points: &[Point], stroke: &Stroke) -> std::fmt::Result {
    write!(out, "<path class=\"k-{}\" stroke-width=\"{}\"", stroke.ink.name(), stroke.width)?;
    if stroke.opacity < 1.0 {
        write!(out, " opacity=\"{}\"", stroke.opacity)?;
    }
    if !stroke.dash.is_empty() {
        let dash: Vec<String> = stroke.dash.iter().map(ToString::to_string).collect();
        write!(out, " stroke-dasharray=\"{}\"", dash.join(" "))?;
    }
    writeln!(out, " stroke-linejoin=\"round\" d=\"{}\"/>", outline(points.iter().copied()))
}

fn write_marker(out: &mut String, at: Point, shape: Shape, radius: f64, ink: Ink, title: &str) -> std::fmt::Result {
    let name = ink.name();
    let end = if title.is_empty() { "/>".into() } else { format!("><title>{}</title></", escape(title)) };
    let element = if shape == Shape::Circle { "circle" } else { "path" };
    let end = if title.is_empty() { end } else { format!("{end}{element}>") };
    if shape == Shape::Circle {
        let (x, y) = (number(at.0), number(at.1));
        return writeln!(out, "<circle class=\"f-{name}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{end}");
    }
    let corners = shape.corners().into_iter().map(|(x, y)| (at.0 + radius * x, at.1 + radius * y));
    writeln!(out, "<path class=\"f-{name}\" d=\"{}z\"{end}", outline(corners))
}

/// Path data: horizontal and vertical steps are written as such.
fn outline(points: impl Iterator<Item = Point>) -> String {
    let mut data = String::new();
    let mut before: Option<(String, String)> = None;
    for point in points {
        let (x, y) = (number(point.0), number(point.1));
        let _ = match &before {
            None => write!(data, "M{x} {y}"),
            Some((old_x, old_y)) if *old_x == x && *old_y == y => Ok(()),
            Some((old_x, _)) if *old_x == x => write!(data, "V{y}"),
            Some((_, old_y)) if *old_y == y => write!(data, "H{x}"),
            Some(_) => write!(data, "L{x} {y}"),
        };
        before = Some((x, y));
    }
    data
}

/// A coordinate, to a tenth of a unit.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_written_short_and_text_is_escaped() {
        let mut canvas = Canvas::new(100.0, 50.0);
        let points = vec![(0.0, 0.0), (10.04, 0.0), (10.04, 5.0), (20.0, 7.5)];
        canvas.path(points, Stroke::solid(Ink::Series(0), 1.5).dashed(&[2.0, 1.0]));
        canvas.text((1.0, 2.0), "<a> & b", 12.0, Align::End, Ink::Text);
        let svg = write(&canvas, "p", "t", "d", Styles::Own);
        assert!(svg.contains("stroke-dasharray=\"2 1\" stroke-linejoin=\"round\" d=\"M0 0H10V5L20 7.5\""), "{svg}");
        assert!(svg.contains(">&lt;a&gt; &amp; b</text>"), "{svg}");
        roxmltree::Document::parse(&svg).unwrap();
        assert!(!write(&canvas, "p", "t", "d", Styles::OfThePage).contains("<style>"));
    }
}
