//! Kingchess turns that place several pieces: docs/rules.md 8.1 to 8.4.

use super::attack;
use super::board::{Kind, Square};
use super::games::Game;
use super::position::{Move, Position};

/// The order in which a placement names its kinds; within a kind the squares go a1, a2 … h8.
const ORDER: [Kind; 6] = [
    Kind::King,
    Kind::Queen,
    Kind::Rook,
    Kind::Bishop,
    Kind::Knight,
    Kind::Pawn,
];

impl Position {
    /// Every legal placement, those of a single piece included, each set once. Their number explodes with the number of
    /// reserve pieces.
    pub(super) fn legal_placements(&self) -> Vec<Vec<(Kind, Square)>> {
        let mut found = Vec::new();
        if self.rules.game == Game::Kingchess {
            self.add_placements(&mut Vec::new(), &mut found);
        }
        found
    }

    /// `self` has the drops `so_far` on its board; adds every legal set that begins with these.
    fn add_placements(
        &self,
        so_far: &mut Vec<(Kind, Square)>,
        found: &mut Vec<Vec<(Kind, Square)>>,
    ) {
        if !so_far.is_empty() && self.may_end_placement() {
            found.push(so_far.clone());
        }
        for kind in ORDER
            .into_iter()
            .filter(|&kind| self.reserves.count(self.turn, kind) > 0)
        {
            for to in self.board.all().filter(|&to| self.may_drop(kind, to)) {
                if so_far
                    .last()
                    .is_none_or(|&last| comes_after((kind, to), last))
                {
                    let mut next = *self;
                    next.drop_piece(kind, to);
                    so_far.push((kind, to));
                    next.add_placements(so_far, found);
                    so_far.pop();
                }
            }
        }
    }

    /// The king is placed (docs/rules.md 8.1) and not in check (8.4).
    fn may_end_placement(&self) -> bool {
        self.board.king(self.turn).is_some() && !self.in_check()
    }

    /// The legal placement that a text such as `K>b1,B>b2` names.
    pub(super) fn read_placement(&self, text: &str) -> Option<Move> {
        if self.rules.game != Game::Kingchess {
            return None;
        }
        let mut next = *self;
        let mut drops: Vec<(Kind, Square)> = Vec::new();
        for part in text.split(',') {
            let (letter, square) = part.split_once('>')?;
            let kind = ORDER
                .into_iter()
                .find(|kind| kind.letter(self.turn).to_string() == letter)?;
            let to = Square::named(square)?;
            let in_order = drops
                .last()
                .is_none_or(|&last| comes_after((kind, to), last));
            if !in_order || next.reserves.count(next.turn, kind) == 0 || !next.may_drop(kind, to) {
                return None;
            }
            next.drop_piece(kind, to);
            drops.push((kind, to));
        }
        next.may_end_placement().then_some(Move::Placement(drops))
    }

    /// Returns true if some placement of any number of pieces is legal (docs/rules.md 8.4). Dropping a piece of one's own never
    /// opens a line, so what does not close a line to the king may be left out of any legal placement (but for the king
    /// of a first turn): it is enough to look for placements that close lines.
    pub(super) fn has_closing_placement(&self) -> bool {
        if self.rules.game != Game::Kingchess {
            return false;
        }
        if self.board.king(self.turn).is_some() {
            // Out of check any single drop would do; `legal_moves` has them.
            return self.in_check() && self.can_close_lines();
        }
        self.board
            .all()
            .filter(|&to| self.may_drop(Kind::King, to))
            .any(|to| {
                let mut next = *self;
                next.drop_piece(Kind::King, to);
                next.can_close_lines()
            })
    }

    /// Returns true if drops alone can end the check, if there is one: every attacker needs a piece between it and the king, so
    /// take one attacker, try every piece on every square between, and go on with the others.
    fn can_close_lines(&self) -> bool {
        let king = self
            .board
            .king(self.turn)
            .expect("a king in check is on the board");
        if !self.in_check() {
            return true;
        }
        let attacker = attack::attackers(&self.board, king, self.turn.other())[0];
        squares_between(king, attacker).into_iter().any(|to| {
            let kinds = self
                .reserves
                .kinds(self.turn)
                .filter(|&kind| self.may_drop(kind, to));
            kinds.into_iter().any(|kind| {
                let mut next = *self;
                next.drop_piece(kind, to);
                next.can_close_lines()
            })
        })
    }
}

fn comes_after((kind, square): (Kind, Square), (last_kind, last_square): (Kind, Square)) -> bool {
    let place = |kind| ORDER.iter().position(|&other| other == kind);
    (place(kind), square) > (place(last_kind), last_square)
}

/// The squares strictly between two squares of one rank, file or diagonal; none if they do not share a line.
fn squares_between(from: Square, to: Square) -> Vec<Square> {
    let files = from.file.abs_diff(to.file);
    let ranks = from.rank.abs_diff(to.rank);
    if files != 0 && ranks != 0 && files != ranks {
        return Vec::new();
    }
    let towards = |from: usize, to: usize, steps: usize| match from.cmp(&to) {
        std::cmp::Ordering::Less => from + steps,
        std::cmp::Ordering::Equal => from,
        std::cmp::Ordering::Greater => from - steps,
    };
    (1..files.max(ranks))
        .map(|steps| Square {
            file: towards(from.file, to.file, steps),
            rank: towards(from.rank, to.rank, steps),
        })
        .collect()
}
