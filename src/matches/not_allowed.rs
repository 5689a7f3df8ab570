//! The reasons why a match does not allow an event.

use thiserror::Error;

use crate::matches::action::Ending;
use crate::rules::IllegalMove;
use crate::rules::notation::ReadError;

/// Why a match does not allow an event in its present state. `Display` writes a
/// sentence for players, without its full stop. It names the sides as the
/// match's game does: White, Sente.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum NotAllowed {
    /// The log contains a second `new`.
    #[error("the match has begun already")]
    Begun,
    /// The match is over.
    #[error("the game is over, {0}")]
    Over(Ending),
    /// It is the turn of the named side.
    #[error("it is {0}'s turn")]
    NotYourTurn(&'static str),
    /// The named side made the last move.
    #[error("the last move was {0}'s")]
    NotYourMove(&'static str),
    /// There is no move to take back.
    #[error("nothing has been played")]
    NothingPlayed,
    /// The move cannot be read or is not legal.
    #[error("'{text}' cannot be played: {source}")]
    Unplayable {
        /// The move as it was written.
        text: String,
        /// The error in the move.
        source: ReadError,
    },
    /// The move is not in canonical form.
    #[error("'{text}' is written {canonical} in a log")]
    NotCanonical {
        /// The move as it was written.
        text: String,
        /// Its canonical form.
        canonical: String,
    },
    /// The record does not accept the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A mail has brought the last move to the opponent.
    #[error("the mail that tells of the last move has gone")]
    Told,
    /// No mail of this program brought the last move.
    #[error("the last move was not told by mail, so it counts as known")]
    NeverTold,
    /// This player has not resigned.
    #[error("there is no resignation of yours to take back")]
    NoResignation,
    /// Others may know of the resignation.
    #[error("since the resignation a mail has gone or come, so it counts as known")]
    ResignationKnown,
    /// The player has already offered a draw.
    #[error("the draw is offered already")]
    OfferedAlready,
    /// The named side has offered a draw.
    #[error("{0} has offered a draw, which can be accepted")]
    OfferedByOther(&'static str),
    /// The player has offered a draw since the position last changed.
    #[error(
        "a draw was offered already since the last move; it can be offered again after the next"
    )]
    OfferedBefore,
    /// The named side has not offered a draw.
    #[error("no offer of a draw by {0} stands")]
    NoOffer(&'static str),
    /// No draw can be claimed.
    #[error(
        "the position has not occurred three times, nor have 50 moves gone by without a pawn move, a capture or a drop"
    )]
    NoClaim,
    /// The player has already proposed to take the last move back.
    #[error("that is proposed already")]
    ProposedAlready,
    /// The named side has proposed to take the last move back.
    #[error("{0} has proposed it, which can be accepted")]
    ProposedByOther(&'static str),
    /// The player has proposed a take-back since the position last changed.
    #[error(
        "that was proposed already since the last move; it can be proposed again after the next"
    )]
    ProposedBefore,
    /// The named side has not proposed to take the last move back.
    #[error("no proposal by {0} to take a move back stands")]
    NoProposal(&'static str),
    /// An event `takeback` does not say what is done.
    #[error("'{0}' is none of propose, accept and decline")]
    NoTakeback(String),
    /// Only players can do this.
    #[error("'{event}' is a player's to do, not '{who}'")]
    NoPlayer {
        /// The event's word.
        event: String,
        /// The `WHO` of the event.
        who: String,
    },
    /// A `move` without its move.
    #[error("a move needs its text")]
    NoMove,
    /// An `owed` without its kind.
    #[error("the kind of mail is missing")]
    NoKind,
    /// A mail without its Message-ID.
    #[error("there is no msg= with a Message-ID")]
    NoMessageId,
    /// Two mails of one Message-ID.
    #[error("a mail of that Message-ID is owed already")]
    OwedAlready,
    /// A mail that is neither owed nor was refused.
    #[error("no mail of that Message-ID is owed")]
    NotOwed,
    /// A delivery report about a mail that has not gone, or of which the player has shown
    /// that it arrived, or one after another.
    #[error("no mail of that Message-ID waits for a word about its delivery")]
    NotReportable,
    /// The value of a key cannot be read.
    #[error("{key}={value} is no {what}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The expected kind of value.
        what: &'static str,
    },
}
