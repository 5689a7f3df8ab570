//! How a diagram is drawn.

use std::fmt;

use crate::notation::diagram::Diagram;
use crate::notation::diagram::script::{MARK, Script};
use crate::rules::{Color, Piece, Reserve, Role, Square};

/// The look of a diagram; the default is that of the 1994 format. Whatever the
/// look, a diagram is read back as the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Look {
    /// The signs of the pieces.
    pub script: Script,
    /// Whether files and ranks are named at the edges.
    pub has_edges: bool,
    /// Whether the second player's side is below. The edges, which alone tell
    /// so, are then always there.
    pub is_flipped: bool,
    /// Whether a [`MARK`] stands before each piece of the second player on the
    /// board, so that it can be told from the first player's at a glance.
    pub has_marks: bool,
}

/// Blanks between the board and what stands right of it.
const GAP: usize = 7;

impl fmt::Display for Diagram {
    /// The lines of the 1994 format, each with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw(Look::default()))
    }
}

impl Diagram {
    /// The diagram as it looks so: its lines, each with its line end.
    #[must_use]
    pub fn draw(&self, look: Look) -> String {
        Drawing::new(self, look).to_string()
    }
}

/// A diagram with the columns it is drawn in.
struct Drawing<'d> {
    diagram: &'d Diagram,
    look: Look,
    /// How many ranks and files there are.
    width: u8,
    /// How many columns a square takes: a mark, a `+` and the sign, as far as
    /// there can be one.
    square: usize,
    /// Whether the first of these columns is empty in every row.
    is_narrow: bool,
}

impl<'d> Drawing<'d> {
    fn new(diagram: &'d Diagram, look: Look) -> Drawing<'d> {
        let rules = diagram.variant.rules();
        let has_promoted = rules.kinds.iter().any(|kind| kind.role.is_promoted());
        // The blank between two squares has room for one of both signs.
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

    /// Ranks from the top or files from the left, counted from 0.
    fn order(&self, is_rank: bool) -> impl Iterator<Item = u8> + use<> {
        let is_downward = is_rank != self.look.is_flipped;
        let last = self.width - 1;
        (0..self.width).map(move |at| if is_downward { last - at } else { at })
    }

    /// A line of the board: its label, and a text of the square's columns for
    /// each file.
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
            // What is wider than its one character is counted here.
            let columns = sign.chars().count() + self.look.script.columns() - 1;
            " ".repeat(self.square - columns) + &sign
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

    /// The letters of the files, each over the column where the signs begin.
    fn files(&self) -> String {
        let sign = self.look.script.columns();
        let squares = self.order(false).map(|file| {
            let letter = char::from(b'a' + file);
            " ".repeat(self.square - sign) + &format!("{letter:<sign$}")
        });
        self.line(' ', squares)
    }

    /// How many columns the board takes.
    fn columns(&self) -> usize {
        let squares = self.square * usize::from(self.width);
        if self.look.has_edges {
            squares + 2
        } else {
            squares - usize::from(self.is_narrow)
        }
    }

    /// What stands right of the board and below it, line by line.
    fn beside(&self) -> Vec<String> {
        let rules = self.diagram.variant.rules();
        let Some(reserves) = self.diagram.reserves.filter(|_| rules.has_reserve()) else {
            return Vec::new();
        };
        let width = usize::from(self.width);
        let mut lines = vec![String::new(); width + rules.slots.len()];
        let mut sides = [Color::Black, Color::White];
        if self.look.is_flipped {
            sides.reverse();
        }
        for (color, (heading, pieces)) in sides.into_iter().zip([(0, 2), (width - 2, width)]) {
            lines[heading] = format!("{}'s pieces in reserve:", rules.player(color));
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

    /// The slots of a kind: those left fill them from the left. The heading
    /// says whose they are.
    fn held(&self, reserve: Reserve, color: Color, role: Role, slots: u8) -> String {
        let script = self.look.script;
        let (count, slots) = (usize::from(reserve.count(role)), usize::from(slots));
        let sign = script.sign(Piece { color, role });
        let empty = String::from(script.empty());
        sign.repeat(count) + &empty.repeat(slots.saturating_sub(count))
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board: Vec<String> = self.order(true).map(|rank| self.rank(rank)).collect();
        if self.look.has_edges {
            board.push(self.files());
        }
        let beside = self.beside();
        for at in 0..board.len().max(beside.len()) {
            let row = board.get(at).map_or("", String::as_str);
            match beside.get(at).filter(|text| !text.is_empty()) {
                Some(text) => {
                    let wide = row.chars().filter(|c| !c.is_ascii()).count();
                    let taken = row.chars().count() + wide * (self.look.script.columns() - 1);
                    let blanks = self.columns() + GAP - taken;
                    writeln!(f, "{row}{:blanks$}{text}", "")?;
                }
                None => writeln!(f, "{}", row.trim_end())?,
            }
        }
        Ok(())
    }
}
