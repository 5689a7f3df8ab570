//! The characters of a line as they were meant: what mailers and editors make
//! of plain ASCII is undone, and every character keeps its column.

use super::{Line, is_blank};

/// A character of a line as it was meant, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// The character.
    pub char: char,
    /// Its column in the line, from 1.
    pub column: u32,
}

/// What HTML writes for a character, and how wide that is.
const ENTITIES: [(&str, u32, char); 8] = [
    ("&gt;", 4, '>'),
    ("&lt;", 4, '<'),
    ("&amp;", 5, '&'),
    ("&nbsp;", 6, ' '),
    ("&quot;", 6, '"'),
    ("&#39;", 5, '\''),
    ("&#62;", 5, '>'),
    ("&#160;", 6, ' '),
];

impl Line<'_> {
    /// The characters behind the quote marks: any blank becomes a space,
    /// typographic dashes, quotation marks and figurines their ASCII
    /// counterparts, HTML entities their character; what has no width goes.
    #[must_use]
    pub fn glyphs(&self) -> Vec<Glyph> {
        let mut glyphs = Vec::with_capacity(self.text.len());
        let mut column = u32::try_from(self.column).unwrap_or(u32::MAX);
        let mut rest = self.text;
        while let Some(c) = rest.chars().next() {
            // What HTML does with a text is no part of it.
            if c == '<'
                && let Some(tag) = tag(rest)
            {
                glyphs.push(Glyph { char: ' ', column });
                let width = u32::try_from(tag.chars().count()).unwrap_or(u32::MAX);
                column = column.saturating_add(width);
                rest = &rest[tag.len()..];
                continue;
            }
            let entity = (c == '&')
                .then(|| ENTITIES.iter().find(|(name, ..)| rest.starts_with(name)))
                .flatten();
            let (bytes, width, meant) = match entity {
                Some((name, width, meant)) => (name.len(), *width, Some(*meant)),
                None => (c.len_utf8(), 1, plain(c)),
            };
            if c == '…' {
                glyphs.extend([Glyph { char: '.', column }; 3]);
            } else if let Some(char) = meant {
                glyphs.push(Glyph { char, column });
            }
            column = column.saturating_add(width);
            rest = &rest[bytes..];
        }
        glyphs
    }
}

/// The longest tag that is looked for, in bytes.
const LONGEST_TAG: usize = 200;

/// The tag of HTML that a text begins with.
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

/// The plain counterpart of a character; none for one that shows nothing.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{ad}' | '\u{2060}' | '\u{fe0e}' | '\u{fe0f}' => {
            return None;
        }
        c if c.is_ascii_graphic() => c,
        c if is_blank(c) => ' ',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '×' | '✕' | '⨯' => 'x',
        '‘' | '’' | '´' | '′' => '\'',
        '“' | '”' | '„' => '"',
        '＞' | '›' => '>',
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
