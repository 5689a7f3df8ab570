//! `parapost show`: a position of a match, in the form asked for.

use std::fs;

use serde::Serialize;

use super::source::{self, One};
use super::{Context, Status};
use crate::Error;
use crate::args::{self, Form};
use crate::rules::{Color, Outcome, Piece, Position, Record, Square};
use crate::text::{Diagram, MoveList};

pub(super) fn run(args: &args::Show, context: &mut Context<'_>) -> Result<Status, Error> {
    let shown = match source::one(&args.source, &args.choice, context)? {
        One::Record(record) => show(&at(&record, args.at)?, args.form)?,
        One::Drawn(diagram) if args.form == Form::Diagram && args.at.is_none() => {
            diagram.to_string()
        }
        One::Drawn(_) => {
            return Err(Error::refused(
                "a diagram alone does not tell who is to move: the list of moves is needed too",
            ));
        }
    };
    match &args.output {
        Some(path) => fs::write(path, shown).map_err(|error| Error::file(path, &error))?,
        None => context.print(shown)?,
    }
    Ok(Status::Done)
}

/// The match as it stood after so many half-moves.
fn at(record: &Record, plies: Option<usize>) -> Result<Record, Error> {
    let played = record.steps().len();
    let plies = plies.unwrap_or(played);
    if plies > played {
        return Err(Error::refused(format!(
            "only {played} half-moves have been made, not {plies}"
        )));
    }
    Ok(record.until(plies))
}

fn show(record: &Record, form: Form) -> Result<String, Error> {
    let position = record.position();
    Ok(match form {
        Form::Diagram => Diagram::of(position).to_string(),
        Form::Post => post(record),
        Form::Fen => format!("{}\n", position.fen()),
        Form::Json => {
            let shown = Shown::of(record);
            format!(
                "{}\n",
                serde_json::to_string(&shown).map_err(Error::refused)?
            )
        }
    })
}

/// Diagram, list and who is to move, as the body of a message.
fn post(record: &Record) -> String {
    let position = record.position();
    let mut text = format!("{}\n", Diagram::of(position));
    let list = MoveList::of(record).to_string();
    if !list.is_empty() {
        text.push_str(&list);
        text.push('\n');
    }
    let variant = position.variant();
    let standing = match record.outcome() {
        Some(Outcome {
            winner: Some(winner),
            reason,
        }) => {
            format!("{} has won by {reason}.\n", variant.player(winner))
        }
        Some(Outcome {
            winner: None,
            reason,
        }) => format!("The game is drawn: {reason}.\n"),
        None => format!("{} to move.\n", variant.player(position.turn())),
    };
    text + &standing
}

/// A position as programs read it.
#[derive(Serialize)]
struct Shown {
    game: &'static str,
    options: Vec<&'static str>,
    /// How many half-moves have been made.
    ply: usize,
    turn: &'static str,
    status: &'static str,
    /// The rows from the top; `-` is an empty square, `+` stands before a
    /// promoted piece.
    board: Vec<String>,
    reserves: Reserves,
    moves: Vec<String>,
    fen: String,
    diagram: String,
}

/// The pieces in reserve, in the order of the diagram's slots.
#[derive(Serialize)]
struct Reserves {
    white: String,
    black: String,
}

impl Shown {
    fn of(record: &Record) -> Shown {
        let position = record.position();
        let variant = position.variant();
        let width = variant.rules().width;
        let square = |file, rank| {
            let piece = position.get(Square::new(file, rank));
            piece.map_or_else(|| "-".to_owned(), |piece| piece.to_string())
        };
        let row = |rank| (0..width).map(|file| square(file, rank)).collect();
        Shown {
            game: variant.game().id,
            options: variant.options().to_vec(),
            ply: record.steps().len(),
            turn: match position.turn() {
                Color::White => "white",
                Color::Black => "black",
            },
            status: record.status(),
            board: (0..width).rev().map(row).collect(),
            reserves: Reserves {
                white: held(position, Color::White),
                black: held(position, Color::Black),
            },
            moves: record.steps().iter().map(ToString::to_string).collect(),
            fen: position.fen(),
            diagram: Diagram::of(position).to_string(),
        }
    }
}

fn held(position: &Position, color: Color) -> String {
    let reserve = position.reserve(color);
    let slots = position.variant().rules().slots();
    slots
        .flat_map(|(role, _)| {
            let letter = Piece { color, role }.letter();
            std::iter::repeat_n(letter, usize::from(reserve.count(role)))
        })
        .collect()
}
