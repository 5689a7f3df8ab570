//! The claim of a match's outgoing mail, with the text about the attempts to send it.
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

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::Duration;

use tokio_postgres::types::Type;

use crate::Error;
use crate::match_id::Id;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::store::errand::Wait;
use crate::store::postgres::connection::{Connection, Failure};
use crate::store::postgres::pool::{Pool, WriteOutcome, WriteState, random};
use crate::store::postgres::swap::{is_held, overtaken};
use crate::store::store::{Change, Revision, Sending, Store};
use crate::threads::lock;

/// The time between two looks at a claim that somebody else holds.
const PAUSE: Duration = Duration::from_millis(50);

/// A claim of a match's outgoing mail.
pub(super) struct Claim {
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
    pub(super) fn take(pool: &Arc<Pool>, keeper: &Arc<Keeper>, id: &Id) -> Result<Claim, Error> {
        Claim::kept(
            pool,
            keeper,
            id.as_str(),
            "is sending the mail of this match",
        )
    }

    /// Claims the thoughts of the partner.
    pub(super) fn of_partner(pool: &Arc<Pool>, keeper: &Arc<Keeper>) -> Result<Claim, Error> {
        // No id has such a name.
        Claim::kept(pool, keeper, "the partner", "thinks for the partner")
    }

    /// Claims something for as long as this process lives.
    fn kept(pool: &Arc<Pool>, keeper: &Arc<Keeper>, key: &str, what: &str) -> Result<Claim, Error> {
        let mut claim = Claim::of(pool, key, LENGTH, what)?;
        keeper.keep(&claim.owner, key);
        claim.keeper = Some(Arc::clone(keeper));
        Ok(claim)
    }

    /// Claims the counts of letters.
    pub(super) fn of_counts(pool: &Arc<Pool>) -> Result<Claim, Error> {
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
                     set body = $3, rev = rev + 1, expires = now() + interval '{LENGTH}'
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
const LENGTH: &str = "30 seconds";

/// The time between two renewals: three fit into the length of a claim.
const PERIOD: Duration = Duration::from_secs(8);

/// Renews the claims of a process.
#[derive(Debug)]
pub(super) struct Keeper {
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
    pub(super) fn new(pool: &Arc<Pool>) -> Keeper {
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
            "update match_mail set expires = now() + interval '{LENGTH}'
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
