//! Finds diagrams in the lines of a text, with the reserves beside and below the board.

use std::ops::Range;

use crate::mail::quoting::line::{Glyph, Line};
use crate::notation::diagnostic::TextPlace;
use crate::notation::diagram::row::{
    BoardRow, DiagramSyntax, DrawnSquare, Edges, LineKind, Sign, inner, place_of, seen_by, words,
};
use crate::notation::diagram::{self, Diagram, DiagramError, LocatedDiagram, hand, reading_order};
use crate::printable::counted;
use crate::rules::{Color, Reserve, Variant};

/// The most diagrams that are read of one text. It bounds the memory that a huge text
/// of noise can take.
pub(in crate::notation) const MOST: usize = 10_000;

/// A diagram, or an error with the place and the reason.
type Reading = Result<LocatedDiagram, DiagramError>;

/// Finds the diagrams in the lines that are not taken. Returns each with its range of
/// lines, counted from 0. If `is_strict`, a diagram to which no game comes is an error.
pub(in crate::notation) fn find(
    lines: &[Line<'_>],
    taken: &[bool],
    variant: &Variant,
    is_strict: bool,
) -> Vec<(Range<usize>, Reading)> {
    let finder = DiagramFinder {
        lines,
        taken,
        syntax: DiagramSyntax::of(variant),
        is_strict,
    };
    let mut found = Vec::new();
    let (mut at, mut floor) = (0, 0);
    while at < lines.len() && found.len() < MOST {
        if let Some((end, diagram)) = finder.at(at, floor) {
            found.push((at..end, diagram));
            (at, floor) = (end, end);
        } else {
            at += 1;
        }
    }
    found
}

/// Returns true if a line is a row of a board of this game.
pub(in crate::notation) fn is_row(line: &Line<'_>, variant: &Variant) -> bool {
    matches!(DiagramSyntax::of(variant).kind(line), LineKind::Row(_))
}

struct DiagramFinder<'t, 'a, 'v> {
    lines: &'t [Line<'a>],
    /// True for lines that are not read.
    taken: &'t [bool],
    syntax: DiagramSyntax<'v>,
    is_strict: bool,
}

/// The number of lines below a diagram that are searched for the rest of a reserve.
const NEAR: usize = 6;

const NOT_READ: &str = "this may be a part of a reserve, and cannot be read: write the pieces alone on each line of it";

/// The most borders or blank lines between two rows.
const BETWEEN: usize = 2;

/// Consecutive rows of a diagram, possibly not all of them.
#[derive(Default)]
struct RowBlock {
    rows: Vec<BoardRow>,
    fault: Option<DiagramError>,
    /// The number of lines that look like rows, valid or not.
    count: usize,
    /// The texts to the right of the board, each with its line number.
    beside: Vec<(usize, Vec<Glyph>)>,
    end: usize,
}

impl DiagramFinder<'_, '_, '_> {
    /// Reads the diagram that begins at a line. Returns it with the line after it.
    /// Lines above `floor` do not belong to it.
    fn at(&self, start: usize, floor: usize) -> Option<(usize, Reading)> {
        if !self.is_row(start) {
            return None;
        }
        let block = self.block(start);
        if block.fault.is_none() && block.rows.len() == self.syntax.width {
            return Some(self.drawn(floor..start, block));
        }
        if let Some((mut end, squares, beside)) = self.rewrapped(start) {
            let edges = Edges::none(&self.syntax);
            let reading = self.located(floor..start, &mut end, squares, &beside, edges);
            return Some((end, reading));
        }
        let mut reserves = Reserves::new(&self.syntax);
        let is_headed = block
            .beside
            .iter()
            .any(|(line, text)| matches!(reserves.beside(*line, text), Ok(true)));
        let is_meant = block.rows.len() >= 3
            || (is_headed && block.count > 0)
            || (!block.rows.is_empty() && block.count >= 4)
            || block.count + 1 >= self.syntax.width;
        is_meant.then(|| {
            // Reports one fault only once, however many rows follow.
            let below = block.end..self.lines.len();
            let end = block.end + below.take_while(|&at| self.is_row(at)).count();
            (end, Err(self.broken(start, block)))
        })
    }

    /// Collects squares separated by blanks, from a line on, until there are enough for a
    /// board.
    ///
    /// Only two layouts are accepted: rows broken into pieces, where every row still begins
    /// a line; and rows joined into fewer lines than there are rows. Any other layout has a
    /// square too many here and one too few there, and its meaning would be a guess.
    fn rewrapped(&self, start: usize) -> Option<Rewrapped> {
        let width = self.syntax.width;
        let enough = width * width;
        let mut squares = Vec::new();
        let mut beside: Vec<(usize, Vec<Glyph>)> = Vec::new();
        let mut counts = Vec::new();
        let mut at = start;
        while squares.len() < enough {
            let line = self.lines.get(at)?;
            if self.taken[at] || at > start + 2 * width {
                return None;
            }
            let glyphs = line.glyphs();
            let before = squares.len();
            for word in words(&glyphs) {
                match self.syntax.squares(line.number, word) {
                    Some(single) if single.len() == 1 && squares.len() < enough => {
                        squares.extend(single);
                    }
                    // Headings and pieces are separated later.
                    Some(_) => beside.push((line.number, word.to_vec())),
                    None if is_heading(word, &self.syntax) => match beside.last_mut() {
                        Some((_, heading)) if ends_in_heading(heading, &self.syntax) => {
                            let char = ' ';
                            heading.push(Glyph { char, ..word[0] });
                            heading.extend(word);
                        }
                        _ => beside.push((line.number, word.to_vec())),
                    },
                    None => return None,
                }
            }
            if squares.len() > before {
                counts.push(squares.len() - before);
            }
            at += 1;
        }
        let mut total = 0;
        let are_pieces = counts.iter().all(|count| {
            let taken = total % width;
            total += count;
            taken + count <= width
        });
        (are_pieces || counts.len() < width).then_some((at, squares, beside))
    }

    fn broken(&self, start: usize, block: RowBlock) -> DiagramError {
        if let Some(fault) = block.fault {
            return fault;
        }
        let first = block.rows.first().map(|row| row.squares[0].1);
        let place = first.unwrap_or(TextPlace::new(start + 1, 1));
        let (rows, width) = (counted(block.rows.len(), "row"), self.syntax.width);
        DiagramError::new(place, format!("this diagram has {rows} instead of {width}"))
    }

    fn kind(&self, at: usize) -> LineKind {
        match self.lines.get(at) {
            Some(line) if !self.taken[at] => self.syntax.kind(line),
            _ => LineKind::Other,
        }
    }

    /// Returns true for a row, valid or not.
    fn is_row(&self, at: usize) -> bool {
        matches!(self.kind(at), LineKind::Row(_) | LineKind::Ragged(..))
    }

    /// Returns true for a row whose squares are separated. Reserves have no blanks between
    /// their pieces.
    fn is_spaced_row(&self, at: usize) -> bool {
        matches!(self.kind(at), LineKind::Row(row) if row.is_spaced)
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
        let (mut at, mut skipped) = (start, 0);
        while block.count < self.syntax.width && skipped <= BETWEEN && at < self.lines.len() {
            let number = self.lines[at].number;
            let is_like_first = |row: &BoardRow| {
                let first = block.rows.first();
                first.is_none_or(|first| first.is_spaced == row.is_spaced)
            };
            let kind = self.kind(at);
            at += 1;
            skipped += 1;
            match kind {
                LineKind::Border | LineKind::Files(..) => continue,
                // A row without blanks among spaced rows is a reserve that a mailer has
                // put on a line of its own.
                LineKind::Row(row) if is_like_first(&row) => {
                    block.beside.push((number, row.beside.clone()));
                    block.rows.push(row);
                    block.count += 1;
                }
                LineKind::Ragged(fault, beside) => {
                    block.beside.push((number, beside));
                    block.fault.get_or_insert(fault);
                    block.count += 1;
                }
                _ if self.is_blank(at - 1) => continue,
                _ => {
                    let glyphs = self.lines[at - 1].glyphs();
                    let mut trial = Reserves::new(&self.syntax);
                    if !matches!(trial.beside(number, &glyphs), Ok(true)) {
                        break;
                    }
                    block.beside.push((number, glyphs));
                }
            }
            skipped = 0;
            block.end = at;
        }
        block
    }

    /// Builds the diagram of a block that has all its rows.
    fn drawn(&self, above: Range<usize>, mut block: RowBlock) -> (usize, Reading) {
        let is_spaced = block.rows.first().is_none_or(|row| row.is_spaced);
        let edges = self.ranks(&mut block);
        let squares: Vec<_> = block.rows.into_iter().flat_map(|row| row.squares).collect();
        // A few rows more are a slip; a full set of further rows is another board.
        let below = block.end..block.end + self.syntax.width;
        let is_further = |at: &usize| is_spaced && self.is_spaced_row(*at);
        let rows_below = below.take_while(is_further).count();
        if rows_below > 0 && rows_below < self.syntax.width {
            let (count, width) = (self.syntax.width + rows_below, self.syntax.width);
            let message = format!("this diagram has {count} rows instead of {width}");
            let error = DiagramError::new(squares[0].1, message);
            return (block.end + rows_below, Err(error));
        }
        let reading = self.located(above, &mut block.end, squares, &block.beside, edges);
        (block.end, reading)
    }

    /// Reads the labels of the ranks. Removes letters from the texts beside the board.
    fn ranks(&self, block: &mut RowBlock) -> Edges {
        let mut edges = Edges::none(&self.syntax);
        let [left, right] = [0, 1]
            .map(|side| -> Vec<_> { block.rows.iter().map(|row| row.labels[side]).collect() });
        edges.ranks(&left);
        // A few numbers on the right may count anything.
        if right.iter().flatten().count() > self.syntax.width / 2 {
            edges.ranks(&right);
        }
        let mut letters = Vec::new();
        for row in &block.rows {
            if let [letter, rest @ ..] = row.beside.as_slice()
                && rest.first().is_none_or(|next| next.char == ' ')
            {
                letters.push(letter.char);
            }
        }
        if self.syntax.has_marks && letters.len() == self.syntax.width && edges.letters(&letters) {
            // No other line stands between these rows, so each has its label beside it.
            for (_, beside) in &mut block.beside {
                beside.remove(0);
            }
        }
        edges
    }

    /// Builds the diagram of all its squares, with the texts beside and below it. `end` is the
    /// line after it.
    fn located(
        &self,
        above: Range<usize>,
        end: &mut usize,
        mut squares: Vec<DrawnSquare>,
        beside: &[(usize, Vec<Glyph>)],
        mut edges: Edges,
    ) -> Reading {
        let place = squares[0].1;
        let author = self.lines[above.end].author;
        let mut reserves = Reserves::new(&self.syntax);
        self.edges_above(above, &mut edges, &mut reserves)?;
        let mut unread = None;
        for (line, text) in beside {
            if !reserves.beside(*line, text)? {
                let rest = inner(text).first();
                unread = unread.or(rest.map(|first| place_of(*line, *first)));
            }
        }
        // The labels of the files stand directly below the board or its border.
        let mut below = *end;
        let at = below + usize::from(matches!(self.kind(below), LineKind::Border));
        if let LineKind::Files(files, beside) = self.kind(at) {
            edges.files(files, &self.syntax);
            reserves.beside(self.lines[at].number, &beside)?;
            below = at + 1;
        }
        *end = self.below(below, &mut reserves)?;
        if !self.is_strict && reserves.are_short() {
            unread = unread.or_else(|| self.pieces_below(*end, &reserves));
            if let Some(place) = unread {
                return Err(DiagramError::new(place, NOT_READ));
            }
        }
        let error = |reason: &str| DiagramError::new(place, reason);
        if !self.is_strict && reserves.is_nameless && reserves.seen == [false; 2] {
            return Err(error(
                "a heading of the reserves beside this board names no player",
            ));
        }
        let tells_side = edges.tell_side();
        if edges.is_flipped().map_err(error)? {
            squares.reverse();
        }
        let mut diagram = Diagram {
            variant: self.syntax.variant.clone(),
            board: self.syntax.variant.empty_board(),
            reserves: reserves.finish(place)?,
        };
        for (square, (piece, _)) in reading_order(diagram.board.width()).zip(&squares) {
            diagram.board.set(square, *piece);
        }
        if let Some(excess) = diagram.excess().filter(|_| self.is_strict) {
            return Err(error(&format!("no game comes to this diagram: {excess}")));
        }
        Ok(LocatedDiagram {
            diagram,
            author,
            place,
            tells_side,
            places: squares.into_iter().map(|(_, place)| place).collect(),
        })
    }

    /// Returns the place of pieces that stand apart below a diagram.
    fn pieces_below(&self, end: usize, reserves: &Reserves<'_, '_>) -> Option<TextPlace> {
        let near = end..self.lines.len().min(end + NEAR);
        let mut apart = near.filter(|at| !self.taken[*at] && !self.is_spaced_row(*at));
        apart.find_map(|at| {
            let glyphs = self.lines[at].glyphs();
            let first = *inner(&glyphs).first()?;
            let mut signs = self.syntax.signs(&glyphs).filter_map(|(_, sign)| sign);
            let is_reserve = signs.any(|sign| sign.role.is_some())
                && matches!(reserves.says(&glyphs), ReserveText::Pieces);
            is_reserve.then(|| place_of(self.lines[at].number, first))
        })
    }

    /// Reads the labels of the files above the board, a heading that names the side from
    /// which it is seen, and the pieces in hand that a Japanese board has there.
    fn edges_above(
        &self,
        above: Range<usize>,
        edges: &mut Edges,
        reserves: &mut Reserves<'_, '_>,
    ) -> Result<(), DiagramError> {
        for at in above.rev().take(2 * BETWEEN + 1) {
            match self.kind(at) {
                LineKind::Files(files, _) => edges.files(files, &self.syntax),
                LineKind::Border => {}
                _ if self.is_blank(at) => {}
                _ if reserves.hand(self.lines[at].number, &self.lines[at].glyphs())? => {}
                _ => {
                    if let Some(color) = seen_by(&self.lines[at], self.syntax.variant) {
                        edges.seen_by(color);
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads on below the board as long as there are reserves.
    fn below(&self, end: usize, reserves: &mut Reserves<'_, '_>) -> Result<usize, DiagramError> {
        let (mut end, mut at) = (end, end);
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
            let goes_on = || !self.is_strict && reserves.goes_on(&glyphs);
            let is_apart = at > end && !reserves.is_waiting() && !goes_on();
            let is_heading =
                glyphs.iter().any(|glyph| glyph.char == ':') || hand::heading(&glyphs).is_some();
            // Where the hand of a player is told again, the next board begins.
            let owner = hand::heading(&glyphs).filter(|_| !self.is_strict);
            let is_told = owner.is_some_and(|(owner, _)| reserves.hands[owner.index()]);
            let is_other = is_apart && !is_heading || is_told || self.is_spaced_row(at);
            if is_other || !reserves.below(line.number, &glyphs)? {
                break;
            }
            at += 1;
            end = at;
        }
        Ok(end)
    }
}

/// The reserves read so far.
struct Reserves<'s, 'v> {
    syntax: &'s DiagramSyntax<'v>,
    held: [Reserve; 2],
    /// For each player, true if anything shows the reserve.
    seen: [bool; 2],
    /// For each player, true if the heading of a Japanese board tells it.
    hands: [bool; 2],
    /// For each player, the number of lines with pieces.
    lines: [usize; 2],
    /// The player of the last heading.
    owner: Option<Color>,
    /// True if a heading names no player, because a program has broken it.
    is_nameless: bool,
}

/// The meaning of a text for a reserve.
enum ReserveText {
    Heading,
    Pieces,
    Nothing,
}

impl<'s, 'v> Reserves<'s, 'v> {
    fn new(syntax: &'s DiagramSyntax<'v>) -> Reserves<'s, 'v> {
        Reserves {
            syntax,
            held: [Reserve::EMPTY; 2],
            seen: [false; 2],
            hands: [false; 2],
            lines: [0; 2],
            owner: None,
            is_nameless: false,
        }
    }

    /// Reads the text to the right of the board in one line. Returns true if it belongs
    /// to a reserve.
    fn beside(&mut self, line: usize, text: &[Glyph]) -> Result<bool, DiagramError> {
        if !self.syntax.variant.rules().has_reserve() {
            return Ok(false);
        }
        if self.hand(line, text)? {
            return Ok(true);
        }
        match self.says(text) {
            ReserveText::Heading => self.heading(line, text)?,
            ReserveText::Pieces => self.pieces(line, text)?,
            ReserveText::Nothing => match self.leading(text) {
                // A remark on the row may follow the pieces.
                Some(pieces) => self.pieces(line, pieces)?,
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Reads the pieces in hand as a Japanese board has them, `先手の持駒：飛二　歩`. Returns true if
    /// they stand there.
    fn hand(&mut self, line: usize, text: &[Glyph]) -> Result<bool, DiagramError> {
        let Some((owner, pieces)) = hand::heading(text) else {
            return Ok(false);
        };
        let variant = self.syntax.variant;
        if !variant.rules().has_reserve() {
            return Ok(false);
        }
        self.held[owner.index()] = hand::read(line, pieces, variant)?;
        self.seen[owner.index()] = true;
        self.hands[owner.index()] = true;
        Ok(true)
    }

    /// Returns the first word, if it stands for several pieces.
    fn leading<'t>(&self, text: &'t [Glyph]) -> Option<&'t [Glyph]> {
        let word = text.split(|glyph| glyph.char == ' ').next()?;
        let mut signs = self.syntax.signs(word).filter_map(|(_, sign)| sign);
        let is_reserve = word.len() > 4 && signs.any(|sign| sign.role.is_some());
        (is_reserve && self.is_pieces(word)).then_some(word)
    }

    /// Reads a line below the board. Returns true if it belongs to a reserve.
    fn below(&mut self, line: usize, text: &[Glyph]) -> Result<bool, DiagramError> {
        match self.says(text) {
            ReserveText::Nothing => self.hand(line, text),
            ReserveText::Pieces if !self.fits(text) => Ok(false),
            _ => self.beside(line, text),
        }
    }

    /// Returns true if pieces below the board are those that a heading announces, or show
    /// their owner themselves.
    fn fits(&self, pieces: &[Glyph]) -> bool {
        let side = self.syntax.signs(pieces).find_map(|(_, sign)| sign?.color);
        match (self.owner, side) {
            (Some(owner), Some(side)) => owner == side && self.lacks_lines(owner),
            (Some(owner), None) => self.lacks_lines(owner),
            (None, Some(side)) => self.lacks_lines(side) && is_one_word(pieces),
            (None, None) => false,
        }
    }

    /// Returns true if pieces below the board are the next line of a reserve whose heading a
    /// program has broken.
    fn goes_on(&self, pieces: &[Glyph]) -> bool {
        let side = self.syntax.signs(pieces).find_map(|(_, sign)| sign?.color);
        let is_begun = side.is_some_and(|side| self.seen[side.index()]);
        is_begun && matches!(self.says(pieces), ReserveText::Pieces) && self.fits(pieces)
    }

    /// Returns true if the last heading still lacks lines with pieces.
    fn is_waiting(&self) -> bool {
        self.owner.is_some_and(|owner| self.lacks_lines(owner))
    }

    /// Returns true if a heading names a reserve that has more lines than were read.
    fn are_short(&self) -> bool {
        let is_short = |color: &Color| {
            let at = color.index();
            self.seen[at] && !self.hands[at] && self.lacks_lines(*color)
        };
        Color::ALL.iter().any(is_short)
    }

    /// Returns true if a player's reserve has more lines than were read.
    fn lacks_lines(&self, color: Color) -> bool {
        let rows = self.syntax.variant.rules().slots.iter();
        self.lines[color.index()] < rows.filter(|row| !row.is_empty()).count()
    }

    /// Returns both reserves, or none if neither is shown.
    ///
    /// # Errors
    ///
    /// If only one is shown.
    fn finish(self, place: TextPlace) -> Result<Option<[Reserve; 2]>, DiagramError> {
        let [first, second] = self.syntax.variant.rules().players;
        let (shown, missing) = match self.seen {
            [true, true] => return Ok(Some(self.held)),
            [false, false] => return Ok(None),
            [true, false] => (first, second),
            [false, true] => (second, first),
        };
        let message = format!("the diagram shows {shown}'s reserve and not {missing}'s");
        Err(DiagramError::new(place, message))
    }

    fn says(&self, glyphs: &[Glyph]) -> ReserveText {
        let text = text_of(glyphs).trim().to_lowercase();
        if text.is_empty() || text.len() > 120 {
            return ReserveText::Nothing;
        }
        let is_named = self.named(&text).is_some();
        let mut signs = ["reserve", "in hand", "pocket", "holding", ":"].into_iter();
        let is_announced = signs.any(|sign| text.contains(sign)) || text.ends_with("pieces in");
        // The rest of a heading that a mailer has broken.
        let is_rest = text.split_whitespace().all(|word| HEADING.contains(&word));
        if is_named && is_announced || is_rest {
            ReserveText::Heading
        } else if self.is_pieces(glyphs) || is_none(&text) {
            ReserveText::Pieces
        } else {
            ReserveText::Nothing
        }
    }

    /// Returns the player whom a heading names.
    fn named(&self, text: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| {
            let name = self.syntax.variant.player(color).to_lowercase();
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word == name)
        })
    }

    fn is_pieces(&self, text: &[Glyph]) -> bool {
        let rules = self.syntax.variant.rules();
        self.syntax.signs(text).all(|(first, sign)| match sign {
            Some(Sign {
                role: Some(role), ..
            }) => rules.has_slot(role),
            // A `+` may be an empty square, but never an empty slot.
            Some(_) => diagram::is_empty(first.char),
            None => false,
        })
    }

    fn heading(&mut self, line: usize, text: &[Glyph]) -> Result<(), DiagramError> {
        if let Some(owner) = self.named(&text_of(text).to_lowercase()) {
            self.owner = Some(owner);
            self.seen[owner.index()] = true;
        } else {
            self.is_nameless = true;
        }
        let colon = text.iter().position(|glyph| glyph.char == ':');
        match colon.map(|colon| &text[colon + 1..]) {
            Some(rest) if rest.iter().any(|glyph| glyph.char != ' ') => self.pieces(line, rest),
            _ => Ok(()),
        }
    }

    fn pieces(&mut self, line: usize, text: &[Glyph]) -> Result<(), DiagramError> {
        if is_none(text_of(text).trim()) {
            if let Some(owner) = self.owner {
                self.lines[owner.index()] += 1;
            }
            return Ok(());
        }
        let mut side = self.owner;
        for (first, sign) in self.syntax.signs(text) {
            let error = |message| Err(DiagramError::new(place_of(line, first), message));
            let (role, color) = match sign {
                Some(Sign {
                    role: Some(role),
                    color,
                    ..
                }) if self.syntax.variant.rules().has_slot(role) => (role, color),
                Some(Sign { role: None, .. }) => continue,
                None if !first.char.is_alphanumeric() => continue,
                _ => {
                    let name = self.syntax.variant.game().name;
                    return error(format!("'{}' is never in reserve in {name}", first.char));
                }
            };
            // Without a mark, only a heading names the owner of a piece of shogi.
            let color = color.or(side).unwrap_or(Color::White);
            if let Some(side) = side.filter(|&side| side != color) {
                let letters = match side {
                    Color::White => "capital",
                    Color::Black => "small",
                };
                let player = self.syntax.variant.player(side);
                let message = format!("{player}'s pieces are written in {letters} letters");
                return error(message);
            }
            side = Some(color);
            let reserve = &mut self.held[color.index()];
            // More than any game has, and few enough for a reserve to count.
            if reserve.count(role) == 30 {
                return error("there are too many pieces in this reserve".to_owned());
            }
            reserve.add(role);
        }
        if let Some(side) = side {
            self.seen[side.index()] = true;
            self.lines[side.index()] += 1;
        }
        Ok(())
    }
}

/// Returns true for the words of an empty reserve.
fn is_none(text: &str) -> bool {
    let text = text.trim_matches(['(', ')', '.']).to_lowercase();
    matches!(text.as_str(), "none" | "nothing" | "empty")
}

/// Returns true if every word has at least two characters: a single one may be
/// anything.
fn is_one_word(text: &[Glyph]) -> bool {
    words(text).next().is_some() && words(text).all(|word| word.len() > 1)
}

/// The line after a diagram, its squares, and the other texts between them.
type Rewrapped = (usize, Vec<DrawnSquare>, Vec<(usize, Vec<Glyph>)>);

/// Words of the headings of reserves, which a mailer may break, and which may stand among
/// squares.
const HEADING: [&str; 5] = ["pieces", "in", "reserve:", "reserve", "hand:"];

fn ends_in_heading(text: &[Glyph], syntax: &DiagramSyntax<'_>) -> bool {
    let last = text.rsplit(|glyph| glyph.char == ' ').next();
    last.is_some_and(|last| is_heading(last, syntax))
}

fn is_heading(word: &[Glyph], syntax: &DiagramSyntax<'_>) -> bool {
    let text = text_of(word).to_lowercase();
    let mut players = syntax.variant.rules().players.into_iter();
    HEADING.contains(&text.as_str())
        || players.any(|name| text == format!("{}'s", name.to_lowercase()))
}

fn text_of(glyphs: &[Glyph]) -> String {
    glyphs.iter().map(|glyph| glyph.char).collect()
}
