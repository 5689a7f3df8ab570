//! The error of an illegal move.

mod words;

use alloc::vec::Vec;

use crate::outcome::Reason;
use crate::piece::{Color, Piece, Role};
use crate::square::{File, Rank, Square};
use crate::variant::Names;

/// A move that was understood and is not allowed.
///
/// Its `Display` is the reason in a player's words, a clause without a full
/// stop: "White's king is still in reserve, so White may not capture". What a
/// program can act on is its [`kind`](IllegalMove::kind).
///
/// # Examples
///
/// ```
/// use parapost_rules::{IllegalMoveKind, Ply, Role, Variant};
///
/// let position = Variant::find("unachess", &[])?.start();
/// let drop = Ply::Drop { role: Role::Pawn, to: "e5".parse()? };
/// let error = position.play(&drop).unwrap_err();
/// assert!(matches!(error.kind(), IllegalMoveKind::DropRank { role: Role::Pawn, .. }));
/// assert_eq!(error.to_string(), "White's pawns are placed on ranks 2, 3 or 4, not on e5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IllegalMove {
    names: Names,
    mover: Color,
    kind: IllegalMoveKind,
}

/// The reason why a move is not allowed.
///
/// # Examples
///
/// ```
/// use parapost_rules::{IllegalMoveKind, Ply, Role, Variant};
///
/// let start = Variant::find("chess", &[])?.start();
/// let (from, to) = ("a1".parse()?, "a2".parse()?);
/// let error = start.play(&Ply::Move { from, to, promotion: None }).unwrap_err();
/// assert_eq!(error.kind(), &IllegalMoveKind::OwnPiece { to, role: Role::Pawn });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IllegalMoveKind {
    /// The game is over.
    GameOver(Reason),
    /// The board does not have the square.
    OffBoard(Square),
    /// The game does not have the piece.
    NoSuchPiece(Role),
    /// The game, or the game with an option, does not have the rule.
    NoSuchRule {
        /// The rule.
        rule: MissingRule,
        /// The option that takes it away, if the game has it otherwise.
        option: Option<&'static str>,
    },
    /// No piece stands where the move begins.
    EmptySquare(Square),
    /// The piece is the other player's.
    NotYours {
        /// The square.
        from: Square,
        /// The piece on it.
        piece: Piece,
    },
    /// The mover's own piece stands where the move ends.
    OwnPiece {
        /// The square.
        to: Square,
        /// The role of the piece on it.
        role: Role,
    },
    /// The piece does not go to that square.
    OutOfReach {
        /// The piece's square.
        from: Square,
        /// The piece's role.
        role: Role,
        /// The squares it goes to if checks are left out, by name.
        reaches: Vec<Square>,
    },
    /// Another piece stands in the way.
    InTheWay {
        /// The piece's square.
        from: Square,
        /// The piece's role.
        role: Role,
        /// The nearest piece in the way.
        blocker: (Square, Piece),
    },
    /// A pawn goes two squares from a square that is not on its second rank.
    NotOnSecondRank(Square),
    /// A pawn goes two squares, and was not dropped on its second rank.
    NotDroppedThere(Square),
    /// A pawn's capture on a square where nothing can be captured.
    NothingToCapture(Square),
    /// The pawn on the square can't be taken en passant: it did not make a
    /// double step on the turn before.
    NotEnPassant(Square),
    /// The mover's king is in reserve, and so nothing may be captured.
    CaptureBeforeKing,
    /// The piece does not promote.
    NoPromotion(Role),
    /// The pawn promotes on the last rank only.
    NotOnLastRank(Square),
    /// The pawn reaches the last rank, and must become one of several pieces.
    ChoosePromotion {
        /// The square.
        to: Square,
        /// The pieces.
        choices: Vec<Role>,
    },
    /// The piece is promoted already.
    AlreadyPromoted {
        /// The piece's square.
        from: Square,
        /// The piece's role.
        role: Role,
    },
    /// The piece promotes to another role.
    WrongPromotion {
        /// The piece's role.
        role: Role,
        /// The role it becomes.
        promoted: Role,
    },
    /// A king is in reserve, and so the mover may not promote.
    PromotionBeforeKing {
        /// Whose king.
        king: Color,
        /// The piece and the square on which it would have to promote.
        stranded: Option<(Role, Square)>,
    },
    /// The move neither begins nor ends in the promotion zone.
    OutsideZone {
        /// The square it leaves.
        from: Square,
        /// The square it goes to.
        to: Square,
        /// The ranks of the zone.
        ranks: Vec<Rank>,
    },
    /// The piece must promote, as it could never move again.
    MustPromote {
        /// The piece's role.
        role: Role,
        /// The square it goes to.
        to: Square,
    },
    /// The king goes to an attacked square, or is dropped there.
    KingAttacked {
        /// The square.
        king: Square,
        /// A piece that attacks it.
        attacker: (Square, Piece),
        /// True if the king is dropped.
        dropped: bool,
    },
    /// The move exposes the mover's king to a piece.
    KingExposed {
        /// The king's square.
        king: Square,
        /// The piece.
        attacker: (Square, Piece),
    },
    /// The mover is in check, and the move does not meet it.
    CheckNotMet {
        /// The pieces that give check.
        checkers: Vec<(Square, Piece)>,
        /// True if only several pieces placed in one turn (Kingchess) can.
        needs_several: bool,
    },
    /// King or rook is not where it can castle.
    CastlingPiece {
        /// King or rook.
        role: Role,
        /// The square it needs.
        square: Square,
    },
    /// King or rook has moved.
    CastlingMoved {
        /// King or rook.
        role: Role,
        /// Its square.
        square: Square,
    },
    /// A piece stands between king and rook.
    CastlingBlocked {
        /// The piece.
        blocker: (Square, Piece),
    },
    /// The mover castles out of check.
    CastlingInCheck,
    /// The king would castle across or to an attacked square.
    CastlingAttacked {
        /// The square.
        square: Square,
        /// A piece that attacks it.
        attacker: (Square, Piece),
        /// True if the king would stay there.
        lands: bool,
    },
    /// The piece is never in reserve in this game.
    NeverInReserve {
        /// The role.
        role: Role,
        /// The option that takes it away, if the game has it otherwise.
        option: Option<&'static str>,
    },
    /// The mover has no such piece in reserve.
    NotInReserve(Role),
    /// The mover has fewer of these pieces in reserve than are placed.
    TooFewInReserve {
        /// The role.
        role: Role,
        /// The number in reserve.
        held: u8,
    },
    /// A piece stands where another one is put.
    Occupied {
        /// The square.
        square: Square,
        /// The piece on it.
        piece: Piece,
    },
    /// New Chess: a drop on an own pawn that does not tell its new square.
    DropOnPawn {
        /// The role dropped.
        role: Role,
        /// The square.
        square: Square,
        /// A square to which the pawn can go, if there is one.
        goal: Option<Square>,
    },
    /// The piece is not dropped on that rank.
    DropRank {
        /// The role.
        role: Role,
        /// The square.
        square: Square,
        /// The ranks on which it is dropped.
        ranks: Vec<Rank>,
        /// True if a player has only one such piece.
        single: bool,
        /// True if the game's sources call this "placed".
        placed: bool,
    },
    /// The piece could never move from the square.
    DropStranded {
        /// The role.
        role: Role,
        /// The square.
        square: Square,
    },
    /// The mover has an unpromoted pawn on the file already.
    SecondPawn(File),
    /// The mover's first bishop was dropped on a square of the same colour.
    BishopColor {
        /// The square.
        square: Square,
        /// True if that is a light square.
        light: bool,
        /// True if the game's sources call this "placed".
        placed: bool,
    },
    /// The dropped piece would attack a piece that it may not.
    DropAttacks {
        /// The role.
        role: Role,
        /// The square.
        square: Square,
        /// The piece it would attack.
        victim: Option<(Square, Piece)>,
        /// True if only the king is protected.
        king_only: bool,
    },
    /// A dropped pawn would give checkmate.
    PawnDropMate(Square),
    /// The mover is in check, and so no pawn may be relocated.
    RelocationInCheck,
    /// The mover has no pawn on the square to relocate.
    NoPawn(Square),
    /// The relocated pawn may not go there.
    RelocationRank {
        /// The square it was sent to.
        square: Square,
        /// The ranks it may go to.
        ranks: Vec<Rank>,
    },
    /// The game drops one piece at a time.
    OneDropATurn,
    /// A placement of fewer than two pieces.
    PlacementTooSmall,
    /// Kingchess: the first turn does not place the king.
    KingFirst,
    /// A reason that has no kind of its own.
    Other,
}

/// A rule that a game does not have.
///
/// # Examples
///
/// ```
/// use parapost_rules::{IllegalMoveKind, MissingRule, Ply, Side, Variant};
///
/// let start = Variant::find("kingchess", &["no-castling"])?.start();
/// let error = start.play(&Ply::Castle(Side::King)).unwrap_err();
/// let expected = IllegalMoveKind::NoSuchRule {
///     rule: MissingRule::Castling,
///     option: Some("no-castling"),
/// };
/// assert_eq!(error.kind(), &expected);
/// assert_eq!(error.to_string(), "Kingchess with no-castling has no castling");
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MissingRule {
    /// Castling.
    Castling,
    /// The capture en passant.
    EnPassant,
    /// The double step of a pawn, here from one square to another.
    DoubleStep(Square, Square),
    /// The relocation of pawns.
    Relocation,
    /// Drops.
    Drops,
}

impl IllegalMove {
    pub(crate) fn new(names: Names, mover: Color, kind: IllegalMoveKind) -> IllegalMove {
        IllegalMove { names, mover, kind }
    }

    /// The reason why the move is not allowed.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{IllegalMoveKind, Ply, Role, Variant};
    ///
    /// let position = Variant::find("chess", &[])?.start();
    /// let error = position
    ///     .play(&Ply::Drop { role: Role::Queen, to: "e4".parse()? })
    ///     .unwrap_err();
    /// let advice = match error.kind() {
    ///     IllegalMoveKind::NoSuchRule { .. } => "look at the rules",
    ///     IllegalMoveKind::CheckNotMet { .. } => "mind your king",
    ///     _ => "try another move",
    /// };
    /// assert_eq!(advice, "look at the rules");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> &IllegalMoveKind {
        &self.kind
    }
}

impl core::error::Error for IllegalMove {}
