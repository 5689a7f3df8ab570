//! Posting of owed articles, and mailing of those that go to a mailing list. An article is owed, tried
//! and recorded as a mail is; but one that cannot be posted holds up those that follow it, which
//! nobody could read without it.

use lettre::message::Mailbox;

use crate::Error;
use crate::command::context::{Sending, Status};
use crate::command::delivery::{Run, UNWRITTEN, Which};
use crate::config::news::NewsSettings;
use crate::mail::nntp::NntpTransport;
use crate::mail::transport::{Rejection, SendError, Transport};
use crate::match_id::Id;
use crate::matches::article::{Forum, QueuedArticle};
use crate::matches::r#match::Match;
use crate::matches::player::is_mailable;
use crate::outbound::{article, compose};
use crate::printable::counted;
use crate::store::attempts::Attempts;
use crate::store::store::update;

/// The word for articles in the log of a run.
const ARTICLE: &str = "article";

/// The way on which articles go.
enum Way<'w> {
    /// To newsgroups, by the news server.
    News(&'w NewsSettings, &'w mut NntpTransport),
    /// To mailing lists, as mail from this mailbox.
    Mail(Mailbox, &'w mut dyn Transport),
}

impl Way<'_> {
    fn takes(&self, article: &QueuedArticle) -> bool {
        matches!(self, Way::Mail(..)) == article.forum.list().is_some()
    }

    fn from(&self) -> &Mailbox {
        match self {
            Way::News(settings, _) => &settings.from,
            Way::Mail(from, _) => from,
        }
    }

    fn transport(&mut self) -> &mut dyn Transport {
        match self {
            Way::News(_, transport) => *transport,
            Way::Mail(_, transport) => *transport,
        }
    }

    /// Tells what has become of an article that was taken.
    fn done(&mut self, article: &QueuedArticle) -> String {
        let forum = &article.forum;
        let Way::News(_, transport) = self else {
            return format!("is mailed to the list {forum}");
        };
        let group = forum.group();
        if group.is_some_and(|group| transport.is_moderated(group)) {
            format!("is passed on to the moderator of {forum}, who decides")
        } else {
            format!("is posted to {forum}")
        }
    }
}

impl Run<'_> {
    /// Posts the articles to newsgroups that were owed at first, oldest first.
    ///
    /// # Errors
    ///
    /// If it cannot be recorded that one was posted or refused.
    pub(super) fn post(
        &mut self,
        attempts: &mut Attempts,
        news: Option<(&NewsSettings, &mut NntpTransport)>,
    ) -> Result<(), Error> {
        if let Some((settings, transport)) = news {
            return self.post_all(attempts, &mut Way::News(settings, transport));
        }
        let mut owed = self.stored.game.owed_articles().iter();
        if owed.any(|owed| owed.forum.group().is_some()) {
            let id = self.stored.game.id().clone();
            self.tell(format_args!(
                "{id}: no news server is configured: 'parapost init --news' adds the section [news]"
            ));
            self.waits(UNWRITTEN);
            self.met(Status::Refused, false);
            self.report_left(&id, |owed| owed.forum.group().is_some());
        }
        Ok(())
    }

    /// Mails the articles to mailing lists that were owed at first, oldest first.
    ///
    /// # Errors
    ///
    /// As [`Run::post`].
    pub(super) fn mail_lists(
        &mut self,
        attempts: &mut Attempts,
        transport: &mut dyn Transport,
    ) -> Result<(), Error> {
        let me = &self.session.me.player;
        let from = compose::mailbox(me, me.address());
        self.post_all(attempts, &mut Way::Mail(from, transport))
    }

    fn post_all(&mut self, attempts: &mut Attempts, way: &mut Way<'_>) -> Result<(), Error> {
        let mut owed = self.stored.game.owed_articles().to_vec();
        owed.retain(|owed| way.takes(owed));
        if owed.is_empty() {
            return Ok(());
        }
        if let Some(status) = self.post_each(&owed, attempts, way)? {
            self.met(status, false);
        }
        let id = self.stored.game.id().clone();
        self.report_left(&id, |owed| way.takes(owed));
        Ok(())
    }

    /// Reports how many of these articles are still owed, and wait for nothing.
    fn report_left(&mut self, id: &Id, is_counted: impl Fn(&QueuedArticle) -> bool) {
        let owed = self.stored.game.owed_articles().iter();
        let now = self.session.now;
        let left = owed
            .filter(|owed| is_counted(owed) && owed.is_held_until(now).is_none())
            .count();
        if left > 0 {
            let verb = if left == 1 { "is" } else { "are" };
            self.reports.push(format!(
                "{id}: {} {verb} still to be posted; 'parapost send {id}' tries again",
                counted(left, ARTICLE)
            ));
        }
    }

    /// Posts one after the other. Returns the outcome of the one that could not be posted.
    fn post_each(
        &mut self,
        owed: &[QueuedArticle],
        attempts: &mut Attempts,
        way: &mut Way<'_>,
    ) -> Result<Option<Status>, Error> {
        let mut worst = None;
        for article in owed {
            // One that may have gone is posted, and taken back in the open.
            if !attempts.may_have_gone(&article.id) && self.drop_moot(article)? {
                continue;
            }
            if let Some(time) = article.is_held_until(self.session.now) {
                self.waits((time - self.session.now).to_std().unwrap_or_default());
                return Ok(worst);
            }
            if let Some(time) = attempts.waits_until(&article.id, self.session.now)
                && self.which == Which::Due
            {
                self.waits((time - self.session.now).to_std().unwrap_or_default());
                return Ok(Some(Status::Later));
            }
            match self.post_one(article, attempts, way)? {
                None => {}
                // The next one follows an article that is there.
                Some(Status::Refused) if !self.is_owed(article) => worst = Some(Status::Refused),
                failed => return Ok(failed),
            }
        }
        Ok(worst)
    }

    /// Drops an article if what it has to say was taken back before it went out. Returns true if it
    /// was.
    fn drop_moot(&mut self, article: &QueuedArticle) -> Result<bool, Error> {
        if !self.stored.game.is_moot(article)? {
            return Ok(false);
        }
        let (store, now) = (&*self.session.store, self.session.now);
        let drop = |game: &mut Match| {
            let is_moot = game.owed_articles().contains(article) && game.is_moot(article)?;
            if is_moot {
                game.drop_article(now, &article.id)?;
            }
            Ok(is_moot)
        };
        let is_dropped;
        (is_dropped, self.stored) = update(store, self.stored.clone(), drop)?;
        if is_dropped {
            self.reports.push(format!(
                "{}: an article is not posted, as what it shows was taken back before it went out",
                self.stored.game.id()
            ));
        }
        Ok(is_dropped || !self.is_owed(article))
    }

    fn is_owed(&self, article: &QueuedArticle) -> bool {
        self.stored.game.owed_articles().contains(article)
    }

    fn post_one(
        &mut self,
        owed: &QueuedArticle,
        attempts: &mut Attempts,
        way: &mut Way<'_>,
    ) -> Result<Option<Status>, Error> {
        if let Forum::List(list) = &owed.forum
            && !is_mailable(list)
        {
            let words = format!("no mail can be made for the address {list}");
            self.tell(format!("{}: {words}", self.stored.game.id()));
            return self.record_article_refusal(owed, &words);
        }
        let message = match article::compose(&self.stored.game, owed, way.from()) {
            Ok(message) => message,
            Err(error) => {
                self.tell(&error);
                self.waits(UNWRITTEN);
                return Ok(Some(Status::from(&error)));
            }
        };
        let (store, now) = (&*self.session.store, self.session.now);
        attempts.begin(&owed.id)?;
        match way.transport().send(&message) {
            Ok(()) => {
                let note = |game: &mut Match| game.article_posted(now, &owed.id);
                ((), self.stored) = update(store, self.stored.clone(), note)?;
                attempts.end(&owed.id)?;
                let id = self.stored.game.id();
                self.reports
                    .push(format!("{id}: an article {}", way.done(owed)));
                if let Way::Mail(_, transport) = way {
                    let place = transport.place(&message);
                    let outcome = place.as_ref().map_or(Sending::Sent, |_| Sending::Filed);
                    self.counts.tried(outcome);
                    self.delivered.filed.extend(place);
                }
                Ok(None)
            }
            Err(SendError::Refused(Rejection { words, error })) => {
                self.tell(&error);
                let _ = attempts.refused();
                self.record_article_refusal(owed, &words)
            }
            Err(SendError::SetUp(error)) => {
                let _ = attempts.broken_off();
                self.tell(&error);
                match way {
                    // A news server that is away keeps no mail waiting.
                    Way::News(..) => self.waits(UNWRITTEN),
                    Way::Mail(..) => self.delivered.is_set_up_broken = true,
                }
                Ok(Some(Status::from(&error)))
            }
            Err(error) => {
                let _ = attempts.failed(now, super::failure_of(&error));
                self.tell(&error);
                Ok(Some(Status::from(error.error())))
            }
        }
    }
    /// Records that an article was refused for good.
    fn record_article_refusal(
        &mut self,
        owed: &QueuedArticle,
        words: &str,
    ) -> Result<Option<Status>, Error> {
        let now = self.session.now;
        let note = |game: &mut Match| game.article_failed(now, &owed.id, words);
        ((), self.stored) = update(&*self.session.store, self.stored.clone(), note)?;
        let id = self.stored.game.id();
        self.reports.push(format!(
            "{id}: that article is not tried again; 'parapost mail retry --only {0} --send {id}' does, and 'parapost mail drop --only {0} {id}' gives it up",
            owed.line
        ));
        Ok(Some(Status::Refused))
    }
}
