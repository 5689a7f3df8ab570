//! Why an event is not allowed in a match as it stands.

use thiserror::Error;

use crate::matches::ending::Ending;
use crate::matches::takeback::ParseTakebackError;
use crate::rules::IllegalMove;
use crate::rules::notation::ReadError;

/// Why an event is not allowed in a match as it stands. Its `Display` is a
/// sentence for players, without its full stop. Sides are called as in the
/// match's game: White, Sente.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum NotAllowed {
    /// A log begins once.
    #[error("the match has begun already")]
    Begun,
    /// The match is over.
    #[error("the game is over, {0}")]
    Over(Ending),
    /// It is the turn of the side of that name.
    #[error("it is {0}'s turn")]
    NotYourTurn(&'static str),
    /// The last move was made by the side of that name.
    #[error("the last move was {0}'s")]
    NotYourMove(&'static str),
    /// There is no move to take back.
    #[error("nothing has been played")]
    NothingPlayed,
    /// A move cannot be read or is not legal.
    #[error("'{text}' cannot be played: {source}")]
    Unplayable {
        /// The move as it was written.
        text: String,
        /// What is wrong with it.
        source: ReadError,
    },
    /// A move is not in canonical form.
    #[error("'{text}' is written {canonical} in a log")]
    NotCanonical {
        /// The move as it was written.
        text: String,
        /// Its canonical form.
        canonical: String,
    },
    /// The record does not take the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The opponent has been told of the last move.
    #[error("the mail that tells of the last move has gone")]
    Told,
    /// No mail of this program tells of the last move.
    #[error("the last move was not told by mail, so it counts as known")]
    NeverTold,
    /// The player has offered a draw before.
    #[error("the draw is offered already")]
    OfferedAlready,
    /// The side of that name has offered a draw.
    #[error("{0} has offered a draw, which can be accepted")]
    OfferedByOther(&'static str),
    /// The side of that name has offered no draw.
    #[error("no offer of a draw by {0} stands")]
    NoOffer(&'static str),
    /// No draw can be claimed.
    #[error(
        "the position has not occurred three times, nor have 50 moves gone by without a pawn move, a capture or a drop"
    )]
    NoClaim,
    /// The player has proposed to take the last move back before.
    #[error("that is proposed already")]
    ProposedAlready,
    /// The side of that name has proposed to take the last move back.
    #[error("{0} has proposed it, which can be accepted")]
    ProposedByOther(&'static str),
    /// The side of that name has not proposed to take the last move back.
    #[error("no proposal by {0} to take a move back stands")]
    NoProposal(&'static str),
    /// An event `takeback` does not say what is done.
    #[error(transparent)]
    Takeback(#[from] ParseTakebackError),
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
    /// The value of a key cannot be read.
    #[error("{key}={value} is no {what}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        what: &'static str,
    },
}
