//! Which match a letter is about.
//!
//! In this order: the messages it answers, an id in brackets in its subject,
//! the id line at the foot of what it quotes, the only game that waits for its
//! sender. What is named must be one and the same match; where it is not, or
//! nothing is named and several games wait, the sender is asked. An id from a
//! letter is only ever compared with the ids of known matches.

use std::sync::LazyLock;

use lettre::Address;
use regex::Regex;

use super::Letter;
use crate::rules::games;
use crate::store::{Id, Match};
use crate::text::{Line, Origin};

/// Why a letter could not be given to a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// The sender has no say in the match it is about, or in any.
    Stranger,
    /// The sender must be asked; why, in a sentence with its full stop.
    Ask(String),
}

/// The line by which a mail names its match and how far it had come:
/// `Game k7f3qd, 6 half-moves made.`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdLine {
    /// The id that stands there.
    pub id: Id,
    /// The number of half-moves made.
    pub plies: usize,
    /// Whose words it stands among.
    pub origin: Origin,
}

/// The id lines of a text that are quoted least deeply: those of the message
/// answered, not of the ones it quotes in turn.
#[must_use]
pub fn id_lines(lines: &[Line<'_>]) -> Vec<IdLine> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*Game ([a-z0-9-]+), ([0-9]{1,6}) half-moves? made\.?\s*$")
            .expect("the pattern is well-formed")
    });
    let mut found: Vec<IdLine> = lines
        .iter()
        .filter(|line| line.origin != Origin::Signature)
        .filter_map(|line| {
            let parts = PATTERN.captures(line.text)?;
            Some(IdLine {
                id: parts[1].parse().ok()?,
                plies: parts[2].parse().ok()?,
                origin: line.origin,
            })
        })
        .collect();
    let depth = |line: &IdLine| match line.origin {
        Origin::Quoted(depth) => depth,
        Origin::Own | Origin::Signature => 0,
    };
    let least = found.iter().map(depth).min();
    found.retain(|line| Some(depth(line)) == least);
    found
}

/// Finds the match a letter from that sender is about.
///
/// # Errors
///
/// If there is none, or more than one it may be about.
pub fn find<'m>(
    letter: &Letter,
    lines: &[Line<'_>],
    sender: &Address,
    matches: &'m [Match],
) -> Result<&'m Match, NotFound> {
    let speaks_in = |game: &Match| game.sides(sender).next().is_some();
    if !matches.iter().any(speaks_in) {
        return Err(NotFound::Stranger);
    }

    let mut named: Vec<&Match> = Vec::new();
    let mut name = |game: &'m Match| {
        if !named.iter().any(|known| known.id() == game.id()) {
            named.push(game);
        }
    };
    let known = |id: &Id| matches.iter().find(|game| game.id() == id);
    for game in matches {
        if letter.cites.iter().any(|id| game.knows(id)) {
            name(game);
        }
    }
    let subject = subject_ids(&letter.subject);
    let id_lines = id_lines(lines);
    subject
        .iter()
        .filter_map(|named| known(&named.id))
        .for_each(&mut name);
    id_lines
        .iter()
        .filter_map(|line| known(&line.id))
        .for_each(&mut name);

    match named.as_slice() {
        [game] if speaks_in(game) => return Ok(game),
        [_] => return Err(NotFound::Stranger),
        [] => {}
        _ => {
            return Err(NotFound::Ask(
                "Your message names more than one game: by what it answers, in its subject or in what it quotes.".to_owned(),
            ));
        }
    }
    // An id nobody knows is passed over, unless it stands where only one of
    // our own can stand.
    let strange = id_lines.iter().map(|line| &line.id);
    let mut strange = strange.chain(
        subject
            .iter()
            .filter(|named| named.is_ours)
            .map(|named| &named.id),
    );
    if let Some(id) = strange.next() {
        return Err(NotFound::Ask(format!("There is no game {id} here.")));
    }
    // The only game that waits for the sender; else the only one that goes on;
    // else the only one there is: whoever writes twice has one game, not none.
    let own = || matches.iter().filter(|game| speaks_in(game));
    let waiting = |game: &&Match| {
        game.turn()
            .is_some_and(|turn| game.player(turn).has(sender))
    };
    let going_on = |game: &&Match| game.turn().is_some();
    for candidates in [
        own().filter(waiting).collect::<Vec<_>>(),
        own().filter(going_on).collect(),
        own().collect(),
    ] {
        match candidates.as_slice() {
            [] => {}
            [game] => return Ok(game),
            _ => break,
        }
    }
    Err(NotFound::Ask(
        "Your message does not say which game it is about, and you have more than one.".to_owned(),
    ))
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
        let sender = letter.sender.clone().unwrap();
        find(&letter, &lines, &sender, matches)
            .map(|game| game.id().to_string())
            .map_err(|error| match error {
                NotFound::Stranger => "stranger".to_owned(),
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
                found.contains("more than one game"),
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
        assert!(asked.contains("which game"), "{asked}");
        let asked = found("black@example.test", "", "", &both).unwrap_err();
        assert!(asked.contains("which game"), "{asked}");
    }

    #[test]
    fn a_game_that_is_not_there_is_not_taken_for_another() {
        let games = matches(&["one"], "Black <black@example.test>");
        for (fields, body) in [
            ("Subject: Re: [gone] Unachess II: 1. P>e3\n", ""),
            ("", "> Game gone, 2 half-moves made.\n"),
        ] {
            let asked = found("white@example.test", fields, body, &games).unwrap_err();
            assert!(asked.contains("no game gone"), "{asked}");
        }
        let found = found(
            "white@example.test",
            "Subject: [game 7] 1. P>e3\n",
            "",
            &games,
        );
        assert_eq!(found.as_deref(), Ok("one"));
    }

    #[test]
    fn a_stranger_is_a_stranger_whatever_is_named() {
        let mut games = matches(&["one"], "Black <black@example.test>");
        games.extend(matches(&["two"], "Other <other@example.test>"));
        for sender in ["nobody@example.test", "other@example.test"] {
            for fields in ["Subject: [one]\n", "In-Reply-To: <one@host>\n"] {
                assert_eq!(found(sender, fields, "", &games).unwrap_err(), "stranger");
            }
        }
        assert_eq!(
            found("nobody@example.test", "", "", &games).unwrap_err(),
            "stranger"
        );
    }
}
