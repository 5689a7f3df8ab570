//! A line of a text, its author, and its characters as their writer meant them: what mailers
//! and editors do to plain ASCII is undone, and each character keeps its column.
//!
//! A line is doubtful if its reader may not have seen its text, or if nobody knows whether
//! the writer of the letter wrote it. What reads a letter puts [`DOUBT`] at the end of each;
//! nobody else can write it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

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
    /// True if the line has [`DOUBT`], which is no part of its text, or is between two markers of
    /// which the second closes the first.
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
    /// or stands below a rule. An order in it is asked about.
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

    /// Returns the characters after the quote marks.
    ///
    /// Blanks become spaces; typographic dashes, quotation marks and figurines become
    /// ASCII; HTML entities become their character. HTML tags and struck-out text
    /// become a space. Characters without width are dropped, as is the backslash that
    /// escapes a character in Markdown.
    #[must_use]
    pub fn glyphs(&self) -> Vec<Glyph> {
        let mut glyphs = Vec::with_capacity(self.text.len());
        let mut column = u32::try_from(self.column).unwrap_or(u32::MAX);
        let mut rest = self.text;
        while let Some(c) = rest.chars().next() {
            let (bytes, meant) = match c {
                '<' | '[' | '~' if let Some(bytes) = struck(rest) => (bytes, Some(' ')),
                // Tags of HTML are no part of the text.
                '<' if let Some(tag) = tag(rest) => (tag.len(), Some(' ')),
                '&' if let Some((bytes, meant)) = entity(rest) => (bytes, plain(meant)),
                '\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => (1, None),
                c => (c.len_utf8(), plain(c)),
            };
            match meant {
                Some('…') => glyphs.extend([Glyph { char: '.', column }; 3]),
                Some(char) => glyphs.push(Glyph { char, column }),
                None => {}
            }
            let width = rest[..bytes].chars().count();
            column = column.saturating_add(u32::try_from(width).unwrap_or(u32::MAX));
            rest = &rest[bytes..];
        }
        glyphs
    }

    /// Returns the text after the quote marks as its writer meant it (see
    /// [`Line::glyphs`]).
    #[must_use]
    pub fn plain(&self) -> String {
        self.glyphs().iter().map(|glyph| glyph.char).collect()
    }
}

/// Splits a text into lines, all marked as the writer's own. Accepts LF, CR LF and CR.
/// A byte order mark is skipped, and a line ending at the end of the text starts no
/// further line.
#[must_use]
pub fn split(text: &str) -> Vec<Line<'_>> {
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

/// Returns the number of lines of a text.
#[must_use]
pub fn count(text: &str) -> usize {
    ends(text).count()
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
#[must_use]
pub fn is_blank(c: char) -> bool {
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

/// A character as its writer meant it, and its place in the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// The character.
    pub char: char,
    /// Its column in the line, from 1.
    pub column: u32,
}

/// The HTML entities with a name. All others are written as numbers.
const ENTITIES: [(&str, char); 14] = [
    ("gt", '>'),
    ("lt", '<'),
    ("amp", '&'),
    ("nbsp", ' '),
    ("quot", '"'),
    ("apos", '\''),
    ("lsquo", '\''),
    ("rsquo", '\''),
    ("ndash", '-'),
    ("mdash", '-'),
    ("minus", '-'),
    ("times", 'x'),
    ("hellip", '…'),
    ("shy", '\u{ad}'),
];

/// The pairs of marks around struck-out text, in small letters.
const STRUCK: [(&str, &str); 6] = [
    ("~~", "~~"),
    ("[s]", "[/s]"),
    ("[strike]", "[/strike]"),
    ("<s>", "</s>"),
    ("<del>", "</del>"),
    ("<strike>", "</strike>"),
];

/// The longest struck-out text, in bytes, marks included.
const LONGEST_STRUCK: usize = 120;

/// The longest tag that is looked for, in bytes.
const LONGEST_TAG: usize = 200;

/// Returns the HTML tag that the text begins with.
fn tag(text: &str) -> Option<&str> {
    let end = text.floor_char_boundary(LONGEST_TAG);
    let inner = text[..end].strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let close = inner.find('>')?;
    let named = name.split([' ', '>']).next().unwrap_or_default();
    // An address says who wrote; what a program makes of it as a link does not.
    let is_address = named.contains('@') && !named.contains(':');
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !is_address
        && !inner[..close].contains('<');
    is_tag.then(|| &text[..close + 2])
}

/// Returns how many bytes at the start of the text are struck out, marks included.
fn struck(text: &str) -> Option<usize> {
    let end = text.floor_char_boundary(LONGEST_STRUCK);
    let begins = |mark: &&(&str, &str)| {
        let head = text.as_bytes().get(..mark.0.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(mark.0.as_bytes()))
    };
    let (open, close) = STRUCK.iter().find(begins)?;
    let inner = &text[open.len()..end.max(open.len())];
    // A line of tildes is a rule or a code fence.
    if inner.starts_with(['~', ' ']) {
        return None;
    }
    let inner = inner.to_ascii_lowercase();
    inner.find(close).map(|at| open.len() + at + close.len())
}

/// Returns the HTML entity that the text begins with: its length in bytes and its
/// character.
fn entity(text: &str) -> Option<(usize, char)> {
    let end = text.bytes().take(10).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let char = match name.strip_prefix('#') {
        None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((end + 1, char))
}

/// Returns the plain counterpart of a character, or none for one that shows nothing.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{ad}' | '\u{2060}' | '\u{fe0e}' | '\u{fe0f}' => {
            return None;
        }
        // Programs isolate a text in another script with these. The marks that turn
        // the direction of writing stay, because with them an order looks like another.
        '\u{2066}' | '\u{2068}' | '\u{2069}' => return None,
        c if c.is_ascii_graphic() => c,
        c if is_blank(c) => ' ',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '×' | '✕' | '⨯' => 'x',
        '‘' | '’' | '‚' | '´' | '′' => '\'',
        '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' => '"',
        '›' => '>',
        // The full-width forms of ASCII.
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '♔' => 'K',
        '♕' => 'Q',
        '♖' => 'R',
        '♗' => 'B',
        '♘' => 'N',
        '♙' => 'P',
        '♚' => 'k',
        '♛' => 'q',
        '♜' => 'r',
        '♝' => 'b',
        '♞' => 'n',
        '♟' => 'p',
        '│' | '┃' | '║' | '┆' | '┊' | '╎' => '|',
        c => c,
    })
}

/// The length in characters above which a program may break a word.
const LONG: usize = 16;

/// The longest rest of a broken word that is looked for, in characters. An order is shorter.
const LONGEST_REST: usize = 8;

/// The words of texts, with the order in which they stand near each other. Holds a
/// bounded number of pairs for each word.
#[derive(Clone, Default, Debug)]
pub(super) struct Words {
    /// Words that many texts share. Theirs are the first numbers.
    shared: Option<Arc<Words>>,
    numbers: HashMap<Box<str>, u32>,
    /// The pairs of words, the first before the second.
    pairs: HashSet<(u32, u32)>,
}

impl Words {
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.shared.as_ref().is_none_or(|shared| shared.is_empty())
    }

    /// Returns the same words, which cost nothing to clone until some are added.
    pub(super) fn shared(self) -> Words {
        Words {
            shared: Some(Arc::new(self)),
            ..Words::default()
        }
    }

    /// Returns the number of different words.
    fn len(&self) -> usize {
        self.numbers.len() + self.shared.as_ref().map_or(0, |shared| shared.len())
    }

    /// Adds a text. Two of its words are near if at most `reach` words lie between their
    /// starts.
    pub(super) fn add(&mut self, text: &str, reach: usize) {
        let words: Vec<String> = split(text).iter().flat_map(of_line).collect();
        let numbers: Vec<u32> = words.iter().map(|word| self.number(word)).collect();
        for (i, &first) in numbers.iter().enumerate() {
            for &second in numbers[i + 1..].iter().take(reach) {
                self.pairs.insert((first, second));
            }
        }
        for (i, word) in words.iter().enumerate() {
            for (start, rest) in rests(word) {
                let (start, rest) = (self.number(start), self.number(rest));
                self.pairs.insert((start, rest));
                for &second in numbers[i + 1..].iter().take(reach) {
                    self.pairs.insert((rest, second));
                }
            }
        }
    }

    /// Returns the number of a word, if a text has it.
    pub(super) fn find(&self, word: &str) -> Option<u32> {
        let shared = self.shared.as_ref().and_then(|shared| shared.find(word));
        shared.or_else(|| self.numbers.get(word).copied())
    }

    /// Returns true if the second word stands near behind the first in a text.
    pub(super) fn has(&self, first: Option<u32>, second: Option<u32>) -> bool {
        let is_here = |pair| self.pairs.contains(&pair);
        let shared = self.shared.as_ref();
        first.zip(second).is_some_and(is_here)
            || shared.is_some_and(|shared| shared.has(first, second))
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.find(word) {
            return number;
        }
        let number = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.numbers.insert(word.into(), number);
        number
    }
}

/// Returns the words of a line: its letters and digits, without the signs
/// between them, which programs change. A number is split from an order that touches it.
pub(super) fn of_line(line: &Line<'_>) -> Vec<String> {
    let text = line.plain();
    let mut words = Vec::new();
    for chunk in text.split_whitespace() {
        let behind = chunk.trim_start_matches(|c: char| c.is_ascii_digit());
        let (number, rest) = chunk.split_at(chunk.len() - behind.len());
        let parts = if !number.is_empty() && rest.starts_with('.') {
            [number, rest]
        } else {
            [chunk, ""]
        };
        for part in parts {
            let is_kept = |c: &char| c.is_alphanumeric();
            let word: String = part.chars().filter(is_kept).collect();
            if !word.is_empty() {
                words.push(word);
            }
        }
    }
    words
}

/// Returns the ways in which a program may break a long word shortly before its end.
fn rests(word: &str) -> Vec<(&str, &str)> {
    let places: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    if places.len() <= LONG {
        return Vec::new();
    }
    let last = places[places.len() - LONGEST_REST..].iter();
    last.map(|at| word.split_at(*at)).collect()
}

/// Returns true if a word is a number, as of an order.
#[must_use]
pub fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    vec![format!("resign{DOUBT}")]
}

/// Marks doubtful lines of the writer's as unclear. What is quoted in them is at most
/// perhaps quoted, so that nothing counts that somebody has filled into it unseen.
pub(super) fn mark_doubtful(lines: &mut [Line<'_>]) {
    for line in lines.iter_mut().filter(|line| line.is_doubtful) {
        line.author = match line.author {
            Author::Own => Author::Unclear,
            Author::Quoted(_) => Author::Quoted(0),
            author => author,
        };
    }
}

/// Returns every line of a text with the mark at its end, but for the empty ones.
#[must_use]
pub fn doubted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words = line.trim_end_matches(['\n', '\r', DOUBT]);
        out.push_str(words);
        if !words.trim().is_empty() {
            out.push(DOUBT);
        }
        if line.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// Returns a text without the characters that Unicode keeps for a program's own use, of
/// which [`DOUBT`] is one.
#[must_use]
pub fn without_noncharacters(text: &str) -> String {
    let is_one = |c: char| matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    text.replace(is_one, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::helpdesk::pasted;

    #[test]
    fn a_doubtful_line_is_nobody_s_and_shows_no_mark() {
        let lines = pasted("B12\n> A11\u{fdd1}\nB13\u{fdd1}\r\n\u{fdd1}\n");
        let told: Vec<_> = lines.iter().map(|line| (line.author, line.text)).collect();
        assert_eq!(
            told,
            [
                (Author::Own, "B12"),
                (Author::Quoted(0), " A11"),
                (Author::Unclear, "B13"),
                (Author::Unclear, ""),
            ]
        );
        assert!(lines.iter().all(|line| !line.source.contains(DOUBT)));
    }

    #[test]
    fn every_line_with_words_is_doubted_once() {
        assert_eq!(
            doubted("a\n\nb\u{fdd1}\r\nc"),
            "a\u{fdd1}\n\nb\u{fdd1}\nc\u{fdd1}"
        );
        assert_eq!(without_noncharacters("a\u{fdd1}b\u{ffff}\u{10fffe}"), "ab");
    }
}
