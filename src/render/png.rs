//! A position as a picture in PNG: that of [`svg`], in pixels.

use std::cmp::Reverse;

use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};

use crate::render::picture::{Picture, SIZES};
use crate::render::svg;
use crate::render::view::View;

/// The reason why there is no picture. `Display` writes a clause.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The width is none of [`SIZES`].
    #[error("a picture is {} to {} pixels wide, not {size}", SIZES.start(), SIZES.end())]
    Size {
        /// The width that was asked for.
        size: u32,
    },
    /// The drawing is not understood.
    #[error("the picture cannot be drawn: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    /// The pixels cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
}

/// Draws a view, without a font, a file or a display.
///
/// # Errors
///
/// If the width is none of [`SIZES`]. The other errors would be faults of this program.
pub fn write(view: &View<'_>, picture: &Picture) -> Result<Vec<u8>, PngError> {
    let too_large = || PngError::Size { size: picture.size };
    if !SIZES.contains(&picture.size) {
        return Err(too_large());
    }
    let drawing = svg::drawing(view, *picture);
    let tree = Tree::from_str(&drawing.markup, &Options::default())?;
    let mut pixels = Pixmap::new(picture.size, drawing.height).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let (palette, indices) = indexed(pixels.pixels());
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, picture.size, drawing.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette);
    // Three times as fast as what the next levels take, for a quarter more bytes.
    encoder.set_deflate_compression(DeflateCompression::Level(1));
    // Numbers of colours are no brightness: a difference of two means nothing.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()?;
    Ok(file)
}

type Rgb = [u8; 3];

/// The colours that are alike, as many of their first bits as [`shade`] takes.
#[derive(Clone, Copy, Default)]
struct Shade {
    /// The colour of the longest run among them, which is that of a surface if one has it.
    color: Rgb,
    longest: usize,
    /// The number of pixels.
    count: usize,
}

/// The number of shades.
const SHADES: usize = 1 << 15;

/// Returns the number of a colour's shade.
fn shade([red, green, blue]: Rgb) -> usize {
    let bits = |part: u8| usize::from(part >> 3);
    bits(red) << 10 | bits(green) << 5 | bits(blue)
}

/// Returns the 256 most frequent colours, and for each pixel the number of the nearest.
///
/// A picture has few surfaces, and at their edges some hundred colours between theirs,
/// of which those that are alike become one. So the file is half as large, and encoded
/// in half the time. Nothing shows through the background, so that no colour is
/// transparent.
fn indexed(pixels: &[PremultipliedColorU8]) -> (Vec<u8>, Vec<u8>) {
    let color = |run: &[PremultipliedColorU8]| [run[0].red(), run[0].green(), run[0].blue()];
    let runs = || pixels.chunk_by(|one, next| one == next);
    let mut shades = vec![Shade::default(); SHADES];
    for run in runs() {
        let color = color(run);
        let shade = &mut shades[shade(color)];
        shade.count += run.len();
        if run.len() > shade.longest {
            (shade.color, shade.longest) = (color, run.len());
        }
    }
    let mut used: Vec<Shade> = shades.into_iter().filter(|shade| shade.count > 0).collect();
    used.sort_unstable_by_key(|shade| (Reverse(shade.count), shade.color));
    let palette: Vec<Rgb> = used.iter().take(256).map(|shade| shade.color).collect();
    let mut numbers = vec![0; SHADES];
    for one in &used {
        numbers[shade(one.color)] = nearest(one.color, &palette);
    }
    let mut indices = Vec::with_capacity(pixels.len());
    for run in runs() {
        indices.resize(indices.len() + run.len(), numbers[shade(color(run))]);
    }
    (palette.into_flattened(), indices)
}

fn nearest(color: Rgb, palette: &[Rgb]) -> u8 {
    let distance = |other: &Rgb| -> u32 {
        let parts = color.iter().zip(other);
        parts
            .map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2))
            .sum()
    };
    let numbered = (0..=u8::MAX).zip(palette);
    let nearest = numbered.min_by_key(|(_, other)| distance(other));
    nearest.map_or(0, |(number, _)| number)
}
