//! The look of plots: what a mark means decides its ink, and the theme decides the ink's colour; lines and markers.

use plotters::style::RGBColor;

use super::canvas::Point;

/// What a mark is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text and axes.
    Text,
    /// Text and lines of less weight.
    Muted,
    /// Grid lines.
    Grid,
    /// The page behind the plot.
    Paper,
    /// What must not be overlooked.
    Alarm,
    /// The series of this number; beyond the last colour they begin again, with other lines and markers.
    Series(usize),
}

/// The series' colours in light and dark themes: Okabe and Ito's, which the colour-blind can tell apart. Yellow is
/// darkened on white, their black is grey, so that neither vanishes in its theme, and a violet is added. Vermilion stays
/// free for [`Ink::Alarm`].
const SERIES: [(u32, u32); SERIES_COLOURS] = [
    (0x00_72b2, 0x56_b4e9),
    (0xe6_9f00, 0xf2_b134),
    (0x00_9e73, 0x2c_c295),
    (0xcc_79a7, 0xe0_94be),
    (0x6b_3fa0, 0xb9_8be0),
    (0x56_b4e9, 0x8f_d3ff),
    (0xb5_a800, 0xf0_e442),
    (0x7f_7f7f, 0xb0_b0b0),
];

/// How many series have a colour of their own.
pub const SERIES_COLOURS: usize = 8;

impl Ink {
    /// All inks, once each.
    pub fn all() -> impl Iterator<Item = Ink> {
        [Ink::Text, Ink::Muted, Ink::Grid, Ink::Paper, Ink::Alarm]
            .into_iter()
            .chain((0..SERIES_COLOURS).map(Ink::Series))
    }

    /// The ink's name in style sheets.
    pub fn name(self) -> String {
        match self {
            Ink::Text => "text".into(),
            Ink::Muted => "muted".into(),
            Ink::Grid => "grid".into(),
            Ink::Paper => "paper".into(),
            Ink::Alarm => "alarm".into(),
            Ink::Series(number) => format!("s{}", number % SERIES_COLOURS),
        }
    }

    fn themes(self) -> (u32, u32) {
        match self {
            Ink::Text => (0x1c_1c1c, 0xe8_e6e3),
            Ink::Muted => (0x66_6666, 0xa0_9d98),
            Ink::Grid => (0xdd_dddd, 0x3c_3c3f),
            Ink::Paper => (0xff_ffff, 0x1b_1b1d),
            Ink::Alarm => (0xd5_5e00, 0xff_7a1f),
            Ink::Series(number) => SERIES[number % SERIES_COLOURS],
        }
    }

    /// The colour in the light theme, which is the one that `plotters` draws with.
    pub fn colour(self) -> RGBColor {
        let [_, red, green, blue] = self.themes().0.to_be_bytes();
        RGBColor(red, green, blue)
    }

    /// The ink of a colour of the light theme.
    pub fn of((red, green, blue): (u8, u8, u8)) -> Self {
        Ink::all().find(|ink| ink.colour() == RGBColor(red, green, blue)).unwrap_or(Ink::Text)
    }

    /// The colours of the light and the dark theme, as style sheets write them.
    pub fn hex(self) -> (String, String) {
        let (light, dark) = self.themes();
        (format!("#{light:06x}"), format!("#{dark:06x}"))
    }
}

/// A line's look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width, figure units.
    pub width: f64,
    /// Lengths of a dash and of a gap, figure units; `None` for a solid line.
    pub dash: Option<(f64, f64)>,
    /// 0 (invisible) to 1.
    pub opacity: f64,
}

impl Stroke {
    /// A solid line.
    pub fn solid(ink: Ink, width: f64) -> Self {
        Stroke { ink, width, dash: None, opacity: 1.0 }
    }

    /// The same with dashes.
    #[must_use]
    pub fn dashed(self, dash: Option<(f64, f64)>) -> Self {
        Stroke { dash, ..self }
    }
}

/// The dashes of a series' line.
pub fn dash(series: usize) -> Option<(f64, f64)> {
    const DASHES: [Option<(f64, f64)>; SERIES_COLOURS] = [
        None,
        Some((7.0, 3.0)),
        Some((2.0, 2.5)),
        Some((10.0, 6.0)),
        Some((16.0, 3.0)),
        Some((4.0, 2.0)),
        Some((4.0, 8.0)),
        Some((1.5, 4.0)),
    ];
    DASHES[series % DASHES.len()]
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

    /// The corners of a shape, around the origin, for a radius of 1. All shapes look equally large.
    pub fn corners(self) -> Vec<Point> {
        let ring = |corners: u32, radius: fn(u32) -> f64, turn: f64| {
            let corner = move |number: u32| {
                let angle = std::f64::consts::TAU * (f64::from(number) / f64::from(corners) + turn);
                (radius(number) * angle.sin(), -radius(number) * angle.cos())
            };
            (0..corners).map(corner).collect()
        };
        match self {
            Shape::Circle => ring(24, |_| 1.0, 0.0),
            Shape::Square => ring(4, |_| 1.25, 0.125),
            Shape::Triangle => ring(3, |_| 1.35, 0.0),
            Shape::Diamond => ring(4, |_| 1.3, 0.0),
            Shape::Pentagon => ring(5, |_| 1.15, 0.0),
            // Two corners at the end of each arm, and one between each two arms.
            Shape::Cross => (0..4)
                .flat_map(|arm| {
                    let angle = std::f64::consts::TAU * (0.125 + 0.25 * f64::from(arm));
                    [(1.48, -0.17), (1.48, 0.17), (0.35, std::f64::consts::FRAC_PI_4)]
                        .map(|(radius, turn)| (radius * (angle + turn).sin(), -radius * (angle + turn).cos()))
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use plotters::style::Color;

    use super::*;

    #[test]
    fn colours_are_read_from_their_hexadecimal_digits() {
        assert_eq!(Ink::Alarm.colour(), RGBColor(0xd5, 0x5e, 0x00));
        assert!(Ink::all().all(|ink| Ink::of(ink.colour().rgb()) == ink), "no two inks have one colour");
        assert_eq!(Ink::Series(8).hex(), Ink::Series(0).hex());
        assert_eq!(Ink::Paper.hex().0, "#ffffff");
    }
}
