//! Finds the reason why a move is not allowed, one rule after another.

use alloc::vec::Vec;

use crate::board::{Rank, Square};
use crate::game::{DoubleStep, DropAttack, Kings, Promotion, Rules};
use crate::illegal::{IllegalMoveKind as Why, MissingRule};
use crate::movegen::{ForbiddenAttacks, barred_bishop_squares, may_promote, pawn_files};
use crate::piece::{Color, Piece, Role};
use crate::ply::{Placement, Ply, Side};
use crate::state::{Core, IndexedPly, State, index_on, on_board};
use crate::tables::{Bitboard, Movement, Tables, ahead, castling_path};
use crate::variant::Variant;
use crate::{movegen, placement};

/// The reason why a ply is not legal.
pub(crate) fn why_not(variant: &Variant, core: &Core, ply: &Ply) -> Why {
    on_board!(core, |t, state| {
        Explainer::new(t, state, variant).ply(ply)
    })
}

/// The squares that the piece on a square goes to; those of a chess pawn are
/// its advances and its captures.
pub(crate) fn reach(variant: &Variant, core: &Core, from: Square) -> Option<Why> {
    on_board!(core, |t, state| {
        Explainer::new(t, state, variant).reach(from)
    })
}

/// Returns true if the mover's piece on a square could go to another if neither
/// checks nor the bar on captures were a matter.
pub(crate) fn aims_at(variant: &Variant, core: &Core, from: Square, to: Square) -> bool {
    on_board!(core, |t, state| {
        let (from, to) = (index_on(state, from), index_on(state, to));
        state.get(from).is_some_and(|piece| {
            Explainer::new(t, state, variant)
                .pseudo_targets(piece, from)
                .has(to)
        })
    })
}

/// The reason, if the board has the squares.
fn on_squares<B: Bitboard>(squares: &[Square], why: impl FnOnce() -> Why) -> Why {
    match squares.iter().find(|square| !square.is_on(B::WIDTH)) {
        Some(square) => Why::OffBoard(*square),
        None => why(),
    }
}

struct Explainer<'a, B> {
    t: &'a Tables<B>,
    state: &'a State<B>,
    variant: &'a Variant,
    us: Color,
}

impl<'a, B: Bitboard> Explainer<'a, B> {
    fn new(t: &'a Tables<B>, state: &'a State<B>, variant: &'a Variant) -> Explainer<'a, B> {
        Explainer {
            t,
            state,
            variant,
            us: state.turn,
        }
    }

    fn ply(&self, ply: &Ply) -> Why {
        match ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => on_squares::<B>(&[*from, *to], || {
                self.board_move(B::index(*from), B::index(*to), *promotion)
            }),
            Ply::Castle(side) => self.castle(*side),
            Ply::Drop { role, to } => on_squares::<B>(&[*to], || {
                let to = B::index(*to);
                self.drop_alone(*role, to)
                    .unwrap_or_else(|| self.left_in_check(IndexedPly::Drop { role: *role, to }))
            }),
            Ply::Relocation { role, to, pawn } => on_squares::<B>(&[*to, *pawn], || {
                self.relocation(*role, B::index(*to), B::index(*pawn))
            }),
            Ply::Placement(placement) => self.placement(placement),
        }
    }

    /// A rule that the game does not have, with the option that takes it away
    /// where the game has it otherwise.
    fn without(&self, rule: MissingRule, has: impl Fn(&Rules) -> bool) -> Why {
        let option = self.taken_away_by(has);
        Why::NoSuchRule { rule, option }
    }

    /// The option that takes away what the game has without it.
    fn taken_away_by(&self, has: impl Fn(&Rules) -> bool) -> Option<&'static str> {
        let game = self.variant.game();
        let takes_away = |name: &&'static str| {
            let option = game.options.iter().find(|option| option.name == *name);
            option.is_some_and(|option| {
                let mut rules = game.rules.clone();
                (option.apply)(&mut rules);
                has(&game.rules) && !has(&rules)
            })
        };
        self.variant.options().iter().copied().find(takes_away)
    }

    /// An occupied square and the piece on it.
    fn standing(&self, index: u8) -> (Square, Piece) {
        let is_white = self.state.of(Color::White).has(index);
        let color = if is_white { Color::White } else { Color::Black };
        let role = self.state.role_of(index);
        (B::square(index), Piece { color, role })
    }

    fn in_the_way(&self, blocker: u8, role: Role, from: u8) -> Why {
        let (from, blocker) = (B::square(from), self.standing(blocker));
        Why::InTheWay {
            from,
            role,
            blocker,
        }
    }

    fn left_in_check(&self, turn: IndexedPly) -> Why {
        self.in_check_after(&self.state.play(self.t, turn))
    }

    /// The reason why a ply that the other rules allow leaves the king in check.
    fn in_check_after(&self, next: &State<B>) -> Why {
        let us = self.us;
        let attackers = |state: &State<B>, king| {
            let occupied = state.occupied();
            state.attackers(self.t, !us, king, occupied)
        };
        let after = next.king(us).map(|king| (king, attackers(next, king)));
        let Some((king, after)) = after.filter(|(_, attackers)| !attackers.is_empty()) else {
            return Why::Other;
        };
        let square = B::square(king);
        let before = match self.state.king(us) {
            Some(before) if before == king => attackers(self.state, king),
            moved => {
                return Why::KingAttacked {
                    king: square,
                    attacker: self.standing(after.lowest()),
                    dropped: moved.is_none(),
                };
            }
        };
        let unmet = before & after;
        if unmet.is_empty() {
            return Why::KingExposed {
                king: square,
                attacker: self.standing(after.lowest()),
            };
        }
        Why::CheckNotMet {
            checkers: before.squares().map(|at| self.standing(at)).collect(),
            needs_several: self.t.rules.placement
                && !movegen::any(self.t, self.state)
                && placement::any(self.t, self.state),
        }
    }

    fn board_move(&self, from: u8, to: u8, promotion: Option<Role>) -> Why {
        let us = self.us;
        let (start, end) = (B::square(from), B::square(to));
        let Some(piece) = self.state.get(from) else {
            return Why::EmptySquare(start);
        };
        if piece.color != us {
            return Why::NotYours { from: start, piece };
        }
        if let Some(own) = self.state.get(to).filter(|other| other.color == us) {
            let role = own.role;
            return Why::OwnPiece { to: end, role };
        }
        if !self.pseudo_targets(piece, from).has(to) {
            return self.out_of_reach(piece, from, to);
        }
        let captures = self.state.of(!us).has(to) || self.takes_in_passing(piece, from, to);
        if captures && self.state.king(us).is_none() && self.t.rules.king_before_capture {
            return Why::CaptureBeforeKing;
        }
        if let Some(why) = self.promotion(piece, from, to, promotion) {
            return why;
        }
        self.left_in_check(IndexedPly::Move {
            role: piece.role,
            from,
            to,
            promotion,
        })
    }

    /// The squares a piece goes to if checks and the bar on captures are left out.
    fn pseudo_targets(&self, piece: Piece, from: u8) -> B {
        if self.is_chess_pawn(piece) {
            return self.pawn_targets(piece.color, from);
        }
        let own = self.state.of(piece.color);
        self.t.movement(piece.role).map_or(B::EMPTY, |movement| {
            let occupied = self.state.occupied();
            self.t.attacks(movement, piece.color, from, occupied) & !own
        })
    }

    fn reach(&self, from: Square) -> Option<Why> {
        let index = B::index(from);
        let piece = self.state.get(index)?;
        let targets = self.pseudo_targets(piece, index).squares();
        let mut reaches: Vec<Square> = targets.map(B::square).collect();
        reaches.sort_unstable();
        let role = piece.role;
        Some(Why::OutOfReach {
            from,
            role,
            reaches,
        })
    }

    fn out_of_reach(&self, piece: Piece, from: u8, to: u8) -> Why {
        let special = if self.is_chess_pawn(piece) {
            self.pawn_out_of_reach(from, to)
        } else {
            self.blocked(piece, from, to)
        };
        let reach = || self.reach(B::square(from));
        special.or_else(reach).unwrap_or(Why::Other)
    }

    /// The piece in the way of one that runs along a line.
    fn blocked(&self, piece: Piece, from: u8, to: u8) -> Option<Why> {
        let movement = self.t.movement(piece.role)?;
        let runs = self.t.attacks(movement, piece.color, from, B::EMPTY);
        if !runs.has(to) {
            return None;
        }
        let way = placement::between(self.t, from, to)? & self.state.occupied();
        // All of them are on one line.
        let nearest = way.squares().min_by_key(|index| index.abs_diff(from))?;
        Some(self.in_the_way(nearest, piece.role, from))
    }

    fn is_chess_pawn(&self, piece: Piece) -> bool {
        self.t.chess_pawns && piece.role == Role::Pawn
    }

    /// The squares a chess pawn goes to if checks and the bar on captures are left out.
    fn pawn_targets(&self, color: Color, from: u8) -> B {
        let bit = B::bit(from);
        let free = self.state.empty();
        let forward = ahead::<B>(color);
        let single = bit.shift(forward) & free;
        let mut targets = single;
        if self.state.double_steppers(self.t, color).meets(bit) {
            targets |= single.shift(forward) & free;
        }
        let mut victims = self.state.of(!color);
        if color == self.us {
            victims |= self.state.passed;
        }
        targets | (self.t.pawn.steps(color, from) & victims)
    }

    fn takes_in_passing(&self, piece: Piece, from: u8, to: u8) -> bool {
        self.is_chess_pawn(piece)
            && self.state.passed.has(to)
            && self.t.pawn.steps(self.us, from).has(to)
    }

    /// The reason why the mover's chess pawn does not go to a square, if there is
    /// a better one than the squares it goes to.
    fn pawn_out_of_reach(&self, from: u8, to: u8) -> Option<Why> {
        if self.t.pawn.steps(self.us, from).has(to) {
            return Some(self.nothing_to_capture(to));
        }
        let forward = ahead::<B>(self.us);
        let single = B::bit(from).shift(forward);
        let double = single.shift(forward);
        let occupied = self.state.occupied();
        if (single | double).has(to) && single.meets(occupied) {
            return Some(self.in_the_way(single.lowest(), Role::Pawn, from));
        }
        if !double.has(to) {
            return None;
        }
        if occupied.has(to) {
            return Some(self.in_the_way(to, Role::Pawn, from));
        }
        let (start, end) = (B::square(from), B::square(to));
        Some(match self.t.rules.double_step() {
            DoubleStep::Never => self.without(MissingRule::DoubleStep(start, end), |rules| {
                rules.double_step() != DoubleStep::Never
            }),
            _ if !self.t.second[self.us.index()].has(from) => Why::NotOnSecondRank(start),
            _ => Why::NotDroppedThere(start),
        })
    }

    /// The reason why a pawn captures nothing on an empty square.
    fn nothing_to_capture(&self, to: u8) -> Why {
        let them = !self.us;
        let behind = B::bit(to).shift(ahead::<B>(them));
        let third = self.t.second[them.index()].shift(ahead::<B>(them));
        let passable = third.has(to) && behind.meets(self.state.pieces(them, Role::Pawn));
        if !passable {
            return Why::NothingToCapture(B::square(to));
        }
        if !self.t.rules.en_passant() {
            return self.without(MissingRule::EnPassant, Rules::en_passant);
        }
        Why::NotEnPassant(B::square(behind.lowest()))
    }

    fn promotion(&self, piece: Piece, from: u8, to: u8, into: Option<Role>) -> Option<Why> {
        let Promotion::LastRank(choices) = self.t.rules.promotion else {
            return self.promotion_in_zone(piece, from, to, into);
        };
        let end = B::square(to);
        let pawn = piece.role == Role::Pawn;
        let last = pawn && self.t.zone[self.us.index()].has(to);
        match into {
            Some(_) if !pawn => Some(Why::NoPromotion(piece.role)),
            Some(_) if !last => Some(Why::NotOnLastRank(end)),
            into if last && !into.is_some_and(|into| choices.contains(&into)) => {
                Some(Why::ChoosePromotion {
                    to: end,
                    choices: choices.to_vec(),
                })
            }
            _ => None,
        }
    }

    fn promotion_in_zone(&self, piece: Piece, from: u8, to: u8, into: Option<Role>) -> Option<Why> {
        let us = self.us.index();
        let (start, end) = (B::square(from), B::square(to));
        let role = piece.role;
        let zone = self.t.zone[us];
        let movement = self.t.movement(role);
        let immobile = movement.is_some_and(|movement| movement.immobile[us].has(to));
        match into {
            Some(_) if role.is_promoted() => Some(Why::AlreadyPromoted { from: start, role }),
            Some(into) if role.promoted() != Some(into) => Some(match role.promoted() {
                Some(promoted) => Why::WrongPromotion { role, promoted },
                None => Why::NoPromotion(role),
            }),
            _ if (into.is_some() || immobile) && !may_promote(self.t, self.state) => {
                Some(Why::PromotionBeforeKing {
                    king: self.missing_king(),
                    stranded: immobile.then_some((role, end)),
                })
            }
            Some(_) if !zone.has(from) && !zone.has(to) => Some(Why::OutsideZone {
                from: start,
                to: end,
                ranks: ranks_of(zone),
            }),
            None if immobile => Some(Why::MustPromote { role, to: end }),
            _ => None,
        }
    }

    /// The player whose king is in reserve, which bars the promotion.
    fn missing_king(&self) -> Color {
        let Promotion::Zone { after, .. } = self.t.rules.promotion else {
            return self.us;
        };
        match after {
            Kings::Enemy => !self.us,
            Kings::Both if self.state.king(self.us).is_some() => !self.us,
            _ => self.us,
        }
    }

    /// The reason why a drop is not allowed, checks apart.
    fn drop_alone(&self, role: Role, to: u8) -> Option<Why> {
        let us = self.us;
        if let Some(why) = self.not_in_reserve(role) {
            return Some(why);
        }
        if placement::is_first_turn(self.t, self.state, us) && role != Role::King {
            return Some(Why::KingFirst);
        }
        if self.state.pieces(us, Role::Pawn).has(to) && self.t.rules.relocation.is_some() {
            return Some(self.dropped_on_pawn(role, to));
        }
        self.taken(to).or_else(|| self.drop_place(role, to))
    }

    /// The piece that stands where another one is to come.
    fn taken(&self, to: u8) -> Option<Why> {
        let (piece, square) = (self.state.get(to)?, B::square(to));
        Some(Why::Occupied { square, piece })
    }

    fn not_in_reserve(&self, role: Role) -> Option<Why> {
        let rules = &self.t.rules;
        if !rules.has_reserve() {
            Some(self.without(MissingRule::Drops, Rules::has_reserve))
        } else if rules.kind(role).is_none() {
            Some(Why::NoSuchPiece(role))
        } else if !rules.has_slot(role) {
            let option = self.taken_away_by(|rules| rules.has_slot(role));
            Some(Why::NeverInReserve { role, option })
        } else if !self.state.reserve(self.us).has(role) {
            Some(Why::NotInReserve(role))
        } else {
            None
        }
    }

    /// The reason why a reserve piece may not be dropped on an empty square.
    fn drop_place(&self, role: Role, to: u8) -> Option<Why> {
        let us = self.us;
        let square = B::square(to);
        let movement = self.t.movement(role)?;
        if !self.t.drop_ranks(us, movement.role).has(to) {
            return Some(self.outside_drop_zone(movement, to));
        }
        if role == Role::Pawn && self.t.rules.one_pawn_a_file && pawn_files(self.state, us).has(to)
        {
            return Some(Why::SecondPawn(square.file()));
        }
        if barred_bishop_squares(self.t, self.state, role).has(to) {
            return Some(self.bishops_differ(to));
        }
        let forbidden = ForbiddenAttacks::new(self.t, self.state);
        if forbidden.from(movement).has(to) {
            return Some(self.attacks_on_landing(movement, to, forbidden.protected));
        }
        let mates = self.pawn_drop_mates(role, to);
        mates.then_some(Why::PawnDropMate(square))
    }

    fn bishops_differ(&self, to: u8) -> Why {
        Why::BishopColor {
            square: B::square(to),
            light: self.t.light.has(to),
            placed: self.is_placed(Role::Bishop),
        }
    }

    /// Returns true if the sources speak of placing the piece, not of dropping it.
    fn is_placed(&self, role: Role) -> bool {
        self.t.rules.placement || role == Role::Pawn
    }

    fn outside_drop_zone(&self, movement: &Movement<B>, to: u8) -> Why {
        let (role, us) = (movement.role, self.us.index());
        let square = B::square(to);
        if movement.immobile[us].has(to) && !self.t.chess_pawns {
            return Why::DropStranded { role, square };
        }
        let mut slots = self.t.rules.slots();
        Why::DropRank {
            role,
            square,
            ranks: ranks_of(self.t.drop_ranks(self.us, movement.role)),
            single: slots.any(|(slot, count)| slot == role && count == 1),
            placed: self.is_placed(role),
        }
    }

    fn attacks_on_landing(&self, movement: &Movement<B>, to: u8, protected: B) -> Why {
        let attacked = self.t.attacks(movement, self.us, to, self.state.occupied());
        let mut victims = (attacked & protected).squares();
        Why::DropAttacks {
            role: movement.role,
            square: B::square(to),
            victim: victims.next().map(|at| self.standing(at)),
            king_only: self.t.rules.drop_attack == DropAttack::NotTheKing,
        }
    }

    fn pawn_drop_mates(&self, role: Role, to: u8) -> bool {
        role == Role::Pawn && !self.t.rules.pawn_drop_mate && {
            let next = self.state.play(self.t, IndexedPly::Drop { role, to });
            next.is_check(self.t, !self.us) && !movegen::any(self.t, &next)
        }
    }

    /// The reason why a drop on an own pawn is not allowed without the pawn's new
    /// square.
    fn dropped_on_pawn(&self, role: Role, to: u8) -> Why {
        if let Some(why) = self.barred_relocation(role, to) {
            return why;
        }
        let mut goals = (self.t.relocation[self.us.index()] & self.state.empty()).squares();
        Why::DropOnPawn {
            role,
            square: B::square(to),
            goal: goals.next().map(B::square),
        }
    }

    /// The reason why no drop of the role on an own pawn is allowed, wherever the
    /// pawn goes.
    fn barred_relocation(&self, role: Role, to: u8) -> Option<Why> {
        if self.state.is_check(self.t, self.us) {
            return Some(Why::RelocationInCheck);
        }
        let barred = barred_bishop_squares(self.t, self.state, role);
        barred.has(to).then(|| self.bishops_differ(to))
    }

    fn relocation(&self, role: Role, to: u8, pawn: u8) -> Why {
        let us = self.us;
        if self.t.rules.relocation.is_none() {
            return self.without(MissingRule::Relocation, |rules| rules.relocation.is_some());
        }
        if let Some(why) = self.not_in_reserve(role) {
            return why;
        }
        if self.state.get(to) != Some(Role::Pawn.of(us)) {
            return Why::NoPawn(B::square(to));
        }
        if let Some(why) = self.barred_relocation(role, to) {
            return why;
        }
        self.taken(pawn).unwrap_or_else(|| Why::RelocationRank {
            square: B::square(pawn),
            ranks: ranks_of(self.t.relocation[us.index()]),
        })
    }

    fn placement(&self, placement: &Placement) -> Why {
        if !self.t.rules.has_reserve() {
            return self.without(MissingRule::Drops, Rules::has_reserve);
        }
        if !self.t.rules.placement {
            return Why::OneDropATurn;
        }
        if placement.len() < 2 {
            return Why::PlacementTooSmall;
        }
        let first = placement::is_first_turn(self.t, self.state, self.us);
        if first && !placement.drops().any(|(role, _)| role == Role::King) {
            return Why::KingFirst;
        }
        let mut next = *self.state;
        for (role, square) in placement.drops() {
            let after = Explainer {
                state: &next,
                ..*self
            };
            if !square.is_on(B::WIDTH) {
                return Why::OffBoard(square);
            }
            let to = B::index(square);
            let too_few = || {
                let held = self.state.reserve(self.us).count(role);
                let none_left = !next.reserve(self.us).has(role);
                none_left.then_some(Why::TooFewInReserve { role, held })
            };
            let why = self
                .not_in_reserve(role)
                .or_else(too_few)
                .or_else(|| after.taken(to))
                .or_else(|| after.drop_place(role, to));
            if let Some(why) = why {
                return why;
            }
            next.drop(self.t, role, to);
        }
        self.in_check_after(&next)
    }

    fn castle(&self, side: Side) -> Why {
        let us = self.us;
        if !self.t.rules.castling {
            return self.without(MissingRule::Castling, |rules| rules.castling);
        }
        let [king, rook, king_to, rook_to] = castling_path(us, side);
        for (role, at) in [(Role::King, king), (Role::Rook, rook)] {
            let square = B::square(at);
            if self.state.get(at) != Some(Piece { color: us, role }) {
                return Why::CastlingPiece { role, square };
            }
            if !self.state.unmoved.has(at) {
                return Why::CastlingMoved { role, square };
            }
        }
        let between = (king.min(rook) + 1..king.max(rook)).find(|&i| self.state.get(i).is_some());
        if let Some(at) = between {
            let blocker = self.standing(at);
            return Why::CastlingBlocked { blocker };
        }
        if self.state.is_check(self.t, us) {
            return Why::CastlingInCheck;
        }
        for (at, lands) in [(rook_to, false), (king_to, true)] {
            let attackers = self.state.attackers(self.t, !us, at, self.state.occupied());
            if !attackers.is_empty() {
                return Why::CastlingAttacked {
                    square: B::square(at),
                    attacker: self.standing(attackers.lowest()),
                    lands,
                };
            }
        }
        self.left_in_check(IndexedPly::Castle(side))
    }
}

/// The ranks that a set has squares on, from the lowest.
fn ranks_of<B: Bitboard>(set: B) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = set.squares().map(|index| B::square(index).rank()).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}
