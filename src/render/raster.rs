//! A drawing in pixels as a file: PNG, and GIF for a game that moves.
//!
//! Nothing shows through the background, and a picture has few surfaces, so that a palette does.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::RangeInclusive;

use gif::{DisposalMethod, Frame, Repeat};
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};
use tiny_skia::{Pixmap, PremultipliedColorU8};

use crate::Error;
use crate::render::picture::{Picture, drawing, title};
use crate::render::pixels::pixels;
use crate::render::view::View;
use crate::rules::Record;

/// Draws a view in pixels.
///
/// # Errors
///
/// If the picture is too small or too large. The other errors would be faults of this program.
fn draw(view: &View<'_>, picture: &Picture) -> Result<Pixmap, Error> {
    picture.check(view.diagram.variant())?;
    pixels(&drawing(view, picture)).ok_or_else(|| Error::refused("the picture cannot be drawn"))
}

/// Returns the error of an encoder.
fn not_encoded(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::refused(format!("the picture cannot be encoded: {error}")).with_source(error)
}

/// Draws a view in PNG, without a font, a file or a display.
///
/// # Errors
///
/// If the picture is too small or too large. The other errors would be faults of this program.
pub fn png(view: &View<'_>, picture: &Picture) -> Result<Vec<u8>, Error> {
    let pixels = draw(view, picture)?;
    let (depth, level) = if picture.is_compact {
        (BitDepth::Four, 9)
    } else {
        // Three times as fast as what the next levels take, for a quarter more bytes.
        (BitDepth::Eight, 1)
    };
    let colors = 1 << (depth as usize);
    let mut shades = Shades::new();
    shades.add(pixels.pixels());
    let (palette, numbers) = shades.palette(colors);
    let mut indices = numbered(pixels.pixels(), &numbers);
    if depth == BitDepth::Four {
        let rows = indices.chunks(picture.size as usize);
        indices = rows.flat_map(packed).collect();
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(palette);
    if !picture.is_compact {
        // A mail has its own words beside the picture.
        let words = title(view, picture);
        let added = encoder.add_itxt_chunk("Description".to_owned(), words);
        added.map_err(not_encoded)?;
    }
    encoder.set_deflate_compression(DeflateCompression::Level(level));
    // Numbers of colours are no brightness: a difference of two means nothing.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(not_encoded)?;
    let written = writer.write_image_data(&indices);
    written
        .and_then(|()| writer.finish())
        .map_err(not_encoded)?;
    Ok(file)
}

/// Packs the pixels of a row by two into each byte, the left one into the upper half.
fn packed(row: &[u8]) -> impl Iterator<Item = u8> {
    let pairs = row.chunks(2);
    pairs.map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default())
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

/// The shades of one or several pictures.
///
/// A picture has few surfaces, and at their edges some hundred colours between theirs,
/// of which those that are alike become one. So the file is half as large, and encoded
/// in half the time.
struct Shades(Vec<Shade>);

impl Shades {
    fn new() -> Shades {
        Shades(vec![Shade::default(); SHADES])
    }

    /// Counts the pixels of a picture.
    fn add(&mut self, pixels: &[PremultipliedColorU8]) {
        for run in pixels.chunk_by(|one, next| one == next) {
            let color = color(run);
            let shade = &mut self.0[shade(color)];
            shade.count += run.len();
            if run.len() > shade.longest {
                (shade.color, shade.longest) = (color, run.len());
            }
        }
    }

    /// Returns so many colours, 256 at most, and for each shade the number of the nearest. Each is
    /// the one that is used most, and farthest from those before it.
    fn palette(self, colors: usize) -> (Vec<u8>, Vec<u8>) {
        let used = self.0.into_iter().filter(|shade| shade.count > 0);
        let mut used: Vec<Shade> = used.collect();
        used.sort_unstable_by_key(|shade| (Reverse(shade.count), shade.color));
        let palette = palette(&used, colors);
        let mut numbers = vec![0; SHADES];
        for one in &used {
            numbers[shade(one.color)] = nearest(one.color, &palette);
        }
        (palette.into_flattened(), numbers)
    }
}

fn color(run: &[PremultipliedColorU8]) -> Rgb {
    [run[0].red(), run[0].green(), run[0].blue()]
}

/// Returns for each pixel the number of its colour.
fn numbered(pixels: &[PremultipliedColorU8], numbers: &[u8]) -> Vec<u8> {
    let mut indices = Vec::with_capacity(pixels.len());
    for run in pixels.chunk_by(|one, next| one == next) {
        indices.resize(indices.len() + run.len(), numbers[shade(color(run))]);
    }
    indices
}

/// Chooses so many of the shades as the colours of a picture. The first ones are those of its
/// surfaces, which take most pixels; of the many between two of these a few show an edge.
fn palette(used: &[Shade], colors: usize) -> Vec<Rgb> {
    let mut palette = Vec::with_capacity(colors);
    // The distance of each shade from the nearest colour so far, times its pixels.
    let mut lost = vec![u64::MAX; used.len()];
    while palette.len() < colors.min(used.len()) {
        let worst = (0..used.len()).max_by_key(|at| (lost[*at], used[*at].count, Reverse(*at)));
        let color = used[worst.unwrap_or_default()].color;
        palette.push(color);
        for (lost, shade) in lost.iter_mut().zip(used) {
            let distance = u64::from(distance(shade.color, color));
            *lost = distance.saturating_mul(shade.count as u64).min(*lost);
        }
    }
    palette
}

/// Returns the number of the colour that is nearest.
fn nearest(color: Rgb, palette: &[Rgb]) -> u8 {
    let numbered = (0..=u8::MAX).zip(palette);
    let nearest = numbered.min_by_key(|(_, other)| distance(color, **other));
    nearest.map_or(0, |(number, _)| number)
}

/// Returns the square of the distance of two colours.
fn distance(one: Rgb, other: Rgb) -> u32 {
    let parts = one.iter().zip(other);
    parts
        .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
        .sum()
}

/// The way in which a game moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Motion {
    /// The half-moves after which positions are shown.
    pub plies: RangeInclusive<usize>,
    /// The time that a position is shown, in hundredths of a second. The last one is shown four times
    /// as long.
    pub delay: u16,
}

impl Motion {
    /// All of a match, at a pace to follow it.
    pub(super) fn whole(record: &Record) -> Motion {
        Motion {
            plies: 0..=record.steps().len(),
            delay: DELAY,
        }
    }
}

/// The time that a position is shown where nothing else is said, in hundredths of a second.
pub const DELAY: u16 = 80;

/// The colours of a moving picture, and the number of the transparent one behind them.
const COLORS: u8 = 63;

/// Draws the positions of a match as a GIF that moves and begins again. `view` shows the last one.
/// `count` is called before each position is drawn, twice for each.
///
/// # Errors
///
/// As of [`png()`].
pub fn gif(
    view: &View<'_>,
    record: &Record,
    motion: &Motion,
    picture: &Picture,
    mut count: impl FnMut(),
) -> Result<Vec<u8>, Error> {
    let last = *motion.plies.end();
    let plain = picture.without_drawings();
    let mut frame = |plies: usize| {
        count();
        if plies == last {
            return draw(view, picture);
        }
        let then = record.until(plies);
        draw(&View::of(&then), &plain)
    };
    // All positions share a palette, so each is drawn twice: none is kept.
    let mut shades = Shades::new();
    let mut size = [0; 2];
    for plies in motion.plies.clone() {
        let pixels = frame(plies)?;
        size =
            [pixels.width(), pixels.height()].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        shades.add(pixels.pixels());
    }
    let (mut palette, numbers) = shades.palette(usize::from(COLORS));
    palette.resize(3 * (usize::from(COLORS) + 1), 0);
    let mut file = Vec::new();
    let mut encoder =
        gif::Encoder::new(&mut file, size[0], size[1], &palette).map_err(not_encoded)?;
    encoder.set_repeat(Repeat::Infinite).map_err(not_encoded)?;
    let mut before: Option<Vec<u8>> = None;
    for plies in motion.plies.clone() {
        let indices = numbered(frame(plies)?.pixels(), &numbers);
        let mut frame = changed(before.as_deref(), &indices, size);
        frame.delay = if plies == last {
            motion.delay.saturating_mul(4)
        } else {
            motion.delay
        };
        encoder.write_frame(&frame).map_err(not_encoded)?;
        before = Some(indices);
    }
    drop(encoder);
    Ok(file)
}

/// Returns the part of a picture that differs from the one before it. The pixels in it that are the
/// same are transparent.
fn changed(before: Option<&[u8]>, now: &[u8], [width, height]: [u16; 2]) -> Frame<'static> {
    let wide = usize::from(width);
    let whole = Frame {
        width,
        height,
        dispose: DisposalMethod::Keep,
        transparent: Some(COLORS),
        ..Frame::default()
    };
    let Some(before) = before else {
        return Frame {
            buffer: Cow::Owned(now.to_vec()),
            ..whole
        };
    };
    let differs = |at: &usize| before[*at] != now[*at];
    let places = || (0..now.len()).filter(differs);
    let (Some(first), Some(last)) = (places().next(), places().next_back()) else {
        return Frame {
            width: 1,
            height: 1,
            buffer: Cow::Owned(vec![COLORS]),
            ..whole
        };
    };
    let (top, bottom) = (first / wide, last / wide);
    let left = places().map(|at| at % wide).min().unwrap_or_default();
    let right = places().map(|at| at % wide).max().unwrap_or_default();
    let rows = (top..=bottom).flat_map(|row| row * wide + left..=row * wide + right);
    let buffer: Vec<u8> = rows
        .map(|at| if differs(&at) { now[at] } else { COLORS })
        .collect();
    let part = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    Frame {
        left: part(left),
        top: part(top),
        width: part(right - left + 1),
        height: part(bottom - top + 1),
        buffer: Cow::Owned(buffer),
        ..whole
    }
}
