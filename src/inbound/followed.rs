//! The articles of a newsgroup that concern a match, by their overviews: those that follow one of
//! its own, and those with its id in the subject.
//!
//! Anybody can write any references and any subject. They say what an article wants to be about,
//! and nothing of who has written it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Error;
use crate::inbound::incoming_message;
use crate::inbound::match_lookup::subject_id;
use crate::limits::NAMED;
use crate::mail::message_id::MessageId;
use crate::mail::nntp::group::Overview;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::sources::newsgroup::GroupInterest;
use crate::match_id::Id;
use crate::matches::mail_id;
use crate::matches::r#match::Match;
use crate::store::cache::Cache;
use crate::store::errand::{self, Errand, Reads};
use crate::store::store::Store as _;

/// The matches that articles of a group follow.
pub struct Followed<'a> {
    cache: Arc<Cache<'a>>,
    group: Newsgroup,
    /// The reads of the store, until they are confirmed.
    reads: RefCell<Reads>,
}

impl<'a> Followed<'a> {
    /// Creates what looks for the matches of a group's articles.
    pub fn new(cache: Arc<Cache<'a>>, group: Newsgroup) -> Followed<'a> {
        Followed {
            cache,
            group,
            reads: RefCell::default(),
        }
    }
}

impl GroupInterest for Followed<'_> {
    fn wants(&self, overview: &Overview) -> bool {
        let subject = decoded(&overview.subject);
        let named = ids_named(&overview.references, &subject);
        if named.is_empty() {
            return false;
        }
        let _errand = Errand::begin();
        let is_wanted = named.iter().any(|id| match self.cache.find(id) {
            Ok(None) => false,
            Ok(Some(stored)) => is_about(&stored.game, overview, &subject, &self.group),
            // It may be about one that cannot be read now.
            Err(_) => true,
        });
        self.reads.borrow_mut().merge(&errand::take_reads());
        is_wanted
    }

    fn confirm(&self) -> Result<(), Error> {
        let reads = self.reads.take();
        if reads.is_empty() {
            return Ok(());
        }
        self.cache.confirm(&reads)
    }
}

/// Returns the ids of the matches that an article may name, a few at most. Most articles name none.
pub(crate) fn ids_named(references: &[MessageId], subject: &str) -> BTreeSet<Id> {
    let cited = references.iter().filter_map(mail_id::match_of_article);
    let cited: BTreeSet<Id> = cited.take(NAMED).collect();
    cited.into_iter().chain(subject_id(subject)).collect()
}

/// Returns true if an article of somebody else in a group is about a match.
fn is_about(game: &Match, overview: &Overview, subject: &str, group: &Newsgroup) -> bool {
    let is_own = overview.id.as_ref().is_some_and(|id| is_own(game, id));
    !is_own && (cites(game, &overview.references) || is_named(game, subject, group))
}

/// Returns true if an article is a comment on a match in a group.
pub fn is_comment(game: &Match, overview: &Overview, group: &Newsgroup) -> bool {
    is_about(game, overview, &decoded(&overview.subject), group)
}

/// Returns true if one of the references is an article of the match.
pub(crate) fn cites(game: &Match, references: &[MessageId]) -> bool {
    references.iter().any(|cited| game.article(cited).is_some())
}

/// Returns true if a subject has the id of a match that is posted to this group.
pub(crate) fn is_named(game: &Match, subject: &str, group: &Newsgroup) -> bool {
    subject_id(subject).as_ref() == Some(game.id()) && game.news_groups().contains(group)
}

/// Returns true if the program has made an article itself.
pub(crate) fn is_own(game: &Match, id: &MessageId) -> bool {
    game.article(id).is_some()
}

/// Returns a subject of an overview in plain letters.
fn decoded(subject: &str) -> String {
    if !subject.contains("=?") {
        return subject.to_owned();
    }
    let fields = format!("Subject: {subject}\r\n\r\n");
    incoming_message::read(fields.as_bytes()).map_or_else(|_| String::new(), |read| read.subject)
}
