//! The diagram: a board and the reserves, drawn as in the 1994 post or in another style, with
//! the signs of the pieces: letters, figurines, or the characters of shogi.
//!
//! One form is canonical, to the byte ([`Diagram`]'s `Display`), and a [`DiagramStyle`]
//! changes how a diagram is drawn. Reading (`read`) accepts every form that people and
//! mailers make of it, or refuses it with the place and the reason.

pub(super) mod hand;
pub(super) mod read;
mod row;

use std::fmt::{self, Write as _};

use crate::mail::quoting::line::Author;
use crate::notation::diagnostic::TextPlace;
use crate::paint;
use crate::printable::{counted, width};
use crate::rules::game::{Captured, Rules};
use crate::rules::{Board, Color, File, Piece, Position, Rank, Reserve, Role, Square, Variant};

/// A board and the reserves, independent of the rest of a position.
#[derive(Clone, Debug)]
pub struct Diagram {
    variant: Variant,
    board: Board,
    reserves: Option<[Reserve; 2]>,
}

impl Diagram {
    /// Makes the diagram of a position.
    pub fn of(position: &Position) -> Diagram {
        Diagram {
            variant: position.variant().clone(),
            board: position.board(),
            reserves: Some(Color::ALL.map(|color| position.reserve(color))),
        }
    }

    /// Makes a diagram of a board with these reserves, possible or not.
    pub(super) fn new(variant: &Variant, board: Board, reserves: Option<[Reserve; 2]>) -> Diagram {
        Diagram {
            variant: variant.clone(),
            board,
            reserves,
        }
    }

    /// Returns the game of the diagram.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the reserves, the first player's first, or none if the diagram does not
    /// show them.
    pub fn reserves(&self) -> Option<[Reserve; 2]> {
        self.reserves
    }

    /// Returns true if the diagram shows the position. If it shows no reserves, only
    /// the board counts.
    pub fn shows(&self, position: &Position) -> bool {
        self.board == position.board()
            && self
                .reserves
                .is_none_or(|reserves| Color::ALL.map(|color| position.reserve(color)) == reserves)
    }

    /// Returns the first difference from a position: a clause for people, and the
    /// square if it is on the board.
    pub fn difference(&self, position: &Position) -> Option<(String, Option<Square>)> {
        if let Some(square) = self.differing_squares(position).next() {
            let pieces = [self.board.get(square), position.get(square)];
            let [shown, is] = pieces.map(|piece| self.named(piece));
            let text = format!("it shows {shown} on {square}, where the moves put {is}");
            return Some((text, Some(square)));
        }
        let (color, role) = self.differing_kinds(position).next()?;
        let shown = self.reserves?[color.index()].count(role);
        let is = position.reserve(color).count(role);
        let (player, name) = (self.variant.player(color), role.name());
        let text = format!(
            "it shows {shown} of {player}'s {name}s in reserve, where the moves leave {is}"
        );
        Some((text, None))
    }

    /// Returns the number of squares and of kinds in reserve that differ from a
    /// position.
    pub(crate) fn distance(&self, position: &Position) -> usize {
        self.differing_squares(position).count() + self.differing_kinds(position).count()
    }

    /// Returns the squares that differ from a position.
    fn differing_squares(&self, position: &Position) -> impl Iterator<Item = Square> {
        let squares = reading_order(self.board.width());
        squares.filter(move |square| self.board.get(*square) != position.get(*square))
    }

    /// Returns the kinds in reserve of which the diagram shows another number than a position
    /// has, if it shows the reserves.
    fn differing_kinds(&self, position: &Position) -> impl Iterator<Item = (Color, Role)> {
        let shown = self.reserves.into_iter().flatten();
        let reserves = Color::ALL.into_iter().zip(shown);
        reserves.flat_map(move |(color, shown)| {
            let (is, slots) = (position.reserve(color), self.variant.rules().slots());
            let kinds = slots.map(move |(role, _)| (color, role));
            kinds.filter(move |(_, role)| shown.count(*role) != is.count(*role))
        })
    }

    /// Names a piece: "White's knight", "nothing".
    fn named(&self, piece: Option<Piece>) -> String {
        let Some(Piece { color, role }) = piece else {
            return "nothing".to_owned();
        };
        format!("{}'s {}", self.variant.player(color), role.name())
    }

    /// Counts the pieces of each player, on the board and in reserve.
    fn counts(&self) -> [Counts; 2] {
        let mut counts = [[0; Role::COUNT]; 2];
        for (_, piece) in self.board.pieces() {
            counts[piece.color.index()][piece.role.index()] += 1;
        }
        for (color, reserve) in self.reserves.into_iter().flatten().enumerate() {
            for (role, _) in self.variant.rules().slots() {
                counts[color][role.index()] += u32::from(reserve.count(role));
            }
        }
        counts
    }

    /// Returns the pieces of which the diagram has more than the game can give, as a clause.
    fn excess(&self) -> Option<String> {
        let counts = self.counts();
        let [most, _] = Diagram::of(&self.variant.start()).counts();
        match self.variant.rules().captured {
            Captured::ChangesSides => excess_of_both(&counts, &most),
            _ => Color::ALL.into_iter().find_map(|color| {
                let kinds = excess_of_one(&counts[color.index()], &most)?;
                Some(format!("{} has {kinds}", self.variant.player(color)))
            }),
        }
    }
}

/// The number of pieces of each role.
type Counts = [u32; Role::COUNT];

/// Returns the squares in reading order: from the top, from the left.
fn reading_order(width: u8) -> impl Iterator<Item = Square> {
    Rank::all(width)
        .rev()
        .flat_map(move |rank| File::all(width).map(move |file| Square::from_coords(file, rank)))
}

/// Names the pieces of which a chess player has too many: every piece beyond those of the
/// start was once a pawn.
fn excess_of_one(counts: &Counts, most: &Counts) -> Option<String> {
    let extra = |role: Role| counts[role.index()].saturating_sub(most[role.index()]);
    let many = |role: Role| counted(counts[role.index()] as usize, role.name());
    let mut basic = [Role::King, Role::Pawn].into_iter();
    if let Some(role) = basic.find(|role| extra(*role) > 0) {
        return Some(many(role));
    }
    let promoted: u32 = Role::ALL.into_iter().map(extra).sum();
    let pawns = Role::Pawn.index();
    if promoted <= most[pawns] - counts[pawns] {
        return None;
    }
    let role = Role::ALL.into_iter().find(|&role| extra(role) > 0)?;
    Some(format!("{} and {}", many(role), many(Role::Pawn)))
}

/// Names the pieces of shogi of which there are too many: they change sides and promote,
/// but are never lost or added.
fn excess_of_both(counts: &[Counts; 2], most: &Counts) -> Option<String> {
    for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
        let count = |side: &Counts| -> u32 {
            let same = Role::ALL.into_iter().filter(|other| other.base() == role);
            same.map(|role| side[role.index()]).sum()
        };
        let [own, other] = [&counts[0], &counts[1]].map(count);
        let has_too_many = if role == Role::King {
            own.max(other) > most[role.index()]
        } else {
            own + other > 2 * most[role.index()]
        };
        if has_too_many {
            let many = counted((own + other) as usize, role.name());
            return Some(format!("there are {many}"));
        }
    }
    None
}

/// A diagram with its place in a text.
#[derive(Clone, Debug)]
pub struct LocatedDiagram {
    /// The diagram.
    pub diagram: Diagram,
    /// The author of its first line.
    pub author: Author,
    /// The place of its first square.
    pub place: TextPlace,
    /// True if the edges tell from which side the board is seen.
    pub(super) tells_side: bool,
    /// The place of each square, in the order of [`reading_order`].
    places: Vec<TextPlace>,
}

impl LocatedDiagram {
    /// Makes a diagram of which only the whole has a place.
    pub(super) fn new(diagram: Diagram, author: Author, place: TextPlace) -> LocatedDiagram {
        LocatedDiagram {
            diagram,
            author,
            place,
            tells_side: false,
            places: Vec::new(),
        }
    }

    /// Returns the place where a square of the board is drawn.
    pub fn place_of(&self, square: Square) -> Option<TextPlace> {
        let at = reading_order(self.diagram.board().width()).position(|other| other == square)?;
        self.places.get(at).copied()
    }
}

/// The error for a diagram that cannot be read, with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct DiagramError {
    /// The place of the fault.
    pub place: TextPlace,
    message: String,
}

impl DiagramError {
    fn new(place: TextPlace, message: impl fmt::Display) -> DiagramError {
        DiagramError {
            place,
            message: message.to_string(),
        }
    }
}

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
            " ".repeat(self.square - width(&sign)) + &self.painted(piece.map(|p| p.color), sign)
        });
        self.line(char::from(b'1' + rank), squares)
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
        let widest = beside.iter().map(|text| width(text)).max()?;
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
    pub fn beyond_ascii(rules: &Rules) -> Script {
        if rules.kinds.iter().all(|kind| figurine(kind.role).is_some()) {
            Script::Figurines
        } else {
            Script::Kanji
        }
    }

    /// Returns the sign of a piece. The sign alone may not show its owner.
    pub(crate) fn sign(self, piece: Piece) -> String {
        let sign = match self {
            Script::Letters => None,
            Script::Figurines => figurine(piece.role).map(|signs| signs[piece.color.index()]),
            Script::Kanji => {
                let found = KANJI.iter().find(|(role, ..)| *role == piece.role);
                found.map(|(_, sign, _)| *sign)
            }
        };
        match sign {
            // Without a selector programs draw this pawn alone as an emoji.
            Some('♟') => "♟\u{fe0e}".to_owned(),
            Some(sign) => sign.into(),
            None => piece.to_string(),
        }
    }

    /// Returns true if the sign alone shows the owner of a piece.
    fn shows_sides(self) -> bool {
        self != Script::Kanji
    }

    /// Returns the sign of an empty square.
    fn empty(self) -> char {
        match self {
            Script::Letters => '-',
            Script::Figurines => '·',
            Script::Kanji => '・',
        }
    }

    /// Returns the number of columns of a sign, without the `+` of a promoted letter.
    fn columns(self) -> usize {
        if self == Script::Kanji { 2 } else { 1 }
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
fn is_mark(sign: char) -> bool {
    matches!(sign, MARK | 'ｖ' | '∨')
}

/// Returns true if the sign stands for an empty square in every game.
fn is_empty(sign: char) -> bool {
    matches!(
        sign,
        '-' | '.' | '_' | '*' | '·' | '・' | '･' | '•' | '∙' | '⋅' | '□'
    )
}
