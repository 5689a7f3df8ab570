//! A position as a picture: in SVG, whose drawing `raster` has in pixels.
//!
//! It needs no font and nothing from elsewhere: signs and pieces are paths. Their places are in
//! hundredths of a square. Each line of the SVG is a tag or a few of them, or a line of the post
//! in `<desc>`, so that `check` and `show` read the post (`quoting::boilerplate`). Nothing that a
//! user wrote is in it, but for the moves, which are written anew.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use clap::ValueEnum;
use serde::Serialize;
use textwrap::wrap;
use unicode_normalization::UnicodeNormalization as _;

use crate::Error;
use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::move_list::numbered_step;
use crate::printable::xml;
use crate::render::annotation::{Annotation, Annotations, Coords};
use crate::render::pieces::{self, Pieces};
use crate::render::text;
use crate::render::view::{Score, View};
use crate::rules::{Color, File, Mark, Piece, Ply, Position, Rank, Record, Role, Square, Variant};

/// The widths of pictures, in pixels.
pub const SIZES: RangeInclusive<u32> = 64..=4096;

/// The smallest width of a game with reserves: below it the numbers in reserve cannot be read.
pub const LEAST_WITH_RESERVES: u32 = 160;

/// The form of a picture of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The width in pixels, one of [`SIZES`]; of a game with reserves at least
    /// [`LEAST_WITH_RESERVES`]. The height follows from the game.
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
    /// What is drawn on the board and below it.
    pub annotations: Annotations,
}

impl Default for Picture {
    fn default() -> Picture {
        Picture {
            size: 480,
            is_flipped: false,
            theme: Theme::Light,
            has_letters: false,
            is_compact: false,
            annotations: Annotations::default(),
        }
    }
}

impl Picture {
    /// Checks that a position of a game can be drawn in this form.
    ///
    /// # Errors
    ///
    /// If it is too small or too large, or its annotations are not for this board.
    pub fn check(&self, variant: &Variant) -> Result<(), Error> {
        let (least, most, size) = (SIZES.start(), SIZES.end(), self.size);
        if !SIZES.contains(&size) {
            return Err(Error::refused(format!(
                "a picture is {least} to {most} pixels wide, not {size}"
            )));
        }
        let rules = variant.rules();
        if rules.has_reserve() && size < LEAST_WITH_RESERVES {
            return Err(Error::refused(format!(
                "a picture of {} must be at least {LEAST_WITH_RESERVES} pixels wide, not {size}: the numbers of the pieces in reserve could not be read",
                variant.game().name
            )));
        }
        self.annotations.check(rules, pieces::draws)
    }

    /// Returns this form for the positions before the annotated one.
    pub(super) fn without_drawings(&self) -> Picture {
        let annotations = Annotations {
            arrows: Vec::new(),
            circles: Vec::new(),
            lights: Vec::new(),
            ..self.annotations.clone()
        };
        Picture {
            annotations,
            ..self.clone()
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

/// The room around everything else.
const MARGIN: i32 = 14;

/// The width of the part of a strip with the player's sign.
const PANEL: i32 = 76;

/// The room above or below the board on a side without names of files.
const EDGE: i32 = 24;

/// The room for the names of the ranks beside the board.
const RANKS: i32 = 46;

/// The room for the names of the files above or below the board.
const FILES: i32 = 62;

/// The height of a line of a caption.
const CAPTION_LINE: i32 = 58;

/// The size of the signs of a caption, in thousandths.
const CAPTION_SCALE: i32 = 500;

/// Draws a view in SVG. Its title says in words what it shows, and its post is in the description.
///
/// # Errors
///
/// If the picture is too small or too large, or its annotations are not for this board.
pub fn svg(view: &View<'_>, picture: &Picture) -> Result<String, Error> {
    picture.check(view.diagram.variant())?;
    let post = text::post(view, DiagramStyle::default());
    let head = format!(
        "<title>{}</title>\n<desc>\n{}</desc>\n",
        ascii(&xml(&title(view, picture))),
        xml(&post)
    );
    Ok(Canvas::new(view, picture).draw(&head))
}

/// Says in words what a picture shows, the caption first.
pub(super) fn title(view: &View<'_>, picture: &Picture) -> String {
    let words = text::words(view, picture.is_flipped);
    let lines = words.lines().filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.strip_prefix("Game: ").unwrap_or(line));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    if let Some(record) = view.record
        && let Some(last) = record.steps().len().checked_sub(1)
    {
        // Among the words of the form `words` it would be read as a list.
        lines.insert(1, format!("Last move: {}.", numbered_step(record, last)));
    }
    let caption = picture.annotations.caption();
    let sentences = caption.iter().chain(&lines).map(|line| {
        let end = if line.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        format!("{line}{end}")
    });
    sentences.collect::<Vec<String>>().join(" ")
}

/// Writes what is not ASCII as references.
fn ascii(text: &str) -> String {
    let mut plain = String::new();
    for sign in text.chars() {
        if sign.is_ascii() {
            plain.push(sign);
        } else {
            // Writing to a text cannot fail.
            let _ = write!(plain, "&#{};", u32::from(sign));
        }
    }
    plain
}

/// Draws a view without words.
pub(super) fn drawing(view: &View<'_>, picture: &Picture) -> String {
    Canvas::new(view, picture).draw("")
}

/// Draws circles and arrows alone, on a board whose squares are [`SQUARE`] wide, for a page.
pub(super) fn overlay(view: &View<'_>, picture: &Picture) -> String {
    let mut canvas = Canvas::new(view, picture);
    let (left, top, side) = (canvas.board_x(), canvas.board_y(), canvas.board_side());
    canvas.drawings();
    format!(
        "<svg id=\"drawn\" viewBox=\"{left} {top} {side} {side}\" aria-hidden=\"true\">\n{}</svg>\n",
        canvas.markup
    )
}

/// A picture being drawn.
struct Canvas<'v> {
    view: &'v View<'v>,
    picture: &'v Picture,
    /// The number of files, and of ranks.
    width: u8,
    /// The height of a player's strip.
    strip: i32,
    palette: Palette,
    pieces: Pieces,
    /// The ids of the pieces that are shown.
    ids: BTreeMap<Piece, String>,
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
    fn new(view: &'v View<'v>, picture: &'v Picture) -> Canvas<'v> {
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
            ids: BTreeMap::new(),
            markup: String::new(),
        }
    }

    fn draw(mut self, head: &str) -> String {
        let width = self.total_width();
        let caption = self.caption();
        let [one, other] = Color::ALL.map(|color| self.strip_y(color));
        let lower = one.max(other) + self.strip;
        let lines = i32::try_from(caption.len()).unwrap_or_default();
        let height = lower + MARGIN + lines * CAPTION_LINE;
        let size = self.picture.size;
        let high = (size * height.unsigned_abs()).div_ceil(width.unsigned_abs());
        // As high as whole pixels are, so that the drawing keeps its proportions in them.
        let height = f64::from(high) * f64::from(width) / f64::from(size);
        line!(
            self,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{high}\" \
             viewBox=\"0 0 {width} {height:.4}\" role=\"img\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        );
        self.markup.push_str(head);
        self.define();
        line!(
            self,
            "<rect width=\"{width}\" height=\"{height:.4}\" fill=\"{}\"/>",
            self.palette.background
        );
        self.board();
        self.lights();
        let marks = Marks::of(self.view.record);
        self.marks_below(&marks);
        for color in Color::ALL {
            self.player(color);
        }
        for (square, piece) in self.view.diagram.board().pieces() {
            let (id, (x, y)) = (&self.ids[&piece], self.corner(square));
            line!(self, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
        }
        self.labels();
        if let Some((from, to)) = marks.way {
            line!(self, "{}", self.arrow(from, to, self.palette.accent));
        }
        self.drawings();
        self.write_caption(&caption, lower + MARGIN);
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
            let (id, body) = self.pieces.definition(piece);
            line!(self, "<g id=\"{id}\">{body}</g>");
            self.ids.insert(piece, id);
        }
        self.markup.push_str("</defs>\n");
    }

    /// Returns what a player has in reserve, with the number of each.
    fn held(&self, color: Color) -> Vec<(Role, u8)> {
        held(&self.view.diagram, color)
    }

    fn board(&mut self) {
        let (x, y) = (self.board_x(), self.board_y());
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
        let coords = self.coords();
        if coords == Coords::None {
            return;
        }
        let (text, inside) = (self.palette.text, self.palette.edge);
        let (text, width) = match (coords, self.picture.theme) {
            (Coords::In, _) => (inside, 6),
            (Coords::Shogi, _) | (_, Theme::Framed) => (text, 6),
            _ => (text, 8),
        };
        line!(
            self,
            "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"{width}\">"
        );
        let (left, top, side) = (self.board_x(), self.board_y(), self.board_side());
        for (file, rank) in File::all(self.width).zip(Rank::all(self.width)) {
            let (x, y) = self.corner(Square::from_coords(file, rank));
            match coords {
                Coords::In => {
                    self.sign(file.letter(), x + 80, top + side - 28, 380);
                    self.sign(rank.digit(), left + 7, y + 8, 380);
                }
                Coords::Shogi => {
                    let number = |index: u8| char::from(b'9' - index);
                    self.sign(number(file.index()), x + 39, top - 40, 580);
                    let numeral = NUMERALS[usize::from(8 - rank.index())];
                    self.sign(numeral, left + side + 11, y + 32, 600);
                }
                _ => {
                    self.sign(file.letter(), x + 39, top + side + 5, 580);
                    self.sign(rank.digit(), 11, y + 32, 600);
                }
            }
        }
        self.markup.push_str("</g>\n");
    }

    fn coords(&self) -> Coords {
        self.picture.annotations.coords.unwrap_or_default()
    }

    /// Tints the squares of `--light`.
    fn lights(&mut self) {
        for Annotation { squares, color } in &self.picture.annotations.lights {
            for square in squares {
                let (x, y) = self.corner(*square);
                line!(self, "{}", tint(x, y, color.hex(), "0.55"));
            }
        }
    }

    /// Draws circles and arrows, above the pieces.
    fn drawings(&mut self) {
        let annotations = &self.picture.annotations;
        for Annotation { squares, color } in &annotations.circles {
            for square in squares {
                let (x, y) = self.corner(*square);
                let place = format!("cx=\"{}\" cy=\"{}\" r=\"43\" fill=\"none\"", x + 50, y + 50);
                line!(
                    self,
                    "<circle {place} stroke=\"#ffffff\" stroke-width=\"12\"/>\
                     <circle {place} stroke=\"{}\" stroke-width=\"8\"/>",
                    color.hex()
                );
            }
        }
        for Annotation { squares, color } in &annotations.arrows {
            if let [from, to] = squares[..] {
                line!(self, "{}", self.arrow(from, to, color.hex()));
            }
        }
    }

    /// Returns the lines of the caption, the marks of letters apart.
    fn caption(&self) -> Vec<String> {
        let caption = self.picture.annotations.caption().unwrap_or_default();
        let caption: String = caption.nfd().collect();
        let columns = (self.total_width() - 2 * MARGIN) / advance('n');
        let lines = wrap(&caption, usize::try_from(columns).unwrap_or(1)).into_iter();
        let lines = lines.map(Cow::into_owned);
        lines.filter(|line| !line.is_empty()).collect()
    }

    fn write_caption(&mut self, lines: &[String], top: i32) {
        let text = self.palette.text;
        for (line, number) in lines.iter().zip(0..) {
            line!(
                self,
                "<g fill=\"none\" stroke=\"{text}\" stroke-width=\"7\">"
            );
            let wide: i32 = line.chars().map(advance).sum();
            let mut x = (self.total_width() - wide) / 2;
            let mut is_tall = false;
            for sign in line.chars() {
                let step = advance(sign);
                // A mark stands above the letter before it, a narrow sign in the middle of its room.
                let wide = advance('n');
                let at = if step == 0 {
                    x - wide
                } else {
                    x - (wide - step) / 2
                };
                let up = if step == 0 && is_tall && !matches!(sign, '\u{326}'..='\u{328}') {
                    8
                } else {
                    0
                };
                if sign != ' ' {
                    self.sign(sign, at, top + number * CAPTION_LINE - up, CAPTION_SCALE);
                }
                is_tall = sign.is_uppercase();
                x += step;
            }
            self.markup.push_str("</g>\n");
        }
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
        let turn = self.view.turn();
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
                self.ids[&role.of(color)],
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
                SquareUse::Reached => frame(x, y, last_line),
                SquareUse::Dropped => format!(
                    "<path d=\"M{x} {y}m5 27v-22h22m46 0h22v22m0 46v22h-22m-46 0h-22v-22\" \
                     fill=\"none\" stroke=\"{last_line}\" stroke-width=\"7\"/>"
                ),
            };
            line!(self, "{tint}{shape}");
        }
        if let Some((square, mark)) = marks.king {
            let (x, y) = self.corner(square);
            let (x, y) = (x + 50, y + 50);
            let look = if mark == Mark::Virtual {
                format!(
                    "fill=\"none\" stroke=\"{check}\" stroke-width=\"6\" stroke-dasharray=\"9 11\""
                )
            } else {
                format!("fill=\"{check}\" stroke=\"#ffffff\" stroke-width=\"3\"")
            };
            let shape = format!("<path d=\"M{x} {y}{STAR}\" {look}/>");
            line!(self, "{shape}");
        }
    }

    /// Draws an arrow from one square to another.
    fn arrow(&self, from: Square, to: Square, color: &str) -> String {
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
        let (start, neck, tip) = (18.0, length - 40.0, length - 8.0);
        let tail = [at(start, 6.0), at(neck, 6.0)];
        let head = [at(neck, 20.0), at(tip, 0.0), at(neck, -20.0)];
        let back = [at(neck, -6.0), at(start, -6.0)];
        let shape = [&tail[..], &head, &back].concat().join("L");
        let rim = self.palette.background;
        format!("<path d=\"M{shape}z\" fill=\"{color}\" stroke=\"{rim}\" stroke-width=\"3\"/>")
    }

    fn board_side(&self) -> i32 {
        SQUARE * i32::from(self.width)
    }

    /// Returns the room around the board: left, right, above and below.
    fn room(&self) -> [i32; 4] {
        match self.coords() {
            Coords::Out => [RANKS, MARGIN, EDGE, FILES],
            Coords::Shogi => [MARGIN, RANKS, FILES, EDGE],
            Coords::In | Coords::None => [MARGIN, MARGIN, EDGE, EDGE],
        }
    }

    fn board_x(&self) -> i32 {
        self.room()[0]
    }

    fn board_y(&self) -> i32 {
        MARGIN + self.strip + self.room()[2]
    }

    fn total_width(&self) -> i32 {
        self.board_x() + self.board_side() + self.room()[1]
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
            self.board_y() + self.board_side() + self.room()[3]
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
        let (x, y) = (self.board_x(), self.board_y());
        (x + SQUARE * i32::from(column), y + SQUARE * i32::from(row))
    }
}

/// A star around the square of a king that is aimed at, from its middle: no mark of a turn has points.
const STAR: &str = "m0 -60l16 21l26 -3l-3 26l21 16l-21 16l3 26l-26 -3l-16 21l-16 -21l-26 3l3 -26l-21 -16l21 -16l-3 -26l26 3z";

/// The ranks of shogi in Japanese, from the top.
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Returns the room that a sign of a caption takes; a mark above a letter takes none.
fn advance(sign: char) -> i32 {
    match sign {
        '\u{300}'..='\u{36f}' => 0,
        'i' | 'l' | 'j' | 'I' | '.' | ',' | ':' | ';' | '!' | '\'' | '(' | ')' | ' ' => 14,
        'm' | 'w' | 'M' | 'W' => 25,
        _ => 24,
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
fn frame(x: i32, y: i32, color: &str) -> String {
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"92\" height=\"92\" fill=\"none\" stroke=\"{color}\" \
         stroke-width=\"8\"/>",
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
