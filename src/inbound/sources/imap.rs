//! A source for a folder of a mailbox on an IMAP server.
//!
//! The headers of new messages are read in portions, and of the messages only those that
//! concern a match. Everything else stays as it is on the server, unread and unmarked.

pub mod known;
pub mod place;
pub mod stop;

use std::collections::{BTreeSet, VecDeque};
use std::mem;
use std::time::Duration;

use chrono::{DateTime, Days, NaiveDate, Utc};
use tracing::debug;

use crate::Error;
use crate::config::imap::{After, ImapSettings};
use crate::inbound::imap::connection::Connection;
use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::folder::{Head, KEYWORD};
use crate::inbound::imap::login::{self, TlsStream};
use crate::inbound::mail_source::{MailSource, MessageKey, RawMessage, Settlement};
use crate::inbound::sources::imap::known::Known;
use crate::inbound::sources::imap::place::{Place, PlaceFile};
use crate::inbound::sources::imap::stop::Stop;
use crate::limits;

/// The days before the last run from which a folder is read anew: one for time zones, one
/// for clocks that differ.
const MARGIN: Days = Days::new(2);

/// The time between two looks at a folder whose server has no IDLE.
const POLL: Duration = Duration::from_mins(1);

/// What a run does with the folder.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Read also what arrived on this day or later.
    pub since: Option<NaiveDate>,
    /// Change nothing, neither on the server nor here.
    pub is_dry_run: bool,
}

/// The messages of a folder that concern a match.
pub struct ImapSource<'a> {
    settings: &'a ImapSettings,
    stop: &'a Stop,
    wish: Wish,
    server: String,
    connection: Connection<TlsStream>,
    uid_validity: u32,
    /// The UID that the server gave for the next message when the folder was opened.
    uid_next: Option<u32>,
    file: &'a PlaceFile,
    place: Place,
    known: Known,
    /// The messages of the round, ascending but for those that come last.
    found: VecDeque<u32>,
    /// The last message that was dealt with when the round began.
    first: u32,
    /// Those still to be looked at.
    todo: VecDeque<u32>,
    /// Those of them that concern a match.
    chosen: VecDeque<u32>,
    /// The last message of the present portion.
    portion: u32,
    /// The last message of the present round.
    last: u32,
    /// True if a message could neither be dealt with nor kept, so that the place stays.
    is_stuck: bool,
    /// True until the server refuses to tell of messages by itself.
    has_idle: bool,
    bytes_read: u64,
    remarks: BTreeSet<String>,
}

impl<'a> ImapSource<'a> {
    /// Connects to the server and opens the folder.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached or does not let the user in, if there is no such
    /// folder, or if the server cannot do what the settings ask for.
    pub fn open(
        settings: &'a ImapSettings,
        file: &'a PlaceFile,
        stop: &'a Stop,
        wish: Wish,
    ) -> Result<ImapSource<'a>, Error> {
        let server = login::name(settings);
        let failed = |error: ImapError| error.of(&server);
        let unfit = |why: String| Err(failed(ImapError::Unfit(why)));
        let mut connection = login::connect(settings, |tcp| stop.watch(tcp))?;
        let folder = &settings.folder;
        let is_to_change = settings.after != After::Nothing && !wish.is_dry_run;
        let selected = match connection.select(folder, is_to_change) {
            Err(ImapError::No(answer)) if answer.word == "NO" && !answer.is_trouble() => {
                return unfit(format!("the folder '{folder}' cannot be opened: {answer}"));
            }
            selected => selected.map_err(failed)?,
        };
        let Some(uid_validity) = selected.uid_validity else {
            return unfit(format!(
                "it does not keep the numbers of the messages in '{folder}' (no UIDVALIDITY)"
            ));
        };
        match &settings.after {
            After::Nothing => {}
            _ if !is_to_change => {}
            After::Keyword if selected.takes_keyword(KEYWORD) => {}
            After::Keyword => {
                return unfit(format!(
                    "it does not let messages in '{folder}' have the keyword {KEYWORD}; set [imap] after to \"nothing\" or \"move\""
                ));
            }
            After::Move(_) if selected.is_read_only => {
                return unfit(format!(
                    "nothing can be moved out of '{folder}', which is read-only"
                ));
            }
            After::Move(_) if !connection.can_move() => {
                return unfit(
                    "it offers neither MOVE nor UIDPLUS, so that no message can be moved alone; set [imap] after to \"nothing\" or \"keyword\"".to_owned(),
                );
            }
            After::Move(to) => {
                if !connection.has_folder(to).map_err(failed)? {
                    return unfit(format!(
                        "it has no folder '{to}', which move_to names; make it first"
                    ));
                }
            }
        }
        debug!(msg = "-", "match" = "-", server = %server, folder = %folder, "opened");
        Ok(ImapSource {
            settings,
            stop,
            wish,
            has_idle: connection.can("IDLE"),
            connection,
            uid_validity,
            uid_next: selected.uid_next,
            file,
            place: Place::default(),
            known: Known::default(),
            found: VecDeque::new(),
            first: 0,
            todo: VecDeque::new(),
            chosen: VecDeque::new(),
            portion: 0,
            last: 0,
            is_stuck: false,
            bytes_read: 0,
            remarks: BTreeSet::new(),
            server,
        })
    }

    /// Finds the messages of a round: those above the last one that was dealt with, those
    /// to be tried again, and those that the user wants to have read once more.
    ///
    /// # Errors
    ///
    /// If the place cannot be read or written, or the connection fails.
    pub fn begin_round(&mut self, known: Known, now: DateTime<Utc>) -> Result<(), Error> {
        self.known = known;
        self.is_stuck = false;
        let today = now.date_naive();
        let place = self.file.read()?;
        let found = self.find(place, today);
        let found = found.map_err(|error| error.of(&self.server))?;
        self.last = found.last().copied().unwrap_or(0).max(self.place.handled);
        self.portion = self.place.handled;
        self.first = self.place.handled;
        self.found = self.place.in_order(found).into();
        self.todo.clone_from(&self.found);
        self.chosen.clear();
        self.save()
    }

    fn find(&mut self, place: Option<Place>, today: NaiveDate) -> Result<Vec<u32>, ImapError> {
        // Some servers tell of new messages only when asked for news.
        self.connection.look()?;
        self.connection.take_news();
        let since = self.wish.since.take();
        let found = match place {
            Some(place) if place.uid_validity == self.uid_validity => {
                let mut found: BTreeSet<u32> = place.again.clone();
                // What was passed over is looked at again once every match can be read.
                let passed = place.passed.filter(|_| !self.known.has_hidden());
                let last = passed.map_or(place.handled, |uid| {
                    place.handled.min(uid.saturating_sub(1))
                });
                found.extend(self.connection.above(last)?);
                if let Some(since) = since {
                    found.extend(self.connection.since(since)?);
                }
                self.place = place;
                return Ok(found.into_iter().collect());
            }
            Some(place) => {
                self.remarks.insert(format!(
                    "the server has numbered the messages anew; those since {} are read again",
                    place.since
                ));
                let rescan = place.since.checked_sub_days(MARGIN).unwrap_or(place.since);
                let from = since.map_or(rescan, |since| since.min(rescan));
                self.place.since = place.since;
                self.connection.since(from)?
            }
            None => {
                self.place.since = since.unwrap_or(today);
                if let Some(since) = since {
                    self.connection.since(since)?
                } else {
                    self.remarks.insert("this is the first run: mail that arrives from now on is read; '--since YYYY-MM-DD' reads earlier mail".to_owned());
                    Vec::new()
                }
            }
        };
        self.place.uid_validity = self.uid_validity;
        self.place.again.clear();
        self.place.broken.clear();
        self.place.passed = None;
        self.place.handled = match found.first() {
            Some(first) => first.saturating_sub(1),
            None => match self.uid_next {
                Some(next) => next.saturating_sub(1),
                None => self.connection.last()?,
            },
        };
        Ok(found)
    }

    /// Begins the round anew, for matches that are there since it began.
    ///
    /// # Errors
    ///
    /// If the place cannot be written.
    pub fn begin_again(&mut self, known: Known) -> Result<(), Error> {
        self.known = known;
        self.chosen.clear();
        self.todo.clone_from(&self.found);
        self.portion = self.first;
        // If the connection breaks, the next run looks at them.
        self.place.handled = self.first;
        self.save()
    }

    /// Returns the name of the folder and its server, for messages.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("'{}' on {}", self.settings.folder, self.settings.host)
    }

    /// Ends a round in which every message was asked for. All of them are dealt with, but
    /// for those that are kept.
    ///
    /// # Errors
    ///
    /// If the place cannot be written, or it is not known that every match can be read.
    pub fn end_round(&mut self, now: DateTime<Utc>) -> Result<(), Error> {
        if !self.todo.is_empty() || !self.chosen.is_empty() {
            return Ok(());
        }
        self.advance(self.last);
        if self.place.passed.is_some() && !self.known.has_hidden() {
            self.confirm()?;
            self.place.passed = None;
        }
        if self.place.passed.is_some() {
            self.remarks.insert(
                "mail was passed over that may be about a match that cannot be read ('parapost list' names it); it is looked at again once the match can be"
                    .to_owned(),
            );
        } else if self.place.again.is_empty() && !self.is_stuck {
            self.place.since = now.date_naive();
        }
        self.save()
    }

    /// Waits until messages come, but at most so long.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub fn wait(&mut self, longest: Duration) -> Result<(), Error> {
        if self.connection.take_news() {
            return Ok(());
        }
        if self.has_idle {
            match self.connection.idle(longest) {
                Err(ImapError::No(_)) => self.has_idle = false,
                waited => return waited.map_err(|error| error.of(&self.server)),
            }
        }
        self.stop.sleep(longest.min(POLL));
        Ok(())
    }

    /// Takes leave of the server.
    pub fn leave(mut self) {
        self.connection.leave();
    }

    /// Returns what people should know of this round, each in a sentence, and forgets it.
    pub fn take_remarks(&mut self) -> BTreeSet<String> {
        mem::take(&mut self.remarks)
    }

    /// Returns true if messages are to be tried again.
    #[must_use]
    pub fn keeps_messages(&self) -> bool {
        !self.place.again.is_empty() || self.is_stuck
    }

    /// Chooses the messages of the next portion that concern a match.
    fn choose(&mut self) -> Result<(), ImapError> {
        self.advance(self.portion);
        let pairs = self.todo.iter().zip(self.todo.iter().skip(1));
        let ascending = 1 + pairs.take_while(|(one, next)| one < next).count();
        let size = ascending.min(self.todo.len()).min(limits::IMAP_PORTION);
        let portion: Vec<u32> = self.todo.drain(..size).collect();
        let heads = self.heads(&portion)?;
        let (ours, others): (Vec<_>, Vec<_>) = heads.into_iter().partition(|head| head.is_ours);
        let mut chosen: Vec<u32> = ours.iter().map(|head| head.uid).collect();
        let mut unsearched = false;
        if !others.is_empty() {
            let uids: Vec<u32> = others.iter().map(|head| head.uid).collect();
            let named = match self.connection.containing(&uids, &self.known.words()) {
                // Without that, whoever is known or answers a mail of ours is still found.
                Err(ImapError::No(answer)) if !answer.is_trouble() => Vec::new(),
                Err(ImapError::No(answer)) => {
                    let remark = format!("messages could not be searched: {answer}");
                    for uid in uids {
                        self.keep(uid, Some(remark.clone()));
                    }
                    unsearched = true;
                    Vec::new()
                }
                named => named?,
            };
            let named = others
                .iter()
                .filter(|head| named.binary_search(&head.uid).is_ok());
            chosen.extend(named.map(|head| head.uid));
        }
        chosen.sort_unstable();
        for head in others.iter().filter(|_| !unsearched) {
            if chosen.binary_search(&head.uid).is_err() {
                self.forget(head.uid);
                if self.known.has_hidden() {
                    let first = self.place.passed.unwrap_or(head.uid);
                    self.place.passed = Some(first.min(head.uid));
                }
            }
        }
        self.portion = portion
            .last()
            .copied()
            .unwrap_or(self.portion)
            .max(self.portion);
        self.chosen = chosen.into();
        let (looked_at, chosen) = (portion.len(), self.chosen.len());
        debug!(msg = "-", "match" = "-", looked_at, chosen, "read headers");
        Ok(())
    }

    /// Returns when the choice rests on what is true. What is passed over is not looked at again.
    fn confirm(&self) -> Result<(), Error> {
        if self.wish.is_dry_run {
            return Ok(());
        }
        self.known.confirm()
    }

    /// Reads the heads of messages, ascending. Messages that are gone are forgotten; one
    /// that the server cannot read is kept.
    fn heads(&mut self, uids: &[u32]) -> Result<Vec<Looked>, ImapError> {
        match self.heads_at_once(uids) {
            Err(ImapError::No(_)) => {}
            Ok(heads) => {
                for uid in uids {
                    if heads.binary_search_by_key(uid, |head| head.uid).is_err() {
                        self.forget(*uid);
                    }
                }
                return Ok(heads);
            }
            failed => return failed,
        }
        // Some messages are gone, or the server has trouble with one of them.
        self.connection.look()?;
        let mut heads = Vec::new();
        for uid in uids {
            match self.heads_at_once(&[*uid]) {
                Err(ImapError::No(answer)) => {
                    self.keep(*uid, Some(format!("a message cannot be read: {answer}")));
                }
                Ok(head) if head.is_empty() => {
                    self.forget(*uid);
                }
                head => heads.extend(head?),
            }
        }
        Ok(heads)
    }

    fn heads_at_once(&mut self, uids: &[u32]) -> Result<Vec<Looked>, ImapError> {
        let known = &self.known;
        let mut heads: Vec<Looked> = Vec::new();
        self.connection.heads(uids, |head| {
            let Head { uid, fields } = head;
            let is_ours = known.concerns(&fields);
            // A server may tell of a message twice.
            if let Err(at) = heads.binary_search_by_key(&uid, |head| head.uid) {
                heads.insert(at, Looked { uid, is_ours });
            }
        })?;
        Ok(heads)
    }

    /// Reads a message that was chosen. Returns none if it is gone or kept.
    fn read(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        let read = match self.connection.message(uid) {
            Err(ImapError::No(_)) => {
                self.connection.look()?;
                self.connection.message(uid)
            }
            read => read,
        };
        match read {
            Err(ImapError::No(answer)) => {
                self.keep(uid, Some(format!("a message cannot be read: {answer}")));
                Ok(None)
            }
            Ok(None) => {
                self.forget(uid);
                Ok(None)
            }
            read => read,
        }
    }

    /// Reads a message that was chosen. One that ends the connection is kept, so that it
    /// can come behind the others.
    fn read_or_note(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        let read = self.read(uid);
        if read.is_err() && !self.stop.is_set() {
            self.keep(uid, None);
            self.place.note_break(uid);
            // Without the note it is read first again.
            let _ = self.save();
        }
        read
    }

    /// Forgets a message that is dealt with or gone.
    fn forget(&mut self, uid: u32) {
        self.place.again.remove(&uid);
        self.place.forget_breaks(uid);
    }

    /// Does on the server what is to be done with a message whose match is saved.
    fn put_away(&mut self, uid: u32) -> Result<(), ImapError> {
        match &self.settings.after {
            After::Nothing => Ok(()),
            After::Keyword => self.connection.mark(uid, KEYWORD),
            After::Move(to) => self.connection.move_to(uid, to),
        }
    }

    /// Keeps a message to be tried again in the next round.
    fn keep(&mut self, uid: u32, remark: Option<String>) {
        if self.place.again.len() < limits::IMAP_AGAIN || self.place.again.contains(&uid) {
            self.place.again.insert(uid);
        } else {
            self.is_stuck = true;
        }
        self.remarks.extend(remark);
    }

    /// Notes that everything up to a message is dealt with or kept.
    fn advance(&mut self, uid: u32) {
        if !self.is_stuck {
            self.place.handled = self.place.handled.max(uid);
        }
    }

    fn save(&self) -> Result<(), Error> {
        if self.wish.is_dry_run {
            return Ok(());
        }
        self.file.write(&self.place)
    }
}

impl MailSource for ImapSource<'_> {
    fn bytes_expected(&self) -> u64 {
        // What is in a folder that concerns a match is known only at its end.
        0
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// The next portion begins behind this one.
    fn must_be_settled(&self) -> bool {
        self.chosen.is_empty()
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        loop {
            if self.stop.is_set() {
                return None;
            }
            let read = if let Some(uid) = self.chosen.pop_front() {
                self.read_or_note(uid).map(|bytes| Some((uid, bytes?)))
            } else if self.todo.is_empty() {
                return None;
            } else {
                match self.choose().map(|()| self.confirm()) {
                    Ok(Err(error)) => return Some(Err(error)),
                    chosen => chosen.map(|_| None),
                }
            };
            match read {
                Ok(None) => {}
                Ok(Some((uid, bytes))) => {
                    self.bytes_read += bytes.len() as u64;
                    let key = MessageKey(uid.into());
                    return Some(Ok(RawMessage { key, bytes }));
                }
                Err(error) => return Some(Err(error.of(&self.server))),
            }
        }
    }

    /// Puts the message away on the server, and then notes the place, so that a run that
    /// is ended in between does it again: the message is a duplicate then.
    fn settled(&mut self, key: MessageKey, settlement: Settlement) -> Result<(), Error> {
        let Ok(uid) = u32::try_from(key.0) else {
            return Ok(());
        };
        match settlement {
            Settlement::Deferred => {
                self.place.forget_breaks(uid);
                self.keep(uid, None);
            }
            Settlement::NotOurs => {
                self.forget(uid);
            }
            Settlement::Handled => {
                let busy = self.stop.busy();
                let put_away = self.put_away(uid);
                drop(busy);
                match put_away {
                    Ok(()) => {
                        self.forget(uid);
                    }
                    Err(ImapError::No(answer)) => {
                        let what = match &self.settings.after {
                            After::Move(to) => format!("moved to '{to}'"),
                            _ => format!("marked with {KEYWORD}"),
                        };
                        let remark = format!(
                            "a message that is dealt with could not be {what}, and stays where it is: "
                        );
                        // A server may say the same in other words each time.
                        let mut known = self.remarks.iter();
                        let is_told = known.any(|known| known.starts_with(&remark));
                        self.keep(uid, (!is_told).then(|| format!("{remark}{answer}")));
                    }
                    Err(error) => return Err(error.of(&self.server)),
                }
            }
        }
        self.advance(uid);
        self.save()
    }
}

/// What a look at the head of a message has told.
struct Looked {
    uid: u32,
    /// True if the message concerns a match.
    is_ours: bool,
}
