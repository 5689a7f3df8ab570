//! The picture of a match on its card: the last position, drawn from pieces that stand in the page
//! once for all cards.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::notation::diagram::Diagram;
use crate::render::picture;
use crate::render::pieces::{self, Pieces};
use crate::rules::{Color, Piece, Record, Square};

/// The last position of a match, as a card shows it.
#[derive(Clone, Debug)]
pub struct CardPicture {
    diagram: Diagram,
    /// The last half-move, with its mark.
    last: Option<String>,
    /// The squares that it used.
    used: Vec<Square>,
}

/// What the cards of a page show. Boards and pieces of shogi have drawings of their own.
#[derive(Default)]
pub(super) struct Shown {
    /// The widths of the boards.
    boards: BTreeSet<(bool, u8)>,
    pieces: BTreeSet<(bool, Piece)>,
}

/// The height of a reserve, in hundredths of a square.
const STRIP: i32 = 110;

impl CardPicture {
    /// Takes the last position of a record.
    pub fn of(record: &Record) -> CardPicture {
        let mut card = CardPicture {
            diagram: Diagram::of(record.position()),
            last: None,
            used: Vec::new(),
        };
        if let [before @ .., step] = record.steps() {
            let start = record.at(before.len()).unwrap_or(record.start());
            card.last = Some(step.to_string());
            let used = picture::used(start, &step.ply, record.position()).into_iter();
            card.used = used.map(|(square, _)| square).collect();
        }
        card
    }

    /// Returns the last half-move, with its mark.
    pub(super) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    fn is_shogi(&self) -> bool {
        pieces::are_of_shogi(self.diagram.variant().rules())
    }

    /// Adds the pieces of the picture to those of the page.
    pub(super) fn show(&self, shown: &mut Shown) {
        let is_shogi = self.is_shogi();
        let width = self.diagram.variant().rules().width;
        shown.boards.insert((is_shogi, width));
        let board = self.diagram.board().pieces().map(|(_, piece)| piece);
        shown.pieces.extend(board.map(|piece| (is_shogi, piece)));
        for color in Color::ALL {
            let held = picture::held(&self.diagram, color).into_iter();
            let held = held.map(|(role, _)| (is_shogi, role.of(color)));
            shown.pieces.extend(held);
        }
    }

    /// Draws the picture, the second player's reserve above the board.
    pub(super) fn svg(&self) -> String {
        let rules = self.diagram.variant().rules();
        let (is_shogi, width) = (self.is_shogi(), rules.width);
        let side = i32::from(width) * 100;
        let strip = if rules.has_reserve() { STRIP } else { 0 };
        let corner = |square: Square| {
            let file = i32::from(square.file().index());
            let rank = i32::from(square.rank().index());
            (file * 100, strip + side - 100 - rank * 100)
        };
        let mut svg = format!(
            "<svg class=\"board\" viewBox=\"0 0 {side} {}\" aria-hidden=\"true\">\
             <use href=\"#{}\" y=\"{strip}\"/>",
            side + 2 * strip,
            board(is_shogi, width)
        );
        for square in &self.used {
            let (x, y) = corner(*square);
            // Writing to a text cannot fail.
            let _ = write!(svg, "<path class=\"last\" d=\"M{x} {y}h100v100h-100z\"/>");
        }
        for (square, piece) in self.diagram.board().pieces() {
            let (x, y) = corner(square);
            let _ = write!(
                svg,
                "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>",
                name(is_shogi, piece)
            );
        }
        for (color, y) in [(Color::Black, 0), (Color::White, strip + side)] {
            let held = picture::held(&self.diagram, color);
            let wide = side / i32::try_from(held.len()).unwrap_or(1).max(6);
            for ((role, count), at) in held.into_iter().zip(0..) {
                let (x, piece) = (at * wide, name(is_shogi, role.of(color)));
                let _ = write!(
                    svg,
                    "<use href=\"#{piece}\" transform=\"translate({x} {}) scale(.8)\"/>\
                     <text x=\"{}\" y=\"{}\">{count}</text>",
                    y + 15,
                    x + 82,
                    y + 88
                );
            }
        }
        svg + "</svg>"
    }
}

/// Returns the name of a board in a page.
fn board(is_shogi: bool, width: u8) -> String {
    let kind = if is_shogi { "wood" } else { "squares" };
    format!("{kind}{width}")
}

/// Returns the name of a piece in a page.
fn name(is_shogi: bool, piece: Piece) -> String {
    let kind = if is_shogi { 's' } else { 'c' };
    format!("{kind}{}", pieces::id(piece))
}

/// Defines the boards and the pieces of the cards of a page.
pub(super) fn definitions(shown: &Shown) -> String {
    let mut defined = String::from(
        "<svg class=\"pieces\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n",
    );
    for &(is_shogi, width) in &shown.boards {
        let (id, side) = (board(is_shogi, width), i32::from(width) * 100);
        let mut path = String::new();
        if is_shogi {
            for at in 1..i32::from(width) {
                let _ = write!(path, "M0 {0}h{side}M{0} 0v{side}", at * 100);
            }
        } else {
            for square in Square::all(width) {
                let (file, rank) = (square.file().index(), square.rank().index());
                if (file + rank).is_multiple_of(2) {
                    let (x, y) = (i32::from(file) * 100, side - 100 - i32::from(rank) * 100);
                    let _ = write!(path, "M{x} {y}h100v100h-100z");
                }
            }
        }
        let kind = if is_shogi { "wood" } else { "squares" };
        let _ = writeln!(
            defined,
            "<g id=\"{id}\" class=\"{kind}\"><path class=\"ground\" d=\"M0 0h{side}v{side}h-{side}z\"/>\
             <path class=\"rest\" d=\"{path}\"/></g>"
        );
    }
    for &(is_shogi, piece) in &shown.pieces {
        let drawn = Pieces {
            is_shogi,
            is_flipped: false,
            has_letters: false,
        };
        let (id, body) = (name(is_shogi, piece), drawn.body(piece));
        let _ = writeln!(defined, "<g id=\"{id}\">{body}</g>");
    }
    defined + "</defs></svg>\n"
}
