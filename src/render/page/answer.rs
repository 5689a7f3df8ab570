//! The legal moves of a position as data, for a page on which a player picks one.
//!
//! A move has paths: the places that a player points to, one behind the other. A place is
//! a square, or a piece in reserve, `@P`.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::notation::move_list::clear_text;
use crate::rules::{Ply, Position, Role, Side, Square};

/// How the player to move can answer.
#[derive(Clone, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Answering {
    /// By a mail, as the links of our mails write it.
    Mail {
        /// The encoded address that it goes to.
        to: String,
        /// What stands before the move in the subject.
        subject: String,
        /// The lines of the body below the move.
        lines: Vec<String>,
    },
    /// By the player's own program.
    Command {
        /// What stands before the move.
        before: String,
        /// What stands behind it.
        behind: String,
    },
}

/// What there is to answer with.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    by: &'a Answering,
    /// True if a turn may place several pieces, whose drops are among the moves.
    placement: bool,
    /// The letters of the pieces in the order in which a placement is written.
    order: Vec<String>,
    moves: Vec<Move>,
}

/// A legal move.
#[derive(Serialize)]
struct Move {
    /// The canonical text.
    text: String,
    /// The text that is sent, where it is another one: it comes through what programs do.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<String>,
    /// The text with the square of origin, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    long: Option<String>,
    /// What it does.
    words: String,
    paths: Vec<Vec<String>>,
    /// What tells it from the other moves of the same path.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<String>,
    /// True for a drop that is no legal turn by itself.
    #[serde(skip_serializing_if = "is_false")]
    partial: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

impl<'a> Answer<'a> {
    /// Collects the legal moves of a position. Takes time linear in their number.
    pub(super) fn new(position: &Position, by: &'a Answering) -> Answer<'a> {
        let mut plies = position.single_plies();
        let legal = plies.len();
        let mut others = position.placement_drops();
        let single: HashSet<Ply> = plies.iter().copied().collect();
        others.retain(|drop| !single.contains(drop));
        plies.extend(others);
        let mut ways: HashMap<(Square, Square), usize> = HashMap::new();
        for ply in &plies {
            if let Ply::Move { from, to, .. } = ply {
                *ways.entry((*from, *to)).or_default() += 1;
            }
        }
        let moves = plies.iter().enumerate().map(|(at, ply)| {
            let is_alone = match ply {
                Ply::Move { from, to, .. } => ways.get(&(*from, *to)) == Some(&1),
                _ => true,
            };
            let is_partial = at >= legal;
            described(position, ply, is_alone, is_partial)
        });
        let order = Role::ALL.iter().map(|role| {
            let piece = role.of(position.turn());
            piece.to_string()
        });
        Answer {
            by,
            placement: position.variant().rules().placement,
            order: order.collect(),
            moves: moves.collect(),
        }
    }
}

/// Describes a move. `is_alone` is false if another one has the same path.
fn described(position: &Position, ply: &Ply, is_alone: bool, is_partial: bool) -> Move {
    let text = position.text(ply);
    let other = |other: String| Some(other).filter(|other| *other != text);
    let piece = |role: Role| role.of(position.turn());
    let held = |role: Role| format!("@{}", piece(role));
    let name = |square: Square| {
        let piece = position.get(square);
        piece.map_or("piece", |piece| piece.role.name())
    };
    let mut choice = None;
    let (words, paths) = match ply {
        Ply::Move {
            from,
            to,
            promotion,
        } => {
            let mut words = if position.get(*to).is_some() {
                format!("{} on {from} takes {} on {to}", name(*from), name(*to))
            } else if text.ends_with("ep") {
                format!("{} on {from} takes on {to} in passing", name(*from))
            } else {
                format!("{} on {from} to {to}", name(*from))
            };
            let becomes = match promotion {
                Some(role) => Some(format!("becomes a {role}")),
                None if !is_alone => Some(format!("stays a {}", name(*from))),
                None => None,
            };
            if let Some(becomes) = becomes {
                words = format!("{words}, {becomes}");
                choice = Some(becomes).filter(|_| !is_alone);
            }
            (words, vec![vec![from.to_string(), to.to_string()]])
        }
        Ply::Castle(side) => {
            let words = match side {
                Side::King => "castling on the king's side",
                Side::Queen => "castling on the queen's side",
            };
            (words.to_owned(), castling(position, ply))
        }
        Ply::Drop { role, to } => (
            format!("{role} placed on {to}"),
            vec![vec![held(*role), to.to_string()]],
        ),
        Ply::Relocation { role, to, pawn } => (
            format!("{role} placed on {to}, the pawn there goes to {pawn}"),
            vec![vec![held(*role), to.to_string(), pawn.to_string()]],
        ),
        Ply::Placement(_) => (text.clone(), Vec::new()),
    };
    Move {
        // A drop that is no turn by itself has no text that is read by itself.
        sent: (!is_partial)
            .then(|| clear_text(position, ply))
            .flatten()
            .and_then(other),
        long: other(position.long_text(ply)),
        words,
        paths,
        choice,
        partial: is_partial,
        text,
    }
}

/// Returns the two ways to point to a castling: the king to the square where it comes to
/// stand, and the king to the rook.
fn castling(position: &Position, ply: &Ply) -> Vec<Vec<String>> {
    let turn = position.turn();
    let (Some(king), Ok(after)) = (position.king(turn), position.play(ply)) else {
        return Vec::new();
    };
    let rook = Role::Rook.of(turn);
    let squares = Square::all(position.variant().rules().width);
    let mut left = squares
        .filter(|square| position.get(*square) == Some(rook) && after.get(*square) != Some(rook));
    let goals = [after.king(turn), left.next()].into_iter().flatten();
    goals
        .map(|goal| vec![king.to_string(), goal.to_string()])
        .collect()
}
