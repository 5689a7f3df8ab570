//! Moves in the lines of a text: in a list, alone, or in prose.
//!
//! Nothing here depends on a position. A line that begins with a number and a move
//! belongs to a list. A line that holds nothing but moves is bare. Moves among words
//! are prose, and are only noted. Comments are skipped, and lines that belong together are
//! joined.

mod token;

use std::iter;
use std::ops::Range;

use crate::mail::quoting::line::{Author, Glyph, Line};
use crate::notation::diagnostic::TextPlace;
use crate::notation::moves::token::{LocatedWord, MoveToken, TokenKind};
use crate::rules::game::Promotion;
use crate::rules::notation::{MoveText, ParseMoveError};
use crate::rules::{Color, Rules, games};

/// The moves of one line, or of several that a mailer or a comment has made of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// The lines, counted from 0.
    pub lines: Range<usize>,
    /// The manner in which the moves stand there.
    pub manner: Manner,
    /// The moves from left to right, at least one.
    pub entries: Vec<MoveEntry>,
}

/// The manner in which moves stand in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// The line belongs to a list: it begins with a number and a move, or holds nothing
    /// but moves and numbers.
    List,
    /// The line holds nothing but moves, none of them with a number.
    Bare,
    /// The line holds nothing but moves after the name of the player who makes the
    /// first: `White: K>b1,B>b2`.
    Named(Color),
    /// The moves stand among words.
    Prose,
}

/// A move in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveEntry {
    /// The move with its mark, as its writer meant it: `n>g2 !+`.
    pub text: String,
    /// The place of the move, without a mark after a blank.
    pub place: TextPlace,
    /// The author of its line.
    pub author: Author,
    /// The number directly before it. Without one, it is the move after the previous
    /// entry.
    pub number: Option<Number>,
    /// True if other words stand between the move and the number, move or margin before
    /// it.
    pub is_aside: bool,
    /// The rest of its line, up to the next entry or its number. It is trimmed and
    /// includes comments in brackets.
    pub tail: String,
    /// The parsed move, not yet interpreted, or the error for a slip in a list.
    pub parsed: Result<MoveText, ParseMoveError>,
}

/// The number before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number.
    pub value: u32,
    /// True if dots mark it as the second player's move: `3...`.
    pub is_second: bool,
    /// The place of the number.
    pub place: TextPlace,
}

/// A number as in a list, followed by text that is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The number.
    pub number: Number,
    /// True if at most two words follow it, as many as moves would take, and one looks
    /// like a move. No remark looks like that.
    pub is_row: bool,
}

impl Moves {
    /// Returns its moves, without those that other words separate from the list.
    pub fn of_list(&self) -> impl Iterator<Item = &MoveEntry> {
        self.entries.iter().filter(|entry| !entry.is_aside)
    }
}

impl Number {
    /// Returns the half-move of the number, counted from 0.
    pub fn ply(&self) -> usize {
        (self.value as usize).saturating_sub(1) * 2 + usize::from(self.is_second)
    }
}

impl MoveEntry {
    /// Returns the half-move of the entry, counted from 0. `next` is the half-move
    /// after the previous entry.
    pub fn ply(&self, next: usize) -> usize {
        self.number.map_or(next, |number| number.ply())
    }

    /// Returns true if its number is that of the first half-move.
    pub fn is_first(&self) -> bool {
        self.number.is_some_and(|number| number.ply() == 0)
    }

    /// Returns the move without its mark in lower case, for comparisons without a
    /// position.
    pub fn plain(&self) -> String {
        match &self.parsed {
            Ok(parsed) => parsed.as_str().to_lowercase(),
            Err(_) => self.text.to_lowercase(),
        }
    }
}

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
pub(super) fn scan(lines: &[Line<'_>], is_free: impl Fn(usize) -> bool, rules: &Rules) -> Scanned {
    let mut scanner = Scanner {
        lines,
        is_free,
        rules,
        in_list: false,
        resume: None,
        has_list: false,
        unclosed: [0; 3],
        gaps: Vec::new(),
    };
    let mut all = Vec::new();
    let (mut count, mut at) = (0, 0);
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
pub(super) struct Scanned {
    pub(super) moves: Vec<Moves>,
    /// The numbers without a move, each with its line, counted from 0.
    pub(super) gaps: Vec<(usize, Gap)>,
    /// The line at which reading stopped because there are too many moves.
    pub(super) unread: Option<usize>,
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
    has_list: bool,
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
        let (manner, found, gap) = read_row(&words, self.lines[at].author, self.rules);
        self.gaps.extend(gap.map(|gap| (at, gap)));
        self.has_list |= manner == Manner::List;
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
    fn is_open(&self, words: &[LocatedWord]) -> bool {
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
    fn words(&mut self, at: usize) -> (Vec<LocatedWord>, usize) {
        let resumed = self.resume.take();
        let is_resumed = resumed.is_some();
        let line = resumed.unwrap_or_else(|| self.lines[at].clone());
        let glyphs = line.glyphs();
        if !(is_resumed || self.can_comment(&glyphs)) {
            return (token::words(&line, &glyphs), at + 1);
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
                        return (token::words(&line, &kept), end);
                    }
                    kept.push(glyph);
                }
                _ => kept.push(glyph),
            }
            i += 1;
        }
        (token::words(&line, &kept), at + 1)
    }

    /// Returns true if brackets in the line are comments: in prose they are not.
    fn can_comment(&self, glyphs: &[Glyph]) -> bool {
        let Some(first) = glyphs.iter().position(|glyph| glyph.char != ' ') else {
            return false;
        };
        let is_move = || {
            let mut words = glyphs[first..].split(|glyph| " {([".contains(glyph.char));
            let word = words.next().unwrap_or_default();
            let text: String = word.iter().map(|glyph| glyph.char).collect();
            word.len() < 120 && text.parse::<MoveText>().is_ok()
        };
        match glyphs[first].char {
            '{' => true,
            '(' if is_variation(&glyphs[first..]) => self.has_list,
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
        // Most lines have only one or two entries, and there may be very many lines.
        let mut entries = Vec::with_capacity(found.len());
        // Each line is cut into its tails from left to right, in one pass.
        let (mut number, mut column, mut byte) = (0, 1, 0);
        let mut found = found.into_iter().peekable();
        while let Some(LocatedEntry { mut entry, end, .. }) = found.next() {
            let line = entry.place.line;
            let next = found.peek().filter(|next| next.entry.place.line == line);
            let mut sources = self.lines[lines.clone()].iter();
            if let Some(Line { source, .. }) = sources.find(|source| source.number == line) {
                if number != line {
                    (number, column, byte) = (line, 1, 0);
                }
                let mut byte_of = |to: usize| {
                    for c in source[byte..].chars().take(to.saturating_sub(column)) {
                        column += 1;
                        byte += c.len_utf8();
                    }
                    byte
                };
                let start = byte_of(end);
                let end = next.map_or(source.len(), |next| byte_of(next.start));
                source[start..end].trim().clone_into(&mut entry.tail);
            }
            entries.push(entry);
        }
        entries
    }
}

/// Returns true if a text begins with a parenthesis and the number of a move. It is a
/// variation, which may have rows and parentheses of its own.
fn is_variation(glyphs: &[Glyph]) -> bool {
    let [open, rest @ ..] = glyphs else {
        return false;
    };
    let behind = rest.iter().position(|glyph| !glyph.char.is_ascii_digit());
    open.char == '(' && behind.is_some_and(|at| at > 0 && rest[at].char == '.')
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
    let (mut next_brace, mut next_bracket) = (None, None);
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

/// Returns true for a line that begins with the number of a row.
fn is_numbered(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(['.', ')'])
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}

/// Joins the words of a placement: `K>b1, B>b2`, `pp: b3,c2`.
fn joined(words: Vec<LocatedWord>) -> Vec<LocatedWord> {
    let mut joined: Vec<LocatedWord> = Vec::with_capacity(words.len());
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
fn parted(words: Vec<LocatedWord>) -> Vec<LocatedWord> {
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

/// Returns the player if the word is the name of one, in any game, with a colon.
fn player(word: &str, rules: &Rules) -> Option<Color> {
    let name = word.strip_suffix(':')?.to_lowercase();
    let others = games::ALL.iter().map(|game| &game.rules);
    iter::once(rules).chain(others).find_map(|rules| {
        let is_named = |color: &Color| rules.player(*color).to_lowercase() == name;
        Color::ALL.into_iter().find(is_named)
    })
}

/// An entry without its tail yet, and the columns it lies between.
struct LocatedEntry {
    entry: MoveEntry,
    /// The column of the number before it, or of the move itself.
    start: usize,
    /// The column after the move and its marks.
    end: usize,
}

/// Reads the words of a line. Returns the manner of its moves, the moves, and the first
/// number without one.
fn read_row(
    words: &[LocatedWord],
    author: Author,
    rules: &Rules,
) -> (Manner, Vec<LocatedEntry>, Option<Gap>) {
    let may_promote = matches!(rules.promotion, Promotion::Zone { .. });
    let tokens = token::tokens(words, may_promote);
    // Allows a heading such as in `White: K>e1`.
    let named = words.first().and_then(|word| player(&word.text, rules));
    let has_words = tokens
        .iter()
        .enumerate()
        .any(|(i, token)| match token.kind {
            TokenKind::Word => i > 0 || named.is_none(),
            // A slip may be part of a row or a word; the tokens before it decide.
            TokenKind::Slip(_) => {
                !is_row_like(&token.text) && (i == 0 || !tokens[i - 1].is_of_row())
            }
            _ => false,
        });
    let is_nothing = |token: &&MoveToken| matches!(token.kind, TokenKind::Nothing);
    let mut row = RowReader {
        head: tokens.iter().take_while(is_nothing).count(),
        tokens: &tokens,
        author,
        has_words,
        named,
        manner: Manner::Prose,
        number: None,
        since_words: false,
        filled: 2,
        found: Vec::new(),
        gap: None,
    };
    row.manner = row.manner();
    row.read();
    (row.manner, row.found, row.gap)
}

/// Returns true if a slip has the sign of a move.
fn is_row_like(text: &str) -> bool {
    text.contains(['>', '-', 'x', '*', '@', '=', '\''])
}

impl MoveToken {
    /// Returns the number that the token is, and true if no sign marks it as one.
    fn number(&self) -> Option<(Number, bool)> {
        let (value, is_second, is_bare) = match self.kind {
            TokenKind::Number { value, has_dots } => (value, has_dots, false),
            TokenKind::Digits(value) => (value, false, true),
            _ => return None,
        };
        let place = self.word.place();
        let number = Number {
            value,
            is_second,
            place,
        };
        Some((number, is_bare))
    }
}

struct RowReader<'t> {
    tokens: &'t [MoveToken],
    /// The number of tokens at the start that carry no meaning.
    head: usize,
    author: Author,
    has_words: bool,
    /// The player whose name the line begins with.
    named: Option<Color>,
    manner: Manner,
    /// The number that waits for its move.
    number: Option<Number>,
    /// True if words have come since the last number or move.
    since_words: bool,
    /// The moves that the last number has so far; `3...` counts one before it.
    filled: usize,
    found: Vec<LocatedEntry>,
    gap: Option<Gap>,
}

impl RowReader<'_> {
    fn manner(&self) -> Manner {
        let kind = |at: usize| self.tokens.get(at).map(|token| &token.kind);
        let mut first = usize::from(self.named.is_some());
        while let Some(TokenKind::Nothing | TokenKind::Dots) = kind(first) {
            first += 1;
        }
        // Skips a row that was left empty: `2. 3. N>f3`.
        while let (Some(TokenKind::Number { .. }), Some(TokenKind::Number { .. })) =
            (kind(first), kind(first + 1))
        {
            first += 1;
        }
        let is_numbered = |at| self.numbered(at).is_some();
        match self.tokens.get(first) {
            Some(_) if is_numbered(first) => Manner::List,
            Some(token) if !self.has_words && token.is_meant_for_move() => match self.named {
                _ if (first..self.tokens.len()).any(is_numbered) => Manner::List,
                Some(color) => Manner::Named(color),
                None => Manner::Bare,
            },
            _ => Manner::Prose,
        }
    }

    /// Returns the number at a token, if a move follows it, and the index of that move.
    fn numbered(&self, at: usize) -> Option<(Number, usize)> {
        let (mut number, mut is_bare) = self.tokens[at].number()?;
        let mut next = at + 1;
        loop {
            let token = self.tokens.get(next)?;
            match token.kind {
                TokenKind::Dots => number.is_second = true,
                // A dot separated from its number by a blank, and the border of a
                // table.
                TokenKind::Nothing if token.text == "." => is_bare = false,
                TokenKind::Nothing if token.text == "|" => {}
                _ => break,
            }
            next += 1;
        }
        let is_move = match &self.tokens[next].kind {
            TokenKind::Move(_) => true,
            TokenKind::Slip(_) => !self.has_words || is_row_like(&self.tokens[next].text),
            _ => false,
        };
        // A number without its dot counts only if the line has no other words.
        let is_number = number.value > 0 && is_move && !(is_bare && self.has_words);
        is_number.then_some((number, next))
    }

    /// Returns the number at a token without a move, if a list's number can stand
    /// there: in a list, or at the beginning of the line.
    fn gap(&self, at: usize) -> Option<Gap> {
        if self.manner != Manner::List && at > self.head {
            return None;
        }
        let (mut number, is_bare) = self.tokens[at].number()?;
        let (mut words, mut moves) = (0, 0);
        for token in &self.tokens[at + 1..] {
            match token.kind {
                // Further tokens would not change the result.
                _ if words + moves > 2 || (is_bare && words > 0) => break,
                TokenKind::Number { .. } => break,
                TokenKind::Word | TokenKind::Digits(_) => words += 1,
                TokenKind::Move(_) | TokenKind::Slip(_) => moves += 1,
                TokenKind::Dots => number.is_second |= words + moves == 0,
                TokenKind::Nothing => {}
            }
        }
        // A number without its dot counts only if nothing but moves follows.
        let is_gap = words + moves > 0 && !(is_bare && words > 0);
        (is_gap && number.value > 0).then_some(Gap {
            number,
            is_row: moves > 0 && words + moves <= 2,
        })
    }

    fn read(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let token = &self.tokens[at];
            match &token.kind {
                TokenKind::Number { .. } | TokenKind::Digits(_) => match self.numbered(at) {
                    Some((number, next)) => {
                        self.number = Some(number);
                        at = next;
                        continue;
                    }
                    // A number at the very end waits for the next line.
                    None if at + 1 < self.tokens.len() => {
                        self.since_words = true;
                        if self.gap.is_none() {
                            self.gap = self.gap(at);
                        }
                    }
                    None => {}
                },
                TokenKind::Move(parsed) => self.push(token, Ok(parsed.clone())),
                TokenKind::Slip(error) if self.takes_slip(token) => {
                    self.push(token, Err(error.clone()));
                }
                TokenKind::Word if at == 0 && self.named.is_some() => {}
                TokenKind::Slip(_) | TokenKind::Word => self.since_words = true,
                TokenKind::Dots | TokenKind::Nothing => {}
            }
            at += 1;
        }
    }

    /// Returns true if a slip here stands in the place of a move of the list.
    fn takes_slip(&self, token: &MoveToken) -> bool {
        self.number.is_some()
            || (self.manner == Manner::List && self.filled == 1 && !self.since_words)
            || (self.manner != Manner::Prose && token.is_meant_for_move())
    }

    fn push(&mut self, token: &MoveToken, parsed: Result<MoveText, ParseMoveError>) {
        let number = self.number.take();
        self.filled = match number {
            Some(number) => 1 + usize::from(number.is_second),
            None => self.filled + 1,
        };
        // In a line with remarks, a third move after a number is a remark.
        let is_extra = number.is_none()
            && self.manner == Manner::List
            && self.has_words
            && self.filled > 2
            && !self.found.is_empty();
        let place = token.word.place();
        self.found.push(LocatedEntry {
            start: match number {
                Some(number) if number.place.line == place.line => number.place.column,
                _ => place.column,
            },
            end: token.end,
            entry: MoveEntry {
                text: token.text.clone(),
                place,
                author: self.author,
                number,
                is_aside: self.since_words || is_extra,
                tail: String::new(),
                parsed,
            },
        });
        self.since_words = false;
    }
}
