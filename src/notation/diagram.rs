//! The diagram: a board and the reserves, drawn as in the 1994 post.
//!
//! One form is canonical, to the byte ([`Diagram`]'s `Display`), and a
//! [`DiagramStyle`](draw::DiagramStyle) changes how a diagram is drawn. Reading (`read`)
//! accepts every form that people and mailers make of it, or refuses it with the place and
//! the reason.

pub mod draw;
pub(super) mod read;
mod row;

use std::fmt;

use crate::mail::quoting::line::Author;
use crate::notation::diagnostic::TextPlace;
use crate::plural::counted;
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
    #[must_use]
    pub fn of(position: &Position) -> Diagram {
        Diagram {
            variant: position.variant().clone(),
            board: position.board(),
            reserves: Some(Color::ALL.map(|color| position.reserve(color))),
        }
    }

    /// Returns the diagram without its reserves.
    #[must_use]
    pub fn without_reserves(self) -> Diagram {
        Diagram {
            reserves: None,
            ..self
        }
    }

    /// Returns the game of the diagram.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the reserves, the first player's first, or none if the diagram does not
    /// show them.
    #[must_use]
    pub fn reserves(&self) -> Option<[Reserve; 2]> {
        self.reserves
    }

    /// Returns true if the diagram shows the position. If it shows no reserves, only
    /// the board counts.
    #[must_use]
    pub fn shows(&self, position: &Position) -> bool {
        self.board == position.board()
            && self
                .reserves
                .is_none_or(|reserves| Color::ALL.map(|color| position.reserve(color)) == reserves)
    }

    /// Returns the first difference from a position: a clause for people, and the
    /// square if it is on the board.
    #[must_use]
    pub fn difference(&self, position: &Position) -> Option<(String, Option<Square>)> {
        for square in reading_order(self.board.width()) {
            let (shown, is) = (self.board.get(square), position.get(square));
            if shown != is {
                let [shown, is] = [shown, is].map(|piece| self.named(piece));
                let text = format!("it shows {shown} on {square}, where the moves put {is}");
                return Some((text, Some(square)));
            }
        }
        let reserves = self.reserves?;
        for color in Color::ALL {
            for (role, _) in self.variant.rules().slots() {
                let shown = reserves[color.index()].count(role);
                let is = position.reserve(color).count(role);
                if shown != is {
                    let player = self.variant.player(color);
                    let name = role.name();
                    let text = format!(
                        "it shows {shown} of {player}'s {name}s in reserve, where the moves leave {is}"
                    );
                    return Some((text, None));
                }
            }
        }
        None
    }

    /// Returns the number of squares and of kinds in reserve that differ from a
    /// position.
    #[must_use]
    pub fn distance(&self, position: &Position) -> usize {
        let squares = reading_order(self.board.width())
            .filter(|&square| self.board.get(square) != position.get(square))
            .count();
        let mut kinds = 0;
        for (color, reserve) in Color::ALL
            .into_iter()
            .zip(self.reserves.into_iter().flatten())
        {
            let is = position.reserve(color);
            let slots = self.variant.rules().slots();
            kinds += slots
                .filter(|&(role, _)| reserve.count(role) != is.count(role))
                .count();
        }
        squares + kinds
    }

    /// Names a piece: "White's knight", "nothing".
    fn named(&self, piece: Option<Piece>) -> String {
        let Some(Piece { color, role }) = piece else {
            return "nothing".to_owned();
        };
        format!("{}'s {}", self.variant.player(color), role.name())
    }

    /// Returns the pieces of which the diagram has more than the game can give, as a clause.
    fn excess(&self) -> Option<String> {
        let rules = self.variant.rules();
        let most = material(rules);
        let mut counts = [[0; Role::COUNT]; 2];
        for (_, piece) in self.board.pieces() {
            counts[piece.color.index()][piece.role.index()] += 1;
        }
        for (color, reserve) in self.reserves.into_iter().flatten().enumerate() {
            for (role, _) in rules.slots() {
                counts[color][role.index()] += u32::from(reserve.count(role));
            }
        }
        match rules.captured {
            Captured::ChangesSides => excess_of_both(&counts, &most),
            _ => Color::ALL.into_iter().find_map(|color| {
                let kinds = excess_of_one(&counts[color.index()], &most)?;
                Some(format!("{} has {kinds}", self.variant.player(color)))
            }),
        }
    }
}

/// Returns the squares in reading order: from the top, from the left.
fn reading_order(width: u8) -> impl Iterator<Item = Square> {
    Rank::all(width)
        .rev()
        .flat_map(move |rank| File::all(width).map(move |file| Square::from_coords(file, rank)))
}

/// The number of pieces of each role.
type Counts = [u32; Role::COUNT];

/// Returns how many pieces of each role a player has when a game begins, on the board
/// and in reserve.
fn material(rules: &Rules) -> Counts {
    let mut most = [0; Role::COUNT];
    for letter in rules.start.chars().filter(char::is_ascii_uppercase) {
        if let Some(role) = Role::from_letter(letter) {
            most[role.index()] += 1;
        }
    }
    if rules.reserve_at_start {
        for (role, count) in rules.slots() {
            most[role.index()] += u32::from(count);
        }
    }
    most
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
    place: TextPlace,
    /// The place of each square, in the order of [`reading_order`].
    places: Vec<TextPlace>,
}

impl LocatedDiagram {
    /// Returns the place of the diagram: that of its first square.
    #[must_use]
    pub fn place(&self) -> TextPlace {
        self.place
    }

    /// Returns the place where a square of the board is drawn.
    #[must_use]
    pub fn place_of(&self, square: Square) -> Option<TextPlace> {
        let at = reading_order(self.diagram.board().width()).position(|other| other == square)?;
        self.places.get(at).copied()
    }
}

/// The error for a diagram that cannot be read, with its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct DiagramError {
    place: TextPlace,
    message: String,
}

impl DiagramError {
    fn new(place: TextPlace, message: impl fmt::Display) -> DiagramError {
        DiagramError {
            place,
            message: message.to_string(),
        }
    }

    /// Returns the place of the fault.
    #[must_use]
    pub fn place(&self) -> TextPlace {
        self.place
    }
}
