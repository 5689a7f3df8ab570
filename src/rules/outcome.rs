//! Marks, ends and claims.

use crate::piece::Color;
use crate::sentences::sentences;

sentences! {
    /// The sign after a move that tells its threat to the other king.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Mark, Position, Setup, Variant};
    ///
    /// let unachess = Variant::find("unachess", &[])?;
    /// let setup = Setup::from_fen(&unachess, "4k3/8/8/8/4R3/8/8/8[Kr] b")?;
    /// let position = Position::from_setup(&unachess, &setup)?;
    /// assert_eq!(position.mark(), Mark::Virtual);
    /// assert_eq!(position.mark().to_string(), "!+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Mark() {
        /// Nothing.
        None => (""),
        /// `+`: check.
        Check => ("+"),
        /// `#`: checkmate.
        Mate => ("#"),
        /// `!+`: virtual check, aimed by a player whose own king is in reserve.
        Virtual => ("!+"),
    }
}

/// An end that the rules give, without resignation, agreement or claim.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Outcome, Position, Reason, Setup, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "R5k1/5ppp/8/8/8/8/8/6K1 b")?;
/// let outcome = Position::from_setup(&chess, &setup)?.outcome();
/// let mate = Outcome { winner: Some(Color::White), reason: Reason::Checkmate };
/// assert_eq!(outcome, Some(mate));
/// assert_eq!((mate.status(), mate.score()), ("checkmate", "1-0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// The winner; none in a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub reason: Reason,
}

sentences! {
    /// The reason for an end that the rules give.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Position, Reason, Setup, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let setup = Setup::from_fen(&chess, "8/8/4k3/8/8/3NK3/8/8 w")?;
    /// let outcome = Position::from_setup(&chess, &setup)?.outcome();
    /// assert_eq!(outcome.map(|outcome| outcome.reason), Some(Reason::Dead));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
    pub enum Reason() {
        /// The player to move is in check and has no legal ply.
        Checkmate => ("checkmate"),
        /// The player to move is not in check and has no legal ply.
        Stalemate => ("stalemate"),
        /// Too little material for any mate.
        Dead => ("too little material for any mate"),
        /// The fifth occurrence of a position.
        Fivefold => ("the fifth occurrence of the position"),
        /// 75 moves by each side without a pawn move, a capture or a drop.
        SeventyFive => ("75 moves without a pawn move, a capture or a drop"),
        /// Shogi: the fourth occurrence of a position.
        Fourfold => ("the fourth occurrence of the position"),
        /// Shogi: the fourth occurrence of a position by perpetual check.
        Perpetual => ("perpetual check"),
    }
}

impl Outcome {
    pub(crate) const fn draw(reason: Reason) -> Outcome {
        Outcome {
            winner: None,
            reason,
        }
    }

    /// A word for programs: `checkmate`, `stalemate`, `draw-fivefold`,
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

sentences! {
    /// A draw that the player to move may claim.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Claim, Position, Record, Setup, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let setup = Setup::from_fen(&chess, "8/8/4k3/8/8/3RK3/8/8 w - - 100 80")?;
    /// let record = Record::new(Position::from_setup(&chess, &setup)?);
    /// assert_eq!(record.claim(), Some(Claim::FiftyMoves));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
    pub enum Claim() {
        /// The third occurrence of the position.
        Threefold => ("the third occurrence of the position"),
        /// 50 moves by each side without a pawn move, a capture or a drop.
        FiftyMoves => ("50 moves without a pawn move, a capture or a drop"),
    }
}
