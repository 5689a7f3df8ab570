//! Restrictions of drops and promotions, checks apart, for the generator and
//! for the reasons why a move is not allowed.

use crate::bitboard::Bitboard;
use crate::game::{DropAttack, Kings, Promotion};
use crate::piece::{Color, Role};
use crate::state::State;
use crate::tables::{Movement, Tables};

/// Returns true if the player to move may promote, as far as kings go.
pub(crate) fn may_promote<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> bool {
    let stands = |color| state.king(color).is_some();
    match t.rules.promotion {
        Promotion::LastRank(_) => true,
        Promotion::Zone { after, .. } => match after {
            Kings::None => true,
            Kings::Own => stands(state.turn),
            Kings::Enemy => stands(!state.turn),
            Kings::Both => state.is_real(),
        },
    }
}

/// The squares on which ranks, files and colours let a role be dropped.
#[inline]
pub(crate) fn drop_zone<B: Bitboard>(t: &Tables<B>, state: &State<B>, role: Role) -> B {
    let us = state.turn;
    let mut zone = t.drop_ranks(us, role) & !barred_bishop_squares(t, state, role);
    if role == Role::Pawn && t.rules.one_pawn_a_file {
        zone &= !pawn_files(state, us);
    }
    zone
}

/// The files with an unpromoted pawn of the player (nifu).
#[inline]
pub(crate) fn pawn_files<B: Bitboard>(state: &State<B>, color: Color) -> B {
    state.pieces(color, Role::Pawn).whole_files()
}

/// The squares of the colours on which a bishop was dropped before, where the
/// bishops must differ.
#[inline]
pub(crate) fn barred_bishop_squares<B: Bitboard>(t: &Tables<B>, state: &State<B>, role: Role) -> B {
    if role != Role::Bishop || !t.rules.bishops_differ {
        return B::EMPTY;
    }
    let [dark, light] = state.bishops[state.turn.index()];
    let mut bar = B::EMPTY;
    if dark {
        bar |= !t.light;
    }
    if light {
        bar |= t.light;
    }
    bar
}

/// Squares from which a dropped piece would attack a piece that it may not.
pub(crate) struct ForbiddenAttacks<'a, B> {
    t: &'a Tables<B>,
    us: Color,
    /// The pieces that must not be attacked.
    protected: B,
    orthogonal: B,
    diagonal: B,
    occupied: B,
}

impl<'a, B: Bitboard> ForbiddenAttacks<'a, B> {
    #[inline]
    pub(crate) fn new(t: &'a Tables<B>, state: &State<B>) -> ForbiddenAttacks<'a, B> {
        let us = state.turn;
        let occupied = state.occupied();
        let protected = match t.rules.drop_attack {
            DropAttack::Anything => B::EMPTY,
            DropAttack::NotTheKing => state.pieces(!us, Role::King),
            DropAttack::Nothing => state.of(!us),
        };
        let (mut orthogonal, mut diagonal) = (B::EMPTY, B::EMPTY);
        for square in protected.squares() {
            orthogonal |= t.orthogonals(square, occupied);
            diagonal |= t.diagonals(square, occupied);
        }
        ForbiddenAttacks {
            t,
            us,
            protected,
            orthogonal,
            diagonal,
            occupied,
        }
    }

    /// The squares on which that piece may not be dropped.
    #[inline]
    pub(crate) fn from(&self, movement: &Movement<B>) -> B {
        let mut set = B::EMPTY;
        if self.protected.is_empty() {
            return set;
        }
        if movement.orthogonal {
            set |= self.orthogonal;
        }
        if movement.diagonal {
            set |= self.diagonal;
        }
        for square in self.protected.squares() {
            set |= movement.sources(self.us, square);
            if movement.forward {
                set |= self.t.forward(!self.us, square, self.occupied);
            }
        }
        set
    }
}
