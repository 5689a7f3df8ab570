//! The moves of a position: first everything the pieces and reserves could do, then of these what leaves the own king
//! safe, found by making the move on a copy and looking.

use super::attack;
use super::board::{Kind, Piece, Square};
use super::games::{Game, Rules};
use super::position::{Move, Position};

impl Position {
    /// The legal moves, Kingchess placements of several pieces apart (docs/rules.md 1.4). Automatic draws do not end the
    /// moves (1.12: draws do not cut perft).
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        self.pseudo_moves()
            .into_iter()
            .filter(|played| self.is_legal(played))
            .collect()
    }

    /// Returns true if the player to move can make any turn at all, placements of several pieces included.
    pub(super) fn has_turn(&self) -> bool {
        self.pseudo_moves()
            .iter()
            .any(|played| self.is_legal(played))
            || self.has_closing_placement()
    }

    /// docs/rules.md 1.6: real check, and no turn of any kind.
    pub(super) fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_turn()
    }

    /// Rules about the position that a pseudo-move leads to.
    fn is_legal(&self, played: &Move) -> bool {
        let after = self.after(played);
        // docs/rules.md 1.4.
        if attack::in_real_check(&after.board, self.turn) {
            return false;
        }
        let &Move::Drop { kind, to } = played else {
            return true;
        };
        let mut attacked = attack::attacked_from(&after.board, to)
            .into_iter()
            .filter_map(|square| after.board.at(square))
            .filter(|piece| piece.side != self.turn);
        match self.rules.game {
            // docs/rules.md 4.1 and 5.1.
            Game::Unachess2 => attacked.all(|piece| piece.kind != Kind::King),
            Game::Parachute => attacked.next().is_none(),
            // docs/rules.md 2.2 and 6: uchifuzume.
            Game::Shogi | Game::Unashogi => kind != Kind::ShogiPawn || !after.is_checkmate(),
            _ => true,
        }
    }

    /// Everything the rules allow but for what `is_legal` looks at.
    fn pseudo_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, piece) in self.board.pieces(self.turn) {
            if piece.kind == Kind::Pawn {
                self.pawn_moves(from, piece, &mut moves);
            } else {
                self.piece_moves(from, piece, &mut moves);
            }
        }
        // docs/rules.md 1.5: no capture before the king is placed.
        if self.board.king(self.turn).is_none() {
            moves.retain(|played| match played {
                Move::Board { from, to, .. } => self.captured_square(*from, *to).is_none(),
                _ => true,
            });
        }
        self.drops(&mut moves);
        self.relocations(&mut moves);
        for short in [true, false] {
            if self.may_castle(short) {
                moves.push(Move::Castling { short });
            }
        }
        moves
    }

    /// A piece other than a chess pawn goes where it attacks, if no piece of its own side is there.
    fn piece_moves(&self, from: Square, piece: Piece, moves: &mut Vec<Move>) {
        for to in attack::attacked_from(&self.board, from) {
            if self
                .board
                .at(to)
                .is_none_or(|other| other.side != self.turn)
            {
                for promoted in self.promotion_choices(from, to, piece) {
                    moves.push(Move::Board {
                        from,
                        to,
                        arrives: Piece {
                            promoted,
                            fresh: false,
                            ..piece
                        },
                    });
                }
            }
        }
    }

    /// Returns true if the piece stands promoted after its move: shogi's promotion zone, forced promotion (docs/rules.md 2.2) and
    /// the options of Unashogi (6). Chess pieces have the one choice `false`.
    fn promotion_choices(&self, from: Square, to: Square, piece: Piece) -> Vec<bool> {
        if piece.promoted {
            return vec![true];
        }
        let has_other_side = matches!(
            piece.kind,
            Kind::Rook
                | Kind::Bishop
                | Kind::Silver
                | Kind::ShogiKnight
                | Kind::Lance
                | Kind::ShogiPawn
        );
        let rank = |square| self.board.relative_rank(square, self.turn);
        let in_zone = rank(from) >= 7 || rank(to) >= 7;
        let mut choices = Vec::new();
        if !Rules::is_dead_end(piece.kind, rank(to)) {
            choices.push(false);
        }
        if self.rules.is_shogi()
            && has_other_side
            && in_zone
            && self.rules.may_promote(&self.board, self.turn)
        {
            choices.push(true);
        }
        choices
    }

    /// A chess pawn: one step, the initial double step (docs/rules.md 3.2, 7.4, 8.5), captures, en passant, promotion (3.3).
    fn pawn_moves(&self, from: Square, piece: Piece, moves: &mut Vec<Move>) {
        let is_empty = |square: &Square| self.board.at(*square).is_none();
        let ahead = |square| {
            self.board
                .step(square, self.turn.turned((0, 1)))
                .filter(is_empty)
        };
        let mut targets = Vec::new();
        if let Some(one) = ahead(from) {
            targets.push(one);
            let on_second = self.board.relative_rank(from, self.turn) == 2;
            if piece.fresh && on_second && self.rules.double_step() {
                targets.extend(ahead(one));
            }
        }
        for to in attack::attacked_from(&self.board, from) {
            let is_enemy = self
                .board
                .at(to)
                .is_some_and(|other| other.side != self.turn);
            if is_enemy || self.passed == Some(to) {
                targets.push(to);
            }
        }
        for to in targets {
            let kinds: &[Kind] = if self.board.relative_rank(to, self.turn) == 8 {
                &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
            } else {
                &[Kind::Pawn]
            };
            for &kind in kinds {
                moves.push(Move::Board {
                    from,
                    to,
                    arrives: Piece {
                        kind,
                        fresh: false,
                        ..piece
                    },
                });
            }
        }
    }

    /// Drops of one piece on an empty square.
    fn drops(&self, moves: &mut Vec<Move>) {
        // docs/rules.md 8.1: the first turn of Kingchess places the king.
        let king_first = self.rules.game == Game::Kingchess && self.board.king(self.turn).is_none();
        for kind in self
            .reserves
            .kinds(self.turn)
            .filter(|&kind| !king_first || kind == Kind::King)
        {
            for to in self.board.all().filter(|&to| self.may_drop(kind, to)) {
                moves.push(Move::Drop { kind, to });
            }
        }
    }

    /// Returns true if a reserve piece may be dropped on this square as far as squares, files and bishops' colours go.
    pub(super) fn may_drop(&self, kind: Kind, to: Square) -> bool {
        self.board.at(to).is_none()
            && self
                .rules
                .may_drop_on_rank(kind, self.board.relative_rank(to, self.turn))
            && self.bishop_may_stand(kind, to)
            && !(kind == Kind::ShogiPawn && self.has_pawn_on_file(to.file))
    }

    /// Nifu: docs/rules.md 2.2.
    fn has_pawn_on_file(&self, file: usize) -> bool {
        self.board.pieces(self.turn).any(|(square, piece)| {
            square.file == file && piece.kind == Kind::ShogiPawn && !piece.promoted
        })
    }

    /// The two bishops' squares differ in colour: docs/rules.md 7.3 and 8.3.
    fn bishop_may_stand(&self, kind: Kind, to: Square) -> bool {
        !(self.rules.bishops_differ()
            && kind == Kind::Bishop
            && self.bishop_dropped[self.turn as usize][to.colour()])
    }

    /// Drops on an own pawn: docs/rules.md 7.1, 7.2 and 7.3.
    fn relocations(&self, moves: &mut Vec<Move>) {
        if self.rules.game != Game::NewChess || self.in_check() {
            return;
        }
        for (on, _) in self
            .board
            .pieces(self.turn)
            .filter(|(_, piece)| piece.kind == Kind::Pawn)
        {
            for kind in self
                .reserves
                .kinds(self.turn)
                .filter(|&kind| self.bishop_may_stand(kind, on))
            {
                for pawn_to in self.board.all() {
                    let rank = self.board.relative_rank(pawn_to, self.turn);
                    if self.board.at(pawn_to).is_none() && (2..=4).contains(&rank) {
                        moves.push(Move::Relocation { kind, on, pawn_to });
                    }
                }
            }
        }
    }

    /// Castling, all conditions: docs/rules.md 3.4, 7.5, 8.6.
    fn may_castle(&self, short: bool) -> bool {
        let (rook, between, king_path) = if short {
            (7, vec![5, 6], [4, 5, 6])
        } else {
            (0, vec![1, 2, 3], [4, 3, 2])
        };
        self.rules.castling()
            && self.board.at(self.home(4)) == Some(Piece::fresh(self.turn, Kind::King))
            && self.board.at(self.home(rook)) == Some(Piece::fresh(self.turn, Kind::Rook))
            && between
                .into_iter()
                .all(|file| self.board.at(self.home(file)).is_none())
            && king_path.into_iter().all(|file| {
                !attack::is_really_attacked(&self.board, self.home(file), self.turn.other())
            })
    }

    /// The long form of a move: the origin always, no mark.
    pub(super) fn text(&self, played: &Move) -> String {
        let letter = |kind: &Kind| kind.letter(self.turn);
        let drop_text = |kind: &Kind, to: &Square| format!("{}>{}", letter(kind), to.name());
        match played {
            Move::Board { from, to, arrives } => {
                let piece = self.board.at(*from).expect("a piece to move");
                let captured = self.captured_square(*from, *to);
                let sign = if captured.is_some() { 'x' } else { '-' };
                let suffix = if captured.is_some_and(|square| square != *to) {
                    "ep".to_owned()
                } else if (piece.kind, piece.promoted) == (arrives.kind, arrives.promoted) {
                    String::new()
                } else {
                    format!("={}", arrives.text())
                };
                format!("{}{}{sign}{}{suffix}", piece.text(), from.name(), to.name())
            }
            Move::Drop { kind, to } => drop_text(kind, to),
            Move::Castling { short: true } => "O-O".to_owned(),
            Move::Castling { short: false } => "O-O-O".to_owned(),
            Move::Relocation { kind, on, pawn_to } => {
                format!("{}/{}", drop_text(kind, on), pawn_to.name())
            }
            Move::Placement(drops) => drops
                .iter()
                .map(|(kind, to)| drop_text(kind, to))
                .collect::<Vec<_>>()
                .join(","),
        }
    }
}
