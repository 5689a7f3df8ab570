//! The error of a position that cannot stand.

use alloc::vec::Vec;
use core::fmt;

use crate::names::Names;
use crate::piece::{Color, Role};
use crate::shown::clauses;
use crate::square::Square;

/// A position that cannot stand, with everything that is wrong with it.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Position, Setup, SetupFault, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "8/8/8/8/8/8/8/4K2P w")?;
/// let error = Position::from_setup(&chess, &setup).unwrap_err();
/// assert!(error.faults().contains(&SetupFault::NoKing(Color::Black)));
/// assert_eq!(error.to_string(), "White can't have a pawn on h1; Black has no king");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    names: Names,
    faults: Vec<SetupFault>,
}

/// Something that is wrong with a position.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Position, Setup, SetupFault, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "4k3/8/8/8/4R3/8/8/4K3 w")?;
/// let error = Position::from_setup(&chess, &setup).unwrap_err();
/// assert_eq!(error.faults(), [SetupFault::KingCanBeTaken(Color::Black)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SetupFault {
    /// The board has another size than the game's.
    BoardSize {
        /// The width of the board.
        has: u8,
        /// The width of the game's board.
        width: u8,
    },
    /// The player has no king.
    NoKing(Color),
    /// The player has several kings.
    ManyKings(Color),
    /// Kingchess: the player has pieces on the board but no king.
    KingNotPlaced(Color),
    /// The game never has the piece in reserve.
    NeverInReserve(Role),
    /// A player holds more of these pieces than the game can give.
    TooManyInReserve {
        /// The player.
        color: Color,
        /// The role.
        role: Role,
        /// The number the player holds.
        held: u8,
    },
    /// A player has more of these pieces than the game can give.
    TooMany {
        /// The player.
        color: Color,
        /// The role.
        role: Role,
        /// The number the player has, on the board and in reserve.
        has: u32,
    },
    /// Both players together have more of these pieces than the game.
    TooManyInAll {
        /// The role.
        role: Role,
        /// The number the game has.
        most: u32,
    },
    /// The game does not have the piece.
    NoSuchPiece {
        /// The role.
        role: Role,
        /// The square of one of them.
        square: Square,
    },
    /// The piece cannot have come to its square, or could never leave it.
    Stranded {
        /// The player.
        color: Color,
        /// The role.
        role: Role,
        /// The square.
        square: Square,
    },
    /// The player has two unpromoted pawns on a file.
    TwoPawnsOnFile(Color),
    /// Nothing on the square can have a right to castle.
    Castling(Square),
    /// The game has no capture en passant.
    NoEnPassant,
    /// The game does not ask where bishops were dropped.
    BishopColors,
    /// No pawn on the square can have lost its double step.
    SingleStep(Square),
    /// No pawn can just have passed the square.
    EnPassant(Square),
    /// The player is in check, and the other one is to move.
    KingCanBeTaken(Color),
}

impl SetupError {
    pub(crate) fn new(names: Names, faults: Vec<SetupFault>) -> SetupError {
        SetupError { names, faults }
    }

    /// Everything that is wrong with the position.
    #[must_use]
    pub fn faults(&self) -> &[SetupFault] {
        &self.faults
    }

    fn fault(&self, f: &mut fmt::Formatter<'_>, fault: &SetupFault) -> fmt::Result {
        let game = self.names.game;
        let name = |color: &Color| self.names.player(*color);
        match fault {
            SetupFault::BoardSize { has, width } => {
                write!(f, "the board is {has}x{has} instead of {width}x{width}")
            }
            SetupFault::NoKing(color) => write!(f, "{} has no king", name(color)),
            SetupFault::ManyKings(color) => write!(f, "{} has more than one king", name(color)),
            SetupFault::KingNotPlaced(color) => {
                write!(f, "{}'s first turn must have placed the king", name(color))
            }
            SetupFault::NeverInReserve(role) => {
                write!(f, "a {role} can't be in reserve in {game}")
            }
            SetupFault::TooManyInReserve { color, role, held } => {
                let name = name(color);
                write!(
                    f,
                    "{name} has {held} {role}s in reserve, more than {game} can give"
                )
            }
            SetupFault::TooMany { color, role, has } => {
                let name = name(color);
                write!(f, "{name} has {has} {role}s, more than {game} can give")
            }
            SetupFault::TooManyInAll { role, most } => {
                write!(f, "there are more than {most} {role}s in all")
            }
            SetupFault::NoSuchPiece { role, square } => {
                write!(f, "{game} has no {role}, as on {square}")
            }
            SetupFault::Stranded {
                color,
                role,
                square,
            } => {
                write!(f, "{} can't have a {role} on {square}", name(color))
            }
            SetupFault::TwoPawnsOnFile(color) => {
                write!(f, "{} has two unpromoted pawns on one file", name(color))
            }
            SetupFault::Castling(square) => {
                write!(f, "nothing on {square} can have a right to castle")
            }
            SetupFault::NoEnPassant => {
                write!(f, "{game} as played here has no capture en passant")
            }
            SetupFault::BishopColors => {
                write!(f, "{game} does not ask where bishops were dropped")
            }
            SetupFault::SingleStep(square) => {
                write!(f, "no pawn on {square} can have lost its double step")
            }
            SetupFault::EnPassant(square) => {
                write!(f, "no pawn can just have passed {square}")
            }
            SetupFault::KingCanBeTaken(color) => {
                let name = name(color);
                write!(f, "{name} is in check, but it is not {name}'s turn")
            }
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        clauses(f, &self.faults, |f, fault| self.fault(f, fault))
    }
}

impl core::error::Error for SetupError {}
