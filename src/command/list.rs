//! `parapost list`: lists the matches and their state.

mod facts;
pub(super) mod listed;
mod memo;
mod table;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use crate::command::context::Context;
use crate::command::fetched;
use crate::command::list::facts::Facts;
use crate::command::list::listed::ListedMatch;
use crate::command::list::memo::{Memo, Rows};
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::player::Player;
use crate::store::store::{Open, Store};
use crate::threads::{has_memory_limit, on_threads};
use crate::{Error, args, clock, columns};

/// The matches that a thread lists at a time.
const PORTION: usize = 256;

/// A match whose file cannot be read.
#[derive(Serialize)]
struct Damaged {
    id: String,
    error: String,
}

pub(super) fn run(args: &args::List, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    let config = context.config()?;
    let me = config.somebody().map(|me| &me.player);
    let now = clock::now()?;
    for remark in store.remarks(args.all)? {
        context.say(format_args!("parapost: {remark}"));
    }
    let ids = if args.all {
        store.ids()?
    } else {
        store.going_on()?
    };
    let memo = Memo::of(&*store, &ids, me).filter(|_| !args.all);
    let look = Look {
        store: &*store,
        is_of_all: args.all,
        me,
        rows: memo.as_ref().map(Memo::rows),
    };
    let mut seen = Seen::default();
    // A place that cannot be read is no reason to list nothing.
    let imap = config.imap.as_ref();
    let fetched = imap.map(|imap| fetched::last(imap, context));
    if args.json {
        let mut before = "";
        context.print("{\"matches\":[")?;
        look.over(&ids, &mut seen, &mut |facts| {
            context.print(before)?;
            before = ",";
            context.print_part(&ListedMatch::of(facts, now))
        })?;
        context.print("],\"damaged\":")?;
        context.print_part(&seen.damaged)?;
        if let Some(Ok(fetched)) = &fetched {
            context.print(",\"fetched\":")?;
            context.print_part(fetched)?;
        }
        context.print("}\n")?;
    } else {
        let mut rows = Vec::new();
        look.over(&ids, &mut seen, &mut |facts| {
            rows.push(ListedMatch::of(facts, now).row());
            Ok(())
        })?;
        if context.is_shown {
            let room = columns::of_terminal();
            if rows.is_empty() {
                context.say(hint(args.all, &*store));
            } else {
                context.print(table::for_people(&rows, room, context.out))?;
            }
        } else {
            context.print(table::plain(&rows, context.out))?;
        }
        for Damaged { error, .. } in &seen.damaged {
            context.say_error(error);
        }
        match fetched {
            None => {}
            Some(Ok(Some(time))) => {
                context.say(format_args!("Mail was last fetched to its end: {time}."));
            }
            Some(Ok(None)) => {
                context.say("Mail has never been fetched to its end: 'parapost fetch' reads it.");
            }
            Some(Err(error)) => context.say_error(&error),
        }
    }
    if let Some(memo) = &memo {
        memo.leave(&*store, &seen.rows);
    }
    Ok(if seen.damaged.is_empty() {
        Status::Done
    } else {
        Status::Refused
    })
}

/// Tells somebody whose list is empty what to do.
fn hint(is_of_all: bool, store: &dyn Store) -> String {
    if is_of_all {
        format!(
            "There is no match in {} yet. 'parapost new' begins one, 'parapost receive' takes in an invitation.",
            store.place()
        )
    } else {
        format!(
            "No match in {} has anything left to do. 'parapost list --all' lists those that are over, 'parapost new' begins one.",
            store.place()
        )
    }
}

/// How matches are looked at for a list.
struct Look<'l> {
    store: &'l dyn Store,
    /// True if those that are over are listed, too.
    is_of_all: bool,
    me: Option<&'l Player>,
    /// What an earlier list has left behind; none if this one leaves nothing.
    rows: Option<Rows<'l>>,
}

/// What is kept of the matches that a list has looked at.
#[derive(Default)]
struct Seen {
    damaged: Vec<Damaged>,
    /// What is left behind for the next list.
    rows: String,
}

/// Matches that a thread has looked at.
#[derive(Default)]
struct Portion {
    facts: Vec<Facts>,
    seen: Seen,
}

impl Look<'_> {
    /// Looks at matches, on as many threads as there are processors, and takes what is to be
    /// listed in the order of the ids. However many there are, a few are held at a time.
    fn over(
        &self,
        ids: &[Id],
        seen: &mut Seen,
        take: &mut dyn FnMut(Facts) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let threads = match thread::available_parallelism() {
            Ok(threads) if !has_memory_limit() && ids.len() > PORTION => threads.get(),
            _ => 1,
        };
        for ids in ids.chunks(PORTION * threads) {
            let portions: Vec<_> = ids
                .chunks(PORTION)
                .map(|ids| (ids, Mutex::default()))
                .collect();
            let next = AtomicUsize::new(0);
            on_threads(threads, &|| {
                while let Some((ids, portion)) = portions.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let looked_at = self.at(ids);
                    *portion.lock().unwrap_or_else(PoisonError::into_inner) = Some(looked_at);
                }
            });
            for (_, portion) in portions {
                let portion = portion.into_inner().unwrap_or_else(PoisonError::into_inner);
                if let Some(portion) = portion.transpose()? {
                    seen.damaged.extend(portion.seen.damaged);
                    seen.rows.push_str(&portion.seen.rows);
                    portion.facts.into_iter().try_for_each(&mut *take)?;
                }
            }
        }
        Ok(())
    }

    /// Looks at some matches.
    fn at(&self, ids: &[Id]) -> Result<Portion, Error> {
        let mut portion = Portion::default();
        let (mut new, mut stamps) = (Vec::new(), Vec::new());
        for id in ids {
            let Some(rows) = &self.rows else {
                new.push(id.clone());
                continue;
            };
            let stamp = self.store.stamp(id);
            let stamped = stamp.as_ref();
            if let Some(facts) = stamped.and_then(|stamp| memo::recalled(rows, id, stamp)) {
                let row = rows.get(id.as_str()).copied().unwrap_or_default();
                let _ = writeln!(portion.seen.rows, "{id} {row}");
                portion.facts.push(facts);
            } else {
                new.push(id.clone());
                stamps.extend(stamp.map(|stamp| (id, stamp)));
            }
        }
        self.store.show(&new, &mut |id, read| match read {
            Ok(game) => {
                if self.is_of_all || Open::of(game).is_any() {
                    let facts = Facts::of(game, self.me);
                    let stamp = stamps.binary_search_by(|(known, _)| (*known).cmp(id));
                    let row = stamp
                        .ok()
                        .and_then(|at| memo::row(id, &stamps[at].1, &facts));
                    portion.seen.rows.extend(row);
                    portion.facts.push(facts);
                }
            }
            Err(error) => portion.seen.damaged.push(Damaged {
                id: id.to_string(),
                error: error.to_string(),
            }),
        })?;
        portion.facts.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(portion)
    }
}
