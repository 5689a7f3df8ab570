//! The messages of a mailbox that concern a match, by their headers, and the day from which a
//! folder without a place is read.
//!
//! And the articles of a newsgroup that do, by their overviews: those that follow one of the
//! match's own, and those with its id in the subject. Anybody can write any references and any
//! subject. They say what an article wants to be about, and nothing of who has written it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate, Utc};
use lettre::Address;

use crate::Error;
use crate::inbound::answered::{is_known, own_sides};
use crate::inbound::incoming_message;
use crate::inbound::match_lookup::{is_subject_of_ours, names, subject_id};
use crate::inbound::partner_wish::WISH;
use crate::limits::NAMED;
use crate::mail::message_id::MessageId;
use crate::mail::nntp::group::Overview;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::sources::mailbox::{before, bounded};
use crate::mail::sources::newsgroup::GroupInterest;
use crate::mail::sources::{Concern, Interest};
use crate::match_id::Id;
use crate::matches::mail_id;
use crate::matches::r#match::Match;
use crate::matches::player::{Player, is_nobodys};
use crate::store::cache::Cache;
use crate::store::errand::{self, Errand, Reads};
use crate::store::store::{Store, Stored};

/// The words at the foot of our mails, which an answer quotes.
const FOOT: [&str; 2] = ["half-moves made", "half-move made"];

/// The matches that mail can be about, as far as they are known.
pub struct Known {
    store: Arc<dyn Store>,
    me: Player,
    /// The matches that cannot be read, so that their players are not known for certain.
    hidden: Vec<Id>,
    words: Vec<String>,
    /// The reads of the store, until they are confirmed.
    reads: RefCell<Reads>,
}

impl Known {
    /// Looks for matches that cannot be read among those in which anything is left to do.
    /// The others are looked for when a message is.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn of(store: &Arc<dyn Store>, me: &Player) -> Result<Known, Error> {
        let mut known = Known {
            store: Arc::clone(store),
            me: me.clone(),
            hidden: Vec::new(),
            reads: RefCell::default(),
            words: FOOT.map(ToOwned::to_owned).to_vec(),
        };
        let own: &str = me.address().as_ref();
        if own.is_ascii() {
            // Whoever returns a mail of ours returns its header.
            known.words.push(format!("X-Loop: {own}"));
        }
        let _errand = Errand::begin();
        known.hidden = store.hidden()?;
        known.note();
        Ok(known)
    }

    /// Has letters read, too, that ask for a match with the partner, whoever wrote them.
    #[must_use]
    pub fn with_wishes(mut self, are_heard: bool) -> Known {
        if are_heard {
            self.words.push(WISH.to_owned());
        }
        self
    }

    fn note(&self) {
        self.reads.borrow_mut().merge(&errand::take_reads());
    }

    /// Returns true if a message with these header fields concerns a match: it answers a
    /// mail of a match, has its id in the subject, or is from a player or a referee.
    pub fn concerns(&self, fields: &[u8]) -> bool {
        self.concern(fields) != Concern::Nothing
    }

    /// Returns true if there is a match with this id, damaged or not.
    fn is_here(&self, id: &Id) -> bool {
        !matches!(self.store.find(id), Ok(None))
    }

    /// Returns true if a Message-ID has the form of those of a match: `<ID.…>`.
    fn is_ours(&self, cited: &MessageId) -> bool {
        mail_id::match_of(cited).is_some_and(|id| self.is_here(&id))
    }

    /// Returns true if an address is that of a player other than the user, or of a
    /// referee. A mail of the user's own is about a match if it says so.
    fn is_player(&self, sender: &Address) -> bool {
        if is_nobodys(sender) {
            return false;
        }
        let Ok(of_sender) = self.store.by_address(sender) else {
            // It may be a player's, as far as can be told now.
            return true;
        };
        let is_other = |stored: &Stored| {
            let own = stored.game.sides_of(&self.me);
            let mut sides = stored.game.sides(sender);
            sides.any(|side| !own.contains(&side))
        };
        // Whoever is known to play in one that cannot be read is not passed over.
        let mut damaged = of_sender.damaged.iter();
        let is_of_damaged = damaged.any(|(id, _)| !self.hidden.contains(id));
        of_sender.matches.iter().any(is_other)
            || is_of_damaged
            || !matches!(self.store.by_referee(sender), Ok(matches) if matches.is_empty())
    }

    /// Returns true if an address of a player or a mail of a match stands in fields that
    /// cannot be read.
    fn is_named_in(&self, fields: &[u8]) -> bool {
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"<>,;:\"()[]".contains(byte);
        let words = fields.split(is_between);
        let mut words = words.filter_map(|word| std::str::from_utf8(word).ok());
        words.any(|word| {
            word.parse().is_ok_and(|address| self.is_player(&address))
                || word
                    .parse()
                    .is_ok_and(|id| word.contains('@') && self.is_ours(&id))
        })
    }
}

impl Interest for Known {
    fn has_hidden(&self) -> bool {
        !self.hidden.is_empty()
    }

    fn confirm(&self) -> Result<(), Error> {
        let reads = self.reads.take();
        if reads.is_empty() {
            return Ok(());
        }
        self.store.confirm(&reads)
    }

    fn words(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    fn concern(&self, fields: &[u8]) -> Concern {
        let _errand = Errand::begin();
        let message = incoming_message::read(fields);
        let is_named = message.as_ref().is_ok_and(|message| {
            message.cites.iter().any(|cited| self.is_ours(cited))
                || is_subject_of_ours(&message.subject, |id| self.is_here(id))
        });
        let is_player = || match &message {
            Ok(message) => {
                let sender = message.sender.as_ref();
                sender.is_some_and(|sender| self.is_player(sender))
            }
            // Beyond a limit a message is refused, but its sender is to be told of.
            Err(_) => self.is_named_in(fields),
        };
        let concern = if is_named {
            Concern::Named
        } else if is_player() {
            Concern::Sender
        } else {
            Concern::Nothing
        };
        self.note();
        concern
    }

    fn has_received(&self, fields: &[u8]) -> bool {
        let _errand = Errand::begin();
        let Ok(message) = incoming_message::read(fields) else {
            return false;
        };
        let Some(sender) = &message.sender else {
            return false;
        };
        let found = self.store.by_address(sender);
        self.note();
        // Somebody else may have sent a letter with this id, and claim the address.
        let has = |stored: &Stored| {
            let game = &stored.game;
            let is_theirs = || !own_sides(&message, game).is_empty();
            is_known(game, &message) && (names(&message, &[], game.id()) || is_theirs())
        };
        found.is_ok_and(|found| found.matches.iter().any(has))
    }

    fn begun(&self, why: &str, since: NaiveDate) -> String {
        format!(
            "{why}: of the mail since {since} what names a match is read, and all that arrives from now on; '--since YYYY-MM-DD' reads all mail since a day"
        )
    }

    fn passed_over(&self) -> String {
        "mail was passed over that may be about a match that cannot be read ('parapost list' names it); it is looked at again once the match can be".to_owned()
    }

    fn unread(&self, letters: u32, since: NaiveDate) -> String {
        let letters = match letters {
            1 => "a letter of a player that came before this run names no match and was".to_owned(),
            several => format!(
                "{several} letters of players that came before this run name no match and were"
            ),
        };
        format!("{letters} not read; 'parapost fetch --since {since}' reads all mail since then")
    }
}

/// The days that are read where no match tells more.
const USUAL: Days = Days::new(14);

/// Returns the day from which a folder without a place is read: that of the earliest last
/// line of log among the running matches, less two days. A letter that a match waits for
/// has come after that line.
///
/// # Errors
///
/// If the store cannot tell now.
pub fn beginning(store: &dyn Store, now: DateTime<Utc>) -> Result<NaiveDate, Error> {
    let mut earliest: Option<NaiveDate> = None;
    for id in store.going_on()? {
        let game = match store.find(&id) {
            Ok(Some(stored)) => stored.game,
            Ok(None) => continue,
            Err(error) if error.is_transient() => return Err(error),
            // Nobody knows since when a damaged match has waited.
            Err(_) => return Ok(bounded(NaiveDate::MIN, now)),
        };
        if game.turn().is_none() {
            continue;
        }
        // A line of the time to come was written by a clock that was wrong.
        let mut times = game.log().iter().rev().map(|event| event.time);
        let last = times.find(|time| *time <= now);
        let last = last.or_else(|| Some(game.started()).filter(|time| *time <= now));
        let day = last.map_or_else(|| usual(now), |time| time.date_naive());
        earliest = Some(earliest.map_or(day, |earliest| earliest.min(day)));
    }
    Ok(match earliest {
        Some(day) => bounded(before(day), now),
        None => usual(now),
    })
}

fn usual(now: DateTime<Utc>) -> NaiveDate {
    let today = now.date_naive();
    today.checked_sub_days(USUAL).unwrap_or(today)
}

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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::matches::r#match::{Match, MatchSettings};
    use crate::store::folder::Folder;
    use crate::store::store::FaultyStore;

    /// Makes a folder with a match and a damaged one.
    fn known() -> (tempfile::TempDir, Known) {
        let mut settings = MatchSettings::sample("k7f3qd");
        settings.players[1] = "Ben <ben@example.org>, <ben@work.test>".parse().unwrap();
        settings.referee = Some("ref@club.test".parse().unwrap());
        let game = Match::new(settings, "2026-11-20T03:00:00Z".parse().unwrap());
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("broken.txt"), "Format: nonsense\n").unwrap();
        let store: Arc<dyn Store> = Arc::new(Folder::new(place.path(), Duration::ZERO));
        store.create(&game).unwrap();
        let known = Known::of(&store, &"<anna@example.org>".parse().unwrap()).unwrap();
        assert!(known.has_hidden());
        (place, known)
    }

    #[test]
    fn a_header_tells_whether_a_message_concerns_a_match() {
        let (_place, known) = known();
        for (fields, expected) in [
            ("From: Ben <ben@example.org>\r\n\r\n", true),
            ("From: ben+chess@EXAMPLE.org\r\n\r\n", true),
            ("From: ben@work.test\r\n\r\n", true),
            ("From: Ref@club.test\r\n\r\n", true),
            ("From: ref+x@club.test\r\n\r\n", false),
            (
                "From: mallory@example.org\r\nSubject: ben@example.org\r\n\r\n",
                false,
            ),
            ("From: x@y.test\r\nSubject: Re: [k7f3qd] x\r\n\r\n", true),
            (
                "From: x@y.test\r\nSubject: [K7F3QD] unsubscribe\r\n\r\n",
                true,
            ),
            ("From: x@y.test\r\nSubject: Re: [broken] x\r\n\r\n", true),
            (
                "From: x@y.test\r\nSubject: [new1] Unachess: invitation\r\n\r\n",
                true,
            ),
            (
                "From: x@y.test\r\nSubject: [debian-devel] k7f3qd\r\n\r\n",
                false,
            ),
            (
                "From: x@y.test\r\nIn-Reply-To: <k7f3qd.4.0123@a.test>\r\n\r\n",
                true,
            ),
            (
                "From: x@y.test\r\nReferences: <a@b> <broken.4.0@a.test>\r\n\r\n",
                true,
            ),
            (
                "From: x@y.test\r\nReferences: <other.4.0@a.test>\r\n\r\n",
                false,
            ),
            (
                "From: x@y.test\r\nReferences: <k7f3qd@a.test>\r\n\r\n",
                false,
            ),
            // What the user writes to himself is nobody else's concern.
            ("From: anna@example.org\r\nSubject: shopping\r\n\r\n", false),
            (
                "From: anna@example.org\r\nSubject: [k7f3qd] x\r\n\r\n",
                true,
            ),
            ("", false),
            ("\r\n", false),
        ] {
            assert_eq!(known.concerns(fields.as_bytes()), expected, "{fields:?}");
        }
    }

    /// Another process makes the index of the folder, for too long.
    #[test]
    fn where_the_store_cannot_tell_a_sender_may_be_a_player() {
        let (place, known) = known();
        let fields = b"From: x@y.test\r\n\r\n";
        assert!(!known.concerns(fields));
        let index = place.path().join(".index");
        let lock = fs::File::open(index.join("listing.lock")).unwrap();
        lock.lock().unwrap();
        fs::remove_file(index.join("listed")).unwrap();
        assert!(known.concerns(fields));
    }

    /// Nobody knows any more who plays in it.
    #[test]
    fn a_player_of_a_match_that_was_damaged_since_is_one() {
        let (place, known) = known();
        let path = place.path().join("k7f3qd.txt");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("Format: 1", "Format: nonsense")).unwrap();
        assert!(known.concerns(b"From: ben@example.org\r\n\r\n"));
    }

    /// Mail that is passed over now is not looked at again.
    #[test]
    fn where_the_store_cannot_tell_a_sender_may_be_a_referee() {
        let (_place, known) = known();
        let store: Arc<dyn Store> = Arc::new(FaultyStore {
            store: known.store.clone(),
            faulty: "other".parse().unwrap(),
        });
        let known = Known { store, ..known };
        assert!(known.concerns(b"From: x@y.test\r\n\r\n"));
    }

    #[test]
    fn fields_beyond_a_limit_are_a_players_if_they_name_one() {
        let (_place, known) = known();
        let long = format!("Subject: {}\r\n", "=?".repeat(2000));
        let fields = |from: &str| format!("{long}From: {from}\r\n\r\n");
        assert!(incoming_message::read(fields("ben@work.test").as_bytes()).is_err());
        assert!(known.concerns(fields("<ben@work.test>").as_bytes()));
        assert!(!known.concerns(fields("<mallory@work.test>").as_bytes()));
    }
}
