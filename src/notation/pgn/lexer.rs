//! The tokens of PGN: tags, numbers, moves, results. Comments, NAGs and variations are read and
//! left out.

use crate::notation::diagnostic::TextPlace;
use crate::notation::header::leading_tag;
use crate::notation::pgn::words;
use crate::notation::results::{self, StatedResult};
use crate::rules::notation::{MoveText, is_comment_sign};

/// A line of a text without the marks before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'t> {
    pub(super) text: &'t str,
    /// The number of the line, from 1.
    pub(super) number: usize,
    /// The column of its first character, from 1.
    pub(super) column: usize,
}

/// A token and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) place: TextPlace,
    /// The index of its row.
    pub(super) row: usize,
    /// True if nothing but blanks stands before it in its row.
    pub(super) is_first: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind<'t> {
    /// `[White "Anna"]`: the name, and the value without escapes.
    Tag(&'t str, String),
    /// `12.` or `12...`, or `12` alone.
    Number { value: u32, has_dots: bool },
    /// `...`
    Dots,
    /// `1-0`
    Result(StatedResult),
    /// A sign of check that stands apart: `+`, `!+`; or an offer of a draw, `(=)`.
    Mark(&'t str),
    /// A word that is written as a move.
    Move(&'t str, MoveText),
    /// Any other word.
    Word(&'t str),
    /// A bracket that nothing closes, or that closes nothing.
    Unbalanced(&'static str),
}

const OPEN_COMMENT: &str = "this comment is not closed: '}' is missing";
const OPEN_VARIATION: &str = "this variation is not closed: ')' is missing";
const NO_VARIATION: &str = "this ')' closes no variation";

/// Reads the tokens of a text.
pub(super) struct Lexer<'t> {
    rows: &'t [Row<'t>],
    /// The row, and the byte and the column in it.
    row: usize,
    byte: usize,
    column: usize,
    /// The places of the variations that are open.
    open: Vec<TextPlace>,
    /// True if the text has tags: a `;` begins a comment wherever it stands. Without them it may
    /// part the moves, `n>g5; 2. B>f4`.
    has_tags: bool,
    /// True if brackets hold words, and are not closed in their row: rows of a list may stand in
    /// them.
    pub(super) has_long_remark: bool,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(rows: &'t [Row<'t>], has_tags: bool) -> Lexer<'t> {
        Lexer {
            rows,
            row: 0,
            byte: 0,
            column: rows.first().map_or(1, |row| row.column),
            open: Vec::new(),
            has_tags,
            has_long_remark: false,
        }
    }

    fn rest(&self) -> &'t str {
        self.rows
            .get(self.row)
            .map_or("", |row| &row.text[self.byte..])
    }

    fn next_row(&mut self) {
        self.row += 1;
        self.byte = 0;
        self.column = self.rows.get(self.row).map_or(1, |row| row.column);
    }

    fn skip(&mut self, bytes: usize) {
        self.column += self.rest()[..bytes].chars().count();
        self.byte += bytes;
    }

    fn place(&self, width: usize) -> TextPlace {
        let number = self.rows.get(self.row).map_or(1, |row| row.number);
        TextPlace::new(number, self.column).wide(width.max(1))
    }

    /// Takes so many bytes as a token.
    fn take(&mut self, bytes: usize, kind: Kind<'t>) -> Token<'t> {
        let before = &self.rows[self.row].text[..self.byte];
        let token = Token {
            kind,
            place: self.place(self.rest()[..bytes].chars().count()),
            row: self.row,
            is_first: before.trim().is_empty(),
        };
        self.skip(bytes);
        token
    }

    /// Passes over a comment, in which tags may stand. Returns false if nothing closes it, or another
    /// comment begins behind the tags of the next game before something does.
    fn comment(&mut self) -> bool {
        let (row, byte, column) = (self.row, self.byte, self.column);
        let mut is_closed = false;
        loop {
            if let Some(end) = self.rest().find('}') {
                self.skip(end + 1);
                return true;
            }
            let is_blank = self.rows[self.row].text.trim().is_empty();
            self.next_row();
            let is_end = self.row >= self.rows.len();
            let begins_game = !is_end && is_blank && leading_tag(self.rest()).is_some();
            if begins_game && !is_closed {
                let below = self.rows[self.row..].iter();
                let mut braces = below.flat_map(|row| row.text.matches(['{', '}']));
                is_closed = braces.next() == Some("}");
            }
            if is_end || begins_game && !is_closed {
                (self.row, self.byte, self.column) = (row, byte, column);
                return false;
            }
        }
    }

    /// Takes a tag that a mail program has broken in its value.
    fn broken_tag(&mut self) -> Option<Token<'t>> {
        let (rest, below) = (self.rest(), self.rows.get(self.row + 1)?.text);
        let before = &self.rows[self.row].text[..self.byte];
        let is_first = before.trim().is_empty() && self.open.is_empty();
        if !is_first || leading_tag(below.trim_start()).is_some() {
            return None;
        }
        let head = rest.trim_end();
        let whole = format!("{head} {}", below.trim_start());
        let (name, value, length) = leading_tag(&whole)?;
        let start = name.as_ptr() as usize - whole.as_ptr() as usize;
        let name = rest.get(start..start + name.len())?;
        let behind = whole.len() - length;
        let tag = self.take(rest.len(), Kind::Tag(name, value));
        self.next_row();
        self.skip(below.len() - behind);
        Some(tag)
    }

    /// Returns true if a `;` here begins a comment: it does not touch the word before it, or it
    /// touches the one behind it.
    fn is_comment(&self) -> bool {
        let before = &self.rows[self.row].text[..self.byte];
        let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        let behind = self.rest()[1..].chars().next();
        is_apart || behind.is_some_and(|c| !c.is_whitespace())
    }

    /// Goes on at the tags of the next game, or at the end.
    pub(super) fn skip_game(&mut self) {
        self.open.clear();
        self.next_row();
        while self.row < self.rows.len() && leading_tag(self.rest()).is_none() {
            self.next_row();
        }
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            if self.row >= self.rows.len() {
                let place = self.open.pop()?;
                self.open.clear();
                return Some(unclosed(place, self.rows.len().saturating_sub(1)));
            }
            let rest = self.rest();
            if self.byte == 0 && rest.starts_with('%') {
                self.next_row();
                continue;
            }
            let blanks = rest.len() - rest.trim_start().len();
            if blanks > 0 {
                self.skip(blanks);
                continue;
            }
            let Some(first) = rest.chars().next() else {
                self.next_row();
                continue;
            };
            match first {
                '[' => {
                    if let Some((name, value, length)) = leading_tag(rest) {
                        if let Some(place) = self.open.pop() {
                            self.open.clear();
                            return Some(unclosed(place, self.row));
                        }
                        return Some(self.take(length, Kind::Tag(name, value)));
                    }
                    if let Some(tag) = self.broken_tag() {
                        return Some(tag);
                    }
                }
                '{' => {
                    let open = self.take(1, Kind::Unbalanced(OPEN_COMMENT));
                    if !self.comment() {
                        self.skip_game();
                        return Some(open);
                    }
                    continue;
                }
                ';' if self.has_tags || self.is_comment() => {
                    self.next_row();
                    continue;
                }
                ';' => {
                    self.skip(1);
                    continue;
                }
                '(' if self.open.is_empty() && rest.starts_with("(=)") => {
                    return Some(self.take(3, Kind::Mark("(=)")));
                }
                '(' => {
                    self.open.push(self.place(1));
                    self.skip(1);
                    self.has_long_remark |= is_long_remark(self.rest());
                    continue;
                }
                ')' if self.open.pop().is_some() => {
                    self.skip(1);
                    continue;
                }
                ')' if is_label(self.rows[self.row].text) => {
                    self.skip(1);
                    continue;
                }
                ')' => return Some(self.take(1, Kind::Unbalanced(NO_VARIATION))),
                _ => {}
            }
            let length = word(rest);
            if !self.open.is_empty() {
                self.skip(length);
                continue;
            }
            if let Some((kind, length)) = kind(&rest[..length]) {
                return Some(self.take(length, kind));
            }
            self.skip(length);
        }
    }
}

fn unclosed<'t>(place: TextPlace, row: usize) -> Token<'t> {
    Token {
        kind: Kind::Unbalanced(OPEN_VARIATION),
        place,
        row,
        is_first: false,
    }
}

/// Returns true for a line with a number alone: `2.`, `2)`.
pub(super) fn is_label(text: &str) -> bool {
    /// The longest such line, in bytes.
    const LONGEST: usize = 20;
    if text.len() > LONGEST {
        return false;
    }
    let digits = text.trim().trim_end_matches(['.', ')']);
    !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit())
}

/// Returns true if what stands behind a bracket is a remark that its row does not close.
fn is_long_remark(behind: &str) -> bool {
    let text = behind.trim_start();
    let is_variation =
        text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit() || "{($".contains(c));
    !is_variation && !text.contains(')') && {
        let word = text.split_whitespace().next().unwrap_or_default();
        !words::is_move(word)
    }
}

/// Returns the length of the word at the start of a text, in bytes, at least one character.
fn word(text: &str) -> usize {
    let is_end = |c: char| c.is_whitespace() || "{}();$".contains(c);
    let mut chars = text.char_indices().skip(1);
    let mut end = chars
        .find(|(_, c)| is_end(*c))
        .map_or(text.len(), |(at, _)| at);
    // `e8(Q)`, `n-e6(=)`
    let rest = &text.as_bytes()[end..];
    if let [b'(', b'Q' | b'R' | b'B' | b'N' | b'=', b')', ..] = rest {
        end += 3;
        end += text[end..]
            .chars()
            .take_while(|c| "+#!?".contains(*c))
            .count();
    }
    end
}

/// Returns the kind of a word and how much of it that is; none for what has no meaning.
fn kind(word: &str) -> Option<(Kind<'_>, usize)> {
    if let Some(result) = results::result(word) {
        return Some((Kind::Result(result), word.len()));
    }
    if let Some((value, has_dots, length)) = number(word) {
        return Some((Kind::Number { value, has_dots }, length));
    }
    let dots = word.len() - word.trim_start_matches(['.', '…']).len();
    if dots > 1 {
        return Some((Kind::Dots, dots));
    }
    if ["+", "++", "#", "!+"].contains(&word) {
        return Some((Kind::Mark(word), word.len()));
    }
    let is_sign = |c: char| "!?+-=.,_|".contains(c) || is_comment_sign(c);
    // `--` is a null move.
    // Programs of chess write values: `+0.3`.
    let is_value = word.contains('.') && word.parse::<f64>().is_ok();
    if word.starts_with('$') || is_value || word != "--" && word.chars().all(is_sign) {
        return None;
    }
    let kind = words::parsed(word).map_or(Kind::Word(word), |text| Kind::Move(word, text));
    Some((kind, word.len()))
}

/// Reads a number of a move at the start of a word: its value, true if dots mark it as Black's, and
/// its length.
fn number(word: &str) -> Option<(u32, bool, usize)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let value = word[..digits].parse().ok()?;
    let rest = &word[digits..];
    let behind = rest.trim_start_matches(['.', '…']);
    let dots = &rest[..rest.len() - behind.len()];
    // `00` castles, and `0.` is a wrong number.
    if value == 0 && dots.is_empty() {
        return None;
    }
    if dots.is_empty() {
        let is_closed = rest == ")";
        return (rest.is_empty() || is_closed).then_some((value, false, word.len()));
    }
    // `1.5` is no number of a move, and `12.0-0` is.
    let is_figure = behind.starts_with(|c: char| c.is_ascii_digit()) && !is_move_of_digits(behind);
    (!is_figure).then_some((value, dots.len() > 1, digits + dots.len()))
}

/// Returns true if a move may begin with these digits: `0-0`, or a square of shogi.
fn is_move_of_digits(text: &str) -> bool {
    text.starts_with("0-0") || matches!(text.as_bytes(), [b'1'..=b'9', b'a'..=b'i', ..])
}
