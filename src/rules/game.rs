//! The parts of a game, and the check that rules make one. [`crate::games`] has
//! the games themselves, one entry each; no code outside an entry asks which game
//! is played.
//!
//! Ranks in a table are *relative*: rank 1 is a player's own home rank.

use core::error::Error;

use crate::board::{Board, ParseFenError, Square, board};
use crate::piece::{Color, Piece, Reserve, Role};
use crate::ply::Placement;
use crate::sentences::sentences;

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

/// The rules with their builder: a function for each field, named behind it.
macro_rules! rules {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident $with:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $name {
            $(
                #[doc = concat!("The rules with another [`", stringify!($field), "`].")]
                #[doc = ""]
                #[doc = concat!("[`", stringify!($field), "`]: Rules::", stringify!($field))]
                #[must_use]
                pub const fn $with(mut self, $field: $type) -> $name {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

rules! {
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
        width with_width: u8,
        /// The names of the two players.
        players with_players: [&'static str; 2],
        /// Every piece that can stand on the board, with its moves.
        kinds with_kinds: &'static [Kind],
        /// The board at the start, as the first field of a FEN.
        start with_start: &'static str,
        /// The pieces a player's reserve can hold, in the order of writing: the row
        /// of pieces, then the row of pawns.
        slots with_slots: [&'static [(Role, u8)]; 2],
        /// True if the reserves are full at the start (else they are empty).
        reserve_at_start with_reserve_at_start: bool,
        /// First and last relative rank on which each role may be dropped, by
        /// [`Role::index`].
        drop_ranks with_drop_ranks: [(u8, u8); Role::COUNT],
        /// The pieces a dropped piece may attack from its square.
        drop_attack with_drop_attack: DropAttack,
        /// True if no two unpromoted own pawns may share a file by a drop (nifu).
        one_pawn_a_file with_one_pawn_a_file: bool,
        /// True if a dropped pawn may give checkmate.
        pawn_drop_mate with_pawn_drop_mate: bool,
        /// True if a piece may be dropped on an own pawn, which then goes to an
        /// empty square of the given relative ranks.
        relocation with_relocation: Option<(u8, u8)>,
        /// True if a player's two bishops must be dropped on different colours.
        bishops_differ with_bishops_differ: bool,
        /// True if a turn may drop several pieces, the first one with the king.
        placement with_placement: bool,
        /// True if a player whose king is in reserve may not capture. A game in
        /// which kings can be in reserve needs it: nothing else keeps a king that
        /// is in virtual check from being taken.
        king_before_capture with_king_before_capture: bool,
        /// The place of captured pieces.
        captured with_captured: Captured,
        /// The way pieces promote.
        promotion with_promotion: Promotion,
        /// The way pawns move.
        pawn with_pawn: PawnRule,
        /// True if king and rook may castle, on a board of eight files.
        castling with_castling: bool,
        /// The result of a stalemate.
        stalemate with_stalemate: Stalemate,
        /// The draws without agreement.
        draws with_draws: Draws,
    }
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

    /// Returns true if the piece can be in reserve.
    #[must_use]
    pub fn has_slot(&self, role: Role) -> bool {
        self.slots().any(|(slot, _)| slot == role)
    }

    /// The roles that can be in reserve, in the order they are written.
    pub fn slots(&self) -> impl Iterator<Item = (Role, u8)> + '_ {
        self.slots.iter().flat_map(|row| row.iter().copied())
    }
}

sentences! {
    /// Rules that no game can be played by.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Game, RulesError, Variant, VariantError, games};
    ///
    /// let wide = Game { rules: games::CHESS_RULES.with_width(12), ..games::CHESS.clone() };
    /// let error = Variant::new(&wide, &[]).unwrap_err();
    /// assert_eq!(error, VariantError::Rules(RulesError::Width(12)));
    /// ```
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum RulesError() {
        /// The board is neither 8 nor 9 squares wide.
        Width(width: u8) => ("a board is 8 or 9 squares wide, not {width}"),
        /// [`Rules::start`] is no board of that width.
        Start(_error: ParseFenError) => ("the start is no board"),
        /// The ranks on which a role is dropped are not on the board.
        DropRanks(role: Role) => ("{role}s are dropped on ranks off the board"),
        /// The ranks to which a pawn is relocated are not on the board.
        RelocationRanks => ("pawns are relocated off the board"),
        /// The promotion zone has no rank, or more than the board.
        PromotionZone(ranks: u8) => ("a promotion zone can't have {ranks} ranks"),
        /// There is castling on a board that is not 8 squares wide.
        Castling => ("castling needs a board 8 squares wide"),
        /// The name of a player is not one word of letters, as it is read in lists
        /// and diagrams.
        Player(name: &'static str) => ("the player's name '{name}' is not one word"),
        /// A piece is on the board, in reserve or the goal of a promotion, and the table
        /// has no entry for it.
        NoKind(role: Role) => ("the table has no entry for the {role}"),
        /// The table has two entries for a piece.
        TwoKinds(role: Role) => ("the table has two entries for the {role}"),
        /// A piece goes off any board or nowhere, a king runs along lines, or the steps of
        /// a chess pawn are not its captures.
        Steps(role: Role) => ("a {role} can't move like that"),
        /// A piece can come to a square that it could never leave.
        Stranded(role: Role) => ("a {role} can come to a square that it could never leave"),
        /// Pawns of chess do not promote on the last rank, or others not in a zone.
        PawnPromotion => ("pawns of chess promote on the last rank, and other pawns in a zone"),
        /// A pawn can become a king, or stay a pawn on the last rank.
        PromotionTo(role: Role) => ("a pawn can't become a {role}"),
        /// A piece is promoted or listed twice in reserve, or would come there by a
        /// capture and has no place.
        Reserve(role: Role) => ("the reserve has no one place for a {role}"),
        /// A player does not have one king, on the board or in reserve.
        Kings(player: &'static str) => ("{player} must have one king"),
        /// Two rules that the crate does not do together.
        Together(one: &'static str, other: &'static str) =>
            ("{one} can't be combined with {other}"),
        /// There are more than [`Reserve::MOST`] pieces of a role.
        TooMany(role: Role) => ("there are more than {} {role}s", Reserve::MOST),
    }
}

impl Error for RulesError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RulesError::Start(error) => Some(error),
            _ => None,
        }
    }
}

/// The name of [`Rules::placement`] in an error.
const SEVERAL_DROPS: &str = "several drops in a turn";

/// Returns the error if it holds.
fn refuse(is_wrong: bool, error: RulesError) -> Result<(), RulesError> {
    if is_wrong { Err(error) } else { Ok(()) }
}

impl Rules {
    /// Checks what the rest of the crate takes for granted, and refuses what it
    /// does not do.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub(crate) fn check(&self) -> Result<(), RulesError> {
        let width = self.width;
        refuse(!matches!(width, 8 | 9), RulesError::Width(width))?;
        refuse(self.castling && width != 8, RulesError::Castling)?;
        let is_word = |name: &str| !name.is_empty() && name.chars().all(char::is_alphabetic);
        if let Some(name) = self.players.into_iter().find(|name| !is_word(name)) {
            return Err(RulesError::Player(name));
        }
        let on_board = |(first, last): (u8, u8)| first >= 1 && last <= width;
        let is_off_board = |role: &Role| !on_board(self.drop_ranks[role.index()]);
        if let Some(role) = Role::ALL.into_iter().find(is_off_board) {
            return Err(RulesError::DropRanks(role));
        }
        let is_off = self.relocation.is_some_and(|ranks| !on_board(ranks));
        refuse(is_off, RulesError::RelocationRanks)?;
        self.check_promotion()?;
        self.check_kinds()?;
        self.check_material(&board(width, self.start).map_err(RulesError::Start)?)?;
        self.check_combinations()
    }

    fn check_kinds(&self) -> Result<(), RulesError> {
        for (i, kind) in self.kinds.iter().enumerate() {
            let role = kind.role;
            let is_second = self.kinds[..i].iter().any(|other| other.role == role);
            refuse(is_second, RulesError::TwoKinds(role))?;
            let is_step = |&(files, ranks): &(i8, i8)| {
                (files, ranks) != (0, 0) && files.unsigned_abs().max(ranks.unsigned_abs()) < 9
            };
            let is_simple_pawn = || {
                matches!(kind.steps, [(-1, 1), (1, 1)] | [(1, 1), (-1, 1)])
                    && kind.slides.is_empty()
            };
            let is_chess_pawn = role == Role::Pawn && self.has_chess_pawns();
            let is_strange = !kind.steps.iter().all(is_step)
                || (is_chess_pawn && !is_simple_pawn())
                || (role == Role::King && !kind.slides.is_empty());
            refuse(is_strange, RulesError::Steps(role))?;
            let promotes = match self.promotion {
                Promotion::Zone { .. } => role.promoted().is_some(),
                Promotion::LastRank(_) => is_chess_pawn,
            };
            let is_stuck = |square| self.is_stranded(role.of(Color::White), square);
            let is_stranded = !promotes && Square::all(self.width).any(is_stuck);
            refuse(is_stranded, RulesError::Stranded(role))?;
        }
        Ok(())
    }

    fn check_promotion(&self) -> Result<(), RulesError> {
        let has_pawns = self.kind(Role::Pawn).is_some();
        match self.promotion {
            Promotion::Zone { ranks, .. } => {
                let is_zone = (1..=self.width).contains(&ranks);
                refuse(!is_zone, RulesError::PromotionZone(ranks))?;
                let is_chess = has_pawns && self.has_chess_pawns();
                refuse(is_chess, RulesError::PawnPromotion)?;
                let mut promoted = self.kinds.iter().filter_map(|kind| kind.role.promoted());
                promoted.try_for_each(|role| self.known(role))
            }
            Promotion::LastRank(choices) if has_pawns => {
                let is_chess = self.has_chess_pawns() && !choices.is_empty();
                refuse(!is_chess, RulesError::PawnPromotion)?;
                let is_wrong = |role: &&Role| matches!(role, Role::King | Role::Pawn);
                if let Some(&role) = choices.iter().find(is_wrong) {
                    return Err(RulesError::PromotionTo(role));
                }
                choices.iter().try_for_each(|&role| self.known(role))
            }
            Promotion::LastRank(_) => Ok(()),
        }
    }

    /// Checks the pieces on the board and in reserve.
    fn check_material(&self, start: &Board) -> Result<(), RulesError> {
        self.known(Role::King)?;
        for (at, (role, _)) in self.slots().enumerate() {
            self.known(role)?;
            let is_second = self.slots().take(at).any(|(other, _)| other == role);
            refuse(role.is_promoted() || is_second, RulesError::Reserve(role))?;
            let (first, last) = self.drop_ranks[role.index()];
            let is_stuck = |square: Square| {
                (first..=last).contains(&(square.rank().index() + 1))
                    && self.is_stranded(role.of(Color::White), square)
            };
            let is_stranded = Square::all(self.width).any(is_stuck);
            refuse(is_stranded, RulesError::Stranded(role))?;
        }
        for (_, piece) in start.pieces() {
            self.known(piece.role)?;
        }
        let held = |role| {
            let mut slots = self.slots().filter(|_| self.reserve_at_start);
            let slot = slots.find(|(slot, _)| *slot == role);
            slot.map_or(0, |(_, count)| usize::from(count))
        };
        for role in Role::ALL {
            let same = |(_, piece): &(Square, Piece)| piece.role.base() == role;
            let count = start.pieces().filter(same).count() + 2 * held(role);
            refuse(
                count > usize::from(Reserve::MOST),
                RulesError::TooMany(role),
            )?;
        }
        for color in Color::ALL {
            let king = Role::King.of(color);
            let standing = start.pieces().filter(|(_, piece)| *piece == king);
            let count = standing.count() + held(Role::King);
            refuse(count != 1, RulesError::Kings(self.player(color)))?;
        }
        Ok(())
    }

    /// Refuses rules that are each done, but not together.
    fn check_combinations(&self) -> Result<(), RulesError> {
        let refuse = |is_both, one, other| refuse(is_both, RulesError::Together(one, other));
        let bishop_slot = self.slots().find(|(role, _)| *role == Role::Bishop);
        let bishops = bishop_slot.map_or(0, |(_, count)| count);
        let pawn = self.kind(Role::Pawn);
        let pawn_steps = pawn.map_or(&[][..], |pawn| pawn.steps);
        let changes = self.captured == Captured::ChangesSides;
        if changes {
            let mut captured = self.kinds.iter().map(|kind| kind.role.base());
            let is_lost = |role: &Role| *role != Role::King && !self.has_slot(*role);
            if let Some(role) = captured.find(is_lost) {
                return Err(RulesError::Reserve(role));
            }
            // A piece does not remember that it was a pawn.
            let is_chess = self.has_chess_pawns() && pawn.is_some();
            refuse(
                is_chess,
                "pieces that change sides",
                "promotion on the last rank",
            )?;
        }
        let is_taken = self.has_slot(Role::King) && !self.king_before_capture;
        refuse(
            is_taken,
            "kings in reserve",
            "captures before the king is placed",
        )?;
        let leave = self.one_pawn_a_file && pawn_steps.iter().any(|&(files, _)| files != 0);
        refuse(leave, "one pawn a file", "pawns that leave their file")?;
        let steps = !self.pawn_drop_mate && pawn_steps.len() > 1;
        refuse(
            steps,
            "no mate by a dropped pawn",
            "pawns with several steps",
        )?;
        let many = self.bishops_differ && (changes || bishops > 2);
        refuse(
            many,
            "bishops on different colours",
            "more than two bishops",
        )?;
        let drops_are_bound = self.drop_attack != DropAttack::Anything
            || self.one_pawn_a_file
            || !self.pawn_drop_mate
            || changes;
        if let Some((_, last)) = self.relocation {
            let relocation = "the relocation of pawns";
            let is_bound = drops_are_bound || self.placement || !self.has_chess_pawns();
            refuse(is_bound, relocation, "other rules of drops")?;
            let are_dropped = self.has_slot(Role::King) || self.has_slot(Role::Pawn);
            refuse(are_dropped, relocation, "drops of kings or pawns")?;
            refuse(last == self.width, relocation, "the last rank")?;
        }
        if self.placement {
            let is_bound = drops_are_bound || (bishops > 1 && !self.bishops_differ);
            refuse(is_bound, SEVERAL_DROPS, "other rules of drops")?;
            self.check_placement()?;
        }
        Ok(())
    }

    /// Checks what the count of placements takes for granted: a reserve of chess, and
    /// one range of ranks for all of it, in which that of the pawns lies.
    fn check_placement(&self) -> Result<(), RulesError> {
        let (first, last) = self.drop_ranks[Role::King.index()];
        let mut total = 0;
        for (role, count) in self.slots() {
            total += usize::from(count);
            let ranks = self.drop_ranks[role.index()];
            let is_counted = match role {
                Role::Pawn => ranks.0 >= first && ranks.1 <= last,
                Role::King | Role::Queen | Role::Rook | Role::Bishop | Role::Knight => {
                    ranks == (first, last)
                }
                _ => false,
            };
            let other = "pieces that chess does not have, or ranks of their own";
            refuse(!is_counted, RulesError::Together(SEVERAL_DROPS, other))?;
        }
        let other = "more than sixteen pieces in reserve";
        refuse(
            total > Placement::MOST,
            RulesError::Together(SEVERAL_DROPS, other),
        )
    }

    /// Checks that the table has an entry for a role.
    fn known(&self, role: Role) -> Result<(), RulesError> {
        refuse(self.kind(role).is_none(), RulesError::NoKind(role))
    }

    /// Returns true if a bare king, a knight and bishops are those of chess, and stay
    /// what they are: with them alone nobody mates.
    pub(crate) fn has_chess_minors(&self) -> bool {
        let is_chess = |kind: &Kind| {
            let steps = |is_one: fn(u8, u8) -> bool| {
                let mut steps = kind.steps.iter();
                steps.all(|(files, ranks)| is_one(files.unsigned_abs(), ranks.unsigned_abs()))
            };
            match kind.role {
                Role::King => steps(|files, ranks| files < 2 && ranks < 2),
                Role::Knight => {
                    kind.slides.is_empty()
                        && steps(|files, ranks| matches!((files, ranks), (1, 2) | (2, 1)))
                }
                Role::Bishop => kind.steps.is_empty() && kind.slides == [Slide::Diagonal],
                _ => true,
            }
        };
        matches!(self.promotion, Promotion::LastRank(_)) && self.kinds.iter().all(is_chess)
    }

    /// Returns true if a piece cannot stand on a square: it could never move from
    /// there, or is a chess pawn behind the ranks on which pawns begin.
    pub(crate) fn is_stranded(&self, piece: Piece, square: Square) -> bool {
        let (file, rank) = (square.file().index(), square.rank().index());
        let width = self.width;
        // Counted from the owner's side; what a piece reaches is the same in
        // the mirror.
        let rank = piece.color.rank(rank, width);
        let on_board = |&(files, ranks): &(i8, i8)| {
            let file = file.checked_add_signed(files);
            let rank = rank.checked_add_signed(ranks);
            file.is_some_and(|file| file < width) && rank.is_some_and(|rank| rank < width)
        };
        let moves = self.kind(piece.role).is_some_and(|kind| {
            kind.steps.iter().any(on_board)
                || kind
                    .slides
                    .iter()
                    .any(|slide| *slide != Slide::Forward || rank + 1 < width)
        });
        let behind = self.has_chess_pawns() && piece.role == Role::Pawn && {
            let dropped = self.has_slot(Role::Pawn);
            let (first, _) = self.drop_ranks[Role::Pawn.index()];
            rank + 1 < if dropped { first.min(2) } else { 2 }
        };
        behind || !moves
    }
}
