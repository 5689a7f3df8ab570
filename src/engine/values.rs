//! What the engine knows of a game beyond its rules: what things are worth, as tables, and what
//! a position is worth by them without looking ahead.
//!
//! The tables are tuned by games: `tests/levels tune` says which value would be better as
//! another (docs/engine.md). All values are hundredths of a pawn. A piece has one worth on the board and one in
//! reserve; where it stands adds a little for the way to the middle and for the ranks
//! that it has come forward. The king's worth is the tempo that its drop has cost, or
//! the safety that it has in reserve.

use parapost_rules::{Color, PieceChange, Position, Role, Square, Variant, Walk};

/// What one role is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(
    clippy::exhaustive_structs,
    reason = "tables of one's own are written out"
)]
pub struct Worth {
    /// The role.
    pub role: Role,
    /// On the board.
    pub board: i32,
    /// In reserve.
    pub reserve: i32,
    /// For each step nearer to the middle of the board.
    pub centre: i32,
    /// For each rank away from the player's own first.
    pub advance: i32,
}

/// What things are worth in a game.
///
/// # Examples
///
/// ```
/// use parapost_engine::Values;
/// use parapost_rules::{Role, Variant};
///
/// let values = Values::of(&Variant::find("unachess", &[])?);
/// let queen = values.worth(Role::Queen);
/// assert!(queen.board > queen.reserve);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(
    clippy::exhaustive_structs,
    reason = "tables of one's own are written out"
)]
pub struct Values {
    /// The roles of the game. One that is not here is worth nothing.
    pub roles: &'static [Worth],
    /// For each rank that the king has left home.
    pub king_away: i32,
    /// For a king that is attacked by a player whose own king is in reserve.
    pub virtual_check: i32,
    /// For each piece that attacks the king or a square beside it, times the squares.
    pub siege: i32,
    /// For having the move.
    pub tempo: i32,
    /// The levels of strength, tuned by matches: where a ply is one of a few dozen, a mistake costs more and a few
    /// positions see more than where it is one of hundreds.
    pub levels: [Strength; 5],
}

/// How strong a level is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(
    clippy::exhaustive_structs,
    reason = "tables of one's own are written out"
)]
pub struct Strength {
    /// The positions that the engine looks at for each ply.
    pub nodes: u64,
    /// Of a hundred plies those that are a [`Mistake::Idle`](crate::Mistake::Idle).
    pub idle: u8,
    /// Of a hundred plies those that are a [`Mistake::NoAnswer`](crate::Mistake::NoAnswer).
    pub no_answer: u8,
}

const fn strength(nodes: u64, [idle, no_answer]: [u8; 2]) -> Strength {
    Strength {
        nodes,
        idle,
        no_answer,
    }
}

const fn worth(role: Role, board: i32, reserve: i32, centre: i32, advance: i32) -> Worth {
    Worth {
        role,
        board,
        reserve,
        centre,
        advance,
    }
}

/// Orthodox chess.
pub const CHESS: Values = Values {
    roles: &[
        worth(Role::King, 0, 0, 0, 0),
        worth(Role::Queen, 950, 950, 3, 0),
        worth(Role::Rook, 500, 500, 2, 1),
        worth(Role::Bishop, 335, 335, 7, 2),
        worth(Role::Knight, 325, 325, 11, 3),
        worth(Role::Pawn, 90, 90, 4, 9),
    ],
    king_away: -14,
    virtual_check: 0,
    siege: 5,
    tempo: 12,
    levels: [
        strength(172, [50, 31]),
        strength(239, [15, 17]),
        strength(280, [2, 7]),
        strength(1_100, [0, 0]),
        strength(9_200, [0, 0]),
    ],
};

/// Chess whose pieces begin in reserve: what is in hand can come anywhere, but its drop
/// costs a tempo.
pub const DROP_CHESS: Values = Values {
    roles: &[
        worth(Role::King, 25, 0, 0, 0),
        worth(Role::Queen, 950, 925, 3, 0),
        worth(Role::Rook, 500, 475, 3, 1),
        worth(Role::Bishop, 335, 310, 7, 2),
        worth(Role::Knight, 325, 300, 11, 3),
        worth(Role::Pawn, 90, 82, 4, 8),
    ],
    king_away: -14,
    virtual_check: 25,
    siege: 6,
    tempo: 14,
    levels: [
        strength(159, [59, 33]),
        strength(224, [22, 20]),
        strength(710, [0, 0]),
        strength(4_500, [0, 0]),
        strength(78_000, [0, 0]),
    ],
};

/// Drop chess in which what comes down may attack nothing.
pub const QUIET_DROP_CHESS: Values = Values {
    roles: &[
        worth(Role::King, 25, 0, 0, 0),
        worth(Role::Queen, 950, 945, 3, 0),
        worth(Role::Rook, 500, 483, 3, 1),
        worth(Role::Bishop, 335, 315, 7, 2),
        worth(Role::Knight, 325, 305, 11, 3),
        worth(Role::Pawn, 90, 82, 4, 8),
    ],
    king_away: -12,
    virtual_check: 20,
    siege: 6,
    tempo: 14,
    levels: [
        strength(159, [59, 33]),
        strength(249, [11, 15]),
        strength(880, [0, 0]),
        strength(4_500, [0, 0]),
        strength(39_000, [0, 0]),
    ],
};

/// Chess with officers in hand beside a set board, and drops on one's own half.
pub const RESERVE_CHESS: Values = Values {
    roles: &[
        worth(Role::King, 30, 0, 0, 0),
        worth(Role::Queen, 950, 961, 3, 1),
        worth(Role::Rook, 500, 494, 2, 2),
        worth(Role::Bishop, 335, 320, 7, 4),
        worth(Role::Knight, 325, 307, 11, 5),
        worth(Role::Pawn, 90, 79, 4, 9),
    ],
    king_away: -18,
    virtual_check: 20,
    siege: 6,
    tempo: 14,
    levels: [
        strength(167, [54, 32]),
        strength(221, [23, 21]),
        strength(288, [1, 5]),
        strength(1_800, [0, 0]),
        strength(16_000, [0, 0]),
    ],
};

/// Shogi: a piece in hand is worth more than on the board.
pub const SHOGI: Values = Values {
    roles: &[
        worth(Role::King, 0, 0, 0, 0),
        worth(Role::Rook, 950, 1_010, 1, 2),
        worth(Role::Bishop, 800, 850, 3, 1),
        worth(Role::Gold, 530, 560, 3, 0),
        worth(Role::Silver, 480, 500, 4, 4),
        worth(Role::Knight, 310, 330, 1, 3),
        worth(Role::Lance, 290, 310, 0, 1),
        worth(Role::Pawn, 95, 110, 2, 4),
        worth(Role::Dragon, 1_250, 0, 2, 3),
        worth(Role::Horse, 1_050, 0, 4, 2),
        worth(Role::PromotedSilver, 540, 0, 3, 3),
        worth(Role::PromotedKnight, 500, 0, 3, 3),
        worth(Role::PromotedLance, 490, 0, 3, 3),
        worth(Role::Tokin, 480, 0, 3, 3),
    ],
    king_away: -20,
    virtual_check: 0,
    siege: 8,
    tempo: 20,
    levels: [
        strength(195, [37, 26]),
        strength(249, [12, 15]),
        strength(330, [0, 0]),
        strength(2_000, [0, 0]),
        strength(24_000, [0, 0]),
    ],
};

/// Shogi from an empty board: the first drops are so many tempi, and what waits in hand for its turn is worth less than
/// in shogi.
pub const DROP_SHOGI: Values = Values {
    roles: &[
        worth(Role::King, 18, 0, 0, 0),
        worth(Role::Rook, 980, 933, 1, 2),
        worth(Role::Bishop, 830, 790, 3, 1),
        worth(Role::Gold, 545, 519, 3, 0),
        worth(Role::Silver, 490, 467, 4, 4),
        worth(Role::Knight, 320, 305, 1, 3),
        worth(Role::Lance, 300, 286, 0, 1),
        worth(Role::Pawn, 105, 100, 2, 4),
        worth(Role::Dragon, 1_250, 0, 2, 3),
        worth(Role::Horse, 1_050, 0, 4, 2),
        worth(Role::PromotedSilver, 540, 0, 3, 3),
        worth(Role::PromotedKnight, 500, 0, 3, 3),
        worth(Role::PromotedLance, 490, 0, 3, 3),
        worth(Role::Tokin, 480, 0, 3, 3),
    ],
    king_away: -24,
    virtual_check: 30,
    siege: 8,
    tempo: 22,
    levels: [
        strength(169, [52, 31]),
        strength(206, [31, 24]),
        strength(700, [0, 0]),
        strength(2_800, [0, 0]),
        strength(39_000, [0, 0]),
    ],
};

/// Parachute chess: what waits in reserve is worth less than in Unachess II.
pub const PARACHUTE: Values = Values {
    roles: &[
        worth(Role::King, 25, 0, 0, 0),
        worth(Role::Queen, 950, 900, 3, 0),
        worth(Role::Rook, 500, 460, 3, 1),
        worth(Role::Bishop, 335, 300, 7, 2),
        worth(Role::Knight, 325, 290, 11, 3),
        worth(Role::Pawn, 90, 78, 4, 8),
    ],
    levels: [
        strength(152, [63, 35]),
        strength(201, [34, 25]),
        strength(293, [0, 3]),
        strength(2_400, [0, 0]),
        strength(39_000, [0, 0]),
    ],
    ..QUIET_DROP_CHESS
};

/// Kingchess, whose pieces are worth what those of New Chess are.
pub const KINGCHESS: Values = Values {
    levels: [
        strength(154, [62, 34]),
        strength(208, [30, 24]),
        strength(287, [1, 5]),
        strength(3_100, [0, 0]),
        strength(72_000, [0, 0]),
    ],
    ..RESERVE_CHESS
};

/// By the game's id.
const BY_GAME: [(&str, &Values); 8] = [
    ("chess", &CHESS),
    ("shogi", &SHOGI),
    ("unachess", &DROP_CHESS),
    ("unachess2", &QUIET_DROP_CHESS),
    ("parachute", &PARACHUTE),
    ("unashogi", &DROP_SHOGI),
    ("newchess", &RESERVE_CHESS),
    ("kingchess", &KINGCHESS),
];

impl Values {
    /// The values of a game. A game of one's own has those of chess or of shogi, by the
    /// size of its board.
    #[must_use]
    pub fn of(variant: &Variant) -> Values {
        let known = BY_GAME.iter().find(|(id, _)| *id == variant.game().id);
        match known {
            Some((_, values)) => **values,
            None if variant.rules().width == 9 => SHOGI,
            None => DROP_CHESS,
        }
    }

    /// What a role is worth; nothing if the game does not have it.
    #[must_use]
    pub fn worth(&self, role: Role) -> Worth {
        let known = self.roles.iter().find(|worth| worth.role == role);
        known.copied().unwrap_or(worth(role, 0, 0, 0, 0))
    }
}

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
