//! The generator of legal moves, one for all games.
//!
//! It gives only legal moves, and plays none to find out. It is fast because:
//!
//! - It speaks in *sets*. A piece's moves are one origin and a set of targets,
//!   all unpinned pawns advance as one set, a reserve piece's drops are one
//!   set. A [`Visitor`] takes the sets; one that counts needs no move at all, and
//!   one that wants some moves only spares the work for the others.
//! - One look along the four lines through the own king ([`Threats`]) tells
//!   checks, the squares that meet them, and pins. Where one of the kings is
//!   in reserve no check is real, and the look is protected.
//! - Lines are cut by subtraction (`Bitboard::seen`): no tables that fall out
//!   of the cache, and the same code on 64 and on 128 bits.
//! - Nothing is allocated.
//!
//! Only the rule table decides what a game allows.

use crate::game::{DropAttack, Kings, Promotion};
use crate::piece::{Color, Role};
use crate::ply::Side;
use crate::state::{IndexedPly, Sliders, State};
use crate::tables::{Bitboard, LINES, Movement, Reach, Tables, ahead};

/// Gives every legal turn of the position to the visitor, but placements of
/// several pieces.
#[inline]
pub(crate) fn generate<B: Bitboard, S: Visitor<B>>(
    t: &Tables<B>,
    state: &State<B>,
    visitor: &mut S,
) {
    let mut generator = Generator::new(t, state);
    generator.open = visitor.targets(generator.open);
    if !generator.threats.checkers.is_many() {
        generator.officers(visitor);
        if t.chess_pawns {
            match generator.us {
                Color::White => generator.pawns::<true>(visitor),
                Color::Black => generator.pawns::<false>(visitor),
            }
        }
        generator.drops(visitor);
    }
    generator.king(visitor);
}

/// The number of legal turns, without placements of several pieces.
#[inline]
pub(crate) fn count<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> u64 {
    let mut count = Count::new();
    generate(t, state, &mut count);
    count.total()
}

/// Returns true if there is any legal turn, placements of several pieces apart. It looks
/// no further than the first kind of turns that has one.
pub(crate) fn any<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> bool {
    let generator = Generator::new(t, state);
    let mut found = Any(false);
    if !generator.threats.checkers.is_many() {
        if t.chess_pawns {
            match generator.us {
                Color::White => generator.pawns::<true>(&mut found),
                Color::Black => generator.pawns::<false>(&mut found),
            }
        }
        if !found.0 {
            generator.officers(&mut found);
        }
        if !found.0 {
            generator.drops(&mut found);
        }
    }
    if !found.0 {
        generator.king(&mut found);
    }
    found.0
}

struct Generator<'a, B> {
    t: &'a Tables<B>,
    state: &'a State<B>,
    us: Color,
    own: B,
    occupied: B,
    king: Option<u8>,
    /// True if the enemy's attacks on our king are real.
    real: bool,
    /// The enemy's pieces that run along lines.
    sliders: Sliders<B>,
    threats: Threats<B>,
    /// The squares pieces other than the king may go to: not own pieces, not
    /// enemy pieces while no capture is allowed, meeting a check.
    open: B,
    pinned: B,
}

impl<'a, B: Bitboard> Generator<'a, B> {
    #[allow(clippy::inline_always, reason = "the innermost loop")]
    #[inline(always)]
    fn new(t: &'a Tables<B>, state: &'a State<B>) -> Generator<'a, B> {
        let us = state.turn;
        let own = state.of(us);
        let occupied = state.occupied();
        let king = state.king(us);
        let real = state.is_real();
        let sliders = state.sliders(t, !us);
        let threats = match king {
            Some(king) if real => Threats::to(t, state, &sliders, king),
            _ => Threats::none(),
        };
        // No capture before the king is placed.
        let barred = if king.is_none() && t.rules.king_before_capture {
            occupied
        } else {
            own
        };
        Generator {
            open: threats.evasion & !barred,
            pinned: threats.pinned() & own,
            t,
            state,
            us,
            own,
            occupied,
            king,
            real,
            sliders,
            threats,
        }
    }

    /// Returns true if no enemy piece really attacks a square.
    fn is_safe(&self, square: u8, occupied: B) -> bool {
        !self.real
            || (self.is_safe_from_sliders(square, occupied)
                && self.state.steppers(self.t, !self.us, square).is_empty())
    }

    #[inline]
    fn is_safe_from_sliders(&self, square: u8, occupied: B) -> bool {
        self.sliders.attacking(self.t, square, occupied).is_empty()
    }

    #[inline]
    fn king(&self, visitor: &mut impl Visitor<B>) {
        let Some(king) = self.king else { return };
        if visitor.origins(B::bit(king)).is_empty() {
            return;
        }
        // Seen through the king: it cannot hide behind itself.
        let occupied = self.occupied ^ B::bit(king);
        let mut targets = visitor.targets(self.t.king.steps(self.us, king) & !self.own);
        if self.real {
            targets &= !self.threats.stepped_on;
            for (to, bit) in targets.each() {
                if !self.is_safe_from_sliders(to, occupied) {
                    targets ^= bit;
                }
            }
        }
        visitor.moves(Role::King, Origin::Square(king), targets, &[None]);
        self.castling(king, visitor);
    }

    #[inline]
    fn castling(&self, king: u8, visitor: &mut impl Visitor<B>) {
        if !visitor.wants_castling() {
            return;
        }
        if self.state.unmoved.has(king) && self.threats.checkers.is_empty() {
            for castling in &self.t.castling[self.us.index()] {
                // Neither moved, nothing between, no attacked square on the way.
                let moved = castling.unmoved & !self.state.unmoved;
                if moved.is_empty()
                    && !castling.between.meets(self.occupied)
                    && castling
                        .path
                        .iter()
                        .all(|&at| self.is_safe(at, self.occupied))
                {
                    visitor.castle(castling.side);
                }
            }
        }
    }

    #[inline]
    fn officers(&self, visitor: &mut impl Visitor<B>) {
        let us = self.us;
        for movement in &self.t.officers {
            let mut pieces = visitor.origins(self.own & self.state.role(movement.role));
            if pieces.is_empty() {
                continue;
            }
            if let Some(by) = movement.straight[us.index()] {
                // Pieces that only step straight ahead move as one set.
                let free = pieces & !self.pinned;
                let targets = free.shift(by) & self.open;
                self.officer(movement, Origin::Behind(by), targets, free, visitor);
                pieces &= self.pinned;
            }
            // Asked once for all pieces of a kind.
            match movement.reach {
                Reach::Steps => {
                    self.each(movement, pieces, visitor, |from| movement.steps(us, from));
                }
                Reach::Orthogonal => self.each(movement, pieces, visitor, |from| {
                    self.t.orthogonals(from, self.occupied)
                }),
                Reach::Diagonal => self.each(movement, pieces, visitor, |from| {
                    self.t.diagonals(from, self.occupied)
                }),
                Reach::Both => self.each(movement, pieces, visitor, |from| {
                    self.t.orthogonals(from, self.occupied) | self.t.diagonals(from, self.occupied)
                }),
                Reach::Mixed => self.each(movement, pieces, visitor, |from| {
                    self.t.attacks(movement, us, from, self.occupied)
                }),
            }
        }
    }

    /// Moves of officers of one kind, each by itself.
    #[allow(clippy::inline_always, reason = "the innermost loop")]
    #[inline(always)]
    fn each(
        &self,
        movement: &Movement<B>,
        pieces: B,
        visitor: &mut impl Visitor<B>,
        attacks: impl Fn(u8) -> B,
    ) {
        for (from, bit) in pieces.each() {
            let mut targets = attacks(from) & self.open;
            if self.pinned.meets(bit) {
                targets &= self.threats.line_of(bit);
            }
            self.officer(movement, Origin::Square(from), targets, bit, visitor);
        }
    }

    /// Moves of officers of one kind from `origin`. In the zone they may, must
    /// or must not promote.
    #[allow(clippy::inline_always, reason = "the innermost loop")]
    #[inline(always)]
    fn officer(
        &self,
        movement: &Movement<B>,
        origin: Origin,
        targets: B,
        from: B,
        visitor: &mut impl Visitor<B>,
    ) {
        let role = movement.role;
        let Some(promoted) = movement.promoted else {
            return visitor.moves(role, origin, targets, &[None]);
        };
        let zone = self.t.zone[self.us.index()];
        let leaving = from & zone;
        let mut entering = targets & zone;
        if !leaving.is_empty() {
            entering |= match origin {
                Origin::Square(_) => targets,
                Origin::Behind(by) => targets & leaving.shift(by),
            };
        }
        if entering.is_empty() {
            return visitor.moves(role, origin, targets, &[None]);
        }
        if !may_promote(self.t, self.state) {
            entering = B::EMPTY;
        }
        let immobile = movement.immobile[self.us.index()];
        visitor.moves(role, origin, targets & !entering & !immobile, &[None]);
        visitor.moves(role, origin, entering & !immobile, &[None, Some(promoted)]);
        visitor.moves(role, origin, entering & immobile, &[Some(promoted)]);
    }

    #[inline]
    fn pawns<const UP: bool>(&self, visitor: &mut impl Visitor<B>) {
        let pawns = visitor.origins(self.state.pieces(self.us, Role::Pawn));
        self.pawn_set::<UP>(pawns & !self.pinned, self.open, visitor);
        for from in (pawns & self.pinned).squares() {
            let bit = B::bit(from);
            self.pawn_set::<UP>(bit, self.open & self.threats.line_of(bit), visitor);
        }
        if !self.state.passed.is_empty() {
            self.en_passant(pawns, visitor);
        }
    }

    /// Advances and captures of several pawns at once. The direction is a
    /// constant, and so the sets are shifted by constants.
    #[inline]
    fn pawn_set<const UP: bool>(&self, pawns: B, open: B, visitor: &mut impl Visitor<B>) {
        let us = self.us;
        let forward = ahead::<B>(if UP { Color::White } else { Color::Black });
        let free = B::FULL & !self.occupied;
        let single = pawns.shift(forward) & free;
        self.pawn_moves(forward, single & open, visitor);
        let double = (pawns & self.state.double_steppers(self.t, us)).shift(forward) & free;
        let double = double.shift(forward) & free & open;
        visitor.moves(Role::Pawn, Origin::Behind(2 * forward), double, &[None]);
        let enemy = self.state.of(!us) & open;
        let [left, .., right] = self.edges();
        self.pawn_moves(
            forward - 1,
            (pawns & !left).shift(forward - 1) & enemy,
            visitor,
        );
        self.pawn_moves(
            forward + 1,
            (pawns & !right).shift(forward + 1) & enemy,
            visitor,
        );
    }

    #[inline]
    fn edges(&self) -> [B; 2] {
        [self.t.files[0], self.t.files[usize::from(B::WIDTH) - 1]]
    }

    #[inline]
    fn pawn_moves(&self, by: i8, targets: B, visitor: &mut impl Visitor<B>) {
        let last = self.t.zone[self.us.index()];
        visitor.moves(Role::Pawn, Origin::Behind(by), targets & !last, &[None]);
        if targets.meets(last)
            && let Promotion::LastRank(roles) = self.t.rules.promotion
        {
            for &role in roles {
                let into = &[Some(role)];
                visitor.moves(Role::Pawn, Origin::Behind(by), targets & last, into);
            }
        }
    }

    fn en_passant(&self, pawns: B, visitor: &mut impl Visitor<B>) {
        if self.king.is_none() && self.t.rules.king_before_capture {
            return;
        }
        if visitor.targets(self.state.passed).is_empty() {
            return;
        }
        let to = self.state.passed.lowest();
        let taken = self.state.passed.shift(-ahead::<B>(self.us));
        for from in (self.t.pawn.sources(self.us, to) & pawns).squares() {
            let occupied = self.occupied ^ B::bit(from) ^ taken ^ self.state.passed;
            let safe = !self.real
                || self.king.is_none_or(|king| {
                    !self
                        .state
                        .attackers(self.t, !self.us, king, occupied)
                        .meets(!taken)
                });
            if safe {
                visitor.moves(Role::Pawn, Origin::Square(from), self.state.passed, &[None]);
            }
        }
    }

    #[inline]
    fn drops(&self, visitor: &mut impl Visitor<B>) {
        let reserve = self.state.reserve(self.us);
        if reserve.is_empty() || !visitor.wants_drops() {
            return;
        }
        let free = self.open & !self.occupied;
        // Kingchess: the first turn places the king, with or without others.
        let king_first = self.t.rules.placement && reserve.has(Role::King);
        let forbidden = (self.t.rules.drop_attack != DropAttack::Anything)
            .then(|| ForbiddenAttacks::new(self.t, self.state));
        for &role in &self.t.droppable {
            if !reserve.has(role) || (king_first && role != Role::King) {
                continue;
            }
            let mut targets = free & drop_zone(self.t, self.state, role);
            if let (Some(forbidden), Some(movement)) = (&forbidden, self.t.movement(role)) {
                targets &= !forbidden.from(movement);
            }
            let targets = match role {
                Role::King => self.safe_for_king(targets),
                Role::Pawn if !self.t.rules.pawn_drop_mate => self.without_mate(targets),
                _ => targets,
            };
            visitor.drops(role, targets);
            if self.t.rules.relocation.is_some() && self.threats.checkers.is_empty() {
                self.relocations(role, visitor);
            }
        }
    }

    /// Removes attacked squares. Without a king on the board the enemy gives
    /// no check.
    fn safe_for_king(&self, targets: B) -> B {
        if self.state.king(!self.us).is_none() {
            return targets;
        }
        targets & !self.state.attacked(self.t, !self.us, self.occupied)
    }

    /// Removes squares on which a dropped pawn would give real checkmate.
    fn without_mate(&self, targets: B) -> B {
        let Some(enemy) = self.state.king(!self.us) else {
            return targets;
        };
        let checking = self.t.pawn.sources(self.us, enemy) & targets;
        if !self.real || checking.is_empty() {
            return targets;
        }
        let next = self.state.play(
            self.t,
            IndexedPly::Drop {
                role: Role::Pawn,
                to: checking.lowest(),
            },
        );
        if any(self.t, &next) {
            targets
        } else {
            targets & !checking
        }
    }

    /// Drops on own pawns, which go to empty squares of their ranks.
    fn relocations(&self, role: Role, visitor: &mut impl Visitor<B>) {
        let pawns = self.state.pieces(self.us, Role::Pawn)
            & !barred_bishop_squares(self.t, self.state, role);
        let targets = self.t.relocation[self.us.index()] & !self.occupied;
        visitor.relocations(role, pawns, targets);
    }
}

/// The part of a state that repetition compares: without rights that nothing can complete,
/// without an en passant square that no legal capture uses, without the counts.
pub(crate) fn repetition_key<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> State<B> {
    let mut key = State {
        clock: 0,
        plies: 0,
        ..state.identity(t)
    };
    if !state.passed.is_empty() && !can_take_en_passant(t, state) {
        key.passed = B::EMPTY;
    }
    key
}

/// Returns true if a legal capture en passant uses the square passed.
pub(crate) fn can_take_en_passant<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> bool {
    let pawns = state.pieces(state.turn, Role::Pawn);
    let mut found = Any(false);
    // Mostly no pawn stands beside.
    let sources = t.pawn.sources(state.turn, state.passed.lowest());
    if t.chess_pawns && pawns.meets(sources) {
        Generator::new(t, state).en_passant(pawns, &mut found);
    }
    found.0
}

/// The origins of a set of moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// All on one square.
    Square(u8),
    /// Each so many indices behind its target.
    Behind(i8),
}

/// Takes the legal moves, in sets.
///
/// A visitor that wants only some moves says so beforehand, and spares the
/// generator the rest. It may be given more than it asked for.
pub(crate) trait Visitor<B: Bitboard> {
    /// Moves of a role to each of the targets, each in every one of the ways:
    /// keeping its role (none) or becoming another.
    fn moves(&mut self, role: Role, origin: Origin, targets: B, becoming: &[Option<Role>]);
    /// Castling.
    fn castle(&mut self, side: Side);
    /// Drops of a role on each of the targets.
    fn drops(&mut self, role: Role, targets: B);
    /// Drops of a role on each of the pawns, which go to each of the targets.
    fn relocations(&mut self, role: Role, pawns: B, targets: B);

    /// Those of some own pieces whose moves are wanted.
    #[inline]
    fn origins(&self, pieces: B) -> B {
        pieces
    }

    /// Those of some squares on which a move or a drop is wanted.
    #[inline]
    fn targets(&self, squares: B) -> B {
        squares
    }

    /// Returns true if castling is wanted.
    #[inline]
    fn wants_castling(&self) -> bool {
        true
    }

    /// Returns true if drops are wanted.
    #[inline]
    fn wants_drops(&self) -> bool {
        true
    }
}

/// Counts.
///
/// Counting the bits of a set is dear on machines that have no instruction
/// for it. So the moves are first added up square by square, in binary: a
/// square is in `digits[n]` if the nth digit of the number of moves to it is
/// one. That takes few operations a set, and the bits are counted once.
struct Count<B> {
    digits: [B; 2],
    /// Moves that are not in the digits.
    rest: u64,
    /// The last set of drops and its size: most roles are dropped on the same
    /// squares.
    last_drops: (B, u64),
}

impl<B: Bitboard> Count<B> {
    fn new() -> Count<B> {
        Count {
            digits: [B::EMPTY; 2],
            rest: 0,
            last_drops: (B::EMPTY, 0),
        }
    }

    /// The number of moves taken.
    #[inline]
    fn total(&self) -> u64 {
        let digits = self.digits.iter().rev();
        self.rest + digits.fold(0, |sum, digit| 2 * sum + u64::from(digit.count()))
    }

    /// Adds one move to each of the squares, or two: those of the lowest digit
    /// that changes.
    #[inline]
    fn add(&mut self, squares: B, lowest: usize) {
        let mut carry = squares;
        for digit in &mut self.digits[lowest..] {
            let both = *digit & carry;
            *digit ^= carry;
            carry = both;
        }
        // Four moves to one square are rare.
        if !carry.is_empty() {
            self.rest += u64::from(carry.count()) << self.digits.len();
        }
    }
}

impl<B: Bitboard> Visitor<B> for Count<B> {
    #[inline]
    fn moves(&mut self, _: Role, _: Origin, targets: B, becoming: &[Option<Role>]) {
        match becoming.len() {
            1 => self.add(targets, 0),
            2 => self.add(targets, 1),
            ways => self.rest += u64::from(targets.count()) * ways as u64,
        }
    }

    #[inline]
    fn castle(&mut self, _: Side) {
        self.rest += 1;
    }

    #[inline]
    fn drops(&mut self, _: Role, targets: B) {
        if targets != self.last_drops.0 {
            self.last_drops = (targets, u64::from(targets.count()));
        }
        self.rest += self.last_drops.1;
    }

    #[inline]
    fn relocations(&mut self, _: Role, pawns: B, targets: B) {
        self.rest += u64::from(pawns.count()) * u64::from(targets.count());
    }
}

/// Notes whether there is any turn at all.
pub(crate) struct Any(pub(crate) bool);

impl<B: Bitboard> Visitor<B> for Any {
    fn moves(&mut self, _: Role, _: Origin, targets: B, becoming: &[Option<Role>]) {
        self.0 |= !targets.is_empty() && !becoming.is_empty();
    }

    fn castle(&mut self, _: Side) {
        self.0 = true;
    }

    fn drops(&mut self, _: Role, targets: B) {
        self.0 |= !targets.is_empty();
    }

    fn relocations(&mut self, _: Role, pawns: B, targets: B) {
        self.0 |= !pawns.is_empty() && !targets.is_empty();
    }
}

/// A part of the turns.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<B> {
    /// The squares from which moves are wanted.
    pub(crate) origins: B,
    /// The squares to which moves and drops are wanted.
    pub(crate) targets: B,
    pub(crate) castling: bool,
    pub(crate) drops: bool,
}

impl<B: Bitboard> Wanted<B> {
    /// Nothing.
    pub(crate) const NONE: Wanted<B> = Wanted {
        origins: B::EMPTY,
        targets: B::EMPTY,
        castling: false,
        drops: false,
    };

    /// Everything.
    pub(crate) const ALL: Wanted<B> = Wanted {
        origins: B::FULL,
        targets: B::FULL,
        castling: true,
        drops: true,
    };
}

/// Hands each of the wanted turns to a function; others, too, where that is
/// no work.
pub(crate) struct Each<B, F> {
    pub(crate) wanted: Wanted<B>,
    pub(crate) each: F,
}

impl<B: Bitboard, F: FnMut(IndexedPly)> Visitor<B> for Each<B, F> {
    #[inline]
    fn moves(&mut self, role: Role, origin: Origin, targets: B, becoming: &[Option<Role>]) {
        for to in targets.squares() {
            let from = match origin {
                Origin::Square(from) => from,
                Origin::Behind(by) => to.wrapping_add_signed(-by),
            };
            for &promotion in becoming {
                (self.each)(IndexedPly::Move {
                    role,
                    from,
                    to,
                    promotion,
                });
            }
        }
    }

    fn castle(&mut self, side: Side) {
        (self.each)(IndexedPly::Castle(side));
    }

    fn drops(&mut self, role: Role, targets: B) {
        for to in targets.squares() {
            (self.each)(IndexedPly::Drop { role, to });
        }
    }

    fn relocations(&mut self, role: Role, pawns: B, targets: B) {
        for to in (pawns & self.wanted.targets).squares() {
            for pawn in targets.squares() {
                (self.each)(IndexedPly::Relocation { role, to, pawn });
            }
        }
    }

    fn origins(&self, pieces: B) -> B {
        pieces & self.wanted.origins
    }

    fn targets(&self, squares: B) -> B {
        squares & self.wanted.targets
    }

    fn wants_castling(&self) -> bool {
        self.wanted.castling
    }

    fn wants_drops(&self) -> bool {
        self.wanted.drops
    }
}

/// Returns true if the player to move may promote, as far as kings go.
pub(crate) fn may_promote<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> bool {
    let stands = |color| state.king(color).is_some();
    match t.rules.promotion {
        Promotion::LastRank(_) => true,
        Promotion::Zone { after, .. } => match after {
            Kings::None => true,
            Kings::Own => stands(state.turn),
            Kings::Enemy => stands(!state.turn),
            Kings::Both => state.is_real(),
        },
    }
}

/// The squares on which ranks, files and colours let a role be dropped.
#[inline]
pub(crate) fn drop_zone<B: Bitboard>(t: &Tables<B>, state: &State<B>, role: Role) -> B {
    let us = state.turn;
    let mut zone = t.drop_ranks(us, role) & !barred_bishop_squares(t, state, role);
    if role == Role::Pawn && t.rules.one_pawn_a_file {
        zone &= !pawn_files(state, us);
    }
    zone
}

/// The files with an unpromoted pawn of the player (nifu).
#[inline]
pub(crate) fn pawn_files<B: Bitboard>(state: &State<B>, color: Color) -> B {
    state.pieces(color, Role::Pawn).whole_files()
}

/// The squares of the colours on which a bishop was dropped before, where the
/// bishops must differ.
#[inline]
pub(crate) fn barred_bishop_squares<B: Bitboard>(t: &Tables<B>, state: &State<B>, role: Role) -> B {
    if role != Role::Bishop || !t.rules.bishops_differ {
        return B::EMPTY;
    }
    let [dark, light] = state.bishops[state.turn.index()];
    let mut bar = B::EMPTY;
    if dark {
        bar |= !t.light;
    }
    if light {
        bar |= t.light;
    }
    bar
}

/// Squares from which a dropped piece would attack a piece that it may not.
pub(crate) struct ForbiddenAttacks<'a, B> {
    t: &'a Tables<B>,
    us: Color,
    /// The pieces that must not be attacked.
    pub(crate) protected: B,
    orthogonal: B,
    diagonal: B,
    occupied: B,
}

impl<'a, B: Bitboard> ForbiddenAttacks<'a, B> {
    #[inline]
    pub(crate) fn new(t: &'a Tables<B>, state: &State<B>) -> ForbiddenAttacks<'a, B> {
        let us = state.turn;
        let occupied = state.occupied();
        let protected = match t.rules.drop_attack {
            DropAttack::Anything => B::EMPTY,
            DropAttack::NotTheKing => state.pieces(!us, Role::King),
            DropAttack::Nothing => state.of(!us),
        };
        let (mut orthogonal, mut diagonal) = (B::EMPTY, B::EMPTY);
        for square in protected.squares() {
            orthogonal |= t.orthogonals(square, occupied);
            diagonal |= t.diagonals(square, occupied);
        }
        ForbiddenAttacks {
            t,
            us,
            protected,
            orthogonal,
            diagonal,
            occupied,
        }
    }

    /// The squares on which that piece may not be dropped.
    #[inline]
    pub(crate) fn from(&self, movement: &Movement<B>) -> B {
        let mut set = B::EMPTY;
        if self.protected.is_empty() {
            return set;
        }
        if movement.orthogonal {
            set |= self.orthogonal;
        }
        if movement.diagonal {
            set |= self.diagonal;
        }
        for square in self.protected.squares() {
            set |= movement.sources(self.us, square);
            if movement.forward {
                set |= self.t.forward(!self.us, square, self.occupied);
            }
        }
        set
    }
}

/// The threats to a king along the lines through it.
struct Threats<B> {
    /// The pieces that give check.
    checkers: B,
    /// The squares on which a piece other than the king meets a single check:
    /// the checker's and those in between. Every square where there is no check.
    evasion: B,
    /// The squares of each line along which own pieces are pinned, from the
    /// king to the pinning piece.
    pins: [B; LINES],
    /// Squares that the enemy attacks by steps and leaps: those beside the
    /// king and the king's own, and some others.
    stepped_on: B,
}

impl<B: Bitboard> Threats<B> {
    fn none() -> Threats<B> {
        Threats {
            checkers: B::EMPTY,
            evasion: B::FULL,
            pins: [B::EMPTY; LINES],
            stepped_on: B::EMPTY,
        }
    }

    /// The threats to the king of the player to move, all of them real.
    #[inline]
    fn to(t: &Tables<B>, state: &State<B>, sliders: &Sliders<B>, king: u8) -> Threats<B> {
        let us = state.turn;
        let enemy = state.of(!us);
        let own = state.of(us);
        let occupied = own | enemy;
        let (mut checkers, mut stepped_on) = (B::EMPTY, B::EMPTY);
        let near = t.near_king(!us, king) & enemy;
        if !near.is_empty() {
            for (role, &pieces) in Role::ALL.iter().zip(&state.roles) {
                for (from, bit) in (near & pieces).each() {
                    let Some(movement) = t.movement(*role) else {
                        continue;
                    };
                    let steps = movement.steps(!us, from);
                    stepped_on |= steps;
                    if steps.has(king) {
                        checkers |= bit;
                    }
                }
            }
        }
        let mut evasion = checkers;
        let mut pins = [B::EMPTY; LINES];
        let lines = if sliders.aligned(t, king).is_empty() {
            &[][..]
        } else {
            &t.lines(king)[..]
        };
        for (i, line) in lines.iter().enumerate() {
            let (above, below) = sliders.on_line(i);
            if line.upper.meets(above) {
                let way = line.upper & occupied;
                let first = way.lowest_bit();
                if first.meets(above) {
                    checkers |= first;
                    evasion |= line.upper & (first | first.below());
                } else if first.meets(own) {
                    let second = (way ^ first).lowest_bit();
                    if second.meets(above) {
                        pins[i] |= line.upper & (second | second.below());
                    }
                }
            }
            if line.lower.meets(below) {
                let way = line.lower & occupied;
                let first = way.highest_bit();
                if first.meets(below) {
                    checkers |= first;
                    evasion |= line.lower & !first.below();
                } else if first.meets(own) {
                    let rest = way ^ first;
                    let second = rest.highest_bit() & rest;
                    if second.meets(below) {
                        pins[i] |= line.lower & !second.below();
                    }
                }
            }
        }
        if checkers.is_empty() {
            evasion = B::FULL;
        }
        Threats {
            checkers,
            evasion,
            pins,
            stepped_on,
        }
    }

    fn pinned(&self) -> B {
        self.pins.iter().fold(B::EMPTY, |all, &pin| all | pin)
    }

    /// The squares a pinned piece may go to without leaving its line.
    fn line_of(&self, square: B) -> B {
        self.pins.iter().fold(
            B::EMPTY,
            |line, &pin| if pin.meets(square) { pin } else { line },
        )
    }
}
