//! What a picture shows of the last turn and of a threat to the king. Every mark has a
//! shape of its own beside its colour.

use std::fmt::Write as _;

use serde::Serialize;

use crate::render::svg::layout::Layout;
use crate::render::svg::palette::Palette;
use crate::rules::{Mark, Ply, Position, Record, Square};

/// What the last turn did on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::render) enum Use {
    /// A piece left it.
    Left,
    /// A piece of the board came to it.
    Reached,
    /// A piece from reserve was put on it.
    Dropped,
}

/// The marks of a position.
pub(super) struct Marks {
    squares: Vec<(Square, Use)>,
    /// The way of a relocated pawn.
    way: Option<(Square, Square)>,
    /// The square of a king that is aimed at.
    king: Option<(Square, Mark)>,
}

impl Marks {
    /// Returns the marks of a record's last position; none of a diagram alone.
    pub(super) fn of(record: Option<&Record>) -> Marks {
        let mut marks = Marks {
            squares: Vec::new(),
            way: None,
            king: None,
        };
        let Some(record) = record else {
            return marks;
        };
        let position = record.position();
        if let Some(square) = position.king(position.turn()) {
            let mark = position.mark();
            marks.king = (mark != Mark::None).then_some((square, mark));
        }
        let played = record.steps().len();
        let Some(step) = record.steps().last() else {
            return marks;
        };
        let before = record.at(played - 1).unwrap_or(record.start());
        marks.squares = used(before, &step.ply, position);
        if let Ply::Relocation { to, pawn, .. } = step.ply {
            marks.way = Some((to, pawn));
        }
        marks
    }

    /// Draws what the pieces stand on.
    pub(super) fn below(&self, layout: &Layout, palette: &Palette, markup: &mut String) {
        let Palette {
            last,
            last_line,
            check,
            ..
        } = palette;
        for &(square, used) in &self.squares {
            let (x, y) = layout.corner(square);
            let tint = format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" fill=\"{last}\" \
                 fill-opacity=\"0.62\"/>"
            );
            let shape = match used {
                Use::Left => format!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"none\" stroke=\"{last_line}\" \
                     stroke-width=\"6\"/>",
                    x + 50,
                    y + 50
                ),
                Use::Reached => frame(x, y, last_line, ""),
                Use::Dropped => format!(
                    "<path d=\"M{x} {y}m5 27v-22h22m46 0h22v22m0 46v22h-22m-46 0h-22v-22\" \
                     fill=\"none\" stroke=\"{last_line}\" stroke-width=\"7\"/>"
                ),
            };
            let _ = writeln!(markup, "{tint}{shape}");
        }
        if let Some((square, mark)) = self.king {
            let (x, y) = layout.corner(square);
            let shape = if mark == Mark::Virtual {
                frame(x, y, check, " stroke-dasharray=\"13 17\"")
            } else {
                let tint = format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" fill=\"{check}\" \
                     fill-opacity=\"0.5\"/>"
                );
                tint + &frame(x, y, check, "")
            };
            let _ = writeln!(markup, "{shape}");
        }
    }

    /// Draws what lies over the pieces.
    pub(super) fn above(&self, layout: &Layout, palette: &Palette, markup: &mut String) {
        if let Some((from, to)) = self.way {
            let _ = writeln!(markup, "{}", arrow(layout, from, to, palette));
        }
    }
}

/// Draws a frame within a square.
fn frame(x: i32, y: i32, color: &str, more: &str) -> String {
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"92\" height=\"92\" fill=\"none\" stroke=\"{color}\" \
         stroke-width=\"8\"{more}/>",
        x + 4,
        y + 4
    )
}

/// Draws an arrow from one square to another.
fn arrow(layout: &Layout, from: Square, to: Square, palette: &Palette) -> String {
    let [(x1, y1), (x2, y2)] = [from, to].map(|square| {
        let (x, y) = layout.corner(square);
        (f64::from(x + 50), f64::from(y + 50))
    });
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    // Rounded, so that no machine writes another last digit.
    let at = |along: f64, aside: f64| {
        let (x, y) = (x1 + dx * along - dy * aside, y1 + dy * along + dx * aside);
        format!("{x:.0} {y:.0}")
    };
    let (start, neck, tip) = (34.0, length - 52.0, length - 22.0);
    let (color, rim) = (palette.accent, palette.background);
    let shape = format!(
        "M{}L{}L{}L{}L{}L{}L{}z",
        at(start, 6.0),
        at(neck, 6.0),
        at(neck, 20.0),
        at(tip, 0.0),
        at(neck, -20.0),
        at(neck, -6.0),
        at(start, -6.0)
    );
    format!("<path d=\"{shape}\" fill=\"{color}\" stroke=\"{rim}\" stroke-width=\"3\"/>")
}

/// Returns what a turn did on the squares that it used.
pub(in crate::render) fn used(
    before: &Position,
    ply: &Ply,
    after: &Position,
) -> Vec<(Square, Use)> {
    match ply {
        Ply::Move { from, to, .. } => vec![(*from, Use::Left), (*to, Use::Reached)],
        Ply::Castle(_) => changed(before, after),
        Ply::Drop { to, .. } => vec![(*to, Use::Dropped)],
        Ply::Relocation { to, pawn, .. } => vec![(*to, Use::Dropped), (*pawn, Use::Reached)],
        Ply::Placement(placement) => {
            let drops = placement.drops();
            drops.map(|(_, to)| (to, Use::Dropped)).collect()
        }
    }
}

/// Returns the squares that a piece left and those that one came to.
fn changed(before: &Position, after: &Position) -> Vec<(Square, Use)> {
    let squares = Square::all(after.variant().rules().width);
    squares
        .filter_map(|square| match (before.get(square), after.get(square)) {
            (old, new) if old == new => None,
            (_, None) => Some((square, Use::Left)),
            _ => Some((square, Use::Reached)),
        })
        .collect()
}
