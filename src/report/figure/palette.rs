//! The colours of plots: what a mark means decides its ink, and the theme decides the ink's colour.

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

    /// Red, green and blue in the light theme.
    pub fn light(self) -> [u8; 3] {
        channels(self.themes().0)
    }

    /// The colours of the light and the dark theme, as style sheets write them.
    pub fn hex(self) -> (String, String) {
        let (light, dark) = self.themes();
        (format!("#{light:06x}"), format!("#{dark:06x}"))
    }
}

fn channels(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

/// How a line is drawn: lengths of dashes and gaps, in figure units; empty for a solid line.
pub fn dash(series: usize) -> &'static [f64] {
    const DASHES: [&[f64]; SERIES_COLOURS] = [
        &[],
        &[7.0, 3.0],
        &[2.0, 2.5],
        &[9.0, 3.0, 2.0, 3.0],
        &[14.0, 4.0],
        &[4.0, 2.0],
        &[12.0, 3.0, 2.0, 3.0, 2.0, 3.0],
        &[1.5, 4.0],
    ];
    DASHES[series % DASHES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_from_their_hexadecimal_digits() {
        assert_eq!(Ink::Alarm.light(), [0xd5, 0x5e, 0x00]);
        assert_eq!(Ink::Series(8).hex(), Ink::Series(0).hex());
        assert_eq!(Ink::Paper.hex().0, "#ffffff");
    }
}
