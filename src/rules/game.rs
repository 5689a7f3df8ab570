//! The parts of a game, and the check that rules make one. [`crate::games`] has
//! the games themselves, one entry each; no code outside an entry asks which game
//! is played.
//!
//! Ranks in a table are *relative*: rank 1 is a player's own home rank.

use crate::piece::{Color, Role};

/// A rule set with its name, its source and its options.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Game, games};
///
/// let game: &Game = games::find("kingchess").expect("one of the eight");
/// assert_eq!(game.name, "Kingchess");
/// assert!(game.credit.contains("V. Sinelnikov"));
/// assert_eq!(game.options[0].name, "no-castling");
/// ```
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
///
/// # Examples
///
/// ```
/// use parapost_rules::game::{GameOption, Stalemate};
/// use parapost_rules::{Game, Variant, games};
///
/// const STALEMATE_LOSES: GameOption = GameOption {
///     name: "stalemate-loses",
///     summary: "the stalemated player loses",
///     apply: |rules| rules.stalemate = Stalemate::Loss,
///     excludes: &[],
/// };
/// let game = Game { options: &[STALEMATE_LOSES], ..games::CHESS.clone() };
/// let variant = Variant::new(&game, &["stalemate-loses"])?;
/// assert_eq!(variant.rules().stalemate, Stalemate::Loss);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameOption {
    /// The name, like `no-double-step`.
    pub name: &'static str,
    /// The change in words, a clause without a full stop.
    pub summary: &'static str,
    /// The change.
    pub apply: fn(&mut Rules),
    /// Options that cannot be combined with this one.
    pub excludes: &'static [&'static str],
}

/// The rules of a game as data.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Role, games};
///
/// let shogi = &games::SHOGI.rules;
/// assert_eq!((shogi.width, shogi.player(Color::Black)), (9, "Gote"));
/// assert!(shogi.kind(Role::Lance).is_some() && shogi.kind(Role::Queen).is_none());
/// assert!(shogi.has_reserve() && !shogi.has_chess_pawns());
/// ```
///
/// Rules of one's own are those of chess or shogi with changes:
///
/// ```
/// use parapost_rules::game::Stalemate;
/// use parapost_rules::{Rules, games};
///
/// const HARSH: Rules = games::CHESS_RULES
///     .with_stalemate(Stalemate::Loss)
///     .with_castling(false);
/// assert_eq!(HARSH.width, 8);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a rule of its own, and a table reads best flat"
)]
#[non_exhaustive]
pub struct Rules {
    /// Files, and ranks, of the board: 8 or 9.
    pub width: u8,
    /// The names of the two players.
    pub players: [&'static str; 2],
    /// Every piece that can stand on the board, with its moves.
    pub kinds: &'static [Kind],
    /// The board at the start, as the first field of a FEN.
    pub start: &'static str,
    /// The pieces a player's reserve can hold, in the order of writing: the row
    /// of pieces, then the row of pawns.
    pub slots: [&'static [(Role, u8)]; 2],
    /// True if the reserves are full at the start (else they are empty).
    pub reserve_at_start: bool,
    /// First and last relative rank on which each role may be dropped, by
    /// [`Role::index`].
    pub drop_ranks: [(u8, u8); Role::COUNT],
    /// The pieces a dropped piece may attack from its square.
    pub drop_attack: DropAttack,
    /// True if no two unpromoted own pawns may share a file by a drop (nifu).
    pub one_pawn_a_file: bool,
    /// True if a dropped pawn may give checkmate.
    pub pawn_drop_mate: bool,
    /// True if a piece may be dropped on an own pawn, which then goes to an
    /// empty square of the given relative ranks.
    pub relocation: Option<(u8, u8)>,
    /// True if a player's two bishops must be dropped on different colours.
    pub bishops_differ: bool,
    /// True if a turn may drop several pieces, the first one with the king.
    pub placement: bool,
    /// True if a player whose king is in reserve may not capture. A game in
    /// which kings can be in reserve needs it: nothing else keeps a king that
    /// is in virtual check from being taken.
    pub king_before_capture: bool,
    /// The place of captured pieces.
    pub captured: Captured,
    /// The way pieces promote.
    pub promotion: Promotion,
    /// The way pawns move.
    pub pawn: PawnRule,
    /// True if king and rook may castle, on a board of eight files.
    pub castling: bool,
    /// The result of a stalemate.
    pub stalemate: Stalemate,
    /// The draws without agreement.
    pub draws: Draws,
}

/// A piece of a game and its moves. A chess pawn's steps are its captures;
/// [`Rules::pawn`] has its advance.
///
/// # Examples
///
/// ```
/// use parapost_rules::Role;
/// use parapost_rules::game::{Kind, Slide};
///
/// // A rook that also leaps as a knight.
/// let marshal = Kind {
///     role: Role::Queen,
///     steps: &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
///     slides: &[Slide::Orthogonal],
/// };
/// assert!(!marshal.slides.contains(&Slide::Diagonal));
/// ```
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
///
/// # Examples
///
/// ```
/// use parapost_rules::game::Slide;
/// use parapost_rules::{Role, games};
///
/// let lance = games::SHOGI.rules.kind(Role::Lance).expect("a piece of shogi");
/// assert_eq!(lance.slides, [Slide::Forward]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Slide {
    /// Along files and ranks, as a rook.
    Orthogonal,
    /// Along diagonals, as a bishop.
    Diagonal,
    /// Forward along the file, as a lance.
    Forward,
}

/// The pieces a dropped piece may attack.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::DropAttack;
/// use parapost_rules::games;
///
/// assert_eq!(games::UNACHESS2.rules.drop_attack, DropAttack::NotTheKing);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DropAttack {
    /// Anything.
    Anything,
    /// Anything but the enemy king.
    NotTheKing,
    /// No enemy piece at all.
    Nothing,
}

/// The place of captured pieces.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::Captured;
/// use parapost_rules::games;
///
/// assert_eq!(games::SHOGI.rules.captured, Captured::ChangesSides);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Captured {
    /// Out of the game.
    Leaves,
    /// Unpromoted, to the reserve of the player who took it.
    ChangesSides,
}

/// The way pieces promote.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::{Kings, Promotion};
/// use parapost_rules::games;
///
/// let zone = Promotion::Zone { ranks: 3, after: Kings::None };
/// assert_eq!(games::SHOGI.rules.promotion, zone);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Promotion {
    /// A pawn that reaches the last rank becomes one of these.
    LastRank(&'static [Role]),
    /// A piece that starts or ends its move on one of the last `ranks` ranks
    /// may promote, and must where it could never move again; not before the
    /// kings named by `after` are on the board.
    Zone {
        /// The number of ranks.
        ranks: u8,
        /// The kings that must be on the board.
        after: Kings,
    },
}

/// Some of the two kings, as the mover sees them.
///
/// # Examples
///
/// ```
/// use parapost_rules::Variant;
/// use parapost_rules::game::{Kings, Promotion};
///
/// let variant = Variant::find("unashogi", &["promote-both-kings"])?;
/// let zone = Promotion::Zone { ranks: 3, after: Kings::Both };
/// assert_eq!(variant.rules().promotion, zone);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
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

/// The way pawns move.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::PawnRule;
/// use parapost_rules::games;
///
/// assert_eq!(games::SHOGI.rules.pawn, PawnRule::Shogi);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PawnRule {
    /// Straight ahead, capturing diagonally.
    Chess {
        /// The pawns that may go two squares.
        double_step: DoubleStep,
        /// True if a pawn that has just gone two squares may be taken en
        /// passant.
        en_passant: bool,
    },
    /// As its steps say, capturing as it goes.
    Shogi,
}

/// The pawns that may go two squares at once.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::{DoubleStep, PawnRule};
/// use parapost_rules::games;
///
/// let PawnRule::Chess { double_step, .. } = games::UNACHESS.rules.pawn else {
///     panic!("pawns of chess");
/// };
/// assert_eq!(double_step, DoubleStep::DroppedOnSecondRank);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DoubleStep {
    /// None.
    Never,
    /// Any pawn on its second rank.
    OnSecondRank,
    /// A pawn on the second rank that was dropped there and has not moved.
    DroppedOnSecondRank,
}

/// The result of a stalemate.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::Stalemate;
/// use parapost_rules::games;
///
/// assert_eq!(games::SHOGI.rules.stalemate, Stalemate::Loss);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stalemate {
    /// Nobody.
    Draw,
    /// The player who gave it.
    Loss,
}

/// The draws without agreement.
///
/// # Examples
///
/// ```
/// use parapost_rules::game::Draws;
/// use parapost_rules::games;
///
/// assert_eq!(games::KINGCHESS.rules.draws, Draws::Chess);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Draws {
    /// Claims at three occurrences or 50 moves; by itself at five, 75, or in
    /// a dead position.
    Chess,
    /// By itself at four occurrences, unless by perpetual check.
    Shogi,
}

/// The builder of rules: a function for each of their fields.
macro_rules! builder {
    ($($with:ident $field:ident: $type:ty;)*) => {
        impl Rules {
            $(
                #[doc = concat!("The rules with another [`", stringify!($field), "`].")]
                #[doc = ""]
                #[doc = concat!("[`", stringify!($field), "`]: Rules::", stringify!($field))]
                #[must_use]
                pub const fn $with(mut self, $field: $type) -> Rules {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

builder! {
    with_width width: u8;
    with_players players: [&'static str; 2];
    with_kinds kinds: &'static [Kind];
    with_start start: &'static str;
    with_slots slots: [&'static [(Role, u8)]; 2];
    with_reserve_at_start reserve_at_start: bool;
    with_drop_ranks drop_ranks: [(u8, u8); Role::COUNT];
    with_drop_attack drop_attack: DropAttack;
    with_one_pawn_a_file one_pawn_a_file: bool;
    with_pawn_drop_mate pawn_drop_mate: bool;
    with_relocation relocation: Option<(u8, u8)>;
    with_bishops_differ bishops_differ: bool;
    with_placement placement: bool;
    with_king_before_capture king_before_capture: bool;
    with_captured captured: Captured;
    with_promotion promotion: Promotion;
    with_pawn pawn: PawnRule;
    with_castling castling: bool;
    with_stalemate stalemate: Stalemate;
    with_draws draws: Draws;
}

impl Rules {
    /// The entry of a role, if the game has it.
    #[must_use]
    pub fn kind(&self, role: Role) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.role == role)
    }

    /// The player's name: White or Sente, Black or Gote.
    #[must_use]
    pub const fn player(&self, color: Color) -> &'static str {
        self.players[color.index()]
    }

    /// Returns true if pawns go as in chess.
    #[must_use]
    pub const fn has_chess_pawns(&self) -> bool {
        matches!(self.pawn, PawnRule::Chess { .. })
    }

    /// The pawns that may go two squares at once; none in shogi.
    #[must_use]
    pub const fn double_step(&self) -> DoubleStep {
        match self.pawn {
            PawnRule::Chess { double_step, .. } => double_step,
            PawnRule::Shogi => DoubleStep::Never,
        }
    }

    /// Returns true if pawns are captured en passant.
    #[must_use]
    pub const fn en_passant(&self) -> bool {
        let PawnRule::Chess { en_passant, .. } = self.pawn else {
            return false;
        };
        en_passant
    }

    /// Returns true if any piece can ever be in reserve.
    #[must_use]
    pub const fn has_reserve(&self) -> bool {
        !self.slots[0].is_empty() || !self.slots[1].is_empty()
    }

    /// The roles that can be in reserve, in the order they are written.
    pub fn slots(&self) -> impl Iterator<Item = (Role, u8)> + '_ {
        self.slots.iter().flat_map(|row| row.iter().copied())
    }
}
