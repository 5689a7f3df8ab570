//! Ends of a match that come by themselves, and claims: docs/rules.md 1.6 to 1.12.

use super::Slow;
use super::board::{Kind, Piece, Side};
use super::position::{Move, Position};

/// The memory of a position that has been on the board.
#[derive(Clone)]
pub(super) struct Occurrence {
    key: String,
    /// The side to move was in real check.
    check: bool,
}

impl Occurrence {
    pub(super) fn of(position: &Position) -> Occurrence {
        Occurrence {
            key: key(position),
            check: position.in_check(),
        }
    }
}

/// Two positions are the same for repetition if and only if their keys are: docs/rules.md 1.9, 1.10 and 1.12.
fn key(position: &Position) -> String {
    let mut key = position.diagram();
    for side in [Side::First, Side::Second] {
        key.push_str(&castling_rights(position, side));
        key.push(' ');
    }
    // En passant only where a legal capture exists.
    if position.passed.is_some() {
        for played in position.legal_moves() {
            if let Move::Board { from, to, .. } = played
                && position
                    .captured_square(from, to)
                    .is_some_and(|square| square != to)
            {
                key.push_str(&position.text(&played));
            }
        }
    }
    // Initial double steps.
    if position.rules.double_step() {
        for side in [Side::First, Side::Second] {
            for (square, piece) in position.board.pieces(side) {
                let on_second = position.board.relative_rank(square, side) == 2;
                if piece.kind == Kind::Pawn && piece.fresh && on_second {
                    key.push_str(&square.name());
                }
            }
        }
    }
    // The colours a bishop may still be dropped on.
    if position.rules.bishops_differ() {
        for dropped in position.bishop_dropped.as_flattened() {
            key.push(if *dropped { 'x' } else { '-' });
        }
    }
    key
}

/// The unmoved kings and rooks that can castle or with which a later drop can complete a right (docs/rules.md 1.12): an
/// unmoved king counts while there is an unmoved rook in a corner or a rook in reserve, an unmoved rook in a corner
/// while the king is unmoved or in reserve.
fn castling_rights(position: &Position, side: Side) -> String {
    if !position.rules.castling() {
        return String::new();
    }
    let fresh = |file, kind| {
        position
            .board
            .at(position.board.relative_square(file, 1, side))
            == Some(Piece::fresh(side, kind))
    };
    let in_reserve = |kind| position.reserves.count(side, kind) > 0;
    let king = fresh(4, Kind::King);
    let rooks = [fresh(0, Kind::Rook), fresh(7, Kind::Rook)];
    let mut rights = String::new();
    if king && (rooks.contains(&true) || in_reserve(Kind::Rook)) {
        rights.push('e');
    }
    if king || in_reserve(Kind::King) {
        for (rook, name) in rooks.into_iter().zip(['a', 'h']) {
            if rook {
                rights.push(name);
            }
        }
    }
    rights
}

/// A pawn move, a capture or a drop, after which the count of docs/rules.md 1.9 begins anew.
pub(super) fn is_irreversible(position: &Position, played: &Move) -> bool {
    match played {
        Move::Board { from, to, .. } => {
            let piece = position.board.at(*from).expect("a piece to move");
            piece.kind == Kind::Pawn || position.captured_square(*from, *to).is_some()
        }
        Move::Castling { .. } => false,
        Move::Drop { .. } | Move::Relocation { .. } | Move::Placement(_) => true,
    }
}

impl Slow {
    /// The automatic ends in the order of docs/rules.md 1.12.
    pub(super) fn end(&self) -> &'static str {
        let is_shogi = self.position.rules.is_shogi();
        if !self.position.has_turn() {
            return if self.position.in_check() {
                "checkmate"
            } else {
                "stalemate"
            };
        }
        if is_shogi {
            return match self.occurrences() {
                0..4 => "ongoing",
                _ if self.is_perpetual_check() => "loss-perpetual",
                _ => "draw-fourfold",
            };
        }
        if self.is_dead() {
            "draw-dead"
        } else if self.occurrences() >= 5 {
            "draw-fivefold"
        } else if self.quiet_turns >= 150 {
            "draw-75"
        } else {
            "ongoing"
        }
    }

    /// The number of times that the present position has been on the board, the present time included.
    pub(super) fn occurrences(&self) -> usize {
        let now = &self.history[self.history.len() - 1];
        self.history
            .iter()
            .filter(|past| past.key == now.key)
            .count()
    }

    /// docs/rules.md 1.10: all moves of exactly one player since the first occurrence gave real check. (Where those of
    /// both did, the rule would have both lose; it is taken for a draw.)
    fn is_perpetual_check(&self) -> bool {
        let now = &self.history[self.history.len() - 1];
        let first = self
            .history
            .iter()
            .position(|past| past.key == now.key)
            .expect("the present one at least");
        // Positions after the moves of one player and of the other, in turn.
        let since = &self.history[first + 1..];
        let one = since.iter().step_by(2).all(|past| past.check);
        let other = since.iter().skip(1).step_by(2).all(|past| past.check);
        one != other
    }

    /// The dead positions of docs/rules.md 1.9.
    fn is_dead(&self) -> bool {
        if !self.position.reserves.are_empty() {
            return false;
        }
        let board = &self.position.board;
        let others: Vec<_> = [Side::First, Side::Second]
            .into_iter()
            .flat_map(|side| board.pieces(side))
            .filter(|(_, piece)| piece.kind != Kind::King)
            .collect();
        let lone_knight = others.len() == 1 && others[0].1.kind == Kind::Knight;
        let bishops_alone = others.iter().all(|(_, piece)| piece.kind == Kind::Bishop);
        let one_colour = others
            .iter()
            .all(|(square, _)| square.colour() == others[0].0.colour());
        lone_knight || bishops_alone && one_colour
    }

    /// docs/rules.md 1.9: third occurrence, or 50 moves by each side; judged on the position on the board (1.12). Nothing
    /// can be claimed once the match has ended.
    pub(super) fn may_claim(&self) -> bool {
        !self.position.rules.is_shogi()
            && (self.occurrences() >= 3 || self.quiet_turns >= 100)
            && self.end() == "ongoing"
    }
}
