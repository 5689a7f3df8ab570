//! The thread that renews the claims of mail of a process for as long as it lives.
//!
//! It begins with the first claim and ends when none was held at the time of a renewal: most
//! claims last some milliseconds, and no thread should begin and end with each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use tokio_postgres::types::Type;

use crate::store::postgres::failure::Failure;
use crate::store::postgres::pool::Pool;

/// The length of a claim of mail, as the database writes it.
pub(super) const LENGTH: &str = "30 seconds";

/// The time between two renewals: three fit into the length of a claim.
const PERIOD: Duration = Duration::from_secs(8);

/// Renews the claims of a process.
#[derive(Debug)]
pub(super) struct Keeper {
    pool: Arc<Pool>,
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

    fn held(&self) -> MutexGuard<'_, Held> {
        // A map and a flag, never half changed.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews a claim until it is released. Without the thread it ends by itself: its holder
    /// then begins to send no further mail once another process has claimed it.
    pub(super) fn keep(self: &Arc<Keeper>, owner: &str, key: &str) {
        let mut held = self.held();
        held.claims.insert(owner.to_owned(), key.to_owned());
        if !held.is_running {
            let keeper = Arc::downgrade(self);
            let thread = thread::Builder::new().name("claims".to_owned());
            held.is_running = thread.spawn(move || run(&keeper)).is_ok();
        }
    }

    /// Renews a claim no more.
    pub(super) fn release(&self, owner: &str) {
        self.held().claims.remove(owner);
    }

    /// Renews what is held. Returns false if nothing is.
    fn renew_all(&self) -> bool {
        let (owners, keys): (Vec<String>, Vec<String>) = {
            let mut held = self.held();
            if held.claims.is_empty() {
                held.is_running = false;
                return false;
            }
            held.claims.clone().into_iter().unzip()
        };
        // If it fails, the next one may not.
        let _ = self.renew(&keys, &owners);
        true
    }

    /// Renews claims, by their keys and owners. One that has been overtaken has another owner.
    fn renew(&self, keys: &[String], owners: &[String]) -> Result<(), Failure> {
        let renewal = format!(
            "update match_mail set expires = now() + interval '{LENGTH}'
             where id = any($1) and owner = any($2)"
        );
        self.pool.with(|connection| {
            let values = [
                (&keys as _, Type::TEXT_ARRAY),
                (&owners as _, Type::TEXT_ARRAY),
            ];
            connection.query(&renewal, &values).map(drop)
        })
    }
}

/// Renews what is held, again and again.
fn run(keeper: &Weak<Keeper>) {
    loop {
        thread::sleep(PERIOD);
        let is_needed = keeper.upgrade().is_some_and(|keeper| keeper.renew_all());
        if !is_needed {
            return;
        }
    }
}
