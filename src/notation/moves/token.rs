//! The words of a line, separated by blanks, and the tokens that they form.

use std::borrow::Cow;

use crate::mail::quoting::line::{Glyph, Line};
use crate::notation::diagnostic::TextPlace;
use crate::rules::Role;
use crate::rules::notation::{MoveText, ParseMoveError, is_comment_sign};

/// A word as its writer meant it (see [`Line::glyphs`]), and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LocatedWord {
    /// The characters of the word, none of them a blank.
    pub(super) text: String,
    line: usize,
    /// The column of each character.
    columns: Vec<u32>,
}

/// Returns the words in some glyphs of a line, from left to right.
pub(super) fn words(line: &Line<'_>, glyphs: &[Glyph]) -> Vec<LocatedWord> {
    glyphs
        .split(|glyph| glyph.char == ' ')
        .filter(|glyphs| !glyphs.is_empty())
        .map(|glyphs| LocatedWord {
            text: glyphs.iter().map(|glyph| glyph.char).collect(),
            line: line.number,
            columns: glyphs.iter().map(|glyph| glyph.column).collect(),
        })
        .collect()
}

impl LocatedWord {
    /// Returns the place of the word.
    pub(super) fn place(&self) -> TextPlace {
        let column = self.columns.first().map_or(1, |&column| column as usize);
        TextPlace::new(self.line, column).wide((self.end() - column).max(1))
    }

    /// Returns the column after the word.
    pub(super) fn end(&self) -> usize {
        self.columns.last().map_or(1, |&column| column as usize + 1)
    }

    /// Returns the bytes of the word from `start` to `end`. Both must be character
    /// boundaries.
    pub(super) fn part(&self, start: usize, end: usize) -> LocatedWord {
        let before = self.text[..start].chars().count();
        let count = self.text[start..end].chars().count();
        LocatedWord {
            text: self.text[start..end].to_owned(),
            line: self.line,
            columns: self.columns[before..before + count].to_vec(),
        }
    }

    /// Appends another word to this one.
    pub(super) fn join(&mut self, other: &LocatedWord) {
        self.text.push_str(&other.text);
        if self.line == other.line {
            self.columns.extend(&other.columns);
        } else {
            // A word that begins on another line keeps its place there.
            let last = self.columns.last().copied().unwrap_or(1);
            self.columns.extend(other.columns.iter().map(|_| last));
        }
    }
}

/// A word, or a move with the words of its mark.
#[derive(Debug)]
pub(super) struct MoveToken {
    pub(super) kind: TokenKind,
    /// The word. For a move, the move without marks after a blank.
    pub(super) word: LocatedWord,
    /// The move with its mark.
    pub(super) text: String,
    /// The column after the whole token.
    pub(super) end: usize,
}

/// The kind of a word.
#[derive(Debug)]
pub(super) enum TokenKind {
    /// `12.`, `12)`, `12...`
    Number { value: u32, has_dots: bool },
    /// `12` without a sign after it.
    Digits(u32),
    /// `...`
    Dots,
    /// A move.
    Move(MoveText),
    /// Similar to a move, but invalid.
    Slip(ParseMoveError),
    /// Without meaning: punctuation, a mark without a move, a result.
    Nothing,
    /// A word of prose.
    Word,
}

/// Words that belong to the move before them, like a mark.
const SPOKEN_MARKS: [&str; 7] = ["ch", "check", "mate", "checkmate", "ep", "e.p.", "e.p"];

const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "½-½", "*"];

/// Returns true if a sign sets words off, as code, in bold or as a bullet.
fn sets_off(c: char) -> bool {
    matches!(c, '`' | '"' | '\'' | '*' | '_' | '~') || !(c.is_ascii() || c.is_alphanumeric())
}

/// The signs that marks and comment signs consist of.
const MARKS: &str = "+#!?=()";

/// Splits words into tokens. `may_promote` holds in games in which a piece promotes by a
/// `+`: there a piece behind a `=` belongs to the move, `S-e8= S`.
pub(super) fn tokens(words: &[LocatedWord], may_promote: bool) -> Vec<MoveToken> {
    if let Some(drop) = spoken_drop(words) {
        return vec![drop];
    }
    let mut tokens = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        rest = behind;
        let plain = word.text.trim_start_matches(sets_off);
        let word = if plain.starts_with(|c: char| c.is_ascii_digit()) {
            &word.part(word.text.len() - plain.len(), word.text.len())
        } else {
            word
        };
        let word = match number(&word.text) {
            Some((value, end)) => {
                let mark = word.part(0, end);
                let has_dots = mark.text.ends_with("..");
                tokens.push(MoveToken::of(TokenKind::Number { value, has_dots }, mark));
                if word.text[end..].trim_end_matches(sets_off).is_empty() {
                    continue;
                }
                &word.part(end, word.text.len())
            }
            None => word,
        };
        // `...n>g5`
        let dots = word.text.len() - word.text.trim_start_matches('.').len();
        let word = if (2..word.text.len()).contains(&dots) {
            tokens.push(MoveToken::of(TokenKind::Dots, word.part(0, dots)));
            &word.part(dots, word.text.len())
        } else {
            word
        };
        let (mut token, marks) = token(word, rest);
        rest = &rest[marks..];
        if may_promote {
            rest = &rest[take_promotion(&mut token, rest)..];
        }
        tokens.push(token);
    }
    tokens
}

impl MoveToken {
    fn of(kind: TokenKind, word: LocatedWord) -> MoveToken {
        let text = word.text.clone();
        MoveToken::written(kind, word, text)
    }

    /// Makes the token of a move that is written in several words.
    fn written(kind: TokenKind, word: LocatedWord, text: String) -> MoveToken {
        MoveToken {
            kind,
            end: word.end(),
            word,
            text,
        }
    }

    /// Returns true for a token that a row of a list may consist of.
    pub(super) fn is_of_row(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::Number { .. } | TokenKind::Dots | TokenKind::Move(_)
        )
    }

    /// Returns true for a move, and for a slip that only a move can have been meant by,
    /// even alone on its line: `K> h1`, `P>j9`, `n-e6ish`.
    pub(super) fn is_meant_for_move(&self) -> bool {
        let is_drop = || {
            self.text.starts_with(|c| Role::from_letter(c).is_some())
                && self.text.contains(['>', '@'])
                && self.text.contains(|c: char| c.is_ascii_digit())
        };
        match self.kind {
            TokenKind::Move(_) => true,
            TokenKind::Slip(_) => is_drop() || is_like_move(&self.text),
            _ => false,
        }
    }
}

/// Returns the number at the start of a word and where it ends: digits and `.`, `)`,
/// `:` or dots, unless more digits follow as in `12:30` or `1.5`; or a whole word like
/// `#12` or `(12)`.
fn number(text: &str) -> Option<(u32, usize)> {
    if let Some(rest) = text.strip_prefix(['#', '(', '[']) {
        let digits = rest.trim_end_matches(['.', ')', ']', ':']);
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        return Some((digits.parse().ok().filter(|_| is_number)?, text.len()));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 9 {
        return None;
    }
    let behind = &text[digits..];
    let dots = behind.bytes().take_while(|&b| b == b'.').count();
    let sign = if behind[dots..].starts_with([')', ':']) && dots < 2 {
        dots + 1
    } else {
        dots
    };
    let rest = &behind[sign..];
    let is_figure = rest.starts_with(|c: char| c.is_ascii_digit()) && !could_be_move(rest);
    let value = text[..digits].parse().ok()?;
    (sign > 0 && !is_figure).then_some((value, digits + sign))
}

/// Returns the token of a word, and how many of the following words are its marks.
fn token(word: &LocatedWord, behind: &[LocatedWord]) -> (MoveToken, usize) {
    let text = word.text.as_str();
    if text.bytes().all(|b| b == b'.') && text.len() > 1 {
        return (MoveToken::of(TokenKind::Dots, word.clone()), 0);
    }
    if let Some(slip) = parted_move(word, behind) {
        return slip;
    }
    let word = without_signs(word);
    let word = word.as_ref();
    let text = word.text.as_str();
    if RESULTS.contains(&text)
        || SPOKEN_MARKS.contains(&text)
        || !text.contains(char::is_alphanumeric)
        || text.starts_with('$')
        || is_time(text)
    {
        return (MoveToken::of(TokenKind::Nothing, word.clone()), 0);
    }
    if text.len() <= 4
        && let Ok(value) = text.parse()
    {
        return (MoveToken::of(TokenKind::Digits(value), word.clone()), 0);
    }
    if !could_be_move(text) {
        return (MoveToken::of(TokenKind::Word, word.clone()), 0);
    }
    match text.parse::<MoveText>() {
        Ok(parsed) => with_marks(word.clone(), parsed, behind),
        Err(error) => {
            let trimmed = trimmed(word);
            match trimmed.text.parse::<MoveText>() {
                // The trimmed punctuation closes the move, so no mark follows.
                Ok(parsed) => (MoveToken::of(TokenKind::Move(parsed), trimmed), 0),
                Err(_) if is_slip(&trimmed.text) => {
                    (MoveToken::of(TokenKind::Slip(error), trimmed), 0)
                }
                Err(_) => (MoveToken::of(TokenKind::Word, word.clone()), 0),
            }
        }
    }
}

/// Returns true for the time on a clock: `0:12`, `1:02:03`.
fn is_time(text: &str) -> bool {
    let is_part = |part: &str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    text.contains(':') && text.split(':').count() <= 3 && text.split(':').all(is_part)
}

/// Makes the token of a move with as many following marks as it can take.
fn with_marks(word: LocatedWord, parsed: MoveText, behind: &[LocatedWord]) -> (MoveToken, usize) {
    let mut token = MoveToken::of(TokenKind::Move(parsed), word);
    let mut marks = 0;
    for mark in behind {
        let is_mark = mark.text.chars().all(|c| MARKS.contains(c))
            || SPOKEN_MARKS.contains(&mark.text.as_str());
        if !is_mark {
            break;
        }
        let text = format!("{} {}", token.text, mark.text);
        let Ok(parsed) = text.parse() else { break };
        token.kind = TokenKind::Move(parsed);
        token.text = text;
        token.end = mark.end();
        marks += 1;
    }
    (token, marks)
}

/// Adds a piece behind a `=` to its move, and returns how many words that takes.
fn take_promotion(token: &mut MoveToken, behind: &[LocatedWord]) -> usize {
    if !matches!(token.kind, TokenKind::Move(_)) {
        return 0;
    }
    for count in 1..=behind.len().min(2) {
        let mut text = token.text.clone();
        for word in &behind[..count] {
            text = format!("{text} {}", word.text);
        }
        if let Ok(parsed) = text.parse::<MoveText>()
            && parsed.is_parted()
        {
            token.end = behind[count - 1].end();
            token.kind = TokenKind::Move(parsed);
            token.text = text;
            return count;
        }
    }
    0
}

/// Joins words into one, and into a text with the blanks between them.
fn glued(first: &LocatedWord, others: &[LocatedWord]) -> (LocatedWord, String) {
    let (mut whole, mut text) = (first.clone(), first.text.clone());
    for word in others {
        text = format!("{text} {}", word.text);
        whole.join(word);
    }
    (whole, text)
}

/// Recognises a move with blanks beside its sign, `K> h1`, `n - e6`: invalid, but meant
/// as a move.
fn parted_move(word: &LocatedWord, behind: &[LocatedWord]) -> Option<(MoveToken, usize)> {
    let is_sign = |text: &str| matches!(text, ">" | "-" | "x");
    let next = behind.first()?;
    let count = if word.text.len() == 1 && is_sign(&next.text) && behind.len() > 1 {
        2
    } else if word.text.len() < 3 && (word.text.ends_with('>') || next.text.starts_with('>')) {
        1
    } else {
        return None;
    };
    let (whole, text) = glued(word, &behind[..count]);
    whole.text.parse::<MoveText>().ok()?.role()?;
    let error = text.parse::<MoveText>().err()?;
    Some((
        MoveToken::written(TokenKind::Slip(error), whole, text),
        count,
    ))
}

/// Recognises a drop in words that has its line to itself: `drop pawn e3`. In a sentence
/// it may be a remark.
fn spoken_drop(words: &[LocatedWord]) -> Option<MoveToken> {
    let [verb, rest @ ..] = words else {
        return None;
    };
    let mut verbs = ["drop", "put", "place"].into_iter();
    if !(1..=2).contains(&rest.len()) || !verbs.any(|known| verb.text.eq_ignore_ascii_case(known)) {
        return None;
    }
    let (whole, text) = glued(verb, rest);
    let parsed = text.parse().ok()?;
    Some(MoveToken::written(TokenKind::Move(parsed), whole, text))
}

/// Returns the word without the comment signs glued to it: `□N>c3±`.
fn without_signs(word: &LocatedWord) -> Cow<'_, LocatedWord> {
    if word.text.is_ascii() {
        return Cow::Borrowed(word);
    }
    let text = word.text.trim_start_matches(is_comment_sign);
    let start = word.text.len() - text.len();
    let text = text.trim_end_matches(is_comment_sign);
    Cow::Owned(word.part(start, start + text.len()))
}

/// Returns the word without the punctuation of its sentence.
fn trimmed(word: &LocatedWord) -> LocatedWord {
    let whole = &word.text;
    let text = whole.trim_start_matches(['"', '\'', '*', '_', '(', '[', '`', '<', '-', '~']);
    let start = word.text.len() - text.len();
    let text = text.trim_end_matches([
        '"', '\'', '*', '_', ')', ']', '`', ',', ';', ':', '.', '<', '~', '!', '?', '-', '|',
    ]);
    word.part(start, start + text.len())
}

/// Returns true if the word is worth parsing as a move: every move has a digit except
/// castling, which has dashes, and misspelt drops.
fn could_be_move(text: &str) -> bool {
    text.len() <= 120
        && (text.bytes().any(|b| b.is_ascii_digit())
            && text.bytes().any(|b| b.is_ascii_alphabetic())
            || text.contains("O-O")
            || text.contains("o-o")
            || text.contains("0-0")
            || text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.contains(['>', '@']))
}

/// Returns true if a text that is no move can only have been meant for one: it begins
/// with a piece, a sign and a square, `n-e6ish`, or is a piece and a square that no
/// board has, `Nj3`, or a move with foreign letters behind it.
fn is_like_move(text: &str) -> bool {
    let ascii = text.bytes().take_while(u8::is_ascii).count();
    let (plain, foreign) = text.split_at(ascii);
    if !foreign.is_empty() && plain.parse::<MoveText>().is_ok() {
        return true;
    }
    let text = plain.strip_prefix('+').unwrap_or(plain);
    let Some(rest) = text.strip_prefix(|c| Role::from_letter(c).is_some()) else {
        return false;
    };
    let rest = rest.as_bytes();
    let is_square =
        |text: &[u8]| matches!(text, [a, b, ..] if a.is_ascii_alphabetic() && b.is_ascii_digit());
    let is_sign = |byte: u8| b">@*'x:-".contains(&byte);
    let has_sign = |at: usize| {
        let origin = &rest[..at.min(rest.len())];
        origin.iter().all(u8::is_ascii_alphanumeric)
            && rest.get(at).copied().is_some_and(is_sign)
            && is_square(&rest[at + 1..])
    };
    // In small letters that is a word: "go4".
    let is_named = text.starts_with(|c: char| c.is_ascii_uppercase())
        && is_square(rest)
        && rest[1..].iter().all(u8::is_ascii_digit);
    is_named || (0..=2).any(has_sign)
}

/// Returns true if an invalid word was meant as a move: `P>e9x`, `n-66`, `Pe>3`.
fn is_slip(text: &str) -> bool {
    if is_like_move(text) {
        return true;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '+')
        && text.len() <= 12
        && letters <= 4
        && text.contains(|c: char| c.is_ascii_digit() || c == '>' || c == '@')
        && text.is_ascii()
}
