//! What an answer explains: the values of its template.

use serde::Serialize;

use crate::matches::intent::Refusal;
use crate::notation::move_number;
use crate::rules::{Ply, Position, Role};

/// The most characters of a line that are shown in an answer.
const LONGEST_LINE: usize = 200;

/// What an answer explains. [`Explanation::template`] names its template, and
/// it serializes to the values of that template.
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
    /// The match is over.
    Over,
    /// The commands there are.
    Help,
    /// The sender has several matches.
    WhichGame(WhichGame),
}

impl Explanation {
    /// The name of its template.
    #[must_use]
    pub const fn template(&self) -> &'static str {
        match self {
            Explanation::Refused(_) => "refused",
            Explanation::Ambiguous(_) => "ambiguous",
            Explanation::Confirm(_) => "confirm",
            Explanation::NotYourTurn(_) => "not-your-turn",
            Explanation::Over => "over",
            Explanation::Help => "help",
            Explanation::WhichGame(_) => "which-game",
        }
    }
}

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refused {
    /// The lines that were read.
    lines: Vec<String>,
    /// Why, in a sentence.
    why: String,
    /// The name of the piece that was to move; may be empty.
    piece: &'static str,
    /// Its legal moves.
    moves: Vec<String>,
}

impl Refused {
    /// The legal moves are only of use to the player to move.
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

    /// The same on one line, for the person who runs the program.
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

/// The moves that a line can mean.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The line that was read.
    line: String,
    /// The number of the next move as it is written.
    number: String,
    /// The moves it can mean.
    forms: Vec<String>,
}

impl Choice {
    pub(super) fn new(line: &str, position: &Position, forms: &[String]) -> Choice {
        Choice {
            line: shown(line),
            number: move_number::of_position(position),
            forms: forms.to_vec(),
        }
    }

    /// The same on one line, for the person who runs the program.
    pub(super) fn reason(&self, why: &str) -> String {
        format!("'{}': {why}: {}", self.line, self.forms.join(", "))
    }
}

/// A move when it is the other player's turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutOfTurn {
    /// The line that was read.
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

/// The matches that a message may be about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WhichGame {
    /// Why it is asked, in a sentence.
    pub(super) text: String,
    /// The id of one of them.
    pub(super) id: String,
    /// The player's matches, a line each.
    pub(super) games: Vec<String>,
}

/// A line of a message as it is shown.
pub(super) fn shown(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// The legal moves of the pieces of a kind, promoted ones included.
fn moves_of(position: &Position, role: Role) -> Vec<String> {
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
