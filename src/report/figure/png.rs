//! Drawing → PNG, by the bitmap backend of `plotters`, in the light theme.

use plotters::prelude::{BitMapBackend, Color, DrawingBackend, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendCoord, DrawingErrorKind, FontTransform};

use super::canvas::{Align, Drawing, Mark, STEPS, What};
use super::letters::{LINE, letters};

/// Pixels per figure unit.
const SCALE: usize = 2;
/// How many times as large everything is drawn in each direction before it is averaged: the backend puts lines and
/// letters on whole pixels.
const FINER: usize = 2;

/// Why a drawing cannot be made into a picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// `plotters` cannot draw it.
    #[error("the picture cannot be drawn: {0}")]
    Draw(String),
    /// The encoder failed.
    #[error("the picture cannot be encoded: {0}")]
    Encode(#[from] png::EncodingError),
}

/// The drawing as a PNG file in the light theme, with two pixels per figure unit.
///
/// # Errors
/// [`PngError`]
pub fn write(drawing: &Drawing) -> Result<Vec<u8>, PngError> {
    let (width, height) = (drawing.width as usize * SCALE, drawing.height as usize * SCALE);
    let (wide, high) = (width * FINER, height * FINER);
    // White, which is the paper's colour.
    let mut fine = vec![u8::MAX; 3 * wide * high];
    {
        let mut backend = BitMapBackend::with_buffer(&mut fine, (wide as u32, high as u32));
        drawing.marks.iter().try_for_each(|mark| draw(&mut backend, mark)).map_err(|error| told(&error))?;
    }
    let mut pixels = Vec::with_capacity(3 * width * height);
    for row in 0..height {
        for place in 0..3 * width {
            let first = 3 * (FINER * row * wide + FINER * (place / 3)) + place % 3;
            let sum: usize = (0..FINER)
                .flat_map(|down| (0..FINER).map(move |right| first + 3 * (down * wide + right)))
                .map(|place| usize::from(fine[place]))
                .sum();
            pixels.push((sum / (FINER * FINER)) as u8);
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(bytes)
}

fn told<E: std::error::Error + Send + Sync>(error: &DrawingErrorKind<E>) -> PngError {
    PngError::Draw(error.to_string())
}

/// A length in pixels of the finer picture.
fn scaled(steps: f64) -> f64 {
    steps * (SCALE * FINER) as f64 / STEPS
}

fn draw<B: DrawingBackend>(backend: &mut B, mark: &Mark) -> Result<(), DrawingErrorKind<B::ErrorType>> {
    let place = |(x, y): BackendCoord| (scaled(f64::from(x)).round() as i32, scaled(f64::from(y)).round() as i32);
    let colour = mark.ink.colour().mix(mark.opacity);
    match &mark.what {
        What::Line { points, width } => {
            let width = scaled(f64::from(*width)).round().max(1.0) as u32;
            let mut points: Vec<BackendCoord> = points.iter().map(|point| place(*point)).collect();
            points.dedup();
            if points.len() < 2 { Ok(()) } else { backend.draw_path(points, &colour.stroke_width(width)) }
        }
        What::Area { corners } => backend.fill_polygon(corners.iter().map(|corner| place(*corner)), &colour.filled()),
        What::Disc { centre, radius } => {
            let radius = scaled(f64::from(*radius)).round() as u32;
            backend.draw_circle(place(*centre), radius, &colour.filled(), true)
        }
        What::Text { at, text, size, align, upwards } => {
            let size = scaled(size * STEPS) * LINE;
            let anchor = match align {
                Align::Start => HPos::Left,
                Align::Middle => HPos::Center,
                Align::End => HPos::Right,
            };
            let font = letters(size / STEPS);
            let font = if *upwards { font.transform(FontTransform::Rotate270) } else { font };
            let style = TextStyle::from(font).color(&colour).pos(Pos::new(anchor, VPos::Top));
            // The bitmap's base line lies half a size below the top.
            let up = (size / 2.0).round() as i32;
            let (x, y) = place(*at);
            backend.draw_text(text, &style, if *upwards { (x - up, y) } else { (x, y - up) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::canvas::Canvas;
    use crate::report::figure::letters::text_width;
    use crate::report::figure::palette::{Ink, Shape, Stroke};

    #[test]
    fn lines_and_letters_appear_without_any_installed_font() {
        let pixels = |canvas: Canvas| {
            let bytes = write(&canvas.finish()).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            assert_eq!((info.width, info.height), (120, 40));
            pixels
        };
        let dark = |pixels: &[u8], rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| {
            rows.flat_map(|row| columns.clone().map(move |column| 3 * (120 * row + column)))
                .filter(|place| pixels[*place] < 128)
                .count()
        };
        let canvas = Canvas::new(60.0, 20.0);
        canvas.path(vec![(1.0, 5.0), (9.0, 5.0)], Stroke::solid(Ink::Text, 1.0));
        let line = pixels(canvas);
        assert_eq!(dark(&line, 0..40, 0..120), dark(&line, 8..12, 0..20), "nothing is elsewhere");
        assert!((24..64).contains(&dark(&line, 8..12, 0..20)), "{}", dark(&line, 8..12, 0..20));
        let canvas = Canvas::new(60.0, 20.0);
        canvas.text((5.0, 15.0), "τ 5 s", 12.0, Align::Start, Ink::Text);
        canvas.marker((50.0, 10.0), Shape::Cross, 4.0, Ink::Alarm, "");
        let written = pixels(canvas);
        assert!(dark(&written, 10..32, 8..80) > 40, "letters stand on the base line");
        assert_eq!(dark(&written, 34..40, 0..120), 0);
        assert!((24.0..36.0).contains(&text_width("1.0 s", 12.0)), "{}", text_width("1.0 s", 12.0));
    }
}
