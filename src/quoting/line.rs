//! A text as lines that keep their place in it, told apart by who wrote them.
//!
//! A quote mark is `>`, `|` or `:` at the start of a line, with or without
//! blanks between several, or the initials of a quoter with a `>` (`AW>`) where
//! several lines share them. Between a piece letter and a square, without
//! blanks, `>` is the drop sign and never a quote mark: `K>h1`. Mailers that
//! quote by a tab or by indentation are believed where the text bears them out.
//! The tags of forums around a text, like `[code]`, are taken off its lines.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

pub use crate::quoting::glyphs::Glyph;
use crate::quoting::quote_marks::Quoters;
use crate::quoting::{attribution, forum_tags, indentation, wrapped_line};

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
    /// Of a signature: the line `-- ` or below it.
    Signature,
}

impl Line<'_> {
    /// Whether nothing is written behind the quote marks.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.chars().all(is_blank)
    }
}

/// Splits a text into lines. Takes LF, CR LF and CR; a byte order mark is no
/// part of the first line, and the text ends where a last line end does.
#[must_use]
pub fn split(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<Line<'_>> = ends(text)
        .enumerate()
        .map(|(i, source)| Line {
            number: i + 1,
            source,
            text: source,
            column: 1,
            author: Author::Own,
        })
        .collect();
    let quoters = Quoters::of(lines.iter().map(|line| line.source));
    for line in &mut lines {
        let (depth, mark) = quoters.marks(line.source);
        if depth > 0 {
            line.cut(mark, Author::Quoted(depth));
        }
    }
    wrapped_line::mark(&mut lines);
    indentation::mark(&mut lines);
    forum_tags::cut(&mut lines);
    undo_dash_escapes(&mut lines);
    mark_signatures(&mut lines);
    lines
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
    /// Takes the first `bytes` bytes of the text for marks of that origin.
    pub(super) fn cut(&mut self, bytes: usize, author: Author) {
        self.column += self.text[..bytes].chars().count();
        self.text = &self.text[bytes..];
        self.author = author;
    }

    pub(super) fn depth(&self) -> usize {
        match self.author {
            Author::Quoted(depth) => depth,
            Author::Own | Author::Signature => 0,
        }
    }
}

/// A message signed by PGP has `- ` put before each of its lines that begins
/// with a dash, the rows of a diagram among them. What PGP adds around it is
/// nobody's words.
fn undo_dash_escapes(lines: &mut [Line<'_>]) {
    let mut signed_at: Option<usize> = None;
    let (mut in_head, mut in_signature) = (false, false);
    for line in lines {
        let text = line.text.trim();
        in_head &= is_armour_header(text);
        if text == "-----BEGIN PGP SIGNED MESSAGE-----" {
            signed_at = Some(line.depth());
            in_head = true;
        } else if signed_at == Some(line.depth()) && !in_head {
            if text == "-----BEGIN PGP SIGNATURE-----" {
                signed_at = None;
                in_signature = true;
            } else if line.text.trim_start().starts_with("- ") {
                let bytes = line.text.find('-').map_or(0, |dash| dash + 2);
                line.cut(bytes, line.author);
            }
        }
        // What only a key can open, and a key itself.
        in_signature |=
            text == "-----BEGIN PGP MESSAGE-----" || text == "-----BEGIN PGP PUBLIC KEY BLOCK-----";
        let is_end = text.starts_with("-----END PGP ");
        if in_head || in_signature {
            line.author = Author::Signature;
        }
        in_signature &= !is_end;
    }
}

/// A header line of PGP's armour.
fn is_armour_header(text: &str) -> bool {
    ["Hash: ", "Charset: ", "Comment: ", "Version: "]
        .iter()
        .any(|header| text.starts_with(header))
}

/// Below a line `-- ` everything of the same writer is signature, until the
/// text of another message begins. Quoted text below it stays quoted.
fn mark_signatures(lines: &mut [Line<'_>]) {
    // Whether the words at each depth of quoting are signature by now.
    let mut signed: Vec<bool> = Vec::new();
    for i in 0..lines.len() {
        let line = &lines[i];
        let depth = line.depth();
        if line.author == Author::Signature {
            continue;
        }
        if !line.is_blank() {
            signed.resize(depth + 1, false);
        }
        let opens = is_signature_mark(line.text, depth > 0)
            && (line.text.ends_with(is_blank) || is_short_rest(&lines[i..]));
        if opens {
            signed.resize(depth + 1, false);
            signed[depth] = true;
        } else if begins_message(line.text) {
            signed.truncate(depth);
        }
        if signed.get(depth) == Some(&true) {
            lines[i].author = Author::Signature;
        }
    }
}

/// `-- `, or `--` where a mailer has taken the blank. Behind a quote mark a
/// blank is part of the quoting.
fn is_signature_mark(text: &str, is_quoted: bool) -> bool {
    let text = if is_quoted { text.trim_start() } else { text };
    // Some editors make one dash of two.
    matches!(text.trim_end_matches(is_blank), "--" | "––" | "—" | "–")
}

/// Whether what follows `--` is no more than a signature's four lines and
/// holds no numbered line: else it may be a rule drawn between two parts.
fn is_short_rest(lines: &[Line<'_>]) -> bool {
    let depth = lines[0].depth();
    let mut count = 0;
    for line in &lines[1..] {
        if line.depth() != depth || attribution::is_attribution(line.text) {
            break;
        }
        let text = line.text.trim_start();
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = unnumbered.len() < text.len() && unnumbered.starts_with(['.', ')']);
        count += usize::from(!text.is_empty());
        if is_numbered || count > 4 {
            return false;
        }
    }
    true
}

/// Headers that only the first lines of a message have.
const HEADERS: [&str; 6] = [
    "From:",
    "Subject:",
    "Newsgroups:",
    "Path:",
    "Message-ID:",
    "Return-Path:",
];

/// The first line of another message in a collection of them: an mbox
/// separator or a header.
fn begins_message(text: &str) -> bool {
    let has_year = || {
        text.split_whitespace()
            .last()
            .is_some_and(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()))
    };
    HEADERS.iter().any(|header| text.starts_with(header)) || text.starts_with("From ") && has_year()
}
