//! A line of a text and its author.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// Stands at the end of a line with text that its reader may not have seen, or of which it
/// is unknown whether the writer of the letter wrote it: a character that no text has.
pub const DOUBT: char = '\u{fdd1}';

/// A line of a text, without its line ending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// The line's number in the text, from 1.
    pub number: usize,
    /// The whole line, as in the text, without a mark of doubt.
    pub source: &'a str,
    /// The text after the quote marks, with the blanks at both ends.
    pub text: &'a str,
    /// The column where [`Line::text`] begins, in characters from 1. A tab is one
    /// character.
    pub column: usize,
    /// The author of the words.
    pub author: Author,
    /// True if the line is quoted from the mail that the text answers, and that mail is
    /// known to the word.
    pub is_of_parent: bool,
    /// Why the writer may have typed the line, though it is taken for quoted.
    pub typed: Typed,
    /// True if the line has [`DOUBT`], which is no part of its text.
    pub is_doubtful: bool,
}

/// Why the writer may have typed a line that is taken for quoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typed {
    /// Nothing says so.
    No,
    /// It has no quote mark, though the line above has one: it is the end of that line,
    /// if a program has wrapped it, or the writer's own.
    AmongMarks,
    /// It stands in a quotation of a mail of ours, and that mail does not have it.
    Added,
}

/// The author of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// The writer of the text.
    Own,
    /// Quoted, with this number of quote marks. With 0 it stands below the start of a
    /// quotation without marks, and it is unknown whether the quotation reaches this
    /// line.
    Quoted(usize),
    /// Somebody whose words the program carried to the writer before, quoted or not, or
    /// whose message the writer answers.
    Carried,
    /// Unknown: the line begins with words that were carried to the writer and goes on,
    /// or stands below a rule. A move in it is asked about.
    Unclear,
    /// The program, whose own mail comes back without quote marks.
    Program,
    /// Part of a signature: the line `-- ` or a line below it. Also the lines that PGP
    /// puts around a text.
    Signature,
    /// Added by a mailing list, a mail program or a company.
    Boilerplate,
}

impl Author {
    /// Returns true if the words may mean something in the text: they belong to no
    /// signature, and no program has added them to a message of somebody else's.
    #[must_use]
    pub fn is_read(self) -> bool {
        !matches!(self, Author::Signature | Author::Boilerplate)
    }

    /// Returns true if the line may hold words of the writer's own.
    #[must_use]
    pub fn may_be_own(self) -> bool {
        matches!(self, Author::Own | Author::Unclear)
    }

    /// Returns the number of quote marks, or 0 if the line is not quoted.
    #[must_use]
    pub fn depth(self) -> usize {
        match self {
            Author::Quoted(depth) => depth,
            _ => 0,
        }
    }
}

impl Line<'_> {
    /// Returns true if the line is taken for quoted, but may be the writer's own.
    #[must_use]
    pub fn may_be_typed(&self) -> bool {
        self.typed != Typed::No
    }

    /// Returns true if nothing follows the quote marks.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.chars().all(is_blank)
    }
}

/// Splits a text into lines, all marked as the writer's own. Accepts LF, CR LF and CR.
/// A byte order mark is skipped, and a line ending at the end of the text starts no
/// further line.
pub(super) fn split(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    ends(text)
        .enumerate()
        .map(|(i, line)| {
            let source = line.trim_end_matches(DOUBT);
            Line {
                number: i + 1,
                source,
                text: source,
                column: 1,
                author: Author::Own,
                is_of_parent: false,
                typed: Typed::No,
                is_doubtful: source.len() < line.len(),
            }
        })
        .collect()
}

/// Decodes the text of a file: UTF-8, UTF-16 with a byte order mark, or else
/// Windows-1252, which includes the printable characters of Latin-1.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // A byte order mark overrides the encoding given here.
        Err(_) => WINDOWS_1252.decode(bytes).0,
    }
}

/// Returns true for any blank, including no-break space and form feed.
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
    /// Cuts the first `bytes` bytes off the text as quote marks or the like, and sets
    /// the author.
    pub(super) fn cut(&mut self, bytes: usize, author: Author) {
        self.column += self.text[..bytes].chars().count();
        self.text = &self.text[bytes..];
        self.author = author;
    }

    /// Returns true if nothing marks the line as quoted: it is the writer's own, or
    /// part of a signature, below which a program may put its quotation.
    pub(super) fn is_unmarked(&self) -> bool {
        matches!(self.author, Author::Own | Author::Signature)
    }
}
