//! Canvas → PNG, with the exact share of each pixel that a mark covers. The font comes with the program, so that text
//! appears on a machine without fonts.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use ab_glyph_rasterizer::{Rasterizer, point};

use super::canvas::{Align, Canvas, Mark, Point, Stroke};
use super::palette::Ink;

/// Pixels per figure unit.
const SCALE: f64 = 2.0;
/// Corners of a round dot.
const ROUND: u32 = 16;

/// Why a drawing cannot be made into a picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The built-in font cannot be read.
    #[error("the built-in font cannot be read")]
    Font(#[from] ab_glyph::InvalidFont),
    /// The encoder failed.
    #[error("the picture cannot be encoded: {0}")]
    Encode(#[from] png::EncodingError),
}

/// The font of pictures, which also tells how wide a text is.
#[derive(Debug)]
pub struct Letters {
    font: FontRef<'static>,
}

impl Letters {
    /// The built-in font.
    ///
    /// # Errors
    /// [`PngError::Font`]
    pub fn built_in() -> Result<Self, PngError> {
        Ok(Letters { font: FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)? })
    }

    /// The scale at which the letters' square is `size` high.
    fn scale(&self, size: f64) -> PxScale {
        let square = self.font.units_per_em().unwrap_or(1000.0);
        PxScale::from(size as f32 * self.font.height_unscaled() / square)
    }

    /// How wide a text is, in the unit of `size`.
    pub fn width(&self, text: &str, size: f64) -> f64 {
        let font = self.font.as_scaled(self.scale(size));
        text.chars().map(|letter| f64::from(font.h_advance(font.glyph_id(letter)))).sum()
    }
}

/// The drawing as a PNG file in the light theme, with two pixels per figure unit.
///
/// # Errors
/// [`PngError`]
pub fn write(canvas: &Canvas, letters: &Letters) -> Result<Vec<u8>, PngError> {
    let mut picture = Picture::new((canvas.width * SCALE) as usize, (canvas.height * SCALE) as usize);
    for mark in &canvas.marks {
        picture.draw(mark, letters);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

struct Picture {
    width: usize,
    height: usize,
    /// Red, green, blue of each pixel, row by row.
    pixels: Vec<u8>,
}

impl Picture {
    fn new(width: usize, height: usize) -> Self {
        let pixels = Ink::Paper.light().repeat(width * height);
        Picture { width, height, pixels }
    }

    fn draw(&mut self, mark: &Mark, letters: &Letters) {
        match mark {
            Mark::Path { points, stroke } => self.draw_path(points, stroke),
            Mark::Area { points, ink, opacity } => self.fill(&[scaled(points)], *ink, *opacity),
            Mark::Marker { at, shape, radius, ink, .. } => {
                let corner = |(x, y): Point| (at.0 + radius * x, at.1 + radius * y);
                let corners: Vec<Point> = shape.corners().into_iter().map(corner).collect();
                self.fill(&[scaled(&corners)], *ink, 1.0);
            }
            Mark::Dots { points, radius, ink, opacity } => {
                for at in points {
                    self.fill(&[disc((at.0 * SCALE, at.1 * SCALE), radius * SCALE)], *ink, *opacity);
                }
            }
            Mark::Text { at, text, size, align, upwards, ink } => {
                let shift = match align {
                    Align::Start => 0.0,
                    Align::Middle => -letters.width(text, *size) / 2.0,
                    Align::End => -letters.width(text, *size),
                };
                self.write(letters, text, *size, *at, shift, *upwards, *ink);
            }
        }
    }

    /// Each piece of a line is a rectangle with round ends; together they are one area.
    fn draw_path(&mut self, points: &[Point], stroke: &Stroke) {
        let half = stroke.width * SCALE / 2.0;
        for piece in dashes(&scaled(points), stroke.dash) {
            let mut parts = Vec::new();
            for pair in piece.windows(2) {
                let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
                let length = (x1 - x0).hypot(y1 - y0);
                if length > 0.0 {
                    let (across, along) = (half * (y1 - y0) / length, half * (x1 - x0) / length);
                    parts.push(vec![
                        (x0 - across, y0 + along),
                        (x1 - across, y1 + along),
                        (x1 + across, y1 - along),
                        (x0 + across, y0 - along),
                    ]);
                }
            }
            if half > 1.0 && piece.len() > 2 {
                parts.extend(piece[1..piece.len() - 1].iter().map(|at| disc(*at, half)));
            }
            self.fill(&parts, stroke.ink, stroke.opacity);
        }
    }

    /// Fills outlines in pixels, which together are one area.
    fn fill(&mut self, outlines: &[Vec<Point>], ink: Ink, opacity: f64) {
        let corners = || outlines.iter().flatten();
        let left = corners().map(|at| at.0).fold(f64::INFINITY, f64::min).floor() - 1.0;
        let top = corners().map(|at| at.1).fold(f64::INFINITY, f64::min).floor() - 1.0;
        let right = corners().map(|at| at.0).fold(f64::NEG_INFINITY, f64::max).ceil() + 1.0;
        let bottom = corners().map(|at| at.1).fold(f64::NEG_INFINITY, f64::max).ceil() + 1.0;
        if !(right - left).is_finite()
            || right - left > 2.0 * self.width as f64
            || bottom - top > 2.0 * self.height as f64
        {
            return;
        }
        let mut rasterizer = Rasterizer::new((right - left) as usize + 1, (bottom - top) as usize + 1);
        for outline in outlines {
            let Some(last) = outline.last() else { continue };
            let turned = area(outline) < 0.0;
            let mut before = *last;
            for at in outline {
                let (from, to) = if turned { (*at, before) } else { (before, *at) };
                let corner = |(x, y): Point| point((x - left) as f32, (y - top) as f32);
                rasterizer.draw_line(corner(from), corner(to));
                before = *at;
            }
        }
        let (left, top) = (left as i64, top as i64);
        rasterizer.for_each_pixel_2d(|x, y, share| {
            self.blend(left + i64::from(x), top + i64::from(y), ink, f64::from(share.clamp(0.0, 1.0)) * opacity);
        });
    }

    #[expect(clippy::too_many_arguments, reason = "they are the fields of a text mark")]
    fn write(&mut self, letters: &Letters, text: &str, size: f64, at: Point, shift: f64, upwards: bool, ink: Ink) {
        let scale = letters.scale(size * SCALE);
        let font = letters.font.as_scaled(scale);
        let (x, y) = (at.0 * SCALE, at.1 * SCALE);
        let mut advance = shift * SCALE;
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            let glyph = id.with_scale_and_position(scale, ab_glyph::point(advance as f32, 0.0));
            advance += f64::from(font.h_advance(id));
            let Some(outlined) = letters.font.outline_glyph(glyph) else { continue };
            let bounds = outlined.px_bounds();
            outlined.draw(|right, down, share| {
                let right = f64::from(bounds.min.x) + f64::from(right);
                let down = f64::from(bounds.min.y) + f64::from(down);
                let (column, row) = if upwards { (x + down, y - right) } else { (x + right, y + down) };
                self.blend(column.round() as i64, row.round() as i64, ink, f64::from(share.clamp(0.0, 1.0)));
            });
        }
    }

    fn blend(&mut self, x: i64, y: i64, ink: Ink, share: f64) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if share <= 0.0 || x >= self.width || y >= self.height {
            return;
        }
        let start = 3 * (y * self.width + x);
        for (channel, colour) in self.pixels[start..start + 3].iter_mut().zip(ink.light()) {
            *channel = (f64::from(*channel) * (1.0 - share) + f64::from(colour) * share).round() as u8;
        }
    }
}

fn scaled(points: &[Point]) -> Vec<Point> {
    points.iter().map(|(x, y)| (x * SCALE, y * SCALE)).collect()
}

fn disc(at: Point, radius: f64) -> Vec<Point> {
    let corner = |number: u32| {
        let angle = std::f64::consts::TAU * f64::from(number) / f64::from(ROUND);
        (at.0 + radius * angle.cos(), at.1 + radius * angle.sin())
    };
    (0..ROUND).map(corner).collect()
}

/// Twice the area, negative if the outline runs the other way round.
fn area(outline: &[Point]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|((x0, y0), (x1, y1))| x0 * y1 - x1 * y0).sum()
}

/// The parts of a line that its dashes leave. `dash` is in figure units, the points are in pixels.
fn dashes(points: &[Point], dash: &[f64]) -> Vec<Vec<Point>> {
    if dash.is_empty() {
        return vec![points.to_vec()];
    }
    let mut lengths = dash.iter().map(|length| length * SCALE).cycle();
    let mut left = lengths.next().unwrap_or(1.0);
    let mut visible = true;
    let mut pieces = Vec::new();
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let ((mut x, mut y), (x1, y1)) = (pair[0], pair[1]);
        let mut rest = (x1 - x).hypot(y1 - y);
        while rest > left && left > 0.0 {
            let share = left / rest;
            (x, y) = (x + (x1 - x) * share, y + (y1 - y) * share);
            rest -= left;
            piece.push((x, y));
            if visible {
                pieces.push(std::mem::take(&mut piece));
            }
            piece = vec![(x, y)];
            visible = !visible;
            left = lengths.next().unwrap_or(1.0);
        }
        left -= rest;
        piece.push((x1, y1));
    }
    if visible {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::canvas::Shape;

    #[test]
    fn a_dashed_line_has_its_gaps() {
        let pieces = dashes(&[(0.0, 0.0), (20.0, 0.0)], &[3.0, 2.0]);
        assert_eq!(pieces, [vec![(0.0, 0.0), (6.0, 0.0)], vec![(10.0, 0.0), (16.0, 0.0)]]);
    }

    #[test]
    fn a_line_covers_the_pixels_that_it_should() {
        let mut picture = Picture::new(20, 20);
        picture.draw_path(&[(1.0, 5.0), (9.0, 5.0)], &Stroke::solid(Ink::Text, 1.0));
        let pixel = |x: usize, y: usize| picture.pixels[3 * (20 * y + x)];
        assert_eq!([pixel(10, 8), pixel(10, 9), pixel(10, 10), pixel(10, 11)], [255, 0x1c, 0x1c, 255]);
        assert_eq!([pixel(1, 9), pixel(2, 9), pixel(17, 9), pixel(18, 9)], [255, 0x1c, 0x1c, 255]);
    }

    #[test]
    fn text_appears_without_any_installed_font() {
        let letters = Letters::built_in().unwrap();
        let mut canvas = Canvas::new(60.0, 20.0);
        let blank = write(&canvas, &letters).unwrap();
        canvas.text((5.0, 15.0), "τ 5 s", 12.0, Align::Start, Ink::Text);
        canvas.marker((50.0, 10.0), Shape::Cross, 4.0, Ink::Alarm, "");
        let written = write(&canvas, &letters).unwrap();
        assert!(written.starts_with(b"\x89PNG") && written.len() > blank.len() + 100, "{}", written.len());
        assert!((20.0..60.0).contains(&letters.width("1.0 s", 12.0)));
    }
}
