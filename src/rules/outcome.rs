//! How a game stands and how it ends.

use core::fmt;

use crate::piece::Color;

/// What a move says to the other player's king, as written after the move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// Nothing.
    None,
    /// `+`: check.
    Check,
    /// `#`: checkmate.
    Mate,
    /// `!+`: virtual check, aimed by a player whose own king is in reserve.
    Virtual,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::None => "",
            Mark::Check => "+",
            Mark::Mate => "#",
            Mark::Virtual => "!+",
        })
    }
}

/// An end that comes by itself (docs/rules.md 1.6 to 1.12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

/// Why a game ended by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Reason {
    /// In check, and nothing helps.
    Checkmate,
    /// Not in check, and nothing can be played.
    Stalemate,
    /// Too little material for any mate.
    Dead,
    /// The fifth occurrence of a position.
    Fivefold,
    /// 75 moves by each side without a pawn move, a capture or a drop.
    SeventyFive,
    /// Shogi: the fourth occurrence of a position.
    Fourfold,
    /// Shogi: the fourth occurrence of a position by perpetual check.
    Perpetual,
}

impl Outcome {
    /// The word that programs read: `checkmate`, `stalemate`, `draw-fivefold`,
    /// `draw-75`, `draw-dead`, `draw-fourfold`, `loss-perpetual`.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self.reason {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Dead => "draw-dead",
            Reason::Fivefold => "draw-fivefold",
            Reason::SeventyFive => "draw-75",
            Reason::Fourfold => "draw-fourfold",
            Reason::Perpetual => "loss-perpetual",
        }
    }

    /// The score: `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn score(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Reason {
    /// "checkmate", "the fifth occurrence of the position".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Dead => "too little material for any mate",
            Reason::Fivefold => "the fifth occurrence of the position",
            Reason::SeventyFive => "75 moves without a pawn move, a capture or a drop",
            Reason::Fourfold => "the fourth occurrence of the position",
            Reason::Perpetual => "perpetual check",
        })
    }
}

/// A draw that the player to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Claim {
    /// The third occurrence of the position.
    Threefold,
    /// 50 moves by each side without a pawn move, a capture or a drop.
    FiftyMoves,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::Threefold => "the third occurrence of the position",
            Claim::FiftyMoves => "50 moves without a pawn move, a capture or a drop",
        })
    }
}
