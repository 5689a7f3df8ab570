//! Keys of positions: numbers of 64 bits that stand for what repetition compares.
//!
//! A key is made of random numbers, one for each piece on each square and one for each
//! number of pieces of a role in a reserve, added bit by bit; what changes with a ply is
//! taken out and put in. The few rights are mixed in behind that.

use crate::change::PieceChange;
use crate::movegen;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::state::{State, on_board};
use crate::tables::{Bitboard, Tables};

/// Indices of the largest board.
const SQUARES: usize = 81;
/// The counts of a role in a reserve.
const COUNTS: usize = 32;

/// By colour, role and square.
static ON_BOARD: [[[u64; SQUARES]; Role::COUNT]; 2] = {
    let mut keys = [[[0; SQUARES]; Role::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Role::COUNT * SQUARES {
        let (square, rest) = (i % SQUARES, i / SQUARES);
        keys[rest / Role::COUNT][rest % Role::COUNT][square] = mixed(i as u64 + 1);
        i += 1;
    }
    keys
};

/// By colour, role and count; that of none is zero.
static IN_RESERVE: [[[u64; COUNTS]; Role::COUNT]; 2] = {
    let mut keys = [[[0; COUNTS]; Role::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Role::COUNT * COUNTS {
        let (count, rest) = (i % COUNTS, i / COUNTS);
        if count > 0 {
            keys[rest / Role::COUNT][rest % Role::COUNT][count] = mixed(i as u64 + 100_001);
        }
        i += 1;
    }
    keys
};

const TO_MOVE: u64 = mixed(200_001);

/// A number that looks random, another for each (the finalizer of `SplitMix64`).
const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The key of board and reserves.
pub(crate) fn pieces<B: Bitboard>(state: &State<B>) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let keys = &ON_BOARD[color.index()][role.index()];
            for square in state.pieces(color, role).squares() {
                key ^= keys[usize::from(square)];
            }
            if !role.is_promoted() {
                let count = usize::from(state.reserve(color).count(role));
                key ^= IN_RESERVE[color.index()][role.index()][count];
            }
        }
    }
    key
}

/// The change of the key of board and reserves by one change, the only one of a reserve.
#[inline]
pub(crate) fn change<B: Bitboard>(before: &State<B>, change: PieceChange) -> u64 {
    let (color, role) = (change.piece.color.index(), change.piece.role.index());
    if let Some(square) = change.square {
        return ON_BOARD[color][role][usize::from(B::index(square))];
    }
    let keys = &IN_RESERVE[color][role];
    let count = usize::from(before.reserves[color].count(change.piece.role));
    let after = if change.comes { count + 1 } else { count - 1 };
    keys[count] ^ keys[after]
}

/// The key of the position, with that of its board and reserves.
#[inline]
pub(crate) fn whole<B: Bitboard>(t: &Tables<B>, state: &State<B>, pieces: u64) -> u64 {
    let mut key = pieces;
    if state.turn == Color::Black {
        key ^= TO_MOVE;
    }
    if !state.unmoved.is_empty() {
        key ^= set(state.live_rights(t), 1);
    }
    if !state.double_step_pawns.is_empty() {
        key ^= set(state.double_step_pawns, 2);
    }
    if !state.passed.is_empty() && movegen::can_take_en_passant(t, state) {
        key ^= set(state.passed, 3);
    }
    if t.rules.bishops_differ {
        key ^= set(bishops::<B>(state.live_bishops()), 4);
    }
    key
}

/// The colours of dropped bishops, as squares.
fn bishops<B: Bitboard>(dropped: [[bool; 2]; 2]) -> B {
    let flags = dropped.into_iter().flatten().zip(0..);
    flags.fold(
        B::EMPTY,
        |set, (is_dropped, at)| {
            if is_dropped { set | B::bit(at) } else { set }
        },
    )
}

/// The key of a set of squares that means something; zero of the empty set.
fn set<B: Bitboard>(squares: B, meaning: u64) -> u64 {
    squares.squares().fold(0, |key, square| {
        key ^ mixed(300_000 + 1_000 * meaning + u64::from(square))
    })
}

impl Position {
    /// A number that stands for the position: the same for two positions of one variant
    /// that repetition takes for the same, and otherwise almost certainly another. It
    /// is the same in every run of one version of the crate; no secret is in it.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::Variant;
    ///
    /// let start = Variant::find("chess", &[])?.start();
    /// let played = |texts: [&str; 4]| {
    ///     texts.iter().fold(start.clone(), |position, text| {
    ///         let ply = position.read(text).expect("a legal move").ply;
    ///         position.play(&ply).expect("a legal move")
    ///     })
    /// };
    /// let one = played(["N-f3", "n-f6", "P-d4", "p-d5"]);
    /// let other = played(["P-d4", "p-d5", "N-f3", "n-f6"]);
    /// assert_eq!(one.key(), other.key());
    /// assert_ne!(one.key(), start.key());
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        on_board!(self.core(), |t, state| whole(t, state, pieces(state)))
    }
}
