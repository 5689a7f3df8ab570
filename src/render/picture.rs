//! A position as a picture: in SVG, and in PNG, which is the same drawing in pixels.
//!
//! It needs no font and nothing from elsewhere: signs and pieces are paths. Their places are in
//! hundredths of a square. Each line of the SVG is a tag or a few of them, or a line of the post
//! in `<desc>`, so that `check` and `show` read the post (`quoting::boilerplate`). Nothing that a
//! user wrote is in it, but for the moves, which are written anew.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use clap::ValueEnum;
use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};
use serde::Serialize;
use tiny_skia::PremultipliedColorU8;

use crate::Error;
use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::printable::{counted, xml};
use crate::render::pieces::{self, Pieces};
use crate::render::pixels::pixels;
use crate::render::text;
use crate::render::view::{Score, View};
use crate::rules::{Color, File, Mark, Piece, Ply, Position, Rank, Record, Role, Square};

/// The widths of pictures, in pixels.
pub const SIZES: RangeInclusive<u32> = 64..=4096;

/// The form of a picture of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The width in pixels, one of [`SIZES`]. The height follows from the game.
    pub size: u32,
    /// True if the second player's side is below.
    pub is_flipped: bool,
    /// The colours.
    pub theme: Theme,
    /// True if the pieces of shogi have letters instead of characters. The pieces of
    /// chess have neither.
    pub has_letters: bool,
    /// True if the PNG is to be a third as large, as a mail's: it has 16 colours, which show
    /// all surfaces and soften their edges, and takes three times as long to encode.
    pub is_compact: bool,
}

impl Default for Picture {
    fn default() -> Picture {
        Picture {
            size: 480,
            is_flipped: false,
            theme: Theme::Light,
            has_letters: false,
            is_compact: false,
        }
    }
}

/// The colours of a picture.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// For a light page
    #[default]
    Light,
    /// For a dark page
    Dark,
    /// For a page whose colour is not known, as that of a mail: the board has a frame of wood,
    /// on which files and ranks are lighter than the pieces.
    #[value(skip)]
    Framed,
}

/// The colours of everything but the pieces, which are the same on every board.
#[derive(Clone, Copy)]
struct Palette {
    background: &'static str,
    /// The light squares, or every square of shogi.
    light: &'static str,
    dark: &'static str,
    /// The edge of the board, and the lines of shogi's.
    edge: &'static str,
    /// Files and ranks.
    text: &'static str,
    /// The strip of a player.
    panel: &'static str,
    /// The part of the strip with the player's sign.
    tab: &'static str,
    /// Numbers on the strip.
    on_panel: &'static str,
    /// The player to move.
    accent: &'static str,
    /// The squares of the last turn.
    last: &'static str,
    /// The lines that show the use of these squares.
    last_line: &'static str,
    /// A king in check.
    check: &'static str,
}

impl Palette {
    fn of(theme: Theme, is_shogi: bool) -> Palette {
        let column = match (theme, is_shogi) {
            (Theme::Light | Theme::Framed, false) => 0,
            (Theme::Light | Theme::Framed, true) => 1,
            (Theme::Dark, false) => 2,
            (Theme::Dark, true) => 3,
        };
        let color = |colors: [&'static str; 4]| colors[column];
        let framed = |wood: &'static str, other| if theme == Theme::Framed { wood } else { other };
        Palette {
            background: framed(
                "#7d6244",
                color(["#ffffff", "#ffffff", "#1b1e22", "#1b1e22"]),
            ),
            light: color(["#f3e6cf", "#ecd29a", "#a9b2bb", "#8f8367"]),
            dark: color(["#cba77d", "#cba77d", "#6f7d8b", "#6f7d8b"]),
            edge: color(["#6b5236", "#5f4a2a", "#0e1013", "#26211a"]),
            text: framed(
                "#f0e4cd",
                color(["#4a4238", "#4a4238", "#c9ced4", "#c9ced4"]),
            ),
            panel: color(["#ece4d6", "#ece4d6", "#8b96a1", "#847a63"]),
            tab: color(["#d3c6b0", "#d3c6b0", "#59636e", "#59636e"]),
            on_panel: color(["#2f2a24", "#2f2a24", "#101316", "#101316"]),
            accent: color(["#1f6fb2", "#1f6fb2", "#4fb3f6", "#4fb3f6"]),
            last: color(["#8fb339", "#8fb339", "#c8bd3a", "#c8bd3a"]),
            last_line: color(["#4c6b0c", "#4c6b0c", "#fff27a", "#fff27a"]),
            check: color(["#c9211e", "#c9211e", "#e0352b", "#e0352b"]),
        }
    }
}

/// The side of a square.
const SQUARE: i32 = 100;

/// The room left of the board, for the names of the ranks.
const LEFT: i32 = 46;

/// The room around everything else.
const MARGIN: i32 = 14;

/// The width of the part of a strip with the player's sign.
const PANEL: i32 = 76;

/// The room between the board and the lower strip, for the names of the files.
const BELOW: i32 = 62;

/// The room between the upper strip and the board.
const ABOVE: i32 = 24;

/// Draws a view in SVG. Its post is in the description.
pub fn svg(view: &View<'_>, picture: &Picture) -> String {
    let mut title = view.diagram.variant().game().name.to_owned();
    if let Some(record) = view.record {
        let made = counted(record.steps().len(), "half-move");
        title = format!("{title} after {made}");
        if let Some(ending) = text::ending(view, record) {
            title = format!("{title}. {ending}");
        }
    }
    let post = text::post(view, DiagramStyle::default());
    let head = format!(
        "<title>{}</title>\n<desc>\n{}</desc>\n",
        xml(&title),
        xml(&post)
    );
    Canvas::new(view, *picture).draw(&head)
}

/// Draws a view without words.
pub(super) fn drawing(view: &View<'_>, picture: Picture) -> String {
    Canvas::new(view, picture).draw("")
}

/// A picture being drawn.
struct Canvas<'v> {
    view: &'v View<'v>,
    picture: Picture,
    /// The number of files, and of ranks.
    width: u8,
    /// The height of a player's strip.
    strip: i32,
    palette: Palette,
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
            width: rules.width,
            strip: if rules.has_reserve() { 98 } else { 60 },
            palette: Palette::of(picture.theme, is_shogi),
            pieces: Pieces {
                is_shogi,
                is_flipped: picture.is_flipped,
                has_letters: picture.has_letters,
            },
            markup: String::new(),
        }
    }

    fn draw(mut self, head: &str) -> String {
        let width = self.total_width();
        let height = self.board_y() + self.board_side() + BELOW + self.strip + MARGIN;
        let size = self.picture.size;
        let high = (size * height.unsigned_abs()).div_ceil(width.unsigned_abs());
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
        self.marks_below(&marks);
        self.labels();
        for color in Color::ALL {
            self.player(color);
        }
        for (square, piece) in self.view.diagram.board().pieces() {
            let (id, (x, y)) = (pieces::id(piece), self.corner(square));
            line!(self, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
        }
        if let Some((from, to)) = marks.way {
            line!(self, "{}", self.arrow(from, to));
        }
        self.markup.push_str("</svg>\n");
        self.markup
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
        held(&self.view.diagram, color)
    }

    fn board(&mut self) {
        let (x, y) = (LEFT, self.board_y());
        let side = self.board_side();
        let Palette {
            light, dark, edge, ..
        } = self.palette;
        line!(
            self,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{light}\"/>"
        );
        let mut path = String::new();
        if self.pieces.is_shogi {
            for at in 1..i32::from(self.width) {
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
            for square in Square::all(self.width) {
                if is_dark(square) {
                    let (x, y) = self.corner(square);
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
        let width = if self.picture.theme == Theme::Framed {
            6
        } else {
            8
        };
        line!(
            self,
            "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"{width}\">"
        );
        let below = self.board_y() + self.board_side();
        for (file, rank) in File::all(self.width).zip(Rank::all(self.width)) {
            let (x, y) = self.corner(Square::from_coords(file, rank));
            self.sign(file.letter(), x + 39, below + 5, 580);
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
        let is_over = self.view.score.is_some() || self.view.status.is_some();
        let is_to_move = turn == Some(color) && !is_over;
        let (y, height) = (self.strip_y(color), self.strip);
        let width = self.total_width() - 2 * MARGIN;
        let Palette {
            panel,
            tab,
            edge,
            accent,
            ..
        } = self.palette;
        let (stroke, thick, fill) = if is_to_move {
            (accent, 6, accent)
        } else {
            (edge, 2, tab)
        };
        if is_to_move {
            // Points to the board.
            let (from, to) = if self.is_above(color) {
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
        let x = self.total_width() - MARGIN - 52;
        let y = self.strip_y(color) + self.strip / 2 - 24;
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
        let right = self.total_width() - MARGIN - if self.view.score.is_some() { 62 } else { 4 };
        let scale = (1000 * (right - left) / needed).min(1000);
        let middle = self.strip_y(color) + self.strip / 2;
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

    /// Draws the marks below the pieces.
    fn marks_below(&mut self, marks: &Marks) {
        let Palette {
            last,
            last_line,
            check,
            ..
        } = self.palette;
        for &(square, used) in &marks.squares {
            let (x, y) = self.corner(square);
            let tint = tint(x, y, last, "0.62");
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
            line!(self, "{tint}{shape}");
        }
        if let Some((square, mark)) = marks.king {
            let (x, y) = self.corner(square);
            let shape = if mark == Mark::Virtual {
                frame(x, y, check, " stroke-dasharray=\"13 17\"")
            } else {
                tint(x, y, check, "0.5") + &frame(x, y, check, "")
            };
            line!(self, "{shape}");
        }
    }

    /// Draws an arrow from one square to another.
    fn arrow(&self, from: Square, to: Square) -> String {
        let [(x1, y1), (x2, y2)] = [from, to].map(|square| {
            let (x, y) = self.corner(square);
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
        let (color, rim) = (self.palette.accent, self.palette.background);
        format!("<path d=\"M{shape}z\" fill=\"{color}\" stroke=\"{rim}\" stroke-width=\"3\"/>")
    }

    fn board_side(&self) -> i32 {
        SQUARE * i32::from(self.width)
    }

    fn board_y(&self) -> i32 {
        MARGIN + self.strip + ABOVE
    }

    fn total_width(&self) -> i32 {
        LEFT + self.board_side() + MARGIN
    }

    /// Returns true if a player's side is above.
    fn is_above(&self, color: Color) -> bool {
        (color == Color::Black) != self.picture.is_flipped
    }

    /// Returns the top of a player's strip.
    fn strip_y(&self, color: Color) -> i32 {
        if self.is_above(color) {
            MARGIN
        } else {
            self.board_y() + self.board_side() + BELOW
        }
    }

    /// Returns the top left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file().index(), square.rank().index());
        let last = self.width - 1;
        let (column, row) = if self.picture.is_flipped {
            (last - file, rank)
        } else {
            (file, last - rank)
        };
        let (x, y) = (LEFT, self.board_y());
        (x + SQUARE * i32::from(column), y + SQUARE * i32::from(row))
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
}

/// Returns true for a dark square of a chequered board, such as a1.
pub fn is_dark(square: Square) -> bool {
    (square.file().index() + square.rank().index()).is_multiple_of(2)
}

/// Tints a square.
fn tint(x: i32, y: i32, color: &str, opacity: &str) -> String {
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" fill=\"{color}\" \
         fill-opacity=\"{opacity}\"/>"
    )
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

/// Returns what a player has in reserve in a diagram, with the number of each.
pub(super) fn held(diagram: &Diagram, color: Color) -> Vec<(Role, u8)> {
    let reserve = diagram.reserves().unwrap_or_default()[color.index()];
    let slots = diagram.variant().rules().slots();
    let counts = slots.map(|(role, _)| (role, reserve.count(role)));
    counts.filter(|(_, count)| *count > 0).collect()
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

/// Draws a view in PNG, without a font, a file or a display.
///
/// # Errors
///
/// If the width is none of [`SIZES`]. The other errors would be faults of this program.
pub fn png(view: &View<'_>, picture: &Picture) -> Result<Vec<u8>, Error> {
    let not_encoded = |error| {
        Error::refused(format!("the picture cannot be encoded: {error}")).with_source(error)
    };
    if !SIZES.contains(&picture.size) {
        let (least, most, size) = (SIZES.start(), SIZES.end(), picture.size);
        return Err(Error::refused(format!(
            "a picture is {least} to {most} pixels wide, not {size}"
        )));
    }
    let pixels = pixels(&drawing(view, *picture))
        .ok_or_else(|| Error::refused("the picture cannot be drawn"))?;
    let (depth, level) = if picture.is_compact {
        (BitDepth::Four, 9)
    } else {
        // Three times as fast as what the next levels take, for a quarter more bytes.
        (BitDepth::Eight, 1)
    };
    let colors = 1 << (depth as usize);
    let (palette, mut indices) = indexed(pixels.pixels(), colors);
    if depth == BitDepth::Four {
        let rows = indices.chunks(picture.size as usize);
        indices = rows.flat_map(packed).collect();
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(palette);
    encoder.set_deflate_compression(DeflateCompression::Level(level));
    // Numbers of colours are no brightness: a difference of two means nothing.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(not_encoded)?;
    let written = writer.write_image_data(&indices);
    written
        .and_then(|()| writer.finish())
        .map_err(not_encoded)?;
    Ok(file)
}

/// Packs the pixels of a row by two into each byte, the left one into the upper half.
fn packed(row: &[u8]) -> impl Iterator<Item = u8> {
    let pairs = row.chunks(2);
    pairs.map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default())
}

type Rgb = [u8; 3];

/// The colours that are alike, as many of their first bits as [`shade`] takes.
#[derive(Clone, Copy, Default)]
struct Shade {
    /// The colour of the longest run among them, which is that of a surface if one has it.
    color: Rgb,
    longest: usize,
    /// The number of pixels.
    count: usize,
}

/// The number of shades.
const SHADES: usize = 1 << 15;

/// Returns the number of a colour's shade.
fn shade([red, green, blue]: Rgb) -> usize {
    let bits = |part: u8| usize::from(part >> 3);
    bits(red) << 10 | bits(green) << 5 | bits(blue)
}

/// Returns so many colours, 256 at most, and for each pixel the number of the nearest. Each is
/// the one that is used most, and farthest from those before it.
///
/// A picture has few surfaces, and at their edges some hundred colours between theirs,
/// of which those that are alike become one. So the file is half as large, and encoded
/// in half the time. Nothing shows through the background, so that no colour is
/// transparent.
fn indexed(pixels: &[PremultipliedColorU8], colors: usize) -> (Vec<u8>, Vec<u8>) {
    let color = |run: &[PremultipliedColorU8]| [run[0].red(), run[0].green(), run[0].blue()];
    let runs = || pixels.chunk_by(|one, next| one == next);
    let mut shades = vec![Shade::default(); SHADES];
    for run in runs() {
        let color = color(run);
        let shade = &mut shades[shade(color)];
        shade.count += run.len();
        if run.len() > shade.longest {
            (shade.color, shade.longest) = (color, run.len());
        }
    }
    let mut used: Vec<Shade> = shades.into_iter().filter(|shade| shade.count > 0).collect();
    used.sort_unstable_by_key(|shade| (Reverse(shade.count), shade.color));
    let palette = palette(&used, colors);
    let mut numbers = vec![0; SHADES];
    for one in &used {
        numbers[shade(one.color)] = nearest(one.color, &palette);
    }
    let mut indices = Vec::with_capacity(pixels.len());
    for run in runs() {
        indices.resize(indices.len() + run.len(), numbers[shade(color(run))]);
    }
    (palette.into_flattened(), indices)
}

/// Chooses so many of the shades as the colours of a picture. The first ones are those of its
/// surfaces, which take most pixels; of the many between two of these a few show an edge.
fn palette(used: &[Shade], colors: usize) -> Vec<Rgb> {
    let mut palette = Vec::with_capacity(colors);
    // The distance of each shade from the nearest colour so far, times its pixels.
    let mut lost = vec![u64::MAX; used.len()];
    while palette.len() < colors.min(used.len()) {
        let worst = (0..used.len()).max_by_key(|at| (lost[*at], used[*at].count, Reverse(*at)));
        let color = used[worst.unwrap_or_default()].color;
        palette.push(color);
        for (lost, shade) in lost.iter_mut().zip(used) {
            let distance = u64::from(distance(shade.color, color));
            *lost = distance.saturating_mul(shade.count as u64).min(*lost);
        }
    }
    palette
}

/// Returns the number of the colour that is nearest.
fn nearest(color: Rgb, palette: &[Rgb]) -> u8 {
    let numbered = (0..=u8::MAX).zip(palette);
    let nearest = numbered.min_by_key(|(_, other)| distance(color, **other));
    nearest.map_or(0, |(number, _)| number)
}

/// Returns the square of the distance of two colours.
fn distance(one: Rgb, other: Rgb) -> u32 {
    let parts = one.iter().zip(other);
    parts
        .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
        .sum()
}
