//! What a game is made of. The games themselves stand in [`crate::games`],
//! one entry each; nothing outside a table entry asks which game is played.
//!
//! Ranks in a table are *relative*: rank 1 is a player's own home rank.

use crate::piece::{Color, Role};

/// A rule set: what players call it, where it comes from, what it rules.
#[derive(Clone, Debug)]
pub struct Game {
    /// The name used on the command line and in state files, like `unachess2`.
    pub id: &'static str,
    /// The name shown to people, like `Unachess II`.
    pub name: &'static str,
    /// Inventor, year, rights notice.
    pub credit: &'static str,
    /// The rules in sentences, with the reasons for what the source left open.
    pub text: &'static str,
    /// The options a match may be played with.
    pub options: &'static [GameOption],
    /// The rules without any option.
    pub rules: Rules,
}

/// An option: a named change to the rules.
#[derive(Clone, Debug)]
pub struct GameOption {
    /// The name, like `no-double-step`.
    pub name: &'static str,
    /// What it changes, in a sentence without its full stop.
    pub summary: &'static str,
    /// The change.
    pub apply: fn(&mut Rules),
    /// Options that cannot be combined with this one.
    pub excludes: &'static [&'static str],
}

/// The rules of a game as data.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a rule of its own, and a table reads best flat"
)]
pub struct Rules {
    /// Files, and ranks, of the board: 8 or 9.
    pub width: u8,
    /// What the two players are called.
    pub players: [&'static str; 2],
    /// Every piece that can stand on the board, and how it goes.
    pub kinds: &'static [Kind],
    /// The board at the start, as the first field of a FEN.
    pub start: &'static str,
    /// What a player's reserve can hold, in the order it is written: the row
    /// of pieces, then the row of pawns.
    pub slots: [&'static [(Role, u8)]; 2],
    /// Whether the reserves are full at the start (else they are empty).
    pub reserve_at_start: bool,
    /// First and last relative rank on which each role may be dropped, by
    /// [`Role::index`].
    pub drop_ranks: [(u8, u8); Role::COUNT],
    /// What a dropped piece may attack from the square it is dropped on.
    pub drop_attack: DropAttack,
    /// Whether no two unpromoted own pawns may share a file by a drop (nifu).
    pub one_pawn_a_file: bool,
    /// Whether a dropped pawn may give checkmate.
    pub pawn_drop_mate: bool,
    /// Whether a piece may be dropped on an own pawn, which then goes to an
    /// empty square of the given relative ranks.
    pub relocation: Option<(u8, u8)>,
    /// Whether a player's two bishops must be dropped on different colours.
    pub bishops_differ: bool,
    /// Whether a turn may drop several pieces, the first one with the king.
    pub placement: bool,
    /// Whether a player whose king is in reserve may not capture. A game in
    /// which kings can be in reserve needs it: nothing else keeps a king that
    /// is in virtual check from being taken.
    pub king_before_capture: bool,
    /// Where captured pieces go.
    pub captured: Captured,
    /// How pieces promote.
    pub promotion: Promotion,
    /// How pawns go.
    pub pawn: PawnRule,
    /// Whether king and rook may castle, on a board of eight files.
    pub castling: bool,
    /// Who wins a stalemate.
    pub stalemate: Stalemate,
    /// When a game is drawn without agreement.
    pub draws: Draws,
}

/// A piece that can stand on the board, and how it goes. A chess pawn's steps
/// are its captures; its advance is told by [`Rules::pawn`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Kind {
    /// The piece.
    pub role: Role,
    /// Single steps or leaps, as (files to the right, ranks forward).
    pub steps: &'static [(i8, i8)],
    /// Lines it runs along until something stands in the way.
    pub slides: &'static [Slide],
}

/// A set of lines that a piece runs along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slide {
    /// Along files and ranks, as a rook.
    Orthogonal,
    /// Along diagonals, as a bishop.
    Diagonal,
    /// Forward along the file, as a lance.
    Forward,
}

/// What a dropped piece may attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DropAttack {
    /// Anything.
    Anything,
    /// Anything but the enemy king.
    NotTheKing,
    /// No enemy piece at all.
    Nothing,
}

/// Where a captured piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Captured {
    /// Out of the game.
    Leaves,
    /// Unpromoted, to the reserve of the player who took it.
    ChangesSides,
}

/// How pieces promote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Promotion {
    /// A pawn that reaches the last rank becomes one of these.
    LastRank(&'static [Role]),
    /// A piece that starts or ends its move on one of the last `ranks` ranks
    /// may promote, and must where it could never move again; not before the
    /// kings named by `after` are on the board.
    Zone {
        /// How many ranks the zone has.
        ranks: u8,
        /// The kings that must be on the board.
        after: Kings,
    },
}

/// Some of the two kings, as the mover sees them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kings {
    /// No king.
    None,
    /// The mover's.
    Own,
    /// The other player's.
    Enemy,
    /// Both.
    Both,
}

/// How pawns go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PawnRule {
    /// Straight ahead, capturing diagonally.
    Chess {
        /// Which pawns may go two squares.
        double_step: DoubleStep,
        /// Whether a pawn that has just gone two squares may be taken en
        /// passant.
        en_passant: bool,
    },
    /// As its steps say, capturing as it goes.
    Shogi,
}

/// Which pawns may go two squares at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DoubleStep {
    /// None.
    Never,
    /// Any pawn on its second rank.
    OnSecondRank,
    /// A pawn on the second rank that was dropped there and has not moved.
    DroppedOnSecondRank,
}

/// Who wins a stalemate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stalemate {
    /// Nobody.
    Draw,
    /// The player who gave it.
    Loss,
}

/// When a game is drawn without agreement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draws {
    /// Claims at three occurrences or 50 moves; by itself at five, 75, or in
    /// a dead position.
    Chess,
    /// By itself at four occurrences, unless by perpetual check.
    Shogi,
}

impl Rules {
    /// The entry of a role, if the game has it.
    #[must_use]
    pub fn kind(&self, role: Role) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.role == role)
    }

    /// What the player is called: White or Sente, Black or Gote.
    #[must_use]
    pub const fn player(&self, color: Color) -> &'static str {
        self.players[color.index()]
    }

    /// Whether pawns go as in chess.
    #[must_use]
    pub const fn has_chess_pawns(&self) -> bool {
        matches!(self.pawn, PawnRule::Chess { .. })
    }

    /// Which pawns may go two squares at once; none in shogi.
    #[must_use]
    pub const fn double_step(&self) -> DoubleStep {
        match self.pawn {
            PawnRule::Chess { double_step, .. } => double_step,
            PawnRule::Shogi => DoubleStep::Never,
        }
    }

    /// Whether any piece can ever be in reserve.
    #[must_use]
    pub const fn has_reserve(&self) -> bool {
        !self.slots[0].is_empty() || !self.slots[1].is_empty()
    }

    /// The roles that can be in reserve, in the order they are written.
    pub fn slots(&self) -> impl Iterator<Item = (Role, u8)> + '_ {
        self.slots.iter().flat_map(|row| row.iter().copied())
    }
}
