//! The articles of a match in a newsgroup, and the mails of it to a mailing list, which are articles
//! of that list, as its log describes them; and these places, where everybody reads a match.

use std::fmt;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;

/// The key of the newsgroup in the event that owes an article.
pub const GROUP: &str = "group";

/// The key of the mailing list in the event that owes an article to one, and in those that a letter
/// has caused which went there, too.
pub const LIST: &str = "list";

/// A place where everybody reads a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forum {
    /// A newsgroup, to which a news server takes articles.
    Group(Newsgroup),
    /// A mailing list, to whose address mail goes.
    List(Address),
}

impl Forum {
    /// Returns the address, if it is a mailing list.
    pub fn list(&self) -> Option<&Address> {
        match self {
            Forum::Group(_) => None,
            Forum::List(address) => Some(address),
        }
    }

    /// Returns the name, if it is a newsgroup.
    pub fn group(&self) -> Option<&Newsgroup> {
        match self {
            Forum::Group(group) => Some(group),
            Forum::List(_) => None,
        }
    }

    /// Returns the key of its name in a line of the log.
    pub(super) const fn key(&self) -> &'static str {
        match self {
            Forum::Group(_) => GROUP,
            Forum::List(_) => LIST,
        }
    }
}

/// Who may have read a letter beside its writer and us, and so knows the ids that it cites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Readers {
    /// Nobody else.
    Us,
    /// Those whom the letter went to as well.
    Others,
    /// Everybody who reads this mailing list.
    List(Address),
}

impl fmt::Display for Forum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forum::Group(group) => group.fmt(f),
            Forum::List(address) => address.fmt(f),
        }
    }
}

words! {
    /// A step in the life of an article.
    NewsStep {
        /// The article is to be posted.
        Owed = "owed",
        /// It was posted.
        Posted = "posted",
        /// It was refused for good. The text is the news server's.
        Failed = "failed",
        /// A delivery report says that the mailing list has not got it. The text is the report's.
        Reported = "reported",
        /// It is owed again.
        Requeued = "requeued",
        /// It is not to be posted any more.
        Dropped = "dropped",
        /// No move of the match is to be posted by itself any more.
        Stopped = "stopped",
        /// The program told the writer of an article with a move that moves are played by mail, or
        /// asked a player whether a letter without proof is the player's.
        Told = "told",
        /// The last move, which came by an article, is taken back, since another article has
        /// another one for the same half-move.
        Withdrawn = "withdrawn",
    }
}

/// The key of an article's Message-ID in its events. It is not that of messages and mails, so
/// that no version takes an article, which everybody can read, for one of them.
pub const ARTICLE: &str = "article";

/// The key of what proves a move's writer, where that can have been public.
pub(crate) const PROOF: &str = "proof";

/// Its value for an answer code alone.
pub(crate) const CODE: &str = "code";

/// The key of the Message-ID of the article whose position no longer stands, in the event that
/// owes the one that says so.
pub const SUPERSEDES: &str = "supersedes";

/// The key of the number of half-moves that an article shows, if it does not show all, in the
/// event that owes it.
pub const AT: &str = "at";

/// The key of the time before which it is not posted, in the event that owes an article.
pub const AFTER: &str = "after";

/// The key of the Message-ID of the delivery report about a mail or an article.
pub const REPORT: &str = "report";

/// The key of its public words in the event that owes an article, and of the server's words in
/// that of a refusal.
pub const TEXT: &str = "text";

/// How much of a match is posted by itself, and when. A player may have less posted than both
/// agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewsPace {
    /// Of how many half-moves each last one is shown.
    pub every: usize,
    /// How many half-moves are made before one is shown.
    pub delay_moves: usize,
    /// How many days an article waits.
    pub delay_days: u16,
    /// True if nothing is posted before the match is over.
    pub only_finished: bool,
}

impl Default for NewsPace {
    fn default() -> NewsPace {
        NewsPace {
            every: 1,
            delay_moves: 0,
            delay_days: 0,
            only_finished: false,
        }
    }
}

impl NewsPace {
    /// Returns how many half-moves of those that were made are shown now, if any.
    pub fn shown(&self, made: usize, is_over: bool) -> Option<usize> {
        if is_over {
            return Some(made);
        }
        let shown = made.checked_sub(self.delay_moves)?;
        let is_due = !self.only_finished && shown > 0 && shown.is_multiple_of(self.every);
        is_due.then_some(shown)
    }
}

/// An article that is called for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewArticle {
    /// Where everybody reads it.
    pub forum: Forum,
    /// The number of half-moves that it shows; none for all.
    pub at: Option<usize>,
    /// The time before which it is not posted.
    pub after: Option<DateTime<Utc>>,
    /// Words for everybody.
    pub text: Option<String>,
}

impl NewArticle {
    /// Creates an article that shows a match as it is now.
    pub fn to(forum: &Forum) -> NewArticle {
        NewArticle {
            forum: forum.clone(),
            at: None,
            after: None,
            text: None,
        }
    }
}

/// An article to be posted, as its line in the log describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedArticle {
    /// The number of its line in the log, from 1.
    pub line: usize,
    /// The time it was called for.
    pub time: DateTime<Utc>,
    /// The Message-ID, the same at each try.
    pub id: MessageId,
    /// Where everybody reads it.
    pub forum: Forum,
    /// The number of half-moves that it shows; none for all.
    pub at: Option<usize>,
    /// The line of the log with the last move that it shows.
    pub(super) last_move: Option<usize>,
    /// The time before which it is not posted.
    pub after: Option<DateTime<Utc>>,
    /// Words for everybody.
    pub text: Option<String>,
    /// The article whose last move was taken back, which this one takes the place of.
    pub supersedes: Option<MessageId>,
}

impl QueuedArticle {
    /// Returns its `Date`: a server takes none that is days old.
    pub fn date(&self) -> DateTime<Utc> {
        self.after.unwrap_or(self.time)
    }

    /// Returns the time before which it is not posted, if that has not come.
    pub fn is_held_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.after.filter(|after| *after > now)
    }
}

/// An article that was refused for good, or of which a delivery report says that the mailing list has
/// not got it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedArticle {
    /// The article.
    pub article: QueuedArticle,
    /// The time of the refusal or the report.
    pub time: DateTime<Utc>,
    /// The words of the server.
    pub reason: String,
}

/// The articles of a match, each list oldest first.
#[derive(Clone, Default, Debug)]
pub(crate) struct Articles {
    pub(super) owed: Vec<QueuedArticle>,
    pub(super) refused: Vec<RefusedArticle>,
    pub(super) posted: Vec<QueuedArticle>,
    /// Those of the posted ones that have not arrived, as a report says.
    pub(super) reported: Vec<RefusedArticle>,
    /// True if no move is to be posted by itself any more.
    pub(super) is_stopped: bool,
}

impl Articles {
    /// Returns the articles that are owed or were refused.
    pub(super) fn unposted(&self) -> impl Iterator<Item = &QueuedArticle> {
        let refused = self.refused.iter().map(|refused| &refused.article);
        self.owed.iter().chain(refused)
    }

    /// Returns the article with this id, if it is the last one that was mailed to its list, and no
    /// report has said anything about it.
    pub(super) fn reportable(&self, id: &MessageId) -> Option<&QueuedArticle> {
        let article = self.posted.iter().rfind(|article| article.id == *id)?;
        let mut of_forum = self.posted.iter().rev();
        let last = of_forum.find(|other| other.forum == article.forum)?;
        let is_known = self
            .reported
            .iter()
            .any(|reported| reported.article.id == *id);
        (article.forum.list().is_some() && last.id == *id && !is_known).then_some(article)
    }

    /// Removes the article with this id, owed or refused.
    pub(super) fn take(&mut self, id: &MessageId) -> Option<QueuedArticle> {
        if let Some(place) = self.owed.iter().position(|owed| owed.id == *id) {
            return Some(self.owed.remove(place));
        }
        let mut refused = self.refused.iter();
        let place = refused.position(|refused| refused.article.id == *id)?;
        Some(self.refused.remove(place).article)
    }

    /// Owes an article, in its place among those that are owed.
    pub(super) fn owe(&mut self, article: QueuedArticle) {
        let place = self.owed.partition_point(|owed| owed.line < article.line);
        self.owed.insert(place, article);
    }

    /// Removes what is not to be posted yet, and shows the move of a line that was taken back.
    pub(super) fn drop_held(&mut self, gone: Option<usize>, now: DateTime<Utc>) {
        let is_held = |owed: &QueuedArticle| owed.is_held_until(now).is_some();
        self.owed
            .retain(|owed| owed.last_move != gone || !is_held(owed));
    }

    /// Removes what was called for behind a line of the log.
    pub(super) fn end_at(&mut self, line: usize) {
        self.owed.retain(|owed| owed.line < line);
        self.refused.retain(|refused| refused.article.line < line);
    }
}
