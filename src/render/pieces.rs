//! The pieces in their colours, and their outlines as data. The sides differ by fill and by
//! outline, in shogi by direction, too.
//!
//! Outlines and strokes are written in the language of SVG's paths. All are drawn for this
//! program, so that no picture needs a font. A piece lies in a box of 100 by 100.

use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization as _;

use crate::notation::diagram::Script;
use crate::rules::{Color, Piece, Role, Rules};

/// The style of the pieces.
pub(super) struct Pieces {
    pub(super) is_shogi: bool,
    pub(super) is_flipped: bool,
    pub(super) has_letters: bool,
}

/// The colours of the pieces, the first player's first.
struct Inks {
    fill: [&'static str; 2],
    outline: [&'static str; 2],
    /// The lines inside, characters and letters.
    line: [&'static str; 2],
}

/// The light rim of a dark piece.
const RIM: &str = "#fbf6e9";

const CHESS: Inks = Inks {
    fill: ["#ffffff", "#34302c"],
    outline: ["#1d1b18", "#141210"],
    line: ["#1d1b18", RIM],
};

const SHOGI: Inks = Inks {
    fill: ["#fdf0d0", "#4a3a2c"],
    outline: ["#3a2c17", "#1a120b"],
    line: ["#1c1510", "#fff6df"],
};

/// The lines inside a player's promoted pieces.
const PROMOTED: [&str; 2] = ["#b3201a", "#ffb4a2"];

/// Returns true if pieces promote, and belong to shogi.
pub(super) fn are_of_shogi(rules: &Rules) -> bool {
    rules.kinds.iter().any(|kind| kind.role.is_promoted())
}

/// Returns the name of a piece, `wK` or `bpR`.
pub(super) fn id(piece: Piece) -> String {
    let promoted = if piece.role.is_promoted() { "p" } else { "" };
    format!("{}{promoted}{}", piece.color.letter(), piece.role.letter())
}

impl Pieces {
    /// Returns the id of a piece in a picture and its drawing, in a box of 100 by 100. The id depends
    /// on the drawing, so that two pictures on one page share only ids of the same drawing.
    pub(super) fn definition(&self, piece: Piece) -> (String, String) {
        let body = self.body(piece);
        let hash = crc32fast::hash(body.as_bytes());
        (format!("{}-{hash:08x}", id(piece)), body)
    }

    /// Draws a piece, in a box of 100 by 100.
    pub(super) fn body(&self, piece: Piece) -> String {
        match shape(piece.role.name()).split_once('\t') {
            Some((outline, details)) if !self.is_shogi => man(outline, details, piece.color),
            _ => self.tile(piece),
        }
    }

    /// Draws a player's sign around a place: a disc, or a piece of shogi without a face.
    pub(super) fn badge(&self, color: Color, x: i32, y: i32) -> String {
        if self.is_shogi {
            let body = self.wood(color);
            let (x, y) = (x - 29, y - 28);
            return format!("<g transform=\"translate({x} {y}) scale(0.58)\">{body}</g>");
        }
        let (fill, outline) = (CHESS.fill[color.index()], CHESS.outline[color.index()]);
        let rim = match color {
            Color::White => String::new(),
            Color::Black => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"24\" fill=\"{RIM}\"/>"),
        };
        format!(
            "{rim}<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"{fill}\" stroke=\"{outline}\" \
             stroke-width=\"4\"/>"
        )
    }

    /// Returns true if a player's pieces of shogi point down.
    fn points_down(&self, color: Color) -> bool {
        (color == Color::Black) != self.is_flipped
    }

    /// Draws a piece of shogi without a face.
    fn wood(&self, color: Color) -> String {
        solid(TILE, self.turned(color), &SHOGI, color, ["9", "3.5"])
    }

    fn turned(&self, color: Color) -> &'static str {
        if self.points_down(color) {
            " transform=\"rotate(180 50 50)\""
        } else {
            ""
        }
    }

    /// Draws a piece of shogi.
    fn tile(&self, piece: Piece) -> String {
        let is_promoted = piece.role.is_promoted();
        let side = piece.color.index();
        let ink = if is_promoted {
            PROMOTED[side]
        } else {
            SHOGI.line[side]
        };
        let turned = self.turned(piece.color);
        let mut body = self.wood(piece.color);
        if is_promoted {
            // Writing to a text cannot fail.
            let _ = write!(
                body,
                "<path d=\"{PROMOTED_TILE}\"{turned} fill=\"none\" stroke=\"{ink}\" stroke-width=\"3\"/>",
            );
        }
        body += &if self.has_letters {
            letters(piece.role, ink, self.points_down(piece.color))
        } else {
            character(piece.role, ink, turned)
        };
        body
    }
}

/// Draws a character. That of a promoted piece is smaller: a second line is around it.
fn character(role: Role, ink: &str, turned: &str) -> String {
    let strokes = shape(&Script::Kanji.sign(role.of(Color::White)));
    let (small, width) = if role.is_promoted() {
        (" transform=\"translate(6.5 7.5) scale(0.87)\"", "6.2")
    } else {
        ("", "5.4")
    };
    format!(
        "<g{turned} fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\">\
         <path d=\"{strokes}\"{small}/></g>"
    )
}

/// Draws the letter of a piece, upright whatever way the piece points, with a `+` if it
/// is promoted.
fn letters(role: Role, ink: &str, points_down: bool) -> String {
    let up = if points_down { 14 } else { 0 };
    let letter = shape(role.letter().encode_utf8(&mut [0; 4]));
    let signs = if role.is_promoted() {
        format!(
            "<path d=\"{}\" transform=\"translate(21 {}) scale(0.5)\"/>\
             <path d=\"{letter}\" transform=\"translate(44 {}) scale(0.78)\"/>",
            shape("+"),
            42 - up,
            35 - up
        )
    } else {
        format!(
            "<path d=\"{letter}\" transform=\"translate(33 {}) scale(0.85)\"/>",
            32 - up
        )
    };
    format!("<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"10.5\">{signs}</g>")
}

/// Draws a piece of chess.
fn man(outline: &str, details: &str, color: Color) -> String {
    let (width, thin) = match color {
        Color::White => ("5", "3.5"),
        Color::Black => ("4", "4"),
    };
    let body = solid(outline, "", &CHESS, color, ["10", width]);
    let line = CHESS.line[color.index()];
    format!("{body}<path d=\"{details}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"{thin}\"/>")
}

/// Draws the body of a piece with its outline; a dark one has a light rim around it. The widths
/// are those of the rim and of the outline.
fn solid(shape: &str, turned: &str, inks: &Inks, color: Color, widths: [&str; 2]) -> String {
    let (fill, outline) = (inks.fill[color.index()], inks.outline[color.index()]);
    let path = format!("<path d=\"{shape}\"{turned}");
    let [wide, width] = widths;
    let rim = match color {
        Color::White => String::new(),
        Color::Black => {
            format!("{path} fill=\"{RIM}\" stroke=\"{RIM}\" stroke-width=\"{wide}\"/>")
        }
    };
    format!("{rim}{path} fill=\"{fill}\" stroke=\"{outline}\" stroke-width=\"{width}\"/>")
}

/// The outlines of the pieces of chess, by their names, each with the lines inside it; the
/// strokes of the characters of shogi; and those of other signs, a digit, `½`, `+`, a file's
/// letter or the capital of a piece, in a box 40 wide and 60 high that stands on the line y = 60.
///
/// The key of a character is the one that [`Script::Kanji`] writes. The strokes of 龍 are those
/// of 竜, which is read as the same piece and has fewer.
pub(super) const SHAPES: &str = include_str!("pieces.tsv");

/// Returns true if a sign of a caption can be drawn: it has a shape, or a letter and marks that have.
pub(super) fn draws(sign: char) -> bool {
    sign.is_whitespace()
        || sign
            .nfd()
            .all(|part| !shape(part.encode_utf8(&mut [0; 4])).is_empty())
}

/// Returns the shape of a name or a sign, blank if it has none.
pub(super) fn shape(name: &str) -> &'static str {
    let mut shapes = SHAPES.lines().filter_map(|line| line.split_once('\t'));
    shapes
        .find_map(|(known, shape)| (known == name).then_some(shape))
        .unwrap_or_default()
}

/// The outline of every piece of shogi; it points to the opponent's side.
const TILE: &str = "M50 5L77 17L87 93H13L23 17Z";

/// A second line within the outline of a promoted piece.
const PROMOTED_TILE: &str = "M50 10.5L73.5 21L82 88.5H18L26.5 21Z";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_and_every_sign_has_its_shape() {
        let is_drawn = |name: &str| shape(name).starts_with('M');
        for role in Role::ALL {
            let sign = Script::Kanji.sign(role.of(Color::White));
            assert!(is_drawn(&sign), "{role}");
        }
        let marks = "½.,:;!?'\"()-/&=#×*<>%@$_[]€°ßøØæÆłŁı一二三四五六七八九".chars();
        let mut signs = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(marks);
        assert!(signs.all(|sign| is_drawn(&sign.to_string())));
        assert!(
            "Grüße, Ärger, façade, Erdős, İzmir, Iași, Łódź"
                .chars()
                .all(draws)
        );
        assert!(
            !"Привет 龍\u{7}"
                .chars()
                .any(|sign| sign != ' ' && sign != '龍' && draws(sign))
        );
        for role in [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ] {
            assert!(shape(role.name()).contains('\t'), "{role}");
        }
        assert_eq!(shape("gold"), "");
    }
}
