//! The squares of castling, as board indices.

use crate::piece::{Color, Role};
use crate::ply::Side;

/// King from, rook from, king to, rook to: on e1, h1 or a1 and the squares of
/// chess, or on the eighth rank.
pub(crate) const fn castling_path(color: Color, side: Side) -> [u8; 4] {
    let home = match color {
        Color::White => 0,
        Color::Black => 56,
    };
    match side {
        Side::King => [home + 4, home + 7, home + 6, home + 5],
        Side::Queen => [home + 4, home, home + 2, home + 3],
    }
}

/// The squares on which an unmoved piece can castle.
pub(crate) const fn castling_squares(color: Color, role: Role) -> &'static [u8] {
    match (color, role) {
        (Color::White, Role::King) => &[4],
        (Color::Black, Role::King) => &[60],
        (Color::White, Role::Rook) => &[0, 7],
        (Color::Black, Role::Rook) => &[56, 63],
        _ => &[],
    }
}
