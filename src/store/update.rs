//! Changes to a match that others may change at the same time.

use std::sync::Arc;

use crate::Error;
use crate::matches::r#match::Match;
use crate::store::store::{Change, Revision, Store, Stored};

/// The maximum number of tries. The folder store needs at most two, since it
/// keeps the lock after a conflict.
const TRIES: usize = 50;

/// Changes a match that was read, and saves it if its log has grown. If others
/// were faster, calls `change` again with the present match. Returns the last
/// result of `change`, and the match.
///
/// # Errors
///
/// Those of `change`, and an error if the match cannot be saved. The error is
/// transient if others keep changing the match, or if it is unknown whether it
/// was saved.
pub fn update<T>(
    store: &dyn Store,
    from: Stored,
    change: impl FnMut(&mut Match) -> Result<T, Error>,
) -> Result<(T, Stored), Error> {
    update_by(from, change, |game, base| store.change(game, base))
}

/// As [`update`], with a way to save that is the caller's.
///
/// # Errors
///
/// As [`update`].
pub fn update_by<T>(
    mut from: Stored,
    mut change: impl FnMut(&mut Match) -> Result<T, Error>,
    mut save: impl FnMut(&Arc<Match>, &Revision) -> Result<Change, Error>,
) -> Result<(T, Stored), Error> {
    for _ in 0..TRIES {
        let mut game = Match::clone(&from.game);
        let result = change(&mut game)?;
        if game.log().len() == from.game.log().len() {
            return Ok((result, from.released()));
        }
        let game = Arc::new(game);
        match save(&game, &from.revision)? {
            Change::Done(revision) => return Ok((result, Stored { game, revision })),
            Change::Conflict(now) => from = now,
            Change::Unknown(why) => {
                return Err(Error::later(format!(
                    "{why}\n{}: whether this is saved is not known; try again later",
                    game.id()
                )));
            }
        }
    }
    Err(Error::later(format!(
        "{}: others keep changing this match; try again later",
        from.game.id()
    )))
}
