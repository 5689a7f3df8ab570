//! A match of chess in PGN, for other programs: the seven standard tags, and the moves in SAN.

use std::fmt::Write as _;

use crate::printable::one_line;
use crate::render::view::{Score, View};
use crate::rules::{Color, Record};

/// The columns of the moves.
const WIDTH: usize = 79;

/// Writes a match of chess.
pub(super) fn write(view: &View<'_>, record: &Record) -> String {
    let details = &view.details;
    let result = match view.score {
        Some(Score::Won(Color::White)) => "1-0",
        Some(Score::Won(Color::Black)) => "0-1",
        Some(Score::Drawn) => "1/2-1/2",
        None => "*",
    };
    let [white, black] = &details.players;
    let mut text = String::new();
    for (tag, value) in [
        ("Event", details.event.as_str()),
        ("Site", ""),
        ("Date", "????.??.??"),
        ("Round", ""),
        ("White", white),
        ("Black", black),
        ("Result", result),
    ] {
        let value = if value.is_empty() { "?" } else { value };
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    let start = record.start();
    if start.fen() != start.variant().start().fen() {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", start.fen());
    }
    let mut words = Vec::new();
    let mut number = start.number();
    for (ply, step) in record.steps().iter().enumerate() {
        let Some(position) = record.at(ply) else {
            break;
        };
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if ply == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        // Chess has no move without such a form.
        words.push(position.san(&step.ply).unwrap_or_else(|| step.to_string()));
        if position.turn() == Color::Black {
            number += 1;
        }
    }
    words.push(result.to_owned());
    let moves = textwrap::fill(
        &words.join(" "),
        textwrap::Options::new(WIDTH).word_splitter(textwrap::WordSplitter::NoHyphenation),
    );
    text + "\n" + &moves + "\n"
}
