//! Classifies single words.

use std::borrow::Cow;
use std::iter;

use crate::notation::words::Word;
use crate::rules::Role;
use crate::rules::notation::{MoveText, ParseMoveError, is_comment_sign};

/// A word, or a move with the words of its mark.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The word. For a move, the move without marks after a blank.
    pub(super) word: Word,
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
pub(super) fn tokens(words: &[Word], may_promote: bool) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(words.len());
    if let Some(drop) = spoken_drop(words) {
        tokens.push(drop);
        return tokens;
    }
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
                tokens.push(Token::of(TokenKind::Number { value, has_dots }, mark));
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
            tokens.push(Token::of(TokenKind::Dots, word.part(0, dots)));
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

impl Token {
    fn of(kind: TokenKind, word: Word) -> Token {
        Token {
            kind,
            text: word.text.clone(),
            end: word.end(),
            word,
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
        let value = digits.parse().ok().filter(|_| is_number)?;
        return Some((value, text.len()));
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
fn token(word: &Word, behind: &[Word]) -> (Token, usize) {
    let text = word.text.as_str();
    if text.bytes().all(|b| b == b'.') && text.len() > 1 {
        return (Token::of(TokenKind::Dots, word.clone()), 0);
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
        return (Token::of(TokenKind::Nothing, word.clone()), 0);
    }
    if text.len() <= 4
        && let Ok(value) = text.parse()
    {
        return (Token::of(TokenKind::Digits(value), word.clone()), 0);
    }
    if !could_be_move(text) {
        return (Token::of(TokenKind::Word, word.clone()), 0);
    }
    match text.parse::<MoveText>() {
        Ok(parsed) => with_marks(word.clone(), parsed, behind),
        Err(error) => {
            let trimmed = trimmed(word);
            match trimmed.text.parse::<MoveText>() {
                // The trimmed punctuation closes the move, so no mark follows.
                Ok(parsed) => (Token::of(TokenKind::Move(parsed), trimmed), 0),
                Err(_) if is_slip(&trimmed.text) => (Token::of(TokenKind::Slip(error), trimmed), 0),
                Err(_) => (Token::of(TokenKind::Word, word.clone()), 0),
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
fn with_marks(word: Word, parsed: MoveText, behind: &[Word]) -> (Token, usize) {
    let mut token = Token::of(TokenKind::Move(parsed), word);
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
fn take_promotion(token: &mut Token, behind: &[Word]) -> usize {
    if !matches!(token.kind, TokenKind::Move(_)) {
        return 0;
    }
    for count in 1..=behind.len().min(2) {
        let words = behind[..count].iter().map(|word| word.text.as_str());
        let text = iter::once(token.text.as_str()).chain(words);
        let text = text.collect::<Vec<_>>().join(" ");
        match text.parse::<MoveText>() {
            Ok(parsed) if parsed.is_parted() => {
                token.end = behind[count - 1].end();
                token.kind = TokenKind::Move(parsed);
                token.text = text;
                return count;
            }
            _ => {}
        }
    }
    0
}

/// Recognises a move with blanks beside its sign, `K> h1`, `n - e6`: invalid, but meant
/// as a move.
fn parted_move(word: &Word, behind: &[Word]) -> Option<(Token, usize)> {
    let is_sign = |text: &str| matches!(text, ">" | "-" | "x");
    let next = behind.first()?;
    let count = if word.text.len() == 1 && is_sign(&next.text) && behind.len() > 1 {
        2
    } else if word.text.len() < 3 && (word.text.ends_with('>') || next.text.starts_with('>')) {
        1
    } else {
        return None;
    };
    let mut text = word.text.clone();
    let mut whole = word.clone();
    for next in &behind[..count] {
        text = format!("{text} {}", next.text);
        whole.join(next);
    }
    let glued: MoveText = whole.text.parse().ok()?;
    let error = text.parse::<MoveText>().err()?;
    let slip = Token {
        kind: TokenKind::Slip(error),
        end: whole.end(),
        word: whole,
        text,
    };
    glued.role().is_some().then_some((slip, count))
}

/// Recognises a drop in words that has its line to itself: `drop pawn e3`. In a sentence
/// it may be talk.
fn spoken_drop(words: &[Word]) -> Option<Token> {
    let ([verb, piece] | [verb, piece, _]) = words else {
        return None;
    };
    let mut verbs = ["drop", "put", "place"].into_iter();
    verbs.find(|known| verb.text.eq_ignore_ascii_case(known))?;
    let mut whole = verb.clone();
    let mut texts = vec![verb.text.as_str(), &piece.text];
    texts.extend(words.get(2).map(|square| square.text.as_str()));
    for word in &words[1..] {
        whole.join(word);
    }
    let text = texts.join(" ");
    let parsed = text.parse().ok()?;
    Some(Token {
        kind: TokenKind::Move(parsed),
        end: whole.end(),
        word: whole,
        text,
    })
}

/// Returns the word without the comment signs glued to it: `□N>c3±`.
fn without_signs(word: &Word) -> Cow<'_, Word> {
    if word.text.is_ascii() {
        return Cow::Borrowed(word);
    }
    let text = word.text.trim_start_matches(is_comment_sign);
    let start = word.text.len() - text.len();
    let text = text.trim_end_matches(is_comment_sign);
    Cow::Owned(word.part(start, start + text.len()))
}

/// Returns the word without the punctuation of its sentence.
fn trimmed(word: &Word) -> Word {
    let text = word
        .text
        .trim_start_matches(['"', '\'', '*', '_', '(', '[', '`', '<', '-', '~']);
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
pub(super) fn is_like_move(text: &str) -> bool {
    let ascii = text.bytes().take_while(u8::is_ascii).count();
    let (plain, foreign) = text.split_at(ascii);
    if !foreign.is_empty() && plain.parse::<MoveText>().is_ok() {
        return true;
    }
    let text = plain.strip_prefix('+').unwrap_or(plain);
    let Some(rest) = text
        .strip_prefix(|c| Role::from_letter(c).is_some())
        .map(str::as_bytes)
    else {
        return false;
    };
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
