//! One line of a text, looked at as a row of a diagram.

use super::super::Place;
use super::super::lines::{Glyph, Line};
use crate::rules::{Color, Piece, Role, Variant};

/// What a line is to a diagram.
pub(super) enum Sort {
    /// A row of the board.
    Row(Row),
    /// Like a row, and none.
    Ragged(Fault),
    /// A border, or the letters of the files.
    Border,
    /// Nothing of a board.
    Other,
}

/// A row of the board.
pub(super) struct Row {
    /// The squares from the left, and where they are drawn.
    pub(super) squares: Vec<(Option<Piece>, Place)>,
    /// What stands right of the board.
    pub(super) beside: Vec<Glyph>,
    /// Whether blanks or borders part the squares.
    pub(super) is_spaced: bool,
}

/// What is wrong with a row.
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) message: String,
    pub(super) beside: Vec<Glyph>,
}

/// What rows of a game look like.
pub(super) struct Shape<'v> {
    pub(super) variant: &'v Variant,
    pub(super) width: usize,
    /// Whether a `+` marks a promoted piece; else it may be an empty square.
    has_marks: bool,
}

/// The fewest squares parted by blanks that look like a row.
const FEWEST: usize = 3;

impl<'v> Shape<'v> {
    pub(super) fn of(variant: &'v Variant) -> Shape<'v> {
        let rules = variant.rules();
        Shape {
            variant,
            width: usize::from(rules.width),
            has_marks: rules.kinds.iter().any(|kind| kind.role.is_promoted()),
        }
    }

    /// The piece of a letter, if the game has it.
    pub(super) fn piece(&self, letter: char, is_promoted: bool) -> Option<Piece> {
        let base = Role::from_letter(letter)?;
        let role = if is_promoted { base.promoted()? } else { base };
        self.variant.rules().kind(role)?;
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Some(Piece { color, role })
    }

    pub(super) fn is_empty(&self, c: char) -> bool {
        matches!(c, '-' | '.' | '_' | '*' | '·') || (c == '+' && !self.has_marks)
    }

    /// What a line is to a diagram of this game.
    pub(super) fn sort(&self, line: &Line<'_>) -> Sort {
        if !can_begin(line.text) {
            return Sort::Other;
        }
        let glyphs = line.glyphs();
        let start = after_label(&glyphs);
        let board = &glyphs[start..];
        let pipes = board.iter().filter(|glyph| glyph.char == '|').count();
        if pipes >= self.width - 1 {
            if let Some(row) = self.cells(line.number, board) {
                return Sort::Row(row);
            }
        } else if (1..=3).contains(&pipes)
            && let Some(row) = self.columns(line.number, board)
        {
            return Sort::Row(row);
        }
        match self.words(line.number, board) {
            Sort::Other if is_border(&glyphs) => Sort::Border,
            sort => sort,
        }
    }

    /// A row whose squares are parted by borders; what is blank is empty.
    fn cells(&self, line: usize, glyphs: &[Glyph]) -> Option<Row> {
        let mut cells: Vec<&[Glyph]> = glyphs.split(|glyph| glyph.char == '|').collect();
        let last = cells.pop()?;
        let is_closed = cells.len() >= self.width;
        if !is_closed {
            cells.push(last);
        }
        let first = cells.len().checked_sub(self.width)?;
        // Only a label and an outer border stand before the first cell.
        let squares = cells[first..]
            .iter()
            .map(|cell| self.cell(line, cell))
            .collect::<Option<Vec<_>>>()?;
        Some(Row {
            squares,
            beside: if is_closed {
                without_label(last)
            } else {
                Vec::new()
            },
            is_spaced: true,
        })
    }

    fn cell(&self, line: usize, cell: &[Glyph]) -> Option<(Option<Piece>, Place)> {
        let inner: Vec<Glyph> = cell
            .iter()
            .copied()
            .filter(|glyph| glyph.char != ' ')
            .collect();
        match inner.as_slice() {
            [] => Some((None, place(line, cell))),
            glyphs => match self.squares(line, glyphs)?.as_slice() {
                [square] => Some(*square),
                _ => None,
            },
        }
    }

    /// A row between two borders, whose columns tell the squares apart, so
    /// that blanks may be empty squares.
    fn columns(&self, line: usize, glyphs: &[Glyph]) -> Option<Row> {
        let mut borders = glyphs
            .iter()
            .enumerate()
            .filter(|(_, glyph)| glyph.char == '|')
            .rev();
        let (end, _) = borders.next()?;
        // The left border may have been taken for a quote mark.
        let start = borders.next().map_or(0, |(i, _)| i + 1);
        let inner = &glyphs[start..end];
        let n = self.width;
        let fits = |first: usize, step: usize| {
            inner.iter().enumerate().all(|(i, glyph)| {
                glyph.char == ' ' || (i >= first && (i - first).is_multiple_of(step))
            })
        };
        let (first, step) = match inner.len() {
            length if length == n => (0, 1),
            length if length == 2 * n - 1 && fits(0, 2) => (0, 2),
            length if length == 2 * n + 1 && fits(1, 2) => (1, 2),
            length if length == 2 * n && fits(1, 2) => (1, 2),
            length if length == 2 * n && fits(0, 2) => (0, 2),
            _ => return None,
        };
        let squares = (0..n)
            .map(|i| self.cell(line, &inner[first + i * step..=first + i * step]))
            .collect::<Option<Vec<_>>>()?;
        Some(Row {
            squares,
            beside: without_label(&glyphs[end + 1..]),
            is_spaced: true,
        })
    }

    /// A row of squares with or without blanks between them.
    fn words(&self, line: usize, glyphs: &[Glyph]) -> Sort {
        let is_gap = |glyph: &Glyph| matches!(glyph.char, ' ' | '|');
        let mut squares = Vec::new();
        let mut longest = 0;
        let mut widest = 0;
        let mut bad = None;
        let mut at = 0;
        while squares.len() < self.width {
            let gap = glyphs[at..]
                .iter()
                .take_while(|glyph| is_gap(glyph))
                .count();
            let start = at + gap;
            let length = glyphs[start..]
                .iter()
                .take_while(|glyph| !is_gap(glyph))
                .count();
            let word = &glyphs[start..start + length];
            if word.is_empty() {
                break;
            }
            match self.squares(line, word) {
                Some(more) if squares.len() + more.len() <= self.width => {
                    if !squares.is_empty() {
                        widest = widest.max(gap);
                    }
                    longest = longest.max(more.len());
                    squares.extend(more);
                }
                // A letter that is no piece, where single squares stand.
                None if length == 1 && word[0].char.is_alphanumeric() && bad.is_none() => {
                    bad = Some(word[0]);
                    squares.push((None, place(line, word)));
                }
                _ => break,
            }
            at = start + length;
        }
        let is_spaced = longest <= 1 || widest > 0;
        let rest = &glyphs[at..];
        let extra = if is_spaced && squares.len() == self.width {
            self.singles(rest, widest)
        } else {
            0
        };
        let fault = |place, message: String| {
            Sort::Ragged(Fault {
                place,
                message,
                beside: without_label(rest),
            })
        };
        let Some(&(_, place)) = squares.first() else {
            return Sort::Other;
        };
        let count = squares.len() + extra;
        let rank = Place {
            width: squares
                .last()
                .map_or(1, |(_, last)| last.column + 1 - place.column),
            ..place
        };
        if count == self.width {
            match bad {
                None => Sort::Row(Row {
                    squares,
                    beside: without_label(rest),
                    is_spaced,
                }),
                Some(_) if longest == 0 => Sort::Other,
                Some(glyph) => {
                    let name = self.variant.game().name;
                    let message = format!("'{}' is no piece of {name}", glyph.char);
                    fault(place_of(line, glyph), message)
                }
            }
        } else if is_spaced && bad.is_none() && count >= FEWEST {
            let message = format!("this row has {count} squares instead of {}", self.width);
            fault(rank, message)
        } else {
            self.packed(line, glyphs).map_or(Sort::Other, |count| {
                let message = format!("this row has {count} squares instead of {}", self.width);
                fault(place, message)
            })
        }
    }

    /// How many squares a first word without blanks has, if there are nearly
    /// as many as there should be.
    fn packed(&self, line: usize, glyphs: &[Glyph]) -> Option<usize> {
        let start = glyphs.iter().position(|glyph| glyph.char != ' ')?;
        let length = glyphs[start..]
            .iter()
            .take_while(|glyph| glyph.char != ' ')
            .count();
        if length > 2 * self.width + 4 {
            return None;
        }
        let count = self.squares(line, &glyphs[start..start + length])?.len();
        (count + 2 >= self.width && count <= self.width + 2).then_some(count)
    }

    /// How many single squares follow without a wider gap: a row too long.
    fn singles(&self, glyphs: &[Glyph], widest: usize) -> usize {
        let mut count = 0;
        let mut at = 0;
        while let Some(gap) = glyphs[at..].iter().position(|glyph| glyph.char != ' ') {
            let is_end = |i: usize| glyphs.get(i).is_none_or(|glyph| glyph.char == ' ');
            let next = at + gap;
            if gap == 0 || gap > widest.max(1) {
                break;
            }
            let length = usize::from(self.has_marks && glyphs[next].char == '+') + 1;
            let word = &glyphs[next..(next + length).min(glyphs.len())];
            if !is_end(next + length) || self.squares(0, word).is_none() {
                break;
            }
            count += 1;
            at = next + length;
        }
        count
    }

    /// The squares of a word, if it is made of squares.
    pub(super) fn squares(
        &self,
        line: usize,
        word: &[Glyph],
    ) -> Option<Vec<(Option<Piece>, Place)>> {
        let mut squares = Vec::new();
        let mut rest = word;
        while let Some((first, behind)) = rest.split_first() {
            let is_promoted = first.char == '+' && self.has_marks;
            let (letter, behind) = if is_promoted {
                behind.split_first()?
            } else {
                (first, behind)
            };
            let place = Place {
                width: 1 + usize::from(is_promoted),
                ..place_of(line, *first)
            };
            if !is_promoted && self.is_empty(letter.char) {
                squares.push((None, place));
            } else {
                squares.push((Some(self.piece(letter.char, is_promoted)?), place));
            }
            // No row is as long: it is no business of ours.
            if squares.len() > 2 * self.width {
                return None;
            }
            rest = behind;
        }
        Some(squares)
    }
}

/// Whether the first character lets a line be part of a board.
fn can_begin(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| {
        "KQRBNPGSLkqrbnpgsl-._*+|:=a19&·".contains(c) || c.is_ascii_digit() || !c.is_ascii()
    })
}

/// Where the board begins behind a rank number at the margin.
fn after_label(glyphs: &[Glyph]) -> usize {
    let start = glyphs.iter().take_while(|glyph| glyph.char == ' ').count();
    let is = |i: usize, test: fn(char) -> bool| glyphs.get(i).is_some_and(|glyph| test(glyph.char));
    let is_label =
        is(start, |c| matches!(c, '1'..='9')) && is(start + 1, |c| matches!(c, ' ' | '|'));
    if is_label { start + 1 } else { 0 }
}

/// What stands right of the board without its border and rank number.
fn without_label(glyphs: &[Glyph]) -> Vec<Glyph> {
    let is_edge = |glyph: &&Glyph| matches!(glyph.char, ' ' | '|');
    let start = glyphs.iter().take_while(is_edge).count();
    let rest = &glyphs[start..];
    let is_label = rest
        .first()
        .is_some_and(|glyph| matches!(glyph.char, '1'..='9'))
        && rest
            .get(1)
            .is_none_or(|glyph| matches!(glyph.char, ' ' | '|'));
    let rest = if is_label { &rest[1..] } else { rest };
    let start = rest.iter().take_while(is_edge).count();
    rest[start..].to_vec()
}

/// A border, or the files' letters or numbers in a row.
fn is_border(glyphs: &[Glyph]) -> bool {
    let signs = || glyphs.iter().map(|glyph| glyph.char).filter(|&c| c != ' ');
    let is_drawn =
        signs().all(|c| matches!(c, '-' | '+' | '|' | '=' | '_' | '\u{2500}'..='\u{257f}'));
    let labels: String = signs()
        .filter(|&c| c != '|')
        .collect::<String>()
        .to_lowercase();
    let is_labelled = labels.len() >= 8
        && ["abcdefghi", "123456789", "987654321", "hgfedcba"]
            .iter()
            .any(|all| all.contains(&labels));
    (is_drawn && signs().count() > 2) || is_labelled
}

fn place(line: usize, glyphs: &[Glyph]) -> Place {
    glyphs.first().map_or(
        Place {
            line,
            column: 1,
            width: 1,
        },
        |first| place_of(line, *first),
    )
}

fn place_of(line: usize, glyph: Glyph) -> Place {
    Place {
        line,
        column: glyph.column as usize,
        width: 1,
    }
}
