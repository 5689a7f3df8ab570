//! The check that rules make a game that the crate plays, and its error.

use core::error::Error;
use core::fmt;

use crate::board::{Board, board};
use crate::fen_error::ParseFenError;
use crate::game::{Captured, DropAttack, Kind, Promotion, Rules, Slide};
use crate::piece::{Color, Piece, Role};
use crate::ply::Placement;
use crate::reserve::Reserve;
use crate::sentences::sentences;
use crate::square::Square;

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

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
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

impl Rules {
    /// Checks what the rest of the crate takes for granted, and refuses what it
    /// does not do.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub(crate) fn check(&self) -> Result<(), RulesError> {
        let width = self.width;
        if !matches!(width, 8 | 9) {
            return Err(RulesError::Width(width));
        }
        if self.castling && width != 8 {
            return Err(RulesError::Castling);
        }
        let is_word = |name: &str| !name.is_empty() && name.chars().all(char::is_alphabetic);
        if let Some(name) = self.players.into_iter().find(|name| !is_word(name)) {
            return Err(RulesError::Player(name));
        }
        let on_board = |(first, last): (u8, u8)| first >= 1 && last <= width;
        let is_off_board = |role: &Role| !on_board(self.drop_ranks[role.index()]);
        if let Some(role) = Role::ALL.into_iter().find(is_off_board) {
            return Err(RulesError::DropRanks(role));
        }
        if self.relocation.is_some_and(|ranks| !on_board(ranks)) {
            return Err(RulesError::RelocationRanks);
        }
        self.check_promotion()?;
        self.check_kinds()?;
        self.check_material(&board(width, self.start).map_err(RulesError::Start)?)?;
        self.check_combinations()
    }

    fn check_kinds(&self) -> Result<(), RulesError> {
        for (i, kind) in self.kinds.iter().enumerate() {
            let role = kind.role;
            if self.kinds[..i].iter().any(|other| other.role == role) {
                return Err(RulesError::TwoKinds(role));
            }
            let is_step = |&(files, ranks): &(i8, i8)| {
                (files, ranks) != (0, 0) && files.unsigned_abs().max(ranks.unsigned_abs()) < 9
            };
            let is_simple_pawn = || {
                matches!(kind.steps, [(-1, 1), (1, 1)] | [(1, 1), (-1, 1)])
                    && kind.slides.is_empty()
            };
            let is_chess_pawn = role == Role::Pawn && self.has_chess_pawns();
            if !kind.steps.iter().all(is_step)
                || (is_chess_pawn && !is_simple_pawn())
                || (role == Role::King && !kind.slides.is_empty())
            {
                return Err(RulesError::Steps(role));
            }
            let promotes = match self.promotion {
                Promotion::Zone { .. } => role.promoted().is_some(),
                Promotion::LastRank(_) => is_chess_pawn,
            };
            let is_stuck = |square| self.is_stranded(role.of(Color::White), square);
            if !promotes && Square::all(self.width).any(is_stuck) {
                return Err(RulesError::Stranded(role));
            }
        }
        Ok(())
    }

    fn check_promotion(&self) -> Result<(), RulesError> {
        let has_pawns = self.kind(Role::Pawn).is_some();
        match self.promotion {
            Promotion::Zone { ranks, .. } => {
                if !(1..=self.width).contains(&ranks) {
                    return Err(RulesError::PromotionZone(ranks));
                }
                if has_pawns && self.has_chess_pawns() {
                    return Err(RulesError::PawnPromotion);
                }
                let mut promoted = self.kinds.iter().filter_map(|kind| kind.role.promoted());
                promoted.try_for_each(|role| self.known(role))
            }
            Promotion::LastRank(choices) if has_pawns => {
                if !self.has_chess_pawns() || choices.is_empty() {
                    return Err(RulesError::PawnPromotion);
                }
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
            if role.is_promoted() || self.slots().take(at).any(|(other, _)| other == role) {
                return Err(RulesError::Reserve(role));
            }
            let (first, last) = self.drop_ranks[role.index()];
            let is_stuck = |square: Square| {
                (first..=last).contains(&(square.rank().index() + 1))
                    && self.is_stranded(role.of(Color::White), square)
            };
            if Square::all(self.width).any(is_stuck) {
                return Err(RulesError::Stranded(role));
            }
        }
        for (_, piece) in start.pieces() {
            self.known(piece.role)?;
        }
        let held = |role| {
            let slots = self.slots().filter(|_| self.reserve_at_start);
            slots
                .filter(|(slot, _)| *slot == role)
                .map(|(_, count)| usize::from(count))
                .sum::<usize>()
        };
        for role in Role::ALL {
            let standing = start
                .pieces()
                .filter(|(_, piece)| piece.role.base() == role);
            if standing.count() + 2 * held(role) > usize::from(Reserve::MOST) {
                return Err(RulesError::TooMany(role));
            }
        }
        for color in Color::ALL {
            let king = Role::King.of(color);
            let standing = start.pieces().filter(|(_, piece)| *piece == king);
            if standing.count() + held(Role::King) != 1 {
                return Err(RulesError::Kings(self.player(color)));
            }
        }
        Ok(())
    }

    /// Refuses rules that are each done, but not together.
    fn check_combinations(&self) -> Result<(), RulesError> {
        let together = |one, other| Err(RulesError::Together(one, other));
        let is_held = |role| self.slots().any(|(slot, _)| slot == role);
        let bishop_slot = self.slots().find(|(role, _)| *role == Role::Bishop);
        let bishops = bishop_slot.map_or(0, |(_, count)| count);
        let pawn = self.kind(Role::Pawn);
        let pawn_steps = pawn.map_or(&[][..], |pawn| pawn.steps);
        let changes = self.captured == Captured::ChangesSides;
        if changes {
            let mut captured = self.kinds.iter().map(|kind| kind.role.base());
            let is_lost = |role: &Role| *role != Role::King && !is_held(*role);
            if let Some(role) = captured.find(is_lost) {
                return Err(RulesError::Reserve(role));
            }
            // A piece does not remember that it was a pawn.
            if self.has_chess_pawns() && pawn.is_some() {
                return together("pieces that change sides", "promotion on the last rank");
            }
        }
        if is_held(Role::King) && !self.king_before_capture {
            return together("kings in reserve", "captures before the king is placed");
        }
        if self.one_pawn_a_file && pawn_steps.iter().any(|&(files, _)| files != 0) {
            return together("one pawn a file", "pawns that leave their file");
        }
        if !self.pawn_drop_mate && pawn_steps.len() > 1 {
            return together("no mate by a dropped pawn", "pawns with several steps");
        }
        if self.bishops_differ && (changes || bishops > 2) {
            return together("bishops on different colours", "more than two bishops");
        }
        let drops_are_bound = self.drop_attack != DropAttack::Anything
            || self.one_pawn_a_file
            || !self.pawn_drop_mate
            || changes;
        if let Some((_, last)) = self.relocation {
            if drops_are_bound || self.placement || !self.has_chess_pawns() {
                return together("the relocation of pawns", "other rules of drops");
            }
            if is_held(Role::King) || is_held(Role::Pawn) {
                return together("the relocation of pawns", "drops of kings or pawns");
            }
            if last == self.width {
                return together("the relocation of pawns", "the last rank");
            }
        }
        if self.placement {
            if drops_are_bound || (bishops > 1 && !self.bishops_differ) {
                return together("several drops in a turn", "other rules of drops");
            }
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
            if !is_counted {
                let other = "pieces that chess does not have, or ranks of their own";
                return Err(RulesError::Together("several drops in a turn", other));
            }
        }
        if total > Placement::MOST {
            let other = "more than sixteen pieces in reserve";
            return Err(RulesError::Together("several drops in a turn", other));
        }
        Ok(())
    }

    /// Checks that the table has an entry for a role.
    fn known(&self, role: Role) -> Result<(), RulesError> {
        match self.kind(role) {
            Some(_) => Ok(()),
            None => Err(RulesError::NoKind(role)),
        }
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
            let dropped = self.slots().any(|(role, _)| role == Role::Pawn);
            let (first, _) = self.drop_ranks[Role::Pawn.index()];
            rank + 1 < if dropped { first.min(2) } else { 2 }
        };
        behind || !moves
    }
}
