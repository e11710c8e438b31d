//! Drawing → SVG. Inks are classes, so that a page's theme colours an inlined plot; a file of its own brings its styles.

use std::fmt::Write;

use plotters_backend::BackendCoord;

use super::canvas::{Align, Drawing, Mark, STEPS, What};
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
pub fn write(drawing: &Drawing, name: &str, title: &str, description: &str, styles: Styles) -> String {
    let mut out = String::new();
    let (width, height) = (drawing.width, drawing.height);
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
    // Lines of one look, one after the other, are one path; so are dots.
    for group in drawing.marks.chunk_by(is_one_path) {
        let _ = write_group(&mut out, &group[0], group);
    }
    out.push_str("</svg>\n");
    out
}

fn is_one_path(one: &Mark, other: &Mark) -> bool {
    let same = match (&one.what, &other.what) {
        (What::Line { width: one, .. }, What::Line { width: other, .. })
        | (What::Disc { radius: one, .. }, What::Disc { radius: other, .. }) => one == other,
        _ => false,
    };
    same && (one.ink, one.opacity) == (other.ink, other.opacity) && one.title.is_empty() && other.title.is_empty()
}

fn write_group(out: &mut String, Mark { what, ink, opacity, title }: &Mark, group: &[Mark]) -> std::fmt::Result {
    let name = ink.name();
    let opacity = if *opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
    let end = |element: &str| match title.as_str() {
        "" => "/>".to_owned(),
        title => format!("><title>{}</title></{element}>", escape(title)),
    };
    match what {
        What::Line { width, .. } => {
            let width = number(f64::from(*width));
            writeln!(
                out,
                "<path class=\"k-{name}\" stroke-width=\"{width}\"{opacity} stroke-linejoin=\"round\" d=\"{}\"/>",
                data(group)
            )
        }
        What::Area { .. } => writeln!(out, "<path class=\"f-{name}\"{opacity} d=\"{}z\"{}", data(group), end("path")),
        What::Disc { radius, .. } if group.len() > 1 => {
            let width = number(2.0 * f64::from(*radius));
            writeln!(
                out,
                "<path class=\"k-{name}\" stroke-linecap=\"round\" stroke-width=\"{width}\"{opacity} d=\"{}\"/>",
                data(group)
            )
        }
        What::Disc { centre: (x, y), radius } => {
            let [x, y, radius] = [f64::from(*x), f64::from(*y), f64::from(*radius)].map(number);
            writeln!(out, "<circle class=\"f-{name}\"{opacity} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{}", end("circle"))
        }
        What::Text { at: (x, y), text, size, align, upwards } => {
            let anchor = match align {
                Align::Start => "start",
                Align::Middle => "middle",
                Align::End => "end",
            };
            let (x, y) = (number(f64::from(*x)), number(f64::from(*y)));
            let turn = if *upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
            let text = escape(text);
            writeln!(
                out,
                "<text class=\"f-{name}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{turn}>{text}</text>"
            )
        }
    }
}

/// Path data: horizontal and vertical steps are written as such.
fn data(group: &[Mark]) -> String {
    let mut data = String::new();
    for mark in group {
        let points: &[BackendCoord] = match &mark.what {
            What::Line { points, .. } | What::Area { corners: points } => points,
            What::Disc { centre, .. } => &[*centre, *centre],
            What::Text { .. } => &[],
        };
        let mut before: Option<BackendCoord> = None;
        for &(x, y) in points {
            let (right, down) = (number(f64::from(x)), number(f64::from(y)));
            let next = match before {
                None => format!("M{right} {down}"),
                // A dot: a line without length.
                Some(old) if old == (x, y) && points.len() == 2 => "h0".to_owned(),
                Some(old) if old == (x, y) => String::new(),
                Some((old, _)) if old == x => format!("V{down}"),
                Some((_, old)) if old == y => format!("H{right}"),
                Some(_) => format!("L{right} {down}"),
            };
            data.push_str(&next);
            before = Some((x, y));
        }
    }
    data
}

/// Steps as figure units.
fn number(steps: f64) -> String {
    (steps / STEPS).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::canvas::Canvas;
    use crate::report::figure::palette::{Shape, Stroke};

    #[test]
    fn steps_are_written_short_and_text_is_escaped() {
        let canvas = Canvas::new(100.0, 50.0);
        canvas.path(vec![(0.0, 0.0), (10.04, 0.0), (10.04, 5.0), (20.0, 7.5)], Stroke::solid(Ink::Series(0), 1.5));
        canvas.path(vec![(0.0, 9.0), (5.0, 9.0)], Stroke::solid(Ink::Series(0), 1.5).dashed(Some((2.0, 1.0))));
        canvas.marker((30.0, 30.0), Shape::Diamond, 10.0, Ink::Alarm, "a & b");
        canvas.text((1.0, 2.0), "<a> & b", 12.0, Align::End, Ink::Text);
        let drawing = canvas.finish();
        let svg = write(&drawing, "p", "t", "d", Styles::Own);
        assert!(svg.contains("stroke-linejoin=\"round\" d=\"M0 0H10V5L20 7.5M0 9H2M3 9H5\""), "{svg}");
        assert!(svg.contains("d=\"M30 17L43 30L30 43L17 30z\"><title>a &amp; b</title></path>"), "{svg}");
        assert!(svg.contains(">&lt;a&gt; &amp; b</text>"), "{svg}");
        roxmltree::Document::parse(&svg).unwrap();
        assert!(!write(&drawing, "p", "t", "d", Styles::OfThePage).contains("<style>"));
    }
}
