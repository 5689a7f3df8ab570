//! The error of a written move that means no legal one.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::illegal::IllegalMove;
use crate::piece::{Color, Role};
use crate::shown::clauses;
use crate::square::{File, Rank, Square};
use crate::variant::Names;

/// A written move that is understood and means no legal one.
///
/// A text can be understood in several ways (`bxc6` as the bishop's or the
/// b-pawn's), so that there can be several reasons. `Display` joins them, in a
/// player's words and without a full stop.
///
/// # Examples
///
/// ```
/// use parapost_rules::Variant;
/// use parapost_rules::notation::{ReadError, RefusalKind, Voice};
///
/// let position = Variant::find("chess", &[])?.start();
/// let Err(ReadError::Illegal(refusal)) = position.read("N-d4", Voice::Lone) else {
///     panic!("no knight goes there");
/// };
/// assert!(matches!(refusal.kinds(), [RefusalKind::Illegal(_), RefusalKind::Illegal(_)]));
/// assert_eq!(
///     refusal.to_string(),
///     "the knight on b1 reaches a3 and c3; the knight on g1 reaches f3 and h3",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    names: Names,
    mover: Color,
    kinds: Vec<RefusalKind>,
}

/// A reason why a written move means no legal one.
///
/// # Examples
///
/// ```
/// use parapost_rules::Variant;
/// use parapost_rules::notation::{ReadError, RefusalKind, Voice};
///
/// let position = Variant::find("chess", &[])?.start();
/// let Err(ReadError::Illegal(refusal)) = position.read("Pe9", Voice::Lone) else {
///     panic!("not allowed");
/// };
/// assert_eq!(refusal.kinds(), [RefusalKind::NoSquare("e9".parse()?)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The one move it can mean is not allowed.
    Illegal(IllegalMove),
    /// A square is named as shogi players do, on a board of eight files.
    SquareName,
    /// The board does not have the square.
    NoSquare(Square),
    /// Two pieces are placed on one square.
    SharedSquare,
    /// The drop is legal, written so.
    WriteDrop(String),
    /// A drop on the square is legal, written so.
    OrDrop(String),
    /// The move is legal, written so.
    WriteAs(String),
    /// The move, here as it was written, takes nothing en passant.
    NotEnPassant(String),
    /// Another piece stands where the move begins.
    OtherPiece {
        /// The square the move leaves.
        from: Square,
        /// The role that stands there.
        there: Role,
        /// The role that was written.
        wanted: Role,
    },
    /// The mover has no such piece in that place.
    NoPiece {
        /// The role.
        role: Role,
        /// The place.
        place: Place,
        /// The promoted role that the mover has instead.
        promoted: Option<Role>,
    },
    /// None of the mover's pieces of a role reaches the square.
    NoneReaches {
        /// The role.
        role: Role,
        /// The square.
        to: Square,
    },
}

/// The part of the board on which a piece was looked for.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{Place, ReadError, RefusalKind, Voice};
/// use parapost_rules::{Rank, Role, Variant};
///
/// let position = Variant::find("chess", &[])?.start();
/// let Err(ReadError::Illegal(refusal)) = position.read("N4-e4", Voice::Lone) else {
///     panic!("not allowed");
/// };
/// let expected = RefusalKind::NoPiece {
///     role: Role::Knight,
///     place: Place::Rank(Rank::from_digit('4').expect("a rank")),
///     promoted: None,
/// };
/// assert_eq!(refusal.kinds(), [expected]);
/// assert_eq!(refusal.to_string(), "White has no knight on rank 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Place {
    /// The whole board.
    Board,
    /// A file.
    File(File),
    /// A rank.
    Rank(Rank),
}

impl Refusal {
    pub(crate) fn new(names: Names, mover: Color, kinds: Vec<RefusalKind>) -> Refusal {
        Refusal {
            names,
            mover,
            kinds,
        }
    }

    /// The reasons, each once, in the order in which `Display` gives them.
    #[must_use]
    pub fn kinds(&self) -> &[RefusalKind] {
        &self.kinds
    }

    fn reason(&self, f: &mut fmt::Formatter<'_>, kind: &RefusalKind) -> fmt::Result {
        let game = self.names.game;
        let name = self.names.player(self.mover);
        match kind {
            RefusalKind::Illegal(error) => write!(f, "{error}"),
            RefusalKind::SquareName => write!(f, "in {game} squares are named a1 to h8"),
            RefusalKind::NoSquare(square) => write!(
                f,
                "there is no square {square} in {game}; they are named a1 to h8"
            ),
            RefusalKind::SharedSquare => f.write_str("two pieces can't be placed on one square"),
            RefusalKind::WriteDrop(text) => write!(f, "to drop it write {text}"),
            RefusalKind::OrDrop(text) => write!(f, "to drop one write {text}"),
            RefusalKind::WriteAs(text) => write!(f, "write it as {text}"),
            RefusalKind::NotEnPassant(text) => write!(f, "{text} is no capture en passant"),
            RefusalKind::OtherPiece {
                from,
                there,
                wanted,
            } => {
                write!(f, "{name}'s {there} stands on {from}, not a {wanted}")
            }
            RefusalKind::NoPiece {
                role,
                place,
                promoted,
            } => {
                write!(f, "{name} has no {role} ")?;
                match place {
                    Place::Board => f.write_str("on the board")?,
                    Place::File(file) => write!(f, "on the {file}-file")?,
                    Place::Rank(rank) => write!(f, "on rank {rank}")?,
                }
                match promoted {
                    Some(role) => write!(f, "; the {role} is written {}", role.of(self.mover)),
                    None => Ok(()),
                }
            }
            RefusalKind::NoneReaches { role, to } => {
                write!(f, "none of {name}'s {role}s reaches {to}")
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        clauses(f, &self.kinds, |f, kind| self.reason(f, kind))
    }
}

impl core::error::Error for Refusal {}
