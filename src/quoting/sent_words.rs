//! What we sent: words of our own mails, and words of other people that we carried, are
//! not the writer's, with or without quote marks.
//!
//! The pass compares the order of words, not whole lines, because programs wrap lines
//! anew. A line that is only a move or a command counts as known only together with a
//! word beside it, so a writer can still play a move that somebody else named.

use crate::quoting::line::{Author, Line};
use crate::quoting::sent::Sent;
use crate::quoting::words::{self, Words, is_like_move, is_number};

/// How far apart two words of a reply may stand that were near in a mail. A program may
/// put a word of its own between them.
const REACH: usize = 2;

/// The most words of a line without a move that say too little by themselves.
const SHORT: usize = 3;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    [
        "It is your move, White.",
        "Received, thank you.",
        "White       Black",
        "'>' places a piece from the reserve, '-' moves one, 'x' captures;",
        "White's pieces in reserve:",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Marks the lines that were sent to the writer.
pub(super) fn mark(lines: &mut [Line<'_>], sent: &Sent) {
    if sent.carried.is_empty() && sent.ours.is_empty() {
        return;
    }
    let text = Text::of(lines);
    let (theirs, ours) = (text.compare(&sent.carried), text.compare(&sent.ours));
    let is_of_record = text.rows_of(&sent.record);
    // True where the lines above are carried words.
    let mut is_below_carried = true;
    let mut found = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        let is_copied = match (theirs[i], ours[i]) {
            // Somebody has copied a line of ours. The lines above tell the copy from it.
            (Found::Whole, Found::Whole) => is_below_carried,
            (carried, _) => carried == Found::Whole,
        };
        if !line.is_blank() && theirs[i] != Found::Short {
            is_below_carried = is_copied;
        }
        found.push(match (theirs[i], ours[i]) {
            _ if is_copied => Found::Whole,
            (Found::Whole, _) => Found::No,
            (carried, _) => carried,
        });
    }
    let short = text.short(sent, &found, &theirs);
    let last_ours = ours.iter().rposition(|found| *found == Found::Whole);
    for (i, line) in lines.iter_mut().enumerate() {
        let is_unmarked = line.is_unmarked();
        line.author = match (found[i], ours[i], short[i]) {
            (Found::Whole, ..) if is_of_record[i] => line.author,
            (Found::Whole, ..) => Author::Carried,
            // One neighbour tells too little to drop the line in silence: a move in it is
            // asked about.
            (_, _, Some(Author::Carried)) if is_unmarked => Author::Unclear,
            // Below our mail the writer's words stand, above its end perhaps a copy.
            (_, _, Some(Author::Unclear)) if is_unmarked && Some(i) < last_ours => Author::Unclear,
            (_, _, Some(Author::Carried)) => Author::Carried,
            (_, Found::Whole, _) | (_, _, Some(Author::Program)) if is_unmarked => Author::Program,
            (Found::Start, ..) => Author::Unclear,
            _ => line.author,
        };
    }
}

/// Marks the list of moves where our mail has come back without marks. Runs when all
/// quotations are known.
pub(super) fn mark_rows(lines: &mut [Line<'_>], sent: &Sent) {
    let is_ours = |line: &Line<'_>| line.author == Author::Program;
    let (Some(first), Some(last)) = (
        lines.iter().position(is_ours),
        lines.iter().rposition(is_ours),
    ) else {
        return;
    };
    let text = Text::of(lines);
    let is_of_record = text.rows_of(&sent.record);
    let mut above = Author::Own;
    // A list above or below our mail is the writer's.
    for (i, line) in lines.iter_mut().enumerate().take(last).skip(first) {
        if line.is_blank() {
            continue;
        }
        // The second move of a row may have come to stand on a line of its own.
        let is_rest = || above == Author::Program && text.goes_on(i, &sent.record);
        if line.author == Author::Own && (is_of_record[i] || is_rest()) {
            line.author = Author::Program;
        }
        above = line.author;
    }
}

/// How much of a line is in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    No,
    /// Nothing yet: it has too few words to tell without a neighbour.
    Short,
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
    /// For each line, true if it has quote marks.
    is_quoted: Vec<bool>,
}

impl Text {
    fn of(lines: &[Line<'_>]) -> Text {
        let mut text = Text {
            words: Vec::new(),
            lines: Vec::new(),
            is_quoted: lines.iter().map(|line| line.author.depth() > 0).collect(),
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

    /// Tells for each line how much of it the other words have.
    fn compare(&self, other: &Words) -> Vec<Found> {
        let numbers: Vec<Option<u32>> = self.words.iter().map(|word| other.find(word)).collect();
        // True for each word that stands near another as in the other words.
        let mut is_known = vec![false; numbers.len()];
        for a in 0..numbers.len() {
            for b in a + 1..(a + 1 + REACH).min(numbers.len()) {
                if other.has(numbers[a], numbers[b]) {
                    (is_known[a], is_known[b]) = (true, true);
                }
            }
        }
        let line = |&[start, first, end]: &[usize; 3]| {
            if start == end {
                return Found::No;
            }
            if self.is_short(first, end) {
                return Found::Short;
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

    /// Tells whose each short line is, if a neighbour tells. The neighbour is of the
    /// same words, or it is a line of ours that stands beside them.
    fn short(&self, sent: &Sent, found: &[Found], in_carried: &[Found]) -> Vec<Option<Author>> {
        // The line of each word.
        let lines: Vec<usize> = (0..)
            .zip(&self.lines)
            .fold(Vec::new(), |mut lines, (i, line)| {
                lines.resize(line[2], i);
                lines
            });
        let has = |words: &Words, at: usize| words.find(&self.words[at]).is_some();
        // True for each line that has no other words than those sent.
        let is_sent: Vec<bool> = (self.lines.iter())
            .map(|&[start, _, end]| {
                (start..end).all(|at| has(&sent.carried, at) || has(&sent.ours, at))
            })
            .collect();
        let is_of = |words: &Words, line: usize, is_neighbour: &dyn Fn(usize) -> bool| {
            let [start, first, end] = self.lines[line];
            let first = if first < end { first } else { start };
            let is_near = |a: usize, b: usize| {
                words.has(words.find(&self.words[a]), words.find(&self.words[b]))
            };
            // The number of a move stands between two of them.
            let goes_on =
                || is_near(start - 1, first) || (start..=first).all(|at| is_near(at - 1, at));
            // The writer's own line above a quotation is no part of it.
            let is_above =
                |below: usize| is_neighbour(below) && self.is_quoted[line] >= self.is_quoted[below];
            let is_beside = start > 0 && is_neighbour(lines[start - 1]) && goes_on()
                || end < lines.len() && is_above(lines[end]) && is_near(end - 1, end);
            is_beside && (start..end).all(|at| has(words, at))
        };
        let may_be_carried = |line: usize| {
            // A copy of ours that is not among the carried words is ours.
            let is_ours = in_carried[line] == Found::Whole && found[line] != Found::Whole;
            is_sent[line] && !is_ours
        };
        let line = |line: usize| {
            if in_carried[line] != Found::Short {
                None
            } else if is_of(&sent.carried, line, &may_be_carried) {
                Some(Author::Carried)
            } else if is_of(&sent.ours, line, &|line| is_sent[line]) {
                Some(Author::Program)
            } else if is_of(&sent.carried, line, &|line| is_sent[line]) {
                // It stands below a copy of a line of ours, as in the words of somebody
                // who has copied that line.
                Some(Author::Unclear)
            } else {
                None
            }
        };
        (0..self.lines.len()).map(line).collect()
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

    /// Returns true if a line of one word follows the last word above it, as in the other
    /// words.
    fn goes_on(&self, line: usize, other: &Words) -> bool {
        let [start, _, end] = self.lines[line];
        let find = |at: usize| other.find(&self.words[at]);
        0 < start && start + 1 == end && other.has(find(start - 1), find(start))
    }

    /// Returns true if the words are at most one move, or few words without a move.
    fn is_short(&self, first: usize, end: usize) -> bool {
        let words = &self.words[first..end];
        words.len() < 2 || words.len() <= SHORT && !words.iter().any(|word| is_like_move(word))
    }
}
