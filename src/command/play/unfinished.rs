//! The matches against the program at the terminal that were begun and go on.

use chrono::{DateTime, Utc};

use crate::Error;
use crate::engine::Level;
use crate::limits::FEW_MATCHES;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::store::store::Store;

/// Says in a line how many there are, and how the last of them goes on; none if there are none, or
/// that cannot be told: nobody has asked for it.
pub(super) fn told(store: &dyn Store) -> Option<String> {
    let ids = ids(store).ok()?;
    // To know which go on, and which is the last, each has to be read.
    if ids.len() > FEW_MATCHES {
        return Some("There may be unfinished matches: 'parapost list' lists them.".to_owned());
    }
    let (mut count, mut last) = (0, None::<(DateTime<Utc>, Id)>);
    // One that cannot be read is told by the commands that name it.
    let read = |id: &Id, read: Result<&Match, &Error>| {
        let Some(game) = read.ok().filter(|game| goes_on(game)) else {
            return;
        };
        count += 1;
        let time = changed(game);
        if last.as_ref().is_none_or(|(latest, _)| *latest <= time) {
            last = Some((time, id.clone()));
        }
    };
    store.show(&ids, &mut { read }).ok()?;
    let (_, id) = last?;
    Some(match count {
        1 => format!("1 unfinished match: 'parapost play {id}' goes on with it."),
        _ => format!("{count} unfinished matches: 'parapost play {id}' goes on with the last one."),
    })
}

/// Returns the matches that may be such ones. The index of the store tells: no match is read.
fn ids(store: &dyn Store) -> Result<Vec<Id>, Error> {
    let mut ids = Vec::new();
    for level in Level::ALL {
        ids.extend(store.going_on_of(Player::program(level).address())?);
    }
    // Where the index cannot tell, each answer is all matches.
    ids.sort();
    ids.dedup();
    Ok(ids)
}

fn goes_on(game: &Match) -> bool {
    game.is_at_terminal() && game.turn().is_some()
}

/// Returns the time of the last line of the log.
fn changed(game: &Match) -> DateTime<Utc> {
    let last = game.log().last();
    last.map_or(game.started(), |event| event.time)
}
