//! The data of a page, for its script: positions with their moves and notes, and the moves to
//! answer with.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::notation::diagram::Diagram;
use crate::notation::move_list::clear_text;
use crate::render::escape::is_legal;
use crate::render::svg::{self, SquareUse};
use crate::render::view::{Answering, Details, ShownNote, View};
use crate::render::{in_words, json};
use crate::rules::{Color, Mark, Ply, Position, Record, Role, Side, Square};

/// The data of a page.
#[derive(Serialize)]
pub(super) struct Data<'v> {
    width: u8,
    #[serde(rename = "isShogi")]
    is_shogi: bool,
    #[serde(rename = "isFlipped")]
    is_flipped: bool,
    /// The two players in the words of the game.
    sides: [&'static str; 2],
    /// Their names, which may be empty.
    players: &'v [String; 2],
    /// The names of the pieces by their letters in capitals.
    roles: BTreeMap<String, &'static str>,
    /// The letters of the reserve in the order in which it is shown.
    slots: Vec<String>,
    /// The first position and the one after each half-move, or a diagram alone.
    positions: Vec<Shown>,
    /// The end of the match in a sentence; none if it goes on.
    ending: Option<String>,
    /// The score of each player; none if the match goes on.
    scores: Option<[char; 2]>,
    /// The moves to answer with.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<MoveChoices<'v>>,
}

/// A position.
#[derive(Default, Serialize)]
struct Shown {
    /// The FEN; of a diagram alone its board and its reserves.
    fen: String,
    /// The pieces in words.
    words: String,
    /// The half-move that led here, with its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The squares that this half-move used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<(String, SquareUse)>,
    /// The square of a king that is aimed at, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    king: Option<(String, &'static str)>,
    /// The notes written here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Words>,
}

/// A note and its writer.
#[derive(Serialize)]
struct Words {
    by: String,
    text: String,
}

impl<'v> Data<'v> {
    pub(super) fn of(view: &'v View<'_>, is_flipped: bool, is_shogi: bool) -> Data<'v> {
        let variant = view.diagram.variant();
        let rules = variant.rules();
        let letter = |role: Role| role.of(Color::White).to_string();
        let kinds = rules.kinds.iter().map(|kind| kind.role);
        let outcome = view.record.and_then(Record::outcome);
        let by_rules = outcome.map(|outcome| match outcome.winner {
            Some(winner) => format!("{} wins by {}.", variant.player(winner), outcome.reason),
            None => format!("The game is drawn: {}.", outcome.reason),
        });
        let answering = view.record.zip(view.details.answering.as_ref());
        Data {
            width: rules.width,
            is_shogi,
            is_flipped,
            sides: Color::ALL.map(|color| variant.player(color)),
            players: &view.details.players,
            roles: kinds.map(|role| (letter(role), role.name())).collect(),
            slots: rules.slots().map(|(role, _)| letter(role)).collect(),
            positions: match view.record {
                Some(record) => positions(record, &view.details),
                None => vec![Shown::drawn(&view.diagram)],
            },
            ending: view.details.ending.clone().or(by_rules),
            scores: view
                .score
                .map(|score| Color::ALL.map(|color| score.points(color))),
            answer: answering.map(|(record, by)| MoveChoices::new(record.position(), by)),
        }
    }
}

/// Shows every position of a record, with the notes written there.
fn positions(record: &Record, details: &Details) -> Vec<Shown> {
    let mut before = record.start();
    let mut positions = vec![Shown::of(before, before.mark())];
    for (plies, step) in record.steps().iter().enumerate() {
        let after = record.at(plies + 1).unwrap_or(record.position());
        let mut shown = Shown::of(after, step.mark);
        shown.text = Some(step.to_string());
        for (square, used) in svg::used(before, &step.ply, after) {
            shown.squares.push((square.to_string(), used));
        }
        positions.push(shown);
        before = after;
    }
    for note in &details.notes {
        if let Some(shown) = positions.get_mut(note.plies) {
            shown.notes.push(Words::of(note, record, details));
        }
    }
    positions
}

impl Words {
    /// Names the writer, and leaves out characters that would steer a reader's screen.
    fn of(note: &ShownNote, record: &Record, details: &Details) -> Words {
        let by = match note.by {
            None => "Referee",
            Some(color) => match details.players[color.index()].as_str() {
                "" => record.position().variant().player(color),
                name => name,
            },
        };
        let is_shown = |c: &char| is_legal(*c);
        Words {
            by: by.to_owned(),
            text: note.text.trim().chars().filter(is_shown).collect(),
        }
    }
}

/// Describes a diagram in words. No line of a page can be taken for a move, so that blanks
/// need not keep them together.
pub(super) fn words(diagram: &Diagram) -> String {
    let words = in_words::pieces(diagram.variant(), diagram.board(), diagram.reserves());
    words.replace('\u{a0}', " ")
}

impl Shown {
    /// Shows a diagram that belongs to no match.
    fn drawn(diagram: &Diagram) -> Shown {
        let mut fen = diagram.board().fen();
        if let Some(reserves) = diagram.reserves() {
            let rules = diagram.variant().rules();
            let [first, second] =
                Color::ALL.map(|color| json::held(rules, reserves[color.index()], color));
            fen = format!("{fen}[{first}{second}]");
        }
        Shown {
            fen,
            words: words(diagram),
            ..Shown::default()
        }
    }

    /// Shows a position, which the turn before it gave this mark.
    fn of(position: &Position, mark: Mark) -> Shown {
        let how = match mark {
            Mark::None => None,
            Mark::Virtual => Some("virtual"),
            _ => Some("check"),
        };
        let king = position.king(position.turn()).zip(how);
        Shown {
            fen: position.fen(),
            words: words(&Diagram::of(position)),
            king: king.map(|(square, how)| (square.to_string(), how)),
            ..Shown::default()
        }
    }
}

/// The legal moves of a position, for a page on which a player picks one.
///
/// A move has paths: the places that a player points to, one behind the other. A place is
/// a square, or a piece in reserve, `@P`.
#[derive(Serialize)]
struct MoveChoices<'a> {
    by: &'a Answering,
    /// True if a turn may place several pieces, whose drops are among the moves.
    placement: bool,
    /// The letters of the pieces in the order in which a placement is written.
    order: [String; Role::COUNT],
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
    /// The move in words.
    words: String,
    paths: Vec<Vec<String>>,
    /// The difference from the other moves of the same path.
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

impl<'a> MoveChoices<'a> {
    /// Collects the legal moves of a position. Takes time linear in their number.
    fn new(position: &Position, by: &'a Answering) -> MoveChoices<'a> {
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
            described(position, ply, is_alone, at >= legal)
        });
        let order = Role::ALL.map(|role| role.of(position.turn()).to_string());
        MoveChoices {
            by,
            placement: position.variant().rules().placement,
            order,
            moves: moves.collect(),
        }
    }
}

/// Describes a move. `is_alone` is false if another one has the same path.
fn described(position: &Position, ply: &Ply, is_alone: bool, is_partial: bool) -> Move {
    let text = position.text(ply);
    let other = |other: String| Some(other).filter(|other| *other != text);
    let held = |role: &Role| format!("@{}", role.of(position.turn()));
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
                None => (!is_alone).then(|| format!("stays a {}", name(*from))),
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
            vec![vec![held(role), to.to_string()]],
        ),
        Ply::Relocation { role, to, pawn } => (
            format!("{role} placed on {to}, the pawn there goes to {pawn}"),
            vec![vec![held(role), to.to_string(), pawn.to_string()]],
        ),
        Ply::Placement(_) => (text.clone(), Vec::new()),
    };
    let mut sent = None;
    // A drop that is no turn by itself has no text that is read by itself.
    if !is_partial {
        sent = clear_text(position, ply).and_then(other);
    }
    Move {
        sent,
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
    let has_left =
        |square: &Square| position.get(*square) == Some(rook) && after.get(*square) != Some(rook);
    let left = Square::all(position.variant().rules().width).find(has_left);
    let goals = after.king(turn).into_iter().chain(left);
    let path = |goal: Square| vec![king.to_string(), goal.to_string()];
    goals.map(path).collect()
}
