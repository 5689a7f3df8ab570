//! What others write in a newsgroup or on a mailing list, and what it means to a match: which of
//! it follows the match's own articles, and whom the program has told that moves are played by mail;
//! and which players it has asked whether a letter without proof is theirs.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::matches::action::Action;
use crate::matches::article::{ARTICLE, Forum, GROUP, NewsStep, QueuedArticle};
use crate::matches::event::{Event, LogEntry, MISSING, Who};
use crate::matches::r#match::Match;
use crate::rules::Color;

impl Match {
    /// Returns the article of the match with this Message-ID. One that is not known to be posted
    /// may have been.
    pub fn article(&self, id: &MessageId) -> Option<&QueuedArticle> {
        self.articles().find(|article| article.id == *id)
    }

    /// Returns the groups in which the match has articles, or will have some.
    pub fn news_groups(&self) -> BTreeSet<&Newsgroup> {
        let groups = self.articles().filter_map(|article| article.forum.group());
        groups.chain(&self.settings().news).collect()
    }

    /// Returns true if somebody was told in this position that moves are played by mail.
    pub(crate) fn has_told_of_mail(&self) -> bool {
        let mut since = self.since_position();
        since.any(|event| is_told(event) && event.get(OF).is_none())
    }

    /// Returns true if this player was asked in this position whether a letter is the player's.
    pub(crate) fn has_asked_for_proof(&self, side: Color) -> bool {
        let mut since = self.since_position();
        since.any(|event| asks_for_proof(event, side))
    }

    /// Returns the line of the log (from 1) that last asked this player whether a letter is the
    /// player's. The next mail to the player is the question.
    pub(crate) fn proof_question(&self, side: Color) -> Option<usize> {
        let mut log = self.log().iter();
        let at = log.rposition(|event| asks_for_proof(event, side))?;
        Some(at + 1)
    }

    /// Returns a player who has answered a mail of ours that is missing from the log, until that player's
    /// next move, a repair or the end of the match. The file may be a backup, or another machine may have
    /// a copy of the match.
    pub(crate) fn player_of_missing_mail(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|side| {
            let is_settled = |event: &&LogEntry| {
                event.is_repair()
                    || event.is_move() && event.who == Who::Player(*side)
                    || event.action().is_some_and(Action::ends_match)
            };
            let mut since = self
                .log()
                .iter()
                .rev()
                .take_while(|event| !is_settled(event));
            since.any(|event| event.get(MISSING).is_some() && event.who == Who::Player(*side))
        })
    }

    /// Returns the addresses of the letters about which the program asked players.
    pub(crate) fn addresses_of_unproven(&self) -> impl Iterator<Item = Address> {
        let asked = self.log().iter().filter(|event| event.get(OF).is_some());
        asked.filter_map(|event| event.get("to")?.parse().ok())
    }
}

/// The key of the player who is asked whether a letter is the player's.
const OF: &str = "of";

fn is_told(event: &LogEntry) -> bool {
    event.news_step() == Some(NewsStep::Told)
}

fn asks_for_proof(event: &LogEntry, side: Color) -> bool {
    let of = event.get(OF);
    is_told(event) && of.is_some_and(|of| of.chars().eq([side.letter()]))
}

/// Returns the line of the log for the question to the player of this side whether a letter is the
/// player's. `to` is the address that the letter went to, if not to us. The line is nobody's and
/// counts against nobody's bounds, since anybody may have sent the letter.
pub(crate) fn asked_for_proof(
    now: DateTime<Utc>,
    side: Color,
    letter: &MessageId,
    to: Option<&Address>,
) -> LogEntry {
    LogEntry::new(now, Event::News(Some(NewsStep::Told)), Who::Nobody)
        .key(ARTICLE, Some(letter))
        .key(OF, Some(side.letter()))
        .key("to", to)
}

impl Match {
    /// Returns true if moves count from a group: both players have agreed to that, by the
    /// invitation and by playing on it, and no articles have disagreed about the next half-move.
    pub(crate) fn counts_moves_of(&self, group: &Newsgroup) -> bool {
        let settings = self.settings();
        settings.counts_news
            && settings.news.as_ref() == Some(group)
            && self.state.is_agreed()
            && !self.state.is_disputed
    }

    /// Returns true if articles have disagreed about the next half-move.
    pub(crate) fn is_disputed(&self) -> bool {
        self.state.is_disputed
    }

    /// Returns the match as it was before the last move, if that came by what anybody may have
    /// read before: by an article, or by a code that may stand in one.
    pub(crate) fn before_public_move(&self) -> Option<Match> {
        let line = self.state.public_move()?;
        self.as_of(line - 1).ok()
    }
}

/// Returns the line that takes back the last move of a match, which another article contradicts. It
/// is nobody's: nobody knows who has written which of them.
pub(crate) fn withdrawn(now: DateTime<Utc>, group: &Newsgroup, article: &MessageId) -> LogEntry {
    LogEntry::new(now, Event::News(Some(NewsStep::Withdrawn)), Who::Nobody)
        .key(ARTICLE, Some(article))
        .key(GROUP, Some(group))
}

/// Returns the line that says that the writer of an article was told how to play by mail. It is
/// nobody's: anybody may have written the article.
pub(crate) fn told_of_mail(now: DateTime<Utc>, forum: &Forum, article: &MessageId) -> LogEntry {
    LogEntry::new(now, Event::News(Some(NewsStep::Told)), Who::Nobody)
        .key(ARTICLE, Some(article))
        .key(forum.key(), Some(forum))
}
