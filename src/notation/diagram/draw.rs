//! Draws diagrams in different styles, with the signs of the pieces: letters, figurines, or
//! the characters of shogi.

use std::fmt::{self, Write as _};

use crate::columns::columns;
use crate::notation::diagram::Diagram;
use crate::paint;
use crate::rules::game::Rules;
use crate::rules::{Color, Piece, Reserve, Role, Square};

/// The style of a diagram; the default is that of the 1994 format. Every style reads back
/// as the same diagram.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct DiagramStyle {
    /// The signs of the pieces.
    pub script: Script,
    /// True if the edges name files and ranks.
    pub has_edges: bool,
    /// True if the second player's side is below. The edges are then always drawn,
    /// because only they show the side.
    pub is_flipped: bool,
    /// True if a [`MARK`] stands before each piece of the second player on the board,
    /// to tell it from the first player's at a glance.
    pub has_marks: bool,
    /// True if colours set pieces and empty squares apart, for a terminal.
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
        f.write_str(&self.draw(DiagramStyle::default()))
    }
}

impl Diagram {
    /// Draws the diagram in this style. Each line has its line ending.
    #[must_use]
    pub fn draw(&self, style: DiagramStyle) -> String {
        Drawing::new(self, style).to_string()
    }
}

/// A diagram with the columns it is drawn in.
struct Drawing<'d> {
    diagram: &'d Diagram,
    style: DiagramStyle,
    /// The number of ranks, and of files.
    width: u8,
    /// The number of columns of a square: for a mark, a `+` and the sign, as far as
    /// they can occur.
    square: usize,
    /// True if the first of these columns is empty in every row.
    is_narrow: bool,
}

impl<'d> Drawing<'d> {
    fn new(diagram: &'d Diagram, style: DiagramStyle) -> Drawing<'d> {
        let rules = diagram.variant.rules();
        let has_promoted = rules.kinds.iter().any(|kind| kind.role.is_promoted());
        // The blank between two squares has room for a mark or a `+`, not for both.
        let has_both = style.has_marks && style.script.shows_sides();
        Drawing {
            diagram,
            style: DiagramStyle {
                has_edges: style.has_edges || style.is_flipped,
                has_marks: style.has_marks || !style.script.shows_sides(),
                ..style
            },
            width: rules.width,
            square: 1 + usize::from(has_both) + style.script.columns(),
            is_narrow: style.script.shows_sides() && !has_promoted,
        }
    }

    /// Returns the ranks from the top or the files from the left, counted from 0.
    fn order(&self, is_rank: bool) -> impl Iterator<Item = u8> + use<> {
        let is_downward = is_rank != self.style.is_flipped;
        let last = self.width - 1;
        (0..self.width).map(move |at| if is_downward { last - at } else { at })
    }

    /// Formats a line of the board: its label, and for each file a text as wide as a
    /// square.
    fn line(&self, label: char, squares: impl Iterator<Item = String>) -> String {
        let squares: String = squares.collect();
        if self.style.has_edges {
            format!("{label} {squares}")
        } else {
            squares[usize::from(self.is_narrow)..].to_owned()
        }
    }

    fn rank(&self, rank: u8) -> String {
        let squares = self.order(false).map(|file| {
            let piece = Square::new(file, rank).and_then(|at| self.diagram.board.get(at));
            let sign = piece.map_or_else(|| self.style.script.empty().into(), |p| self.sign(p));
            // `chars` counts one column for a wide sign.
            let columns = sign.chars().count() + self.style.script.columns() - 1;
            " ".repeat(self.square - columns) + &self.painted(piece.map(|p| p.color), sign)
        });
        let label = char::from(b'1' + rank);
        self.line(label, squares)
    }

    fn sign(&self, piece: Piece) -> String {
        let sign = self.style.script.sign(piece);
        if self.style.has_marks && piece.color == Color::Black {
            format!("{MARK}{sign}")
        } else {
            sign
        }
    }

    /// Paints the sign of a player's piece, or of an empty square.
    fn painted(&self, color: Option<Color>, sign: String) -> String {
        if !self.style.is_painted || sign.is_empty() {
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
        let sign = self.style.script.columns();
        let squares = self.order(false).map(|file| {
            let letter = char::from(b'a' + file);
            " ".repeat(self.square - sign) + &format!("{letter:<sign$}")
        });
        self.line(' ', squares)
    }

    /// Returns the number of columns of the board.
    fn columns(&self) -> usize {
        let squares = self.square * usize::from(self.width);
        if self.style.has_edges {
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
                for &(role, slots) in *slots {
                    lines[pieces + row] += &self.held(reserves[color.index()], color, role, slots);
                }
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
        let room = self.style.room?;
        let plain = DiagramStyle {
            is_painted: false,
            room: None,
            ..self.style
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
            let reserve = reserves[color.index()];
            for (role, _) in rules.slots() {
                let wide = usize::from(reserve.count(role)) * self.style.script.columns();
                if wide == 0 {
                    continue;
                }
                if taken >= INDENT && taken + 1 + wide > room {
                    text.push_str("\n ");
                    taken = INDENT - 1;
                }
                let _ = write!(text, " {}", self.held(reserve, color, role, 0));
                taken += 1 + wide;
            }
            let nothing = if taken < INDENT { " -" } else { "" };
            let _ = writeln!(text, "{nothing}");
        }
        text
    }

    /// Returns the players, the one whose side is above first.
    fn sides(&self) -> [Color; 2] {
        if self.style.is_flipped {
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
        let script = self.style.script;
        let (count, slots) = (usize::from(reserve.count(role)), usize::from(slots));
        let sign = script.sign(role.of(color));
        let empty = String::from(script.empty());
        let held = self.painted(Some(color), sign.repeat(count));
        held + &self.painted(None, empty.repeat(slots.saturating_sub(count)))
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board: Vec<String> = self.order(true).map(|rank| self.rank(rank)).collect();
        if self.style.has_edges {
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

/// The signs that pieces are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Script {
    /// Letters, capitals for the first player.
    #[default]
    Letters,
    /// The figurines of chess, white for the first player.
    Figurines,
    /// The characters of shogi, two columns wide. A [`MARK`] stands before each piece
    /// of the second player.
    Kanji,
}

/// Stands before a piece of the second player if its sign does not show the owner, as
/// in the diagrams of shogi players. It looks like no empty square and is no letter of
/// a piece.
pub const MARK: char = 'v';

/// The figurines of each piece, the first player's first.
const FIGURINES: [(Role, [char; 2]); 6] = [
    (Role::King, ['♔', '♚']),
    (Role::Queen, ['♕', '♛']),
    (Role::Rook, ['♖', '♜']),
    (Role::Bishop, ['♗', '♝']),
    (Role::Knight, ['♘', '♞']),
    (Role::Pawn, ['♙', '♟']),
];

/// The characters of shogi: the one that is written, and others that are read as the
/// same piece.
const KANJI: [(Role, char, &str); 14] = [
    (Role::King, '玉', "王"),
    (Role::Rook, '飛', ""),
    (Role::Bishop, '角', ""),
    (Role::Gold, '金', ""),
    (Role::Silver, '銀', ""),
    (Role::Knight, '桂', ""),
    (Role::Lance, '香', ""),
    (Role::Pawn, '歩', ""),
    (Role::Dragon, '龍', "竜"),
    (Role::Horse, '馬', ""),
    (Role::PromotedSilver, '全', ""),
    (Role::PromotedKnight, '圭', ""),
    (Role::PromotedLance, '杏', ""),
    (Role::Tokin, 'と', ""),
];

impl Script {
    /// Returns the script that replaces letters in a game: figurines if every piece has
    /// one, or else the characters of shogi.
    #[must_use]
    pub fn beyond_ascii(rules: &Rules) -> Script {
        if rules.kinds.iter().all(|kind| figurine(kind.role).is_some()) {
            Script::Figurines
        } else {
            Script::Kanji
        }
    }

    /// Returns the sign of a piece. The sign alone may not show its owner.
    pub(super) fn sign(self, piece: Piece) -> String {
        let sign = match self {
            Script::Letters => None,
            Script::Figurines => figurine(piece.role).map(|signs| signs[piece.color.index()]),
            Script::Kanji => {
                let found = KANJI.iter().find(|(role, ..)| *role == piece.role);
                found.map(|(_, sign, _)| *sign)
            }
        };
        sign.map_or_else(|| piece.to_string(), String::from)
    }

    /// Returns true if the sign alone shows the owner of a piece.
    pub(super) fn shows_sides(self) -> bool {
        self != Script::Kanji
    }

    /// Returns the sign of an empty square.
    pub(super) fn empty(self) -> char {
        match self {
            Script::Letters => '-',
            Script::Figurines => '·',
            Script::Kanji => '・',
        }
    }

    /// Returns the number of columns of a sign, without the `+` of a promoted letter.
    pub(super) fn columns(self) -> usize {
        match self {
            Script::Letters | Script::Figurines => 1,
            Script::Kanji => 2,
        }
    }
}

fn figurine(role: Role) -> Option<[char; 2]> {
    let found = FIGURINES.iter().find(|(other, _)| *other == role);
    found.map(|(_, signs)| *signs)
}

/// Returns the piece of a character of shogi.
pub(super) fn kanji(sign: char) -> Option<Role> {
    let is_it = |(_, usual, others): &&(_, char, &str)| *usual == sign || others.contains(sign);
    KANJI.iter().find(is_it).map(|(role, ..)| *role)
}

/// Returns true if the sign marks the next piece as the second player's.
pub(super) fn is_mark(sign: char) -> bool {
    matches!(sign, MARK | 'ｖ' | '∨')
}

/// Returns true if the sign stands for an empty square in every game.
pub(super) fn is_empty(sign: char) -> bool {
    matches!(
        sign,
        '-' | '.' | '_' | '*' | '·' | '・' | '･' | '•' | '∙' | '⋅' | '□'
    )
}

/// Returns the side of a letter, by its case.
pub(in crate::notation) fn side(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}
