//! Messages of one run that are handled side by side: each is certain to be about one
//! match, and most of the time is spent waiting for the disk.
//!
//! The outcome of each is the same as if they were handled one after the other. Messages
//! about one match keep their order. A message that reads other matches waits in its
//! [`Slot`] for those before it, and those behind it change nothing until then that it would
//! read.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use crate::inbound::incoming_message::{self, IncomingMessage};
use crate::inbound::match_lookup;
use crate::inbound::partner_wish::PartnerWish;
use crate::limits::HANDLED;
use crate::mail::limits::HELD_BODY;
use crate::mail::quoting::sent::Sent;
use crate::mail::sources::RawMessage;
use crate::match_id::Id;
use crate::notation::reader::classify;
use crate::referee::candidates::Candidates;
use crate::referee::handler::Handler;
use crate::referee::lanes::{Deferrals, Queue, Slot};
use crate::referee::session::Session;
use crate::referee::verdict::Verdict;
use crate::store::cache::Cache;
use crate::store::errand::Errand;
use crate::store::store::Store as _;
use crate::threads::{self, has_memory_limit, into_inner, lock, on_threads};

/// The messages that make one more thread worth its start.
pub(crate) const EACH: usize = 8;

/// A message that has been parsed.
pub(crate) struct ParsedMessage {
    pub(crate) message: IncomingMessage,
    /// The match that it is about, if it is certain that it reads and changes no other,
    /// except to count.
    pub(crate) about: Option<Id>,
}

impl ParsedMessage {
    /// Returns the message with its match, if it is certain to be about one.
    pub(crate) fn of_match(&self) -> Option<(&IncomingMessage, &Id)> {
        Some((&self.message, self.about.as_ref()?))
    }
}

/// The result of work, or the panic that ended it.
pub(crate) type WorkResult<T> = Result<T, Box<dyn Any + Send>>;

/// The place where messages are handled side by side.
pub(crate) struct SideBySide<'a> {
    session: &'a Session,
    cache: Arc<Cache<'a>>,
    is_dry_run: bool,
    threads: usize,
}

impl<'a> SideBySide<'a> {
    /// Creates the place for so many messages. Returns none for a few, which are handled
    /// one after the other, and where the process has a limit on its memory: the stacks of
    /// threads would take what a message needs, and leave none to say so.
    pub(crate) fn for_messages(
        count: usize,
        session: &'a Session,
        cache: Arc<Cache<'a>>,
        is_dry_run: bool,
    ) -> Option<SideBySide<'a>> {
        let threads = (count / EACH).min(HANDLED);
        (threads > 1 && !has_memory_limit()).then_some(SideBySide {
            session,
            cache,
            is_dry_run,
            threads,
        })
    }

    fn handler<'q>(&'q self, deferrals: Deferrals, slot: Slot<'q>) -> Handler<'q> {
        let mut handler = Handler::over(self.session, Arc::clone(&self.cache), self.is_dry_run);
        handler.deferrals = deferrals;
        handler.slot = slot;
        handler
    }

    /// Parses messages, and finds out which match each is about. Returns none for a message
    /// that must be handled alone: for a long one, and for what is no message.
    pub(crate) fn parse(&self, messages: &[RawMessage]) -> Vec<Option<ParsedMessage>> {
        threads::map(messages, self.threads, |raw| {
            let handler = self.handler(Deferrals::default(), Slot::default());
            // A message that makes the program panic does so again when it is handled.
            let read = catch_unwind(AssertUnwindSafe(|| parse_one(&handler, raw)));
            read.unwrap_or_default()
        })
    }

    /// Handles messages, each in its match. Returns what became of each, up to the first
    /// that made the program panic.
    pub(crate) fn handle(
        &self,
        messages: &[(&IncomingMessage, &Id)],
        deferrals: &mut Deferrals,
    ) -> Vec<WorkResult<Verdict>> {
        let ids: BTreeSet<&Id> = messages.iter().map(|(_, id)| *id).collect();
        let lanes: BTreeMap<&Id, usize> = ids.into_iter().zip(0..).collect();
        let queue = Queue::new(messages.iter().map(|(_, id)| lanes[id]).collect());
        // A message that was deferred has those behind it wait that are about its match.
        let waiting = lanes.values().map(|_| Mutex::new(deferrals.clone()));
        let waiting: Vec<Mutex<Deferrals>> = waiting.collect();
        let outcomes = messages.iter().map(|_| Mutex::default());
        let outcomes: Vec<Mutex<Option<WorkResult<Verdict>>>> = outcomes.collect();
        on_threads(self.threads.min(lanes.len()), &|| {
            while let Some(number) = queue.take() {
                let (message, id) = messages[number];
                let waiting = &waiting[lanes[id]];
                let deferrals = mem::take(&mut *lock(waiting));
                let mut handler = self.handler(deferrals, Slot::of(&queue, number));
                let outcome = catch_unwind(AssertUnwindSafe(|| handler.handle_or_defer(message)));
                *lock(waiting) = handler.deferrals;
                if outcome.is_err() {
                    queue.stop_behind(number);
                }
                *lock(&outcomes[number]) = Some(outcome);
                queue.finish(number);
            }
        });
        for waiting in waiting {
            deferrals.merge(into_inner(waiting));
        }
        outcomes.into_iter().map_while(into_inner).collect()
    }
}

fn parse_one(handler: &Handler<'_>, raw: &RawMessage) -> Option<ParsedMessage> {
    // Long messages are taken apart one at a time.
    if raw.bytes.len() > HELD_BODY {
        return None;
    }
    let banners = &handler.session.config.policy.banners;
    let message = incoming_message::read_without(&raw.bytes, banners).ok()?;
    // A message that would have to wait is handled alone.
    let _errand = Errand::without_waiting();
    let about = handler.only_match(&message);
    Some(ParsedMessage { message, about })
}

impl Handler<'_> {
    /// Returns the match that a message is about, if that is certain whatever is handled
    /// before it, and it reads no other match except to count. One with another id in its
    /// words is not certain, be there such a match or not: a message before it may begin one.
    pub(crate) fn only_match(&self, message: &IncomingMessage) -> Option<Id> {
        let is_letter =
            message.machine.is_none() && message.report.is_none() && message.loops.is_empty();
        if !is_letter || !matches!(self.invitation(message), Ok(None)) {
            return None;
        }
        let lines = classify(&message.text, &Sent::nothing());
        // It may begin a match, which those behind it may be about.
        if PartnerWish::is_in(&lines) {
            return None;
        }
        let written = match_lookup::ids_written(message, &lines);
        if written.len() > 1 {
            return None;
        }
        // Two at most are read, for eight messages at once may name many.
        let mut here = match_lookup::ids_named(message, &lines)
            .into_iter()
            .filter(|id| !matches!(self.cache.find(id), Ok(None)));
        let only = here.next().filter(|_| here.next().is_none())?;
        if written.iter().any(|id| *id != only) {
            return None;
        }
        let candidates = Candidates::named(&*self.cache, message, &lines);
        // The grounds on which a message is certain stay: its own words, the match's players,
        // and the mails in a log that only grows.
        let is_certain = candidates.hidden().is_empty() && candidates.is_certain(message, &lines);
        let mut games = candidates.games();
        match (games.next(), games.next()) {
            (Some(game), None) if is_certain => Some(game.id().clone()),
            _ => None,
        }
    }

    /// Handles a message that is no invitation.
    fn handle_or_defer(&mut self, message: &IncomingMessage) -> Verdict {
        let _errand = Errand::begin();
        let handled = self.handle(message, false);
        Verdict::of_handled(message, handled)
    }
}
