//! Reads the moves of a line from its words.

use std::iter;

use crate::notation::moves::token::{self, Token, TokenKind};
use crate::notation::moves::{Gap, Manner, MoveEntry, Number};
use crate::notation::words::Word;
use crate::quoting::line::Author;
use crate::rules::game::Promotion;
use crate::rules::{Color, Role, Rules, games};

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
pub(super) struct LocatedEntry {
    pub(super) entry: MoveEntry,
    /// The column of the number before it, or of the move itself.
    pub(super) start: usize,
    /// The column after the move and its marks.
    pub(super) end: usize,
}

/// Reads the words of a line. Returns the manner of its moves, the moves, and the first
/// number without one.
pub(super) fn read(
    words: &[Word],
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
    let is_nothing = |token: &&Token| matches!(token.kind, TokenKind::Nothing);
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

impl Token {
    fn is_of_row(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::Number { .. } | TokenKind::Dots | TokenKind::Move(_)
        )
    }
}

impl Token {
    /// Returns true for a move, and for a slip that only a move can have been meant by,
    /// even alone on its line: `K> h1`, `P>j9`, `n-e6ish`.
    fn is_meant_for_move(&self) -> bool {
        let is_drop = || {
            let piece = self.text.chars().next().and_then(Role::from_letter);
            piece.is_some()
                && self.text.contains(['>', '@'])
                && self.text.contains(|c: char| c.is_ascii_digit())
        };
        match self.kind {
            TokenKind::Move(_) => true,
            TokenKind::Slip(_) => is_drop() || token::is_like_move(&self.text),
            _ => false,
        }
    }
}

/// Returns true if a slip has the sign of a move.
fn is_row_like(text: &str) -> bool {
    text.contains(['>', '-', 'x', '*', '@', '=', '\''])
}

struct RowReader<'t> {
    tokens: &'t [Token],
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
        let skipped = usize::from(self.named.is_some());
        let first = self.tokens[skipped.min(self.tokens.len())..]
            .iter()
            .position(|token| !matches!(token.kind, TokenKind::Nothing | TokenKind::Dots))
            .map(|first| first + skipped);
        let Some(mut first) = first else {
            return Manner::Prose;
        };
        // Skips a row that was left empty: `2. 3. N>f3`.
        let is_number = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| matches!(token.kind, TokenKind::Number { .. }))
        };
        while is_number(first) && is_number(first + 1) {
            first += 1;
        }
        let is_numbered = |i| self.numbered(i).is_some();
        if is_numbered(first) {
            Manner::List
        } else if !self.has_words && self.tokens[first].is_meant_for_move() {
            match self.named {
                _ if (first..self.tokens.len()).any(is_numbered) => Manner::List,
                Some(color) => Manner::Named(color),
                None => Manner::Bare,
            }
        } else {
            Manner::Prose
        }
    }

    /// Returns the number at a token, if a move follows it, and the index of that move.
    fn numbered(&self, at: usize) -> Option<(Number, usize)> {
        let (value, mut is_second, mut is_bare) = match self.tokens[at].kind {
            TokenKind::Number { value, has_dots } => (value, has_dots, false),
            TokenKind::Digits(value) => (value, false, true),
            _ => return None,
        };
        let mut next = at + 1;
        loop {
            let token = self.tokens.get(next)?;
            match token.kind {
                TokenKind::Dots => is_second = true,
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
        let is_number = value > 0 && is_move && !(is_bare && self.has_words);
        let number = Number {
            value,
            is_second,
            place: self.tokens[at].word.place(),
        };
        is_number.then_some((number, next))
    }

    /// Returns the number at a token without a move, if a list's number can stand
    /// there: in a list, or at the beginning of the line.
    fn gap(&self, at: usize) -> Option<Gap> {
        if self.manner != Manner::List && at > self.head {
            return None;
        }
        let (value, has_dots, is_bare) = match self.tokens[at].kind {
            TokenKind::Number { value, has_dots } => (value, has_dots, false),
            TokenKind::Digits(value) => (value, false, true),
            _ => return None,
        };
        let (mut words, mut moves) = (0, 0);
        let mut is_second = has_dots;
        for token in &self.tokens[at + 1..] {
            match token.kind {
                // Further tokens would not change the result.
                _ if words + moves > 2 || (is_bare && words > 0) => break,
                TokenKind::Number { .. } => break,
                TokenKind::Word | TokenKind::Digits(_) => words += 1,
                TokenKind::Move(_) | TokenKind::Slip(_) => moves += 1,
                TokenKind::Dots => is_second |= words + moves == 0,
                TokenKind::Nothing => {}
            }
        }
        // A number without its dot counts only if nothing but moves follows.
        let is_gap = words + moves > 0 && !(is_bare && words > 0);
        let number = Number {
            value,
            is_second,
            place: self.tokens[at].word.place(),
        };
        (is_gap && value > 0).then_some(Gap {
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
    fn takes_slip(&self, token: &Token) -> bool {
        self.number.is_some()
            || (self.manner == Manner::List && self.filled == 1 && !self.since_words)
            || (self.manner != Manner::Prose && token.is_meant_for_move())
    }

    fn push(
        &mut self,
        token: &Token,
        parsed: Result<crate::rules::notation::MoveText, crate::rules::notation::ParseMoveError>,
    ) {
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
