//! The store in a database; and the claim of a match's outgoing mail there, with the text about
//! the attempts to send it.
//!
//! A claim is short, and its holder renews it for as long as the process lives. If that is
//! killed or stopped the claim ends by itself, and another process may take it. Nothing
//! rests on its length: every claim and every text is a new revision of its row, so that a
//! holder who has been overtaken can write no more: neither begin to send another mail, nor
//! take back a move.
//!
//! A thread renews the claims of a process. It begins with the first claim and ends when none was
//! held at the time of a renewal: most claims last some milliseconds, and no thread should begin
//! and end with each.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use std::{str, thread};

use lettre::Address;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::Error;
use crate::limits::DATABASE_TEXT;
use crate::match_id::Id;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::store::errand::{Reads, Wait};
use crate::store::postgres::connection::{Connection, Failure, Settings, SqlValue};
use crate::store::postgres::pool::{Pool, WriteOutcome, WriteState, random};
use crate::store::postgres::swap::{
    LENGTH, MatchRow, RevisionStep, TEXT, address_key, found, is_held, number, overtaken, revision,
    row,
};
use crate::store::state_file::StoredText;
use crate::store::store::{
    Change, MissingMatch, Revision, Sending, Store, Stored, Survey, damaged, taken, unknown,
    written,
};
use crate::threads::lock;

/// The bytes of text from which matches are read in several answers.
const PAGE: usize = 1 << 20;

/// A database with one row per match.
#[derive(Clone, Debug)]
pub struct Postgres {
    pool: Arc<Pool>,
    keeper: Arc<Keeper>,
}

impl Postgres {
    /// Creates a store. It connects when it is first used.
    pub fn new(settings: Settings) -> Postgres {
        let pool = Arc::new(Pool::new(settings));
        Postgres {
            keeper: Arc::new(Keeper::new(&pool)),
            pool,
        }
    }

    fn missing(&self, id: &Id) -> Error {
        Error::refused(format!(
            "there is no match {id} in {}; 'parapost list' tells which there are",
            self.place()
        ))
        .with_source(MissingMatch(id.clone()))
    }

    fn stored(&self, id: &Id, rev: i64, body: String) -> Result<Stored, Error> {
        let read = StoredText::read(body.into_bytes(), id);
        let (game, text) = read.map_err(|error| damaged(&self.name_of(id), id, &error))?;
        let revision = revision(rev, &game).with_text(text.map(Arc::new));
        Ok(Stored { game, revision })
    }

    /// Reads the matches that a statement selects. It returns their ids and
    /// the lengths of their texts, so that no answer has more than the time allows for.
    fn survey_of(&self, statement: &str, values: &[SqlValue<'_>]) -> Result<Survey, Error> {
        let mut survey = Survey::default();
        self.each_of(statement, values, &mut |id, read| match read {
            Ok(stored) => survey.matches.push(stored.without_text()),
            Err(error) => survey.damaged.push((id, error.to_string())),
        })?;
        Ok(survey)
    }

    /// Reads the matches that a statement selects as [`Postgres::survey_of`] does, in the order
    /// of their ids.
    fn each_of(
        &self,
        statement: &str,
        values: &[SqlValue<'_>],
        take: &mut dyn FnMut(Id, Result<Stored, Error>),
    ) -> Result<(), Error> {
        let read = |connection: &Connection| connection.query(statement, values);
        let rows = self.pool.read(read)?;
        let mut rows = self.taken_from(&rows, lengths)?;
        // The order of a database is that of its language.
        rows.sort();
        let (mut ids, mut bytes) = (Vec::new(), 0);
        for (id, length) in rows {
            if bytes + length > PAGE {
                self.read_page(&ids, bytes, take)?;
                (ids, bytes) = (Vec::new(), 0);
            }
            ids.push(id);
            bytes += length;
        }
        self.read_page(&ids, bytes, take)
    }

    /// Reads matches by their ids, whose texts have so many bytes.
    fn read_page(
        &self,
        ids: &[String],
        bytes: usize,
        take: &mut dyn FnMut(Id, Result<Stored, Error>),
    ) -> Result<(), Error> {
        let statement = format!("select id, rev, {TEXT} from match where id = any($1)");
        let values: [SqlValue<'_>; 1] = [(&ids, Type::TEXT_ARRAY)];
        let read = |connection: &Connection| connection.sized(&statement, &values, bytes);
        let rows = match ids {
            [] => return Ok(()),
            _ => self.pool.read(read)?,
        };
        let mut rows = self.taken_from(&rows, columns)?;
        rows.sort_by(|(one, ..), (other, ..)| one.cmp(other));
        for (id, rev, body) in rows {
            let Ok(id) = id.parse::<Id>() else { continue };
            let read = self.stored(&id, rev, body);
            take(id, read);
        }
        Ok(())
    }

    /// Takes what is wanted out of each row.
    fn taken_from<T>(
        &self,
        rows: &[Row],
        take: impl Fn(&Row) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Error> {
        let taken = rows.iter().map(take).collect::<Result<_, Failure>>();
        taken.map_err(|failure| failure.error(&self.place()))
    }

    /// Reads the matches in which a mailbox has a part and of which that is true, and those that
    /// are damaged.
    fn of_mailbox(
        &self,
        address: &Address,
        is_theirs: impl Fn(&Match) -> bool,
    ) -> Result<Survey, Error> {
        let key = address_key(address);
        let mut survey = self.survey_of(
            &format!(
                "select id, {LENGTH} from match
                 where damaged or id in (select id from match_address where address = $1)"
            ),
            &[(&key, Type::TEXT)],
        )?;
        survey.matches.retain(|stored| is_theirs(&stored.game));
        Ok(survey)
    }

    /// Returns the ids that a statement selects, sorted.
    fn select_ids(&self, statement: &str) -> Result<Vec<Id>, Error> {
        let rows = self
            .pool
            .read(|connection| connection.query(statement, &[]))?;
        Ok(ids_of(&rows))
    }

    /// Adds a row, unless there is one with this id. Returns false if there is.
    fn insert(&self, entry: &MatchRow<'_>) -> Result<bool, Error> {
        let step = RevisionStep::from(None)?;
        self.write(entry.id, &step, |connection| {
            entry.insert(connection, &step)
        })
    }

    /// Tries to write a row in a transaction until it is known whether it is done. `attempt`
    /// returns false if another row is there, and so does this.
    fn write(
        &self,
        id: &Id,
        step: &RevisionStep,
        attempt: impl Fn(&Connection) -> Result<bool, Failure>,
    ) -> Result<bool, Error> {
        let attempt = |connection: &Connection| connection.transaction(|| attempt(connection));
        let find = |connection: &Connection| found(connection, id, step, |_| false);
        match self.pool.try_until_known(attempt, find)? {
            WriteOutcome::Done => Ok(true),
            WriteOutcome::Otherwise => Ok(false),
            WriteOutcome::Unknown(error) => Err(unknown(id, &error)),
        }
    }
}

impl Store for Postgres {
    fn place(&self) -> String {
        self.pool.place()
    }

    fn name_of(&self, id: &Id) -> String {
        format!("{}/{id}", self.place())
    }

    fn ids(&self) -> Result<Vec<Id>, Error> {
        self.select_ids("select id from match")
    }

    fn read(&self, id: &Id) -> Result<Stored, Error> {
        self.find(id)?.ok_or_else(|| self.missing(id))
    }

    /// Transfers the text only if it has changed.
    fn renewed(&self, known: Stored) -> Result<Stored, Error> {
        let (id, rev) = (known.game.id(), number(&known.revision));
        let rows = self.pool.read(|connection| {
            connection.query(
                &format!(
                    "select id, rev, {TEXT} from match where id = $1 and rev <> $2
                     union all select id, rev, '' from match where id = $1 and rev = $2"
                ),
                &[(&id.as_str(), Type::TEXT), (&rev, Type::INT8)],
            )
        })?;
        let Some(row) = rows.first() else {
            return Err(self.missing(id));
        };
        let (_, now, body) = columns(row).map_err(|failure| failure.error(&self.place()))?;
        if now == rev {
            return Ok(known);
        }
        self.stored(id, now, body)
    }

    fn create(&self, game: &Match) -> Result<(), Error> {
        let (text, id) = (written(game)?, game.id());
        fits(&text).map_err(|why| Error::refused(format!("{id}: {why}")))?;
        let entry = MatchRow::new(id, &text, Some(game));
        if self.insert(&entry)? {
            return Ok(());
        }
        Err(taken(&self.name_of(id), id))
    }

    fn change(&self, game: &Arc<Match>, base: &Revision) -> Result<Change, Error> {
        self.pool.swap(game, base, None, || self.read(game.id()))
    }

    fn confirm(&self, reads: &Reads) -> Result<(), Error> {
        self.pool.confirm(reads)
    }

    fn text(&self, id: &Id) -> Result<Option<Vec<u8>>, Error> {
        let found = self.pool.read(|connection| row(connection, id))?;
        Ok(found.map(|(_, body)| body.into_bytes()))
    }

    fn add_text(&self, id: &Id, text: &[u8]) -> Result<bool, Error> {
        let text = str::from_utf8(text)
            .map_err(|_| "it is not UTF-8, which a database cannot keep".to_owned())
            .and_then(|text| fits(text).map(|()| text))
            .map_err(|why| Error::refused(format!("{id}: {why}")))?;
        let game = Match::read(text.as_bytes(), id).ok();
        self.insert(&MatchRow::new(id, text, game.as_ref()))
    }

    fn restore(&self, game: &Match, from: Option<&[u8]>) -> Result<Option<String>, Error> {
        let (text, id) = (written(game)?, game.id());
        let changed = || {
            let name = self.name_of(id);
            Error::later(format!(
                "{name}: the text has changed meanwhile; look again"
            ))
        };
        let entry = MatchRow::new(id, &text, Some(game));
        let Some(old) = from else {
            if self.insert(&entry)? {
                return Ok(None);
            }
            return Err(changed());
        };
        let found = self.pool.read(|connection| row(connection, id))?;
        let found = found.filter(|(_, body)| body.as_bytes() == old);
        let (rev, body) = found.ok_or_else(changed)?;
        // Whoever keeps another text meanwhile leaves another revision.
        let number = 1 + self.pool.read(|connection| last_kept(connection, id))?;
        let step = RevisionStep::from(Some(rev))?;
        let is_done = self.write(id, &step, |connection| {
            let is_done = entry.update_all(connection, &step)?;
            if is_done {
                keep(connection, id, number, &body)?;
            }
            Ok(is_done)
        })?;
        if !is_done {
            return Err(changed());
        }
        Ok(Some(format!("{}.damaged-{number}", self.name_of(id))))
    }

    fn sending(&self, id: &Id) -> Result<Box<dyn Sending>, Error> {
        Ok(Box::new(Claim::take(&self.pool, &self.keeper, id)?))
    }

    fn survey(&self) -> Result<Survey, Error> {
        self.survey_of(&format!("select id, {LENGTH} from match"), &[])
    }

    fn show(
        &self,
        ids: &[Id],
        see: &mut dyn FnMut(&Id, Result<&Match, &Error>),
    ) -> Result<(), Error> {
        let ids: Vec<&str> = ids.iter().map(Id::as_str).collect();
        self.each_of(
            &format!("select id, {LENGTH} from match where id = any($1)"),
            &[(&ids, Type::TEXT_ARRAY)],
            &mut |id, read| match &read {
                Ok(stored) => see(&id, Ok(&stored.game)),
                Err(error) => see(&id, Err(error)),
            },
        )
    }

    fn find(&self, id: &Id) -> Result<Option<Stored>, Error> {
        let found = self.pool.read(|connection| row(connection, id))?;
        found
            .map(|(rev, body)| self.stored(id, rev, body))
            .transpose()
    }

    fn by_address(&self, address: &Address) -> Result<Survey, Error> {
        self.of_mailbox(address, |game| game.has_player(address))
    }

    fn by_referee(&self, address: &Address) -> Result<Vec<Stored>, Error> {
        let survey = self.of_mailbox(address, |game| game.is_referee(address))?;
        Ok(survey.matches)
    }

    fn going_on(&self) -> Result<Vec<Id>, Error> {
        self.select_ids(
            "select id from match where is_open union select id from match where damaged",
        )
    }

    fn going_on_of(&self, address: &Address) -> Result<Vec<Id>, Error> {
        let key = address_key(address);
        let rows = self.pool.read(|connection| {
            connection.query(
                "select id from match where is_open
                 and id in (select id from match_address where address = $1)",
                &[(&key, Type::TEXT)],
            )
        })?;
        Ok(ids_of(&rows))
    }

    fn owing(&self) -> Result<Vec<Id>, Error> {
        self.select_ids("select id from match where owes union select id from match where damaged")
    }

    fn hidden(&self) -> Result<Vec<Id>, Error> {
        self.select_ids("select id from match where damaged")
    }

    /// A claim, which ends by itself if its holder does not come to an end: then a letter
    /// more may count.
    fn lock_counts(&self) -> Result<Option<Box<dyn Any>>, Error> {
        Ok(Some(Box::new(Claim::of_counts(&self.pool)?)))
    }

    /// A claim that is renewed for as long as its holder lives.
    fn lock_partner(&self) -> Result<Option<Box<dyn Any>>, Error> {
        let claim = Claim::of_partner(&self.pool, &self.keeper)?;
        Ok(Some(Box::new(claim)))
    }
}

/// Returns the ids in the first column of rows, sorted.
fn ids_of(rows: &[Row]) -> Vec<Id> {
    let ids = rows.iter().filter_map(|row| row.try_get::<_, &str>(0).ok());
    let mut ids: Vec<Id> = ids.filter_map(|id| id.parse().ok()).collect();
    ids.sort();
    ids
}

/// Checks that a text can be brought into a database.
fn fits(text: &str) -> Result<(), String> {
    if text.len() as u64 > DATABASE_TEXT {
        return Err(format!(
            "its text is longer than {} MiB, which is more than is brought into a database",
            DATABASE_TEXT >> 20
        ));
    }
    if text.contains('\0') {
        return Err("there is a NUL in its text, which a database cannot keep".to_owned());
    }
    Ok(())
}

/// Keeps the old text of a match under a number.
fn keep(connection: &Connection, id: &Id, number: i64, text: &str) -> Result<(), Failure> {
    let values: [SqlValue<'_>; 3] = [
        (&id.as_str(), Type::TEXT),
        (&number, Type::INT8),
        (&text, Type::TEXT),
    ];
    let statement = "insert into match_kept (id, number, body) values ($1, $2, $3)";
    connection.sized(statement, &values, text.len()).map(drop)
}

fn last_kept(connection: &Connection, id: &Id) -> Result<i64, Failure> {
    let rows = connection.query(
        "select number from match_kept where id = $1 order by number desc limit 1",
        &[(&id.as_str(), Type::TEXT)],
    )?;
    let last = rows.first().map(|row| row.try_get(0)).transpose()?;
    Ok(last.unwrap_or(0))
}

/// Reads a row of id and length.
fn lengths(row: &Row) -> Result<(String, usize), Failure> {
    let length: i64 = row.try_get(1)?;
    Ok((row.try_get(0)?, usize::try_from(length).unwrap_or_default()))
}

/// Reads a row of id, revision and text.
fn columns(row: &Row) -> Result<(String, i64, String), Failure> {
    Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
}

/// The time between two looks at a claim that somebody else holds.
const PAUSE: Duration = Duration::from_millis(50);

/// A claim of a match's outgoing mail.
struct Claim {
    pool: Arc<Pool>,
    /// The match, or what else is claimed.
    key: String,
    /// The revision of its row, which no other claim has.
    rev: i64,
    text: String,
    owner: String,
    /// The thread that renews it.
    keeper: Option<Arc<Keeper>>,
}

impl Claim {
    /// Claims the outgoing mail of a match.
    fn take(pool: &Arc<Pool>, keeper: &Arc<Keeper>, id: &Id) -> Result<Claim, Error> {
        Claim::kept(
            pool,
            keeper,
            id.as_str(),
            "is sending the mail of this match",
        )
    }

    /// Claims the thoughts of the partner.
    fn of_partner(pool: &Arc<Pool>, keeper: &Arc<Keeper>) -> Result<Claim, Error> {
        // No id has such a name.
        Claim::kept(pool, keeper, "the partner", "thinks for the partner")
    }

    /// Claims something for as long as this process lives.
    fn kept(pool: &Arc<Pool>, keeper: &Arc<Keeper>, key: &str, what: &str) -> Result<Claim, Error> {
        let mut claim = Claim::of(pool, key, CLAIMED, what)?;
        keeper.keep(&claim.owner, key);
        claim.keeper = Some(Arc::clone(keeper));
        Ok(claim)
    }

    /// Claims the counts of letters.
    fn of_counts(pool: &Arc<Pool>) -> Result<Claim, Error> {
        // No id has such a name.
        Claim::of(pool, "the counts", "10 seconds", "counts letters")
    }

    fn of(pool: &Arc<Pool>, key: &str, length: &'static str, what: &str) -> Result<Claim, Error> {
        let owner = hex(&random::<16>()?);
        let wait = Wait::begin(pool.wait());
        loop {
            if let Some((rev, text)) =
                pool.read(|connection| take(connection, key, length, &owner))?
            {
                let (pool, key) = (Arc::clone(pool), key.to_owned());
                return Ok(Claim {
                    pool,
                    key,
                    rev,
                    text,
                    owner,
                    keeper: None,
                });
            }
            if wait.is_over() {
                return Err(Error::held(format!(
                    "{key}: another process {what} since more than {} seconds; try again later",
                    wait.elapsed().as_secs()
                )));
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Claims something, unless somebody else does. A claim of our own may have been made
/// without our knowing.
fn take(
    connection: &Connection,
    key: &str,
    length: &str,
    owner: &str,
) -> Result<Option<(i64, String)>, Failure> {
    let values = [(&key as _, Type::TEXT), (&owner as _, Type::TEXT)];
    for statement in [
        format!(
            "update match_mail set rev = rev + 1, owner = $2, expires = now() + interval '{length}'
             where id = $1 and (expires <= now() or owner = $2) returning rev, body"
        ),
        format!(
            "insert into match_mail (id, rev, owner, expires, body)
             values ($1, 1, $2, now() + interval '{length}', '')
             on conflict (id) do nothing returning rev, body"
        ),
    ] {
        let rows = connection.query(&statement, &values)?;
        if let Some(row) = rows.first() {
            return Ok(Some((row.try_get(0)?, row.try_get(1)?)));
        }
    }
    Ok(None)
}

impl Sending for Claim {
    fn text(&mut self) -> Result<String, Error> {
        Ok(self.text.clone())
    }

    fn set_text(&mut self, text: &str) -> Result<(), Error> {
        let (id, rev, next) = (self.key.as_str(), self.rev, self.rev + 1);
        let attempt = |connection: &Connection| {
            let rows = connection.query(
                &format!(
                    "update match_mail
                     set body = $3, rev = rev + 1, expires = now() + interval '{CLAIMED}'
                     where id = $1 and rev = $2 returning rev"
                ),
                &[(&id, Type::TEXT), (&rev, Type::INT8), (&text, Type::TEXT)],
            )?;
            Ok(!rows.is_empty())
        };
        let find = |connection: &Connection| {
            let rows = connection.query(
                "select rev from match_mail where id = $1 and owner = $2",
                &[(&id, Type::TEXT), (&self.owner, Type::TEXT)],
            )?;
            let now = rows.first().map(|row| row.try_get::<_, i64>(0));
            match now.transpose()? {
                Some(now) if now == rev => Ok(WriteState::NotYet),
                // Nobody but the owner gives a claim its next revision.
                Some(now) if now == next && is_held(connection, id, next)? => Ok(WriteState::Done),
                _ => Ok(WriteState::Otherwise),
            }
        };
        match self.pool.try_until_known(attempt, find)? {
            WriteOutcome::Done => {
                self.rev = next;
                text.clone_into(&mut self.text);
                Ok(())
            }
            WriteOutcome::Otherwise => Err(overtaken(id)),
            WriteOutcome::Unknown(error) => Err(error),
        }
    }

    /// Changes the match in the transaction that finds the claim unbroken. A process that
    /// has claimed the mail since may be sending it.
    fn change(
        &mut self,
        store: &dyn Store,
        game: &Arc<Match>,
        base: &Revision,
    ) -> Result<Change, Error> {
        let now = || store.read(game.id());
        self.pool.swap(game, base, Some(self.rev), now)
    }
}

impl Drop for Claim {
    /// Lets others claim the mail at once. If that fails the claim ends by itself. Nobody is
    /// its owner any more, whom a renewal on its way would look for.
    fn drop(&mut self) {
        if let Some(keeper) = &self.keeper {
            lock(&keeper.held).claims.remove(&self.owner);
        }
        let _ = self.pool.with(|connection| {
            connection.query(
                "update match_mail set expires = now(), owner = '' where id = $1 and rev = $2",
                &[(&self.key.as_str(), Type::TEXT), (&self.rev, Type::INT8)],
            )
        });
    }
}

/// The length of a claim of mail, as the database writes it.
const CLAIMED: &str = "30 seconds";

/// The time between two renewals: three fit into the length of a claim.
const PERIOD: Duration = Duration::from_secs(8);

/// Renews the claims of a process.
#[derive(Debug)]
struct Keeper {
    pool: Arc<Pool>,
    // A map and a flag, never half changed.
    held: Mutex<Held>,
}

/// The claims that the process holds.
#[derive(Default, Debug)]
struct Held {
    /// The claims by their owners. Each claim has an owner of its own.
    claims: BTreeMap<String, String>,
    is_running: bool,
}

impl Keeper {
    fn new(pool: &Arc<Pool>) -> Keeper {
        Keeper {
            pool: Arc::clone(pool),
            held: Mutex::default(),
        }
    }

    /// Renews a claim until it is taken out of those that are held. Without the thread it ends by itself: its holder
    /// then begins to send no further mail once another process has claimed it.
    fn keep(self: &Arc<Keeper>, owner: &str, key: &str) {
        let mut held = lock(&self.held);
        held.claims.insert(owner.to_owned(), key.to_owned());
        if !held.is_running {
            let keeper = Arc::downgrade(self);
            let thread = thread::Builder::new().name("claims".to_owned());
            held.is_running = thread.spawn(move || run(&keeper)).is_ok();
        }
    }

    /// Renews what is held. Returns false if nothing is.
    fn renew(&self) -> bool {
        let (owners, keys): (Vec<String>, Vec<String>) = {
            let mut held = lock(&self.held);
            held.is_running = !held.claims.is_empty();
            held.claims.clone().into_iter().unzip()
        };
        if owners.is_empty() {
            return false;
        }
        // A claim that has been overtaken has another owner.
        let renewal = format!(
            "update match_mail set expires = now() + interval '{CLAIMED}'
             where id = any($1) and owner = any($2)"
        );
        let values = [
            (&keys as _, Type::TEXT_ARRAY),
            (&owners as _, Type::TEXT_ARRAY),
        ];
        // If it fails, the next one may not.
        let _ = self
            .pool
            .with(|connection| connection.query(&renewal, &values));
        true
    }
}

/// Renews what is held, again and again.
fn run(keeper: &Weak<Keeper>) {
    loop {
        thread::sleep(PERIOD);
        let is_needed = keeper.upgrade().is_some_and(|keeper| keeper.renew());
        if !is_needed {
            return;
        }
    }
}
