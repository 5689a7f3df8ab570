//! Moves that are spelled out: `Pawn to e3`, `N d4`, `I put a Knight on d4 please.`
//! Without a sign they could be a drop or a move, so the sender is asked.

use crate::inbound::intent::reply::Reply;
use crate::inbound::request;
use crate::quoting::line::{Author, Line};
use crate::rules::notation::{ReadError, Voice};
use crate::rules::{Color, Piece, Position, Role, Square};

/// The most spelled moves that are examined.
const MOST: usize = 20;

/// The most words of a line in which a letter alone may be a piece.
const SHORT: usize = 4;

/// The legal moves that the sender's own lines spell out, with the first line that has
/// one.
pub(super) fn moves(reply: &Reply<'_>) -> Option<(String, Vec<String>)> {
    let own = reply.text.lines.iter().filter(|line| {
        line.author == Author::Own && !line.is_blank() && request::noted(line.text).is_none()
    });
    let spelled = own.flat_map(|line| spelled(line).into_iter().map(move |it| (line, it)));
    let mut first = None;
    let mut moves: Vec<String> = Vec::new();
    for (line, (role, square)) in spelled.take(MOST) {
        for text in meant(reply.position(), role, square) {
            first.get_or_insert(line);
            if !moves.contains(&text) {
                moves.push(text);
            }
        }
    }
    first.map(|line| (line.text.trim().to_owned(), moves))
}

/// The legal moves that a piece and a square can mean: a drop, and moves on the board.
fn meant(position: &Position, role: Role, square: Square) -> Vec<String> {
    let piece = Piece {
        color: Color::White,
        role,
    };
    let letter = piece.letter();
    let mut forms = Vec::new();
    for sign in ['>', '-'] {
        match position.read_with(&format!("{letter}{sign}{square}"), Voice::Lone) {
            Ok(reading) => forms.push(position.text(&reading.ply)),
            Err(ReadError::Ambiguous(several) | ReadError::Promotion(several)) => {
                forms.extend(several);
            }
            Err(_) => {}
        }
    }
    forms
}

/// The pieces with squares that a line spells out.
fn spelled(line: &Line<'_>) -> Vec<(Role, Square)> {
    let text = line.plain();
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let is_short = words.len() <= SHORT;
    let acts = words.iter().any(|word| is_verb(word));
    let role = |word: &str| named(word).or_else(|| letter(word).filter(|_| is_short));
    let at = |i: usize| {
        let role = role(words[i])?;
        let (next, behind) = (words.get(i + 1)?, words.get(i + 2));
        let square = match next.to_lowercase().as_str() {
            "to" => behind?,
            // "Your knight on d4" tells where a piece stands.
            "on" | "at" | "onto" | "in" if acts => behind?,
            _ => next,
        };
        Some((role, square.parse().ok()?))
    };
    (0..words.len()).filter_map(at).collect()
}

/// The piece that a word names.
fn named(word: &str) -> Option<Role> {
    let mut roles = Role::ALL.into_iter().filter(|role| !role.is_promoted());
    roles.find(|role| role.name().eq_ignore_ascii_case(word))
}

/// The piece of a letter.
fn letter(word: &str) -> Option<Role> {
    let mut chars = word.chars();
    let role = Role::from_letter(chars.next()?)?;
    chars.next().is_none().then_some(role)
}

/// Returns true if a word says that a piece is set down.
fn is_verb(word: &str) -> bool {
    let word = word.to_lowercase();
    ["drop", "put", "plac", "set", "play", "mov"]
        .iter()
        .any(|verb| word.starts_with(verb))
}
