//! A position as a picture in PNG: that of [`svg`], in pixels.

use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::render::picture::{Picture, SIZES};
use crate::render::svg;
use crate::render::view::View;

/// Why there is no picture. `Display` writes a clause.
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
    let drawing = svg::drawing(view, picture);
    let tree = Tree::from_str(&drawing.markup, &Options::default())?;
    let mut pixels = Pixmap::new(picture.size, drawing.height).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    // The background leaves nothing to be seen through.
    let pixels = pixels.pixels().iter();
    let colors: Vec<u8> = pixels
        .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
        .collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, picture.size, drawing.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(file)
}
