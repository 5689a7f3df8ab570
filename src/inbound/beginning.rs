//! The day from which a folder without a place is read.

use chrono::{DateTime, Days, NaiveDate, Utc};

use crate::Error;
use crate::mail::sources::mailbox::{before, bounded};
use crate::store::store::Store;

/// The days that are read where no match tells more.
const USUAL: Days = Days::new(14);

/// Returns the day from which a folder without a place is read: that of the earliest last
/// line of log among the running matches, less two days. A letter that a match waits for
/// has come after that line.
///
/// # Errors
///
/// If the store cannot tell now.
pub fn beginning(store: &dyn Store, now: DateTime<Utc>) -> Result<NaiveDate, Error> {
    let mut earliest: Option<NaiveDate> = None;
    for id in store.going_on()? {
        let game = match store.find(&id) {
            Ok(Some(stored)) => stored.game,
            Ok(None) => continue,
            Err(error) if error.is_transient() => return Err(error),
            // Nobody knows since when a damaged match has waited.
            Err(_) => return Ok(bounded(NaiveDate::MIN, now)),
        };
        if game.turn().is_none() {
            continue;
        }
        // A line of the time to come was written by a clock that was wrong.
        let mut times = game.log().iter().rev().map(|event| event.time);
        let last = times.find(|time| *time <= now);
        let last = last.or_else(|| Some(game.started()).filter(|time| *time <= now));
        let day = last.map_or_else(|| usual(now), |time| time.date_naive());
        earliest = Some(earliest.map_or(day, |earliest| earliest.min(day)));
    }
    Ok(match earliest {
        Some(day) => bounded(before(day), now),
        None => usual(now),
    })
}

fn usual(now: DateTime<Utc>) -> NaiveDate {
    let today = now.date_naive();
    today.checked_sub_days(USUAL).unwrap_or(today)
}
