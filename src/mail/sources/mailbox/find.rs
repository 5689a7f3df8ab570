//! Finding the messages of a round: the place up to which the folder has been read, and
//! what is behind it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveDate, Utc};

use crate::Error;
use crate::imap::ImapError;
use crate::imap::folder::{Head, KEYWORD};
use crate::limits::IMAP_DAYS;
use crate::sources::mailbox::ImapSource;
use crate::sources::place::{OldMail, Place, StoredPlace, TRACES, Trace};

/// The days that are added at the front: one for time zones, one for clocks that differ.
const MARGIN: Days = Days::new(2);

/// Why a folder is read without a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Void {
    /// There is none.
    First,
    /// The server has numbered the messages anew.
    Renumbered,
    /// The messages are others than they were.
    Changed,
}

impl ImapSource<'_> {
    /// Finds the messages of a round: those above the last one that was dealt with, those
    /// to be tried again, and those that the user wants to have read once more. `beginning`
    /// tells the day from which a folder without a place is read, by the present time.
    ///
    /// # Errors
    ///
    /// If the server fails, or a place cannot be read or written.
    pub fn find(
        &mut self,
        now: DateTime<Utc>,
        beginning: &dyn Fn(DateTime<Utc>) -> Result<NaiveDate, Error>,
    ) -> Result<Vec<u32>, Error> {
        let since = self.wish.since.take();
        let found = if self.file.is_some() {
            self.go_on(since)
        } else {
            let recognised = self.recognise()?;
            match recognised {
                Ok(place) => {
                    self.place = place;
                    self.go_on(since)
                }
                Err((void, place)) => {
                    let now = self.present(now).map_err(|error| error.of(&self.server))?;
                    // A day to come would begin behind mail that waits.
                    let since = since.map(|since| since.min(now.date_naive()));
                    let begin = || {
                        let day = beginning(now)?;
                        // What was not dealt with then may have come before.
                        let earlier = place.map(|place| before(place.since));
                        let day = earlier.map_or(day, |earlier| day.min(earlier));
                        Ok(bounded(day, now))
                    };
                    let day = match since {
                        Some(_) if void == Void::First => None,
                        _ => Some(begin()?),
                    };
                    self.begin(void, day, since, now)
                }
            }
            .and_then(|found| {
                self.keep_traces()?;
                Ok(found)
            })
        };
        found.map_err(|error| error.of(&self.server))
    }

    /// Finds the messages behind a place that holds.
    fn go_on(&mut self, since: Option<NaiveDate>) -> Result<Vec<u32>, ImapError> {
        let mut found = self.place.again.clone();
        // What was passed over is looked at again once everything can be read.
        let passed = self.place.passed.filter(|_| !self.interest.has_hidden());
        let handled = self.place.handled;
        let last = passed.map_or(handled, |uid| handled.min(uid.saturating_sub(1)));
        found.extend(self.above(last)?);
        if let Some(since) = since {
            let wished = self.connection.since(since)?;
            found.extend(&wished);
            self.wished.extend(wished);
        }
        Ok(found.into_iter().collect())
    }

    /// Finds the messages above a UID; of the old ones those that are read at all.
    fn above(&mut self, last: u32) -> Result<BTreeSet<u32>, ImapError> {
        let mut found = BTreeSet::new();
        let mut from = last;
        if let Some(old) = &self.place.old
            && last < old.until
        {
            let uids = (last + 1, old.until);
            found.extend(self.connection.arrived(uids, old.since, KEYWORD)?);
            from = old.until;
        }
        found.extend(self.connection.above(from)?);
        Ok(found)
    }

    /// Begins to read a folder without a place: what arrived on a day or later, or only
    /// what the user wants to have read.
    fn begin(
        &mut self,
        void: Void,
        day: Option<NaiveDate>,
        since: Option<NaiveDate>,
        now: DateTime<Utc>,
    ) -> Result<Vec<u32>, ImapError> {
        let until = match self.opened.uid_next {
            Some(next) => next.saturating_sub(1),
            None => self.connection.last()?,
        };
        self.place = Place {
            uid_validity: self.opened.uid_validity,
            since: day.or(since).unwrap_or_else(|| now.date_naive()),
            old: day.map(|since| OldMail {
                until,
                since,
                unnamed: 0,
                answers: 0,
            }),
            ..Place::default()
        };
        let mut found = BTreeSet::new();
        if let Some(day) = day {
            found = self.above(0)?;
            let why = match void {
                Void::First => "this is the first run",
                Void::Renumbered => "the server has numbered the messages anew",
                Void::Changed => "the messages are not those that were there, as after a restore",
            };
            self.remarks.insert(format!(
                "{why}: of the mail since {day} what names a match is read, and all that arrives from now on; '--since YYYY-MM-DD' reads all mail since a day"
            ));
        }
        if let Some(since) = since {
            if day.is_none() {
                self.remarks.insert(format!(
                    "this is the first run: all mail since {since} is read, and all that arrives from now on"
                ));
            }
            let wished = self.connection.since(since)?;
            found.extend(&wished);
            self.wished.extend(wished);
        }
        self.place.handled = found.first().map_or(until, |first| first.saturating_sub(1));
        Ok(found.into_iter().collect())
    }

    /// Returns the present time: when the last message came, if our clock is farther ahead of that than
    /// is read back. It may be years ahead, and a move that waits would be left behind for good.
    fn present(&mut self, now: DateTime<Utc>) -> Result<DateTime<Utc>, ImapError> {
        let last = match self.connection.last_ids(1) {
            Err(ImapError::No(_)) => return Ok(now),
            last => last?,
        };
        let arrived = last.first().and_then(|head| head.arrived);
        let arrived = arrived.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        let days = Days::new(IMAP_DAYS);
        let is_far = |arrived: &DateTime<Utc>| arrived.checked_add_days(days) < Some(now);
        Ok(arrived.filter(is_far).unwrap_or(now))
    }

    /// Finds the place up to which the folder was read, whatever the name of its server, and
    /// the file to write it to. Returns why there is none, with the place that does not hold
    /// any more.
    fn recognise(&mut self) -> Result<Result<Place, (Void, Option<Place>)>, Error> {
        loop {
            let stored = self.places.stored()?;
            let there = self.traces_of(&stored);
            let there = there.map_err(|error| error.of(&self.server))?;
            let fits = stored.iter().filter(|stored| self.may_be_of(&stored.place));
            let proofs = fits.map(|stored| (stored, stored.place.is_of(&there)));
            let same = proofs.filter(|(_, proof)| *proof != Some(false));
            let best = same.max_by_key(|(stored, proof)| {
                (proof.is_some(), stored.is_own, stored.place.handled)
            });
            let Some((best, _)) = best else {
                self.file = Some(self.places.file(None));
                let own = stored.into_iter().find(|stored| stored.is_own);
                let own = own.map(|stored| stored.place);
                let is_renumbered = |place: &Place| place.uid_validity != self.opened.uid_validity;
                return Ok(Err(match own {
                    None => (Void::First, None),
                    Some(place) if is_renumbered(&place) => (Void::Renumbered, Some(place)),
                    Some(place) => (Void::Changed, Some(place)),
                }));
            };
            let path = best.path().to_owned();
            if !self.locks.contains_key(&path)
                && let Some(lock) = self.places.lock_other(best)?
            {
                // Whoever had the lock may have read on.
                self.locks.insert(path, lock);
                self.open_again().map_err(|error| error.of(&self.server))?;
                continue;
            }
            self.file = Some(self.places.file(Some(best)));
            let mut place = best.place.clone();
            place.mailbox_id.clone_from(&self.opened.mailbox_id);
            place.traces.retain(|uid, _| there.contains_key(uid));
            return Ok(Ok(place));
        }
    }

    /// Returns true if a place may be one in this folder, by what the server says of it.
    fn may_be_of(&self, place: &Place) -> bool {
        let opened = &self.opened;
        let ids = place.mailbox_id.as_ref().zip(opened.mailbox_id.as_ref());
        place.uid_validity == opened.uid_validity
            && ids.is_none_or(|(one, other)| one == other)
            && opened.uid_next.is_none_or(|next| place.handled < next)
    }

    /// Looks at the messages of which places have traces.
    fn traces_of(&mut self, stored: &[StoredPlace]) -> Result<BTreeMap<u32, Trace>, ImapError> {
        let fits = stored.iter().filter(|stored| self.may_be_of(&stored.place));
        let uids = fits.flat_map(|stored| stored.place.traces.keys().copied());
        let uids: BTreeSet<u32> = uids.collect();
        let uids: Vec<u32> = uids.into_iter().collect();
        if uids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let traces = |heads: Vec<Head>| heads.into_iter().map(|head| (head.uid, Trace::of(&head)));
        match self.connection.ids(&uids) {
            Err(ImapError::No(_)) => {}
            heads => return Ok(traces(heads?).collect()),
        }
        // Some messages are gone, or the server has trouble with one of them.
        self.connection.look()?;
        let mut found = BTreeMap::new();
        for uid in uids {
            match self.connection.ids(&[uid]) {
                Err(ImapError::No(_)) => {}
                heads => found.extend(traces(heads?)),
            }
        }
        Ok(found)
    }

    /// Keeps traces of what is there up to the place, where too few are known.
    fn keep_traces(&mut self) -> Result<(), ImapError> {
        self.place.mailbox_id.clone_from(&self.opened.mailbox_id);
        if self.place.traces.len() >= TRACES || self.place.handled == 0 {
            return Ok(());
        }
        let last = match self.connection.last_ids(TRACES) {
            // They would tell more, but nothing waits for them.
            Err(ImapError::No(_)) => return Ok(()),
            last => last?,
        };
        let handled = self.place.handled;
        for head in last.iter().filter(|head| head.uid <= handled) {
            self.place.leave_trace(head.uid, Trace::of(head));
        }
        Ok(())
    }
}

/// Returns the day two days before another one.
#[must_use]
pub fn before(day: NaiveDate) -> NaiveDate {
    day.checked_sub_days(MARGIN).unwrap_or(day)
}

/// Returns a day that is not later than today, nor farther back than is read.
#[must_use]
pub fn bounded(day: NaiveDate, now: DateTime<Utc>) -> NaiveDate {
    let today = now.date_naive();
    let first = today.checked_sub_days(Days::new(IMAP_DAYS));
    day.max(first.unwrap_or(day)).min(today)
}
