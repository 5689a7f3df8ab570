//! How a picture of a position looks.

use std::ops::RangeInclusive;

use clap::ValueEnum;

/// The widths of pictures, in pixels.
pub const SIZES: RangeInclusive<u32> = 64..=4096;

/// How a picture of a position looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The width in pixels, one of [`SIZES`]. The height follows from the game.
    pub size: u32,
    /// True if the second player's side is below.
    pub is_flipped: bool,
    /// The colours.
    pub theme: Theme,
    /// True if the pieces of shogi have letters instead of characters. The pieces of
    /// chess have neither.
    pub has_letters: bool,
}

impl Default for Picture {
    fn default() -> Picture {
        Picture {
            size: 480,
            is_flipped: false,
            theme: Theme::Light,
            has_letters: false,
        }
    }
}

/// The colours of a picture.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// For a light page
    #[default]
    Light,
    /// For a dark page
    Dark,
}
