//! The canonical form of a move, that of the 1994 post.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::movetext::OriginText;
use crate::piece::{Piece, Role};
use crate::ply::{Ply, Side};
use crate::position::Position;
use crate::square::Square;

/// The part of a move's origin that is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// As much as is needed, all that is legal considered.
    Needed,
    /// File and rank.
    Full,
}

impl Position {
    /// The canonical form of a legal ply, without its mark.
    #[must_use]
    pub fn text(&self, ply: &Ply) -> String {
        self.write(ply, Origin::Needed)
    }

    /// The canonical form of a legal ply, but with every origin in full:
    /// `Ng1-f3`, the same whatever else could go there.
    #[must_use]
    pub fn long_text(&self, ply: &Ply) -> String {
        self.write(ply, Origin::Full)
    }

    fn write(&self, ply: &Ply, origin: Origin) -> String {
        match ply {
            Ply::Castle(Side::King) => String::from("O-O"),
            Ply::Castle(Side::Queen) => String::from("O-O-O"),
            Ply::Drop { role, to } => self.drop_text(*role, *to),
            Ply::Relocation { role, to, pawn } => {
                format!("{}/{pawn}", self.drop_text(*role, *to))
            }
            Ply::Placement(placement) => {
                let drops: Vec<_> = placement
                    .drops()
                    .map(|(role, to)| self.drop_text(role, to))
                    .collect();
                drops.join(",")
            }
            Ply::Move {
                from,
                to,
                promotion,
            } => self.move_text(*from, *to, *promotion, origin),
        }
    }

    fn drop_text(&self, role: Role, to: Square) -> String {
        format!("{}>{to}", role.of(self.turn()))
    }

    fn move_text(&self, from: Square, to: Square, into: Option<Role>, origin: Origin) -> String {
        let Some(piece) = self.get(from) else {
            return format!("{from}-{to}");
        };
        let mut text = format!("{piece}");
        match origin {
            Origin::Full => {
                let _ = write!(text, "{from}");
            }
            Origin::Needed => {
                let _ = match self.needed_origin(piece, from, to, into) {
                    OriginText::Nothing => Ok(()),
                    OriginText::File(file) => write!(text, "{file}"),
                    OriginText::Rank(rank) => write!(text, "{rank}"),
                    OriginText::Square(square) => write!(text, "{square}"),
                };
            }
        }
        let en_passant = self.is_en_passant(from, to);
        let captures = en_passant || self.get(to).is_some();
        text.push(if captures { 'x' } else { '-' });
        let _ = write!(text, "{to}");
        if en_passant {
            text.push_str("ep");
        }
        if let Some(role) = into {
            let _ = write!(text, "={}", role.of(piece.color));
        }
        text
    }

    /// Returns true if a legal move of a pawn onto an empty square of another file
    /// takes en passant: in no other way does it get there.
    pub(crate) fn is_en_passant(&self, from: Square, to: Square) -> bool {
        from.file() != to.file()
            && self.get(to).is_none()
            && self.has_chess_pawns()
            && self.get(from).is_some_and(|p| p.role == Role::Pawn)
    }

    /// The origin of a legal move that is written.
    fn needed_origin(
        &self,
        piece: Piece,
        from: Square,
        to: Square,
        into: Option<Role>,
    ) -> OriginText {
        let moves = self.moves_to(to, Some(piece.role));
        let others = moves.iter().filter_map(|ply| match *ply {
            Ply::Move {
                from: other,
                promotion,
                ..
            } if promotion == into && other != from => Some(other),
            _ => None,
        });
        needed_origin(from, others)
    }

    /// A form of a legal ply that can be read in one way only: without a small
    /// letter that could be a file.
    pub(crate) fn unmistakable(&self, ply: &Ply) -> String {
        let text = self.text(ply);
        if let Ply::Move { from, to, .. } = ply
            && self.has_chess_pawns()
            && self.get(*from).is_some_and(|p| p.role == Role::Pawn)
            && from.file() != to.file()
        {
            let (piece, rest) = text.split_at(1);
            let file = format!("{}", from.file());
            let rest = rest.strip_prefix(&file).unwrap_or(rest);
            return format!("{piece}{file}{rest}");
        }
        match text.chars().next() {
            Some('b' | 'g') => {
                let (piece, rest) = text.split_at(1);
                format!("{}{rest}", piece.to_ascii_uppercase())
            }
            _ => text,
        }
    }
}

/// The file if that tells the piece from all others that could make the same move, else
/// the rank, else both; nothing if there are no others.
pub(crate) fn needed_origin(from: Square, others: impl Iterator<Item = Square>) -> OriginText {
    let (mut is_alone, mut by_file, mut by_rank) = (true, true, true);
    for other in others {
        is_alone = false;
        by_file &= other.file() != from.file();
        by_rank &= other.rank() != from.rank();
    }
    match (is_alone, by_file, by_rank) {
        (true, ..) => OriginText::Nothing,
        (_, true, _) => OriginText::File(from.file()),
        (_, _, true) => OriginText::Rank(from.rank()),
        _ => OriginText::Square(from),
    }
}
