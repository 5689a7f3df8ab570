//! The text that a store keeps for a match.

use std::sync::Arc;

use crate::Error;
use crate::limits::STATE_FILE;
use crate::matches::r#match::Match;
use crate::store::state_file::headers::ParseMatchError;
use crate::store::store::Revision;
use crate::store::stored_text::StoredText;

/// Returns the text of a match. Re-parses it, so that a bug cannot corrupt a
/// match.
///
/// # Errors
///
/// If the text is too long to be read, or cannot be read back.
pub fn written(game: &Match) -> Result<String, Error> {
    let text = game.to_string();
    let read = Match::read_back(&text, game).map(|_| ());
    checked(game, read, &text)?;
    Ok(text)
}

/// Returns the text of a match that was changed, as [`written`] does. If it only has more
/// lines in its log than the match that was read as `base`, and the text of that is known, only
/// what is new is made and parsed, and the second value is true.
///
/// # Errors
///
/// As [`written`].
pub fn written_from(game: &Arc<Match>, base: &Revision) -> Result<(StoredText, bool), Error> {
    let stored = base.to_continue.as_ref();
    match stored.and_then(|stored| stored.continued(game)) {
        Some(Ok(text)) => checked(game, Ok(()), &text.text).map(|()| (text, true)),
        Some(Err(error)) => Err(unreadable(game, &error)),
        None => {
            let text = StoredText::of(game);
            let read = Match::read_back(&text.text, game).map(|_| ());
            checked(game, read, &text.text).map(|()| (text, false))
        }
    }
}

/// Refuses a text that could not be read.
fn checked(game: &Match, read: Result<(), ParseMatchError>, text: &str) -> Result<(), Error> {
    if text.len() as u64 > STATE_FILE {
        return Err(Error::refused(format!(
            "{}: its file would be longer than {} MiB, which is more than is read; it stays as it was",
            game.id(),
            STATE_FILE >> 20
        )));
    }
    read.map_err(|error| unreadable(game, &error))
}

fn unreadable(game: &Match, error: &ParseMatchError) -> Error {
    Error::refused(format!(
        "{}: this could not be read back and is not written; please report it: line {error}",
        game.id()
    ))
}
