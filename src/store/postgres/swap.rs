//! The replacement of a match's text, by revision.
//!
//! A server writes each value of a row anew that a statement sets, and puts the whole of it into
//! its own log. So a text is in pieces, of which a new line of the log changes two:
//!
//! ```text
//! match.above        what stands above the log, which each line changes
//! match.body         the log as it was when the text was last written as a whole
//! match_part.body    what came later, in the order of the numbers
//! match.tail         the last lines
//! ```
//!
//! A row of an earlier version has all of it in `body`, and so has one that a person has put
//! there.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio_postgres::types::Type;

use crate::Error;
use crate::mail::server_text::ServerText;
use crate::match_id::Id;
use crate::matches::decide::every_address;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::matches::player::mailbox;
use crate::store::postgres::connection::{Connection, Failure, SqlValue};
use crate::store::postgres::pool::{Pool, WriteOutcome, WriteState, random};
use crate::store::state_file::{Continued, LOG};
use crate::store::store::{Change, Open, Revision, Stored, written_from};

/// The number of letters of a hash that tell two sets of addresses apart.
const HASH: usize = 16;

/// A match as it is to be written: its text, and what it is looked up by.
pub(super) struct MatchRow<'t> {
    pub(super) id: &'t Id,
    text: &'t str,
    /// `None` if the text is damaged.
    game: Option<&'t Match>,
    /// The text as a continuation of the one that is there, if it is known to be one.
    continues: Option<Continued<'t>>,
}

/// The revisions before and after a write. A match that is new has none before.
pub(super) struct RevisionStep {
    from: Option<i64>,
    to: i64,
}

impl RevisionStep {
    /// Leads to a revision with a number that no other text ever has. Were it counted, a commit
    /// that was seen and then lost with its server would leave its number to another text, and
    /// whoever has read it would replace that one unseen.
    pub(super) fn from(from: Option<i64>) -> Result<RevisionStep, Error> {
        let to = i64::from_be_bytes(random()?) & i64::MAX;
        Ok(RevisionStep { from, to })
    }
}

impl<'t> MatchRow<'t> {
    /// Writes the whole text of a match, or one that cannot be read.
    pub(super) fn new(id: &'t Id, text: &'t str, game: Option<&'t Match>) -> MatchRow<'t> {
        MatchRow {
            id,
            text,
            game,
            continues: None,
        }
    }

    /// The flags of its row, in the order of the statements.
    fn flags(&self) -> [bool; 3] {
        let open = self.game.map(Open::of).unwrap_or_default();
        [open.is_any(), open.owes, self.game.is_none()]
    }

    /// Adds the match as this revision, in a transaction of the caller's. Returns false if
    /// there is one.
    pub(super) fn insert(
        &self,
        connection: &Connection,
        step: &RevisionStep,
    ) -> Result<bool, Failure> {
        let (above, log) = split(self.text);
        let [is_open, owes, damaged] = self.flags();
        // Parts may be left of a row that somebody has removed.
        let rows = connection.sized(
            "with made as (
                 insert into match (id, rev, above, body, is_open, owes, damaged)
                 values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing
                 returning id, rev),
             gone as (delete from match_part where id in (select id from made))
             select rev from made",
            &[
                (&self.id.as_str(), Type::TEXT),
                (&step.to, Type::INT8),
                (&above, Type::TEXT),
                (&log, Type::TEXT),
                (&is_open, Type::BOOL),
                (&owes, Type::BOOL),
                (&damaged, Type::BOOL),
            ],
            self.text.len(),
        )?;
        if rows.is_empty() {
            return Ok(false);
        }
        self.insert_addresses(connection).map(|()| true)
    }

    /// Replaces the row of one revision by the next. Returns false if it is of another. What
    /// stands in the row already is not sent again.
    fn update(&self, connection: &Connection, step: &RevisionStep) -> Result<bool, Failure> {
        if let Some(text) = &self.continues
            && self.update_end(connection, step, text)?
        {
            return Ok(true);
        }
        // It may be of an earlier version, and somebody may have written to it without a new
        // revision.
        self.update_whole(connection, step)
    }

    /// Replaces what stands above the log, and adds to its end. Returns false if another text is
    /// there, too.
    fn update_end(
        &self,
        connection: &Connection,
        step: &RevisionStep,
        text: &Continued<'_>,
    ) -> Result<bool, Failure> {
        let statement = format!(
            "with changed as (
                 update match set is_open = $3, owes = $4, damaged = $5, rev = $6, above = $7,
                 tail = case when octet_length(match.tail) < {TAIL} then match.tail || $8 else $8 end
                 from match before
                 where match.id = $1 and match.rev = $2 and octet_length(match.above) = $9
                 and {LENGTH} = $10 and before.id = $1 and before.tail = match.tail
                 returning match.id, match.rev, before.tail),
             moved as (
                 insert into match_part (id, number, body)
                 select id, (select coalesce(max(number), 0) + 1 from match_part where id = $1),
                 tail from changed where octet_length(tail) >= {TAIL})
             select rev from changed"
        );
        let values: [SqlValue<'_>; 4] = [
            (&text.above, Type::TEXT),
            (&text.new, Type::TEXT),
            (&text.old_above, Type::INT8),
            (&text.old_text, Type::INT8),
        ];
        let bytes = text.above.len() + text.new.len();
        self.replace(connection, step, &statement, &values, bytes)
    }

    /// Replaces the whole text.
    fn update_whole(&self, connection: &Connection, step: &RevisionStep) -> Result<bool, Failure> {
        let (above, log) = split(self.text);
        let statement = "with changed as (
                 update match set is_open = $3, owes = $4, damaged = $5, rev = $6, above = $7,
                 body = $8, tail = ''
                 where id = $1 and rev = $2 returning id, rev),
             gone as (delete from match_part where id in (select id from changed))
             select rev from changed";
        let values: [SqlValue<'_>; 2] = [(&above, Type::TEXT), (&log, Type::TEXT)];
        self.replace(connection, step, statement, &values, self.text.len())
    }

    /// Runs a statement that replaces the row, with what each such statement needs first and
    /// further values of so many bytes. Returns false if another text is there.
    fn replace(
        &self,
        connection: &Connection,
        step: &RevisionStep,
        statement: &str,
        further: &[SqlValue<'_>],
        bytes: usize,
    ) -> Result<bool, Failure> {
        let id = self.id.as_str();
        let [is_open, owes, damaged] = self.flags();
        let first: [SqlValue<'_>; 6] = [
            (&id, Type::TEXT),
            (&step.from, Type::INT8),
            (&is_open, Type::BOOL),
            (&owes, Type::BOOL),
            (&damaged, Type::BOOL),
            (&step.to, Type::INT8),
        ];
        let rows = connection.sized(statement, &[&first, further].concat(), bytes)?;
        Ok(!rows.is_empty())
    }

    /// Replaces the row of one revision and its addresses, in a transaction of the caller's.
    pub(super) fn update_all(
        &self,
        connection: &Connection,
        step: &RevisionStep,
    ) -> Result<bool, Failure> {
        if !self.update(connection, step)? {
            return Ok(false);
        }
        connection.query(
            "delete from match_address where id = $1",
            &[(&self.id.as_str(), Type::TEXT)],
        )?;
        self.insert_addresses(connection).map(|()| true)
    }

    fn insert_addresses(&self, connection: &Connection) -> Result<(), Failure> {
        for address in self.game.map_or_else(Vec::new, addresses) {
            connection.query(
                "insert into match_address (address, id) values ($1, $2)",
                &[(&address, Type::TEXT), (&self.id.as_str(), Type::TEXT)],
            )?;
        }
        Ok(())
    }
}

/// Returns the mailboxes that speak for the players of a match, and its referee's, sorted.
fn addresses(game: &Match) -> Vec<String> {
    let all = every_address(game).chain(game.settings().referee.as_ref());
    let mut addresses: Vec<String> = all.map(address_key).collect();
    addresses.sort();
    addresses.dedup();
    addresses
}

/// Returns the key that an address is looked up by: its mailbox.
pub(super) fn address_key(address: &lettre::Address) -> String {
    let (name, domain) = mailbox(address);
    format!("{name}@{domain}")
}

/// Returns the revision of a row: its number, and a hash of the addresses that are
/// written for it.
pub(super) fn revision(rev: i64, game: &Match) -> Revision {
    let hash = hex(&Sha256::digest(addresses(game).join("\n")));
    Revision::new(format!("{rev} {}", &hash[..HASH]))
}

/// Returns the number of a row's revision. No row has that of a revision of another store.
pub(super) fn number(revision: &Revision) -> i64 {
    let number = revision.as_str().split(' ').next();
    number.and_then(|number| number.parse().ok()).unwrap_or(-1)
}

/// Returns the hash of the addresses that are written for a revision.
fn hash(revision: &Revision) -> Option<&str> {
    revision.as_str().split(' ').nth(1)
}

/// Returns true if everything in the log of a match is also in that of another.
fn contains(now: &Match, game: &Match) -> bool {
    now.log().starts_with(game.log())
}

impl Pool {
    /// Replaces the text of a match, if it is still of the revision `base` and the claim
    /// of its mail, if the revision of one is given, still holds. The text is read back before
    /// it is sent. `now` reads the match if somebody else was faster.
    ///
    /// # Errors
    ///
    /// If the match certainly stays as it was.
    pub(super) fn swap(
        &self,
        game: &Arc<Match>,
        base: &Revision,
        fence: Option<i64>,
        now: impl FnOnce() -> Result<Stored, Error>,
    ) -> Result<Change, Error> {
        let id = game.id();
        let stored = base.to_continue.as_deref();
        let (text, is_continued) = written_from(game, base)?;
        let text = Arc::new(text);
        let step = RevisionStep::from(Some(number(base)))?;
        let next = revision(step.to, game).with_text(Arc::clone(&text));
        let entry = MatchRow {
            id,
            text: &text.text,
            game: Some(game),
            continues: stored
                .filter(|_| is_continued)
                .and_then(|old| text.beyond(old)),
        };
        let is_elsewhere = hash(&next) != hash(base);
        let attempt = |connection: &Connection| {
            if !is_elsewhere && fence.is_none() {
                return entry.update(connection, &step);
            }
            connection.transaction(|| {
                let is_done = entry.update_all(connection, &step)?;
                match fence {
                    Some(rev) if is_done && !is_held(connection, id.as_str(), rev)? => {
                        Err(overtaken(id.as_str()).into())
                    }
                    _ => Ok(is_done),
                }
            })
        };
        // Others may have gone on from there. The same text under another revision is
        // somebody else's, who was given the same letter.
        let is_longer = |now: Match| now.log().len() > game.log().len() && contains(&now, game);
        let is_beyond = |body: &str| Match::read(body.as_bytes(), id).is_ok_and(is_longer);
        let find = |connection: &Connection| found(connection, id, &step, is_beyond);
        Ok(match self.try_until_known(attempt, find)? {
            WriteOutcome::Done => Change::Done(next),
            WriteOutcome::Otherwise => Change::Conflict(now()?),
            WriteOutcome::Unknown(error) => Change::Unknown(error),
        })
    }
}

/// Finds what has become of a write of a match. What `is_beyond` is true for goes on from it.
pub(super) fn found(
    connection: &Connection,
    id: &Id,
    step: &RevisionStep,
    is_beyond: impl Fn(&str) -> bool,
) -> Result<WriteState, Failure> {
    match row(connection, id)? {
        now if now.as_ref().map(|(rev, _)| *rev) == step.from => Ok(WriteState::NotYet),
        Some((rev, body)) if rev == step.to || is_beyond(&body) => {
            write_unchanged(connection, id, rev).map(|()| WriteState::Done)
        }
        _ => Ok(WriteState::Otherwise),
    }
}

/// Returns true if the claim of something still has this revision, and keeps others from taking
/// it until the transaction ends.
pub(super) fn is_held(connection: &Connection, key: &str, rev: i64) -> Result<bool, Failure> {
    let rows = connection.query(
        "update match_mail set rev = rev where id = $1 and rev = $2 returning rev",
        &[(&key, Type::TEXT), (&rev, Type::INT8)],
    )?;
    Ok(!rows.is_empty())
}

/// Returns the error of a claim that somebody else has taken.
pub(super) fn overtaken(key: &str) -> Error {
    Error::held(format!(
        "{key}: another process sends the mail of this match now; try again later"
    ))
}

/// Reads the revision and the text of a match.
pub(super) fn row(connection: &Connection, id: &Id) -> Result<Option<(i64, String)>, Failure> {
    let rows = connection.query(
        &format!("select rev, {TEXT} from match where id = $1"),
        &[(&id.as_str(), Type::TEXT)],
    )?;
    Ok(match rows.first() {
        Some(row) => Some((row.try_get(0)?, row.try_get(1)?)),
        None => None,
    })
}

/// Writes a row as it is. When that is acknowledged, what is in it is replicated, and so
/// is every commit before.
fn write_unchanged(connection: &Connection, id: &Id, rev: i64) -> Result<(), Failure> {
    let rows = connection.query(
        "update match set rev = rev where id = $1 and rev = $2 returning rev",
        &[(&id.as_str(), Type::TEXT), (&rev, Type::INT8)],
    )?;
    if rows.is_empty() {
        return Err(Failure::Again(ServerText::new("it has changed meanwhile")));
    }
    Ok(())
}

/// The length in bytes from which on a tail becomes a part. A change writes the tail, so that a
/// long one makes each change dearer; short parts are more rows to be read.
const TAIL: usize = 1024;

/// The text of a row of `match`.
pub(super) const TEXT: &str = "match.above || match.body || coalesce((
    select string_agg(match_part.body, '' order by match_part.number) from match_part
    where match_part.id = match.id), '') || match.tail";

/// The length in bytes of the text of a row of `match`, for which no text has to be put together
/// or decompressed.
pub(super) const LENGTH: &str = "cast(
    octet_length(match.above) + octet_length(match.body) + octet_length(match.tail) + coalesce((
    select sum(octet_length(match_part.body)) from match_part
    where match_part.id = match.id), 0) as bigint)";

/// Splits a text into what stands above its log and the log. A text without one has nothing
/// above it.
fn split(text: &str) -> (&str, &str) {
    let heading = format!("\n{LOG}\n");
    let log = text.find(&heading).map_or(0, |at| at + heading.len());
    text.split_at(log)
}
