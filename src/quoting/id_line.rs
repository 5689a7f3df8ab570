//! The id line at the foot of our mails, which names the match.

use crate::match_id::Id;
use crate::quoting::line::{Author, Line};

/// The line that names a mail's match and its number of half-moves,
/// `Game k7f3qd, 6 half-moves made.`, with the hash of the moves below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdLine {
    /// The id of the match.
    pub id: Id,
    /// The number of half-moves made.
    pub plies: usize,
    /// The author of the line.
    pub author: Author,
    /// The hash of the moves, if the next line has it.
    pub hash: Option<String>,
}

/// Returns the id lines with the lowest quoting depth. They belong to the message that
/// the text answers, not to older ones quoted in it.
#[must_use]
pub fn id_lines(lines: &[Line<'_>]) -> Vec<IdLine> {
    let mut found: Vec<IdLine> = (0..lines.len())
        .filter(|at| {
            matches!(
                lines[*at].author,
                Author::Own | Author::Quoted(_) | Author::Program
            )
        })
        .filter_map(|at| IdLine::at(lines, at).map(|(line, _)| line))
        .collect();
    let least = found.iter().map(|line| line.author.depth()).min();
    found.retain(|line| Some(line.author.depth()) == least);
    found
}

impl IdLine {
    /// Reads the id line that begins at `at`, with the hash below it. Returns it with
    /// the number of the line after both, where our mail ends. A program may have
    /// wrapped both or joined them in one line.
    pub(super) fn at(lines: &[Line<'_>], at: usize) -> Option<(IdLine, usize)> {
        // A cheap test that spares most lines the rest.
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
            // The id line and the hash each end at the end of a line.
            if matches!(words, 5 | 10) {
                let id_line = IdLine {
                    id: id.clone()?,
                    plies: plies?,
                    author: lines[at].author,
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
