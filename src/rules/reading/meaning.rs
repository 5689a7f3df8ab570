//! Meanings of the parts of a text in a position.

use alloc::vec::Vec;

use crate::movetext::{BoardText, MoveText, OriginText, PromotionText, SquareText};
use crate::piece::Role;
use crate::ply::{Placement, Ply, Side};
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Shogi: whether a `=` behind the move declines promotion.
    pub(super) fn declines(&self, text: &MoveText) -> bool {
        text.equals && !self.has_chess_pawns()
    }

    /// Chess: the promotions that a text without a piece to become could be.
    pub(super) fn promotions(&self, board: &BoardText) -> Vec<Ply> {
        if board.promotion != PromotionText::Nothing || !self.has_chess_pawns() {
            return Vec::new();
        }
        let mut plies = self.moves_of(board);
        plies.retain(|ply| promotion_of(ply).is_some());
        plies
    }

    /// The legal plies that have the piece, the origin and the target of a text,
    /// promotions apart. Nothing else is looked for: a list asks for each of its moves.
    pub(super) fn moves_of(&self, board: &BoardText) -> Vec<Ply> {
        let role = match (board.role, board.origin) {
            (Some(role), _) => Some(role),
            (None, OriginText::Square(_)) => None,
            (None, _) => Some(Role::Pawn),
        };
        let mut plies = self.moves_to(board.target.square, role);
        plies.retain(|ply| self.could_be(board, ply));
        plies
    }

    /// Returns true if the board has the square, and names it that way.
    pub(super) fn understands(&self, square: SquareText) -> bool {
        let width = self.variant().rules().width;
        square.square.is_on(width) && (!square.shogi || width == 9)
    }

    /// A king's move of two squares from its traditional square, written with
    /// both squares, castles (UCI).
    pub(super) fn castling_by_king(&self, board: &BoardText) -> Option<Ply> {
        let OriginText::Square(from) = board.origin else {
            return None;
        };
        let king = Role::King.of(self.turn());
        let rules = self.variant().rules();
        let home = Square::at(4, king.color.rank(0, 8));
        if !rules.castling || self.get(from) != Some(king) || from != home {
            return None;
        }
        if board.role.is_some_and(|role| role != Role::King) {
            return None;
        }
        let to = board.target.square;
        match (from.rank() == to.rank(), to.file().index()) {
            (true, 6) => Some(Ply::Castle(Side::King)),
            (true, 2) => Some(Ply::Castle(Side::Queen)),
            _ => None,
        }
    }

    /// Returns true if a legal move of the right piece to the right square has the origin
    /// of a text.
    fn could_be(&self, board: &BoardText, ply: &Ply) -> bool {
        let Ply::Move { from, to, .. } = *ply else {
            return false;
        };
        board.origin.fits(from) && (!board.en_passant || self.is_en_passant(from, to))
    }
}

pub(super) fn drop(role: Role, to: SquareText) -> Ply {
    Ply::Drop {
        role,
        to: to.square,
    }
}

/// The ply of several drops, or of one; none if two share a square.
pub(super) fn placement(drops: &[(Role, SquareText)]) -> Option<Ply> {
    match drops {
        [(role, to)] => Some(drop(*role, *to)),
        _ => Placement::new(drops.iter().map(|(role, to)| (*role, to.square))).map(Ply::Placement),
    }
}

pub(super) fn promotion_of(ply: &Ply) -> Option<Role> {
    match ply {
        Ply::Move { promotion, .. } => *promotion,
        _ => None,
    }
}
