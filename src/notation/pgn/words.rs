//! Words among the moves of a list: what is a move, and results in words.

use crate::notation::results::{self, BESIDE, DRAWING, LOSING, PLAYERS, StatedResult, WINNING};
use crate::rules::Color;
use crate::rules::notation::{MoveText, ParseMoveError};

/// The longest word that may be a move, in bytes: longer than any placement.
const LONGEST: usize = 200;

/// Reads a word as a move. Programs write a pawn's drop without its letter: `@e3`.
///
/// # Errors
///
/// If it is none.
pub(super) fn parsed(word: &str) -> Result<MoveText, ParseMoveError> {
    let word = word.trim_end_matches(',');
    let word = if word.len() > LONGEST { "" } else { word };
    match word.strip_prefix('@') {
        Some(square) => format!("P@{square}").parse(),
        None => word.parse(),
    }
}

/// Returns true if a word is written as a move.
pub(super) fn is_move(word: &str) -> bool {
    parsed(word).is_ok()
}

/// Returns true if a word that is no move may be meant for one: `Nz3`, `O-O-O-O`.
pub(super) fn is_like_move(word: &str) -> bool {
    let has = |is: fn(char) -> bool| word.chars().any(is);
    let is_mixed = has(char::is_alphabetic) && has(|c| c.is_ascii_digit());
    let is_castling = word.starts_with(['O', '0']) && word.contains('-');
    word.chars().count() <= 12 && (is_mixed || is_castling)
}

/// Returns true if a text has a word that is a move, or may be meant for one.
pub(super) fn has_move(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| {
        is_move(word) || is_like_move(word.trim_matches(|c: char| !c.is_alphanumeric()))
    })
}

/// Returns true if a word is a null move, by which a player passes.
pub(super) fn null_move(word: &str) -> bool {
    let word = word
        .trim_end_matches(['!', '?', '+', '#'])
        .to_ascii_lowercase();
    ["--", "z0", "null", "pass", "0000", "@@@@"].contains(&word.as_str())
}

/// Returns true if a word belongs to the move before it, like a mark.
pub(super) fn is_spoken_mark(word: &str) -> bool {
    ["ch", "check", "mate", "checkmate", "ep", "e.p.", "e.p"].contains(&word)
}

/// Reads a result in words at the start of a text, `White resigned`, `draw`. Returns it with the
/// number of its words. Nothing but a comment or another result may stand behind it. `names` tells
/// whether a word is a name of a player.
pub(super) fn result(
    text: &str,
    names: &dyn Fn(Color, &str) -> bool,
    to_move: Color,
) -> Option<(StatedResult, usize)> {
    let (mut player, mut end, mut count) = (None, None, 0);
    for word in text.split_whitespace() {
        if word.starts_with(['{', ';', '(']) || results::result(word).is_some() {
            break;
        }
        let plain = word.trim_end_matches(['.', ',', '!']).to_lowercase();
        let is = |words: &[&str]| words.contains(&plain.as_str());
        let is_player = |color: &Color| {
            PLAYERS[color.index()].contains(&plain.as_str()) || names(*color, &plain)
        };
        if let Some(color) = Color::ALL.into_iter().find(is_player) {
            player = player.or(Some(color));
        } else if is(&LOSING) || is(&WINNING) || is(&DRAWING) {
            end = end.or(Some(plain));
        } else if !is(&BESIDE) {
            return None;
        }
        count += 1;
    }
    let end = end?;
    if DRAWING.contains(&end.as_str()) {
        return Some((StatedResult::Drawn, count));
    }
    let is_loss = LOSING.contains(&end.as_str());
    // A resignation without a name is that of the player to move.
    let player = player.or(is_loss.then_some(to_move));
    let winner = player.map(|player| if is_loss { !player } else { player });
    Some((
        winner.map_or(StatedResult::Untold, StatedResult::Won),
        count,
    ))
}
