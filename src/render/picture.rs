//! The form of a picture of a position: its size, its colours, and the places of its parts, in
//! hundredths of a square.

use std::ops::RangeInclusive;

use clap::ValueEnum;

use crate::rules::game::Rules;
use crate::rules::{Color, Square};

/// The widths of pictures, in pixels.
pub const SIZES: RangeInclusive<u32> = 64..=4096;

/// The form of a picture of a position.
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

/// The colours of everything but the pieces, which are the same on every board.
#[derive(Clone, Copy)]
pub(super) struct Palette {
    pub(super) background: &'static str,
    /// The light squares, or every square of shogi.
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
    /// The edge of the board, and the lines of shogi's.
    pub(super) edge: &'static str,
    /// Files and ranks.
    pub(super) text: &'static str,
    /// The strip of a player.
    pub(super) panel: &'static str,
    /// The part of the strip with the player's sign.
    pub(super) tab: &'static str,
    /// Numbers on the strip.
    pub(super) on_panel: &'static str,
    /// The player to move.
    pub(super) accent: &'static str,
    /// The squares of the last turn.
    pub(super) last: &'static str,
    /// The lines that show the use of these squares.
    pub(super) last_line: &'static str,
    /// A king in check.
    pub(super) check: &'static str,
}

const LIGHT: Palette = Palette {
    background: "#ffffff",
    light: "#f3e6cf",
    dark: "#cba77d",
    edge: "#6b5236",
    text: "#4a4238",
    panel: "#ece4d6",
    tab: "#d3c6b0",
    on_panel: "#2f2a24",
    accent: "#1f6fb2",
    last: "#8fb339",
    last_line: "#4c6b0c",
    check: "#c9211e",
};

const DARK: Palette = Palette {
    background: "#1b1e22",
    light: "#a9b2bb",
    dark: "#6f7d8b",
    edge: "#0e1013",
    text: "#c9ced4",
    panel: "#8b96a1",
    tab: "#59636e",
    on_panel: "#101316",
    accent: "#4fb3f6",
    last: "#c8bd3a",
    last_line: "#fff27a",
    check: "#e0352b",
};

impl Palette {
    pub(super) fn of(theme: Theme, is_shogi: bool) -> &'static Palette {
        const LIGHT_SHOGI: Palette = Palette {
            light: "#ecd29a",
            edge: "#5f4a2a",
            ..LIGHT
        };
        const DARK_SHOGI: Palette = Palette {
            light: "#8f8367",
            edge: "#26211a",
            panel: "#847a63",
            ..DARK
        };
        match (theme, is_shogi) {
            (Theme::Light, false) => &LIGHT,
            (Theme::Light, true) => &LIGHT_SHOGI,
            (Theme::Dark, false) => &DARK,
            (Theme::Dark, true) => &DARK_SHOGI,
        }
    }
}

/// The side of a square.
pub(super) const SQUARE: i32 = 100;

/// The room left of the board, for the names of the ranks.
pub(super) const LEFT: i32 = 46;

/// The room around everything else.
pub(super) const MARGIN: i32 = 14;

/// The width of the part of a strip with the player's sign.
pub(super) const PANEL: i32 = 76;

/// The room between the board and the lower strip, for the names of the files.
const BELOW: i32 = 62;

/// The room between the upper strip and the board.
const ABOVE: i32 = 24;

/// The places of all parts of a picture.
pub(super) struct Layout {
    /// The number of files, and of ranks.
    pub(super) width: u8,
    /// The height of a player's strip.
    pub(super) strip: i32,
    is_flipped: bool,
}

impl Layout {
    pub(super) fn new(rules: &Rules, is_flipped: bool) -> Layout {
        Layout {
            width: rules.width,
            strip: if rules.has_reserve() { 98 } else { 60 },
            is_flipped,
        }
    }

    pub(super) fn board_side(&self) -> i32 {
        SQUARE * i32::from(self.width)
    }

    pub(super) fn board_y(&self) -> i32 {
        MARGIN + self.strip + ABOVE
    }

    pub(super) fn total_width(&self) -> i32 {
        LEFT + self.board_side() + MARGIN
    }

    pub(super) fn total_height(&self) -> i32 {
        self.board_y() + self.board_side() + BELOW + self.strip + MARGIN
    }

    /// Returns the height of a picture of that width, in pixels.
    pub(super) fn pixels_high(&self, wide: u32) -> u32 {
        let (width, height) = (self.total_width(), self.total_height());
        (wide * height.unsigned_abs()).div_ceil(width.unsigned_abs())
    }

    /// Returns true if a player's side is above.
    pub(super) fn is_above(&self, color: Color) -> bool {
        (color == Color::Black) != self.is_flipped
    }

    /// Returns the top of a player's strip.
    pub(super) fn strip_y(&self, color: Color) -> i32 {
        if self.is_above(color) {
            MARGIN
        } else {
            self.board_y() + self.board_side() + BELOW
        }
    }

    /// Returns the top left corner of a square.
    pub(super) fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file().index(), square.rank().index());
        let last = self.width - 1;
        let (column, row) = if self.is_flipped {
            (last - file, rank)
        } else {
            (file, last - rank)
        };
        let (x, y) = (LEFT, self.board_y());
        (x + SQUARE * i32::from(column), y + SQUARE * i32::from(row))
    }
}
