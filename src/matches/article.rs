//! The articles of a match in a newsgroup, as its log describes them.

use chrono::{DateTime, Utc};

use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;

words! {
    /// A step in the life of an article.
    NewsStep {
        /// The article is to be posted.
        Owed = "owed",
        /// It was posted.
        Posted = "posted",
        /// It was refused for good. The text is the news server's.
        Failed = "failed",
        /// It is owed again.
        Requeued = "requeued",
        /// It is not to be posted any more.
        Dropped = "dropped",
        /// No move of the match is to be posted by itself any more.
        Stopped = "stopped",
        /// The writer of an article with a move was told that moves are played by mail.
        Told = "told",
        /// The last move, which came by an article, is taken back, since another article has
        /// another one for the same half-move.
        Withdrawn = "withdrawn",
    }
}

/// The key of an article's Message-ID in its events. It is not that of messages and mails, so
/// that no version takes an article, which everybody can read, for one of them.
pub const ARTICLE: &str = "article";

/// The key of the newsgroup in the event that owes an article.
pub const GROUP: &str = "group";

/// The key of what proves a move's writer, where that can have been public.
pub(crate) const PROOF: &str = "proof";

/// Its value for an answer code alone.
pub(crate) const CODE: &str = "code";

/// An article to be posted, as its line in the log describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedArticle {
    /// The number of its line in the log, from 1.
    pub line: usize,
    /// The time it was called for; also its `Date`.
    pub time: DateTime<Utc>,
    /// The Message-ID, the same at each try.
    pub id: MessageId,
    /// The newsgroup.
    pub group: Newsgroup,
}

/// An article that was refused for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedArticle {
    /// The article.
    pub article: QueuedArticle,
    /// The time of the refusal.
    pub time: DateTime<Utc>,
    /// The words of the news server.
    pub reason: String,
}

/// The articles of a match, each list oldest first.
#[derive(Clone, Default, Debug)]
pub(crate) struct Articles {
    pub(super) owed: Vec<QueuedArticle>,
    pub(super) refused: Vec<RefusedArticle>,
    pub(super) posted: Vec<QueuedArticle>,
    /// True if no move is to be posted by itself any more.
    pub(super) is_stopped: bool,
}

impl Articles {
    /// Returns the articles that are owed or were refused.
    pub(super) fn unposted(&self) -> impl Iterator<Item = &QueuedArticle> {
        let refused = self.refused.iter().map(|refused| &refused.article);
        self.owed.iter().chain(refused)
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

    /// Removes what was called for behind a line of the log.
    pub(super) fn end_at(&mut self, line: usize) {
        self.owed.retain(|owed| owed.line < line);
        self.refused.retain(|refused| refused.article.line < line);
    }
}
