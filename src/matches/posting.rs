//! The articles of a match on their way to a newsgroup or a mailing list.

use chrono::{DateTime, TimeDelta, Utc};
use lettre::Address;

use crate::mail::message_id::MessageId;
use crate::matches::article::{
    AFTER, ARTICLE, AT, Forum, GROUP, LIST, NewArticle, NewsPace, NewsStep, QueuedArticle, REPORT,
    RefusedArticle, SUPERSEDES, TEXT,
};
use crate::matches::delivery::bounded;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::matches::player::same_address;
use crate::matches::state::{NotAllowed, State, value};
use crate::rules::Color;
use crate::{Error, clock};

/// The most articles of a match in a forum in a day.
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

    /// Returns the articles of which a delivery report says that the mailing list has not got them,
    /// and behind which no other one has gone there.
    pub fn reported_articles(&self) -> &[RefusedArticle] {
        &self.state.articles.reported
    }

    /// Returns the articles that were posted, in the order in which they were.
    pub fn posted_articles(&self) -> &[QueuedArticle] {
        &self.state.articles.posted
    }

    /// Returns the articles that were posted, or are owed or refused.
    pub fn articles(&self) -> impl Iterator<Item = &QueuedArticle> {
        self.posted_articles().iter().chain(self.unposted())
    }

    /// Returns the articles that are owed or were refused for good.
    pub fn unposted(&self) -> impl Iterator<Item = &QueuedArticle> {
        self.state.articles.unposted()
    }

    /// Returns true if the match owes a mail or an article.
    pub fn owes(&self) -> bool {
        !self.owed().is_empty() || !self.owed_articles().is_empty()
    }

    /// Returns the articles of this forum that one called for now follows: those that were posted
    /// and those that will be before it.
    pub fn news_thread(&self, forum: &Forum) -> Vec<&QueuedArticle> {
        let articles = &self.state.articles;
        let all = articles.posted.iter().chain(&articles.owed);
        let mut thread: Vec<_> = all.filter(|article| article.forum == *forum).collect();
        thread.sort_by_key(|article| article.line);
        thread
    }

    /// Returns the article of this forum whose last move was taken back, if no article that is
    /// called for now follows it: the next one says so.
    pub fn withdrawn_article(&self, forum: &Forum) -> Option<&QueuedArticle> {
        self.withdrawn_of(&self.news_thread(forum))
    }

    /// The same, of the articles that one follows.
    pub(crate) fn withdrawn_of<'m>(
        &self,
        thread: &[&'m QueuedArticle],
    ) -> Option<&'m QueuedArticle> {
        let last = *thread.last()?;
        if !self.has_lost_move(last) {
            return None;
        }
        let shown = last.last_move;
        let is_superseded = |article: &QueuedArticle| {
            let mut later = thread.iter();
            later.any(|other| other.supersedes.as_ref() == Some(&article.id))
        };
        // Others may show that move, too, which told of a move after it that was taken back.
        let mut showing = thread.iter().copied();
        showing.find(|article| article.last_move == shown && !is_superseded(article))
    }

    /// Returns true if the last move that an article shows was taken back.
    fn has_lost_move(&self, article: &QueuedArticle) -> bool {
        let shown = article.last_move;
        shown.is_some_and(|shown| self.state.lines().all(|line| line != shown))
    }

    /// Returns true if an article that is owed, and that nobody can have read, has nothing to say
    /// any more: its last move was taken back, or it says so of an article that nobody has read
    /// either, and the one before that shows its position.
    ///
    /// # Errors
    ///
    /// If the log has no line of an article's, which it always has.
    pub fn is_moot(&self, owed: &QueuedArticle) -> Result<bool, Error> {
        if self.has_lost_move(owed) {
            return Ok(true);
        }
        let told = owed.supersedes.as_ref();
        if owed.text.is_some() || told.is_none_or(|told| self.article(told).is_some()) {
            return Ok(false);
        }
        let mut thread = self.news_thread(&owed.forum);
        thread.retain(|article| article.line < owed.line);
        let Some(last) = thread.last() else {
            return Ok(false);
        };
        let [then, now] = [self.as_of(last.line)?, self.as_of(owed.line)?];
        let plies = then.plies_shown(last);
        Ok(plies == now.plies_shown(owed)
            && plies <= now.moves_shared_with(&then)
            && then.ending() == now.ending())
    }

    /// Returns how many half-moves an article shows of the match as it was then.
    pub(crate) fn plies_shown(&self, article: &QueuedArticle) -> usize {
        let made = self.record().steps().len();
        article.at.unwrap_or(made).min(made)
    }

    /// Returns the article that is to be posted by itself now, if one is: at this pace, and
    /// whatever the pace is, one that says what was taken back of what an article shows.
    ///
    /// # Errors
    ///
    /// If the log has no line of an article's, which it always has.
    pub fn article_due(
        &self,
        now: DateTime<Utc>,
        forum: &Forum,
        pace: NewsPace,
    ) -> Result<Option<NewArticle>, Error> {
        let (made, is_over) = (self.record().steps().len(), self.ending().is_some());
        let mut shown = pace.shown(made, is_over);
        let thread = self.news_thread(forum);
        if self.withdrawn_article(forum).is_some() {
            // What stands of it is known.
            let known = thread
                .last()
                .map(|last| self.as_of(last.line))
                .transpose()?;
            let left = known.map_or(0, |known| self.moves_shared_with(&known));
            let plies = thread.last().and_then(|last| last.at);
            let left = left.min(plies.unwrap_or(left));
            shown = Some(shown.unwrap_or_default().max(left));
        } else if !is_over {
            // A move that was taken back may have been behind what was shown.
            let line = |shown: usize| self.state.lines().nth(shown.checked_sub(1)?);
            let known = thread.last().and_then(|last| last.last_move);
            shown = shown.filter(|shown| line(*shown) > known);
        }
        Ok(shown.map(|shown| NewArticle {
            at: (shown < made).then_some(shown),
            after: (pace.delay_days > 0).then(|| clock::after_days(now, pace.delay_days)),
            ..NewArticle::to(forum)
        }))
    }

    /// Returns how many moves of the match are those that it had at another time: what was taken
    /// back and played again is another move.
    pub(crate) fn moves_shared_with(&self, then: &Match) -> usize {
        let pairs = self.state.lines().zip(then.state.lines());
        pairs.take_while(|(now, then)| now == then).count()
    }

    /// Returns the forums that each move is posted to by itself, if both players have agreed on some:
    /// who was invited agrees by playing.
    pub fn forums(&self) -> Vec<Forum> {
        let is_posted = self.state.is_agreed() && !self.state.articles.is_stopped;
        let agreed = self.settings().forums().into_iter();
        agreed.filter(|_| is_posted).collect()
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

    /// Returns true if no more articles of this match were called for in a day than a forum gets.
    /// The last of them is kept for the end of the match.
    pub fn has_room_for_article(&self, now: DateTime<Utc>, forum: &Forum) -> bool {
        let since = now - TimeDelta::days(1);
        let (log, name) = (self.log().iter().rev(), forum.to_string());
        let owed = log.filter(|entry| {
            entry.news_step() == Some(NewsStep::Owed)
                && entry.get(forum.key()) == Some(name.as_str())
        });
        let most = ARTICLES - usize::from(self.ending().is_none());
        owed.filter(|entry| entry.time > since).count() < most
    }

    /// Owes an article that shows the match as it is now, or as it was before: adds its line to the log, and returns
    /// its Message-ID, which is at this host.
    ///
    /// # Errors
    ///
    /// If there are too many already, or the log does not accept the line.
    pub fn owe_article(
        &mut self,
        now: DateTime<Utc>,
        article: &NewArticle,
        ids: &MailIds,
        host: &str,
    ) -> Result<MessageId, Error> {
        let forum = &article.forum;
        if !self.has_room_for_article(now, forum) {
            return Err(Error::refused(format!(
                "{}: {forum} gets {ARTICLES} articles of a match in a day, the last of them about its end: try again tomorrow",
                self.id()
            )));
        }
        let withdrawn = self.withdrawn_article(forum);
        let owed = news(now, NewsStep::Owed)
            .key(forum.key(), Some(forum))
            .key(SUPERSEDES, withdrawn.map(|article| &article.id))
            .key(AT, article.at)
            .key(AFTER, article.after.map(clock::write))
            .key(TEXT, article.text.as_ref());
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
        let failed = news(now, NewsStep::Failed).key(TEXT, Some(bounded(reason)));
        self.step_of_owed(id, failed)
    }

    /// Notes a delivery report about the last article to a mailing list: it says that the article has
    /// not reached one of these addresses, of which one must be the list's.
    ///
    /// Whoever reads the list can forge a report, so that it does nothing but be shown: nothing is
    /// mailed again, and the next article follows this one as ever.
    ///
    /// # Errors
    ///
    /// If the report does not count, with the reason.
    pub fn article_reported(
        &mut self,
        now: DateTime<Utc>,
        report: &MessageId,
        id: &MessageId,
        failed: &[(Vec<Address>, String)],
    ) -> Result<(), Error> {
        let article = self.state.articles.reportable(id);
        let article = article.ok_or_else(|| Error::refused(NotAllowed::NotReportable))?;
        let list = article.forum.list();
        let is_lists = |(addresses, _): &&(Vec<Address>, String)| {
            let mut addresses = addresses.iter();
            addresses.any(|address| list.is_some_and(|list| same_address(address, list)))
        };
        let Some((_, reason)) = failed.iter().find(is_lists) else {
            return Err(Error::refused(
                "the article did not go to the address in the report",
            ));
        };
        let reported = news(now, NewsStep::Reported)
            .key(REPORT, Some(report))
            .key(TEXT, Some(bounded(reason)));
        self.push(reported.first_key(ARTICLE, id))
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

impl State {
    /// Applies what becomes of an article.
    pub(super) fn news(
        &mut self,
        line: usize,
        step: NewsStep,
        event: &LogEntry,
    ) -> Result<(), NotAllowed> {
        match step {
            NewsStep::Stopped => {
                self.articles.is_stopped = true;
                return Ok(());
            }
            // These are about an article of somebody else.
            NewsStep::Told => return Ok(()),
            NewsStep::Withdrawn => return self.withdraw_move(event),
            NewsStep::Owed
            | NewsStep::Posted
            | NewsStep::Failed
            | NewsStep::Reported
            | NewsStep::Requeued
            | NewsStep::Dropped => {}
        }
        let id = event.message_id(ARTICLE).ok_or(NotAllowed::NoMessageId)?;
        if step == NewsStep::Reported {
            let article = self.articles.reportable(&id).cloned();
            let article = article.ok_or(NotAllowed::NotReportable)?;
            self.articles.reported.push(not_taken(article, event));
            return Ok(());
        }
        if step == NewsStep::Owed {
            let article = self.article(line, id, event)?;
            if self.articles.unposted().any(|other| other.id == article.id) {
                return Err(NotAllowed::OwedAlready);
            }
            self.articles.owe(article);
            return Ok(());
        }
        let articles = &mut self.articles;
        let article = articles.take(&id).ok_or(NotAllowed::NotOwed)?;
        match step {
            NewsStep::Posted => {
                let (last_move, forum) = (article.last_move, &article.forum);
                // The list takes mail again, or there will be another report.
                articles
                    .reported
                    .retain(|other| other.article.forum != *forum);
                articles.posted.push(article);
                if self.lines().last() == last_move {
                    self.is_told(None);
                }
            }
            NewsStep::Failed => articles.refused.push(not_taken(article, event)),
            NewsStep::Requeued => articles.owe(article),
            NewsStep::Owed
            | NewsStep::Reported
            | NewsStep::Dropped
            | NewsStep::Stopped
            | NewsStep::Told
            | NewsStep::Withdrawn => {}
        }
        Ok(())
    }

    /// Reads the article that a line owes.
    fn article(
        &self,
        line: usize,
        id: MessageId,
        event: &LogEntry,
    ) -> Result<QueuedArticle, NotAllowed> {
        let at = value(event, AT, "number of half-moves")?;
        let last = match at {
            Some(at) => usize::checked_sub(at, 1),
            None => self.lines().count().checked_sub(1),
        };
        Ok(QueuedArticle {
            line,
            time: event.time,
            id,
            forum: forum_of(event)?.ok_or(NotAllowed::NoForum)?,
            at,
            last_move: last.and_then(|last| self.lines().nth(last)),
            after: event.get(AFTER).and_then(clock::read),
            text: event.get(TEXT).map(ToOwned::to_owned),
            supersedes: event.message_id(SUPERSEDES),
        })
    }
}

/// Keeps an article with the words of this line, which says that it has not arrived.
fn not_taken(article: QueuedArticle, event: &LogEntry) -> RefusedArticle {
    RefusedArticle {
        article,
        time: event.time,
        reason: event.get(TEXT).unwrap_or_default().to_owned(),
    }
}

/// Returns the forum that a line of the log names.
fn forum_of(event: &LogEntry) -> Result<Option<Forum>, NotAllowed> {
    if let Some(address) = value(event, LIST, "mail address")? {
        return Ok(Some(Forum::List(address)));
    }
    let group = value(event, GROUP, "name of a newsgroup")?;
    Ok(group.map(Forum::Group))
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
    use crate::matches::mail::{MailWish, NewMail};
    use crate::matches::mail_id::{IdSecret, looks_made_for, token};
    use crate::matches::r#match::MatchSettings;

    fn time() -> DateTime<Utc> {
        "2026-11-20T03:00:00Z".parse().unwrap()
    }

    fn ids() -> MailIds {
        MailIds::new(IdSecret::from_bytes([7; 32]), "example.org")
    }

    fn group() -> Forum {
        Forum::Group("rec.games.abstract".parse().unwrap())
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
        game.owe_article(now, &NewArticle::to(&group()), &ids(), "example.invalid")
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
    fn a_report_marks_the_last_article_of_a_list_until_another_has_gone() {
        let mut game = begun();
        let list = Forum::List("games@example.org".parse().unwrap());
        let post_to = |game: &mut Match, forum: &Forum| {
            let article = NewArticle::to(forum);
            let id = game.owe_article(time(), &article, &ids(), "example.org");
            let id = id.unwrap();
            game.article_posted(time(), &id).unwrap();
            id
        };
        let in_group = post_to(&mut game, &group());
        let first = post_to(&mut game, &list);
        let second = post_to(&mut game, &list);
        let report: MessageId = "<report@mx.test>".parse().unwrap();
        let failed = |address: &str| {
            let address: Address = address.parse().unwrap();
            vec![(vec![address], "5.1.1\nno such list".to_owned())]
        };
        let say = |game: &mut Match, id: &MessageId, to: &str| {
            game.article_reported(time(), &report, id, &failed(to))
        };
        for (id, to) in [
            (&first, "games@example.org"),
            (&in_group, "games@example.org"),
            (&second, "ben@example.test"),
        ] {
            assert!(say(&mut game, id, to).is_err(), "{id} {to}");
        }
        assert!(!game.has_report(&report));
        say(&mut game, &second, "Games@Example.org").unwrap();
        assert!(game.has_report(&report));
        assert!(
            say(&mut game, &second, "games@example.org").is_err(),
            "it is known"
        );
        let game = read_back(&game);
        let reported = game.reported_articles();
        assert_eq!((&reported[0].article.id, reported.len()), (&second, 1));
        assert_eq!(reported[0].reason, "5.1.1 no such list");
        // The thread goes on behind it, and nothing is owed by it.
        assert_eq!(game.news_thread(&list).len(), 2);
        assert!(game.owed_articles().is_empty());
        let mut game = game;
        post_to(&mut game, &group());
        assert_eq!(game.reported_articles().len(), 1);
        post_to(&mut game, &list);
        assert_eq!(read_back(&game).reported_articles(), []);
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

    /// Plays these moves in turn, and owes and posts what is due behind each. Returns what the
    /// articles show.
    fn paced(pace: NewsPace, moves: &[&str]) -> (Match, Vec<usize>) {
        let mut game = Match::new(MatchSettings::sample("demo"), time());
        let mut shown = Vec::new();
        for (ply, text) in moves.iter().enumerate() {
            let side = Color::ALL[ply % 2];
            let entry = LogEntry::new(time(), Action::play(*text), side);
            game.push(entry).unwrap();
            shown.extend(due(&mut game, pace));
        }
        (game, shown)
    }

    /// Posts what is due. Returns how many half-moves it shows.
    fn due(game: &mut Match, pace: NewsPace) -> Option<usize> {
        let due = game.article_due(time(), &group(), pace).unwrap()?;
        let id = game
            .owe_article(time(), &due, &ids(), "example.invalid")
            .unwrap();
        let made = game.record().steps().len();
        let owed = game.owed_articles().last().unwrap();
        assert_eq!(owed.at, due.at);
        assert_eq!(read_back(game).owed_articles(), game.owed_articles());
        game.article_posted(time(), &id).unwrap();
        Some(due.at.unwrap_or(made))
    }

    fn take_back(game: &mut Match, mover: Color) {
        for (action, side) in [
            (Action::ProposeTakeback, mover),
            (Action::AcceptTakeback, !mover),
        ] {
            let entry = game.entry(time(), action, side);
            game.push(entry).unwrap();
        }
    }

    #[test]
    fn a_match_is_posted_at_its_pace() {
        let moves = ["P>e3", "n>g5", "K>e1", "k>e8", "P>d3", "p>d6"];
        let usual = NewsPace::default();
        let each = |every| NewsPace { every, ..usual };
        let late = |delay_moves| NewsPace {
            delay_moves,
            ..usual
        };
        let both = NewsPace {
            every: 2,
            ..late(1)
        };
        let last = NewsPace {
            only_finished: true,
            ..usual
        };
        for (pace, expected) in [
            (usual, &[1, 2, 3, 4, 5, 6][..]),
            (each(4), &[4]),
            (late(2), &[1, 2, 3, 4]),
            (both, &[2, 4]),
            (last, &[]),
        ] {
            let (mut game, shown) = paced(pace, &moves);
            assert_eq!(shown, expected, "{pace:?}");
            let resigned = LogEntry::new(time(), Action::Resign, Color::White);
            game.push(resigned).unwrap();
            assert_eq!(due(&mut game, pace), Some(6), "{pace:?}");
        }
    }

    #[test]
    fn a_late_article_says_nothing_that_nobody_was_to_know() {
        let moves = ["P>e3", "n>g5", "K>e1", "k>e8", "P>d3", "p>d6"];
        let late = NewsPace {
            delay_moves: 2,
            ..NewsPace::default()
        };
        let (mut game, _) = paced(late, &moves);
        // Nobody has read of the last two.
        for side in [Color::Black, Color::White] {
            take_back(&mut game, side);
            assert_eq!(game.withdrawn_article(&group()), None);
        }
        let entry = LogEntry::new(time(), Action::play("P>d3"), Color::White);
        game.push(entry).unwrap();
        assert_eq!(due(&mut game, late), None, "it was posted already");
        // The one before was posted: what stands of it is known.
        take_back(&mut game, Color::White);
        take_back(&mut game, Color::Black);
        assert!(game.withdrawn_article(&group()).is_some());
        assert_eq!(due(&mut game, late), Some(3));
        assert_eq!(game.withdrawn_article(&group()), None);
    }

    #[test]
    fn an_article_that_waits_goes_with_its_move() {
        let slow = NewsPace {
            delay_days: 2,
            ..NewsPace::default()
        };
        let mut game = begun();
        let due = game.article_due(time(), &group(), slow).unwrap().unwrap();
        assert_eq!(due.after, Some(time() + TimeDelta::days(2)));
        game.owe_article(time(), &due, &ids(), "example.invalid")
            .unwrap();
        let owed = game.owed_articles()[0].clone();
        assert_eq!(owed.date(), time() + TimeDelta::days(2));
        assert!(owed.is_held_until(time()).is_some());
        assert_eq!(owed.is_held_until(time() + TimeDelta::days(2)), None);
        let mut later = game.clone();
        take_back(&mut game, Color::White);
        assert!(game.owed_articles().is_empty());
        assert!(read_back(&game).owed_articles().is_empty());
        // One whose time has come may have been posted.
        for (action, side) in [
            (Action::ProposeTakeback, Color::White),
            (Action::AcceptTakeback, Color::Black),
        ] {
            let entry = later.entry(time() + TimeDelta::days(2), action, side);
            later.push(entry).unwrap();
        }
        assert_eq!(later.owed_articles(), std::slice::from_ref(&owed));
        assert_eq!(later.withdrawn_article(&group()), Some(&owed));
    }

    #[test]
    fn either_player_ends_it() {
        let wish = LogEntry::new(time(), Event::Wish(Some(MailWish::NewsOff)), Color::Black);
        let settings = MatchSettings {
            news: group().group().cloned(),
            ..MatchSettings::sample("demo")
        };
        let mut game = Match::new(settings, time());
        for (text, side) in [("P>e3", Color::White), ("n>g5", Color::Black)] {
            assert_eq!(game.forums(), [], "not everybody has agreed");
            let played = LogEntry::new(time(), Action::play(text), side);
            game.push(played).unwrap();
        }
        assert_eq!(game.forums(), [group()]);
        game.push(wish).unwrap();
        assert_eq!(game.forums(), []);
        assert_eq!(read_back(&game).forums(), []);
        assert!(game.takes_mail(Color::Black));
    }

    #[test]
    fn a_group_gets_so_many_articles_in_a_day() {
        let mut game = begun();
        for _ in 1..ARTICLES {
            post(&mut game, time()).unwrap();
        }
        let error = post(&mut game, time()).unwrap_err();
        assert!(error.to_string().contains("12 articles"), "{error}");
        // A mailing list has a day of its own.
        let list = Forum::List("games@example.org".parse().unwrap());
        let mailed = NewArticle::to(&list);
        game.clone()
            .owe_article(time(), &mailed, &ids(), "example.org")
            .unwrap();
        // The end of a match is not lost.
        let mut over = game.clone();
        let resigned = LogEntry::new(time(), Action::Resign, Color::White);
        over.push(resigned).unwrap();
        post(&mut over, time()).unwrap();
        assert!(post(&mut over, time()).is_err());
        post(&mut game, time() + TimeDelta::hours(25)).unwrap();
    }
}
