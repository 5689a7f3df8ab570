//! The unsent and the sent mails of a match, each found by its Message-ID. A match may have
//! thousands of them, and each event about a mail names its id.

use std::collections::HashMap;
use std::mem;

use crate::mail::message_id::MessageId;
use crate::matches::mail::{QueuedMail, UndeliveredMail};
use crate::rules::Color;

/// Something that identifies a mail.
pub(crate) trait IsMail: Clone {
    fn mail(&self) -> &QueuedMail;
}

impl IsMail for QueuedMail {
    fn mail(&self) -> &QueuedMail {
        self
    }
}

impl IsMail for UndeliveredMail {
    fn mail(&self) -> &QueuedMail {
        &self.mail
    }
}

/// Mails in an order. Adding one at the end, taking the first one and finding one take constant
/// time.
#[derive(Clone, Debug)]
pub(crate) struct MailList<T> {
    /// The mails, after `gone` ones that were taken from the beginning.
    all: Vec<T>,
    /// The place of each in the order, ascending. Owed mails have their lines of the log.
    places: Vec<usize>,
    /// How many were taken from the beginning.
    gone: usize,
    /// The places of the mails with a Message-ID, ascending. A log that others have written may owe
    /// two mails under one id.
    by_id: HashMap<MessageId, Vec<usize>>,
}

impl<T> Default for MailList<T> {
    fn default() -> MailList<T> {
        MailList {
            all: Vec::new(),
            places: Vec::new(),
            gone: 0,
            by_id: HashMap::new(),
        }
    }
}

impl<T> MailList<T> {
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.all[self.gone..]
    }

    pub(super) fn has(&self, msg: &MessageId) -> bool {
        self.by_id.contains_key(msg)
    }
}

impl<T: IsMail> MailList<T> {
    /// Adds a mail after all others.
    pub(super) fn push(&mut self, mail: T) {
        let last = self.places[self.gone..].last();
        let place = last.map_or(0, |last| last + 1);
        self.insert(place, mail);
    }

    /// Adds a mail at its place, before others with the same place.
    pub(super) fn insert(&mut self, place: usize, mail: T) {
        let ids = self.by_id.entry(mail.mail().msg.clone()).or_default();
        ids.insert(ids.partition_point(|other| *other < place), place);
        let at = self.position(place);
        self.all.insert(at, mail);
        self.places.insert(at, place);
    }

    /// Returns the first mail with this Message-ID.
    pub(crate) fn find(&self, msg: &MessageId) -> Option<&T> {
        let place = *self.by_id.get(msg)?.first()?;
        let from = self.all.get(self.position(place)..)?;
        from.iter().find(|mail| mail.mail().msg == *msg)
    }

    /// Removes the first mail with this Message-ID.
    pub(super) fn take(&mut self, msg: &MessageId) -> Option<T> {
        let places = self.by_id.get_mut(msg)?;
        let place = places.remove(0);
        if places.is_empty() {
            self.by_id.remove(msg);
        }
        let at = self.position(place);
        let at = at
            + self.all[at..]
                .iter()
                .position(|mail| mail.mail().msg == *msg)?;
        if at > self.gone {
            self.places.remove(at);
            return Some(self.all.remove(at));
        }
        let first = self.all[at].clone();
        self.gone += 1;
        if self.gone * 2 > self.all.len() {
            self.all.drain(..self.gone);
            self.places.drain(..self.gone);
            self.gone = 0;
        }
        Some(first)
    }

    /// Keeps the mails for which `is_kept` is true.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&QueuedMail) -> bool) {
        let before = mem::take(self);
        let mails = before.places.into_iter().zip(before.all);
        for (place, mail) in mails.skip(before.gone) {
            if is_kept(mail.mail()) {
                self.insert(place, mail);
            }
        }
    }

    /// Returns the index at which a place begins.
    fn position(&self, place: usize) -> usize {
        self.gone + self.places[self.gone..].partition_point(|other| *other < place)
    }
}

/// Mail that was sent since its player moved last.
#[derive(Clone, Default, Debug)]
pub(super) struct SentMails {
    /// The mails that were sent to each player.
    to: [HashMap<MessageId, SentMail>; 2],
    /// The mails in a folder that may not have been sent: their player has not written since.
    filed: [Vec<QueuedMail>; 2],
}

/// A mail that was sent.
#[derive(Clone, Debug)]
struct SentMail {
    mail: QueuedMail,
    /// True if a delivery report has counted. There is no second one.
    was_reported: bool,
}

impl SentMails {
    /// Adds a mail, unless one with its Message-ID was sent before.
    pub(super) fn add(&mut self, mail: QueuedMail, is_filed: bool) {
        if self.to.iter().any(|to| to.contains_key(&mail.msg)) {
            return;
        }
        let to = mail.to.index();
        if is_filed {
            self.filed[to].push(mail.clone());
        }
        let sent = SentMail {
            mail,
            was_reported: false,
        };
        self.to[to].insert(sent.mail.msg.clone(), sent);
    }

    /// Notes that a player has written and so has got the mail in the folder.
    pub(super) fn has_written(&mut self, player: Color) {
        self.filed[player.index()].clear();
    }

    /// Forgets the mail that was sent to a player.
    pub(super) fn forget(&mut self, player: Color) {
        self.to[player.index()].clear();
    }

    /// Returns the mails in a folder, in the order in which they were owed.
    pub(super) fn filed(&self) -> impl Iterator<Item = &QueuedMail> {
        let mut filed: Vec<_> = self.filed.iter().flatten().collect();
        filed.sort_by_key(|mail| mail.line);
        filed.into_iter()
    }

    /// Returns the mail with this Message-ID, if a delivery report about it can count.
    pub(super) fn reportable(&self, msg: &MessageId) -> Option<&QueuedMail> {
        let sent = self.to.iter().find_map(|to| to.get(msg));
        let sent = sent.filter(|sent| !sent.was_reported);
        sent.map(|sent| &sent.mail)
    }

    /// Notes that a delivery report has counted, and returns its mail, if it can.
    pub(super) fn report(&mut self, msg: &MessageId) -> Option<QueuedMail> {
        let sent = self.to.iter_mut().find_map(|to| to.get_mut(msg));
        let sent = sent.filter(|sent| !sent.was_reported)?;
        sent.was_reported = true;
        Some(sent.mail.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::mail::{MailKind, NewMail};

    fn mail(line: usize, id: usize) -> QueuedMail {
        QueuedMail {
            line,
            time: "2026-11-20T03:00:00Z".parse().unwrap(),
            msg: format!("<{id}@b.test>").parse().unwrap(),
            mail: NewMail::new(MailKind::Note, Color::White),
        }
    }

    /// Does the same to a list and to a vector with linear search.
    #[test]
    fn a_list_is_what_a_vector_would_be() {
        let seed = fastrand::u64(..);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut list = MailList::default();
        let mut vector: Vec<QueuedMail> = Vec::new();
        let mut line = 0;
        for _ in 0..20_000 {
            // Draws from few Message-IDs, so that several mails share one.
            let one = mail(0, rng.usize(..40)).msg;
            let place = vector.iter().position(|mail| mail.msg == one);
            assert_eq!(list.has(&one), place.is_some(), "{seed}");
            assert_eq!(list.find(&one), place.map(|at| &vector[at]), "{seed}");
            match rng.usize(..9) {
                0..4 => {
                    line += 1;
                    let new = QueuedMail {
                        msg: one,
                        ..mail(line, 0)
                    };
                    vector.push(new.clone());
                    list.insert(line, new);
                }
                4 | 5 => {
                    let taken = place.map(|at| vector.remove(at));
                    assert_eq!(list.take(&one), taken, "{seed}");
                    if let Some(again) = taken.filter(|_| rng.bool()) {
                        let at = vector.partition_point(|mail| mail.line < again.line);
                        vector.insert(at, again.clone());
                        list.insert(again.line, again);
                    }
                }
                6 | 7 => {
                    let first = vector.first().map(|first| first.msg.clone());
                    assert_eq!(first.and_then(|first| list.take(&first)), {
                        (!vector.is_empty()).then(|| vector.remove(0))
                    });
                }
                _ => {
                    let until = line.saturating_sub(rng.usize(..3));
                    vector.retain(|mail| mail.line < until);
                    list.retain(|mail| mail.line < until);
                }
            }
            assert_eq!(list.as_slice(), vector, "{seed}");
        }
    }
}
