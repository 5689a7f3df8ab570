//! The mail of a match on its way: who gets any, what follows where a mail was refused for good
//! or reported undelivered, and what a person can do.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::matches::article::{NewsStep, REPORT};
use crate::matches::decision::{ADDRESS_QUESTION, DueMail, Explanation, REPEATED, shortened};
use crate::matches::event::{Event, LogEntry, MISSING, Who};
use crate::matches::mail::{MailKind, MailStep, MailWish, NewMail, QueuedMail, UndeliveredMail};
use crate::matches::r#match::Match;
use crate::matches::player::same_address;
use crate::matches::state::NotAllowed;
use crate::rules::Color;

/// The maximum number of characters that the log keeps of a mail server's words.
const LONGEST_REASON: usize = 500;

impl Match {
    /// Returns the mails that were refused for good, in the order of the
    /// refusals.
    pub fn undelivered(&self) -> &[UndeliveredMail] {
        self.state.undelivered.as_slice()
    }

    /// Returns the mails that lie in a folder, where no mail server is set up, and whose player
    /// has not written since. The log calls them `sent` with `by=folder`.
    pub fn filed(&self) -> impl Iterator<Item = &QueuedMail> {
        self.state.filed()
    }

    /// Returns the address that a mail goes to.
    pub(crate) fn address_of<'m>(&'m self, mail: &'m QueuedMail) -> &'m Address {
        mail.address.as_ref().unwrap_or(self.mailbox_of(mail.to))
    }

    /// Notes that an owed mail was refused for good, with the words of the mail
    /// server or program. The mail is then owed to the player's own address if
    /// it went to another, such as that of the letter it answers. Does nothing
    /// if the mail is no longer owed.
    ///
    /// Returns the mail by which a referee tells the other player that this one
    /// cannot be reached. There is at most one for each half-move.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn mail_failed(
        &mut self,
        now: DateTime<Utc>,
        msg: &MessageId,
        by: &str,
        reason: &str,
        is_referee: bool,
    ) -> Result<Option<DueMail>, Error> {
        let Some(mail) = self.state.owed.find(msg).cloned() else {
            return Ok(None);
        };
        let own = match &self.settings().referee {
            Some(referee) => referee.clone(),
            None => self.home(mail.to).clone(),
        };
        let tried = self.address_of(&mail).clone();
        // The other player knows of a mail that a person has tried again.
        let was_requeued = self.was_requeued(&mail);
        let is_news = is_referee && !was_requeued;
        let notice = self.notice(&mail).filter(|_| is_news);
        let event = LogEntry::of_mail(now, MailStep::Failed, &mail)
            .key("by", Some(by))
            .key("to", Some(&tried))
            .key("text", Some(bounded(reason)));
        self.push(event)?;
        // This question goes to no other address, since only the person who reads there can answer
        // it.
        if mail.kind == MailKind::Address {
            return Ok(None);
        }
        if tried != own && !was_requeued {
            self.requeue(now, msg, Some(own))?;
            return Ok(None);
        }
        Ok(notice)
    }

    /// Returns the mails of which a delivery report says that they have not arrived, and
    /// whose player has not written since.
    pub fn reported(&self) -> &[UndeliveredMail] {
        &self.state.reported
    }

    /// Notes a delivery report about a mail: it says that the mail has not reached its
    /// recipient, at one of these addresses. The mail is then owed once again, to the
    /// address that it went to.
    ///
    /// Anybody who has the mail can forge a report, so that it does nothing else: no other
    /// mail, no other address, no second time, and nothing that the other player would
    /// hear of.
    ///
    /// # Errors
    ///
    /// If the report does not count, with the reason.
    pub fn mail_reported(
        &mut self,
        now: DateTime<Utc>,
        report: &MessageId,
        msg: &MessageId,
        failed: &[(Vec<Address>, String)],
    ) -> Result<(), Error> {
        let sent = self.state.reportable(msg);
        let mail = sent.ok_or_else(|| Error::refused(NotAllowed::NotReportable))?;
        let tried = self.address_of(mail);
        let is_own = |(addresses, _): &&(Vec<Address>, String)| {
            addresses.iter().any(|address| same_address(address, tried))
        };
        let Some((_, reason)) = failed.iter().find(is_own) else {
            return Err(Error::refused(
                "the mail did not go to the address in the report",
            ));
        };
        if !self.takes_mail(mail.to) {
            return Err(Error::refused("the player wants no more mail"));
        }
        let event = LogEntry::of_mail(now, MailStep::Bounced, mail)
            .key("to", Some(tried))
            .key(REPORT, Some(report))
            .key("text", Some(bounded(reason)));
        self.push(event)
    }

    /// Returns true if this delivery report has counted before.
    pub fn has_report(&self, report: &MessageId) -> bool {
        let mut events = self.log().iter();
        events.any(|event| {
            let is_report = event.mail_step() == Some(MailStep::Bounced)
                || event.news_step() == Some(NewsStep::Reported);
            is_report && event.get(REPORT) == Some(report.as_str())
        })
    }

    /// Owes a mail again that was refused, or that is still owed. It goes to the
    /// same address unless another is given.
    ///
    /// # Errors
    ///
    /// If there is no such mail.
    pub fn requeue(
        &mut self,
        now: DateTime<Utc>,
        msg: &MessageId,
        address: Option<Address>,
    ) -> Result<(), Error> {
        let mail = self.unsent(msg)?;
        self.push(LogEntry::of_mail(now, MailStep::Requeued, &mail).key("to", address))
    }

    /// Drops a mail that was refused, or that is still owed: it is not to go any
    /// more.
    ///
    /// # Errors
    ///
    /// If there is no such mail.
    pub fn drop_mail(&mut self, now: DateTime<Utc>, msg: &MessageId) -> Result<(), Error> {
        let mail = self.unsent(msg)?;
        self.push(LogEntry::of_mail(now, MailStep::Dropped, &mail))
    }

    /// Drops the questions that are still owed about mails which the log lacked.
    ///
    /// # Errors
    ///
    /// If the log cannot be added to.
    pub(crate) fn drop_questions_of_missing_mails(
        &mut self,
        now: DateTime<Utc>,
    ) -> Result<(), Error> {
        let is_one = |mail: &&QueuedMail| {
            let cause = mail.line.checked_sub(2).and_then(|at| self.log.get(at));
            cause.is_some_and(|cause| cause.get(MISSING).is_some())
        };
        let owed = self.owed().iter().filter(is_one);
        let owed: Vec<MessageId> = owed.map(|mail| mail.msg.clone()).collect();
        for msg in owed {
            self.drop_mail(now, &msg)?;
        }
        Ok(())
    }

    /// Returns the mail with this Message-ID that is owed or was refused.
    fn unsent(&self, msg: &MessageId) -> Result<QueuedMail, Error> {
        let mail = self.state.unsent_mail(msg).cloned();
        mail.ok_or_else(|| {
            Error::refused(format!(
                "{}: the mail {msg} is not owed any more",
                self.id()
            ))
        })
    }

    /// Returns true if a mail has been owed again, so that another address was
    /// tried.
    fn was_requeued(&self, mail: &QueuedMail) -> bool {
        self.log()[mail.line..].iter().any(|event| {
            event.mail_step() == Some(MailStep::Requeued)
                && event.get("msg") == Some(mail.msg.as_str())
        })
    }

    /// Creates the mail that tells the other player that a mail was refused. It
    /// has none of the server's words, which the recipient's domain chooses.
    fn notice(&self, mail: &QueuedMail) -> Option<DueMail> {
        let mut events = self.log().iter();
        let last_move = events.rposition(LogEntry::is_move);
        let is_told = self.undelivered().iter().any(|refused| {
            refused.mail.to == mail.to
                && matters(&refused.mail)
                && last_move.is_none_or(|line| refused.mail.line > line)
        });
        let other = !mail.to;
        let notice = NewMail::new(MailKind::Answer, other)
            .answering(self.last_received(other))
            .automatic();
        let opponent = self.public_name(mail.to).to_owned();
        let explanation = Explanation::Undelivered { opponent };
        let due = DueMail::new(notice, Some(explanation));
        (matters(mail) && !is_told).then_some(due)
    }

    /// Returns true if a player gets mail. One who was forgotten never does, nor the program. One who has
    /// asked for none gets it again after the next letter, unless that only repeats a
    /// move: such a letter may be an old one that comes again. Takes time linear in the
    /// log.
    pub fn takes_mail(&self, player: Color) -> bool {
        let mut letters = self.letters_of(player).map(|letter| &letter.event);
        !self.is_forgotten(player)
            && self.has_mailbox(player)
            && letters.next() != Some(&Event::Wish(Some(MailWish::Off)))
    }

    /// Returns true if a player gets this mail: any, or an answer to the player's own
    /// letter.
    pub fn takes(&self, mail: &NewMail) -> bool {
        let to = mail.to;
        !self.is_forgotten(to) && self.has_mailbox(to) && (mail.is_answer() || self.takes_mail(to))
    }

    /// Returns true if a player has not asked for text alone. Takes time linear in the
    /// log.
    pub fn takes_html(&self, player: Color) -> bool {
        let [off, on] = [MailWish::HtmlOff, MailWish::HtmlOn].map(|wish| Event::Wish(Some(wish)));
        let mut letters = self.letters_of(player).map(|letter| &letter.event);
        letters.find(|event| [&off, &on].contains(event)) != Some(&off)
    }

    /// Returns the events that a player has caused, the last one first, without those of
    /// letters that only repeated a move.
    fn letters_of(&self, player: Color) -> impl Iterator<Item = &LogEntry> {
        let events = self.log().iter().rev();
        events.filter(move |event| {
            event.who == Who::Player(player)
                && !event.is_of_outgoing_mail()
                // The question about an unknown address comes by a stranger's letter.
                && ![ADDRESS_QUESTION, REPEATED].contains(&event.event)
        })
    }
}

/// Returns true if the other player needs to know that this mail did not arrive.
fn matters(mail: &QueuedMail) -> bool {
    mail.kind.carries_words() || mail.kind == MailKind::Invitation
}

/// Puts a server's words on one line of moderate length.
pub(super) fn bounded(reason: &str) -> String {
    let words: Vec<&str> = reason.split_whitespace().collect();
    shortened(&words.join(" "), LONGEST_REASON)
}
