//! Where everything stands in a picture, in hundredths of a square.

use crate::rules::game::Rules;
use crate::rules::{Color, Square};

/// The side of a square.
pub(super) const SQUARE: i32 = 100;

/// What is left of the board: the names of the ranks.
pub(super) const LEFT: i32 = 46;

/// What surrounds everything else.
pub(super) const MARGIN: i32 = 14;

/// The width of the part of a strip that tells the player.
pub(super) const PANEL: i32 = 76;

/// What is between the board and the lower strip: the names of the files.
const BELOW: i32 = 62;

/// What is between the upper strip and the board.
const ABOVE: i32 = 24;

/// Where everything stands.
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
