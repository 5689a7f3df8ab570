//! A position without its history, and what a move makes of it.

use super::attack;
use super::board::{Board, Kind, Piece, Reserves, Side, Square};
use super::games::Rules;

/// One player's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    /// A piece goes from one square to another and stands there as `arrives` (changed by promotion).
    Board {
        from: Square,
        to: Square,
        arrives: Piece,
    },
    Drop {
        kind: Kind,
        to: Square,
    },
    /// With the rook of the h-file (`short`) or the a-file.
    Castling {
        short: bool,
    },
    /// New Chess: a drop on an own pawn, which goes elsewhere (docs/rules.md 7.2).
    Relocation {
        kind: Kind,
        on: Square,
        pawn_to: Square,
    },
    /// Kingchess: several drops in one turn (docs/rules.md 8.2), in the order of `placements::ORDER`.
    Placement(Vec<(Kind, Square)>),
}

#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) rules: Rules,
    pub(crate) board: Board,
    pub(crate) reserves: Reserves,
    pub(crate) turn: Side,
    /// The square a pawn has just passed over by its double step, where en passant is part of the game.
    pub(crate) passed: Option<Square>,
    /// By side and colour of square: a bishop has been dropped there (docs/rules.md 7.3, 8.3).
    pub(crate) bishop_dropped: [[bool; 2]; 2],
}

impl Position {
    pub(crate) fn start(rules: Rules) -> Position {
        let (board, reserves) = rules.start();
        Position {
            rules,
            board,
            reserves,
            turn: Side::First,
            passed: None,
            bishop_dropped: [[false; 2]; 2],
        }
    }

    /// Real check of the side to move (docs/rules.md 1.2).
    pub(crate) fn in_check(&self) -> bool {
        attack::in_real_check(&self.board, self.turn)
    }

    /// The square of the piece that a board move takes, which en passant is not the square it goes to.
    pub(crate) fn captured_square(&self, from: Square, to: Square) -> Option<Square> {
        if self.board.at(to).is_some() {
            return Some(to);
        }
        let is_pawn = self
            .board
            .at(from)
            .is_some_and(|piece| piece.kind == Kind::Pawn);
        (is_pawn && from.file != to.file).then_some(Square {
            file: to.file,
            rank: from.rank,
        })
    }

    /// The position after a move, whose legality is not looked at.
    pub(crate) fn after(&self, played: &Move) -> Position {
        let mut next = *self;
        next.passed = None;
        match played {
            Move::Board { from, to, arrives } => next.go(*from, *to, *arrives),
            Move::Drop { kind, to } => next.drop_piece(*kind, *to),
            Move::Castling { short } => next.castle(*short),
            Move::Relocation { kind, on, pawn_to } => {
                next.board.set(*on, None);
                next.drop_piece(*kind, *on);
                // docs/rules.md 7.4: the pawn is as good as new.
                next.board
                    .set(*pawn_to, Some(Piece::fresh(self.turn, Kind::Pawn)));
            }
            Move::Placement(drops) => drops
                .iter()
                .for_each(|&(kind, to)| next.drop_piece(kind, to)),
        }
        next.turn = self.turn.other();
        next
    }

    fn go(&mut self, from: Square, to: Square, arrives: Piece) {
        if let Some(square) = self.captured_square(from, to) {
            let captured = self.board.at(square).expect("a capture takes a piece");
            assert!(
                captured.kind != Kind::King && captured.side != self.turn,
                "{captured:?} cannot be taken"
            );
            self.board.set(square, None);
            // docs/rules.md 1.8.
            if self.rules.is_shogi() {
                self.reserves.put(self.turn, captured.kind);
            }
        }
        self.board.set(from, None);
        self.board.set(to, Some(arrives));
        if arrives.kind == Kind::Pawn && from.rank.abs_diff(to.rank) == 2 && self.rules.en_passant()
        {
            self.passed = Some(Square {
                file: from.file,
                rank: usize::midpoint(from.rank, to.rank),
            });
        }
    }

    /// Moves a reserve piece of the side to move to an empty square, without passing the turn.
    pub(crate) fn drop_piece(&mut self, kind: Kind, to: Square) {
        assert!(self.board.at(to).is_none(), "{kind:?} dropped on a piece");
        self.reserves.take(self.turn, kind);
        self.board.set(to, Some(Piece::fresh(self.turn, kind)));
        if kind == Kind::Bishop {
            self.bishop_dropped[self.turn as usize][to.colour()] = true;
        }
    }

    fn castle(&mut self, short: bool) {
        let (rook_from, king_to, rook_to) = if short { (7, 6, 5) } else { (0, 2, 3) };
        for (kind, from, to) in [(Kind::King, 4, king_to), (Kind::Rook, rook_from, rook_to)] {
            let moved = Piece {
                fresh: false,
                ..Piece::fresh(self.turn, kind)
            };
            self.board.set(self.home(from), None);
            self.board.set(self.home(to), Some(moved));
        }
    }

    /// The square of this file (from 0) on the first rank of the side to move.
    pub(crate) fn home(&self, file: usize) -> Square {
        self.board.relative_square(file, 1, self.turn)
    }

    /// The squares and reserves as text: rows from the top, `.` for an empty square (two columns a square on 9x9, the
    /// first for the `+` of a promoted piece), the reserves of the first and the second player, `w` or `b` to move.
    pub(crate) fn diagram(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.board.size).rev() {
            for file in 0..self.board.size {
                let square = self
                    .board
                    .at(Square { file, rank })
                    .map_or_else(|| ".".to_owned(), Piece::text);
                let width = if self.rules.is_shogi() { 2 } else { 1 };
                text.push_str(&" ".repeat(width - square.len()));
                text.push_str(&square);
            }
            text.push('\n');
        }
        let turn = match self.turn {
            Side::First => "w",
            Side::Second => "b",
        };
        for line in [
            &self.reserves.text(Side::First),
            &self.reserves.text(Side::Second),
            turn,
        ] {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}
