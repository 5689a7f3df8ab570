//! A source for a folder of a mailbox on an IMAP server.
//!
//! The headers of new messages are read in portions, and of the messages only those that
//! concern a thread. Everything else stays as it is on the server, unread and unmarked. The
//! messages of a round are those behind the place up to which the folder has been read.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, mem};

use chrono::{DateTime, Days, NaiveDate, Utc};
use tracing::debug;

use crate::files::HeldLock;
use crate::imap::ImapError;
use crate::imap::connection::{self, Connection};
use crate::imap::folder::{Head, Selected};
use crate::settings::{After, ImapSettings};
use crate::sources::place::{
    Complete, OldMail, Place, PlaceFile, Places, StoredPlace, TRACES, Trace,
};
use crate::sources::{
    Anew, Concern, Interest, MailSource, MessageKey, Nothing, RawMessage, Settlement, Stop,
};
use crate::wire::TlsStream;
use crate::{Error, limits};

/// A word that stands in an answer that one of our links has begun.
const ANSWER_CODE: &str = "Answer code";

/// The time between two looks at a folder whose server has no IDLE.
const POLL: Duration = Duration::from_mins(1);

/// The use that a run makes of the folder.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Read also what arrived on this day or later.
    pub since: Option<NaiveDate>,
    /// Change nothing, neither on the server nor here.
    pub is_dry_run: bool,
}

/// The messages of a folder that concern a thread.
pub struct ImapSource<'a> {
    settings: &'a ImapSettings,
    stop: &'a Stop,
    wish: Wish,
    server: String,
    connection: Connection<TlsStream>,
    /// The folder as the server describes it.
    selected: Selected,
    /// The number that changes when the UIDs of the folder mean other messages.
    uid_validity: u32,
    places: &'a Places,
    /// The file of the place, once the folder is known again.
    file: Option<PlaceFile>,
    /// The locks of places of other names of the server.
    locks: BTreeMap<PathBuf, HeldLock>,
    place: Place,
    interest: Box<dyn Interest>,
    /// The messages that the user wants to have read, whenever they came.
    wished: BTreeSet<u32>,
    /// The messages of the round, ascending but for those that come last.
    found: VecDeque<u32>,
    /// The last message that was dealt with when the round began.
    first: u32,
    /// The letters of expected senders that name no thread, counted when the round began.
    unnamed_before: u32,
    /// Those still to be looked at.
    todo: VecDeque<u32>,
    /// Those of them that concern a thread.
    chosen: VecDeque<u32>,
    /// The traces of the messages of the present portion.
    traces: BTreeMap<u32, Trace>,
    /// The letters of expected senders in it that are old and name no thread.
    unnamed: BTreeSet<u32>,
    /// The last message of the present portion.
    portion: u32,
    /// The last message of the present round.
    last: u32,
    /// When the round began.
    now: DateTime<Utc>,
    /// True if a message could neither be dealt with nor kept, so that the place stays.
    is_stuck: bool,
    /// True until the server refuses to tell of messages by itself.
    has_idle: bool,
    bytes_read: u64,
    remarks: BTreeSet<String>,
    /// What the round looks at.
    summary: RoundSummary,
}

/// What a round has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundSummary {
    /// The messages whose header was to be looked at.
    pub looked_at: usize,
    /// Those of them that were read.
    pub read: usize,
    /// The time since which they had come, or the day.
    pub since: Complete,
}

impl ImapSource<'_> {
    /// Begins a round: finds its messages. `beginning` tells the day from which a folder
    /// without a place is read.
    ///
    /// # Errors
    ///
    /// If the place cannot be read or written, the connection fails, or `beginning` does.
    pub fn begin_round(
        &mut self,
        interest: impl Interest + 'static,
        now: DateTime<Utc>,
        beginning: &dyn Fn(DateTime<Utc>) -> Result<NaiveDate, Error>,
    ) -> Result<(), Error> {
        self.interest = Box::new(interest);
        self.is_stuck = false;
        self.now = now;
        // Some servers tell of new messages only when asked for news.
        self.connection
            .look()
            .map_err(|error| error.of(&self.server))?;
        self.connection.take_news();
        let wished = self.wish.since;
        let found = self.find(now, beginning)?;
        self.summary = RoundSummary {
            looked_at: found.len(),
            read: 0,
            since: self.begun(wished),
        };
        self.last = found.last().copied().unwrap_or(0).max(self.place.handled);
        self.portion = self.place.handled;
        self.first = self.place.handled;
        self.unnamed_before = self.place.old.as_ref().map_or(0, |old| old.unnamed);
        self.found = self.place.in_order(found).into();
        self.todo.clone_from(&self.found);
        self.chosen.clear();
        self.save()
    }

    /// Begins the round anew, for what is there since it began.
    ///
    /// # Errors
    ///
    /// If the place cannot be written.
    pub fn begin_again(&mut self, interest: impl Interest + 'static) -> Result<(), Error> {
        self.interest = Box::new(interest);
        self.chosen.clear();
        self.todo.clone_from(&self.found);
        self.portion = self.first;
        // If the connection breaks, the next run looks at them.
        self.place.handled = self.first;
        self.unnamed.clear();
        if let Some(old) = &mut self.place.old {
            old.unnamed = self.unnamed_before;
        }
        self.save()
    }

    /// Returns since when what the round finds has come: since the folder was last read to its
    /// end, or since an earlier day that the user has wished for.
    fn begun(&self, wished: Option<NaiveDate>) -> Complete {
        let day = Complete::Day(self.place.since);
        let last = self.place.complete.map_or(day, Complete::Time);
        let is_earlier = |wished: &NaiveDate| *wished <= last.day();
        wished.filter(is_earlier).map_or(last, Complete::Day)
    }

    /// Returns what the round has looked at.
    #[must_use]
    pub fn summary(&self) -> RoundSummary {
        self.summary
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
    /// If the place cannot be written, or it is not known that everything can be read.
    pub fn end_round(&mut self, now: DateTime<Utc>) -> Result<(), Error> {
        if !self.todo.is_empty() || !self.chosen.is_empty() {
            return Ok(());
        }
        self.advance(self.last);
        self.tell_of_unnamed();
        if self.place.passed.is_some() && !self.interest.has_hidden() {
            self.confirm()?;
            self.place.passed = None;
        }
        if self.place.passed.is_some() {
            self.remarks.insert(self.interest.passed_over());
        } else if self.place.again.is_empty() && !self.is_stuck {
            self.place.since = now.date_naive();
            self.place.complete = Some(now);
        }
        self.save()
    }

    /// Says once how many letters of expected senders were not read, since nobody knows which thread
    /// they mean, or whether they are about one.
    fn tell_of_unnamed(&mut self) {
        let Some(old) = self.place.old.as_mut().filter(|old| old.unnamed > 0) else {
            return;
        };
        let letters = mem::take(&mut old.unnamed);
        self.remarks
            .insert(self.interest.unread(letters, old.since));
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

    /// Returns the old mail to which a message belongs, of which less is read than of
    /// mail that comes.
    fn old(&self, uid: u32) -> Option<&OldMail> {
        let is_it = |old: &&OldMail| uid <= old.until && !self.wished.contains(&uid);
        self.place.old.as_ref().filter(is_it)
    }

    /// Chooses the messages of the next portion that concern a thread.
    fn choose(&mut self) -> Result<(), ImapError> {
        let pairs = self.todo.iter().zip(self.todo.iter().skip(1));
        let pairs = pairs.take(limits::IMAP_PORTION);
        let ascending = 1 + pairs.take_while(|(one, next)| one < next).count();
        let size = ascending.min(self.todo.len()).min(limits::IMAP_PORTION);
        let portion: Vec<u32> = self.todo.drain(..size).collect();
        self.traces.clear();
        let heads = self.heads(&portion)?;
        let (ours, others): (Vec<_>, Vec<_>) = heads.into_iter().partition(|head| head.is_ours);
        let mut chosen: Vec<u32> = ours.iter().map(|head| head.uid).collect();
        let mut unsearched = false;
        if !others.is_empty() {
            let uids: Vec<u32> = others.iter().map(|head| head.uid).collect();
            let mut words = self.interest.words();
            if others.iter().any(|head| head.is_expected) {
                words.push(ANSWER_CODE);
            }
            let named = match self.connection.containing(&uids, &words) {
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
                if head.is_expected && !head.is_known {
                    self.unnamed.insert(head.uid);
                }
                if self.interest.has_hidden() {
                    let first = self.place.passed.unwrap_or(head.uid);
                    self.place.passed = Some(first.min(head.uid));
                }
            }
        }
        let last = portion.last().copied().unwrap_or_default();
        self.portion = self.portion.max(last);
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
        self.interest.confirm()
    }

    /// Reads the heads of messages, ascending. Messages that are gone are forgotten; one
    /// that the server cannot read is kept.
    fn heads(&mut self, uids: &[u32]) -> Result<Vec<Looked>, ImapError> {
        let mut refused = BTreeSet::new();
        let mut heads = match self.heads_at_once(uids) {
            Err(ImapError::No(_)) => {
                // Some messages are gone, or the server has trouble with one of them.
                self.connection.look()?;
                let mut heads = Vec::new();
                for uid in uids {
                    match self.heads_at_once(&[*uid]) {
                        Err(ImapError::No(answer)) => {
                            self.keep_unread(*uid, &answer);
                            refused.insert(*uid);
                        }
                        head => heads.extend(head?),
                    }
                }
                heads
            }
            heads => heads?,
        };
        heads.sort_unstable_by_key(|head| head.uid);
        let is_read = |uid: &u32| heads.binary_search_by_key(uid, |head| head.uid).is_ok();
        let missing = uids.iter().copied();
        let missing = missing.filter(|uid| !is_read(uid) && !refused.contains(uid));
        let missing: Vec<u32> = missing.collect();
        self.forget_gone(&missing)?;
        Ok(heads)
    }

    /// Forgets those of some messages that are gone. A server that gives nothing of a message may
    /// still have it: that one is kept.
    fn forget_gone(&mut self, uids: &[u32]) -> Result<(), ImapError> {
        if uids.is_empty() {
            return Ok(());
        }
        self.connection.look()?;
        let existing = match self.connection.existing(uids) {
            Err(ImapError::No(_)) => uids.to_vec(),
            existing => existing?,
        };
        for uid in uids {
            if existing.binary_search(uid).is_err() {
                self.forget(*uid);
            } else {
                self.keep_unread(*uid, &"the server has it, but sends no data");
            }
        }
        Ok(())
    }

    /// Keeps a message that the server has, but does not give.
    fn keep_unread(&mut self, uid: u32, why: &dyn fmt::Display) {
        self.keep(uid, Some(format!("a message cannot be read: {why}")));
        if self.place.again.contains(&uid) {
            self.place.unread.entry(uid).or_insert(self.now);
        }
    }

    fn heads_at_once(&mut self, uids: &[u32]) -> Result<Vec<Looked>, ImapError> {
        let interest = &self.interest;
        let old = self.place.old.as_ref();
        let until = old.map_or(0, |old| old.until);
        let is_old = |uid: u32| uid <= until && !self.wished.contains(&uid);
        let mut heads: Vec<Looked> = Vec::new();
        let mut traces = BTreeMap::new();
        self.connection.heads(uids, |head| {
            // A server may tell of a message twice.
            let Err(at) = heads.binary_search_by_key(&head.uid, |head| head.uid) else {
                return;
            };
            let concern = interest.concern(&head.fields);
            // Of old mail only what names a thread is read, be it in its text.
            let is_expected = concern == Concern::Sender && is_old(head.uid);
            let looked = Looked {
                uid: head.uid,
                is_ours: concern != Concern::Nothing && !is_expected,
                is_expected,
                is_known: is_expected && interest.has_received(&head.fields),
            };
            heads.insert(at, looked);
            traces.insert(head.uid, Trace::of(&head));
        })?;
        self.traces.extend(traces);
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
                self.keep_unread(uid, &answer);
                Ok(None)
            }
            Ok(None) => self.forget_gone(&[uid]).map(|()| None),
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
        self.place.unread.remove(&uid);
        self.place.forget_breaks(uid);
    }

    /// Does on the server what is to be done with a message that has been handled.
    fn put_away(&mut self, uid: u32) -> Result<(), ImapError> {
        match &self.settings.after {
            After::Nothing => Ok(()),
            After::Keyword => self.connection.mark(uid, self.settings.keyword),
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
        if self.is_stuck {
            return;
        }
        self.place.handled = self.place.handled.max(uid);
        let handled = self.place.handled;
        while let Some(trace) = self.traces.first_entry().filter(|it| *it.key() <= handled) {
            let (uid, trace) = trace.remove_entry();
            self.place.leave_trace(uid, trace);
        }
        while self.unnamed.first().is_some_and(|uid| *uid <= handled) {
            self.unnamed.pop_first();
            if let Some(old) = &mut self.place.old {
                old.unnamed = old.unnamed.saturating_add(1);
            }
        }
    }

    /// Goes on with the next portion. The place is noted first: a folder may have more of
    /// them than a run has time for.
    fn turn_page(&mut self) -> Result<(), Error> {
        let before = self.place.handled;
        self.advance(self.portion);
        if self.place.handled > before {
            self.save()?;
        }
        self.choose().map_err(|error| error.of(&self.server))
    }

    fn save(&mut self) -> Result<(), Error> {
        match &mut self.file {
            Some(file) if !self.wish.is_dry_run => file.write(&self.place),
            _ => Ok(()),
        }
    }
}

impl MailSource for ImapSource<'_> {
    fn bytes_expected(&self) -> u64 {
        // What is in a folder that concerns a thread is known only at its end.
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
            let Some(uid) = self.chosen.pop_front() else {
                if self.todo.is_empty() {
                    return None;
                }
                match self.turn_page().and_then(|()| self.confirm()) {
                    Ok(()) => continue,
                    Err(error) => return Some(Err(error)),
                }
            };
            match self.read_or_note(uid) {
                Ok(None) => {}
                Ok(Some(bytes)) => {
                    self.place.unread.remove(&uid);
                    self.summary.read += 1;
                    self.bytes_read += bytes.len() as u64;
                    let anew = self.old(uid).map(|old| Anew {
                        answers: limits::IMAP_ANSWERS.saturating_sub(old.answers),
                    });
                    let key = MessageKey(uid.into());
                    return Some(Ok(RawMessage { key, bytes, anew }));
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
            Settlement::NotOurs => self.forget(uid),
            Settlement::Unnamed => {
                self.forget(uid);
                self.unnamed.insert(uid);
            }
            Settlement::Handled | Settlement::Answered => {
                if settlement == Settlement::Answered
                    && let Some(old) = &mut self.place.old
                {
                    old.answers = old.answers.saturating_add(1);
                }
                let busy = self.stop.busy();
                let put_away = self.put_away(uid);
                drop(busy);
                match put_away {
                    Ok(()) => self.forget(uid),
                    Err(ImapError::No(answer)) => {
                        let what = match &self.settings.after {
                            After::Move(to) => format!("moved to '{to}'"),
                            _ => format!("marked with {}", self.settings.keyword),
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

/// The result of a look at the head of a message.
struct Looked {
    uid: u32,
    /// True if the message concerns a thread, and is read.
    is_ours: bool,
    /// True if it is an old letter of an expected sender that names no thread in its header.
    is_expected: bool,
    /// True if a thread has received that letter.
    is_known: bool,
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
        places: &'a Places,
        stop: &'a Stop,
        wish: Wish,
    ) -> Result<ImapSource<'a>, Error> {
        let server = connection::name(settings);
        let failed = |error: ImapError| error.of(&server);
        let mut connection = connection::connect(settings, |tcp| stop.watch(tcp))?;
        let is_to_change = settings.after != After::Nothing && !wish.is_dry_run;
        let selected = select(&mut connection, settings, is_to_change);
        let (selected, uid_validity) = selected.map_err(failed)?;
        if is_to_change {
            can_put_away(&mut connection, &selected, settings).map_err(failed)?;
        }
        let folder = &settings.folder;
        debug!(msg = "-", "match" = "-", server = %server, folder = %folder, "opened");
        Ok(ImapSource {
            settings,
            stop,
            wish,
            has_idle: connection.can("IDLE"),
            connection,
            selected,
            uid_validity,
            places,
            file: None,
            locks: BTreeMap::new(),
            place: Place::default(),
            interest: Box::new(Nothing),
            wished: BTreeSet::new(),
            found: VecDeque::new(),
            first: 0,
            unnamed_before: 0,
            todo: VecDeque::new(),
            chosen: VecDeque::new(),
            traces: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            portion: 0,
            last: 0,
            now: DateTime::UNIX_EPOCH,
            is_stuck: false,
            bytes_read: 0,
            remarks: BTreeSet::new(),
            summary: RoundSummary {
                looked_at: 0,
                read: 0,
                since: Complete::Day(NaiveDate::MIN),
            },
            server,
        })
    }

    /// Opens the folder once more, for what has come since.
    ///
    /// # Errors
    ///
    /// If the connection has ended, or the folder is another by now.
    pub fn open_again(&mut self) -> Result<(), ImapError> {
        let is_to_change = self.settings.after != After::Nothing && !self.wish.is_dry_run;
        (self.selected, self.uid_validity) =
            select(&mut self.connection, self.settings, is_to_change)?;
        Ok(())
    }
}

/// Opens the folder. Returns what the server says of it, and the number that says what the
/// numbers of its messages are good for.
fn select(
    connection: &mut Connection<TlsStream>,
    settings: &ImapSettings,
    is_to_change: bool,
) -> Result<(Selected, u32), ImapError> {
    let folder = &settings.folder;
    let selected = match connection.select(folder, is_to_change) {
        Err(ImapError::No(answer)) if answer.word == "NO" && !answer.is_trouble() => {
            let why = format!("the folder '{folder}' cannot be opened: {answer}");
            return Err(ImapError::Unfit(why));
        }
        selected => selected?,
    };
    let Some(uid_validity) = selected.uid_validity else {
        return Err(ImapError::Unfit(format!(
            "it does not keep the numbers of the messages in '{folder}' (no UIDVALIDITY)"
        )));
    };
    Ok((selected, uid_validity))
}

/// Checks that the server can do what is to become of messages that are dealt with.
///
/// # Errors
///
/// If it cannot, with what it lacks.
fn can_put_away(
    connection: &mut Connection<TlsStream>,
    selected: &Selected,
    settings: &ImapSettings,
) -> Result<(), ImapError> {
    let (folder, keyword) = (&settings.folder, settings.keyword);
    let why = match &settings.after {
        After::Nothing => return Ok(()),
        After::Keyword if selected.takes_keyword(keyword) => return Ok(()),
        After::Keyword => format!(
            "it does not let messages in '{folder}' have the keyword {keyword}; set [imap] after to \"nothing\" or \"move\""
        ),
        After::Move(_) if selected.is_read_only => {
            format!("nothing can be moved out of '{folder}', which is read-only")
        }
        After::Move(_) if !connection.can_move() => {
            "it offers neither MOVE nor UIDPLUS, so that no message can be moved alone; set [imap] after to \"nothing\" or \"keyword\"".to_owned()
        }
        After::Move(to) if connection.has_folder(to)? => return Ok(()),
        After::Move(to) => format!("it has no folder '{to}', which move_to names; make it first"),
    };
    Err(ImapError::Unfit(why))
}

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
    /// tells the day from which a folder without a place is read.
    fn find(
        &mut self,
        now: DateTime<Utc>,
        beginning: &dyn Fn(DateTime<Utc>) -> Result<NaiveDate, Error>,
    ) -> Result<Vec<u32>, Error> {
        let since = self.wish.since.take();
        let found = if self.file.is_some() {
            self.go_on(since)
        } else {
            match self.recognise()? {
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
        found.extend(self.wish_since(since)?);
        Ok(found.into_iter().collect())
    }

    /// Finds the messages that the user wants to have read, those since this day.
    fn wish_since(&mut self, since: Option<NaiveDate>) -> Result<Vec<u32>, ImapError> {
        let Some(since) = since else {
            return Ok(Vec::new());
        };
        let found = self.connection.since(since)?;
        self.wished.extend(&found);
        Ok(found)
    }

    /// Finds the messages above a UID; of the old ones those that are read at all.
    fn above(&mut self, last: u32) -> Result<BTreeSet<u32>, ImapError> {
        let mut found = BTreeSet::new();
        let mut from = last;
        if let Some(old) = &self.place.old
            && last < old.until
        {
            let uids = (last + 1, old.until);
            let keyword = self.settings.keyword;
            found.extend(self.connection.arrived(uids, old.since, keyword)?);
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
        let until = match self.selected.uid_next {
            Some(next) => next.saturating_sub(1),
            None => self.connection.last()?,
        };
        self.place = Place {
            uid_validity: self.uid_validity,
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
            self.remarks.insert(self.interest.begun(why, day));
        }
        if let (None, Some(since)) = (day, since) {
            self.remarks.insert(format!(
                "this is the first run: all mail since {since} is read, and all that arrives from now on"
            ));
        }
        found.extend(self.wish_since(since)?);
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
        let days = Days::new(limits::IMAP_DAYS);
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
                let is_renumbered = |place: &Place| place.uid_validity != self.uid_validity;
                return Ok(Err(match own {
                    None => (Void::First, None),
                    Some(place) if is_renumbered(&place) => (Void::Renumbered, Some(place)),
                    Some(place) => (Void::Changed, Some(place)),
                }));
            };
            let path = best.path.clone();
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
            place.mailbox_id.clone_from(&self.selected.mailbox_id);
            place.traces.retain(|uid, _| there.contains_key(uid));
            return Ok(Ok(place));
        }
    }

    /// Returns true if a place may be one in this folder, by what the server says of it.
    fn may_be_of(&self, place: &Place) -> bool {
        let selected = &self.selected;
        let ids = place.mailbox_id.as_ref().zip(selected.mailbox_id.as_ref());
        place.uid_validity == self.uid_validity
            && ids.is_none_or(|(one, other)| one == other)
            && selected.uid_next.is_none_or(|next| place.handled < next)
    }

    /// Looks at the messages of which places have traces.
    fn traces_of(&mut self, stored: &[StoredPlace]) -> Result<BTreeMap<u32, Trace>, ImapError> {
        let fits = stored.iter().filter(|stored| self.may_be_of(&stored.place));
        let uids = fits.flat_map(|stored| stored.place.traces.keys().copied());
        let uids: Vec<u32> = uids.collect::<BTreeSet<u32>>().into_iter().collect();
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
        self.place.mailbox_id.clone_from(&self.selected.mailbox_id);
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

/// Returns the day two days before another one: one for time zones, one for clocks that differ.
#[must_use]
pub fn before(day: NaiveDate) -> NaiveDate {
    day.checked_sub_days(Days::new(2)).unwrap_or(day)
}

/// Returns a day that is not later than today, nor farther back than is read.
#[must_use]
pub fn bounded(day: NaiveDate, now: DateTime<Utc>) -> NaiveDate {
    let today = now.date_naive();
    let first = today.checked_sub_days(Days::new(limits::IMAP_DAYS));
    day.max(first.unwrap_or(day)).min(today)
}
