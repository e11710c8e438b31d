//! The font: it comes with the program, so that text can be measured and drawn on a machine without fonts.

use std::sync::OnceLock;

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

use super::canvas::STEPS;

const NAME: &str = "Ubuntu";
/// Height of the font's line over its em: `plotters` takes the one for the size, style sheets the other.
pub(super) const LINE: f64 = 1.121;

/// The font at a size in figure units.
pub(super) fn letters(size: f64) -> FontDesc<'static> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let bytes = epaint_default_fonts::UBUNTU_LIGHT;
    // The font is part of the program, and a test draws with it.
    REGISTERED.get_or_init(|| register_font(NAME, FontStyle::Normal, bytes).is_ok());
    FontDesc::new(FontFamily::Name(NAME), size * STEPS, FontStyle::Normal)
}

/// The width of the widest letters that a page may show, those of `DejaVu Sans`, over these.
const WIDER: f64 = 1.15;

/// How wide a text may be, in the unit of `size`.
pub fn text_width(text: &str, size: f64) -> f64 {
    letters(size * LINE).box_size(text).map_or(0.0, |(width, _)| WIDER * f64::from(width) / STEPS)
}
