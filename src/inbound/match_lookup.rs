//! Finds the match that a message is about.
//!
//! A message names a match by the messages it answers, by an id in brackets in its
//! subject and by the id line in its text. If it names none, it belongs to the only
//! match that waits for its sender. If it names different matches, or names none while
//! several wait, the sender is asked. An id from a message is only compared with the
//! ids of known matches.
//!
//! Of the messages it answers, only those count for a player that we sent to this
//! player or that this player sent: the opponent can send us a message under any id.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::inbound::answered::{own_sides, sides_of};
use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::Pattern;
use crate::mail::message_id::MessageId;
use crate::mail::quoting::line::{Author, Line};
use crate::match_id::Id;
use crate::matches::event::{LogEntry, Who};
use crate::matches::mail::MailStep;
use crate::matches::mail_id;
use crate::matches::r#match::Match;
use crate::notation::header::{IdLine, id_lines};
use crate::rules::{Color, games};

/// The reason why a message belongs to no match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// It names no match, and its sender plays none.
    Stranger,
    /// It is, or may be, about a match that cannot be read.
    Hidden,
    /// The sender must be asked. Holds the reason as a sentence with its full stop.
    Ask(String),
}

/// Why the sender of a message is asked that names several matches.
pub const SEVERAL: &str =
    "It names more than one: by what it answers, in its subject or in what it quotes.";

/// Returns the ids of the matches that a message may name: by its own id and those of the
/// messages it answers, if they have the form of ours, in its subject and in its text.
/// Whether there are such matches, only the store can tell.
pub fn ids_named(message: &IncomingMessage, lines: &[Line<'_>]) -> BTreeSet<Id> {
    let mut ids = ids_written(message, lines);
    ids.extend(mail_id::match_of(&message.id));
    ids.extend(message.cites.iter().filter_map(mail_id::match_of));
    let reported = message.report.as_ref();
    ids.extend(reported.and_then(|report| mail_id::match_of(&report.message)));
    ids
}

/// Returns the ids of matches in the subject and the text of a message. Such an id names
/// a match as soon as that exists; a Message-ID does so only if the log of the match has it.
pub fn ids_written(message: &IncomingMessage, lines: &[Line<'_>]) -> BTreeSet<Id> {
    let in_subject = subject_ids(&message.subject).into_iter();
    let mut ids: BTreeSet<Id> = in_subject.map(|named| named.id).collect();
    ids.extend(id_lines(lines).into_iter().map(|line| line.id));
    ids.extend(codes(message));
    ids
}

/// Returns the ids in what looks like answer codes.
fn codes(message: &IncomingMessage) -> impl Iterator<Item = Id> {
    message.taken.forms.iter().map(|form| form.id.clone())
}

/// The matches that a message names, among those there are.
pub struct Lookup<'m> {
    /// The matches that the message names, and how.
    named: Vec<(&'m Match, Naming)>,
    /// The matches in which its sender plays.
    own: Vec<&'m Match>,
    /// Those that wait for its sender.
    waiting: Vec<&'m Match>,
    /// The ids in the id lines of the text.
    in_text: Vec<Id>,
    /// The ids in places for our ids only, in the order in which they stand.
    ours: Vec<Id>,
    /// True if it names a match that cannot be read.
    names_hidden: bool,
    /// True if there is a match that cannot be read.
    has_hidden: bool,
    /// True if it answers a message that none of these matches knows. Whoever wrote that may
    /// have chosen its subject, and the words that are quoted.
    is_foreign: bool,
    /// The ids in the feet of our mails in it, whether they name a match or not.
    in_feet: Vec<Id>,
    /// The ids in what looks like answer codes.
    in_codes: Vec<Id>,
}

/// The way in which a message names a match.
#[derive(Clone, Copy)]
struct Naming {
    /// True if it answers a message of the match.
    is_by_answer: bool,
    /// True if it names the match by more than a line of its text: by a mail of ours that
    /// it answers, or in its subject.
    is_outside_text: bool,
    /// True if it names the match by its id or by a mail of ours. Whether we know a
    /// message of its sender's, which it answers, depends on the order in which
    /// messages come.
    is_settled: bool,
}

impl<'m> Lookup<'m> {
    /// Compares a message with the matches there are, and with the ids of those that
    /// cannot be read.
    pub fn new(
        message: &IncomingMessage,
        lines: &[Line<'_>],
        matches: impl IntoIterator<Item = &'m Match>,
        hidden: &[Id],
    ) -> Lookup<'m> {
        let mut id_lines = id_lines(lines);
        let in_feet = id_lines.iter().map(|line| line.id.clone()).collect();
        // Nothing is mailed in a match at the terminal, so no letter is about one.
        let by_mail = |game: &&Match| !game.is_at_terminal();
        let matches: Vec<&Match> = matches.into_iter().filter(by_mail).collect();
        let parent = message.parent.as_ref();
        let is_foreign = parent.is_some_and(|parent| {
            let knows = |game: &Match| {
                let (sides, own) = (sides_of(message, game), own_sides(message, game));
                let mut log = game.log().iter();
                log.any(|event| {
                    is_theirs(event.who, &sides) && event.went_out_as(parent)
                        || is_theirs(event.who, &own) && event.came_by(parent)
                })
            };
            // What everybody can read is ours, too.
            let is_article = |game: &Match| game.article(parent).is_some();
            !matches.iter().any(|game| knows(game) || is_article(game))
        });
        if is_foreign {
            let hashes = |game: &&'m Match| {
                let game = *game;
                (game.id(), LazyCell::new(|| game.hashes()))
            };
            let hashes: HashMap<&Id, _> = matches.iter().map(hashes).collect();
            // The foot of a mail of a match, with the hash of one of its positions.
            let is_right = |foot: &IdLine| {
                let hash = hashes
                    .get(&foot.id)
                    .and_then(|hashes| hashes.get(foot.plies));
                foot.hash.is_some() && foot.hash.as_ref() == hash
            };
            id_lines.retain(|line| line.author == Author::Own || is_right(line));
        }
        let in_text: Vec<Id> = id_lines.into_iter().map(|line| line.id).collect();
        let subject_ids = subject_ids(&message.subject);
        let in_subject: HashSet<&Id> = subject_ids.iter().map(|named| &named.id).collect();
        let ids: HashSet<&Id> = in_subject.iter().copied().chain(&in_text).collect();
        let ours = subject_ids.iter().filter(|named| named.is_ours);
        let ours = ours.map(|named| &named.id);
        let cites: HashSet<&str> = message.cites.iter().map(MessageId::bare).collect();
        let mut lookup = Lookup {
            named: Vec::new(),
            own: Vec::new(),
            waiting: Vec::new(),
            in_text: in_text.clone(),
            ours: in_text.iter().chain(ours).cloned().collect(),
            names_hidden: hidden.iter().any(|id| {
                ids.contains(id) || message.cites.iter().any(|cited| mail_id::is_of(cited, id))
            }),
            has_hidden: !hidden.is_empty(),
            is_foreign,
            in_feet,
            in_codes: codes(message).collect(),
        };
        let mut claimed = Vec::new();
        for game in matches {
            let (sides, own) = (sides_of(message, game), own_sides(message, game));
            let is_by_id = ids.contains(game.id());
            // What everybody can read names the match, as a mail of ours does, and proves nothing.
            let is_article = || message.cites.iter().any(|id| game.article(id).is_some());
            let answered = cited(game, &cites, &sides, &own);
            let answered = answered.or_else(|| is_article().then_some(Cited::OurMail));
            if is_by_id || answered.is_some() {
                let naming = Naming {
                    is_by_answer: answered.is_some(),
                    is_outside_text: in_subject.contains(game.id())
                        || answered == Some(Cited::OurMail),
                    is_settled: is_by_id || answered == Some(Cited::OurMail),
                };
                lookup.named.push((game, naming));
            }
            // A claimed address counts only in a match that the message names.
            if own.is_empty() && (sides.is_empty() || !is_by_id && answered.is_none()) {
                claimed.extend((!sides.is_empty()).then_some((game, sides)));
                continue;
            }
            lookup.add_own(game, &sides);
        }
        // If nobody else has the address, only one player can be meant.
        if let [(game, sides)] = claimed.as_slice()
            && lookup.own.is_empty()
            && lookup.named.is_empty()
        {
            lookup.add_own(game, sides);
        }
        lookup
    }

    /// Adds a match in which the sender of the message plays these sides.
    fn add_own(&mut self, game: &'m Match, sides: &[Color]) {
        self.own.push(game);
        if game.turn().is_some_and(|turn| sides.contains(&turn)) {
            self.waiting.push(game);
        }
    }

    /// Returns the matches in which the sender of the message plays.
    pub fn own(&self) -> &[&'m Match] {
        &self.own
    }

    /// Returns the sender's matches among these, and those that the message names.
    pub fn with_named(&self, matches: &[&Match]) -> Vec<&'m Match> {
        let named = || self.named.iter().map(|(game, _)| *game);
        let is_listed = |own: &&&Match| {
            let mut listed = matches.iter().copied().chain(named());
            listed.any(|game| game.id() == own.id())
        };
        self.own.iter().filter(is_listed).copied().collect()
    }

    /// Returns true if an id in the text of the message tells more than the messages it
    /// answers.
    pub fn rests_on_text(&self) -> bool {
        let answered = match self.named.as_slice() {
            [(game, naming)] if naming.is_by_answer => Some(game.id()),
            _ => None,
        };
        self.in_text.iter().any(|id| Some(id) != answered)
    }

    /// Returns true if the message names one match, and named it when it first came,
    /// too. Any other message may have been about another match when it first came.
    pub fn is_settled(&self) -> bool {
        let is_settled =
            |naming: &Naming| naming.is_settled && (!self.is_foreign || naming.is_by_answer);
        self.names_hidden || matches!(self.named.as_slice(), [(_, naming)] if is_settled(naming))
    }

    /// Returns true if the message names a match that is here by its id or by a mail of ours.
    pub fn names_one(&self) -> bool {
        self.names_hidden || self.named.iter().any(|(_, naming)| naming.is_settled)
    }

    /// Returns true if the message is about one match, in which its sender plays, whatever
    /// other matches there are: nothing but that match's id and messages names one, and
    /// not only a line of the text, which may have been carried from another match.
    pub fn is_certain(&self) -> bool {
        let [(game, naming)] = self.named.as_slice() else {
            return false;
        };
        !self.names_hidden
            && !self.is_foreign
            && naming.is_outside_text
            && self.ours.iter().all(|id| id == game.id())
            && self.own.iter().any(|own| own.id() == game.id())
    }

    /// Returns true if somebody else may have chosen which of several matches the message names: it
    /// answers a message that is not known here, which has its subject and what it quotes. Whoever
    /// was asked last which match is meant has answered that.
    pub fn may_be_chosen(&self, message: &IncomingMessage) -> bool {
        let is_by_answer = self.named.iter().any(|(_, naming)| naming.is_by_answer);
        let last_of = |game: &&'m Match| {
            let sides = sides_of(message, game);
            let is_by_sender = |who: Who| matches!(who, Who::Player(side) if sides.contains(&side));
            let mut log = game.log().iter().rev();
            log.find(|event| {
                is_by_sender(event.who) && (event.is_question() || !event.is_of_outgoing_mail())
            })
        };
        let last = self.own.iter().filter_map(last_of);
        let last = last.max_by_key(|event| (event.time, !event.is_question()));
        let is_asked = last.is_some_and(LogEntry::is_question);
        self.is_foreign
            && self.own.len() > 1
            && !self.named.is_empty()
            && !is_by_answer
            && !is_asked
    }

    /// Finds the match that the message is about. Its sender need not play in it.
    ///
    /// # Errors
    ///
    /// If there is no such match or more than one, or it may be one that cannot be
    /// read.
    pub fn find(&self) -> Result<&'m Match, NotFound> {
        if self.names_hidden {
            return Err(NotFound::Hidden);
        }
        let ask = |why: String| Err(NotFound::Ask(why));
        // An unknown id is ignored, unless it is in a place for our ids only.
        if let &[(game, naming)] = self.named.as_slice() {
            // The sender may play in a hidden match.
            let is_own = self.own.iter().any(|own| own.id() == game.id());
            if !is_own && self.has_hidden {
                return Err(NotFound::Hidden);
            }
            // Whoever is quoted in a letter to somebody else may have written a code into it.
            let is_quoted = |id: &Id| self.is_foreign && self.in_codes.contains(id);
            let mut others = self.ours.iter().filter(|id| *id != game.id());
            return match others.find(|id| !is_quoted(id)) {
                Some(other) if !self.own.is_empty() && !naming.is_by_answer => ask(format!(
                    "It names {}, and {other}, which is not here.",
                    game.id()
                )),
                _ => Ok(game),
            };
        }
        // The sender may be waiting in a hidden match.
        if self.has_hidden && (self.named.is_empty() || self.own.is_empty()) {
            return Err(NotFound::Hidden);
        }
        if self.own.is_empty() {
            return Err(NotFound::Stranger);
        }
        if !self.named.is_empty() {
            return ask(SEVERAL.to_owned());
        }
        if let Some(id) = self.ours.first() {
            return ask(format!("It names {id}, which is not here."));
        }
        // The foot of a mail that is not this one's tells that another match may be meant.
        if self.is_foreign && !self.in_feet.is_empty() && self.own.len() > 1 {
            return ask("It quotes a mail that is not known here.".to_owned());
        }
        // Tries the only match that waits for the sender, then the only one that is not
        // over, then the only one: a player who writes twice still has one match.
        let goes_on = |game: &&&Match| game.turn().is_some();
        let going_on: Vec<&Match> = self.own.iter().filter(goes_on).copied().collect();
        for candidates in [&self.waiting, &going_on, &self.own] {
            match candidates.as_slice() {
                [] => {}
                [game] => return Ok(game),
                _ => break,
            }
        }
        ask("It does not say, and you have more than one.".to_owned())
    }
}

/// Returns true if the message names the match: by the messages it answers, in its
/// subject, in an id line, or because it is itself a mail about it.
pub fn names(message: &IncomingMessage, lines: &[Line<'_>], id: &Id) -> bool {
    mail_id::is_of(&message.id, id)
        || message.cites.iter().any(|cited| mail_id::is_of(cited, id))
        || is_in_subject(message, id)
        || id_lines(lines).iter().any(|line| line.id == *id)
}

/// Returns true if the subject has the id in brackets, as the subjects of our mails do.
pub fn is_in_subject(message: &IncomingMessage, id: &Id) -> bool {
    let ids = subject_ids(&message.subject);
    ids.iter().any(|named| named.id == *id)
}

/// Returns true if a subject has an id in brackets of a match that is here, or the id and
/// the name of a game as our subjects have them.
pub fn is_subject_of_ours(subject: &str, is_here: impl Fn(&Id) -> bool) -> bool {
    let ids = subject_ids(subject);
    ids.iter().any(|named| named.is_ours || is_here(&named.id))
}

/// Returns the id of the match in the first brackets of a subject, by which an article names it.
pub fn subject_id(subject: &str) -> Option<Id> {
    let mut ids = subject_ids(subject);
    let ours = ids.iter().position(|named| named.is_ours);
    (!ids.is_empty()).then(|| ids.swap_remove(ours.unwrap_or(0)).id)
}

/// A message that another one answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cited {
    /// A message from outside.
    Incoming,
    /// A mail of ours.
    OurMail,
}

/// Returns true if a message of the match is one to or from a player of these sides, or anybody's
/// business where they are none.
fn is_theirs(who: Who, sides: &[Color]) -> bool {
    match who {
        Who::Player(side) => sides.is_empty() || sides.contains(&side),
        Who::Referee | Who::Nobody => true,
    }
}

/// Returns which of the cited messages name the match to a player of these sides: a
/// mail that went to the player, or a message of the player's, whose address is proven for the
/// sides `own`. To anybody else each
/// message of the match names it. The question which match is meant belongs to none.
fn cited(game: &Match, cites: &HashSet<&str>, sides: &[Color], own: &[Color]) -> Option<Cited> {
    if cites.is_empty() {
        return None;
    }
    // A player who only claims the address may have given a letter the id of another one.
    let is_only_claimed = own.is_empty() && !sides.is_empty();
    let events = game.log().iter().filter(|event| {
        event.bare_message().is_some_and(|id| cites.contains(id))
            && !event.is_question()
            && is_theirs(event.who, sides)
            && (event.is_of_outgoing_mail() || !is_only_claimed)
    });
    events
        .map(|event| match event.mail_step() {
            Some(MailStep::Owed | MailStep::Sent) => Cited::OurMail,
            _ => Cited::Incoming,
        })
        .max()
}

struct SubjectId {
    id: Id,
    /// True if the name of a game and a colon follow, as in our subjects.
    is_ours: bool,
}

/// Returns the ids in brackets in a subject. Most brackets are not ours: the tag of a
/// mailing list, a warning that a mail comes from outside. Behind the first one of ours stand
/// names, which no bracket in them makes an id.
fn subject_ids(subject: &str) -> Vec<SubjectId> {
    static PATTERN: Pattern = Pattern::new(r"\[([A-Za-z0-9-]{1,32})\]");
    let mut ids: Vec<SubjectId> = PATTERN
        .captures_iter(subject)
        .filter_map(|parts| {
            let behind = subject[parts.get(0)?.end()..].trim_start();
            let is_ours = games::ALL.iter().any(|game| {
                behind
                    .strip_prefix(game.name)
                    .is_some_and(|rest| rest.starts_with(':'))
            });
            let id = parts[1].to_ascii_lowercase().parse().ok()?;
            Some(SubjectId { id, is_ours })
        })
        .collect();
    if let Some(first) = ids.iter().position(|named| named.is_ours) {
        ids.truncate(first + 1);
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::incoming_message;
    use crate::mail::quoting::sent::Sent;
    use crate::matches::event::Disposition;
    use crate::matches::event::{Event, LogEntry};
    use crate::matches::mail::{MailKind, MailStep};
    use crate::matches::r#match::MatchSettings;
    use crate::notation::reader::classify;

    const TIME: &str = "2026-11-20T03:00:00Z";

    /// Makes matches with the given ids; each knows the message `<ID@host>`.
    fn matches(ids: &[&str], black: &str) -> Vec<Match> {
        let make = |id: &&str| {
            let settings = MatchSettings {
                players: ["White <white@example.test>", black].map(|text| text.parse().unwrap()),
                ..MatchSettings::sample(id)
            };
            let time = TIME.parse().unwrap();
            let mut game = Match::new(settings, time);
            let msg = format!("<{id}@host>");
            // Directly after the beginning it would be the letter that invited.
            let later = time + chrono::TimeDelta::minutes(1);
            game.push(
                LogEntry::new(later, Event::Note(None), crate::rules::Color::White)
                    .key("msg", Some(msg)),
            )
            .unwrap();
            game
        };
        ids.iter().map(make).collect()
    }

    fn found(sender: &str, fields: &str, body: &str, matches: &[Match]) -> Result<String, String> {
        let text = format!("From: {sender}\n{fields}\n{body}\n");
        let message = incoming_message::read(text.as_bytes()).unwrap();
        let lines = classify(&message.text, &Sent::nothing());
        Lookup::new(&message, &lines, matches, &[])
            .find()
            .map(|game| game.id().to_string())
            .map_err(|error| match error {
                NotFound::Stranger => "stranger".to_owned(),
                NotFound::Hidden => unreachable!("no match is hidden"),
                NotFound::Ask(why) => why,
            })
    }

    #[test]
    fn a_game_is_found_by_each_of_its_names() {
        let games = matches(&["one", "two"], "Black <black@example.test>");
        for (fields, body) in [
            ("In-Reply-To: <two@host>\n", ""),
            ("References: <unknown@host> <two@host>\n", ""),
            ("Subject: Re: [two] Unachess: 1. P>e3\n", ""),
            ("Subject: [EXT] AW: [TWO] whatever\n", ""),
            ("Subject: [unknown]\n", "> Game two, 0 half-moves made.\n"),
            ("", "Game two, 1 half-move made.\n"),
            (
                "",
                "> > Game one, 0 half-moves made.\n> Game two, 0 half-moves made.\n",
            ),
            (
                "In-Reply-To: <two@host>\nSubject: [gone] Unachess: 1. P>e3\n",
                "> Game gone, 0 half-moves made.\n",
            ),
        ] {
            let found = found("white@example.test", fields, body, &games);
            assert_eq!(found.as_deref(), Ok("two"), "{fields}{body}");
        }
    }

    #[test]
    fn names_that_disagree_are_asked_about() {
        let games = matches(&["one", "two"], "Black <black@example.test>");
        for (fields, body) in [
            ("References: <one@host> <two@host>\n", ""),
            ("In-Reply-To: <one@host>\nSubject: [two]\n", ""),
            ("Subject: [one] [two]\n", ""),
            ("Subject: [one]\n", "> Game two, 0 half-moves made.\n"),
            (
                "",
                "> Game one, 0 half-moves made.\n> Game two, 0 half-moves made.\n",
            ),
        ] {
            let found = found("white@example.test", fields, body, &games).unwrap_err();
            assert!(
                found.contains("names more than one"),
                "{fields}{body}: {found}"
            );
        }
    }

    /// Whoever wrote a message that is not known has chosen its subject, and what is quoted.
    #[test]
    fn an_answer_to_a_stranger_may_name_what_another_has_chosen() {
        let unknown = "In-Reply-To: <friday@ben.test>\n";
        let subject = format!("{unknown}Subject: Re: [two] Friday\n");
        let games = matches(&["one", "two"], "Black <black@example.test>");
        let foot = "> Game two, 0 half-moves made.\n";
        assert!(found("white@example.test", unknown, foot, &games).is_err());
        let foot = format!("> Game two, 0 half-moves made, hash {}.\n", games[1].hash());
        let may_be = |fields: &str, body: &str, games: &[Match]| {
            let text = format!("From: white@example.test\n{fields}\n{body}\n");
            let message = incoming_message::read(text.as_bytes()).unwrap();
            let lines = classify(&message.text, &Sent::nothing());
            let lookup = Lookup::new(&message, &lines, games, &[]);
            assert_eq!(lookup.find().map(|game| game.id().as_str()), Ok("two"));
            lookup.may_be_chosen(&message)
        };
        assert!(may_be(&subject, "", &games));
        assert!(may_be(unknown, &foot, &games));
        assert!(!may_be("Subject: Re: [two]\n", "", &games));
        assert!(!may_be("In-Reply-To: <two@host>\n", "", &games));
        assert!(!may_be(
            &subject,
            "",
            &matches(&["two"], "Black <black@example.test>")
        ));
    }

    #[test]
    fn the_only_game_that_waits_is_meant_where_none_is_named() {
        let games = matches(&["one"], "Black <black@example.test>");
        assert_eq!(
            found("White@Example.TEST", "", "", &games).as_deref(),
            Ok("one")
        );
        // It is not Black's turn. Black is told so about this match.
        assert_eq!(
            found("black@example.test", "", "", &games).as_deref(),
            Ok("one")
        );
        let both = matches(&["one", "two"], "Black <black@example.test>");
        let asked = found("white@example.test", "", "", &both).unwrap_err();
        assert!(asked.contains("does not say"), "{asked}");
        let asked = found("black@example.test", "", "", &both).unwrap_err();
        assert!(asked.contains("does not say"), "{asked}");
    }

    #[test]
    fn a_game_that_is_not_there_is_not_taken_for_another() {
        let games = matches(&["one"], "Black <black@example.test>");
        for (fields, body) in [
            ("Subject: Re: [gone] Unachess II: 1. P>e3\n", ""),
            ("", "> Game gone, 2 half-moves made.\n"),
        ] {
            let asked = found("white@example.test", fields, body, &games).unwrap_err();
            assert!(asked.contains("gone, which is not here"), "{asked}");
        }
        let found = found(
            "white@example.test",
            "Subject: [game 7] 1. P>e3\n",
            "",
            &games,
        );
        assert_eq!(found.as_deref(), Ok("one"));
    }

    /// Regression: a move was played in the match of the subject although the quoted
    /// mail was of another match.
    #[test]
    fn a_game_that_is_not_there_is_asked_about_beside_one_that_is() {
        let games = matches(&["one", "two"], "Black <black@example.test>");
        for (fields, body) in [
            ("Subject: Re: [one]\n", "> Game gone, 2 half-moves made.\n"),
            (
                "Subject: Re: [gone] Unachess: 1. P>e3\n",
                "> Game one, 0 half-moves made.\n",
            ),
            (
                "",
                "> Game one, 0 half-moves made.\n> Game gone, 0 half-moves made.\n",
            ),
        ] {
            let asked = found("white@example.test", fields, body, &games).unwrap_err();
            assert!(
                asked.contains("one, and gone, which is not here"),
                "{asked}"
            );
        }
    }

    #[test]
    fn a_stranger_is_only_told_from_a_named_game() {
        let games = matches(&["one", "two"], "Black <black@example.test>");
        let nobody = "nobody@example.test";
        assert_eq!(found(nobody, "", "", &games).unwrap_err(), "stranger");
        let both = found(nobody, "Subject: [one] [two]\n", "", &games);
        assert_eq!(both.unwrap_err(), "stranger");
        let gone = found(nobody, "", "Game gone, 2 half-moves made.\n", &games);
        assert_eq!(gone.unwrap_err(), "stranger");
        let named = found(nobody, "In-Reply-To: <one@host>\n", "", &games);
        assert_eq!(named.as_deref(), Ok("one"));
        let unclear = found("nobody", "In-Reply-To: <one@host>\n", "", &games);
        assert_eq!(unclear.as_deref(), Ok("one"));
    }

    /// Regression: a message of the opponent's, under an id that a player's letter cites,
    /// made the letter name its match.
    #[test]
    fn the_opponents_messages_name_no_match() {
        let games = matches(&["one", "two"], "Black <black@example.test>");
        let black = "black@example.test";
        for (fields, expected) in [
            ("In-Reply-To: <two@host>\n", "It does not say"),
            ("References: <one@host> <two@host>\n", "It does not say"),
        ] {
            let asked = found(black, fields, "", &games).unwrap_err();
            assert!(asked.starts_with(expected), "{fields}: {asked}");
        }
        let named = found(
            black,
            "References: <two@host>\nSubject: [one]\n",
            "",
            &games,
        );
        assert_eq!(named.as_deref(), Ok("one"));
    }

    /// What a player's own message names may change, what our mail names does not.
    #[test]
    fn a_message_is_settled_by_what_it_says_itself() {
        let mut games = matches(&["one", "two"], "Black <black@example.test>");
        let sent = Event::Mail(MailStep::Owed, Some(MailKind::Position));
        let sent = LogEntry::new(TIME.parse().unwrap(), sent, Color::White)
            .key("msg", Some("<two.3.x@host>"));
        games[1].push(sent).unwrap();
        for (fields, is_settled) in [
            ("", false),
            ("In-Reply-To: <two@host>\n", false),
            ("In-Reply-To: <two.3.x@host>\n", true),
            ("References: <two@host> <two.3.x@host>\n", true),
            ("References: <one@host> <two.3.x@host>\n", false),
            ("Subject: [two]\n", true),
            ("Subject: [one] [two]\n", false),
            ("Subject: [gone]\n", false),
        ] {
            let text = format!("From: white@example.test\n{fields}\nn>g5\n");
            let message = incoming_message::read(text.as_bytes()).unwrap();
            let lines = classify(&message.text, &Sent::nothing());
            let lookup = Lookup::new(&message, &lines, &games, &[]);
            assert_eq!(lookup.is_settled(), is_settled, "{fields}");
            assert_eq!(lookup.own().len(), 2, "{fields}");
        }
    }

    #[test]
    fn an_answer_to_the_question_which_game_names_none() {
        let mut games = matches(&["one", "two"], "Black <black@example.test>");
        let time = TIME.parse().unwrap();
        for (what, msg) in [
            (
                Event::Refused(Some(Disposition::UnknownMatch)),
                "<letter@host>",
            ),
            (
                Event::Mail(MailStep::Owed, Some(MailKind::Question)),
                "<question@host>",
            ),
        ] {
            games[0]
                .push(LogEntry::new(time, what, crate::rules::Color::White).key("msg", Some(msg)))
                .unwrap();
        }
        let fields = "In-Reply-To: <question@host>\nReferences: <letter@host> <question@host>\n";
        let asked = found("white@example.test", fields, "", &games).unwrap_err();
        assert!(asked.contains("does not say"), "{asked}");
    }
}
