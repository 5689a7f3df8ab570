//! The actions of players, the ways a match can end, and the types of an intent: what a message
//! asks for in a match, an action or anything else.
//!
//! [`crate::inbound::intent`] finds the intent of a message, and
//! [`crate::matches::decide`] decides what to do about it.

use std::fmt;

use lettre::Address;

use crate::matches::mail::MailWish;
use crate::rules::notation::Reading;
use crate::rules::{Claim, Color, Outcome, Role, Variant};

/// Defines the actions and their words from one table: the kind and the argument in the
/// log, the command in a letter, and what the player does, behind the name.
macro_rules! actions {
    ($($(#[$doc:meta])* $name:ident = $kind:literal, $argument:literal, $command:literal, $deed:literal;)*) => {
        /// An action of a player in a match: an event of the log, a command of a letter and of
        /// the command line. `Display` writes the command as players do.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Action {
            /// A move is played, in canonical form without its mark.
            Move(String),
            $($(#[$doc])* $name,)*
        }

        impl Action {
            /// The actions that are always written the same.
            pub(crate) const PLAIN: [Action; [$($command),*].len()] = [$(Action::$name),*];

            /// Returns the kind and the argument of its event.
            pub(super) fn in_log(&self) -> (&'static str, Option<&str>) {
                match self {
                    Action::Move(text) => ("move", Some(text)),
                    $(Action::$name => ($kind, Some($argument).filter(|word| !word.is_empty())),)*
                }
            }

            /// Says what the player does, behind the name: "offers a draw".
            pub fn deed(&self) -> &'static str {
                match self {
                    Action::Move(_) => "plays",
                    $(Action::$name => $deed,)*
                }
            }
        }

        impl fmt::Display for Action {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    Action::Move(text) => text,
                    $(Action::$name => $command,)*
                })
            }
        }
    };
}

actions! {
    /// The player resigns.
    Resign = "resign", "", "resign", "resigns";
    /// A draw is offered.
    OfferDraw = "offer", "", "offer draw", "offers a draw";
    /// The offer is accepted.
    AcceptDraw = "accept", "", "accept draw", "accepts the draw";
    /// The offer is declined.
    DeclineDraw = "decline", "", "decline draw", "declines the draw";
    /// A draw is claimed with good reason.
    ClaimDraw = "claim", "", "claim draw", "claims a draw";
    /// The player proposes to take the last move back. The proposal lapses at the next move.
    ProposeTakeback = "takeback", "propose", "propose takeback", "proposes to take the last move back";
    /// The player agrees, and the move is taken back.
    AcceptTakeback = "takeback", "accept", "accept takeback", "agrees to take the last move back";
    /// The player does not agree.
    DeclineTakeback = "takeback", "decline", "decline takeback", "does not agree to take the last move back";
    /// An invited player does not play. The match ends without a result.
    DeclineInvitation = "invitation", "declined", "decline invitation", "declines the invitation";
    /// Whoever has invited takes that back. The match ends without a result.
    Withdraw = "invitation", "withdrawn", "withdraw invitation", "withdraws the invitation";
}

impl Action {
    /// Plays a move, in canonical form.
    pub fn play(text: impl Into<String>) -> Action {
        Action::Move(text.into())
    }

    /// Returns the action that players write so, as verb and object: `offer`, `draw`.
    pub(crate) fn of_command(verb: &str, object: &str) -> Option<Action> {
        let mut all = Action::PLAIN.into_iter();
        all.find(|action| {
            let command = action.to_string();
            command.split_once(' ').unwrap_or((&command, "")) == (verb, object)
        })
    }

    /// Reads an action from the kind and the argument of an event, and takes what it is
    /// made of out of the argument.
    pub(super) fn take(kind: &str, argument: &mut Option<String>) -> Option<Action> {
        if kind == "move" {
            return argument.take().map(Action::Move);
        }
        let action = Action::PLAIN.into_iter().find(|action| {
            let (known, word) = action.in_log();
            known == kind && (word.is_none() || word == argument.as_deref())
        })?;
        if action.in_log().1.is_some() {
            *argument = None;
        }
        Some(action)
    }

    /// Returns true if the position is another one after it.
    pub(crate) const fn changes_position(&self) -> bool {
        match self {
            Action::Move(_) | Action::AcceptTakeback => true,
            Action::Resign
            | Action::OfferDraw
            | Action::AcceptDraw
            | Action::DeclineDraw
            | Action::ClaimDraw
            | Action::ProposeTakeback
            | Action::DeclineTakeback
            | Action::DeclineInvitation
            | Action::Withdraw => false,
        }
    }

    /// Returns true if a letter with it is free: no bound ever refuses or delays it.
    pub fn is_free(&self) -> bool {
        self.is_news() || *self == Action::AcceptTakeback
    }

    /// Returns true if it carries the match on or ends it.
    pub(crate) const fn is_news(&self) -> bool {
        match self {
            Action::Move(_)
            | Action::Resign
            | Action::AcceptDraw
            | Action::ClaimDraw
            | Action::DeclineInvitation
            | Action::Withdraw => true,
            Action::OfferDraw
            | Action::DeclineDraw
            | Action::ProposeTakeback
            | Action::AcceptTakeback
            | Action::DeclineTakeback => false,
        }
    }

    /// Returns true if it ends the match in any position.
    pub(crate) const fn ends_match(&self) -> bool {
        self.is_news() && !self.changes_position()
    }
}

/// The ending of a match. `Display` writes the `Result` line of a state file:
/// `1-0 (checkmate)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The rules ended the game; no player had to act.
    Rules(Outcome),
    /// This player resigned.
    Resigned(Color),
    /// The players agreed to a draw.
    Agreed,
    /// A player claimed a draw.
    Claimed(Claim),
    /// This player declined the invitation. There is no result.
    Declined(Color),
    /// The invitation was withdrawn. There is no result.
    Withdrawn,
    /// The day until which the invitation stood has passed. There is no result.
    Lapsed,
}

impl Ending {
    /// Returns true if the match was never played: it has no result, and nobody has won, lost
    /// or drawn it.
    pub const fn is_void(self) -> bool {
        matches!(
            self,
            Ending::Declined(_) | Ending::Withdrawn | Ending::Lapsed
        )
    }

    /// Returns the winner, or `None` for a draw or a match that was never played.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Resigned(color) => Some(!color),
            Ending::Agreed
            | Ending::Claimed(_)
            | Ending::Declined(_)
            | Ending::Withdrawn
            | Ending::Lapsed => None,
        }
    }

    /// Returns the winner as above, or none for a match that has no result.
    pub fn result(self) -> Option<Option<Color>> {
        (!self.is_void()).then(|| self.winner())
    }

    /// Returns `1-0`, `0-1`, `1/2-1/2`, or `*` for a match that was never played.
    pub fn score(self) -> &'static str {
        match self.winner() {
            _ if self.is_void() => "*",
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Returns the word for programs, as [`Outcome::status`] has those of the rules.
    #[must_use]
    pub fn status(self) -> &'static str {
        match self {
            Ending::Rules(outcome) => outcome.status(),
            Ending::Resigned(_) => "resignation",
            Ending::Agreed => "draw-agreed",
            Ending::Claimed(Claim::Threefold) => "draw-threefold",
            Ending::Claimed(Claim::FiftyMoves) => "draw-50",
            Ending::Declined(_) => "declined",
            Ending::Withdrawn => "withdrawn",
            Ending::Lapsed => "lapsed",
        }
    }

    /// Describes the ending in a sentence without its full stop: "White wins by
    /// checkmate".
    pub fn sentence(self, variant: &Variant) -> String {
        let player = |color| variant.player(color);
        match self {
            Ending::Resigned(color) => {
                format!("{} resigns, {} wins", player(color), player(!color))
            }
            Ending::Declined(color) => {
                format!("{} has declined the invitation", player(color))
            }
            Ending::Withdrawn => "The invitation was withdrawn".to_owned(),
            Ending::Lapsed => "The invitation has lapsed".to_owned(),
            _ => match self.winner() {
                Some(color) => format!("{} wins by {}", player(color), self.reason()),
                None => format!("The game is drawn by {}", self.reason()),
            },
        }
    }

    fn reason(self) -> String {
        match self {
            Ending::Rules(outcome) => outcome.reason.to_string(),
            Ending::Resigned(_) => "resignation".to_owned(),
            Ending::Agreed => "agreement".to_owned(),
            Ending::Claimed(Claim::Threefold) => "claim of the third occurrence".to_owned(),
            Ending::Claimed(Claim::FiftyMoves) => "claim of 50 moves".to_owned(),
            Ending::Declined(_) => "declined".to_owned(),
            Ending::Withdrawn => "withdrawn".to_owned(),
            Ending::Lapsed => "lapsed".to_owned(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.score(), self.reason())
    }
}

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
    /// True if the message answers a mail of ours that the log lacks.
    pub is_of_missing_mail: bool,
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
    /// `mail off`, `mail on`, `mail html off`, `mail html on`, `mail news off`, `puzzles weekly`,
    /// `puzzles off`.
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
            is_of_missing_mail: false,
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
            Request::Mail(wish @ (MailWish::PuzzlesWeekly | MailWish::PuzzlesOff)) => {
                return wish.fmt(f);
            }
            Request::Mail(wish) => return write!(f, "mail {wish}"),
        })
    }
}
