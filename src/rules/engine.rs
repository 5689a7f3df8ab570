//! The two board sizes: rules and positions on a word of 64 or of 128 bits.

use alloc::sync::Arc;

use crate::bitboard::Bitboard;
use crate::game::Rules;
use crate::square::Square;
use crate::state::State;
use crate::tables::Tables;

/// The rules worked out on the word that fits the board.
#[derive(Debug)]
pub(crate) enum Engine {
    Eight(Arc<Tables<u64>>),
    Nine(Arc<Tables<u128>>),
}

impl Engine {
    pub(crate) fn new(rules: &Rules) -> Engine {
        if rules.width == 8 {
            Engine::Eight(Arc::new(Tables::new(rules)))
        } else {
            Engine::Nine(Arc::new(Tables::new(rules)))
        }
    }

    /// The rules with the options worked in.
    pub(crate) fn rules(&self) -> &Rules {
        match self {
            Engine::Eight(tables) => &tables.rules,
            Engine::Nine(tables) => &tables.rules,
        }
    }
}

/// The position for the generator, on the word that fits its board.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    Eight(Arc<Tables<u64>>, State<u64>),
    Nine(Arc<Tables<u128>>, State<u128>),
}

/// The part of a state that repetition compares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RepetitionKey {
    Eight(State<u64>),
    Nine(State<u128>),
}

/// Runs an expression with the tables and the state of either board.
macro_rules! on_board {
    ($core:expr, |$t:ident, $state:ident| $body:expr) => {
        match $core {
            $crate::engine::Core::Eight($t, $state) => $body,
            $crate::engine::Core::Nine($t, $state) => $body,
        }
    };
}
pub(crate) use on_board;

/// The index of a square on the board of the state.
pub(crate) fn index_on<B: Bitboard>(_: &State<B>, square: Square) -> u8 {
    B::index(square)
}

/// The set of one square on the board of the state.
pub(crate) fn bit_on<B: Bitboard>(_: &State<B>, square: Square) -> B {
    B::bit(B::index(square))
}

/// The square of an index on the board of the state.
pub(crate) fn square_on<B: Bitboard>(_: &State<B>, index: u8) -> Square {
    B::square(index)
}
