//! The characters of a line as their writer meant them: undoes what mailers and editors
//! do to plain ASCII, and keeps the column of each character.

use crate::quoting::line::{Line, is_blank};

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

impl Line<'_> {
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
}

impl Line<'_> {
    /// Returns the text after the quote marks as its writer meant it (see
    /// [`Line::glyphs`]).
    #[must_use]
    pub fn plain(&self) -> String {
        self.glyphs().iter().map(|glyph| glyph.char).collect()
    }
}

/// The longest tag that is looked for, in bytes.
const LONGEST_TAG: usize = 200;

/// Returns the HTML tag that the text begins with.
fn tag(text: &str) -> Option<&str> {
    let mut end = text.len().min(LONGEST_TAG);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let inner = text[..end].strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let close = inner.find('>')?;
    let is_tag =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !inner[..close].contains('<');
    is_tag.then(|| &text[..close + 2])
}

/// Returns how many bytes at the start of the text are struck out, marks included.
fn struck(text: &str) -> Option<usize> {
    let mut end = text.len().min(LONGEST_STRUCK);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
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
        // the direction of writing stay, because with them a move looks like another.
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
