//! What stands at the edges of a board, and which way it is turned by that.
//!
//! A board without anything at its edges is seen from the first player's side.
//! Shogi has several ways to number squares, some from Gote's right, some from
//! the top, so that a label alone can say two things; where all of them
//! together do not say one, nothing is guessed.

use std::fmt;

use crate::notation::diagram::shape::Shape;
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;
use crate::rules::{Color, Variant};

/// The ways in which the edges can be meant that are still possible: a set of
/// bits, shifted by [`FLIPPED`] for a board seen from the second player's
/// side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edges(u16);

/// Files a to i from the first player's left, ranks 1 to 9 from that side.
const OWN: u16 = 1;
/// Shogi: files 1 to 9 from Sente's right, ranks a to i from the top.
const HODGES: u16 = 2;
/// Shogi: files 1 to 9 from Sente's right, ranks 1 to 9 or in characters from
/// the top.
const JAPANESE: u16 = 4;
/// Files simply counted from the left, ranks 1 to 9 from the first player's
/// side.
const COUNTED: u16 = 8;
/// Lines simply counted from the top, as a listing does.
const LISTED: u16 = 16;
/// By how many bits the same ways are shifted for a flipped board.
const FLIPPED: u32 = 8;

/// The ways a board may be seen from the first player's side.
const UPRIGHT: u16 = OWN | HODGES | JAPANESE | COUNTED | LISTED;

/// Why the edges of a board do not tell which way it is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EdgesError {
    Contradiction,
    Ambiguous,
}

impl fmt::Display for EdgesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EdgesError::Contradiction => {
                "what stands at the edges of this board contradicts itself"
            }
            EdgesError::Ambiguous => {
                "the edges do not tell from which side this board is seen: \
                 write the letters of the files below it"
            }
        })
    }
}

/// A number at the edge of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    value: usize,
    /// Whether it is a Chinese numeral.
    is_kanji: bool,
}

/// A line of labels of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Files {
    /// Letters, from `a` on the left or on the right.
    Letters { is_reversed: bool },
    /// Numbers, from 1 on the left or on the right.
    Numbers { is_reversed: bool },
}

impl Label {
    /// The label that a character is.
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

/// The number of a digit from 1 to 9. One of full width has become narrow with
/// the other glyphs.
fn digit(c: char) -> Option<usize> {
    let value = c.to_digit(10).filter(|&value| value > 0)?;
    Some(value as usize)
}

impl Files {
    /// The labels of the files at the start of a line, and what stands right
    /// of them.
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

/// The number of a letter, 1 for `a`.
fn letter(c: char) -> Option<usize> {
    let from = u32::from(c).checked_sub(u32::from('a'))?;
    (from < 26).then_some(from as usize + 1)
}

impl Edges {
    /// Nothing at all stands at the edges.
    pub(super) fn none(shape: &Shape<'_>) -> Edges {
        // Only shogi has other ways than one.
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

    /// Takes a line of labels of the files.
    pub(super) fn files(&mut self, files: Files, shape: &Shape<'_>) {
        // Numbers over the files of a chess board say nothing to anybody.
        if shape.has_marks || matches!(files, Files::Letters { .. }) {
            self.keep(files.ways());
        }
    }

    /// Takes the labels of one side, from the top.
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

    /// Takes the letters of the ranks in shogi, from the top: whether they
    /// are those.
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

    /// Takes a heading that says from whose side the board is seen.
    pub(super) fn seen_by(&mut self, color: Color) {
        self.keep(match color {
            Color::White => UPRIGHT,
            Color::Black => UPRIGHT << FLIPPED,
        });
    }

    /// Whether the board is seen from the second player's side.
    ///
    /// # Errors
    ///
    /// If the edges do not say one thing.
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

/// Words of a heading that says from whose side a board is seen.
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

/// From whose side a line says that the board below it is seen, if it says
/// nothing else: `Seen from Black's side:`.
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
