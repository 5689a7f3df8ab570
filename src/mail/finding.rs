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
    subject.iter().filter_map(|named| known(&named.id)).for_each(&mut name);
    id_lines.iter().filter_map(|line| known(&line.id)).for_each(&mut name);

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
    let mut strange = strange.chain(subject.iter().filter(|named| named.is_ours).map(|named| &named.id));
    if let Some(id) = strange.next() {
        return Err(NotFound::Ask(format!("There is no game {id} here.")));
    }
    let waiting: Vec<&Match> = matches
        .iter()
        .filter(|game| game.turn().is_some_and(|turn| game.player(turn).has(sender)))
        .collect();
    match waiting.as_slice() {
        [game] => Ok(game),
        [] => Err(NotFound::Ask(
            "Your message does not name a game, and no game waits for your move.".to_owned(),
        )),
        _ => Err(NotFound::Ask(
            "Your message does not name a game, and more than one waits for your move.".to_owned(),
        )),
    }
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
