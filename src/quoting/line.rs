//! A line of a text, and whose words it is.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// A line of a text, without its line end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The whole line as it stands in the text.
    pub source: &'a str,
    /// What follows the quote marks; blanks before and behind are kept.
    pub text: &'a str,
    /// Where [`Line::text`] begins in the line, in characters from 1; a tab is
    /// one character.
    pub column: usize,
    /// Whose words they are.
    pub author: Author,
}

/// Whose words a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// The writer's own.
    Own,
    /// Quoted, that many quote marks deep. With none it stands below the
    /// beginning of a quotation without marks, and nobody can tell whether that
    /// goes so far.
    Quoted(usize),
    /// Of a signature: the line `-- ` or below it; also what PGP puts around a
    /// text.
    Signature,
    /// Added by a mailing list, a mail program or a company: nobody's words.
    Boilerplate,
}

impl Author {
    /// Whether a person's words stand there: the writer's own, or quoted ones.
    #[must_use]
    pub fn is_person(self) -> bool {
        matches!(self, Author::Own | Author::Quoted(_))
    }

    /// How many quote marks deep the words stand; 0 for what is not quoted.
    #[must_use]
    pub fn depth(self) -> usize {
        match self {
            Author::Quoted(depth) => depth,
            Author::Own | Author::Signature | Author::Boilerplate => 0,
        }
    }
}

impl Line<'_> {
    /// Whether nothing is written behind the quote marks.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.chars().all(is_blank)
    }
}

/// Splits a text into lines, all of them the writer's own so far. Takes LF, CR
/// LF and CR; a byte order mark is no part of the first line, and the text ends
/// where a last line end does.
pub(super) fn split(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    ends(text)
        .enumerate()
        .map(|(i, source)| Line {
            number: i + 1,
            source,
            text: source,
            column: 1,
            author: Author::Own,
        })
        .collect()
}

/// The text of a file, whatever wrote it: UTF-8, UTF-16 with its mark, else
/// Windows-1252, which has Latin-1 in it.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // A mark at the beginning overrules the name.
        Err(_) => WINDOWS_1252.decode(bytes).0,
    }
}

/// A blank: anything white, a no-break space and a form feed included.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{200b}' || c == '\u{feff}'
}

fn ends(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(at) = rest.find(['\n', '\r']) else {
            return Some(std::mem::take(&mut rest));
        };
        let line = &rest[..at];
        let end = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[at + end..];
        Some(line)
    })
}

impl Line<'_> {
    /// Cuts the first `bytes` bytes off the text, as marks of that author.
    pub(super) fn cut(&mut self, bytes: usize, author: Author) {
        self.column += self.text[..bytes].chars().count();
        self.text = &self.text[bytes..];
        self.author = author;
    }

    /// Whether nothing marks the line as quoted: it is the writer's own, or of a
    /// signature, below which a program may put what it quotes.
    pub(super) fn is_unmarked(&self) -> bool {
        matches!(self.author, Author::Own | Author::Signature)
    }
}
