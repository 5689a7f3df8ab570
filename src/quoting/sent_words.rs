//! What we sent: words of our own mails, and words of other people that we carried, are
//! not the writer's, with or without quote marks.
//!
//! The pass compares the order of words, not whole lines, because programs wrap lines
//! anew. A line that is only a move or a command counts as known only together with a
//! word beside it, so a writer can still play a move that somebody else named.

use crate::quoting::line::{Author, Line};
use crate::quoting::sent::Sent;
use crate::quoting::words::{self, Words};

/// How far apart two words of a reply may stand that were near in a mail. A program may
/// put a word of its own between them.
const REACH: usize = 2;

/// The most words of a line without a move that say too little by themselves.
const SHORT: usize = 5;

/// Marks the lines that were sent to the writer.
pub(super) fn mark(lines: &mut [Line<'_>], sent: &Sent) {
    if sent.carried.is_empty() && sent.ours.is_empty() {
        return;
    }
    let text = Text::of(lines);
    let carried = text.compare(&sent.carried, &sent.ours);
    let ours = text.compare(&sent.ours, &sent.carried);
    let is_of_record = text.rows_of(&sent.record);
    // True where the lines above are carried words.
    let mut is_among_carried = true;
    for (i, line) in lines.iter_mut().enumerate() {
        let is_carried = match (carried[i], ours[i]) {
            // Somebody has copied a line of ours. The lines above tell the copy from it.
            (Found::Whole, Found::Whole) => is_among_carried,
            (found, _) => found == Found::Whole,
        };
        if !line.is_blank() {
            is_among_carried = is_carried;
        }
        let is_unmarked = line.is_unmarked();
        line.author = match (ours[i], carried[i]) {
            _ if is_carried && is_of_record[i] => line.author,
            _ if is_carried => Author::Carried,
            (Found::Whole, _) if is_unmarked => Author::Program,
            (_, Found::Start) => Author::Unclear,
            _ => line.author,
        };
    }
}

/// How much of a line is in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    No,
    /// Its first words, with a move among them.
    Start,
    Whole,
}

/// The words of a reply, with the places of its lines among them.
struct Text {
    words: Vec<String>,
    /// For each line, the place of its first word, and of the first word that is no
    /// number of a move; then the end.
    lines: Vec<[usize; 3]>,
}

impl Text {
    fn of(lines: &[Line<'_>]) -> Text {
        let mut text = Text {
            words: Vec::new(),
            lines: Vec::new(),
        };
        for line in lines {
            let start = text.words.len();
            text.words.extend(words::of_line(line));
            let numbers = text.words[start..]
                .iter()
                .take_while(|word| is_number(word));
            let first = start + numbers.count();
            text.lines.push([start, first, text.words.len()]);
        }
        text
    }

    /// Tells for each line how much of it the other words have. A short line needs a
    /// neighbour, all of whose words are in either.
    fn compare(&self, other: &Words, either: &Words) -> Vec<Found> {
        if other.is_empty() {
            return vec![Found::No; self.lines.len()];
        }
        let numbers: Vec<Option<u32>> = self.words.iter().map(|word| other.find(word)).collect();
        let is_near = |a: usize, b: usize| other.has(numbers[a], numbers[b]);
        // True for each word that stands near another as in the other words.
        let mut is_known = vec![false; numbers.len()];
        for a in 0..numbers.len() {
            for b in a + 1..(a + 1 + REACH).min(numbers.len()) {
                if is_near(a, b) {
                    (is_known[a], is_known[b]) = (true, true);
                }
            }
        }
        let is_found = |at: usize| numbers[at].is_some() || either.find(&self.words[at]).is_some();
        // True for each word in a line that has no other words than those.
        let mut is_of_known = vec![false; numbers.len()];
        for &[start, _, end] in &self.lines {
            is_of_known[start..end].fill((start..end).all(is_found));
        }
        let line = |&[start, first, end]: &[usize; 3]| {
            if start == end {
                return Found::No;
            }
            if self.is_short(first, end) {
                let first = if first < end { first } else { start };
                let is_beside = start > 0 && is_of_known[start - 1] && is_near(start - 1, first)
                    || end < numbers.len() && is_of_known[end] && is_near(end - 1, end);
                let is_whole = is_beside && (start..end).all(|at| numbers[at].is_some());
                return if is_whole { Found::Whole } else { Found::No };
            }
            let known = (start..end).take_while(|at| is_known[*at]).count();
            let mut begin = self.words[start..start + known].iter();
            if known == end - start {
                Found::Whole
            } else if known > 1 && begin.any(|word| is_like_move(word)) {
                Found::Start
            } else {
                Found::No
            }
        };
        self.lines.iter().map(line).collect()
    }

    /// Tells for each line if its words are rows of the list of moves. The number of a
    /// row stands before both of its moves, so both distances are compared.
    fn rows_of(&self, record: &Words) -> Vec<bool> {
        let numbers: Vec<Option<u32>> = self.words.iter().map(|word| record.find(word)).collect();
        let line = |&[start, _, end]: &[usize; 3]| {
            let numbers = &numbers[start..end];
            let is_near = |reach: usize| {
                let mut pairs = numbers.iter().zip(numbers.iter().skip(reach));
                pairs.all(|(first, second)| record.has(*first, *second))
            };
            numbers.len() > 1 && is_near(1) && is_near(2)
        };
        self.lines.iter().map(line).collect()
    }

    /// Returns true if the words are at most one move, or few words without a move.
    fn is_short(&self, first: usize, end: usize) -> bool {
        let words = &self.words[first..end];
        words.len() < 2 || words.len() <= SHORT && !words.iter().any(|word| is_like_move(word))
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a word may be a move: it has a digit among letters, or castles.
fn is_like_move(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && !is_number(word)
        || ["OO", "oo", "00"]
            .iter()
            .any(|castling| word.starts_with(castling))
}
