//! The types of an intent: what a message asks for in a match.
//!
//! [`crate::inbound::intent`] finds the intent of a message, and
//! [`crate::matches::decide`] decides what to do about it.

use std::fmt;

use crate::matches::takeback::Takeback;
use crate::rules::Role;
use crate::rules::notation::Reading;

/// What a message asks for in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Intent {
    /// A move, and perhaps an offer of a draw with it.
    Move(Played),
    /// A move the sender made before; the half-move it was, from 0.
    Again(usize),
    /// A move, when it is the other player's turn; the line it stands on.
    OutOfTurn(String),
    /// A command.
    Command(Request),
    /// Moves that stand in prose only, in canonical form, and the line of the
    /// first.
    Mention {
        /// The line.
        line: String,
        /// The moves that would be legal.
        moves: Vec<String>,
    },
    /// A move that can be read in several ways: their unmistakable forms.
    Ambiguous {
        /// The line it stands on.
        line: String,
        /// The forms.
        forms: Vec<String>,
    },
    /// Something that cannot be played.
    Refused(Refusal),
    /// Neither a move nor a command: conversation, or nothing at all.
    Talk,
}

/// A move that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The line it stands on.
    pub line: String,
    /// The move, and what was odd about the way it was written.
    pub reading: Reading,
    /// Whether a draw is offered with it.
    pub offers_draw: bool,
}

/// Why a message's move is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The lines that were read.
    pub lines: Vec<String>,
    /// Why, in a sentence with its full stop.
    pub why: String,
    /// The piece that was to move, whose legal moves are of use.
    pub role: Option<Role>,
}

/// A command that stands alone on a line of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// `resign`
    Resign,
    /// `offer draw`
    OfferDraw,
    /// `accept draw`
    AcceptDraw,
    /// `decline draw`
    DeclineDraw,
    /// `claim draw`
    ClaimDraw,
    /// `propose takeback`, `accept takeback`, `decline takeback`
    Takeback(Takeback),
    /// `note TEXT`: words for the other player, whatever is in them
    Note,
    /// `show`, or `show N`: the position after so many half-moves.
    Show(Option<usize>),
    /// `help`
    Help,
}

impl Request {
    /// Whether it changes the match; else it only asks or says something.
    #[must_use]
    pub const fn is_order(self) -> bool {
        !matches!(self, Request::Show(_) | Request::Help | Request::Note)
    }
}

impl fmt::Display for Request {
    /// The command as it is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Request::Resign => "resign",
            Request::OfferDraw => "offer draw",
            Request::AcceptDraw => "accept draw",
            Request::DeclineDraw => "decline draw",
            Request::ClaimDraw => "claim draw",
            Request::Takeback(action) => return write!(f, "{action} takeback"),
            Request::Note => "note",
            Request::Show(None) => "show",
            Request::Show(Some(plies)) => return write!(f, "show {plies}"),
            Request::Help => "help",
        })
    }
}
