//! Reads one line of a text as part of a diagram: a row of the board, a border, or the
//! labels of its files.
//!
//! A board without labels is seen from the first player's side. Shogi has several ways to
//! number squares, some from Gote's right, some from the top, so a single label can have
//! two meanings. If all labels together leave the side open, nothing is guessed.

use crate::mail::quoting::line::{Glyph, Line};
use crate::notation::diagnostic::TextPlace;
use crate::notation::diagram::{self, DiagramError};
use crate::rules::{Color, Piece, Role, Variant};

/// The syntax of the diagrams of a game.
pub(super) struct DiagramSyntax<'v> {
    pub(super) variant: &'v Variant,
    pub(super) width: usize,
    /// True if a `+` marks a promoted piece. Otherwise it may be an empty square.
    pub(super) has_marks: bool,
}

/// The piece on a square, none if it is empty, and the place where it is drawn.
pub(super) type DrawnSquare = (Option<Piece>, TextPlace);

/// The written contents of a square.
pub(super) struct Sign {
    /// The piece; none for an empty square.
    pub(super) role: Option<Role>,
    /// The owner; none if the sign does not show it, as a character of shogi without a
    /// mark.
    pub(super) color: Option<Color>,
    /// The number of glyphs of the sign.
    pub(super) length: usize,
}

impl<'v> DiagramSyntax<'v> {
    pub(super) fn of(variant: &'v Variant) -> DiagramSyntax<'v> {
        let rules = variant.rules();
        DiagramSyntax {
            variant,
            width: usize::from(rules.width),
            has_marks: rules.kinds.iter().any(|kind| kind.role.is_promoted()),
        }
    }

    /// Reads the sign at the start of some glyphs: an empty square, or a piece with or
    /// without the mark of the second player.
    pub(super) fn sign(&self, glyphs: &[Glyph]) -> Option<Sign> {
        let at = |i: usize| glyphs.get(i).map(|glyph| glyph.char);
        let is_marked = diagram::is_mark(at(0)?);
        let is_promoted = self.has_marks && at(usize::from(is_marked)) == Some('+');
        let length = usize::from(is_marked) + usize::from(is_promoted) + 1;
        let char = at(length - 1)?;
        if length == 1 && (diagram::is_empty(char) || char == '+' && !self.has_marks) {
            return Some(Sign {
                role: None,
                color: None,
                length,
            });
        }
        let (role, color) = match diagram::kanji(char) {
            Some(role) if !is_promoted => (role, is_marked.then_some(Color::Black)),
            Some(_) => return None,
            None => {
                let base = Role::from_letter(char)?;
                let role = if is_promoted { base.promoted()? } else { base };
                let color = Color::of_letter(char);
                // The mark contradicts a letter of the first player.
                if is_marked && color == Color::White {
                    return None;
                }
                (role, Some(color))
            }
        };
        self.variant.rules().kind(role)?;
        Some(Sign {
            role: Some(role),
            color,
            length,
        })
    }

    /// Returns the signs of a reserve, each with its first glyph, or no sign for a glyph
    /// that is none.
    pub(super) fn signs(&self, text: &[Glyph]) -> impl Iterator<Item = (Glyph, Option<Sign>)> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let blanks = rest.iter().take_while(|glyph| glyph.char == ' ').count();
            rest = &rest[blanks..];
            let first = *rest.first()?;
            let sign = self.sign(rest);
            rest = &rest[sign.as_ref().map_or(1, |sign| sign.length)..];
            Some((first, sign))
        })
    }

    /// Returns the squares of a word, each with its place, if the word consists of
    /// squares.
    pub(super) fn squares(&self, line: usize, word: &[Glyph]) -> Option<Vec<DrawnSquare>> {
        let mut squares = Vec::new();
        let mut rest = word;
        while !rest.is_empty() {
            let sign = self.sign(rest)?;
            let color = sign.color.unwrap_or(Color::White);
            let place = place_of(line, rest[0]).wide(sign.length);
            squares.push((sign.role.map(|role| role.of(color)), place));
            // No row is this long.
            if squares.len() > 2 * self.width {
                return None;
            }
            rest = &rest[sign.length..];
        }
        Some(squares)
    }
}

pub(super) fn place_of(line: usize, glyph: Glyph) -> TextPlace {
    TextPlace::new(line, glyph.column as usize)
}

/// The role of a line in a diagram.
pub(super) enum LineKind {
    /// A row of the board.
    Row(BoardRow),
    /// Like a row, but faulty; and the text to the right of the board.
    Ragged(DiagramError, Vec<Glyph>),
    /// The labels of the files, and the text to the right of them.
    Files(FileLabels, Vec<Glyph>),
    Border,
    /// Not part of a board.
    Other,
}

/// A row of the board.
pub(super) struct BoardRow {
    /// The squares from the left, each with its place.
    pub(super) squares: Vec<DrawnSquare>,
    /// The text to the right of the board.
    pub(super) beside: Vec<Glyph>,
    /// The labels of the rank, left and right of the board.
    pub(super) labels: [Option<RankLabel>; 2],
    /// True if blanks or borders separate the squares.
    pub(super) is_spaced: bool,
}

/// The fewest squares separated by blanks that look like a row.
const FEWEST: usize = 3;

impl DiagramSyntax<'_> {
    /// Returns the role of a line in a diagram of this game.
    pub(super) fn kind(&self, line: &Line<'_>) -> LineKind {
        if !can_begin(line.text) {
            return LineKind::Other;
        }
        let glyphs = line.glyphs();
        if let Some((files, beside)) = FileLabels::read(&glyphs, self.width) {
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
        match row.map_or_else(|| self.row_of_words(line.number, board), LineKind::Row) {
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
        let squares: Option<_> = cells[first..]
            .iter()
            .map(|cell| self.cell(line, cell))
            .collect();
        let left = cells[..first].concat();
        let right = if is_closed { last } else { &[] };
        Some(BoardRow::new(squares?, right, true).labelled(&left))
    }

    fn cell(&self, line: usize, cell: &[Glyph]) -> Option<DrawnSquare> {
        let mut inner = cell.to_vec();
        inner.retain(|glyph| glyph.char != ' ');
        match self.squares(line, &inner)?.as_slice() {
            [] => Some((None, place(line, cell))),
            [square] => Some(*square),
            _ => None,
        }
    }

    /// Reads a row between two borders. Its columns separate the squares, so blanks may
    /// be empty squares.
    fn columns(&self, line: usize, glyphs: &[Glyph]) -> Option<BoardRow> {
        let border = |glyphs: &[Glyph]| glyphs.iter().rposition(|glyph| glyph.char == '|');
        let end = border(glyphs)?;
        // The left border may have been cut off as a quote mark.
        let start = border(&glyphs[..end]).map_or(0, |at| at + 1);
        let inner = &glyphs[start..end];
        let n = self.width;
        let fits = |first: usize, step: usize| {
            inner.iter().enumerate().all(|(i, glyph)| {
                let is_square = |i: usize| i >= first && (i - first).is_multiple_of(step);
                let is_mark = glyph.char == '+' || diagram::is_mark(glyph.char);
                glyph.char == ' ' || is_square(i) || (is_mark && is_square(i + 1))
            })
        };
        let (first, step): (usize, usize) = match inner.len() {
            length if length == n => (0, 1),
            length if length == 2 * n - 1 && fits(0, 2) => (0, 2),
            length if length == 2 * n + 1 && fits(1, 2) => (1, 2),
            length if length == 2 * n && fits(1, 2) => (1, 2),
            length if length == 2 * n && fits(0, 2) => (0, 2),
            _ => return None,
        };
        let ends = (first..).step_by(step).take(n);
        let cells = ends.map(|at| &inner[(at + 1).saturating_sub(step)..=at]);
        let squares: Option<_> = cells.map(|cell| self.cell(line, cell)).collect();
        Some(BoardRow::new(squares?, &glyphs[end + 1..], true).labelled(&glyphs[..start]))
    }

    /// Reads a row of squares with or without blanks between them.
    fn row_of_words(&self, line: usize, glyphs: &[Glyph]) -> LineKind {
        let mut squares: Vec<DrawnSquare> = Vec::new();
        let mut longest = 0;
        let mut widest = 0;
        let mut bad = None;
        let mut at = 0;
        while squares.len() < self.width {
            let rest = inner(&glyphs[at..]);
            let gap = glyphs.len() - at - rest.len();
            let mut words = rest.split(|glyph| is_gap(*glyph));
            let word = words.next().unwrap_or_default();
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
                None if word.len() == 1 && word[0].char.is_alphanumeric() && bad.is_none() => {
                    bad = Some(word[0]);
                    squares.push((None, place(line, word)));
                }
                _ => break,
            }
            at += gap + word.len();
        }
        // A mark before a piece separates squares as a blank does.
        let is_marked = |(_, place): &DrawnSquare| place.width > 1;
        let is_spaced = longest <= 1 || widest > 0 || squares.iter().any(is_marked);
        let rest = &glyphs[at..];
        let extra = if is_spaced && squares.len() == self.width {
            self.singles(rest, widest)
        } else {
            0
        };
        let (Some((_, first)), Some((_, last))) = (squares.first(), squares.last()) else {
            return LineKind::Other;
        };
        let count = squares.len() + extra;
        let wrong = |count| format!("this row has {count} squares instead of {}", self.width);
        let (place, message) = match (bad, count == self.width) {
            (None, true) => return LineKind::Row(BoardRow::new(squares, rest, is_spaced)),
            (Some(_), true) if longest == 0 => return LineKind::Other,
            (Some(glyph), true) => {
                let name = self.variant.game().name;
                let message = format!("'{}' is no piece of {name}", glyph.char);
                (place_of(line, glyph), message)
            }
            (None, false) if is_spaced && count >= FEWEST => {
                (first.wide(last.column + 1 - first.column), wrong(count))
            }
            (_, false) => match self.packed(line, glyphs) {
                Some(count) => (*first, wrong(count)),
                None => return LineKind::Other,
            },
        };
        let beside = after_label(inner(rest)).1.to_vec();
        LineKind::Ragged(DiagramError::new(place, message), beside)
    }

    /// Returns the number of squares in a first word without blanks, if it is close to
    /// the width of the board.
    fn packed(&self, line: usize, glyphs: &[Glyph]) -> Option<usize> {
        let word = words(glyphs).next()?;
        if word.len() > 2 * self.width + 4 {
            return None;
        }
        let count = self.squares(line, word)?.len();
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
    fn new(squares: Vec<DrawnSquare>, right: &[Glyph], is_spaced: bool) -> BoardRow {
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
pub(super) fn inner(glyphs: &[Glyph]) -> &[Glyph] {
    let start = glyphs.iter().take_while(|glyph| is_gap(**glyph)).count();
    &glyphs[start..]
}

/// Returns true for a border or a blank.
fn is_gap(glyph: Glyph) -> bool {
    matches!(glyph.char, ' ' | '|')
}

/// Returns the words between blanks.
pub(super) fn words(glyphs: &[Glyph]) -> impl Iterator<Item = &[Glyph]> {
    let words = glyphs.split(|glyph| glyph.char == ' ');
    words.filter(|word| !word.is_empty())
}

/// Splits the number of the rank off the start of some glyphs.
fn after_label(glyphs: &[Glyph]) -> (Option<RankLabel>, &[Glyph]) {
    let start = glyphs.iter().take_while(|glyph| glyph.char == ' ').count();
    match &glyphs[start..] {
        [first, rest @ ..] if rest.first().is_none_or(|next| is_gap(*next)) => {
            let label = RankLabel::of(first.char);
            (label, label.map_or(glyphs, |_| rest))
        }
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

fn place(line: usize, glyphs: &[Glyph]) -> TextPlace {
    let first = glyphs.first().copied();
    first.map_or(TextPlace::new(line, 1), |first| place_of(line, first))
}

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

/// The reasons why the edges do not show the side from which a board is seen.
const CONTRADICTION: &str = "what stands at the edges of this board contradicts itself";
const AMBIGUOUS: &str = "the edges do not tell from which side this board is seen: write the \
     letters of the files below it";

/// A number at the edge of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RankLabel {
    value: usize,
    /// True for a Chinese numeral.
    is_kanji: bool,
}

/// A line with the labels of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileLabels {
    /// True for letters, false for numbers.
    are_letters: bool,
    /// True if `a` or 1 is on the right.
    is_reversed: bool,
}

impl RankLabel {
    /// Returns the label that a character stands for.
    fn of(c: char) -> Option<RankLabel> {
        const NUMERALS: &str = "一二三四五六七八九";
        let numeral = NUMERALS.chars().position(|numeral| numeral == c);
        let value = numeral.map(|at| at + 1).or_else(|| digit(c))?;
        Some(RankLabel {
            value,
            is_kanji: numeral.is_some(),
        })
    }
}

/// Returns the value of a digit from 1 to 9. One of full width has become narrow
/// with the other glyphs.
fn digit(c: char) -> Option<usize> {
    Some(c.to_digit(10).filter(|&value| value > 0)? as usize)
}

impl FileLabels {
    /// Reads the labels of the files at the start of a line. Returns them with the text
    /// to the right of them.
    fn read(glyphs: &[Glyph], width: usize) -> Option<(FileLabels, &[Glyph])> {
        let mut labels = Vec::with_capacity(width);
        let mut is_packed = false;
        let mut end = 0;
        for (at, glyph) in glyphs.iter().enumerate() {
            if is_gap(*glyph) {
                continue;
            }
            if labels.len() == width {
                break;
            }
            is_packed |= !labels.is_empty() && end == at;
            labels.push(glyph.char.to_ascii_lowercase());
            end = at + 1;
        }
        let rest = &glyphs[end..];
        if labels.len() < width || rest.first().is_some_and(|glyph| !is_gap(*glyph)) {
            return None;
        }
        let by_letters = counts_down(&labels, letter);
        let by_numbers = || counts_down(&labels, digit).filter(|_| !is_packed);
        let files = FileLabels {
            are_letters: by_letters.is_some(),
            is_reversed: by_letters.or_else(by_numbers)?,
        };
        Some((files, rest))
    }

    fn ways(self) -> u16 {
        match (self.are_letters, self.is_reversed) {
            (true, false) => OWN,
            (true, true) => OWN << FLIPPED,
            (false, false) => COUNTED | (HODGES | JAPANESE) << FLIPPED,
            (false, true) => HODGES | JAPANESE,
        }
    }
}

/// Returns the number of a letter, 1 for `a`.
fn letter(c: char) -> Option<usize> {
    let from = u32::from(c).checked_sub(u32::from('a'))?;
    (from < 26).then_some(from as usize + 1)
}

/// Returns true if the labels count down to 1, false if they count up from it.
fn counts_down(labels: &[char], value: fn(char) -> Option<usize>) -> Option<bool> {
    let values = || labels.iter().map(|&label| value(label));
    let is_upward = values().eq((1..=labels.len()).map(Some));
    let is_downward = values().rev().eq((1..=labels.len()).map(Some));
    (is_upward || is_downward).then_some(is_downward)
}

impl Edges {
    /// Returns the meanings that are possible without any labels.
    pub(super) fn none(syntax: &DiagramSyntax<'_>) -> Edges {
        // Other ways to label squares occur only in shogi.
        let ways = if syntax.has_marks {
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
    pub(super) fn files(&mut self, files: FileLabels, syntax: &DiagramSyntax<'_>) {
        // Numbers above the files of a chess board carry no meaning.
        if syntax.has_marks || files.are_letters {
            self.keep(files.ways());
        }
    }

    /// Takes the labels of the ranks on one side, from the top.
    pub(super) fn ranks(&mut self, labels: &[Option<RankLabel>]) {
        let width = labels.len();
        for (at, label) in labels.iter().enumerate() {
            let Some(RankLabel { value, is_kanji }) = *label else {
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
        let is_flipped = counts_down(letters, letter);
        match is_flipped {
            Some(false) => self.keep(HODGES),
            Some(true) => self.keep(HODGES << FLIPPED),
            None => {}
        }
        is_flipped.is_some()
    }

    /// Takes a heading that names the side from which the board is seen.
    pub(super) fn seen_by(&mut self, color: Color) {
        self.keep(match color {
            Color::White => UPRIGHT,
            Color::Black => UPRIGHT << FLIPPED,
        });
    }

    /// Returns true if the edges tell from which side the board is seen.
    pub(super) fn tell_side(self) -> bool {
        (self.0 & UPRIGHT == 0) != (self.0 >> FLIPPED == 0)
    }

    /// Returns true if the board is seen from the second player's side.
    ///
    /// # Errors
    ///
    /// If the edges contradict each other or leave the side open.
    pub(super) fn is_flipped(self) -> Result<bool, &'static str> {
        let (upright, flipped) = (self.0 & UPRIGHT, self.0 >> FLIPPED);
        match (upright, flipped) {
            (0, 0) => Err(CONTRADICTION),
            (_, 0) => Ok(false),
            (0, _) => Ok(true),
            _ if upright & OWN > 0 => Ok(false),
            _ => Err(AMBIGUOUS),
        }
    }
}

/// The words of which one is in each heading that names the side from which a board is
/// seen.
const SEEN: [&str; 6] = ["seen", "shown", "viewed", "side", "view", "perspective"];

/// The other words of such a heading.
const BESIDE_SEEN: [&str; 12] = [
    "the", "board", "position", "diagram", "as", "from", "by", "point", "of", "s", "now", "here",
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
    let is_seen = |word: &str| SEEN.contains(&word);
    let is_heading =
        words().all(|word| player(word).is_some() || is_seen(word) || BESIDE_SEEN.contains(&word));
    (is_heading && words().any(is_seen)).then_some(seen)
}
