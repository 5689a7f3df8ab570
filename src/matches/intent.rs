//! The types of an intent: what a message asks for in a match.
//!
//! [`crate::inbound::intent`] finds the intent of a message, and
//! [`crate::matches::decide`] decides what to do about it.

use std::fmt;

use lettre::Address;

use crate::matches::action::Action;
use crate::matches::mail::MailWish;
use crate::rules::Role;
use crate::rules::notation::Reading;

/// The request a message makes in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Intent {
    /// A move, perhaps with an offer of a draw.
    Move(Played),
    /// A move that the sender already made; the index of the half-move, from 0.
    Again(usize),
    /// A line with a move, sent while it is the other player's turn.
    OutOfTurn(String),
    /// A command.
    Command(Request),
    /// Moves that stand only in prose, in canonical form.
    Mention {
        /// The line of the first move.
        line: String,
        /// The legal moves among them.
        moves: Vec<String>,
        /// True if the line is the sender's for sure, and not perhaps somebody else's.
        is_own: bool,
    },
    /// A move that can be read in several ways.
    Ambiguous {
        /// The line with the move.
        line: String,
        /// The unambiguous forms of the possible moves.
        forms: Vec<String>,
    },
    /// A move or command that cannot be carried out.
    Refused(Refusal),
    /// Neither a move nor a command: conversation, or an empty message.
    Words,
}

/// A move that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The line with the move.
    pub line: String,
    /// The move, with warnings about the way it was written.
    pub reading: Reading,
    /// True if the message offers a draw with the move.
    pub offers_draw: bool,
}

/// Why a message's move is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The lines the program read as the move.
    pub lines: Vec<String>,
    /// The reason, in a sentence with its full stop.
    pub why: String,
    /// The kind of piece that was meant to move; its legal moves help the
    /// sender.
    pub role: Option<Role>,
    /// The one line that the sender is asked to send instead, for which `yes` stands in the
    /// answer: a legal move with its number, or a command.
    pub asks: Option<String>,
}

/// A command that stands alone on a line of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// `resign`, `offer draw`, `propose takeback` and the like.
    Act(Action),
    /// `decline`: whatever is open. Where that may be two things, the sender is asked.
    Decline,
    /// `resign match`: resigns also before the sender's first move, where `resign` is asked
    /// about.
    ResignMatch,
    /// `rematch`: another match of the same players, with the colours changed.
    Rematch,
    /// `add address ADDRESS`: the sender writes from there, too.
    AddAddress(Address),
    /// `note TEXT`: words for the other player. Moves and commands in the text
    /// have no effect.
    Note,
    /// `show`, or `show N`: the position, or the position after N half-moves.
    Show(Option<usize>),
    /// `help`
    Help,
    /// `rules`: the rules of the game.
    Rules,
    /// `legal`: the legal moves.
    Legal,
    /// `mail off`, `mail on`, `mail html off`, `mail html on`, `mail news off`.
    Mail(MailWish),
}

impl Refusal {
    /// Refuses what these lines ask for, where no kind of piece would help.
    pub fn new(lines: Vec<String>, why: impl Into<String>) -> Refusal {
        Refusal {
            lines,
            why: why.into(),
            role: None,
            asks: None,
        }
    }
}

impl Intent {
    /// Returns the same with each line of the message changed.
    #[must_use]
    pub fn with_lines(mut self, change: impl Fn(String) -> String) -> Intent {
        let lines: Vec<&mut String> = match &mut self {
            Intent::Move(Played { line, .. })
            | Intent::OutOfTurn(line)
            | Intent::Mention { line, .. }
            | Intent::Ambiguous { line, .. } => vec![line],
            Intent::Refused(Refusal { lines, why, .. }) => lines.iter_mut().chain([why]).collect(),
            Intent::Again(_) | Intent::Command(_) | Intent::Words => Vec::new(),
        };
        for line in lines {
            *line = change(std::mem::take(line));
        }
        self
    }
}

impl Request {
    /// Returns true if the command changes the match, false if it only asks or
    /// says something.
    pub(crate) const fn is_order(&self) -> bool {
        !self.is_question() && !matches!(self, Request::Note | Request::Mail(_))
    }

    /// Returns true if the command only asks something.
    pub(crate) const fn is_question(&self) -> bool {
        matches!(
            self,
            Request::Show(_) | Request::Help | Request::Rules | Request::Legal
        )
    }
}

impl fmt::Display for Request {
    /// Writes the command as players do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Request::Act(action) => return action.fmt(f),
            Request::Decline => "decline",
            Request::ResignMatch => "resign match",
            Request::Rematch => "rematch",
            Request::AddAddress(address) => return write!(f, "add address {address}"),
            Request::Note => "note",
            Request::Show(None) => "show",
            Request::Show(Some(plies)) => return write!(f, "show {plies}"),
            Request::Help => "help",
            Request::Rules => "rules",
            Request::Legal => "legal",
            Request::Mail(wish) => return write!(f, "mail {wish}"),
        })
    }
}
