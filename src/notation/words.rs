//! The words of a line, separated by blanks.

use crate::notation::place::Place;
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;

/// A word as its writer meant it (see [`Line::glyphs`]), and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// The characters of the word, none of them a blank.
    pub(super) text: String,
    line: usize,
    /// The column of each character.
    columns: Vec<u32>,
}

/// Returns the words in some glyphs of a line, from left to right.
pub(super) fn words(line: &Line<'_>, glyphs: &[Glyph]) -> Vec<Word> {
    glyphs
        .split(|glyph| glyph.char == ' ')
        .filter(|glyphs| !glyphs.is_empty())
        .map(|glyphs| Word {
            text: glyphs.iter().map(|glyph| glyph.char).collect(),
            line: line.number,
            columns: glyphs.iter().map(|glyph| glyph.column).collect(),
        })
        .collect()
}

impl Word {
    /// Returns the place of the word.
    pub(super) fn place(&self) -> Place {
        let column = self.columns.first().map_or(1, |&column| column as usize);
        Place {
            line: self.line,
            column,
            width: (self.end() - column).max(1),
        }
    }

    /// Returns the column after the word.
    pub(super) fn end(&self) -> usize {
        self.columns.last().map_or(1, |&column| column as usize + 1)
    }

    /// Returns the bytes of the word from `start` to `end`. Both must be character
    /// boundaries.
    pub(super) fn part(&self, start: usize, end: usize) -> Word {
        let before = self.text[..start].chars().count();
        let count = self.text[start..end].chars().count();
        Word {
            text: self.text[start..end].to_owned(),
            line: self.line,
            columns: self.columns[before..before + count].to_vec(),
        }
    }

    /// Appends another word to this one.
    pub(super) fn join(&mut self, other: &Word) {
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
