//! The values that the templates of answers use.

use serde::Serialize;

use crate::matches::intent::Refusal;
use crate::notation::move_list;
use crate::rules::{Ply, Position, Role};

/// The maximum number of characters of a line that an answer shows.
const LONGEST_LINE: usize = 200;

/// The content of an answer. [`Explanation::template`] names its template, and
/// the explanation serializes to that template's values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Explanation {
    /// Something cannot be done.
    Refused(Refused),
    /// A move can be read in several ways.
    Ambiguous(Choice),
    /// A move stands in prose.
    Confirm(Choice),
    /// It is the other player's move.
    NotYourTurn(OutOfTurn),
    /// The message has no move, though it is its sender's turn.
    NoMove(NoMove),
    /// The match is over.
    Over,
    /// The list of commands.
    Help,
    /// The sender has several matches.
    WhichMatch(WhichMatch),
    /// Mail to the other player was refused for good.
    Undelivered(Undelivered),
    /// The other player has asked for no more mail.
    Unsubscribed(Unsubscribed),
    /// A message from an unknown address has an answer code.
    UnknownAddress(UnknownAddress),
}

impl Explanation {
    /// Returns the name of the template.
    #[must_use]
    pub const fn template(&self) -> &'static str {
        match self {
            Explanation::Refused(_) => "refused",
            Explanation::Ambiguous(_) => "ambiguous",
            Explanation::Confirm(_) => "confirm",
            Explanation::NotYourTurn(_) => "not-your-turn",
            Explanation::NoMove(_) => "no-move",
            Explanation::Over => "over",
            Explanation::Help => "help",
            Explanation::WhichMatch(_) => "which-game",
            Explanation::Undelivered(_) => "undelivered",
            Explanation::Unsubscribed(_) => "unsubscribed",
            Explanation::UnknownAddress(_) => "unknown-address",
        }
    }
}

/// Why a request is not carried out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refused {
    /// The lines the program read as the request.
    lines: Vec<String>,
    /// The reason, in a sentence.
    why: String,
    /// The name of the piece that was meant to move; may be empty.
    piece: &'static str,
    /// The legal moves of that piece.
    moves: Vec<String>,
}

impl Refused {
    /// Lists legal moves only for the player to move; nobody else can use them.
    pub(super) fn new(refusal: &Refusal, position: &Position, is_turn: bool) -> Refused {
        let role = refusal.role.filter(|_| is_turn);
        Refused {
            lines: refusal.lines.iter().map(|line| shown(line)).collect(),
            why: refusal.why.clone(),
            piece: role.map_or("", Role::name),
            moves: role
                .map(|role| moves_of(position, role))
                .unwrap_or_default(),
        }
    }

    /// Returns the refusal on one line, for the person who runs the program.
    pub(super) fn reason(&self) -> String {
        let mut reason = String::new();
        for line in &self.lines {
            if !self.why.starts_with(&format!("'{line}' ")) {
                reason = format!("{reason}'{line}': ");
            }
        }
        reason + &self.why
    }
}

/// The possible meanings of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The line.
    line: String,
    /// The number of the next move, as a list writes it.
    number: String,
    /// The possible moves.
    forms: Vec<String>,
}

impl Choice {
    pub(super) fn new(line: &str, position: &Position, forms: &[String]) -> Choice {
        Choice {
            line: shown(line),
            number: move_list::number_of_position(position),
            forms: forms.to_vec(),
        }
    }

    /// Returns the choice on one line, for the person who runs the program.
    pub(super) fn reason(&self, why: &str) -> String {
        format!("'{}': {why}: {}", self.line, self.forms.join(", "))
    }
}

/// A move sent while it is the other player's turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutOfTurn {
    /// The line with the move.
    line: String,
    /// The name of the player to move.
    opponent: String,
}

impl OutOfTurn {
    pub(super) fn new(line: &str, opponent: &str) -> OutOfTurn {
        OutOfTurn {
            line: shown(line),
            opponent: opponent.to_owned(),
        }
    }
}

/// A message without a move, sent when it was its sender's turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NoMove {
    /// The name of the other player, who gets the words.
    opponent: String,
}

impl NoMove {
    pub(super) fn new(opponent: &str) -> NoMove {
        NoMove {
            opponent: opponent.to_owned(),
        }
    }
}

/// The matches that a message may be about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WhichMatch {
    /// The reason for the question, in a sentence.
    pub(super) text: String,
    /// The id of one of the matches, as an example.
    pub(super) id: String,
    /// The player's matches, one per line.
    pub(super) games: Vec<String>,
}

/// Why a player gets no mail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Undelivered {
    /// The name of the player who gets none.
    pub(super) opponent: String,
}

/// A player who gets no mail because the player has asked for none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unsubscribed {
    /// The name of that player.
    opponent: String,
}

impl Unsubscribed {
    pub(super) fn new(opponent: &str) -> Unsubscribed {
        Unsubscribed {
            opponent: opponent.to_owned(),
        }
    }
}

/// A message from an unknown address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnknownAddress {
    /// The address.
    pub(super) address: String,
    /// The move of the message, in canonical form; empty if it has none.
    pub(super) played: String,
}

/// Shortens a line of a message for an answer.
pub(super) fn shown(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Lists the legal moves of all pieces of one kind, including promoted ones.
pub(crate) fn moves_of(position: &Position, role: Role) -> Vec<String> {
    let is_of = |ply: &Ply| match ply {
        Ply::Move { from, .. } => position.get(*from).map(|piece| piece.role.base()) == Some(role),
        Ply::Drop { role: dropped, .. } | Ply::Relocation { role: dropped, .. } => *dropped == role,
        Ply::Castle(_) => role == Role::King,
        Ply::Placement(_) => false,
    };
    let mut moves: Vec<String> = position
        .single_plies()
        .iter()
        .filter(|ply| is_of(ply))
        .map(|ply| position.text(ply))
        .collect();
    moves.sort_unstable();
    moves
}
