//! Reads one line of a text as a row of a diagram.

use crate::notation::diagram::edges::{Files, Label};
use crate::notation::diagram::script;
use crate::notation::diagram::shape::{Shape, place_of};
use crate::notation::place::Place;
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;
use crate::rules::Piece;

/// The role of a line in a diagram.
pub(super) enum LineKind {
    /// A row of the board.
    Row(BoardRow),
    /// Like a row, but faulty.
    Ragged(RowFault),
    /// The labels of the files, and the text to the right of them.
    Files(Files, Vec<Glyph>),
    Border,
    /// Not part of a board.
    Other,
}

/// A row of the board.
pub(super) struct BoardRow {
    /// The squares from the left, each with its place.
    pub(super) squares: Vec<(Option<Piece>, Place)>,
    /// The text to the right of the board.
    pub(super) beside: Vec<Glyph>,
    /// The labels of the rank, left and right of the board.
    pub(super) labels: [Option<Label>; 2],
    /// True if blanks or borders separate the squares.
    pub(super) is_spaced: bool,
}

/// The fault of a row.
pub(super) struct RowFault {
    pub(super) place: Place,
    pub(super) message: String,
    pub(super) beside: Vec<Glyph>,
}

/// The fewest squares separated by blanks that look like a row.
const FEWEST: usize = 3;

impl Shape<'_> {
    /// Returns the role of a line in a diagram of this game.
    pub(super) fn kind(&self, line: &Line<'_>) -> LineKind {
        if !can_begin(line.text) {
            return LineKind::Other;
        }
        let glyphs = line.glyphs();
        if let Some((files, beside)) = Files::read(&glyphs, self) {
            return LineKind::Files(files, inner(beside).to_vec());
        }
        let (label, board) = after_label(&glyphs);
        let pipes = board.iter().filter(|glyph| glyph.char == '|').count();
        let row = if pipes >= self.width - 1 {
            self.cells(line.number, board)
        } else if (1..=3).contains(&pipes) {
            self.columns(line.number, board)
        } else {
            None
        };
        let kind = row.map_or_else(|| self.words(line.number, board), LineKind::Row);
        match kind {
            LineKind::Row(mut row) => {
                row.labels[0] = label.or(row.labels[0]);
                LineKind::Row(row)
            }
            LineKind::Other if is_border(&glyphs) => LineKind::Border,
            kind => kind,
        }
    }

    /// Reads a row whose squares are separated by borders. A blank cell is an empty
    /// square.
    fn cells(&self, line: usize, glyphs: &[Glyph]) -> Option<BoardRow> {
        let mut cells: Vec<&[Glyph]> = glyphs.split(|glyph| glyph.char == '|').collect();
        let last = cells.pop()?;
        let is_closed = cells.len() >= self.width;
        if !is_closed {
            cells.push(last);
        }
        let first = cells.len().checked_sub(self.width)?;
        // Only a label and an outer border can stand before the first cell.
        let squares = cells[first..]
            .iter()
            .map(|cell| self.cell(line, cell))
            .collect::<Option<Vec<_>>>()?;
        let left = cells[..first].concat();
        let right = if is_closed { last } else { &[] };
        Some(BoardRow::new(squares, right, true).labelled(&left))
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

    /// Reads a row between two borders. Its columns separate the squares, so blanks may
    /// be empty squares.
    fn columns(&self, line: usize, glyphs: &[Glyph]) -> Option<BoardRow> {
        let mut borders = glyphs
            .iter()
            .enumerate()
            .filter(|(_, glyph)| glyph.char == '|')
            .rev();
        let (end, _) = borders.next()?;
        // The left border may have been cut off as a quote mark.
        let start = borders.next().map_or(0, |(i, _)| i + 1);
        let inner = &glyphs[start..end];
        let n = self.width;
        let fits = |first: usize, step: usize| {
            inner.iter().enumerate().all(|(i, glyph)| {
                let is_square = |i: usize| i >= first && (i - first).is_multiple_of(step);
                let is_mark = glyph.char == '+' || script::is_mark(glyph.char);
                glyph.char == ' ' || is_square(i) || (is_mark && is_square(i + 1))
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
            .map(|i| {
                let at = first + i * step;
                self.cell(line, &inner[(at + 1).saturating_sub(step)..=at])
            })
            .collect::<Option<Vec<_>>>()?;
        Some(BoardRow::new(squares, &glyphs[end + 1..], true).labelled(&glyphs[..start]))
    }

    /// Reads a row of squares with or without blanks between them.
    fn words(&self, line: usize, glyphs: &[Glyph]) -> LineKind {
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
                // A letter that is no piece, among single squares.
                None if length == 1 && word[0].char.is_alphanumeric() && bad.is_none() => {
                    bad = Some(word[0]);
                    squares.push((None, place(line, word)));
                }
                _ => break,
            }
            at = start + length;
        }
        // A mark before a piece separates squares as a blank does.
        let is_marked = |(_, place): &(Option<Piece>, Place)| place.width > 1;
        let is_spaced = longest <= 1 || widest > 0 || squares.iter().any(is_marked);
        let rest = &glyphs[at..];
        let extra = if is_spaced && squares.len() == self.width {
            self.singles(rest, widest)
        } else {
            0
        };
        let fault = |place, message: String| {
            LineKind::Ragged(RowFault {
                place,
                message,
                beside: after_label(inner(rest)).1.to_vec(),
            })
        };
        let Some(&(_, place)) = squares.first() else {
            return LineKind::Other;
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
                None => LineKind::Row(BoardRow::new(squares, rest, is_spaced)),
                Some(_) if longest == 0 => LineKind::Other,
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
            self.packed(line, glyphs).map_or(LineKind::Other, |count| {
                let message = format!("this row has {count} squares instead of {}", self.width);
                fault(place, message)
            })
        }
    }

    /// Returns the number of squares in a first word without blanks, if it is close to
    /// the width of the board.
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

    /// Counts the single squares that follow without a wider gap, which make a row too
    /// long.
    fn singles(&self, glyphs: &[Glyph], widest: usize) -> usize {
        let mut count = 0;
        let mut at = 0;
        while let Some(gap) = glyphs[at..].iter().position(|glyph| glyph.char != ' ') {
            let is_end = |i: usize| glyphs.get(i).is_none_or(|glyph| glyph.char == ' ');
            let next = at + gap;
            if gap == 0 || gap > widest.max(1) {
                break;
            }
            let Some(sign) = self.sign(&glyphs[next..]) else {
                break;
            };
            if !is_end(next + sign.length) {
                break;
            }
            count += 1;
            at = next + sign.length;
        }
        count
    }
}

impl BoardRow {
    /// Makes a row of these squares, with the text to the right of them.
    fn new(squares: Vec<(Option<Piece>, Place)>, right: &[Glyph], is_spaced: bool) -> BoardRow {
        let (label, beside) = after_label(inner(right));
        BoardRow {
            squares,
            beside: inner(beside).to_vec(),
            labels: [None, label],
            is_spaced,
        }
    }

    /// Adds the label found to the left of the border, if there is one.
    fn labelled(mut self, left: &[Glyph]) -> BoardRow {
        self.labels[0] = after_label(inner(left)).0;
        self
    }
}

/// Returns true if a line that begins with this character can be part of a board.
fn can_begin(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| {
        "KQRBNPGSLAHIkqrbnpgslahiv-._*+|:=&".contains(c) || c.is_ascii_digit() || !c.is_ascii()
    })
}

/// Returns the text after borders and blanks.
fn inner(glyphs: &[Glyph]) -> &[Glyph] {
    let is_edge = |glyph: &&Glyph| matches!(glyph.char, ' ' | '|');
    let start = glyphs.iter().take_while(is_edge).count();
    &glyphs[start..]
}

/// Splits the number of the rank off the start of some glyphs.
fn after_label(glyphs: &[Glyph]) -> (Option<Label>, &[Glyph]) {
    let start = glyphs.iter().take_while(|glyph| glyph.char == ' ').count();
    let is_end = |glyph: &Glyph| matches!(glyph.char, ' ' | '|');
    let label = glyphs.get(start).and_then(|glyph| Label::of(glyph.char));
    match label {
        Some(_) if glyphs.get(start + 1).is_none_or(is_end) => (label, &glyphs[start + 1..]),
        _ => (None, glyphs),
    }
}

/// Returns true if the line is a border, or numbers in a row.
fn is_border(glyphs: &[Glyph]) -> bool {
    let signs = || glyphs.iter().map(|glyph| glyph.char).filter(|&c| c != ' ');
    let is_drawn =
        signs().all(|c| matches!(c, '-' | '+' | '|' | '=' | '_' | '\u{2500}'..='\u{257f}'));
    let labels: String = signs().filter(|&c| c != '|').collect();
    let is_labelled = labels.len() >= 8
        && ["123456789", "987654321"]
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
