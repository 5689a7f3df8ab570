//! Draws diagrams in different looks.

use std::fmt::{self, Write as _};

use crate::columns::columns;
use crate::notation::diagram::Diagram;
use crate::notation::diagram::script::{MARK, Script};
use crate::paint;
use crate::rules::{Color, Piece, Reserve, Role, Square};

/// The look of a diagram; the default is that of the 1994 format. Every look reads back
/// as the same diagram.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Look {
    /// The signs of the pieces.
    pub script: Script,
    /// True if the edges name files and ranks.
    pub has_edges: bool,
    /// True if the second player's side is below. The edges are then always drawn,
    /// because only they tell the side.
    pub is_flipped: bool,
    /// True if a [`MARK`] stands before each piece of the second player on the board,
    /// to tell it from the first player's at a glance.
    pub has_marks: bool,
    /// True if pieces and empty squares are told apart by colours, for a terminal.
    pub is_painted: bool,
    /// The columns of the terminal, if it is drawn for one. Where the reserves have no
    /// room beside the board they stand below it.
    pub room: Option<usize>,
}

/// The number of blanks between the board and the text to its right.
const GAP: usize = 7;

impl fmt::Display for Diagram {
    /// Writes the lines of the 1994 format, each with its line ending.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw(Look::default()))
    }
}

impl Diagram {
    /// Draws the diagram in this look. Each line has its line ending.
    #[must_use]
    pub fn draw(&self, look: Look) -> String {
        Drawing::new(self, look).to_string()
    }
}

/// A diagram with the columns it is drawn in.
struct Drawing<'d> {
    diagram: &'d Diagram,
    look: Look,
    /// The number of ranks, and of files.
    width: u8,
    /// The number of columns of a square: for a mark, a `+` and the sign, as far as
    /// they can occur.
    square: usize,
    /// True if the first of these columns is empty in every row.
    is_narrow: bool,
}

impl<'d> Drawing<'d> {
    fn new(diagram: &'d Diagram, look: Look) -> Drawing<'d> {
        let rules = diagram.variant.rules();
        let has_promoted = rules.kinds.iter().any(|kind| kind.role.is_promoted());
        // The blank between two squares has room for a mark or a `+`, not for both.
        let has_both = look.has_marks && look.script.tells_sides();
        Drawing {
            diagram,
            look: Look {
                has_edges: look.has_edges || look.is_flipped,
                has_marks: look.has_marks || !look.script.tells_sides(),
                ..look
            },
            width: rules.width,
            square: 1 + usize::from(has_both) + look.script.columns(),
            is_narrow: look.script.tells_sides() && !has_promoted,
        }
    }

    /// Returns the ranks from the top or the files from the left, counted from 0.
    fn order(&self, is_rank: bool) -> impl Iterator<Item = u8> + use<> {
        let is_downward = is_rank != self.look.is_flipped;
        let last = self.width - 1;
        (0..self.width).map(move |at| if is_downward { last - at } else { at })
    }

    /// Formats a line of the board: its label, and for each file a text as wide as a
    /// square.
    fn line(&self, label: char, squares: impl Iterator<Item = String>) -> String {
        let squares: String = squares.collect();
        if self.look.has_edges {
            format!("{label} {squares}")
        } else {
            squares[usize::from(self.is_narrow)..].to_owned()
        }
    }

    fn rank(&self, rank: u8) -> String {
        let squares = self.order(false).map(|file| {
            let piece = Square::new(file, rank).and_then(|at| self.diagram.board.get(at));
            let sign = piece.map_or_else(|| self.look.script.empty().into(), |p| self.sign(p));
            // `chars` counts one column for a wide sign.
            let columns = sign.chars().count() + self.look.script.columns() - 1;
            " ".repeat(self.square - columns) + &self.painted(piece.map(|p| p.color), sign)
        });
        let label = char::from(b'1' + rank);
        self.line(label, squares)
    }

    fn sign(&self, piece: Piece) -> String {
        let sign = self.look.script.sign(piece);
        if self.look.has_marks && piece.color == Color::Black {
            format!("{MARK}{sign}")
        } else {
            sign
        }
    }

    /// Paints the sign of a player's piece, or of an empty square.
    fn painted(&self, color: Option<Color>, sign: String) -> String {
        if !self.look.is_painted || sign.is_empty() {
            return sign;
        }
        let style = match color {
            Some(Color::White) => paint::STRONG,
            Some(Color::Black) => paint::SECOND,
            None => paint::FAINT,
        };
        format!("{style}{sign}{style:#}")
    }

    /// Formats the letters of the files, each above the column where the signs begin.
    fn files(&self) -> String {
        let sign = self.look.script.columns();
        let squares = self.order(false).map(|file| {
            let letter = char::from(b'a' + file);
            " ".repeat(self.square - sign) + &format!("{letter:<sign$}")
        });
        self.line(' ', squares)
    }

    /// Returns the number of columns of the board.
    fn columns(&self) -> usize {
        let squares = self.square * usize::from(self.width);
        if self.look.has_edges {
            squares + 2
        } else {
            squares - usize::from(self.is_narrow)
        }
    }

    /// Returns the text to the right of the board and below it, line by line.
    fn beside(&self) -> Vec<String> {
        let rules = self.diagram.variant.rules();
        let Some(reserves) = self.diagram.reserves.filter(|_| rules.has_reserve()) else {
            return Vec::new();
        };
        let width = usize::from(self.width);
        let mut lines = vec![String::new(); width + rules.slots.len()];
        let places = [(0, 2), (width - 2, width)];
        for (color, (heading, pieces)) in self.sides().into_iter().zip(places) {
            lines[heading] = self.heading(color);
            for (row, slots) in rules.slots.iter().enumerate() {
                lines[pieces + row] = slots
                    .iter()
                    .map(|&(role, slots)| self.held(reserves[color.index()], color, role, slots))
                    .collect();
            }
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// Returns the columns for the reserves below the board, if there is no room for them
    /// beside it.
    fn room_below(&self) -> Option<usize> {
        let room = self.look.room?;
        let plain = Look {
            is_painted: false,
            room: None,
            ..self.look
        };
        let beside = Drawing::new(self.diagram, plain).beside();
        let widest = beside.iter().map(|text| columns(text)).max()?;
        (self.columns() + GAP + widest > room).then_some(room)
    }

    /// Writes the reserves below the board, the kinds apart and without empty slots.
    fn below(&self, room: usize) -> String {
        const INDENT: usize = 2;
        let rules = self.diagram.variant.rules();
        let reserves = self.diagram.reserves.unwrap_or_default();
        let mut text = String::new();
        for color in self.sides() {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{}\n ", self.heading(color));
            let mut taken = INDENT - 1;
            for (role, _) in rules.slots() {
                let held = self.held(reserves[color.index()], color, role, 0);
                let count = usize::from(reserves[color.index()].count(role));
                let wide = count * self.look.script.columns();
                if wide == 0 {
                    continue;
                }
                if taken >= INDENT && taken + 1 + wide > room {
                    text.push_str("\n ");
                    taken = INDENT - 1;
                }
                let _ = write!(text, " {held}");
                taken += 1 + wide;
            }
            let nothing = if taken < INDENT { " -" } else { "" };
            let _ = writeln!(text, "{nothing}");
        }
        text
    }

    /// Returns the players, the one whose side is above first.
    fn sides(&self) -> [Color; 2] {
        if self.look.is_flipped {
            [Color::White, Color::Black]
        } else {
            [Color::Black, Color::White]
        }
    }

    fn heading(&self, color: Color) -> String {
        let player = self.diagram.variant.rules().player(color);
        format!("{player}'s pieces in reserve:")
    }

    /// Formats the slots of a kind, with the pieces on the left and empty slots after
    /// them. No mark is needed, because the heading names the owner.
    fn held(&self, reserve: Reserve, color: Color, role: Role, slots: u8) -> String {
        let script = self.look.script;
        let (count, slots) = (usize::from(reserve.count(role)), usize::from(slots));
        let sign = script.sign(Piece { color, role });
        let empty = String::from(script.empty());
        let held = self.painted(Some(color), sign.repeat(count));
        held + &self.painted(None, empty.repeat(slots.saturating_sub(count)))
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board: Vec<String> = self.order(true).map(|rank| self.rank(rank)).collect();
        if self.look.has_edges {
            board.push(self.files());
        }
        if let Some(room) = self.room_below() {
            for row in board {
                writeln!(f, "{}", row.trim_end())?;
            }
            return f.write_str(&self.below(room));
        }
        let beside = self.beside();
        for at in 0..board.len().max(beside.len()) {
            let row = board.get(at).map_or("", String::as_str);
            match beside.get(at).filter(|text| !text.is_empty()) {
                Some(text) => {
                    // Every row of the board is as wide as the board.
                    let taken = if row.is_empty() { 0 } else { self.columns() };
                    let blanks = self.columns() + GAP - taken;
                    writeln!(f, "{row}{:blanks$}{text}", "")?;
                }
                None => writeln!(f, "{}", row.trim_end())?,
            }
        }
        Ok(())
    }
}
