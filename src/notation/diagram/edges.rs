//! The edges of a board, and the side from which they show it.
//!
//! A board without labels is seen from the first player's side. Shogi has several ways
//! to number squares, some from Gote's right, some from the top, so a single label can
//! have two meanings. If all labels together leave the side open, nothing is guessed.

use crate::notation::diagram::shape::Shape;
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;
use crate::rules::{Color, Variant};

/// The possible meanings of the edges: a set of bits, shifted by [`FLIPPED`] for a
/// board seen from the second player's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edges(u16);

/// Files a to i from the first player's left, ranks 1 to 9 from that side.
const OWN: u16 = 1;
/// Shogi: files 1 to 9 from Sente's right, ranks a to i from the top.
const HODGES: u16 = 2;
/// Shogi: files 1 to 9 from Sente's right, ranks 1 to 9, in digits or characters, from
/// the top.
const JAPANESE: u16 = 4;
/// Files counted from the left, ranks 1 to 9 from the first player's side.
const COUNTED: u16 = 8;
/// Lines counted from the top, as in a listing.
const LISTED: u16 = 16;
/// The shift in bits for a flipped board.
const FLIPPED: u32 = 8;

/// All meanings for a board seen from the first player's side.
const UPRIGHT: u16 = OWN | HODGES | JAPANESE | COUNTED | LISTED;

/// The reason why the edges do not tell the side from which a board is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum EdgesError {
    #[error("what stands at the edges of this board contradicts itself")]
    Contradiction,
    #[error(
        "the edges do not tell from which side this board is seen: write the letters of the files below it"
    )]
    Ambiguous,
}

/// A number at the edge of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    value: usize,
    /// True for a Chinese numeral.
    is_kanji: bool,
}

/// A line with the labels of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Files {
    /// Letters, from `a` on the left or on the right.
    Letters { is_reversed: bool },
    /// Numbers, from 1 on the left or on the right.
    Numbers { is_reversed: bool },
}

impl Label {
    /// Returns the label that a character stands for.
    pub(super) fn of(c: char) -> Option<Label> {
        const NUMERALS: &str = "一二三四五六七八九";
        let numeral = NUMERALS.chars().position(|numeral| numeral == c);
        let value = numeral.map(|at| at + 1).or_else(|| digit(c))?;
        Some(Label {
            value,
            is_kanji: numeral.is_some(),
        })
    }
}

/// Returns the value of a digit from 1 to 9. One of full width has become narrow
/// with the other glyphs.
fn digit(c: char) -> Option<usize> {
    let value = c.to_digit(10).filter(|&value| value > 0)?;
    Some(value as usize)
}

impl Files {
    /// Reads the labels of the files at the start of a line. Returns them with the text
    /// to the right of them.
    pub(super) fn read<'g>(glyphs: &'g [Glyph], shape: &Shape<'_>) -> Option<(Files, &'g [Glyph])> {
        let is_gap = |c: char| matches!(c, ' ' | '|');
        let mut labels = Vec::with_capacity(shape.width);
        let mut is_packed = false;
        let mut end = 0;
        for (at, glyph) in glyphs.iter().enumerate() {
            if is_gap(glyph.char) {
                continue;
            }
            if labels.len() == shape.width {
                break;
            }
            is_packed |= !labels.is_empty() && end == at;
            labels.push(glyph.char.to_ascii_lowercase());
            end = at + 1;
        }
        let rest = &glyphs[end..];
        if labels.len() < shape.width || rest.first().is_some_and(|glyph| !is_gap(glyph.char)) {
            return None;
        }
        let is_counted = |value: fn(char) -> Option<usize>, is_reversed: bool| {
            labels.iter().enumerate().all(|(at, &label)| {
                let at = if is_reversed {
                    shape.width - at
                } else {
                    at + 1
                };
                value(label) == Some(at)
            })
        };
        [false, true].into_iter().find_map(|is_reversed| {
            if is_counted(letter, is_reversed) {
                Some((Files::Letters { is_reversed }, rest))
            } else if !is_packed && is_counted(digit, is_reversed) {
                Some((Files::Numbers { is_reversed }, rest))
            } else {
                None
            }
        })
    }

    fn ways(self) -> u16 {
        match self {
            Files::Letters { is_reversed: false } => OWN,
            Files::Letters { is_reversed: true } => OWN << FLIPPED,
            Files::Numbers { is_reversed: false } => COUNTED | (HODGES | JAPANESE) << FLIPPED,
            Files::Numbers { is_reversed: true } => HODGES | JAPANESE,
        }
    }
}

/// Returns the number of a letter, 1 for `a`.
fn letter(c: char) -> Option<usize> {
    let from = u32::from(c).checked_sub(u32::from('a'))?;
    (from < 26).then_some(from as usize + 1)
}

impl Edges {
    /// Returns the meanings that are possible without any labels.
    pub(super) fn none(shape: &Shape<'_>) -> Edges {
        // Other ways to label squares occur only in shogi.
        let ways = if shape.has_marks {
            UPRIGHT
        } else {
            OWN | LISTED
        };
        Edges(ways | ways << FLIPPED)
    }

    fn keep(&mut self, ways: u16) {
        self.0 &= ways;
    }

    /// Takes a line with the labels of the files.
    pub(super) fn files(&mut self, files: Files, shape: &Shape<'_>) {
        // Numbers above the files of a chess board carry no meaning.
        if shape.has_marks || matches!(files, Files::Letters { .. }) {
            self.keep(files.ways());
        }
    }

    /// Takes the labels of the ranks on one side, from the top.
    pub(super) fn ranks(&mut self, labels: &[Option<Label>]) {
        let width = labels.len();
        for (at, label) in labels.iter().enumerate() {
            let Some(Label { value, is_kanji }) = *label else {
                continue;
            };
            let mut ways = 0;
            if value == at + 1 {
                ways |= JAPANESE;
                if !is_kanji {
                    ways |= LISTED | OWN << FLIPPED;
                }
            }
            if value == width - at {
                ways |= JAPANESE << FLIPPED;
                if !is_kanji {
                    ways |= OWN | COUNTED;
                }
            }
            self.keep(ways);
        }
    }

    /// Takes the letters of the ranks in shogi, from the top. Returns false if the
    /// letters are no such labels.
    pub(super) fn letters(&mut self, letters: &[char]) -> bool {
        let is = |value: &dyn Fn(usize) -> usize| {
            letters
                .iter()
                .enumerate()
                .all(|(at, &c)| letter(c) == Some(value(at)))
        };
        if is(&|at| at + 1) {
            self.keep(HODGES);
        } else if is(&|at| letters.len() - at) {
            self.keep(HODGES << FLIPPED);
        } else {
            return false;
        }
        true
    }

    /// Takes a heading that names the side from which the board is seen.
    pub(super) fn seen_by(&mut self, color: Color) {
        self.keep(match color {
            Color::White => UPRIGHT,
            Color::Black => UPRIGHT << FLIPPED,
        });
    }

    /// Returns true if the board is seen from the second player's side.
    ///
    /// # Errors
    ///
    /// If the edges contradict each other or leave the side open.
    pub(super) fn is_flipped(self) -> Result<bool, EdgesError> {
        let (upright, flipped) = (self.0 & UPRIGHT, self.0 >> FLIPPED);
        match (upright, flipped) {
            (0, 0) => Err(EdgesError::Contradiction),
            (_, 0) => Ok(false),
            (0, _) => Ok(true),
            _ if upright & OWN > 0 => Ok(false),
            _ => Err(EdgesError::Ambiguous),
        }
    }
}

/// The words of a heading that names the side from which a board is seen.
const SEEN: [&str; 18] = [
    "the",
    "board",
    "position",
    "diagram",
    "as",
    "seen",
    "shown",
    "viewed",
    "from",
    "by",
    "side",
    "point",
    "of",
    "view",
    "perspective",
    "s",
    "now",
    "here",
];

/// Returns the side named by a heading such as `Seen from Black's side:`, if the line
/// says nothing else.
pub(super) fn seen_by(line: &Line<'_>, variant: &Variant) -> Option<Color> {
    let text = line.text.to_lowercase();
    let words = || {
        text.split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
    };
    let player = |word: &str| {
        let is = |color: &Color| variant.player(*color).eq_ignore_ascii_case(word);
        Color::ALL.into_iter().find(is)
    };
    let mut players = words().filter_map(player);
    let (seen, None) = (players.next()?, players.next()) else {
        return None;
    };
    let is_heading = words().all(|word| player(word).is_some() || SEEN.contains(&word));
    let tells = words().any(|word| {
        matches!(
            word,
            "side" | "view" | "perspective" | "seen" | "viewed" | "shown"
        )
    });
    (is_heading && tells).then_some(seen)
}
