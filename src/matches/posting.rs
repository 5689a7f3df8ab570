//! The articles of a match on their way to a newsgroup.

use chrono::{DateTime, TimeDelta, Utc};

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::matches::article::{ARTICLE, GROUP, NewsStep, QueuedArticle, RefusedArticle};
use crate::matches::delivery::bounded;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::rules::Color;

/// The most articles of a match in a day.
pub const ARTICLES: usize = 12;

impl Match {
    /// Returns the articles that are to be posted, oldest first.
    pub fn owed_articles(&self) -> &[QueuedArticle] {
        &self.state.articles.owed
    }

    /// Returns the articles that were refused for good, in the order of the refusals.
    pub fn refused_articles(&self) -> &[RefusedArticle] {
        &self.state.articles.refused
    }

    /// Returns the articles that are owed or were refused for good.
    pub fn unposted(&self) -> impl Iterator<Item = &QueuedArticle> {
        self.state.articles.unposted()
    }

    /// Returns true if the match owes a mail or an article.
    pub fn owes(&self) -> bool {
        !self.owed().is_empty() || !self.owed_articles().is_empty()
    }

    /// Returns the articles of this group that one called for now follows: those that were posted
    /// and those that will be before it.
    pub fn news_thread(&self, group: &Newsgroup) -> Vec<&QueuedArticle> {
        let articles = &self.state.articles;
        let all = articles.posted.iter().chain(&articles.owed);
        let mut thread: Vec<_> = all.filter(|article| article.group == *group).collect();
        thread.sort_by_key(|article| article.line);
        thread
    }

    /// Returns the group that each move is posted to by itself, if both players have agreed on one:
    /// who was invited agrees by playing.
    pub fn news_group(&self) -> Option<&Newsgroup> {
        let group = self.settings().news.as_ref()?;
        let is_posted = self.state.is_agreed() && !self.state.articles.is_stopped;
        is_posted.then_some(group)
    }

    /// Returns the player who began the match by inviting the other one, if one did.
    pub(crate) fn inviter(&self) -> Option<Color> {
        self.state.inviter()
    }

    /// Returns true if somebody who was invited has not agreed to the terms by playing yet.
    pub fn news_terms_are_open(&self) -> bool {
        !self.state.is_agreed()
    }

    /// Posts no move of the match by itself any more.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn stop_news(&mut self, now: DateTime<Utc>) -> Result<(), Error> {
        self.push(news(now, NewsStep::Stopped))
    }

    /// Returns true if no more articles of this match were called for in a day than a group gets.
    /// The last of them is kept for the end of the match.
    pub fn has_room_for_article(&self, now: DateTime<Utc>) -> bool {
        let since = now - TimeDelta::days(1);
        let log = self.log().iter().rev();
        let owed = log.filter(|entry| entry.news_step() == Some(NewsStep::Owed));
        let most = ARTICLES - usize::from(self.ending().is_none());
        owed.filter(|entry| entry.time > since).count() < most
    }

    /// Owes an article that shows the match as it is now: adds its line to the log, and returns
    /// its Message-ID, which is at this host.
    ///
    /// # Errors
    ///
    /// If there are too many already, or the log does not accept the line.
    pub fn owe_article(
        &mut self,
        now: DateTime<Utc>,
        group: &Newsgroup,
        ids: &MailIds,
        host: &str,
    ) -> Result<MessageId, Error> {
        if !self.has_room_for_article(now) {
            return Err(Error::refused(format!(
                "{}: a newsgroup gets {ARTICLES} articles of a match in a day, the last of them about its end: try again tomorrow",
                self.id()
            )));
        }
        let owed = news(now, NewsStep::Owed).key(GROUP, Some(group));
        let line = self.log().len() + 1;
        let id = ids.make_of_article(self.id(), line, self.last_link(), &owed, host);
        self.push(owed.first_key(ARTICLE, &id))?;
        Ok(id)
    }

    /// Notes that an article was posted. Does nothing if it is no longer owed.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn article_posted(&mut self, now: DateTime<Utc>, id: &MessageId) -> Result<(), Error> {
        self.step_of_owed(id, news(now, NewsStep::Posted))
    }

    /// Notes that an article was refused for good, with the words of the news server. Does
    /// nothing if it is no longer owed.
    ///
    /// # Errors
    ///
    /// If the log does not accept the line.
    pub fn article_failed(
        &mut self,
        now: DateTime<Utc>,
        id: &MessageId,
        reason: &str,
    ) -> Result<(), Error> {
        let failed = news(now, NewsStep::Failed).key("text", Some(bounded(reason)));
        self.step_of_owed(id, failed)
    }

    fn step_of_owed(&mut self, id: &MessageId, step: LogEntry) -> Result<(), Error> {
        if self.owed_articles().iter().all(|owed| owed.id != *id) {
            return Ok(());
        }
        self.push(step.first_key(ARTICLE, id))
    }

    /// Owes an article again that was refused, or that is still owed.
    ///
    /// # Errors
    ///
    /// If there is no such article.
    pub fn requeue_article(&mut self, now: DateTime<Utc>, id: &MessageId) -> Result<(), Error> {
        self.push(news(now, NewsStep::Requeued).first_key(ARTICLE, id))
    }

    /// Drops an article that was refused, or that is still owed.
    ///
    /// # Errors
    ///
    /// If there is no such article.
    pub fn drop_article(&mut self, now: DateTime<Utc>, id: &MessageId) -> Result<(), Error> {
        self.push(news(now, NewsStep::Dropped).first_key(ARTICLE, id))
    }
}

/// Begins the line for a step of an article. It is nobody's: no version takes it for something
/// that a player has written.
fn news(now: DateTime<Utc>, step: NewsStep) -> LogEntry {
    LogEntry::new(now, Event::News(Some(step)), Who::Nobody)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::action::Action;
    use crate::matches::mail::NewMail;
    use crate::matches::mail_id::{IdSecret, looks_made_for, token};
    use crate::matches::r#match::MatchSettings;

    fn time() -> DateTime<Utc> {
        "2026-11-20T03:00:00Z".parse().unwrap()
    }

    fn ids() -> MailIds {
        MailIds::new(IdSecret::from_bytes([7; 32]), "example.org")
    }

    fn group() -> Newsgroup {
        "rec.games.abstract".parse().unwrap()
    }

    /// Anna's and Ben's match, in which Anna has played, and the mail of that is owed.
    fn begun() -> Match {
        let mut game = Match::new(MatchSettings::sample("demo"), time());
        let first = LogEntry::new(time(), Action::play("P>e3"), Color::White);
        game.push(first).unwrap();
        let mail = NewMail::new("position", Color::Black);
        game.owe(time(), mail, &ids()).unwrap();
        game
    }

    fn post(game: &mut Match, now: DateTime<Utc>) -> Result<MessageId, Error> {
        game.owe_article(now, &group(), &ids(), "example.invalid")
    }

    fn read_back(game: &Match) -> Match {
        game.to_string().parse().unwrap()
    }

    #[test]
    fn the_steps_of_an_article_are_read_back() {
        let mut game = begun();
        let id = post(&mut game, time()).unwrap();
        assert!(id.as_str().ends_with("@example.invalid>"), "{id}");
        // It is public, and proves nothing.
        assert!(token(id.as_str()).is_none() && !looks_made_for(game.id(), &id));
        let counts = |game: &Match| {
            let game = read_back(game);
            let thread = game.news_thread(&group()).len();
            [
                game.owed_articles().len(),
                game.refused_articles().len(),
                thread,
            ]
        };
        assert_eq!(counts(&game), [1, 0, 1]);
        game.article_failed(time(), &id, "441 no\nway").unwrap();
        assert_eq!(counts(&game), [0, 1, 0]);
        assert_eq!(game.refused_articles()[0].reason, "441 no way");
        game.requeue_article(time(), &id).unwrap();
        assert_eq!(counts(&game), [1, 0, 1]);
        game.article_posted(time(), &id).unwrap();
        game.article_posted(time(), &id).unwrap();
        assert_eq!(counts(&game), [0, 0, 1]);
        assert!(
            game.drop_article(time(), &id).is_err() && game.requeue_article(time(), &id).is_err()
        );
        let other = post(&mut game, time()).unwrap();
        assert_ne!(other, id);
        game.drop_article(time(), &other).unwrap();
        assert_eq!(counts(&game), [0, 0, 1]);
        // Nobody has written anything by it.
        assert_eq!(game.last_received(Color::White), None);
        assert!(game.takes_mail(Color::White) && !game.mailed(&id));
    }

    #[test]
    fn a_step_of_a_later_version_changes_nothing() {
        let mut game = begun();
        post(&mut game, time()).unwrap();
        let line = "2026-11-20T03:00:00Z news - polished article=<a@b> by=wax";
        game.push(line.parse().unwrap()).unwrap();
        let again = read_back(&game);
        assert_eq!(again.log().last().unwrap().line(), line);
        assert_eq!(again.owed_articles(), game.owed_articles());
        let line = "2026-11-20T03:00:00Z news - owed article=<a@b>";
        assert!(game.push(line.parse().unwrap()).is_err(), "it has no group");
    }

    #[test]
    fn an_article_goes_back_with_its_move_unless_it_was_posted() {
        let undo = LogEntry::new(time(), Event::Undo, Color::White);
        let mut game = begun();
        post(&mut game, time()).unwrap();
        game.push(undo.clone()).unwrap();
        assert!(game.owed_articles().is_empty());
        let mut game = begun();
        let id = post(&mut game, time()).unwrap();
        game.article_posted(time(), &id).unwrap();
        assert!(game.push(undo).is_err());
    }

    #[test]
    fn a_group_gets_so_many_articles_in_a_day() {
        let mut game = begun();
        for _ in 1..ARTICLES {
            post(&mut game, time()).unwrap();
        }
        let error = post(&mut game, time()).unwrap_err();
        assert!(error.to_string().contains("12 articles"), "{error}");
        // The end of a match is not lost.
        let mut over = game.clone();
        let resigned = LogEntry::new(time(), Action::Resign, Color::White);
        over.push(resigned).unwrap();
        post(&mut over, time()).unwrap();
        assert!(post(&mut over, time()).is_err());
        post(&mut game, time() + TimeDelta::hours(25)).unwrap();
    }
}
