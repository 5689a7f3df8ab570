//! Which match a letter is about.
//!
//! In this order: the messages it answers, an id in brackets in its subject,
//! the id line at the foot of what it quotes, the only game that waits for its
//! sender. What is named must be one and the same match; where it is not, or
//! nothing is named and several games wait, the sender is asked. An id from a
//! letter is only ever compared with the ids of known matches.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::{Letter, MessageId};
use crate::rules::games;
use crate::store::{Id, Match};
use crate::text::{Line, Origin};

/// The kind of mail that asks which game is meant, and the mark in the log of
/// the letter that gave rise to it. They stand in the log of one of the
/// sender's matches, there being no better place, and name no match.
pub const QUESTION: &str = "question";

/// Why a letter could not be given to a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// It names no match, and its sender has none.
    Stranger,
    /// It is, or may be, about one that cannot be read.
    Hidden,
    /// The sender must be asked; why, in a sentence with its full stop.
    Ask(String),
}

/// The line by which a mail names its match and how far it had come:
/// `Game k7f3qd, 6 half-moves made.`, and the hash of the moves below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdLine {
    /// The id that stands there.
    pub id: Id,
    /// The number of half-moves made.
    pub plies: usize,
    /// Whose words it stands among.
    pub origin: Origin,
    /// The hash of the moves, if the next line says it.
    pub hash: Option<String>,
}

/// The id lines of a text that are quoted least deeply: those of the message
/// answered, not of the ones it quotes in turn.
#[must_use]
pub fn id_lines(lines: &[Line<'_>]) -> Vec<IdLine> {
    let mut found: Vec<IdLine> = (0..lines.len())
        .filter(|at| lines[*at].origin != Origin::Signature)
        .filter_map(|at| IdLine::at(lines, at).map(|(line, _)| line))
        .collect();
    let depth = |line: &IdLine| match line.origin {
        Origin::Quoted(depth) => depth,
        Origin::Own | Origin::Signature => 0,
    };
    let least = found.iter().map(depth).min();
    found.retain(|line| Some(depth(line)) == least);
    found
}

impl IdLine {
    /// The id line that begins on a line, with the hash below it, and the line
    /// behind both: there our mails end. A program may have wrapped both, or
    /// made one line of them.
    pub(super) fn at(lines: &[Line<'_>], at: usize) -> Option<(IdLine, usize)> {
        // Most lines are spared the rest.
        if !lines[at].text.contains("Game") {
            return None;
        }
        let (mut id, mut plies, mut hash) = (None, None, None);
        let mut found = None;
        let mut words = 0;
        'lines: for below in (at..lines.len()).filter(|below| !lines[*below].is_blank()) {
            for word in lines[below].plain().split_whitespace() {
                let is_next = match words {
                    0 => word == "Game",
                    1 => {
                        id = word.strip_suffix(',').and_then(|id| id.parse().ok());
                        id.is_some()
                    }
                    2 => {
                        plies = number(word);
                        plies.is_some()
                    }
                    3 => matches!(word, "half-move" | "half-moves"),
                    4 => matches!(word, "made" | "made."),
                    5 => word == "Hash",
                    6 => word == "of",
                    7 => word == "the",
                    8 => word == "moves:",
                    9 => {
                        hash = is_hash(word).then(|| word.to_owned());
                        hash.is_some()
                    }
                    _ => false,
                };
                if !is_next {
                    break 'lines;
                }
                words += 1;
            }
            // What ends with its line is whole.
            if matches!(words, 5 | 10) {
                let id_line = IdLine {
                    id: id.clone()?,
                    plies: plies?,
                    origin: lines[at].origin,
                    hash: hash.clone(),
                };
                found = Some((id_line, below + 1));
            }
            if words == 10 {
                break;
            }
        }
        found
    }
}

/// A number of half-moves.
fn number(word: &str) -> Option<usize> {
    let is_short = word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_short)
}

fn is_hash(word: &str) -> bool {
    word.len() == 16 && (word.bytes()).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Finds the match a letter is about. Whether its sender has a say in that
/// match is another question.
///
/// # Errors
///
/// If there is none, or more than one it may be about, or it may be about one
/// of the `hidden` matches, which are there and cannot be read.
pub fn find<'m>(
    letter: &Letter,
    lines: &[Line<'_>],
    matches: &'m [Match],
    hidden: &[Id],
) -> Result<&'m Match, NotFound> {
    let id_lines = id_lines(lines);
    let subject_ids = subject_ids(&letter.subject);
    let cites: HashSet<&MessageId> = letter.cites.iter().collect();
    let in_subject = subject_ids.iter().map(|named| &named.id);
    let in_text = id_lines.iter().map(|line| &line.id);
    let ids: HashSet<&Id> = in_subject.chain(in_text).collect();
    let is_named = |game: &&Match| ids.contains(game.id()) || has_one_of(game, &cites);
    let names_hidden = hidden
        .iter()
        .any(|id| ids.contains(id) || letter.cites.iter().any(|message| message.is_of(id)));
    if names_hidden {
        return Err(NotFound::Hidden);
    }
    let named: Vec<&Match> = matches.iter().filter(is_named).collect();
    let own: Vec<&Match> = match &letter.sender {
        Some(sender) => matches
            .iter()
            .filter(|game| game.sides(sender).next().is_some())
            .collect(),
        None => Vec::new(),
    };
    let ask = |why: String| Err(NotFound::Ask(why));
    // An id nobody knows is passed over, unless it stands where only one of
    // ours can stand.
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
    // Whom it is from, and what waits for that player, cannot be told.
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
    // The only game that waits for the sender; else the only one that goes on;
    // else the only one there is: whoever writes twice has one game, not none.
    let waits = |game: &&&Match| {
        let turn = game.turn().map(|turn| game.player(turn));
        turn.zip(letter.sender.as_ref())
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

/// Whether a letter names that match: by what it answers, in its subject, in its
/// id line, or because it is itself a mail about it.
#[must_use]
pub fn names(letter: &Letter, lines: &[Line<'_>], id: &Id) -> bool {
    letter.id.is_of(id)
        || letter.cites.iter().any(|message| message.is_of(id))
        || subject_ids(&letter.subject)
            .iter()
            .any(|named| named.id == *id)
        || id_lines(lines).iter().any(|line| line.id == *id)
}

/// Whether one of the messages is of that match: came or went in it. The
/// question which game is meant is of none.
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
    /// Whether the name of a game and a colon follow, as in our own subjects.
    is_ours: bool,
}

/// The ids in brackets in a subject. Most brackets there are somebody else's:
/// the tag of a mailing list, a warning that a mail comes from outside.
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
    use crate::rules::Variant;
    use crate::store::{Event, Terms, What};
    use crate::text::lines;

    const TIME: &str = "2026-11-20T03:00:00Z";

    /// Matches of the given ids; each knows the message `<ID@host>`.
    fn matches(ids: &[&str], black: &str) -> Vec<Match> {
        let make = |id: &&str| {
            let terms = Terms {
                id: id.parse().unwrap(),
                variant: Variant::find("unachess", &[]).unwrap(),
                players: ["White <white@example.test>", black].map(|text| text.parse().unwrap()),
                event: None,
                time: None,
            };
            let time = TIME.parse().unwrap();
            let mut game = Match::new(terms, time);
            let msg = format!("<{id}@host>");
            game.push(
                Event::new(time, What::Note, crate::rules::Color::White).key("msg", Some(msg)),
            )
            .unwrap();
            game
        };
        ids.iter().map(make).collect()
    }

    fn found(sender: &str, fields: &str, body: &str, matches: &[Match]) -> Result<String, String> {
        let text = format!("From: {sender}\n{fields}\n{body}\n");
        let letter = Letter::parse(text.as_bytes()).unwrap();
        let lines = lines::split(&letter.text);
        find(&letter, &lines, matches, &[])
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
        // It is not Black's turn, which Black is told about this game.
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

    /// A move was played in the match of the subject although the mail that was
    /// quoted was of another match.
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
            (What::Refused, "<letter@host>"),
            (What::Owed, "<question@host>"),
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
