//! What a match stands at, and who plays it.

use serde::{Deserialize, Serialize};

use crate::matches::r#match::Match;
use crate::rules::Color;

/// What a match stands at, and who plays it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct Standing {
    fen: String,
    /// The last half-move in canonical form, with its mark; null before the first.
    last_move: Option<String>,
    addresses: Addresses,
}

/// The addresses that speak for each player, those added in the match included.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct Addresses {
    white: Vec<String>,
    black: Vec<String>,
}

impl Standing {
    pub(crate) fn of(game: &Match) -> Standing {
        let addresses = |color: Color| {
            let own = game.player(color).addresses().iter();
            let added = game.state.added[color.index()].iter();
            own.chain(added).map(ToString::to_string).collect()
        };
        Standing {
            fen: game.position().fen(),
            last_move: game.record().steps().last().map(ToString::to_string),
            addresses: Addresses {
                white: addresses(Color::White),
                black: addresses(Color::Black),
            },
        }
    }
}
