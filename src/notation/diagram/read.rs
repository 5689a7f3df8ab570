//! Finds diagrams in the lines of a text.

use std::ops::Range;

use crate::notation::diagram::Diagram;
use crate::notation::diagram::edges::{self, Edges};
use crate::notation::diagram::located::{DiagramError, LocatedDiagram};
use crate::notation::diagram::reserves::Reserves;
use crate::notation::diagram::rewrap;
use crate::notation::diagram::row::{BoardRow, LineKind, RowFault};
use crate::notation::diagram::shape::Shape;
use crate::notation::place::Place;
use crate::plural::counted;
use crate::quoting::glyphs::Glyph;
use crate::quoting::line::Line;
use crate::rules::{Piece, Variant};

/// The most diagrams that are read of one text. It bounds the memory that a huge text
/// of noise can take.
pub(in crate::notation) const MOST: usize = 10_000;

/// Finds the diagrams in the lines that are not taken. Returns each with its range of
/// lines, counted from 0, or an error with the place and the reason.
pub(in crate::notation) fn find(
    lines: &[Line<'_>],
    taken: &[bool],
    variant: &Variant,
) -> Vec<(Range<usize>, Result<LocatedDiagram, DiagramError>)> {
    let finder = DiagramFinder {
        lines,
        taken,
        shape: Shape::of(variant),
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() && found.len() < MOST {
        let floor = found
            .last()
            .map_or(0, |(lines, _): &(Range<usize>, _)| lines.end);
        match finder.at(at, floor) {
            Some((end, diagram)) => {
                found.push((at..end, diagram));
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

struct DiagramFinder<'t, 'a, 'v> {
    lines: &'t [Line<'a>],
    /// True for lines that are not read.
    taken: &'t [bool],
    shape: Shape<'v>,
}

/// The most borders or blank lines between two rows.
const BETWEEN: usize = 2;

/// Consecutive rows of a diagram, possibly not all of them.
#[derive(Default)]
struct RowBlock {
    rows: Vec<BoardRow>,
    fault: Option<RowFault>,
    /// The number of lines that look like rows, valid or not.
    count: usize,
    /// The texts to the right of the board, each with its line number.
    beside: Vec<(usize, Vec<Glyph>)>,
    end: usize,
}

impl DiagramFinder<'_, '_, '_> {
    /// Reads the diagram that begins at a line. Returns it with the line after it.
    /// Lines above `floor` do not belong to it.
    fn at(
        &self,
        start: usize,
        floor: usize,
    ) -> Option<(usize, Result<LocatedDiagram, DiagramError>)> {
        if !matches!(self.kind(start), LineKind::Row(_) | LineKind::Ragged(_)) {
            return None;
        }
        let block = self.block(start);
        if block.fault.is_none() && block.rows.len() == self.shape.width {
            return Some(self.drawn(floor..start, block));
        }
        if let Some((end, squares, beside)) =
            rewrap::squares(self.lines, self.taken, &self.shape, start)
        {
            let edges = Edges::none(&self.shape);
            return Some(self.finish(floor..start, end, squares, &beside, edges));
        }
        let mut reserves = Reserves::new(&self.shape);
        let is_headed = block
            .beside
            .iter()
            .any(|(line, text)| matches!(reserves.beside(*line, text), Ok(true)));
        let is_meant = block.rows.len() >= 3
            || (is_headed && block.count > 0)
            || (!block.rows.is_empty() && block.count >= 4)
            || block.count + 1 >= self.shape.width;
        is_meant.then(|| {
            // Reports one fault only once, however many rows follow.
            let is_row =
                |at: &usize| matches!(self.kind(*at), LineKind::Row(_) | LineKind::Ragged(_));
            let end = block.end + (block.end..self.lines.len()).take_while(is_row).count();
            (end, Err(self.broken(start, block)))
        })
    }

    fn broken(&self, start: usize, block: RowBlock) -> DiagramError {
        if let Some(fault) = block.fault {
            return DiagramError::new(fault.place, fault.message);
        }
        let place = block.rows.first().map_or(
            Place {
                line: start + 1,
                column: 1,
                width: 1,
            },
            |row| row.squares[0].1,
        );
        let (rows, width) = (block.rows.len(), self.shape.width);
        DiagramError::new(
            place,
            format!(
                "this diagram has {} instead of {width}",
                counted(rows, "row")
            ),
        )
    }

    fn kind(&self, at: usize) -> LineKind {
        match self.lines.get(at) {
            Some(line) if !self.taken[at] => self.shape.kind(line),
            _ => LineKind::Other,
        }
    }

    fn is_blank(&self, at: usize) -> bool {
        self.lines.get(at).is_some_and(Line::is_blank)
    }

    /// Collects the rows from a line on, up to as many as a board has.
    fn block(&self, start: usize) -> RowBlock {
        let mut block = RowBlock {
            end: start,
            ..RowBlock::default()
        };
        let mut at = start;
        let mut skipped = 0;
        while block.count < self.shape.width && skipped <= BETWEEN && at < self.lines.len() {
            let number = self.lines[at].number;
            match self.kind(at) {
                // A row without blanks among spaced rows is a reserve that a mailer has
                // put on a line of its own.
                LineKind::Row(row)
                    if block
                        .rows
                        .first()
                        .is_none_or(|r| r.is_spaced == row.is_spaced) =>
                {
                    block.beside.push((number, row.beside.clone()));
                    block.rows.push(row);
                    block.count += 1;
                }
                LineKind::Ragged(fault) => {
                    block.beside.push((number, fault.beside.clone()));
                    block.fault.get_or_insert(fault);
                    block.count += 1;
                }
                LineKind::Border | LineKind::Files(..) => {
                    skipped += 1;
                    at += 1;
                    continue;
                }
                _ if self.is_blank(at) => {
                    skipped += 1;
                    at += 1;
                    continue;
                }
                _ => {
                    let glyphs = self.lines[at].glyphs();
                    let mut trial = Reserves::new(&self.shape);
                    if !matches!(trial.beside(number, &glyphs), Ok(true)) {
                        break;
                    }
                    block.beside.push((number, glyphs));
                }
            }
            skipped = 0;
            at += 1;
            block.end = at;
        }
        block
    }

    /// Builds the diagram of a block that has all its rows.
    fn drawn(
        &self,
        above: Range<usize>,
        mut block: RowBlock,
    ) -> (usize, Result<LocatedDiagram, DiagramError>) {
        let is_spaced = block.rows.first().is_none_or(|row| row.is_spaced);
        let edges = self.ranks(&mut block);
        let squares: Vec<_> = block.rows.into_iter().flat_map(|row| row.squares).collect();
        // A few rows more are a slip; a full set of further rows is another board.
        let rows_below = (block.end..block.end + self.shape.width)
            .take_while(
                |&at| matches!(self.kind(at), LineKind::Row(row) if row.is_spaced && is_spaced),
            )
            .count();
        if rows_below > 0 && rows_below < self.shape.width {
            let (count, width) = (self.shape.width + rows_below, self.shape.width);
            let message = format!("this diagram has {count} rows instead of {width}");
            let error = DiagramError::new(squares[0].1, message);
            return (block.end + rows_below, Err(error));
        }
        self.finish(above, block.end, squares, &block.beside, edges)
    }

    /// Reads the labels of the ranks. Removes letters from the texts beside the board.
    fn ranks(&self, block: &mut RowBlock) -> Edges {
        let mut edges = Edges::none(&self.shape);
        let side = |side: usize| -> Vec<_> {
            let labels = block.rows.iter().map(|row| row.labels[side]);
            labels.collect()
        };
        edges.ranks(&side(0));
        let right = side(1);
        // A few numbers on the right may count anything.
        if right.iter().flatten().count() > self.shape.width / 2 {
            edges.ranks(&right);
        }
        let letters: Vec<char> = block
            .rows
            .iter()
            .filter_map(|row| match row.beside.as_slice() {
                [letter, rest @ ..] if rest.first().is_none_or(|next| next.char == ' ') => {
                    Some(letter.char)
                }
                _ => None,
            })
            .collect();
        if self.shape.has_marks && letters.len() == self.shape.width && edges.letters(&letters) {
            // No other line stands between these rows, so each has its label beside it.
            for (_, beside) in &mut block.beside {
                beside.remove(0);
            }
        }
        edges
    }

    /// Builds the diagram of all its squares, with the texts beside and below it.
    fn finish(
        &self,
        above: Range<usize>,
        end: usize,
        mut squares: Vec<(Option<Piece>, Place)>,
        beside: &[(usize, Vec<Glyph>)],
        mut edges: Edges,
    ) -> (usize, Result<LocatedDiagram, DiagramError>) {
        let place = squares[0].1;
        let start = above.end;
        self.look_above(above, &mut edges);
        let mut reserves = Reserves::new(&self.shape);
        for (line, text) in beside {
            if let Err(error) = reserves.beside(*line, text) {
                return (end, Err(error));
            }
        }
        let below = self
            .files_below(end, &mut edges, &mut reserves)
            .and_then(|end| self.below(end, &mut reserves));
        let end = match below {
            Ok(end) => end,
            Err(error) => return (end, Err(error)),
        };
        match edges.is_flipped() {
            Ok(true) => squares.reverse(),
            Ok(false) => {}
            Err(reason) => return (end, Err(DiagramError::new(place, reason))),
        }
        let diagram = reserves.finish(place).and_then(|reserves| {
            let mut board = self.shape.variant.empty_board();
            for (square, (piece, _)) in
                crate::notation::diagram::squares(board.width()).zip(&squares)
            {
                board.set(square, *piece);
            }
            let diagram = Diagram {
                variant: self.shape.variant.clone(),
                board,
                reserves,
            };
            match diagram.check_counts() {
                Ok(()) => Ok(diagram),
                Err(reason) => Err(DiagramError::new(
                    place,
                    format!("no game comes to this diagram: {reason}"),
                )),
            }
        });
        let drawn = diagram.map(|diagram| LocatedDiagram {
            diagram,
            author: self.lines[start].author,
            place,
            places: squares.into_iter().map(|(_, place)| place).collect(),
        });
        (end, drawn)
    }

    /// Reads the labels of the files above the board, and a heading that names the side
    /// from which it is seen.
    fn look_above(&self, above: Range<usize>, edges: &mut Edges) {
        let mut skipped = 0;
        for at in above.rev() {
            match self.kind(at) {
                LineKind::Files(files, _) => edges.files(files, &self.shape),
                LineKind::Border => {}
                _ if self.is_blank(at) => {}
                _ => {
                    if let Some(color) = edges::seen_by(&self.lines[at], self.shape.variant) {
                        edges.seen_by(color);
                    }
                    return;
                }
            }
            skipped += 1;
            if skipped > 2 * BETWEEN {
                return;
            }
        }
    }

    /// Reads the labels of the files directly below the board or its border, and the
    /// text beside them. Returns the next line.
    fn files_below(
        &self,
        end: usize,
        edges: &mut Edges,
        reserves: &mut Reserves<'_, '_>,
    ) -> Result<usize, DiagramError> {
        let at = end + usize::from(matches!(self.kind(end), LineKind::Border));
        let LineKind::Files(files, beside) = self.kind(at) else {
            return Ok(end);
        };
        edges.files(files, &self.shape);
        reserves.beside(self.lines[at].number, &beside)?;
        Ok(at + 1)
    }

    /// Reads on below the board as long as there are reserves.
    fn below(&self, end: usize, reserves: &mut Reserves<'_, '_>) -> Result<usize, DiagramError> {
        let mut end = end;
        let mut at = end;
        while let Some(line) = self.lines.get(at) {
            if self.taken[at] || at > end + BETWEEN {
                break;
            }
            if line.is_blank() || (at == end && matches!(self.kind(at), LineKind::Border)) {
                at += 1;
                continue;
            }
            // After a blank line, accepts only a heading or the pieces that it
            // announces.
            let glyphs = line.glyphs();
            let is_apart = at > end && !reserves.is_waiting();
            let is_heading = glyphs.iter().any(|glyph| glyph.char == ':');
            if is_apart && !is_heading || self.is_wide_row(at) {
                break;
            }
            if !reserves.below(line.number, &glyphs)? {
                break;
            }
            at += 1;
            end = at;
        }
        Ok(end)
    }

    /// Returns true if the line is a row of another board: reserves have no blanks
    /// between their pieces.
    fn is_wide_row(&self, at: usize) -> bool {
        matches!(self.kind(at), LineKind::Row(row) if row.is_spaced)
    }
}
