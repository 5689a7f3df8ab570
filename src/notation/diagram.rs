//! The diagram: a board and the reserves, drawn as in the 1994 post.
//!
//! One form is canonical, to the byte ([`Diagram`]'s `Display`), and a
//! [`Look`](look::Look) changes how a diagram is drawn. Reading (`read`) accepts every
//! form that people and mailers make of it, or refuses it with the place and the
//! reason.

mod edges;
pub mod located;
pub mod look;
pub(super) mod read;
mod reserves;
mod rewrap;
mod row;
pub mod script;
mod shape;

use std::fmt;

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
        for square in squares(self.board.width()) {
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
        let squares = squares(self.board.width())
            .filter(|&square| self.board.get(square) != position.get(square))
            .count();
        let kinds = |(color, reserve): (Color, Reserve)| {
            let slots = self.variant.rules().slots();
            slots
                .filter(|(role, _)| reserve.count(*role) != position.reserve(color).count(*role))
                .count()
        };
        let reserves = self.reserves.into_iter().flatten();
        squares
            + Color::ALL
                .into_iter()
                .zip(reserves)
                .map(kinds)
                .sum::<usize>()
    }

    /// Names a piece: "White's knight", "nothing".
    fn named(&self, piece: Option<Piece>) -> String {
        piece.map_or_else(
            || "nothing".to_owned(),
            |piece| {
                format!(
                    "{}'s {}",
                    self.variant.player(piece.color),
                    piece.role.name()
                )
            },
        )
    }

    /// Checks that no player has more pieces of a kind than the game can give.
    ///
    /// # Errors
    ///
    /// The kinds with too many pieces.
    fn check_counts(&self) -> Result<(), ExcessPieces> {
        let rules = self.variant.rules();
        let most = material(rules);
        let mut counts = [[0_u32; Role::COUNT]; 2];
        for (_, piece) in self.board.pieces() {
            counts[piece.color.index()][piece.role.index()] += 1;
        }
        for (color, reserve) in self.reserves.into_iter().flatten().enumerate() {
            for (role, _) in rules.slots() {
                counts[color][role.index()] += u32::from(reserve.count(role));
            }
        }
        match rules.captured {
            Captured::ChangesSides => of_both(&counts, &most),
            _ => Color::ALL.into_iter().try_for_each(|color| {
                of_own(&counts[color.index()], &most).map_err(|kinds| ExcessPieces::Player {
                    name: self.variant.player(color),
                    kinds,
                })
            }),
        }
    }
}

/// Returns the squares in reading order: from the top, from the left.
pub(super) fn squares(width: u8) -> impl Iterator<Item = Square> {
    Rank::all(width)
        .rev()
        .flat_map(move |rank| File::all(width).map(move |file| Square::from_coords(file, rank)))
}

/// Returns how many pieces of each role a player has when a game begins, on the board
/// and in reserve.
fn material(rules: &Rules) -> [u32; Role::COUNT] {
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

/// Checks a chess player's pieces: every piece beyond those of the start was once a
/// pawn.
fn of_own(counts: &[u32; Role::COUNT], most: &[u32; Role::COUNT]) -> Result<(), Vec<(u32, Role)>> {
    let extra = |role: Role| counts[role.index()].saturating_sub(most[role.index()]);
    for role in [Role::King, Role::Pawn] {
        if extra(role) > 0 {
            return Err(vec![(counts[role.index()], role)]);
        }
    }
    let promoted: u32 = Role::ALL.into_iter().map(extra).sum();
    let pawns = Role::Pawn.index();
    if promoted > most[pawns] - counts[pawns] {
        let role = Role::ALL.into_iter().find(|&role| extra(role) > 0);
        let kinds = role.into_iter().chain([Role::Pawn]);
        return Err(kinds.map(|role| (counts[role.index()], role)).collect());
    }
    Ok(())
}

/// Checks the pieces of shogi, which change sides and promote, but are never lost or
/// added.
fn of_both(
    counts: &[[u32; Role::COUNT]; 2],
    most: &[u32; Role::COUNT],
) -> Result<(), ExcessPieces> {
    for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
        let count = |side: &[u32; Role::COUNT]| -> u32 {
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
            return Err(ExcessPieces::Both(own + other, role));
        }
    }
    Ok(())
}

/// An excess of pieces over what the game can give.
enum ExcessPieces {
    /// A player has too many of these kinds.
    Player {
        name: &'static str,
        kinds: Vec<(u32, Role)>,
    },
    /// Both players together have too many of a kind.
    Both(u32, Role),
}

impl fmt::Display for ExcessPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let many = |&(count, role): &(u32, Role)| counted(count as usize, role.name());
        match self {
            ExcessPieces::Player { name, kinds } => {
                let kinds: Vec<String> = kinds.iter().map(many).collect();
                write!(f, "{name} has {}", kinds.join(" and "))
            }
            ExcessPieces::Both(count, role) => write!(f, "there are {}", many(&(*count, *role))),
        }
    }
}
