//! The attempts to send a match's mail: which mail may have gone although nobody
//! knows, and when each is tried again.
//!
//! ```text
//! MESSAGE-ID
//! MESSAGE-ID TRIES NEXT
//! MESSAGE-ID TRIES NEXT perhaps
//! ```
//!
//! A line of the first or the last form is about a mail that may have gone. NEXT
//! is a time of RFC 3339, or `-`. Only mails that have not simply gone have a
//! line. The match's log says which mail is owed; without this text mail would
//! be tried again earlier, and `undo` could not tell that a mail may have gone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use crate::mail::message_id::MessageId;
use crate::matches::r#match::Match;
use crate::store::store::{Change, Revision, Sending, Store};
use crate::{Error, clock};

/// The time after the second failure of a mail until it is tried again. It
/// doubles with each further one. After the first failure the next run tries.
const FIRST_DELAY: TimeDelta = TimeDelta::minutes(5);

/// The time until a mail is tried again about which the mail server has said nothing, as
/// where the connection ended: nobody has asked to wait.
const UNANSWERED_DELAY: TimeDelta = TimeDelta::seconds(20);

/// The failures of a mail that may have gone, after which it waits as one that was refused:
/// each further attempt may bring its recipient one more.
const UNANSWERED: u32 = 8;

/// The longest time until a mail is tried again.
const LONGEST_DELAY: TimeDelta = TimeDelta::hours(6);

/// The lock of a match's outgoing mail, with the attempts to send it.
pub struct Attempts {
    sending: Box<dyn Sending>,
    known: BTreeMap<MessageId, Attempt>,
    /// The mail being sent, and what was known of it before.
    under_way: Option<(MessageId, Attempt)>,
}

/// A failed attempt to send a mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The server or program has not taken it.
    Answered,
    /// It was certainly not sent, and nothing was said about it.
    Broken,
    /// It may have gone.
    Unknown,
}

/// The attempts to send one mail.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Attempt {
    /// The number of failures.
    tries: u32,
    /// The time of the next attempt.
    next: Option<DateTime<Utc>>,
    /// True if an attempt ended so that nobody knows whether the mail has gone.
    may_have_gone: bool,
}

impl Attempts {
    /// Reads the attempts kept with a lock. Keeps the lock.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn open(mut sending: Box<dyn Sending>) -> Result<Attempts, Error> {
        let text = sending.text()?;
        Ok(Attempts {
            known: text.lines().filter_map(read).collect(),
            sending,
            under_way: None,
        })
    }

    /// Returns true if an attempt to send this mail ended so that nobody knows
    /// whether it has gone.
    pub fn may_have_gone(&self, id: &MessageId) -> bool {
        self.of(id).may_have_gone
    }

    /// Returns true if an attempt to send this mail has failed.
    pub fn has_failed(&self, id: &MessageId) -> bool {
        self.of(id).tries > 0
    }

    /// Returns the time until which a mail waits, or `None` if it is to be tried
    /// now. A time further ahead than any delay comes from a clock that was
    /// wrong, and does not count.
    pub fn waits_until(&self, id: &MessageId, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let next = self.of(id).next?;
        (now < next && next - now <= LONGEST_DELAY).then_some(next)
    }

    /// Forgets all mails but those that `is_kept` returns true for. The next
    /// change makes it durable.
    pub fn retain(&mut self, is_kept: impl Fn(&MessageId) -> bool) {
        self.known.retain(|id, _| is_kept(id));
    }

    /// Notes that a mail is being sent. From here on it may have gone.
    ///
    /// # Errors
    ///
    /// If the note cannot be written. Then the mail must not be sent.
    pub fn begin(&mut self, id: &MessageId) -> Result<(), Error> {
        let before = self.of(id);
        self.under_way = Some((id.clone(), before));
        let now = Attempt {
            may_have_gone: true,
            ..before
        };
        self.set(id, now)
    }

    /// Notes that a mail has gone and the log says so, or that no more will be
    /// tried.
    ///
    /// # Errors
    ///
    /// If the note cannot be written.
    pub fn end(&mut self, id: &MessageId) -> Result<(), Error> {
        self.under_way = None;
        self.set(id, Attempt::default())
    }

    /// Notes that the mail being sent was certainly not sent this time, for a
    /// reason that is not the mail's.
    ///
    /// # Errors
    ///
    /// If the note cannot be written.
    pub fn broken_off(&mut self) -> Result<(), Error> {
        self.end_attempt(|before| before)
    }

    /// Notes that the mail being sent was refused for good. Keeps only that it
    /// may have gone earlier.
    ///
    /// # Errors
    ///
    /// If the note cannot be written.
    pub fn refused(&mut self) -> Result<(), Error> {
        self.end_attempt(|before| Attempt {
            may_have_gone: before.may_have_gone,
            ..Attempt::default()
        })
    }

    /// Notes that an attempt has failed, and when the next is due.
    ///
    /// # Errors
    ///
    /// If the note cannot be written.
    pub fn failed(&mut self, now: DateTime<Utc>, failure: Failure) -> Result<(), Error> {
        self.end_attempt(|before| {
            let more = before.tries.saturating_add(1);
            let (tries, delay) = match failure {
                Failure::Answered => (more, delay(more)),
                Failure::Broken | Failure::Unknown if more == 1 => (1, delay(1)),
                // It costs nobody anything.
                Failure::Broken => (before.tries, UNANSWERED_DELAY),
                Failure::Unknown if more <= UNANSWERED => (more, UNANSWERED_DELAY),
                Failure::Unknown => (more, delay(more - UNANSWERED + 1)),
            };
            Attempt {
                tries,
                next: now.checked_add_signed(delay),
                may_have_gone: before.may_have_gone || failure == Failure::Unknown,
            }
        })
    }

    /// Notes what the attempt that is under way makes of what was known before.
    fn end_attempt(&mut self, change: impl FnOnce(Attempt) -> Attempt) -> Result<(), Error> {
        match self.under_way.take() {
            Some((id, before)) => self.set(&id, change(before)),
            None => Ok(()),
        }
    }

    /// Changes the match, if nobody has begun to send a mail since the attempts were read.
    ///
    /// # Errors
    ///
    /// As [`Sending::change`].
    pub fn change(
        &mut self,
        store: &dyn Store,
        game: &Arc<Match>,
        base: &Revision,
    ) -> Result<Change, Error> {
        self.sending.change(store, game, base)
    }

    fn of(&self, id: &MessageId) -> Attempt {
        self.known.get(id).copied().unwrap_or_default()
    }

    fn set(&mut self, id: &MessageId, attempt: Attempt) -> Result<(), Error> {
        if attempt == Attempt::default() {
            self.known.remove(id);
        } else {
            self.known.insert(id.clone(), attempt);
        }
        let mut text = String::new();
        for (id, attempt) in &self.known {
            let _ = write!(text, "{id}");
            if attempt.tries > 0 || !attempt.may_have_gone {
                let next = attempt.next.map_or("-".to_owned(), clock::write);
                let _ = write!(text, " {} {next}", attempt.tries);
                if attempt.may_have_gone {
                    text.push_str(" perhaps");
                }
            }
            text.push('\n');
        }
        self.sending.set_text(&text)
    }
}

/// Returns the time from a failure to the next attempt.
fn delay(tries: u32) -> TimeDelta {
    match tries {
        0 | 1 => TimeDelta::zero(),
        // Seven times doubled it is longer than the longest.
        _ => LONGEST_DELAY.min(FIRST_DELAY * (1 << (tries - 2).min(7))),
    }
}

/// Reads a line. A line of another form says nothing.
fn read(line: &str) -> Option<(MessageId, Attempt)> {
    let mut words = line.split_whitespace();
    let id = words.next()?.parse().ok()?;
    let tries = words.next();
    let attempt = Attempt {
        tries: tries.map_or(Some(0), |tries| tries.parse().ok())?,
        next: words.next().and_then(clock::read),
        may_have_gone: tries.is_none() || words.next().is_some(),
    };
    Some((id, attempt))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    struct Text(Rc<RefCell<String>>);

    impl Sending for Text {
        fn text(&mut self) -> Result<String, Error> {
            Ok(self.0.borrow().clone())
        }

        fn set_text(&mut self, text: &str) -> Result<(), Error> {
            text.clone_into(&mut self.0.borrow_mut());
            Ok(())
        }
    }

    fn at(time: &str) -> DateTime<Utc> {
        clock::read(time).unwrap()
    }

    fn opened(text: &Rc<RefCell<String>>) -> Attempts {
        Attempts::open(Box::new(Text(Rc::clone(text)))).unwrap()
    }

    #[test]
    fn delays_grow_and_end_at_six_hours() {
        let text = Rc::default();
        let id: MessageId = "<m.3.x@y.test>".parse().unwrap();
        let now = at("2026-11-20T03:00:00Z");
        let mut waits = Vec::new();
        for _ in 0..40 {
            let mut attempts = opened(&text);
            attempts.begin(&id).unwrap();
            assert!(opened(&text).may_have_gone(&id));
            attempts.failed(now, Failure::Answered).unwrap();
            assert!(!opened(&text).may_have_gone(&id));
            let next = opened(&text).waits_until(&id, now);
            waits.push(next.map_or(0, |next| (next - now).num_minutes()));
        }
        assert_eq!(waits[..9], [0, 5, 10, 20, 40, 80, 160, 320, 360]);
        assert_eq!(waits[39], 360);
        let attempts = opened(&text);
        let later = now + LONGEST_DELAY;
        assert_eq!(attempts.waits_until(&id, later), None);
        // The clock once was a century ahead.
        let before = at("1926-11-20T03:00:00Z");
        assert_eq!(attempts.waits_until(&id, before), None);
    }

    /// A server that ends every connection had each mail wait for hours, which it had not
    /// said a word about.
    #[test]
    fn what_the_server_has_said_nothing_about_is_tried_again_soon() {
        let id: MessageId = "<m.3.x@y.test>".parse().unwrap();
        let now = at("2026-11-20T03:00:00Z");
        let waits = |failure| -> Vec<i64> {
            let text = Rc::default();
            let wait = |_| {
                let mut attempts = opened(&text);
                attempts.begin(&id).unwrap();
                attempts.failed(now, failure).unwrap();
                let next = opened(&text).waits_until(&id, now);
                next.map_or(0, |next| (next - now).num_seconds())
            };
            (0..40).map(wait).collect()
        };
        let broken = waits(Failure::Broken);
        assert_eq!((broken[0], &broken[1..]), (0, &[20; 39][..]));
        // Each attempt may have brought it.
        let unknown = waits(Failure::Unknown);
        assert_eq!(unknown[..8], [0, 20, 20, 20, 20, 20, 20, 20]);
        assert_eq!(unknown[8..12], [300, 600, 1200, 2400]);
        assert_eq!(unknown[39], 6 * 3600);
        // A silent attempt does not count where the server says something.
        let text = Rc::default();
        let fails = |failure| {
            let mut attempts = opened(&text);
            attempts.begin(&id).unwrap();
            attempts.failed(now, failure).unwrap();
            let next = opened(&text).waits_until(&id, now);
            next.map_or(0, |next| (next - now).num_seconds())
        };
        for _ in 0..10 {
            fails(Failure::Broken);
        }
        assert_eq!(fails(Failure::Answered), 300);
        let text = Rc::default();
        opened(&text).begin(&id).unwrap();
        let mut attempts = opened(&text);
        attempts.begin(&id).unwrap();
        attempts.failed(now, Failure::Broken).unwrap();
        assert!(opened(&text).has_failed(&id));
    }

    #[test]
    fn what_may_have_gone_stays_so_whatever_the_next_attempts_come_to() {
        let text = Rc::default();
        let id: MessageId = "<m.3.x@y.test>".parse().unwrap();
        let other: MessageId = "<m.5.x@y.test>".parse().unwrap();
        let now = at("2026-11-20T03:00:00Z");
        let mut attempts = opened(&text);
        attempts.begin(&id).unwrap();
        attempts.failed(now, Failure::Unknown).unwrap();
        attempts.begin(&other).unwrap();
        attempts.end(&other).unwrap();
        for step in [
            |attempts: &mut Attempts, now| attempts.failed(now, Failure::Answered),
            |attempts: &mut Attempts, now| attempts.failed(now, Failure::Broken),
            |attempts: &mut Attempts, _| attempts.broken_off(),
            |attempts: &mut Attempts, _| attempts.refused(),
        ] {
            attempts.begin(&id).unwrap();
            step(&mut attempts, now).unwrap();
            assert!(opened(&text).may_have_gone(&id));
            assert!(!opened(&text).may_have_gone(&other));
        }
        attempts.end(&id).unwrap();
        assert_eq!(*text.borrow(), "");
    }

    #[test]
    fn what_an_earlier_version_wrote_is_read() {
        let text = Rc::new(RefCell::new("<m.3.x@y.test>".to_owned()));
        let id = "<m.3.x@y.test>".parse().unwrap();
        assert!(opened(&text).may_have_gone(&id));
        let text = Rc::new(RefCell::new("<m.3.x@y.test> 1 - per\n> 2\n".to_owned()));
        assert!(opened(&text).may_have_gone(&id));
    }
}
