//! A position as a picture in SVG. It needs no font and nothing from elsewhere: signs and
//! pieces are paths.
//!
//! Each line is a tag or a few of them, or a line of the post in `<desc>`, so that
//! `check` and `show` read the post (`quoting::forum_tags`). Nothing that a user wrote is
//! in it, but for the moves, which are written anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use crate::notation::diagram::DiagramStyle;
use crate::plural::counted;
use crate::printable::xml;
use crate::render::picture::{LEFT, Layout, MARGIN, PANEL, Palette, Picture, SQUARE};
use crate::render::pieces::{self, Pieces};
use crate::render::text;
use crate::render::view::{Score, View};
use crate::rules::{Color, File, Mark, Piece, Ply, Position, Rank, Record, Role, Square};

/// Draws a view. Its post is in the description.
#[must_use]
pub fn write(view: &View<'_>, picture: &Picture) -> String {
    let mut title = view.diagram.variant().game().name.to_owned();
    if let Some(record) = view.record {
        let made = counted(record.steps().len(), "half-move");
        title = format!("{title} after {made}");
    }
    let post = text::post(view, DiagramStyle::default());
    let head = format!(
        "<title>{}</title>\n<desc>\n{}</desc>\n",
        xml(&title),
        xml(&post)
    );
    Canvas::new(view, *picture).draw(&head).markup
}

/// A picture as text, and its height in pixels.
pub(super) struct Drawing {
    pub(super) markup: String,
    pub(super) height: u32,
}

/// Draws a view without words.
pub(super) fn drawing(view: &View<'_>, picture: Picture) -> Drawing {
    Canvas::new(view, picture).draw("")
}

/// A picture being drawn.
struct Canvas<'v> {
    view: &'v View<'v>,
    picture: Picture,
    layout: Layout,
    palette: &'static Palette,
    pieces: Pieces,
    markup: String,
}

/// Writes a line of markup.
macro_rules! line {
    ($canvas:expr, $($format:tt)*) => {
        // Writing to a text cannot fail.
        let _ = writeln!($canvas.markup, $($format)*);
    };
}

impl<'v> Canvas<'v> {
    fn new(view: &'v View<'v>, picture: Picture) -> Canvas<'v> {
        let rules = view.diagram.variant().rules();
        let is_shogi = pieces::are_of_shogi(rules);
        Canvas {
            view,
            picture,
            layout: Layout::new(rules, picture.is_flipped),
            palette: Palette::of(picture.theme, is_shogi),
            pieces: Pieces {
                is_shogi,
                is_flipped: picture.is_flipped,
                has_letters: picture.has_letters,
            },
            markup: String::new(),
        }
    }

    fn draw(mut self, head: &str) -> Drawing {
        let (width, height) = (self.layout.total_width(), self.layout.total_height());
        let size = self.picture.size;
        let high = self.layout.pixels_high(size);
        line!(
            self,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{high}\" \
             viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        );
        self.markup.push_str(head);
        self.define();
        line!(
            self,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
            self.palette.background
        );
        self.board();
        let marks = Marks::of(self.view.record);
        marks.below(&self.layout, self.palette, &mut self.markup);
        self.labels();
        for color in Color::ALL {
            self.player(color);
        }
        for (square, piece) in self.view.diagram.board().pieces() {
            let (id, (x, y)) = (pieces::id(piece), self.layout.corner(square));
            line!(self, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
        }
        marks.above(&self.layout, self.palette, &mut self.markup);
        self.markup.push_str("</svg>\n");
        Drawing {
            markup: self.markup,
            height: high,
        }
    }

    /// Defines each piece that is shown, on the board or in reserve.
    fn define(&mut self) {
        let board = self.view.diagram.board().pieces().map(|(_, piece)| piece);
        let held = Color::ALL.map(|color| {
            self.held(color)
                .into_iter()
                .map(move |(role, _)| role.of(color))
        });
        let shown: BTreeSet<Piece> = board.chain(held.into_iter().flatten()).collect();
        self.markup.push_str("<defs>\n");
        for piece in shown {
            line!(self, "{}", self.pieces.definition(piece));
        }
        self.markup.push_str("</defs>\n");
    }

    /// Returns what a player has in reserve, with the number of each.
    fn held(&self, color: Color) -> Vec<(Role, u8)> {
        let diagram = &self.view.diagram;
        let reserve = diagram.reserves().unwrap_or_default()[color.index()];
        let slots = diagram.variant().rules().slots();
        let counts = slots.map(|(role, _)| (role, reserve.count(role)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    fn board(&mut self) {
        let (x, y) = (LEFT, self.layout.board_y());
        let side = self.layout.board_side();
        let Palette {
            light, dark, edge, ..
        } = *self.palette;
        line!(
            self,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{light}\"/>"
        );
        let mut path = String::new();
        if self.pieces.is_shogi {
            for at in 1..i32::from(self.layout.width) {
                let step = at * SQUARE;
                let _ = write!(path, "M{x} {}h{side}M{} {y}v{side}", y + step, x + step);
            }
            line!(
                self,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{edge}\" stroke-width=\"2.5\"/>"
            );
            // The four points that part the camps.
            for (column, row) in [(3, 3), (6, 3), (3, 6), (6, 6)] {
                let (x, y) = (x + column * SQUARE, y + row * SQUARE);
                line!(
                    self,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{edge}\"/>"
                );
            }
        } else {
            for square in Square::all(self.layout.width) {
                if (square.file().index() + square.rank().index()).is_multiple_of(2) {
                    let (x, y) = self.layout.corner(square);
                    let _ = write!(path, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
                }
            }
            line!(self, "<path d=\"{path}\" fill=\"{dark}\"/>");
        }
        line!(
            self,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"none\" \
             stroke=\"{edge}\" stroke-width=\"4\"/>"
        );
    }

    /// Writes the names of the files and ranks.
    fn labels(&mut self) {
        let text = self.palette.text;
        line!(
            self,
            "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"8\">"
        );
        let (first, width) = (Rank::all(1).next(), self.layout.width);
        for (file, rank) in File::all(width).zip(Rank::all(width)) {
            let (x, _) = self
                .layout
                .corner(Square::from_coords(file, first.unwrap_or(rank)));
            let below = self.layout.board_y() + self.layout.board_side();
            self.sign(file.letter(), x + 39, below + 5, 580);
            let (_, y) = self.layout.corner(Square::from_coords(file, rank));
            self.sign(rank.digit(), 11, y + 32, 600);
        }
        self.markup.push_str("</g>\n");
    }

    /// Writes a sign, its top left corner at a place, in so many thousandths of its size.
    fn sign(&mut self, sign: char, x: i32, y: i32, scale: i32) {
        let strokes = pieces::shape(sign.encode_utf8(&mut [0; 4]));
        line!(
            self,
            "<path d=\"{strokes}\" transform=\"translate({x} {y}) scale({})\"/>",
            thousandths(scale)
        );
    }

    /// Draws the strip of a player: the player's colour, the turn, the reserve, the score.
    fn player(&mut self, color: Color) {
        let turn = self.view.record.map(|record| record.position().turn());
        let is_to_move = turn == Some(color) && self.view.score.is_none();
        let (y, height) = (self.layout.strip_y(color), self.layout.strip);
        let width = self.layout.total_width() - 2 * MARGIN;
        let Palette {
            panel,
            tab,
            edge,
            accent,
            ..
        } = *self.palette;
        let (stroke, thick, fill) = if is_to_move {
            (accent, 6, accent)
        } else {
            (edge, 2, tab)
        };
        if is_to_move {
            // Points to the board.
            let (from, to) = if self.layout.is_above(color) {
                (y + height - 2, 15)
            } else {
                (y + 2, -15)
            };
            line!(
                self,
                "<path d=\"M{} {from}h36l-18 {to}z\" fill=\"{accent}\"/>",
                MARGIN + PANEL / 2 - 18
            );
        }
        let place =
            format!("x=\"{MARGIN}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"14\"");
        let (right, rounded, straight) = (MARGIN + PANEL, PANEL - 14, height - 28);
        let badge = self.pieces.badge(color, MARGIN + PANEL / 2, y + height / 2);
        line!(
            self,
            "<rect {place} fill=\"{panel}\"/>\n\
             <path d=\"M{right} {y}h-{rounded}a14 14 0 0 0 -14 14v{straight}a14 14 0 0 0 14 14\
             h{rounded}z\" fill=\"{fill}\"/>\n\
             <rect {place} fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{thick}\"/>\n{badge}"
        );
        if let Some(score) = self.view.score {
            self.score(color, score);
        }
        self.reserve(color);
    }

    fn score(&mut self, color: Color, score: Score) {
        let text = self.palette.on_panel;
        line!(
            self,
            "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"9\">"
        );
        let x = self.layout.total_width() - MARGIN - 52;
        let y = self.layout.strip_y(color) + self.layout.strip / 2 - 24;
        self.sign(score.points(color), x, y, 800);
        self.markup.push_str("</g>\n");
    }

    /// Draws the pieces in reserve with their numbers, closer where there are many kinds.
    fn reserve(&mut self, color: Color) {
        const WIDE: i32 = 82;
        let held = self.held(color);
        if held.is_empty() {
            return;
        }
        let digits = |count: u8| if count > 9 { 2 } else { 1 };
        let advance = |count: u8| WIDE + 24 * digits(count) + 16;
        let needed: i32 = held.iter().map(|&(_, count)| advance(count)).sum();
        let left = MARGIN + PANEL + 6;
        let right =
            self.layout.total_width() - MARGIN - if self.view.score.is_some() { 62 } else { 4 };
        let scale = (1000 * (right - left) / needed).min(1000);
        let middle = self.layout.strip_y(color) + self.layout.strip / 2;
        let mut at = 0;
        for (role, count) in held {
            let x = left + at * scale / 1000;
            let top = middle - 44 * scale / 1000;
            line!(
                self,
                "<use href=\"#{}\" transform=\"translate({x} {top}) scale({})\"/>\n\
                 <g fill=\"none\" stroke=\"{}\" stroke-width=\"9\">",
                pieces::id(role.of(color)),
                thousandths(scale * 88 / 100),
                self.palette.on_panel
            );
            let mut x = x + (WIDE + 4) * scale / 1000;
            let top = middle + 4 * scale / 1000;
            for digit in count.to_string().chars() {
                self.sign(digit, x, top, scale * 56 / 100);
                x += 24 * scale / 1000;
            }
            self.markup.push_str("</g>\n");
            at += advance(count);
        }
    }
}

/// Writes a number of thousandths as a decimal.
fn thousandths(number: i32) -> String {
    format!("{}.{:03}", number / 1000, number % 1000)
}

/// The use that a turn made of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SquareUse {
    /// A piece left it.
    Left,
    /// A piece of the board came to it.
    Reached,
    /// A piece from reserve was put on it.
    Dropped,
}

/// The marks of the last turn and of a threat to the king. Each has a shape of its own
/// beside its colour.
#[derive(Default)]
struct Marks {
    squares: Vec<(Square, SquareUse)>,
    /// The way of a relocated pawn.
    way: Option<(Square, Square)>,
    /// The square of a king that is aimed at.
    king: Option<(Square, Mark)>,
}

impl Marks {
    /// Returns the marks of a record's last position; none of a diagram alone.
    fn of(record: Option<&Record>) -> Marks {
        let mut marks = Marks::default();
        let Some(record) = record else {
            return marks;
        };
        let position = record.position();
        let king = position.king(position.turn());
        marks.king = king.zip(Some(position.mark()).filter(|mark| *mark != Mark::None));
        if let [before @ .., step] = record.steps() {
            let before = record.at(before.len()).unwrap_or(record.start());
            marks.squares = used(before, &step.ply, position);
            if let Ply::Relocation { to, pawn, .. } = step.ply {
                marks.way = Some((to, pawn));
            }
        }
        marks
    }

    /// Draws the marks below the pieces.
    fn below(&self, layout: &Layout, palette: &Palette, markup: &mut String) {
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
                SquareUse::Left => format!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"none\" stroke=\"{last_line}\" \
                     stroke-width=\"6\"/>",
                    x + 50,
                    y + 50
                ),
                SquareUse::Reached => frame(x, y, last_line, ""),
                SquareUse::Dropped => format!(
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

    /// Draws the marks above the pieces.
    fn above(&self, layout: &Layout, palette: &Palette, markup: &mut String) {
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
    let tail = [at(start, 6.0), at(neck, 6.0)];
    let head = [at(neck, 20.0), at(tip, 0.0), at(neck, -20.0)];
    let back = [at(neck, -6.0), at(start, -6.0)];
    let shape = [&tail[..], &head, &back].concat().join("L");
    let (color, rim) = (palette.accent, palette.background);
    format!("<path d=\"M{shape}z\" fill=\"{color}\" stroke=\"{rim}\" stroke-width=\"3\"/>")
}

/// Returns the squares that a turn used.
pub(super) fn used(before: &Position, ply: &Ply, after: &Position) -> Vec<(Square, SquareUse)> {
    match ply {
        Ply::Move { from, to, .. } => vec![(*from, SquareUse::Left), (*to, SquareUse::Reached)],
        Ply::Castle(_) => changed(before, after),
        Ply::Drop { to, .. } => vec![(*to, SquareUse::Dropped)],
        Ply::Relocation { to, pawn, .. } => {
            vec![(*to, SquareUse::Dropped), (*pawn, SquareUse::Reached)]
        }
        Ply::Placement(placement) => {
            let drops = placement.drops();
            drops.map(|(_, to)| (to, SquareUse::Dropped)).collect()
        }
    }
}

/// Returns the squares that a piece left and those that one came to.
fn changed(before: &Position, after: &Position) -> Vec<(Square, SquareUse)> {
    let squares = Square::all(after.variant().rules().width);
    let changed = squares.filter(|square| before.get(*square) != after.get(*square));
    let used = changed.map(|square| match after.get(square) {
        None => (square, SquareUse::Left),
        Some(_) => (square, SquareUse::Reached),
    });
    used.collect()
}
