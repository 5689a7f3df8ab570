//! The text of a mail that was sent, to tell a quotation of it from other words.
//!
//! Only letters and digits are compared, in their order. So it does not matter where
//! a program has wrapped a line, and which dashes, quotation marks and links it has made.

use crate::quoting::line::{self, Line};
use crate::quoting::words;

/// Stands between two texts. No line of a quotation has it.
const END: char = '\n';

/// The most places at which a line is looked for. A text that repeats itself has many.
const MOST_PLACES: usize = 64;

/// The signs inside a word behind which a program may break it.
const MAY_BREAK: [char; 3] = ['-', '.', '/'];

/// The least and the most words of a part of a line that is looked for alone.
const PART: usize = 3;
const LONGEST_PART: usize = 24;

/// The most words that somebody may have added to a row of a list: the number of a move,
/// the move, and a remark.
const MOST_ADDED: usize = 8;

/// A mail that was sent, as the words that a program may quote.
#[derive(Clone, Debug)]
pub struct MailText {
    /// The letters and digits of the texts.
    signs: String,
    /// The words with their signs, a blank around each.
    words: String,
    /// True for each byte of `signs` at which a line may begin or end, and for the end.
    begins: Vec<bool>,
    /// The hash at its foot.
    hash: String,
    /// The lines that it asks to send, or asks about.
    asked: Vec<String>,
    /// Texts that it has in common with other mails.
    common: Option<&'static MailText>,
}

impl MailText {
    /// Creates a mail with this hash at its foot.
    #[must_use]
    pub fn new(hash: impl Into<String>) -> MailText {
        MailText {
            signs: String::new(),
            words: String::new(),
            begins: vec![true],
            hash: hash.into(),
            asked: Vec::new(),
            common: None,
        }
    }

    /// Adds texts that other mails have, too.
    #[must_use]
    pub fn with_common(self, common: &'static MailText) -> MailText {
        MailText {
            common: Some(common),
            ..self
        }
    }

    /// Adds a text that a program may quote on its own.
    #[must_use]
    pub fn with(mut self, text: &str) -> MailText {
        for word in text.split_whitespace() {
            self.words.push_str(word);
            self.words.push(' ');
        }
        self.words.push(END);
        self.words.push(' ');
        for line in line::split(text) {
            for c in line.plain().chars() {
                if c.is_alphanumeric() {
                    self.signs.push(c);
                    self.begins.resize(self.signs.len() + 1, false);
                } else if MAY_BREAK.contains(&c) || c.is_whitespace() {
                    self.begins[self.signs.len()] = true;
                }
            }
            self.begins[self.signs.len()] = true;
        }
        self.signs.push(END);
        self.begins.resize(self.signs.len() + 1, true);
        self
    }

    /// Sets the lines that it asks to send, or asks about.
    #[must_use]
    pub fn asking(self, asked: Vec<String>) -> MailText {
        MailText { asked, ..self }
    }

    /// Returns the lines that it asks to send, or asks about.
    pub(super) fn asked(&self) -> &[String] {
        &self.asked
    }

    /// Returns true if the mail has the words of a line with all their signs.
    pub(super) fn has_exactly(&self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.words.contains(&format!(" {} ", words.join(" ")))
    }

    /// Returns true if the mail has the words of a line, and not only many others.
    pub(super) fn has_itself(&self, line: &Line<'_>) -> bool {
        self.has_signs(&words::of_line(line).concat())
    }

    /// Returns true if a line begins as one of the mail with a move in it.
    pub(super) fn has_row_of(&self, line: &Line<'_>) -> bool {
        let words = words::of_line(line);
        let first = words.iter().position(|word| words::is_like_move(word));
        first.is_some_and(|first| self.has_signs(&words[..=first].concat()))
    }

    /// Returns the hash at the foot.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns how a line belongs to the mail.
    pub(super) fn find(&self, line: &Line<'_>) -> Found {
        let words = words::of_line(line);
        if words.is_empty() {
            return Found::Blank;
        }
        if words.len() > 1 && self.has_signs(&words.concat()) {
            return Found::Whole;
        }
        if self.has(&words) || self.has_parts(&words) {
            return Found::Usual;
        }
        let least = words.len().saturating_sub(MOST_ADDED);
        let is_extended = |kept: usize| {
            let added = match &words[kept..] {
                [number, added @ ..] if words::is_number(number) => added,
                added => added,
            };
            added.first().is_some_and(|word| words::is_like_move(word))
                && (kept == 0 || self.has(&words[..kept]))
        };
        if (least..words.len()).any(is_extended) {
            return Found::Extended;
        }
        Found::No
    }

    /// Returns true if the words are some parts of the texts, as where a template had
    /// other words between two values, or a program has joined lines.
    fn has_parts(&self, words: &[String]) -> bool {
        let mut rest = words;
        while !rest.is_empty() {
            let most = rest.len().min(LONGEST_PART);
            let Some(count) = (PART..=most).rev().find(|count| self.has(&rest[..*count])) else {
                return false;
            };
            rest = &rest[count..];
        }
        true
    }

    /// Returns true if the words stand one behind the other in a text.
    fn has(&self, words: &[String]) -> bool {
        self.has_signs(&words.concat()) || self.common.is_some_and(|common| common.has(words))
    }

    fn has_signs(&self, wanted: &str) -> bool {
        let mut from = 0;
        for _ in 0..MOST_PLACES {
            let Some(at) = self.signs[from..].find(wanted).map(|at| from + at) else {
                return false;
            };
            if self.begins[at] && self.begins[at + wanted.len()] {
                return true;
            }
            // The next place begins behind the first sign of this one.
            let first = wanted.chars().next().map_or(1, char::len_utf8);
            from = at + first;
        }
        false
    }
}

/// How a line belongs to a mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// It has no words.
    Blank,
    /// The mail has its words in this order.
    Whole,
    /// It is a word of the mail, or has only words that many mails have.
    Usual,
    /// It is a row of the mail to which moves were added, or only such moves.
    Extended,
    /// It has other words.
    No,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Found {
        let mail = MailText::new("0123")
            .with("Anna has played 1. P>e3.\nIt is your turn, half-heartedly.")
            .with("White       Black\n\n1.  P>e3    n>g5\n2.  B>f4");
        let lines = line::split(text);
        lines.first().map_or(Found::Blank, |line| mail.find(line))
    }

    #[test]
    fn a_line_is_of_the_mail_wherever_it_is_broken() {
        for text in [
            "Anna has played 1. P>e3. It is your turn,",
            "played 1.",
            "turn, half\u{2011}heartedly.",
            "your turn, half-",
            "\u{2022} 1. P&gt;e3",
            "White Black 1. P>e3 n>g5 2.",
            "2. B>f4",
        ] {
            assert_eq!(found(text), Found::Whole, "{text}");
        }
        for text in ["2. B>f4 n-e6", "3. K>e1", "n-e6", "2. B>f4 n-e6 (at last!)"] {
            assert_eq!(found(text), Found::Extended, "{text}");
        }
        for text in ["played", "heartedly"] {
            assert_eq!(found(text), Found::Usual, "{text}");
        }
        for text in ["- - -", ""] {
            assert_eq!(found(text), Found::Blank, "{text}");
        }
    }

    #[test]
    fn other_words_are_not_of_the_mail() {
        for text in [
            "Anna played 1. P>e3.",
            "e3",
            "resign",
            "It is your turn. resign",
            "your turn, half-heartedly. White",
            "a P>e3 b",
            "2026-11-20 3:00 GMT+00:00 Ben:",
        ] {
            let found = found(text);
            assert!(
                found == Found::No || text == "e3" && found == Found::Extended,
                "{text}: {found:?}"
            );
        }
    }
}
