//! The id line at the foot of our mails, which names the match.

use std::sync::LazyLock;

use regex::Regex;

use crate::mail::quoting::line::{Author, Line};
use crate::match_id::Id;

/// The line that names a mail's match, its number of half-moves and the hash of the
/// moves, `Game k7f3qd, 6 half-moves made, hash 0123456789abcdef.`. Mails of earlier
/// versions have the hash in a line below, `Hash of the moves: 0123456789abcdef`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdLine {
    /// The id of the match.
    pub id: Id,
    /// The number of half-moves made.
    pub plies: usize,
    /// The author of the line.
    pub author: Author,
    /// The hash of the moves, if the foot has it.
    pub hash: Option<String>,
}

/// Returns samples of it.
pub(crate) fn tokens() -> Vec<String> {
    [
        "Game m, 2 half-moves made.",
        "Game m, 2 half-moves made, hash 0123456789abcdef.",
        "Game m, 2 half-moves made.\nHash of the moves: 0123456789abcdef",
        "Hash of the moves: 0123456789abcdef",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Returns the id lines with the lowest quoting depth. They belong to the message that
/// the text answers, not to older ones quoted in it.
#[must_use]
pub fn id_lines(lines: &[Line<'_>]) -> Vec<IdLine> {
    let mut found: Vec<IdLine> = (0..lines.len())
        .filter(|at| {
            matches!(
                lines[*at].author,
                Author::Own | Author::Quoted(1..) | Author::Program
            )
        })
        .filter_map(|at| IdLine::at(lines, at).map(|(line, _)| line))
        .collect();
    let least = found.iter().map(|line| line.author.depth()).min();
    found.retain(|line| Some(line.author.depth()) == least);
    found
}

/// Returns the number of the first line, from 0, with an id line behind quote marks: the foot
/// of a mail that is quoted.
#[must_use]
pub fn first_quoted(lines: &[Line<'_>]) -> Option<usize> {
    let is_quoted = |at: &usize| matches!(lines[*at].author, Author::Quoted(1..));
    let mut quoted = (0..lines.len()).filter(is_quoted);
    quoted.find(|at| IdLine::at(lines, *at).is_some())
}

impl IdLine {
    /// Reads the id line that begins at `at`, with the hash behind or below it. Returns
    /// it with the number of the line after both, where our mail ends. A program may have
    /// wrapped it, or joined its lines in one.
    pub(crate) fn at(lines: &[Line<'_>], at: usize) -> Option<(IdLine, usize)> {
        // A cheap test that spares most lines the rest.
        if !lines[at].text.contains("Game") {
            return None;
        }
        let (mut id, mut plies, mut hash) = (None, None, None);
        let mut end = None;
        // The words that must follow.
        let mut expected: &[Part] = &LINE;
        'lines: for below in (at..lines.len()).filter(|below| !lines[*below].is_blank()) {
            for word in lines[below].plain().split_whitespace() {
                let next = expected.split_first();
                expected = next.map_or(&[], |(_, rest)| rest);
                let is_next = match next.map(|(part, _)| *part) {
                    Some(Part::Is(text)) => {
                        if text == "hash" && word == text {
                            // Whatever follows, the line names its match.
                            end = Some(below + 1);
                        }
                        word == text
                    }
                    Some(Part::Id) => {
                        id = word.strip_suffix(',').and_then(|id| id.parse().ok());
                        id.is_some()
                    }
                    Some(Part::Plies) => {
                        plies = number(word);
                        plies.is_some()
                    }
                    Some(Part::Moves) => matches!(word, "half-move" | "half-moves"),
                    Some(Part::Made) if word == "made," => {
                        expected = &HASH_BEHIND;
                        true
                    }
                    Some(Part::Made) => {
                        expected = &HASH_BELOW;
                        matches!(word, "made" | "made.")
                    }
                    Some(Part::Hash) => {
                        let word = word.strip_suffix('.').unwrap_or(word);
                        hash = is_hash(word).then(|| word.to_owned());
                        hash.is_some()
                    }
                    None => {
                        hash = None;
                        false
                    }
                };
                if !is_next {
                    break 'lines;
                }
            }
            // The id line and the hash below it each end at the end of a line.
            if expected.is_empty() || expected.len() == HASH_BELOW.len() {
                end = Some(below + 1);
            }
            if expected.is_empty() {
                break;
            }
        }
        let id_line = IdLine {
            id: id?,
            plies: plies?,
            author: lines[at].author,
            hash,
        };
        Some((id_line, end?))
    }
}

/// Returns the last id line with its hash in a document, without the line ends that a program
/// has made in it.
pub(crate) fn last_in_html(html: &str) -> Option<String> {
    static FOOT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"Game [a-z0-9-]{1,32}, [0-9]{1,6} half-moves? made, hash [0-9a-f]{16}\.")
            .expect("the pattern is well-formed")
    });
    let last = &html[html.rfind("Game ")?..];
    let text = last.split('<').next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    FOOT.find(&words.join(" "))
        .map(|foot| foot.as_str().to_owned())
}

/// A word of an id line.
#[derive(Clone, Copy)]
enum Part {
    Is(&'static str),
    Id,
    Plies,
    Moves,
    Made,
    Hash,
}

/// The words of an id line.
const LINE: [Part; 5] = [
    Part::Is("Game"),
    Part::Id,
    Part::Plies,
    Part::Moves,
    Part::Made,
];

/// The words behind it.
const HASH_BEHIND: [Part; 2] = [Part::Is("hash"), Part::Hash];

/// The words below it in mails of earlier versions.
const HASH_BELOW: [Part; 5] = [
    Part::Is("Hash"),
    Part::Is("of"),
    Part::Is("the"),
    Part::Is("moves:"),
    Part::Hash,
];

/// Parses a number of half-moves.
fn number(word: &str) -> Option<usize> {
    let is_short = word.len() <= 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| is_short)
}

/// Returns true if a word may be the hash of a record.
#[must_use]
pub fn is_hash(word: &str) -> bool {
    word.len() == 16 && (word.bytes()).all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
