//! Messages from a newsgroup: a source, and the place up to which a group has been read.
//!
//! A group has many articles and few of them concern anybody here: each is known by its overview,
//! and only those that are wanted are fetched. What a server says is hostile data.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::files::{self, HeldLock, replace};
use crate::message_id::hex;
use crate::nntp::connection::{NntpConnection, NntpError};
use crate::nntp::group::{FetchedArticle, GroupReader, GroupReading, Overview};
use crate::nntp::newsgroup::Newsgroup;
use crate::sources::place::{TakeLock, read_time, write_time};
use crate::sources::{MailSource, MessageKey, RawMessage, Settlement};
use crate::wire::Stream;

/// The first line of the text of a place.
const FORMAT: &str = "Format: parapost-news 1";

/// The most bytes of a file that are read.
const LONGEST: u64 = 4 << 10;

/// How long an overview may lag before the missing numbers count as gaps.
const LAG: TimeDelta = TimeDelta::days(1);

/// The articles after which the place is written, so that a run that is killed has lost little.
const PORTION: u32 = 200;

/// The purpose for which a newsgroup is read.
pub trait GroupInterest {
    /// Returns true if an article is to be fetched.
    fn wants(&self, overview: &Overview) -> bool;

    /// Returns when what was told of articles up to now is known to rest on what is true.
    ///
    /// # Errors
    ///
    /// If that cannot be known now.
    fn confirm(&self) -> Result<(), Error>;
}

/// The place up to which a group on a server has been read, in a file of its own. While the value
/// exists, no other process reads that group.
pub struct GroupPlace {
    path: PathBuf,
    server: String,
    group: Newsgroup,
    /// The number of the last article that was dealt with.
    place: Option<u64>,
    /// When all that was there was last dealt with.
    complete: Option<DateTime<Utc>>,
    /// When the overview of the server began to lag behind the group's high mark.
    lagging_since: Option<DateTime<Utc>>,
    /// True if nothing is written.
    is_dry_run: bool,
    _lock: Option<HeldLock>,
}

impl GroupPlace {
    /// Opens the place of a group on a server, in a folder which gets a folder of its own for
    /// places. The name of the file is a hash: neither the server nor a group has a say in it.
    /// The lock is taken by `take_lock`; in a dry run, without it, none is.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made, another process has the lock too long, or the file is damaged.
    pub fn open(
        folder: &Path,
        server: &str,
        group: &Newsgroup,
        take_lock: Option<&TakeLock>,
    ) -> Result<GroupPlace, Error> {
        let parent = folder.join("news");
        let server = server.replace(char::is_control, " ");
        let title = format!("{server}\n{group}");
        let name = hex(&Sha256::digest(title.as_bytes())[..8]);
        let path = parent.join(format!("{name}.txt"));
        let lock = match take_lock {
            None => None,
            Some(take_lock) => {
                files::make_folder(&parent).map_err(|error| Error::file(&parent, &error))?;
                let lock = take_lock(&parent.join(format!(".{name}.lock")));
                Some(lock.map_err(|error| {
                    error.and(format_args!(
                        "another 'parapost fetch --news' reads {group}"
                    ))
                })?)
            }
        };
        let mut place = GroupPlace {
            path,
            server,
            group: group.clone(),
            place: None,
            complete: None,
            lagging_since: None,
            is_dry_run: take_lock.is_none(),
            _lock: lock,
        };
        match files::read(&place.path, LONGEST) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                place.read(&text).ok_or_else(|| {
                    Error::refused(format!(
                        "{}: this file is damaged; remove it, and 'parapost fetch --news' begins anew: what was received already is not received twice",
                        place.path.display()
                    ))
                })?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file(&place.path, &error)),
        }
        Ok(place)
    }

    /// Returns the number of the last article that was dealt with; none before the first reading.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.place
    }

    fn read(&mut self, text: &str) -> Option<()> {
        let mut lines = text.strip_suffix('\n')?.lines();
        if lines.next()? != FORMAT {
            return None;
        }
        for line in lines {
            let (name, value) = line.split_once(": ")?;
            match name {
                "Place" => self.place = Some(value.parse().ok()?),
                "Complete" => self.complete = Some(read_time(value)?),
                "Lagging" => self.lagging_since = Some(read_time(value)?),
                // For people, or of later versions.
                _ => {}
            }
        }
        self.place.map(|_| ())
    }

    fn text(&self, place: u64) -> String {
        let (server, group) = (&self.server, &self.group);
        let mut text = format!("{FORMAT}\nServer: {server}\nGroup: {group}\nPlace: {place}\n");
        if let Some(time) = self.complete {
            let _ = writeln!(text, "Complete: {}", write_time(time));
        }
        if let Some(time) = self.lagging_since {
            let _ = writeln!(text, "Lagging: {}", write_time(time));
        }
        text
    }

    /// Returns the place of a reading that came to the end of the group. The overview of a server
    /// may lag behind its high mark, so the numbers above the last one that it told of are looked
    /// for again. After a day they count as gaps, which are normal.
    fn reached(&mut self, reading: &GroupReading, now: DateTime<Utc>) -> Option<u64> {
        // A reading may begin below the place.
        let place = self.place.filter(|_| !reading.is_renumbered);
        let seen = reading.seen.max(place);
        let has_moved = seen > self.place;
        let since = self
            .lagging_since
            .filter(|since| !has_moved && *since <= now);
        let since = since.unwrap_or(now);
        let is_lagging = reading.seen.is_some() && seen < reading.place;
        self.lagging_since = (is_lagging && now - since < LAG).then_some(since);
        match self.lagging_since {
            Some(_) => seen,
            None => reading.place,
        }
    }

    /// Replaces the place.
    fn write(&mut self, place: Option<u64>, complete: Option<DateTime<Utc>>) -> Result<(), Error> {
        let is_new = place != self.place || complete.is_some();
        let Some(number) = place.filter(|_| is_new && !self.is_dry_run) else {
            return Ok(());
        };
        self.place = place;
        self.complete = complete.or(self.complete);
        replace::replace_locked(&self.path, self.text(number).as_bytes())
            .map_err(|error| Error::file(&self.path, &error))
    }
}

/// A newsgroup, as far as its articles are wanted.
pub struct GroupSource<'s, S, I> {
    connection: &'s mut NntpConnection<S>,
    reader: GroupReader,
    interest: &'s I,
    place: &'s mut GroupPlace,
    /// Converts a failure to an error that names the server.
    failed: &'s dyn Fn(NntpError) -> Error,
    /// The first article that is to be tried again.
    deferred: Option<u64>,
    /// The articles that were dealt with since the place was written.
    settled: u32,
    bytes: u64,
    /// The articles that were fetched.
    pub fetched: u64,
    /// The articles that were too long to be read.
    pub too_long: u64,
}

impl<'s, S: Stream, I: GroupInterest> GroupSource<'s, S, I> {
    /// Begins to read what is new in the group of a place. With `back` it begins so many numbers
    /// below the high mark.
    ///
    /// # Errors
    ///
    /// If the server has no such group, or cannot be read.
    pub fn begin(
        connection: &'s mut NntpConnection<S>,
        place: &'s mut GroupPlace,
        interest: &'s I,
        back: Option<u64>,
        failed: &'s dyn Fn(NntpError) -> Error,
    ) -> Result<GroupSource<'s, S, I>, Error> {
        let reader = GroupReader::begin(connection, &place.group, place.place, back);
        Ok(GroupSource {
            reader: reader.map_err(failed)?,
            connection,
            interest,
            place,
            failed,
            deferred: None,
            settled: 0,
            bytes: 0,
            fetched: 0,
            too_long: 0,
        })
    }

    /// Returns how far the reading has come.
    #[must_use]
    pub fn reading(&self) -> &GroupReading {
        &self.reader.reading
    }

    /// Returns true if an article is to be tried again.
    #[must_use]
    pub fn keeps_articles(&self) -> bool {
        self.deferred.is_some()
    }

    /// Writes how far the reading has come, once all that was given is settled.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn end(&mut self, now: DateTime<Utc>) -> Result<(), Error> {
        let is_complete = !self.reader.reading.has_more && self.deferred.is_none();
        self.write(is_complete.then_some(now))
    }

    fn write(&mut self, complete: Option<DateTime<Utc>>) -> Result<(), Error> {
        self.interest.confirm()?;
        self.settled = 0;
        let reading = &self.reader.reading;
        let reached = match complete {
            Some(now) => self.place.reached(reading, now),
            None => reading.place,
        };
        // What comes behind an article that is tried again is read again with it.
        let place = match self.deferred {
            Some(first) => reached.map(|place| place.min(first - 1)),
            None => reached,
        };
        self.place.write(place, complete)
    }
}

impl<S: Stream, I: GroupInterest> MailSource for GroupSource<'_, S, I> {
    fn bytes_expected(&self) -> u64 {
        0
    }

    fn bytes_read(&self) -> u64 {
        self.bytes
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let interest = self.interest;
        loop {
            let next = self
                .reader
                .next(self.connection, &mut |overview| interest.wants(overview));
            let (number, article) = match next {
                Ok(next) => next?,
                Err(error) => return Some(Err((self.failed)(error))),
            };
            match article {
                FetchedArticle::Article(bytes) => {
                    self.fetched += 1;
                    self.bytes += bytes.len() as u64;
                    return Some(Ok(RawMessage {
                        key: MessageKey(number),
                        bytes,
                        anew: None,
                    }));
                }
                FetchedArticle::TooLong => self.too_long += 1,
                FetchedArticle::Gone => {}
            }
        }
    }

    fn settled(&mut self, key: MessageKey, settlement: Settlement) -> Result<(), Error> {
        if settlement == Settlement::Deferred {
            let first = self.deferred.unwrap_or(key.0);
            self.deferred = Some(first.min(key.0));
        }
        self.settled += 1;
        if self.settled < PORTION {
            return Ok(());
        }
        self.write(None)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::sources::newsgroup::*;

    fn group() -> Newsgroup {
        "rec.games.abstract".parse().unwrap()
    }

    fn open(folder: &Path, server: &str) -> Result<GroupPlace, Error> {
        let take_lock: TakeLock = Box::new(|path| {
            let file = files::open_lock(path).map_err(|error| Error::file(path, &error))?;
            file.try_lock()
                .map_err(|error| Error::held(error.to_string()))?;
            Ok(HeldLock::from(file))
        });
        GroupPlace::open(folder, server, &group(), Some(&take_lock))
    }

    /// Went wrong: where the overview of a server lags behind its high mark, the articles were passed
    /// over for good.
    #[test]
    fn numbers_beyond_a_lagging_overview_are_looked_for_again_for_a_day() {
        let now: DateTime<Utc> = "2026-11-20T03:00:00Z".parse().unwrap();
        let mut place = GroupPlace {
            path: PathBuf::new(),
            server: String::new(),
            group: group(),
            place: Some(7),
            complete: None,
            lagging_since: None,
            is_dry_run: true,
            _lock: None,
        };
        let reading = |seen, high| GroupReading {
            seen: Some(seen),
            place: Some(high),
            ..GroupReading::default()
        };
        let hours = TimeDelta::hours;
        // The last overview was of 8, though the group goes to 10.
        assert_eq!(place.reached(&reading(8, 10), now), Some(8));
        place.place = Some(8);
        assert_eq!(place.reached(&reading(8, 10), now + hours(23)), Some(8));
        // What comes later begins a day of its own.
        assert_eq!(place.reached(&reading(9, 12), now + hours(23)), Some(9));
        place.place = Some(9);
        assert_eq!(place.reached(&reading(9, 12), now + hours(46)), Some(9));
        assert!(place.text(9).contains("Lagging: 2026-11-21T02:00:00Z"));
        assert_eq!(place.reached(&reading(9, 12), now + hours(47)), Some(12));
        assert_eq!(place.lagging_since, None);
        assert_eq!(place.reached(&reading(12, 12), now), Some(12));
        // A reading that begins below the place does not move it back.
        assert_eq!(place.reached(&reading(3, 12), now), Some(9));
    }

    #[test]
    fn a_place_is_of_one_group_on_one_server() {
        let folder = std::env::temp_dir().join(format!("parapost-news-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let now = "2026-11-20T03:00:00Z".parse().unwrap();
        let mut place = open(&folder, "news.test:119\nPlace: 7").unwrap();
        assert_eq!(place.number(), None);
        place.write(Some(u64::MAX), Some(now)).unwrap();
        assert!(
            open(&folder, "news.test:119\nPlace: 7").is_err(),
            "it is read"
        );
        drop(place);
        let again = open(&folder, "news.test:119\nPlace: 7").unwrap();
        assert_eq!(
            (again.number(), again.complete),
            (Some(u64::MAX), Some(now))
        );
        assert_eq!(open(&folder, "news.test:563").unwrap().number(), None);
        let dry = GroupPlace::open(&folder, "news.test:119\nPlace: 7", &group(), None);
        dry.unwrap().write(Some(3), None).unwrap();
        let whole = fs::read_to_string(&again.path).unwrap();
        let path = again.path.clone();
        drop(again);
        assert!(whole.contains(&format!("Place: {}\n", u64::MAX)), "{whole}");
        for cut in 0..whole.len() - 1 {
            fs::write(&path, &whole[..cut]).unwrap();
            let damaged = open(&folder, "news.test:119\nPlace: 7").map(|place| place.number());
            // A text that ends with a line may be whole.
            let is_whole = whole[..cut].ends_with(&format!("Place: {}\n", u64::MAX));
            assert_eq!(damaged.is_ok(), is_whole, "{:?}", &whole[..cut]);
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
