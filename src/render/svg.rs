//! A position as a picture in SVG. It needs no font and nothing from elsewhere: signs and
//! pieces are paths.
//!
//! Each line is a tag or a few of them, or a line of the post in `<desc>`, so that
//! `check` and `show` read the post (`quoting::forum_tags`). Nothing that a user wrote is
//! in it, but for the moves, which are written anew.

mod layout;
pub(super) mod marks;
mod palette;
pub(super) mod pieces;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::notation::diagram::draw::DiagramStyle;
use crate::plural::counted;
use crate::render::legal::is_legal;
use crate::render::picture::Picture;
use crate::render::post;
use crate::render::shapes::glyphs;
use crate::render::svg::layout::{LEFT, Layout, MARGIN, PANEL, SQUARE};
use crate::render::svg::marks::Marks;
use crate::render::svg::palette::Palette;
use crate::render::svg::pieces::Pieces;
use crate::render::view::{Score, View};
use crate::rules::{Color, File, Piece, Rank, Role, Square};

/// Draws a view. Its post is in the description.
#[must_use]
pub fn write(view: &View<'_>, picture: &Picture) -> String {
    let variant = view.diagram.variant();
    let title = match view.record {
        Some(record) => {
            let made = counted(record.steps().len(), "half-move");
            format!("{} after {made}", variant.game().name)
        }
        None => variant.game().name.to_owned(),
    };
    let post = post::write(view, DiagramStyle::default());
    let head = format!(
        "<title>{}</title>\n<desc>\n{}</desc>\n",
        escaped(&title),
        escaped(&post)
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

/// Writes a text between tags. A `>` is none of the signs that have to be escaped, and
/// moves are read as they stand.
fn escaped(text: &str) -> String {
    let legal: String = text.chars().filter(|c| is_legal(*c)).collect();
    legal
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace("]]>", "]]&gt;")
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
        let is_shogi = rules.kinds.iter().any(|kind| kind.role.is_promoted());
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
        let (size, high) = (
            self.picture.size,
            self.layout.pixels_high(self.picture.size),
        );
        line!(
            self,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{high}\" \
             viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" role=\"img\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        );
        self.markup.push_str(head);
        self.define();
        let background = self.palette.background;
        line!(
            self,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>"
        );
        self.board();
        let marks = Marks::of(self.view.record);
        marks.below(&self.layout, self.palette, &mut self.markup);
        self.labels();
        for color in Color::ALL {
            self.player(color);
        }
        for (square, piece) in self.view.diagram.board().pieces() {
            let (x, y) = self.layout.corner(square);
            line!(
                self,
                "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>",
                pieces::id(piece)
            );
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
        let held = Color::ALL.into_iter().flat_map(|color| {
            let held = self.held(color).into_iter();
            held.map(move |(role, _)| role.of(color))
        });
        let shown: BTreeSet<Piece> = board.chain(held).collect();
        self.markup.push_str("<defs>\n");
        for piece in shown {
            line!(self, "{}", self.pieces.definition(piece));
        }
        self.markup.push_str("</defs>\n");
    }

    /// Returns what a player has in reserve, with the number of each.
    fn held(&self, color: Color) -> Vec<(Role, u8)> {
        let Some(reserves) = self.view.diagram.reserves() else {
            return Vec::new();
        };
        let reserve = reserves[color.index()];
        let slots = self.view.diagram.variant().rules().slots();
        slots
            .map(|(role, _)| (role, reserve.count(role)))
            .filter(|(_, count)| *count > 0)
            .collect()
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
        let strokes = glyphs::of(sign);
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
        line!(
            self,
            "<rect x=\"{MARGIN}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"{panel}\"/>"
        );
        line!(
            self,
            "<path d=\"M{} {y}h-{}a14 14 0 0 0 -14 14v{}a14 14 0 0 0 14 14h{}z\" fill=\"{fill}\"/>",
            MARGIN + PANEL,
            PANEL - 14,
            height - 28,
            PANEL - 14
        );
        line!(
            self,
            "<rect x=\"{MARGIN}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"none\" \
             stroke=\"{stroke}\" stroke-width=\"{thick}\"/>"
        );
        let badge = self.pieces.badge(color, MARGIN + PANEL / 2, y + height / 2);
        line!(self, "{badge}");
        if let Some(score) = self.view.score {
            self.score(color, score);
        }
        self.reserve(color);
    }

    fn score(&mut self, color: Color, score: Score) {
        let sign = match score {
            Score::Drawn => '½',
            Score::Won(winner) if winner == color => '1',
            Score::Won(_) => '0',
        };
        let text = self.palette.on_panel;
        line!(
            self,
            "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"9\">"
        );
        let x = self.layout.total_width() - MARGIN - 52;
        let y = self.layout.strip_y(color) + self.layout.strip / 2 - 24;
        self.sign(sign, x, y, 800);
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
        let y = self.layout.strip_y(color);
        let middle = y + self.layout.strip / 2;
        let mut at = 0;
        for (role, count) in held {
            let x = left + at * scale / 1000;
            let top = middle - 44 * scale / 1000;
            line!(
                self,
                "<use href=\"#{}\" transform=\"translate({x} {top}) scale({})\"/>",
                pieces::id(role.of(color)),
                thousandths(scale * 88 / 100)
            );
            let text = self.palette.on_panel;
            line!(
                self,
                "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"9\">"
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
