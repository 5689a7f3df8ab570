//! The error of a move that is not allowed: each reason with its sentence beside it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::board::{File, Rank, Square};
use crate::outcome::Reason;
use crate::piece::{Color, Piece, Role};
use crate::sentences::{clauses, list, sentences};
use crate::variant::Names;

/// A move that was understood and is not allowed.
///
/// A ply has one reason. A written move can be understood in several ways
/// (`bxc6` as the bishop's or the b-pawn's), so that it can have several.
///
/// Its `Display` is the reasons in a player's words, clauses without a full
/// stop: "White's king is still in reserve, so White may not capture". What a
/// program can act on is its [`kinds`](IllegalMove::kinds).
///
/// # Examples
///
/// ```
/// use parapost_rules::{IllegalMoveKind, Ply, Role, Square, Variant};
///
/// let position = Variant::find("unachess", &[])?.start();
/// let error = position.play(&Ply::Drop { role: Role::Pawn, to: Square::E5 }).unwrap_err();
/// assert!(matches!(error.kind(), IllegalMoveKind::DropRank { role: Role::Pawn, .. }));
/// assert_eq!(error.to_string(), "White's pawns are placed on ranks 2, 3 or 4, not on e5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use parapost_rules::notation::ReadError;
/// use parapost_rules::{IllegalMoveKind, Variant};
///
/// let position = Variant::find("chess", &[])?.start();
/// let Err(ReadError::Illegal(error)) = position.read("N-d4") else {
///     panic!("no knight goes there");
/// };
/// assert!(matches!(error.kinds(), [IllegalMoveKind::OutOfReach { .. }, _]));
/// assert_eq!(
///     error.to_string(),
///     "the knight on b1 reaches a3 and c3; the knight on g1 reaches f3 and h3",
/// );
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IllegalMove {
    names: Names,
    mover: Color,
    kinds: Vec<IllegalMoveKind>,
}

sentences! {
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
    pub enum IllegalMoveKind(names: Names, mover: Color, game: &str, name: &str) {
        /// The game is over.
        GameOver(reason: Reason) => ("the game is over: {reason}"),
        /// The board does not have the square.
        OffBoard(square: Square) => ("{square} is not a square of {game}"),
        /// The game does not have the piece.
        NoSuchPiece(role: Role) => ("there is no {role} in {game}"),
        /// The game, or the game with an option, does not have the rule.
        NoSuchRule {
            /// The rule.
            rule: MissingRule,
            /// The option that takes it away, if the game has it otherwise.
            option: Option<&'static str>,
        } => ("{game}{} has no {rule}", with(*option)),
        /// No piece stands where the move begins.
        EmptySquare(from: Square) => ("there is no piece on {from}"),
        /// The piece is the other player's.
        NotYours {
            /// The square.
            from: Square,
            /// The piece on it.
            piece: Piece,
        } => ("the {} on {from} is {}'s, and it is {name}'s turn",
                piece.role, names.player(piece.color)),
        /// The mover's own piece stands where the move ends.
        OwnPiece {
            /// The square.
            to: Square,
            /// The role of the piece on it.
            role: Role,
        } => ("{name}'s own {role} stands on {to}"),
        /// The piece does not go to that square.
        OutOfReach {
            /// The piece's square.
            from: Square,
            /// The piece's role.
            role: Role,
            /// The squares it goes to if checks are left out, by name.
            reaches: Vec<Square>,
        } => ("the {role} on {from} {}", reached(reaches)),
        /// Another piece stands in the way.
        InTheWay {
            /// The piece's square.
            from: Square,
            /// The piece's role.
            role: Role,
            /// The nearest piece in the way.
            blocker: (Square, Piece),
        } => ("{} stands in the way of the {role} on {from}", names.on(*blocker)),
        /// A pawn goes two squares from a square that is not on its second rank.
        NotOnSecondRank(from: Square) =>
            ("the pawn on {from} is not on its second rank, so it goes one square only"),
        /// A pawn goes two squares, and was not dropped on its second rank.
        NotDroppedThere(from: Square) =>
            ("the pawn on {from} was not dropped there, so it has no double step"),
        /// A pawn's capture on a square where nothing can be captured.
        NothingToCapture(to: Square) => ("there is nothing to capture on {to}"),
        /// The pawn on the square can't be taken en passant: it did not make a
        /// double step on the turn before.
        NotEnPassant(pawn: Square) =>
            ("the pawn on {pawn} did not come there by a double step on the turn before, so it \
                can't be taken en passant"),
        /// The mover's king is in reserve, and so nothing may be captured.
        CaptureBeforeKing => ("{name}'s king is still in reserve, so {name} may not capture"),
        /// The piece does not promote.
        NoPromotion(role: Role) => ("a {role} does not promote"),
        /// The pawn promotes on the last rank only.
        NotOnLastRank(to: Square) => ("a pawn promotes on the last rank, not on {to}"),
        /// The pawn reaches the last rank, and must become one of several pieces.
        ChoosePromotion {
            /// The square.
            to: Square,
            /// The pieces.
            choices: Vec<Role>,
        } => ("a pawn that reaches {to} becomes a {}", list(choices, "or")),
        /// The piece is promoted already.
        AlreadyPromoted {
            /// The piece's square.
            from: Square,
            /// The piece's role.
            role: Role,
        } => ("the {role} on {from} is promoted already"),
        /// The piece promotes to another role.
        WrongPromotion {
            /// The piece's role.
            role: Role,
            /// The role it becomes.
            promoted: Role,
        } => ("a {role} becomes a {promoted} only"),
        /// A king is in reserve, and so the mover may not promote.
        PromotionBeforeKing {
            /// The king's side.
            king: Color,
            /// The piece and the square on which it would have to promote.
            stranded: Option<(Role, Square)>,
        } => ("{}'s king is still in reserve, so {name} may not promote{}",
                names.player(*king), stuck(*stranded)),
        /// The move neither begins nor ends in the promotion zone.
        OutsideZone {
            /// The square it leaves.
            from: Square,
            /// The square it goes to.
            to: Square,
            /// The ranks of the zone.
            ranks: Vec<Rank>,
        } => ("{name}'s pieces promote when their move begins or ends on ranks {}, not from {from} \
                to {to}", list(ranks, "or")),
        /// The piece must promote, as it could never move again.
        MustPromote {
            /// The piece's role.
            role: Role,
            /// The square it goes to.
            to: Square,
        } => ("a {role} that reaches {to} must promote: it could never move again"),
        /// The king goes to an attacked square, or is dropped there.
        KingAttacked {
            /// The square.
            king: Square,
            /// A piece that attacks it.
            attacker: (Square, Piece),
            /// True if the king is dropped.
            dropped: bool,
        } => ("{} attacks {king}, so the king may not {} there",
                names.on(*attacker), if *dropped { "be dropped" } else { "go" }),
        /// The move exposes the mover's king to a piece.
        KingExposed {
            /// The king's square.
            king: Square,
            /// The piece.
            attacker: (Square, Piece),
        } => ("{} would then attack {name}'s king on {king}", names.on(*attacker)),
        /// The mover is in check, and the move does not meet it.
        CheckNotMet {
            /// The pieces that give check.
            checkers: Vec<(Square, Piece)>,
            /// True if only several pieces placed in one turn (Kingchess) can.
            needs_several: bool,
        } => ("{name} is in check from {}, and this does not meet {}{}",
                list(&checkers.iter().map(|at| names.on(*at)).collect::<Vec<_>>(), "and"),
                if checkers.len() > 1 { "both" } else { "it" },
                if *needs_several { "; several pieces placed in one turn can" } else { "" }),
        /// King or rook is not where it can castle.
        CastlingPiece {
            /// King or rook.
            role: Role,
            /// The square it needs.
            square: Square,
        } => ("to castle there {name} needs a {role} on {square}"),
        /// King or rook has moved.
        CastlingMoved {
            /// King or rook.
            role: Role,
            /// Its square.
            square: Square,
        } => ("{name}'s {role} on {square} has moved, so it can't castle"),
        /// A piece stands between king and rook.
        CastlingBlocked {
            /// The piece.
            blocker: (Square, Piece),
        } => ("{} stands between king and rook", names.on(*blocker)),
        /// The mover castles out of check.
        CastlingInCheck => ("{name} is in check, and nobody castles out of check"),
        /// The king would castle across or to an attacked square.
        CastlingAttacked {
            /// The square.
            square: Square,
            /// A piece that attacks it.
            attacker: (Square, Piece),
            /// True if the king would stay there.
            lands: bool,
        } => ("castling would take the king {} {square}, which {} attacks",
                if *lands { "to" } else { "across" }, names.on(*attacker)),
        /// The piece is never in reserve in this game.
        NeverInReserve {
            /// The role.
            role: Role,
            /// The option that takes it away, if the game has it otherwise.
            option: Option<&'static str>,
        } => ("in {game}{} no {role} is ever in reserve", with(*option)),
        /// The mover has no such piece in reserve.
        NotInReserve(role: Role) => ("{name} has no {role} in reserve"),
        /// The mover has fewer of these pieces in reserve than are placed.
        TooFewInReserve {
            /// The role.
            role: Role,
            /// The number in reserve.
            held: u8,
        } => ("{name} has no more than {held} {role}{} in reserve",
                if *held == 1 { "" } else { "s" }),
        /// A piece stands where another one is put.
        Occupied {
            /// The square.
            square: Square,
            /// The piece on it.
            piece: Piece,
        } => ("{square} is not empty: {} stands there", names.piece(*piece)),
        /// New Chess: a drop on an own pawn that does not tell its new square.
        DropOnPawn {
            /// The role dropped.
            role: Role,
            /// The square.
            square: Square,
            /// A square to which the pawn can go, if there is one.
            goal: Option<Square>,
        } => ("{square} is not empty: {name}'s own pawn stands there; {}",
                relocated(role.of(mover), *square, *goal)),
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
        } => ("{name}'s {role}{} {} on ranks {}, not on {square}",
                if *single { " is" } else { "s are" }, put(*placed), list(ranks, "or")),
        /// The piece could never move from the square.
        DropStranded {
            /// The role.
            role: Role,
            /// The square.
            square: Square,
        } => ("a {role} dropped on {square} could never move"),
        /// The mover has an unpromoted pawn on the file already.
        SecondPawn(file: File) =>
            ("{name} already has an unpromoted pawn on the {file}-file, and may not drop a second \
                there"),
        /// The mover's first bishop was dropped on a square of the same colour.
        BishopColor {
            /// The square.
            square: Square,
            /// True if that is a light square.
            light: bool,
            /// True if the game's sources call this "placed".
            placed: bool,
        } => ("{name}'s first bishop was {} on a {} square; the second goes on the other colour, \
                and {square} is {1}", put(*placed), if *light { "light" } else { "dark" }),
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
        } => ("a dropped piece may not attack {}; the {role} on {square} would attack {}",
                if *king_only { "the enemy king" } else { "an enemy piece" },
                victim.map(|at| names.on(at)).unwrap_or_default()),
        /// A dropped pawn would give checkmate.
        PawnDropMate(square: Square) =>
            ("a dropped pawn may not give checkmate, as it would on {square}"),
        /// The mover is in check, and so no pawn may be relocated.
        RelocationInCheck => ("{name} is in check, and then no pawn may be relocated"),
        /// The mover has no pawn on the square to relocate.
        NoPawn(square: Square) => ("{name} has no pawn on {square} to put elsewhere"),
        /// The relocated pawn may not go there.
        RelocationRank {
            /// The square it was sent to.
            square: Square,
            /// The ranks it may go to.
            ranks: Vec<Rank>,
        } => ("{name}'s relocated pawn goes to ranks {}, not to {square}", list(ranks, "or")),
        /// The game drops one piece at a time.
        OneDropATurn => ("in {game} one piece is dropped at a time"),
        /// A placement of fewer than two pieces.
        PlacementTooSmall => ("a placement is of two pieces or more"),
        /// Kingchess: the first turn does not place the king.
        KingFirst => ("{name}'s first turn must place the king, alone or with other pieces"),
        /// A square is named as shogi players do, on a board of eight files.
        SquareName => ("in {game} squares are named a1 to h8"),
        /// The board does not have the square.
        NoSquare(square: Square) =>
            ("there is no square {square} in {game}; they are named a1 to h8"),
        /// Two pieces are placed on one square.
        SharedSquare => ("two pieces can't be placed on one square"),
        /// The drop is legal, written so.
        WriteDrop(text: String) => ("to drop it write {text}"),
        /// A drop on the square is legal, written so.
        OrDrop(text: String) => ("to drop one write {text}"),
        /// The move is legal, written so.
        WriteAs(text: String) => ("write it as {text}"),
        /// The move, here as it was written, takes nothing en passant.
        WrittenEnPassant(text: String) => ("{text} is no capture en passant"),
        /// Another piece stands where the move begins.
        OtherPiece {
            /// The square the move leaves.
            from: Square,
            /// The role that stands there.
            there: Role,
            /// The role that was written.
            wanted: Role,
        } => ("{name}'s {there} stands on {from}, not a {wanted}"),
        /// The mover has no such piece in that place.
        NoPiece {
            /// The role.
            role: Role,
            /// The file on which it was looked for, if not on all.
            file: Option<File>,
            /// The rank on which it was looked for, if not on all.
            rank: Option<Rank>,
            /// The promoted role that the mover has instead.
            promoted: Option<Role>,
        } => ("{name} has no {role} {}{}", place(*file, *rank), instead(*promoted, mover)),
        /// None of the mover's pieces of a role reaches the square.
        NoneReaches {
            /// The role.
            role: Role,
            /// The square.
            to: Square,
        } => ("none of {name}'s {role}s reaches {to}"),
        /// A reason that has no kind of its own.
        Other => ("the rules of {game} do not allow this"),
    }
}

sentences! {
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
    pub enum MissingRule() {
        /// Castling.
        Castling => ("castling"),
        /// The capture en passant.
        EnPassant => ("capture en passant"),
        /// The double step of a pawn, here from one square to another.
        DoubleStep(from: Square, to: Square) =>
            ("double step of pawns: the pawn on {from} can't go to {to}"),
        /// The relocation of pawns.
        Relocation => ("relocation of pawns"),
        /// Drops.
        Drops => ("drops"),
    }
}

impl IllegalMove {
    pub(crate) fn new(names: Names, mover: Color, kinds: Vec<IllegalMoveKind>) -> IllegalMove {
        IllegalMove {
            names,
            mover,
            kinds,
        }
    }

    /// The reason why the move is not allowed; of several the first.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{IllegalMoveKind, Ply, Role, Square, Variant};
    ///
    /// let position = Variant::find("chess", &[])?.start();
    /// let error = position
    ///     .play(&Ply::Drop { role: Role::Queen, to: Square::E4 })
    ///     .unwrap_err();
    /// let advice = match error.kind() {
    ///     IllegalMoveKind::NoSuchRule { .. } => "look at the rules",
    ///     IllegalMoveKind::CheckNotMet { .. } => "mind your king",
    ///     _ => "try another move",
    /// };
    /// assert_eq!(advice, "look at the rules");
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> &IllegalMoveKind {
        self.kinds.first().unwrap_or(&IllegalMoveKind::Other)
    }

    /// The reasons, each once, in the order in which `Display` gives them.
    #[must_use]
    pub fn kinds(&self) -> &[IllegalMoveKind] {
        &self.kinds
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, mover) = (self.names, self.mover);
        clauses(f, &self.kinds, |f, kind| {
            kind.write(f, names, mover, names.game, names.player(mover))
        })
    }
}

impl core::error::Error for IllegalMove {}

/// The option that takes a rule away, behind the game's name.
fn with(option: Option<&str>) -> String {
    option.map_or_else(String::new, |option| format!(" with {option}"))
}

fn reached(squares: &[Square]) -> String {
    match squares {
        [] => String::from("has nowhere to go"),
        _ => format!("reaches {}", list(squares, "and")),
    }
}

fn stuck(stranded: Option<(Role, Square)>) -> String {
    stranded.map_or_else(String::new, |(role, to)| {
        format!(", and a {role} on {to} could never move again without promoting")
    })
}

fn relocated(drop: Piece, square: Square, goal: Option<Square>) -> String {
    match goal {
        Some(goal) => format!("say where it goes, as in {drop}>{square}/{goal}"),
        None => String::from("there is no square for it to go to"),
    }
}

fn put(placed: bool) -> &'static str {
    if placed { "placed" } else { "dropped" }
}

/// The promoted piece that is there in place of the one that was written.
fn instead(promoted: Option<Role>, mover: Color) -> String {
    promoted.map_or_else(String::new, |role| {
        format!("; the {role} is written {}", role.of(mover))
    })
}

/// The part of the board on which a piece was looked for.
fn place(file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (Some(file), _) => format!("on the {file}-file"),
        (None, Some(rank)) => format!("on rank {rank}"),
        (None, None) => String::from("on the board"),
    }
}
