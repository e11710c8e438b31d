//! What a plot consists of: lines, areas, markers and text, in figure units, from the upper left corner. The writers of
//! SVG and PNG draw the same marks.

use super::palette::Ink;

/// A place: units to the right and downwards.
pub type Point = (f64, f64);

/// A line's look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width, figure units.
    pub width: f64,
    /// Lengths of dashes and gaps, figure units; empty for a solid line.
    pub dash: &'static [f64],
    /// 0 (invisible) to 1.
    pub opacity: f64,
}

impl Stroke {
    /// A solid line.
    pub fn solid(ink: Ink, width: f64) -> Self {
        Stroke { ink, width, dash: &[], opacity: 1.0 }
    }

    /// The same with dashes.
    #[must_use]
    pub fn dashed(self, dash: &'static [f64]) -> Self {
        Stroke { dash, ..self }
    }
}

/// The shapes of markers, in the order in which series take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Pentagon,
    Cross,
}

impl Shape {
    /// The shape of the series of this number.
    pub fn of_series(series: usize) -> Self {
        const SHAPES: [Shape; 5] = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Pentagon];
        SHAPES[series % SHAPES.len()]
    }

    /// The corners of a shape that has corners, around the origin, for a radius of 1. All shapes look equally large.
    pub fn corners(self) -> Vec<Point> {
        let regular = |corners: u32, size: f64, turn: f64| {
            let corner = move |number: u32| {
                let angle = std::f64::consts::TAU * (f64::from(number) / f64::from(corners)) + turn;
                (size * angle.sin(), -size * angle.cos())
            };
            (0..corners).map(corner).collect()
        };
        match self {
            Shape::Circle => regular(24, 1.0, 0.0),
            Shape::Square => regular(4, 1.25, std::f64::consts::FRAC_PI_4),
            Shape::Triangle => regular(3, 1.35, 0.0),
            Shape::Diamond => regular(4, 1.3, 0.0),
            Shape::Pentagon => regular(5, 1.15, 0.0),
            Shape::Cross => {
                let (far, near) = (1.2, 0.35);
                vec![
                    (-far, -far + near),
                    (-far + near, -far),
                    (0.0, -near),
                    (far - near, -far),
                    (far, -far + near),
                    (near, 0.0),
                    (far, far - near),
                    (far - near, far),
                    (0.0, near),
                    (-far + near, far),
                    (-far, far - near),
                    (-near, 0.0),
                ]
            }
        }
    }
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Align {
    Start,
    Middle,
    End,
}

/// One thing on a canvas.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Path {
        /// The points.
        points: Vec<Point>,
        /// Its look.
        stroke: Stroke,
    },
    /// A filled area.
    Area {
        /// Its corners.
        points: Vec<Point>,
        /// Its colour.
        ink: Ink,
        /// 0 (invisible) to 1.
        opacity: f64,
    },
    /// A marker.
    Marker {
        /// Its centre.
        at: Point,
        /// Its shape.
        shape: Shape,
        /// Half its size, figure units.
        radius: f64,
        /// Its colour.
        ink: Ink,
        /// What a reader who points at it is told; empty for nothing.
        title: String,
    },
    /// Many small round dots of one look.
    Dots {
        /// Their centres.
        points: Vec<Point>,
        /// Half their size, figure units.
        radius: f64,
        /// Their colour.
        ink: Ink,
        /// 0 (invisible) to 1.
        opacity: f64,
    },
    /// A line of text; `at` is on its base line.
    Text {
        /// Its place.
        at: Point,
        /// What it says.
        text: String,
        /// The height of its letters' square, figure units.
        size: f64,
        /// Which part of it stands at its place.
        align: Align,
        /// Whether it runs upwards.
        upwards: bool,
        /// Its colour.
        ink: Ink,
    },
}

/// A drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Canvas {
    /// Figure units.
    pub width: f64,
    /// Figure units.
    pub height: f64,
    /// What is on it, in the order of drawing.
    pub marks: Vec<Mark>,
}

impl Canvas {
    /// An empty canvas.
    pub fn new(width: f64, height: f64) -> Self {
        Canvas { width, height, marks: Vec::new() }
    }

    /// Draws a line. Points within a level or upright piece of it are left out.
    pub fn path(&mut self, points: Vec<Point>, stroke: Stroke) {
        let mut kept: Vec<Point> = Vec::with_capacity(points.len());
        for point in points {
            if let [.., before, last] = kept.as_slice()
                && is_between(*before, *last, point)
            {
                kept.pop();
            }
            kept.push(point);
        }
        self.marks.push(Mark::Path { points: kept, stroke });
    }

    /// Draws a marker.
    pub fn marker(&mut self, at: Point, shape: Shape, radius: f64, ink: Ink, title: impl Into<String>) {
        self.marks.push(Mark::Marker { at, shape, radius, ink, title: title.into() });
    }

    /// Writes a line of text.
    pub fn text(&mut self, at: Point, text: impl Into<String>, size: f64, align: Align, ink: Ink) {
        self.marks.push(Mark::Text { at, text: text.into(), size, align, upwards: false, ink });
    }

    /// Writes a line of text that runs upwards, its middle at `at`.
    pub fn text_upwards(&mut self, at: Point, text: impl Into<String>, size: f64, ink: Ink) {
        self.marks.push(Mark::Text { at, text: text.into(), size, align: Align::Middle, upwards: true, ink });
    }

    /// Draws what is on another canvas, its upper left corner at `at`.
    pub fn place(&mut self, other: Canvas, (x, y): Point) {
        let moved = |point: Point| (point.0 + x, point.1 + y);
        self.marks.extend(other.marks.into_iter().map(|mut mark| {
            match &mut mark {
                Mark::Path { points, .. } | Mark::Area { points, .. } | Mark::Dots { points, .. } => {
                    for point in points.iter_mut() {
                        *point = moved(*point);
                    }
                }
                Mark::Marker { at, .. } | Mark::Text { at, .. } => *at = moved(*at),
            }
            mark
        }));
    }
}

/// Whether the middle one of three points lies on the level or upright line between the others.
fn is_between(one: Point, middle: Point, other: Point) -> bool {
    let within = |low: f64, value: f64, high: f64| (low <= value && value <= high) || (high <= value && value <= low);
    (one.1 == middle.1 && middle.1 == other.1 && within(one.0, middle.0, other.0))
        || (one.0 == middle.0 && middle.0 == other.0 && within(one.1, middle.1, other.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_drawn_by_its_corners() {
        let mut canvas = Canvas::new(10.0, 10.0);
        let points = vec![(0.0, 5.0), (1.0, 5.0), (2.0, 5.0), (2.0, 3.0), (2.0, 1.0), (4.0, 1.0), (3.0, 1.0)];
        canvas.path(points, Stroke::solid(Ink::Text, 1.0));
        let Mark::Path { points, .. } = &canvas.marks[0] else { panic!("a path") };
        assert_eq!(points, &[(0.0, 5.0), (2.0, 5.0), (2.0, 1.0), (4.0, 1.0), (3.0, 1.0)]);
    }
}
