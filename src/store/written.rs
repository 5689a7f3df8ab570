//! The text that a store keeps for a match.

use crate::Error;
use crate::limits::STATE_FILE;
use crate::matches::r#match::Match;

/// Returns the text of a match. Re-parses it, so that a bug cannot corrupt a
/// match.
///
/// # Errors
///
/// If the text is too long to be read, or cannot be read back.
pub fn written(game: &Match) -> Result<String, Error> {
    let text = game.to_string();
    if text.len() as u64 > STATE_FILE {
        return Err(Error::refused(format!(
            "{}: its file would be longer than {} MiB, which is more than is read; it stays as it was",
            game.id(),
            STATE_FILE >> 20
        )));
    }
    match Match::read_back(&text, game) {
        Ok(_) => Ok(text),
        Err(error) => Err(Error::refused(format!(
            "{}: this could not be read back and is not written; please report it: line {error}",
            game.id()
        ))),
    }
}
