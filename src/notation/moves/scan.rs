//! Scans the lines of a text in order, skips comments and joins lines that belong
//! together.

use std::ops::Range;

use crate::notation::moves::row::{self, LocatedEntry};
use crate::notation::moves::{Gap, Manner, MoveEntry, Moves};
use crate::notation::words::{self, Word};
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;
use crate::rules::Rules;
use crate::rules::notation::MoveText;

/// The most lines of a comment. A bracket that stays open longer opens none.
const LONGEST_COMMENT: usize = 60;

/// The most lines that one placement may be broken into.
const LONGEST_PLACEMENT: usize = 8;

/// The longest word that is examined, in bytes: longer than any placement.
const LONGEST_WORD: usize = 200;

/// The longest line that is read, in bytes: longer than anybody writes.
const LONGEST_LINE: usize = 200_000;

/// The most moves that are read of one text, enough for a thousand long games. It
/// bounds the memory that a huge text of noise can take.
const MOST: usize = 200_000;

/// Scans the lines for which `is_free` holds for moves, in a game with these rules. If
/// a turn may place several pieces, commas join them.
pub(in crate::notation) fn scan(
    lines: &[Line<'_>],
    is_free: impl Fn(usize) -> bool,
    rules: &Rules,
) -> Scanned {
    let mut scanner = Scanner {
        lines,
        is_free,
        rules,
        in_list: false,
        resume: None,
        is_told: false,
        unclosed: [0; 3],
        gaps: Vec::new(),
    };
    let mut all = Vec::new();
    let mut count = 0;
    let mut at = 0;
    while at < lines.len() && count <= MOST {
        let (moves, next) = scanner.read(at);
        count += moves.as_ref().map_or(0, |moves| moves.entries.len());
        if count <= MOST {
            all.extend(moves);
            at = next;
        }
    }
    Scanned {
        moves: all,
        gaps: scanner.gaps,
        unread: (at < lines.len()).then_some(at),
    }
}

/// The result of scanning some lines.
pub(in crate::notation) struct Scanned {
    pub(in crate::notation) moves: Vec<Moves>,
    /// The numbers without a move, each with its line, counted from 0.
    pub(in crate::notation) gaps: Vec<(usize, Gap)>,
    /// The line at which reading stopped because there are too many moves.
    pub(in crate::notation) unread: Option<usize>,
}

struct Scanner<'t, 'a, F> {
    lines: &'t [Line<'a>],
    is_free: F,
    rules: &'t Rules,
    /// True if the previous line belonged to a list.
    in_list: bool,
    /// The rest of the next line, after a comment from above.
    resume: Option<Line<'a>>,
    /// True once a line of a list has been read.
    is_told: bool,
    /// For `{`, `(` and variations: the line before which no bracket closes.
    unclosed: [usize; 3],
    gaps: Vec<(usize, Gap)>,
}

impl<F: Fn(usize) -> bool> Scanner<'_, '_, F> {
    /// Reads the line `at` and the lines that belong to it. Returns the next line to
    /// read.
    fn read(&mut self, at: usize) -> (Option<Moves>, usize) {
        if !self.is_readable(at) {
            self.in_list = false;
            return (None, at + 1);
        }
        let (mut words, mut end) = self.words(at);
        while self.is_open(&words) && end < at + LONGEST_PLACEMENT && self.goes_on(at, end) {
            let (more, next) = self.words(end);
            words.extend(more);
            end = next;
        }
        let words = if self.rules.placement {
            joined(words)
        } else {
            parted(words)
        };
        let (manner, found, gap) = row::read(&words, self.lines[at].author, self.rules);
        self.gaps.extend(gap.map(|gap| (at, gap)));
        self.is_told |= manner == Manner::List;
        self.in_list = manner == Manner::List || (self.in_list && manner == Manner::Bare);
        // After a comment, its last line is still to be read.
        let lines = at..if self.resume.is_some() { end + 1 } else { end };
        let moves = (!found.is_empty()).then(|| Moves {
            entries: self.entries(&lines, found),
            lines,
            manner,
        });
        (moves, end)
    }

    fn is_readable(&self, at: usize) -> bool {
        let line = &self.lines[at];
        (self.is_free)(at) && line.text.len() <= LONGEST_LINE && !line.is_blank()
    }

    /// Returns true if the line `next` can belong to the line `at`.
    fn goes_on(&self, at: usize, next: usize) -> bool {
        next < self.lines.len()
            && self.is_readable(next)
            && self.lines[next].author == self.lines[at].author
    }

    /// Returns true if the words are incomplete: a number without its move, or a
    /// placement that ends with a comma.
    fn is_open(&self, words: &[Word]) -> bool {
        let Some(last) = words.last() else {
            return false;
        };
        let digits = last.text.trim_end_matches(['.', ')']);
        let is_number = digits.len() < last.text.len()
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit());
        let is_list = self.in_list || words[0].text.starts_with(|c: char| c.is_ascii_digit());
        (is_number && is_list)
            || (self.rules.placement && last.text.ends_with(',') && has_digit(&last.text))
    }

    /// Returns the words of a line without its comments, and the next line to read, the
    /// same as [`Scanner::resume`] if a comment ends on it.
    fn words(&mut self, at: usize) -> (Vec<Word>, usize) {
        let resumed = self.resume.take();
        let is_resumed = resumed.is_some();
        let line = resumed.unwrap_or_else(|| self.lines[at].clone());
        let glyphs = line.glyphs();
        if !(is_resumed || self.can_comment(&line, &glyphs)) {
            return (words::words(&line, &glyphs), at + 1);
        }
        let closing = closing(&glyphs);
        let mut kept: Vec<Glyph> = Vec::with_capacity(glyphs.len());
        let mut i = 0;
        while let Some(&glyph) = glyphs.get(i) {
            let before = if i == 0 { ' ' } else { glyphs[i - 1].char };
            match glyph.char {
                ';' if before == ' ' => break,
                '[' | '(' | '{' if opens(&glyphs[i..], before) => {
                    if let Some(end) = closing[i] {
                        kept.push(Glyph { char: ' ', ..glyph });
                        i = end + 1;
                        continue;
                    }
                    if let Some(end) = self.closed_below(at, &glyphs[i..]) {
                        return (words::words(&line, &kept), end);
                    }
                    kept.push(glyph);
                }
                _ => kept.push(glyph),
            }
            i += 1;
        }
        (words::words(&line, &kept), at + 1)
    }

    /// Returns true if brackets in the line are comments: in prose they are not.
    fn can_comment(&self, line: &Line<'_>, glyphs: &[Glyph]) -> bool {
        let Some(first) = glyphs.iter().position(|glyph| glyph.char != ' ') else {
            return false;
        };
        let is_move = || {
            let end = |glyph: &Glyph| " {([".contains(glyph.char);
            let length = glyphs[first..].iter().position(end);
            let word = &glyphs[first..length.map_or(glyphs.len(), |length| first + length)];
            word.len() < 120
                && words::words(line, word)
                    .first()
                    .is_some_and(|word| word.text.parse::<MoveText>().is_ok())
        };
        match glyphs[first].char {
            '{' => true,
            '(' if is_variation(&glyphs[first..]) => self.is_told,
            c => self.in_list || c.is_ascii_digit() || (c != '(' && is_move()),
        }
    }

    /// Looks for the end of a comment in the lines below `at`; `rest` begins with its
    /// bracket. Returns the line where it ends, and keeps the rest of that line to be
    /// read next.
    fn closed_below(&mut self, at: usize, rest: &[Glyph]) -> Option<usize> {
        let is_nested = is_variation(rest);
        let (open, close, known) = match rest.first()?.char {
            '{' => ('{', '}', 0),
            '(' => ('(', ')', 1 + usize::from(is_nested)),
            _ => return None,
        };
        if at < self.unclosed[known] {
            return None;
        }
        let count = |sign| rest.iter().filter(|glyph| glyph.char == sign).count();
        let mut depth = 1;
        if is_nested {
            depth = count(open).saturating_sub(count(close)).max(1);
        }
        let mut next = at + 1;
        while next <= at + LONGEST_COMMENT && self.goes_on(at, next) {
            let line = &self.lines[next];
            // A parenthesis around a row of the list is no comment.
            if known == 1 && is_numbered(line.text) {
                break;
            }
            for (end, c) in line.text.char_indices() {
                depth += usize::from(is_nested && c == open);
                depth -= usize::from(c == close);
                if depth == 0 {
                    let (comment, rest) = line.text.split_at(end + 1);
                    self.resume = Some(Line {
                        text: rest,
                        column: line.column + comment.chars().count(),
                        ..line.clone()
                    });
                    return Some(next);
                }
            }
            next += 1;
        }
        self.unclosed[known] = next;
        None
    }

    /// Returns the entries with their tails cut out of their lines.
    fn entries(&self, lines: &Range<usize>, found: Vec<LocatedEntry>) -> Vec<MoveEntry> {
        let starts: Vec<(usize, usize)> = found
            .iter()
            .map(|found| (found.entry.place.line, found.start))
            .collect();
        let mut cutter = Cutter::default();
        let entry = |(i, found): (usize, LocatedEntry)| {
            let mut entry = found.entry;
            let line = entry.place.line;
            let next = starts.get(i + 1).filter(|start| start.0 == line);
            let mut sources = self.lines[lines.clone()].iter();
            if let Some(source) = sources.find(|source| source.number == line) {
                let tail = cutter.cut(source, found.end, next.map(|start| start.1));
                tail.trim().clone_into(&mut entry.tail);
            }
            entry
        };
        let mut entries: Vec<MoveEntry> = found.into_iter().enumerate().map(entry).collect();
        // Most lines have only one or two entries, and there may be very many lines.
        entries.shrink_to_fit();
        entries
    }
}

/// Cuts pieces out of a line from left to right in one pass.
#[derive(Default)]
struct Cutter {
    line: usize,
    column: usize,
    byte: usize,
}

impl Cutter {
    fn cut<'a>(&mut self, line: &Line<'a>, from: usize, to: Option<usize>) -> &'a str {
        if self.line != line.number {
            *self = Cutter {
                line: line.number,
                column: 1,
                byte: 0,
            };
        }
        let start = self.go(line.source, from);
        let end = to.map_or(line.source.len(), |to| self.go(line.source, to));
        &line.source[start..end]
    }

    fn go(&mut self, source: &str, column: usize) -> usize {
        for c in source[self.byte..].chars() {
            if self.column >= column {
                break;
            }
            self.column += 1;
            self.byte += c.len_utf8();
        }
        self.byte
    }
}

/// Returns true if a text begins with a parenthesis and the number of a move. It is a
/// variation, which may have rows and parentheses of its own.
fn is_variation(glyphs: &[Glyph]) -> bool {
    let is_digit = |glyph: &&Glyph| glyph.char.is_ascii_digit();
    let Some(([open], rest)) = glyphs.split_at_checked(1) else {
        return false;
    };
    let digits = rest.iter().take_while(is_digit).count();
    open.char == '(' && digits > 0 && rest.get(digits).is_some_and(|glyph| glyph.char == '.')
}

/// Returns true if a bracket opens a comment, unlike that of `(=)` or of a smiley.
fn opens(rest: &[Glyph], before: char) -> bool {
    let is = |i: usize, c: char| rest.get(i).is_some_and(|glyph| glyph.char == c);
    let is_offer = is(1, '=') && is(2, ')');
    !(is_offer || matches!(before, ':' | '-' | ';' | '='))
}

/// For each opening bracket, returns where on the line it closes. `(` may nest, the
/// others do not.
fn closing(glyphs: &[Glyph]) -> Vec<Option<usize>> {
    let mut closing = vec![None; glyphs.len()];
    let mut parentheses: Vec<usize> = Vec::new();
    let mut next_brace = None;
    let mut next_bracket = None;
    for (i, glyph) in glyphs.iter().enumerate().rev() {
        match glyph.char {
            '}' => next_brace = Some(i),
            ']' => next_bracket = Some(i),
            ')' => parentheses.push(i),
            '{' => closing[i] = next_brace,
            '[' => closing[i] = next_bracket,
            '(' => closing[i] = parentheses.pop(),
            _ => {}
        }
    }
    closing
}

fn is_numbered(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(['.', ')'])
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}

/// Joins the words of a placement: `K>b1, B>b2`, `pp: b3,c2`.
fn joined(words: Vec<Word>) -> Vec<Word> {
    let mut joined: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        match joined.last_mut() {
            Some(last) if is_unfinished(&last.text) && has_digit(&word.text) => last.join(&word),
            _ => joined.push(word),
        }
    }
    joined
}

fn is_unfinished(text: &str) -> bool {
    let last = text.rsplit(',').next().unwrap_or(text);
    text.len() <= LONGEST_WORD
        && ((text.ends_with(',') && has_digit(text)) || last.eq_ignore_ascii_case("pp:"))
}

/// Splits words joined by a comma, for games in which a turn is one move.
fn parted(words: Vec<Word>) -> Vec<Word> {
    let mut parted = Vec::with_capacity(words.len());
    for word in words {
        if !word.text.contains(',') || word.text.len() > LONGEST_WORD {
            parted.push(word);
            continue;
        }
        let mut start = 0;
        for piece in word.text.split_inclusive(',') {
            parted.push(word.part(start, start + piece.len()));
            start += piece.len();
        }
    }
    parted
}
