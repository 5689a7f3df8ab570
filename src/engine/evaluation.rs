//! What a position is worth without looking ahead.

use parapost_rules::{Color, PieceChange, Position, Role, Square, Variant, Walk};

use crate::values::Values;

/// Squares of the largest board.
const SQUARES: usize = 81;

/// The most that kings can add: where a bound is further away, they are not looked at.
const KINGS: i32 = 250;

/// The index of a square in tables.
pub(crate) fn index(square: Square) -> usize {
    usize::from(square.rank().index()) * 9 + usize::from(square.file().index())
}

/// A game's values, worked out square by square.
pub(crate) struct Evaluator {
    pub(crate) values: Values,
    /// By colour, role and square: for White above zero, for Black below.
    board: [[[i32; SQUARES]; Role::COUNT]; 2],
    /// By colour and role.
    reserve: [[i32; Role::COUNT]; 2],
    /// By role: what it is worth to take it.
    victims: [i32; Role::COUNT],
}

/// What is kept up to date from ply to ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tally {
    /// White's worth, less Black's.
    pub(crate) balance: i32,
    /// By colour: pieces on the board and in reserve that are neither king nor pawn.
    pub(crate) officers: [i32; 2],
}

impl Evaluator {
    pub(crate) fn new(variant: &Variant, values: &Values) -> Evaluator {
        let width = i32::from(variant.rules().width);
        let sign = |color| if color == Color::White { 1 } else { -1 };
        let board = Color::ALL.map(|color| {
            Role::ALL.map(|role| {
                let worth = values.worth(role);
                let mut squares = [0; SQUARES];
                for square in Square::all(variant.rules().width) {
                    let (file, rank) = (
                        i32::from(square.file().index()),
                        i32::from(square.rank().index()),
                    );
                    // Twice the way from the middle, as a board of eight has none.
                    let away = (2 * file - (width - 1)).abs() + (2 * rank - (width - 1)).abs();
                    let ahead = match color {
                        Color::White => rank,
                        Color::Black => width - 1 - rank,
                    };
                    let mut points = worth.board + worth.advance * ahead;
                    points += worth.centre * (width - 1 - away) / 2;
                    if role == Role::King {
                        points += values.king_away * ahead.min(4);
                    }
                    squares[index(square)] = sign(color) * points;
                }
                squares
            })
        });
        let reserve =
            Color::ALL.map(|color| Role::ALL.map(|role| sign(color) * values.worth(role).reserve));
        let victims = Role::ALL.map(|role| {
            let worth = values.worth(role);
            worth.board.max(worth.reserve)
        });
        Evaluator {
            values: *values,
            board,
            reserve,
            victims,
        }
    }

    /// What a piece is worth to who takes it.
    pub(crate) fn victim(&self, role: Role) -> i32 {
        self.victims[role.index()]
    }

    /// White's gain by a change.
    #[inline]
    pub(crate) fn change(&self, change: PieceChange) -> i32 {
        let (color, role) = (change.piece.color.index(), change.piece.role.index());
        let points = match change.square {
            Some(square) => self.board[color][role][index(square)],
            None => self.reserve[color][role],
        };
        if change.comes { points } else { -points }
    }

    /// A change, counted.
    #[inline]
    pub(crate) fn count(&self, tally: &mut Tally, change: PieceChange) {
        tally.balance += self.change(change);
        if !matches!(change.piece.role, Role::King | Role::Pawn) {
            let by = if change.comes { 1 } else { -1 };
            tally.officers[change.piece.color.index()] += by;
        }
    }

    /// The tally of a position, from nothing.
    pub(crate) fn tally(&self, position: &Position) -> Tally {
        let mut tally = Tally {
            balance: 0,
            officers: [0; 2],
        };
        let mut come = |piece, square| {
            let change = PieceChange {
                piece,
                square,
                comes: true,
            };
            self.count(&mut tally, change);
        };
        for (square, piece) in position.board().pieces() {
            come(piece, Some(square));
        }
        for color in Color::ALL {
            for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
                for _ in 0..position.reserve(color).count(role) {
                    come(role.of(color), None);
                }
            }
        }
        tally
    }

    /// What the position is worth to the player to move. Outside the bounds by much, the
    /// kings' safety is left out.
    #[inline]
    pub(crate) fn value(&self, walk: &Walk, tally: Tally, (alpha, beta): (i32, i32)) -> i32 {
        let turn = walk.turn();
        let own = match turn {
            Color::White => tally.balance,
            Color::Black => -tally.balance,
        };
        let value = own + self.values.tempo;
        if value + KINGS <= alpha || value - KINGS >= beta {
            return value;
        }
        let kings = self.danger(walk, !turn) - self.danger(walk, turn);
        value + kings.clamp(-KINGS, KINGS)
    }

    /// The danger in which a player's king is.
    fn danger(&self, walk: &Walk, color: Color) -> i32 {
        let Some([attackers, squares]) = walk.siege(!color) else {
            return 0;
        };
        let (attackers, squares) = (attackers.cast_signed(), squares.cast_signed());
        let mut danger = self.values.siege * attackers * squares;
        if attackers > 0 && walk.king(!color).is_none() && walk.is_aimed_at(color) {
            danger += self.values.virtual_check;
        }
        danger
    }
}
