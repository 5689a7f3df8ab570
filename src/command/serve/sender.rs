//! The thread that sends what is owed, while others take messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::Error;
use crate::command::context::Context;
use crate::command::delivery::{Mailer, Outlet, Which, deliver_if_free};
use crate::command::serve::shared::Shared;
use crate::config::transport::TransportSettings;
use crate::match_id::Id;
use crate::store::store::Store as _;

/// The time from one look at all matches to the next: other processes may owe mail, and
/// mail that has failed waits for its time.
const LOOK: Duration = Duration::from_mins(1);

/// The longest time without a try while no mail server can be reached.
const LONGEST: Duration = Duration::from_mins(15);

/// The time until mail that another process was sending is looked at again: that process may
/// have been killed.
const AGAIN: Duration = Duration::from_secs(3);

/// What is to be sent, and when.
pub(super) struct MailSender {
    shared: Arc<Shared>,
    owing: Receiver<Id>,
    /// The matches that may owe mail now.
    called_for: BTreeSet<Id>,
    /// When each match with mail that has failed is tried again.
    waiting: BTreeMap<Id, Instant>,
    next_look: Instant,
    /// The matches whose mail another process sends.
    busy: BTreeSet<Id>,
    /// When those are looked at again.
    again: Instant,
    /// The time that passes after trouble with the mail server.
    pause: Duration,
    /// No mail is tried before this.
    not_before: Instant,
}

impl MailSender {
    pub(super) fn new(shared: Arc<Shared>, owing: Receiver<Id>) -> MailSender {
        let now = Instant::now();
        MailSender {
            shared,
            owing,
            called_for: BTreeSet::new(),
            waiting: BTreeMap::new(),
            next_look: now,
            busy: BTreeSet::new(),
            again: now,
            pause: LOOK,
            not_before: now,
        }
    }

    /// Sends until nobody can call for mail any more, or the program stops.
    pub(super) fn run(&mut self) {
        while !self.shared.is_stopping() {
            let next = if self.busy.is_empty() {
                self.next_look
            } else {
                self.next_look.min(self.again)
            };
            let wait = next.saturating_duration_since(Instant::now());
            match self.owing.recv_timeout(wait) {
                Ok(id) => {
                    self.called_for.insert(id);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.called_for.extend(self.owing.try_iter());
            if self.next_look <= Instant::now() {
                self.next_look = Instant::now() + LOOK;
                if let Err(error) = self.look() {
                    self.say(error);
                }
            }
            if self.again <= Instant::now() {
                self.called_for.append(&mut self.busy);
            }
            if self.not_before <= Instant::now() {
                self.send();
            }
        }
    }

    /// Looks which matches owe mail that does not wait.
    fn look(&mut self) -> Result<(), Error> {
        let now = Instant::now();
        self.waiting.retain(|_, until| *until > now);
        let owing = self.shared.cache.owing()?;
        let owing = owing
            .into_iter()
            .filter(|id| !self.waiting.contains_key(id));
        self.called_for.extend(owing);
        Ok(())
    }

    /// Sends what was called for.
    fn send(&mut self) {
        if self.called_for.is_empty() {
            return;
        }
        let session = match self.shared.session().at_present() {
            Ok(session) => session,
            Err(error) => return self.say(error),
        };
        let outlet = match session.config.transport {
            TransportSettings::Print => Outlet::PrintMbox,
            _ => Outlet::Configured,
        };
        let mut mailer = Mailer::new(&session, outlet);
        let shared = Arc::clone(&self.shared);
        shared.with_context(|context| {
            while let Some(id) = self.called_for.pop_first() {
                if self.shared.is_stopping() {
                    return;
                }
                // A fault of ours in one match's mail must not hold up that of the others.
                let sent =
                    catch_unwind(AssertUnwindSafe(|| self.send_of(&id, &mut mailer, context)));
                let Ok(can_send) = sent else {
                    context.say(format_args!(
                        "parapost: {id}: its mail made the program panic, which is a bug"
                    ));
                    self.waiting.insert(id, Instant::now() + LOOK * 5);
                    continue;
                };
                if !can_send {
                    // The others would fail alike.
                    self.called_for.insert(id);
                    self.not_before = Instant::now() + self.pause;
                    self.pause = LONGEST.min(self.pause * 2);
                    return;
                }
            }
        });
    }

    /// Sends the mail of a match. Returns false if no mail can be sent now.
    fn send_of(&mut self, id: &Id, mailer: &mut Mailer<'_>, context: &mut Context<'_>) -> bool {
        let delivered = match self.shared.cache.find(id) {
            Ok(Some(stored)) => deliver_if_free(context, mailer, stored, Which::Due),
            // The match has gone.
            Ok(None) => return true,
            Err(error) => Err(error),
        };
        match delivered {
            Ok(delivered) if delivered.is_set_up_broken => return false,
            Ok(delivered) if delivered.busy.is_some() => {
                if self.busy.is_empty() {
                    self.again = Instant::now() + AGAIN;
                }
                self.busy.insert(id.clone());
            }
            Ok(delivered) => {
                if !delivered.sent.is_empty() {
                    self.pause = LOOK;
                }
                if let Some(wait) = delivered.next_in {
                    self.waiting.insert(id.clone(), Instant::now() + wait);
                }
            }
            Err(error) => {
                context.say_error(&error);
                self.waiting.insert(id.clone(), Instant::now() + LOOK * 5);
            }
        }
        true
    }

    pub(super) fn say(&self, error: impl Display) {
        let say = |context: &mut Context<'_>| context.say_error(&error);
        self.shared.with_context(say);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;

    use super::*;
    use crate::args::global::Global;
    use crate::command::test_session;
    use crate::matches::r#match::{Match, NewMail};
    use crate::rules::Color;
    use crate::store::cache::Cache;
    use crate::store::trap::TrapStore;

    #[test]
    fn a_match_that_makes_the_program_panic_holds_up_no_mail_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = test_session::session(folder.path(), "ref", "referee", |_, _| {});
        let trap: Id = "m".parse().unwrap();
        // The match `n`, behind it, owes a mail.
        let mut game = Match::clone(&session.store.read(&trap).unwrap().game);
        let mut settings = game.settings().clone();
        settings.id = "n".parse().unwrap();
        game = Match::new(settings, session.now);
        let mail = NewMail::new("position", Color::White);
        game.owe(session.now, mail, &session.ids).unwrap();
        session.store.create(&game).unwrap();
        let store = Arc::clone(&session.store);
        session.store = Arc::new(TrapStore {
            store,
            trap: trap.clone(),
        });
        let outbox = session.outbox.clone();
        let store = Box::leak(Box::new(Arc::clone(&session.store)));
        let (call, called_for) = mpsc::channel();
        let cache = Cache::new(&**store, false);
        let shared = Arc::new(Shared::new(Global::default(), session, cache, call));
        let mut sender = MailSender::new(shared, called_for);
        sender.called_for.extend([trap.clone(), game.id().clone()]);
        sender.send();
        assert_eq!(fs::read_dir(outbox).unwrap().count(), 1);
        assert!(sender.called_for.is_empty());
        assert!(sender.waiting.contains_key(&trap));
    }
}
