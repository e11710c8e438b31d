//! A drawing in progress: `plotters` draws on it in tenths of figure units, and what it draws is kept as marks, which the
//! writers of SVG and PNG read. Places are in figure units, from the upper left corner.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters::coord::{CoordTranslate, Shift};
use plotters::element::{Circle, DashedPathElement, Drawable, PathElement, PointCollection, Polygon, Text};
use plotters::prelude::{Color, DrawingArea, IntoDrawingArea, TRANSPARENT, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform,
};

use super::letters::letters;
use super::palette::{Ink, Shape, Stroke};

/// A place: figure units to the right and downwards.
pub type Point = (f64, f64);

/// Steps of `plotters` in a figure unit: its own are whole pixels.
pub const STEPS: f64 = 10.0;

/// More than any drawing's height, figure units.
const HIGHEST: f64 = 1e6;

/// A length in steps.
pub fn steps(length: f64) -> i32 {
    (length * STEPS).round() as i32
}

fn at((x, y): Point) -> BackendCoord {
    (steps(x), steps(y))
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Align {
    Start,
    Middle,
    End,
}

/// One thing that is drawn; lengths and places are in steps.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum What {
    Line {
        points: Vec<BackendCoord>,
        width: u32,
    },
    Area {
        corners: Vec<BackendCoord>,
    },
    Disc {
        centre: BackendCoord,
        radius: u32,
    },
    /// `at` is on the base line.
    Text {
        at: BackendCoord,
        text: String,
        size: f64,
        align: Align,
        upwards: bool,
    },
}

/// One thing with its look.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The thing.
    pub what: What,
    /// Its colour.
    pub ink: Ink,
    /// 0 (invisible) to 1.
    pub opacity: f64,
    /// What a reader who points at it is told; empty for nothing.
    pub title: String,
}

/// A finished drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Figure units.
    pub width: f64,
    /// Figure units.
    pub height: f64,
    /// What is on it, in the order of drawing.
    pub marks: Vec<Mark>,
}

/// The backend of `plotters` that keeps what is drawn. Clones share it.
#[derive(Clone, Debug)]
pub struct Recorder {
    size: (u32, u32),
    marks: Rc<RefCell<Vec<Mark>>>,
}

impl Recorder {
    fn keep(&self, what: What, BackendColor { alpha, rgb }: BackendColor) {
        if alpha > 0.0 {
            let mark = Mark { what, ink: Ink::of(rgb), opacity: alpha, title: String::new() };
            self.marks.borrow_mut().push(mark);
        }
    }
}

impl DrawingBackend for Recorder {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Result<(), DrawingErrorKind<Infallible>> {
        self.keep(What::Disc { centre: at, radius: 1 }, colour);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        self.draw_path([from, to], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let line = What::Line { points: path.into_iter().collect(), width: style.stroke_width() };
        self.keep(line, style.color());
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        _fill: bool,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        self.keep(What::Disc { centre, radius }, style.color());
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        self.keep(What::Area { corners: corners.into_iter().collect() }, style.color());
        Ok(())
    }

    /// A text without colour is the title of what was drawn last: `plotters` has no titles.
    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        (x, y): BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha == 0.0 {
            if let Some(mark) = self.marks.borrow_mut().last_mut() {
                text.clone_into(&mut mark.title);
            }
            return Ok(());
        }
        let size = style.size();
        let align = match style.anchor().h_pos {
            HPos::Left => Align::Start,
            HPos::Center => Align::Middle,
            HPos::Right => Align::End,
        };
        // How far the base line lies below the anchor.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76 * size,
            VPos::Center => 0.34 * size,
            VPos::Bottom => 0.0,
        } as i32;
        let upwards = matches!(style.transform(), FontTransform::Rotate270);
        let at = if upwards { (x + down, y) } else { (x, y + down) };
        self.keep(What::Text { at, text: text.to_owned(), size: size / STEPS, align, upwards }, style.color());
        Ok(())
    }
}

/// A drawing that is being made, or a part of one: what is drawn on a part is on the whole.
#[derive(Clone)]
pub struct Canvas {
    /// Figure units.
    pub width: f64,
    /// Figure units.
    pub height: f64,
    /// Where `plotters` draws.
    pub area: DrawingArea<Recorder, Shift>,
    marks: Rc<RefCell<Vec<Mark>>>,
}

impl std::fmt::Debug for Canvas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Canvas").field("width", &self.width).field("height", &self.height).finish_non_exhaustive()
    }
}

/// Draws on an area. A recorder takes everything, so that nothing can fail.
pub(super) fn draw<'a, C: CoordTranslate, B, E>(area: &DrawingArea<Recorder, C>, element: &'a E)
where
    B: plotters::element::CoordMapper,
    &'a E: PointCollection<'a, C::From, B>,
    E: Drawable<Recorder, B>,
{
    area.draw(element).unwrap_or_default();
}

/// Draws a line on an area.
pub(super) fn draw_line<C: CoordTranslate>(area: &DrawingArea<Recorder, C>, points: Vec<C::From>, stroke: Stroke)
where
    C::From: Clone + 'static,
{
    let style = Color::stroke_width(&stroke.ink.colour().mix(stroke.opacity), steps(stroke.width) as u32);
    match stroke.dash {
        None => draw(area, &PathElement::new(points, style)),
        Some((dash, gap)) => {
            area.draw(&DashedPathElement::new(points, steps(dash), steps(gap), style)).unwrap_or_default();
        }
    }
}

impl Canvas {
    /// An empty canvas.
    pub fn new(width: f64, height: f64) -> Self {
        let marks = Rc::default();
        let size = (steps(width) as u32, steps(height) as u32);
        let recorder = Recorder { size, marks: Rc::clone(&marks) };
        Canvas { width, height, area: recorder.into_drawing_area(), marks }
    }

    /// An empty canvas whose height is to be set when it is known: `plotters` moves what lies outside an area to its edge.
    pub fn of_width(width: f64) -> Self {
        Canvas { height: 0.0, ..Self::new(width, HIGHEST) }
    }

    /// A part of it, which has its own places.
    #[must_use]
    pub fn part(&self, corner: Point, (width, height): (f64, f64)) -> Self {
        let area = self.area.clone().shrink(at(corner), at((width, height)));
        Canvas { width, height, area, marks: Rc::clone(&self.marks) }
    }

    /// What was drawn.
    pub fn finish(self) -> Drawing {
        Drawing { width: self.width, height: self.height, marks: self.marks.take() }
    }

    /// Draws a line.
    pub fn path(&self, points: Vec<Point>, stroke: Stroke) {
        draw_line(&self.area, points.into_iter().map(at).collect(), stroke);
    }

    /// Fills an area.
    pub fn fill(&self, corners: Vec<Point>, ink: Ink, opacity: f64) {
        let corners: Vec<BackendCoord> = corners.into_iter().map(at).collect();
        draw(&self.area, &Polygon::new(corners, ink.colour().mix(opacity)));
    }

    /// Fills a rectangle between two corners.
    pub fn bar(&self, (left, top): Point, (right, bottom): Point, ink: Ink, opacity: f64) {
        self.fill(vec![(left, top), (right, top), (right, bottom), (left, bottom)], ink, opacity);
    }

    /// Draws a round dot.
    pub fn dot(&self, centre: Point, radius: f64, ink: Ink, opacity: f64) {
        draw(&self.area, &Circle::new(at(centre), steps(radius), ink.colour().mix(opacity).filled()));
    }

    /// Draws a marker, and says what a reader who points at it is told.
    pub fn marker(&self, centre: Point, shape: Shape, radius: f64, ink: Ink, title: &str) {
        if shape == Shape::Circle {
            self.dot(centre, radius, ink, 1.0);
        } else {
            let corners = shape.corners().into_iter().map(|(x, y)| (centre.0 + radius * x, centre.1 + radius * y));
            self.fill(corners.collect(), ink, 1.0);
        }
        if !title.is_empty() {
            draw(&self.area, &Text::new(title, at(centre), letters(1.0).color(&TRANSPARENT)));
        }
    }

    /// Writes a line of text; `place` is on its base line.
    pub fn text(&self, place: Point, text: impl Into<String>, size: f64, align: Align, ink: Ink) {
        self.write(place, text.into(), size, align, ink, FontTransform::None);
    }

    /// Writes a line of text that runs upwards, its middle at `place`.
    pub fn text_upwards(&self, place: Point, text: impl Into<String>, size: f64, ink: Ink) {
        self.write(place, text.into(), size, Align::Middle, ink, FontTransform::Rotate270);
    }

    fn write(&self, place: Point, text: String, size: f64, align: Align, ink: Ink, transform: FontTransform) {
        let anchor = match align {
            Align::Start => HPos::Left,
            Align::Middle => HPos::Center,
            Align::End => HPos::Right,
        };
        let colour = ink.colour();
        let style = TextStyle::from(letters(size).transform(transform)).color(&colour);
        draw(&self.area, &Text::new(text, at(place), style.pos(Pos::new(anchor, VPos::Bottom))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_may_grow_downwards() {
        let mut canvas = Canvas::of_width(100.0);
        canvas.dot((50.0, 900.0), 2.0, Ink::Text, 1.0);
        canvas.part((10.0, 1000.0), (50.0, 50.0)).dot((1.0, 2.0), 2.0, Ink::Text, 1.0);
        canvas.height = 1100.0;
        let drawing = canvas.finish();
        let centres = drawing.marks.iter().map(|mark| match mark.what {
            What::Disc { centre, .. } => centre,
            _ => (0, 0),
        });
        assert_eq!(drawing.height, 1100.0);
        assert_eq!(centres.collect::<Vec<_>>(), [(500, 9000), (110, 10_020)]);
    }
}
