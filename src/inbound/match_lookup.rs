//! Finds the match that a message is about.
//!
//! A message names a match by the messages it answers, by an id in brackets in its
//! subject and by the id line in its text. If it names none, it belongs to the only
//! match that waits for its sender. If it names different matches, or names none while
//! several wait, the sender is asked. An id from a message is only compared with the
//! ids of known matches.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::inbound::incoming_message::IncomingMessage;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::matches::which_match::QUESTION;
use crate::message_id::MessageId;
use crate::quoting::id_line::id_lines;
use crate::quoting::line::Line;
use crate::rules::games;

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

/// Finds the match that a message is about. Its sender need not play in it.
///
/// # Errors
///
/// If there is no such match or more than one, or it may be one of the `hidden`
/// matches, which exist but cannot be read.
pub fn find<'m>(
    message: &IncomingMessage,
    lines: &[Line<'_>],
    matches: impl IntoIterator<Item = &'m Match>,
    hidden: &[Id],
) -> Result<&'m Match, NotFound> {
    let matches: Vec<&Match> = matches.into_iter().collect();
    let id_lines = id_lines(lines);
    let subject_ids = subject_ids(&message.subject);
    let cites: HashSet<&MessageId> = message.cites.iter().collect();
    let in_subject = subject_ids.iter().map(|named| &named.id);
    let in_text = id_lines.iter().map(|line| &line.id);
    let ids: HashSet<&Id> = in_subject.chain(in_text).collect();
    let is_named = |game: &&Match| ids.contains(game.id()) || has_one_of(game, &cites);
    let names_hidden = hidden
        .iter()
        .any(|id| ids.contains(id) || message.cites.iter().any(|cited| cited.is_of(id)));
    if names_hidden {
        return Err(NotFound::Hidden);
    }
    let named: Vec<&Match> = matches.iter().copied().filter(is_named).collect();
    let own: Vec<&Match> = match &message.sender {
        Some(sender) => matches
            .into_iter()
            .filter(|game| game.sides(sender).next().is_some())
            .collect(),
        None => Vec::new(),
    };
    // The sender may play in a hidden match alone.
    if own.is_empty() && !hidden.is_empty() {
        return Err(NotFound::Hidden);
    }
    let ask = |why: String| Err(NotFound::Ask(why));
    // An unknown id is ignored, unless it is in a place for our ids only.
    let ours = subject_ids.iter().filter(|named| named.is_ours);
    let mut ours = id_lines
        .iter()
        .map(|line| &line.id)
        .chain(ours.map(|named| &named.id));
    if let [game] = named.as_slice() {
        let other = ours.find(|id| *id != game.id());
        return match other {
            Some(other) if !own.is_empty() && !has_one_of(game, &cites) => ask(format!(
                "It names {}, and {other}, which is not here.",
                game.id()
            )),
            _ => Ok(game),
        };
    }
    // The sender may be waiting in a hidden match.
    if named.is_empty() && !hidden.is_empty() {
        return Err(NotFound::Hidden);
    }
    if own.is_empty() {
        return Err(NotFound::Stranger);
    }
    if !named.is_empty() {
        return ask(
            "It names more than one: by what it answers, in its subject or in what it quotes."
                .to_owned(),
        );
    }
    if let Some(id) = ours.next() {
        return ask(format!("It names {id}, which is not here."));
    }
    // Tries the only match that waits for the sender, then the only one that is not
    // over, then the only one: a player who writes twice still has one match.
    let waits = |game: &&&Match| {
        let turn = game.turn().map(|turn| game.player(turn));
        turn.zip(message.sender.as_ref())
            .is_some_and(|(player, sender)| player.has(sender))
    };
    let goes_on = |game: &&&Match| game.turn().is_some();
    for candidates in [
        own.iter().filter(waits).collect::<Vec<_>>(),
        own.iter().filter(goes_on).collect(),
        own.iter().collect(),
    ] {
        match candidates.as_slice() {
            [] => {}
            [game] => return Ok(game),
            _ => break,
        }
    }
    ask("It does not say, and you have more than one.".to_owned())
}

/// Returns true if the message names the match: by the messages it answers, in its
/// subject, in an id line, or because it is itself a mail about it.
#[must_use]
pub fn names(message: &IncomingMessage, lines: &[Line<'_>], id: &Id) -> bool {
    message.id.is_of(id)
        || message.cites.iter().any(|cited| cited.is_of(id))
        || subject_ids(&message.subject)
            .iter()
            .any(|named| named.id == *id)
        || id_lines(lines).iter().any(|line| line.id == *id)
}

/// Returns true if one of the messages was received or sent in the match. The question
/// which match is meant belongs to none.
fn has_one_of(game: &Match, messages: &HashSet<&MessageId>) -> bool {
    !messages.is_empty()
        && game.log().iter().any(|event| {
            event.argument.as_deref() != Some(QUESTION)
                && event
                    .message_id("msg")
                    .is_some_and(|id| messages.contains(&id))
        })
}

struct SubjectId {
    id: Id,
    /// True if the name of a game and a colon follow, as in our subjects.
    is_ours: bool,
}

/// Returns the ids in brackets in a subject. Most brackets are not ours: the tag of a
/// mailing list, a warning that a mail comes from outside.
fn subject_ids(subject: &str) -> Vec<SubjectId> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\[([A-Za-z0-9-]{1,32})\]").expect("the pattern is well-formed")
    });
    PATTERN
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
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::event::{Event, EventKind};
    use crate::matches::r#match::MatchSettings;
    use crate::quoting::sent::Sent;
    use crate::rules::Variant;

    const TIME: &str = "2026-11-20T03:00:00Z";

    /// Makes matches with the given ids; each knows the message `<ID@host>`.
    fn matches(ids: &[&str], black: &str) -> Vec<Match> {
        let make = |id: &&str| {
            let settings = MatchSettings {
                id: id.parse().unwrap(),
                variant: Variant::find("unachess", &[]).unwrap(),
                players: ["White <white@example.test>", black].map(|text| text.parse().unwrap()),
                event: None,
                time: None,
            };
            let time = TIME.parse().unwrap();
            let mut game = Match::new(settings, time);
            let msg = format!("<{id}@host>");
            game.push(
                Event::new(time, EventKind::Note, crate::rules::Color::White).key("msg", Some(msg)),
            )
            .unwrap();
            game
        };
        ids.iter().map(make).collect()
    }

    fn found(sender: &str, fields: &str, body: &str, matches: &[Match]) -> Result<String, String> {
        let text = format!("From: {sender}\n{fields}\n{body}\n");
        let message = IncomingMessage::parse(text.as_bytes()).unwrap();
        let lines = message.lines(&Sent::nothing());
        find(&message, &lines, matches, &[])
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

    #[test]
    fn an_answer_to_the_question_which_game_names_none() {
        let mut games = matches(&["one", "two"], "Black <black@example.test>");
        let time = TIME.parse().unwrap();
        for (what, msg) in [
            (EventKind::Refused, "<letter@host>"),
            (EventKind::Owed, "<question@host>"),
        ] {
            games[0]
                .push(
                    Event::new(time, what, crate::rules::Color::White)
                        .argument(QUESTION)
                        .key("msg", Some(msg)),
                )
                .unwrap();
        }
        let fields = "In-Reply-To: <question@host>\nReferences: <letter@host> <question@host>\n";
        let asked = found("white@example.test", fields, "", &games).unwrap_err();
        assert!(asked.contains("does not say"), "{asked}");
    }
}
