//! Changing a match that others may change at the same time.

use std::sync::Arc;

use crate::Error;
use crate::matches::r#match::Match;
use crate::store::store::{Change, Store, Stored};

/// How often a change is tried. The folder of files needs two tries at most: it
/// keeps the lock after a conflict.
const TRIES: usize = 50;

/// Changes a match that was read, and saves it if that has added to its log.
/// Where others were faster, `change` is called again for the match as it
/// stands now. What it returned the last time, and the match, are returned.
///
/// # Errors
///
/// Those of `change`, and if the match cannot be saved. A transient one if
/// others change it all the time, or whether it was saved is not known.
pub fn update<T>(
    store: &dyn Store,
    mut from: Stored,
    mut change: impl FnMut(&mut Match) -> Result<T, Error>,
) -> Result<(T, Stored), Error> {
    for _ in 0..TRIES {
        let mut game = Match::clone(&from.game);
        let result = change(&mut game)?;
        if game.log().len() == from.game.log().len() {
            return Ok((result, from.released()));
        }
        let game = Arc::new(game);
        match store.change(&game, &from.revision)? {
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
