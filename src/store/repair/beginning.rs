//! The beginning of a log, and what the headers say of it again.

use chrono::{DateTime, Utc};

use crate::clock;
use crate::match_id::Id;
use crate::matches::event::Event;
use crate::matches::r#match::MatchSettings;
use crate::store::chain;
use crate::store::repair::{Undecided, undecided};
use crate::store::state_file::salvage::{Entry, Link, Remains, Thread};

/// How a match begins, and how certain that is.
pub(super) struct Beginning {
    pub(super) settings: MatchSettings,
    pub(super) time: DateTime<Utc>,
    /// Whether the first line of the log proves it.
    pub(super) is_sound: bool,
    /// What is mended and leaves that line as its hash proves that it was.
    pub(super) mended: Vec<String>,
    pub(super) done: Vec<String>,
    pub(super) lost: Vec<String>,
}

impl Beginning {
    /// The beginning by the first line of the log, which is taken off the
    /// thread, and by the headers; by `given` where neither says anything.
    ///
    /// # Errors
    ///
    /// If they say different things and no hash proves one of them.
    pub(super) fn read(
        id: &Id,
        remains: &Remains,
        thread: &mut Thread,
        given: Option<&MatchSettings>,
        now: DateTime<Utc>,
    ) -> Result<Beginning, Undecided> {
        let first = thread.entries.first();
        if first.is_none_or(|(entry, _)| !entry.is_beginning()) {
            return Beginning::lost(id, remains, thread, given, now);
        }
        let (entry, link) = thread.entries.remove(0);
        let named: Option<Id> = remains.header("Id").and_then(|name| name.parse().ok());
        if let Some(other) = named.filter(|named| named != id)
            && (entry.event.as_ref()).is_some_and(|event| entry.is_hashed_as(&other, event))
        {
            return undecided(format!(
                "the first line of its log proves that this is the file of the match {other}, as its Id says: the name {other}.txt is its own"
            ));
        }
        let event = entry.event.as_ref();
        let time = event.map_or(now, |event| event.time);
        let logged = event.and_then(|event| MatchSettings::of_beginning(id, event));
        let headers = remains.settings(id);
        let hashed = |settings: &MatchSettings| entry.is_hashed_as(id, &settings.begin(time));
        let beginning = |settings: MatchSettings| Beginning {
            is_sound: hashed(&settings),
            settings,
            time,
            mended: Vec::new(),
            done: Vec::new(),
            lost: Vec::new(),
        };
        let mut beginning = match (logged, headers) {
            (Some(logged), _) if link == Link::Holds => beginning(logged),
            (_, Some(headers)) if hashed(&headers) => {
                let mut beginning = beginning(headers);
                beginning.mended.push(format!(
                    "line {} is put back by the headers, which its hash proves",
                    entry.number
                ));
                beginning
            }
            (Some(logged), Some(headers)) => {
                let [above, said] = [&headers, &logged].map(|settings| settings.begin(time));
                if above != said {
                    return Err(Undecided(vec![
                        "the headers and the log say different things of the match:".to_owned(),
                        format!("  the headers:       {}", above.line()),
                        format!("  the log (line {}): {}", entry.number, said.line()),
                        "correct the wrong one by hand".to_owned(),
                    ]));
                }
                beginning(logged)
            }
            (Some(settings), None) | (None, Some(settings)) => beginning(settings),
            (None, None) => return undecided(NO_TERMS),
        };
        beginning.is_sound |= link == Link::Holds;
        if !beginning.is_sound && remains.is_chained() {
            beginning.done.push(format!(
                "line {} was changed; it is chained as it stands: {}",
                entry.number, entry.text
            ));
        }
        beginning.is_sound &= remains.is_chained();
        Ok(beginning)
    }

    /// The beginning of a log whose first line is lost.
    fn lost(
        id: &Id,
        remains: &Remains,
        thread: &Thread,
        given: Option<&MatchSettings>,
        now: DateTime<Utc>,
    ) -> Result<Beginning, Undecided> {
        // The headers end with the result; of those that were cut off, an
        // invitation knows.
        let headers = remains.settings(id);
        let is_cut = headers.is_some() && remains.header("Result").is_none();
        let is_better = |given: &&MatchSettings| {
            let same = |settings: &MatchSettings| {
                let variant = &settings.variant;
                (
                    settings.players.clone(),
                    variant.game().id,
                    variant.options().to_vec(),
                )
            };
            is_cut && headers.as_ref().map(same) == Some(same(given))
        };
        let better = given.filter(is_better).cloned();
        let is_known = !is_cut || better.is_some();
        let Some(settings) = better.or(headers).or(given.cloned()) else {
            return undecided(NO_TERMS);
        };
        let started = remains.header("Started").and_then(clock::read);
        let mut events = thread
            .entries
            .iter()
            .filter_map(|(entry, _)| entry.event.as_ref());
        let first = events.next().map(|event| event.time);
        let mut lost = Vec::new();
        if !remains.log.is_empty() {
            lost.push("the first line of the log".to_owned());
        }
        if !is_known {
            lost.push("the event and the time for a move, if there were any".to_owned());
        }
        Ok(Beginning {
            settings,
            time: started.or(first).unwrap_or(now),
            is_sound: false,
            mended: Vec::new(),
            done: Vec::new(),
            lost,
        })
    }
}

const NO_TERMS: &str = "neither the file nor the mails say which game is played, and by whom";

impl Entry {
    /// Whether its hash is that of this event as the first of its log.
    fn is_hashed_as(&self, id: &Id, event: &Event) -> bool {
        self.hash.as_deref() == Some(chain::next(id.as_str(), event).as_str())
    }
}
