//! What an answer shows of why a letter has changed nothing: the values of its
//! template.

use serde::Serialize;

use crate::inbound::intent::Refusal;
use crate::matches::player::Player;
use crate::rules::{Color, Ply, Position, Role};

/// The most characters of a line that are shown in an answer.
const LONGEST_LINE: usize = 200;

#[derive(Serialize)]
pub(super) struct Refused<'a> {
    /// The lines that were read.
    lines: Vec<String>,
    /// Why, in a sentence.
    why: &'a str,
    /// The name of the piece that was to move; may be empty.
    piece: &'static str,
    /// Its legal moves.
    moves: Vec<String>,
}

impl<'a> Refused<'a> {
    /// The legal moves are of use only to who is to move.
    pub(super) fn new(refusal: &'a Refusal, position: &Position, is_turn: bool) -> Refused<'a> {
        let role = refusal.role.filter(|_| is_turn);
        Refused {
            lines: refusal.lines.iter().map(|line| shown(line)).collect(),
            why: &refusal.why,
            piece: role.map_or("", Role::name),
            moves: role
                .map(|role| moves_of(position, role))
                .unwrap_or_default(),
        }
    }

    /// The same on one line, for the person who runs the program.
    pub(super) fn reason(&self) -> String {
        let named = |line: &&String| !self.why.starts_with(&format!("'{line}' "));
        let read = self.lines.iter().filter(named);
        read.map(|line| format!("'{line}': ")).collect::<String>() + self.why
    }
}

#[derive(Serialize)]
pub(super) struct Choice {
    /// The line that was read.
    line: String,
    /// The number of the next move as it is written.
    number: String,
    /// The moves it can mean.
    forms: Vec<String>,
}

impl Choice {
    pub(super) fn new(line: &str, position: &Position, forms: Vec<String>) -> Choice {
        Choice {
            line: shown(line),
            number: number(position),
            forms,
        }
    }

    /// The same on one line, for the person who runs the program.
    pub(super) fn reason(&self, why: &str) -> String {
        format!("'{}': {why}: {}", self.line, self.forms.join(", "))
    }
}

#[derive(Serialize)]
pub(super) struct OutOfTurn {
    /// The line that was read.
    line: String,
    /// The name of the player to move.
    opponent: String,
}

impl OutOfTurn {
    pub(super) fn new(line: &str, opponent: &Player) -> OutOfTurn {
        OutOfTurn {
            line: shown(line),
            opponent: opponent.name().to_owned(),
        }
    }
}

/// A line of a letter as it is shown.
pub(super) fn shown(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// `3.` or `3...`.
pub(super) fn number(position: &Position) -> String {
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.number())
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
