//! The generator's position: sets of squares, reserves and rights, on a word of
//! 64 or of 128 bits. It is copied for each ply; nothing is taken back.

use alloc::sync::Arc;

use crate::board::Square;
use crate::game::{Captured, DoubleStep, Rules};
use crate::piece::{Color, Piece, Reserve, Role};
use crate::ply::Side;
use crate::tables::{Bitboard, Tables, ahead, castling_path, castling_squares};

/// One turn, in board indices; all but a placement of several pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IndexedPly {
    Move {
        /// The role on the square it leaves. The generator knows it, and so
        /// nobody needs to look for it.
        role: Role,
        from: u8,
        to: u8,
        promotion: Option<Role>,
    },
    Castle(Side),
    Drop {
        role: Role,
        to: u8,
    },
    Relocation {
        role: Role,
        to: u8,
        pawn: u8,
    },
}

/// Board, reserves, side to move, rights and counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State<B> {
    pub(crate) roles: [B; Role::COUNT],
    pub(crate) colors: [B; 2],
    pub(crate) reserves: [Reserve; 2],
    pub(crate) turn: Color,
    /// Kings and rooks that have stood on their castling squares since the
    /// start or since they were dropped there.
    pub(crate) unmoved: B,
    /// Pawns dropped on their second rank and not moved, where that is what
    /// allows a double step.
    pub(crate) double_step_pawns: B,
    /// The square passed by a double step on the turn before; empty otherwise.
    pub(crate) passed: B,
    /// By colour: whether a bishop was dropped on a dark, on a light square.
    pub(crate) bishops: [[bool; 2]; 2],
    /// Half-moves since the last pawn move, capture or drop.
    pub(crate) clock: u32,
    /// Half-moves made, counted from an even number where White begins.
    pub(crate) plies: u32,
}

/// A player's pieces that run along lines.
#[derive(Clone, Copy)]
pub(crate) struct Sliders<B> {
    color: Color,
    orthogonal: B,
    diagonal: B,
    forward: B,
}

impl<B: Bitboard> Sliders<B> {
    /// The pieces that attack along a line from its upper and from its lower
    /// half: a lance attacks towards the other side's home only.
    #[inline]
    pub(crate) fn on_line(&self, line: usize) -> (B, B) {
        match line {
            0 if self.color == Color::Black => (self.orthogonal | self.forward, self.orthogonal),
            0 => (self.orthogonal, self.orthogonal | self.forward),
            1 => (self.orthogonal, self.orthogonal),
            _ => (self.diagonal, self.diagonal),
        }
    }

    /// The pieces on a line along which they run, through a square: those that
    /// attack it and those that something hinders. Mostly there are none.
    #[inline]
    pub(crate) fn aligned(&self, t: &Tables<B>, square: u8) -> B {
        (t.straights(square) & (self.orthogonal | self.forward))
            | (t.slants(square) & self.diagonal)
    }

    /// The pieces that attack a square with the given squares occupied.
    #[inline]
    pub(crate) fn attacking(&self, t: &Tables<B>, square: u8, occupied: B) -> B {
        let mut attackers = B::EMPTY;
        if self.aligned(t, square).is_empty() {
            return attackers;
        }
        for (i, line) in t.lines(square).iter().enumerate() {
            let (above, below) = self.on_line(i);
            let there = (line.upper & above) | (line.lower & below);
            if !there.is_empty() {
                attackers |= B::seen(line.lower, line.upper, occupied) & there;
            }
        }
        attackers
    }
}

impl<B: Bitboard> State<B> {
    pub(crate) const EMPTY: State<B> = State {
        roles: [B::EMPTY; Role::COUNT],
        colors: [B::EMPTY; 2],
        reserves: [Reserve::EMPTY; 2],
        turn: Color::White,
        unmoved: B::EMPTY,
        double_step_pawns: B::EMPTY,
        passed: B::EMPTY,
        bishops: [[false; 2]; 2],
        clock: 0,
        plies: 0,
    };

    #[inline]
    pub(crate) fn of(&self, color: Color) -> B {
        self.colors[color.index()]
    }

    #[inline]
    pub(crate) fn role(&self, role: Role) -> B {
        self.roles[role.index()]
    }

    #[inline]
    pub(crate) fn pieces(&self, color: Color, role: Role) -> B {
        self.of(color) & self.role(role)
    }

    #[inline]
    pub(crate) fn occupied(&self) -> B {
        self.colors[0] | self.colors[1]
    }

    #[inline]
    pub(crate) fn empty(&self) -> B {
        B::FULL & !self.occupied()
    }

    pub(crate) fn reserve(&self, color: Color) -> Reserve {
        self.reserves[color.index()]
    }

    /// The player's king on the board.
    #[inline]
    pub(crate) fn king(&self, color: Color) -> Option<u8> {
        let king = self.pieces(color, Role::King);
        (!king.is_empty()).then(|| king.lowest())
    }

    pub(crate) fn get(&self, square: u8) -> Option<Piece> {
        let color = *Color::ALL.iter().find(|&&c| self.of(c).has(square))?;
        let role = *Role::ALL.iter().find(|&&r| self.role(r).has(square))?;
        Some(Piece { color, role })
    }

    pub(crate) fn put(&mut self, square: u8, piece: Piece) {
        let bit = B::bit(square);
        self.roles[piece.role.index()] |= bit;
        self.colors[piece.color.index()] |= bit;
    }

    /// Empties a square that has a piece of that role and colour.
    fn take(&mut self, square: u8, piece: Piece) {
        let bit = B::bit(square);
        self.roles[piece.role.index()] ^= bit;
        self.colors[piece.color.index()] ^= bit;
    }

    /// The player's pieces that run along files and ranks, along diagonals,
    /// and forward.
    #[inline]
    pub(crate) fn sliders(&self, t: &Tables<B>, color: Color) -> Sliders<B> {
        let of = |roles: &[Role]| {
            let set = roles
                .iter()
                .fold(B::EMPTY, |set, &role| set | self.role(role));
            set & self.of(color)
        };
        Sliders {
            color,
            orthogonal: of(&t.orthogonal),
            diagonal: of(&t.diagonal),
            forward: of(&t.forward_only),
        }
    }

    /// The player's pieces that attack a square by a step or leap.
    #[inline]
    pub(crate) fn steppers(&self, t: &Tables<B>, by: Color, square: u8) -> B {
        let near = t.near(by, square) & self.of(by);
        if near.is_empty() {
            return near;
        }
        t.movements().fold(B::EMPTY, |set, movement| {
            set | (movement.sources(by, square) & self.role(movement.role))
        }) & near
    }

    /// The pieces of a player that attack a square with the given
    /// squares occupied, whether pinned or not, wherever the kings are.
    pub(crate) fn attackers(&self, t: &Tables<B>, by: Color, square: u8, occupied: B) -> B {
        self.steppers(t, by, square) | self.sliders(t, by).attacking(t, square, occupied)
    }

    /// All squares a player attacks with the given squares occupied.
    pub(crate) fn attacked(&self, t: &Tables<B>, by: Color, occupied: B) -> B {
        t.movements().fold(B::EMPTY, |set, movement| {
            self.pieces(by, movement.role)
                .squares()
                .fold(set, |set, at| set | t.attacks(movement, by, at, occupied))
        })
    }

    /// Returns true if checks are real: no king waits in a reserve. A problem of shogi may have
    /// one king alone.
    #[inline]
    pub(crate) fn is_real(&self) -> bool {
        !self.reserves.iter().any(|reserve| reserve.has(Role::King))
    }

    /// Returns true if the player's king is attacked, really or virtually.
    pub(crate) fn is_aimed_at(&self, t: &Tables<B>, color: Color) -> bool {
        self.king(color)
            .is_some_and(|king| !self.attackers(t, !color, king, self.occupied()).is_empty())
    }

    /// Returns true if the player's king is in real check.
    pub(crate) fn is_check(&self, t: &Tables<B>, color: Color) -> bool {
        self.is_real() && self.is_aimed_at(t, color)
    }

    /// The pawns of a player that may go two squares, if the way is free.
    #[inline]
    pub(crate) fn double_steppers(&self, t: &Tables<B>, color: Color) -> B {
        match t.rules.double_step() {
            DoubleStep::Never => B::EMPTY,
            DoubleStep::OnSecondRank => self.pieces(color, Role::Pawn) & t.second[color.index()],
            DoubleStep::DroppedOnSecondRank => self.double_step_pawns & self.of(color),
        }
    }

    /// The state after a turn that the generator gave.
    #[inline]
    pub(crate) fn play(&self, t: &Tables<B>, ply: IndexedPly) -> State<B> {
        let mut next = *self;
        next.make(t, ply);
        next
    }

    /// Makes a turn that the generator gave.
    pub(crate) fn make(&mut self, t: &Tables<B>, ply: IndexedPly) {
        let passed = self.passed;
        self.passed = B::EMPTY;
        self.clock += 1;
        match ply {
            IndexedPly::Move {
                role,
                from,
                to,
                promotion,
            } => self.go(t, passed, role, (from, to), promotion),
            IndexedPly::Castle(side) => self.castle(side),
            IndexedPly::Drop { role, to } => self.drop(t, role, to),
            IndexedPly::Relocation { role, to, pawn } => {
                let piece = Role::Pawn.of(self.turn);
                self.take(to, piece);
                self.put(pawn, piece);
                self.drop(t, role, to);
            }
        }
        self.pass();
    }

    /// Gives the turn to the other player.
    pub(crate) fn pass(&mut self) {
        self.turn = !self.turn;
        self.plies += 1;
    }

    /// Puts a reserve piece on a square.
    pub(crate) fn drop(&mut self, t: &Tables<B>, role: Role, to: u8) {
        let color = self.turn;
        let bit = B::bit(to);
        self.reserves[color.index()].remove(role);
        self.put(to, Piece { color, role });
        self.clock = 0;
        if t.rules.castling && castling_squares(color, role).contains(&to) {
            self.unmoved |= bit;
        }
        if role == Role::Pawn
            && t.rules.double_step() == DoubleStep::DroppedOnSecondRank
            && bit.meets(t.second[color.index()])
        {
            self.double_step_pawns |= bit;
        }
        if role == Role::Bishop && t.rules.bishops_differ {
            self.bishops[color.index()][usize::from(bit.meets(t.light))] = true;
        }
    }

    #[inline]
    fn go(
        &mut self,
        t: &Tables<B>,
        passed: B,
        role: Role,
        (from, to): (u8, u8),
        promotion: Option<Role>,
    ) {
        let color = self.turn;
        let (start, end) = (B::bit(from), B::bit(to));
        if end.meets(self.of(!color)) {
            self.capture(t, to);
        }
        self.roles[role.index()] ^= start;
        self.roles[promotion.unwrap_or(role).index()] |= end;
        self.colors[color.index()] ^= start | end;
        self.unmoved &= !(start | end);
        self.double_step_pawns &= !(start | end);
        if role == Role::Pawn {
            self.clock = 0;
            if t.chess_pawns {
                let back = ahead::<B>(!color);
                if end.meets(passed) && (to % B::WIDTH) != (from % B::WIDTH) {
                    let taken = end.shift(back).lowest();
                    self.capture(t, taken);
                } else if from.abs_diff(to) == 2 * B::WIDTH && t.rules.en_passant() {
                    self.passed = end.shift(back);
                }
            }
        }
    }

    fn capture(&mut self, t: &Tables<B>, square: u8) {
        let role = self.role_of(square);
        self.take(square, role.of(!self.turn));
        self.clock = 0;
        let bit = B::bit(square);
        self.unmoved &= !bit;
        self.double_step_pawns &= !bit;
        if t.rules.captured == Captured::ChangesSides {
            self.reserves[self.turn.index()].add(role.base());
        }
    }

    fn castle(&mut self, side: Side) {
        let color = self.turn;
        let [king, rook, king_to, rook_to] = castling_path(color, side);
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            self.take(from, Piece { color, role });
            self.put(to, Piece { color, role });
            self.unmoved &= !B::bit(from);
        }
    }

    /// The role on an occupied square.
    #[inline]
    pub(crate) fn role_of(&self, square: u8) -> Role {
        let bit = B::bit(square);
        let mut i = 0;
        while i + 1 < Role::COUNT && !bit.meets(self.roles[i]) {
            i += 1;
        }
        Role::ALL[i]
    }

    /// The state without memories that can't matter any more: rights that
    /// nothing can complete, colours of bishops when none is in reserve.
    pub(crate) fn identity(&self, t: &Tables<B>) -> State<B> {
        let mut identity = State {
            unmoved: self.live_rights(t),
            ..*self
        };
        identity.bishops = self.live_bishops();
        identity
    }

    /// The colours of dropped bishops, where another is in reserve.
    #[inline]
    pub(crate) fn live_bishops(&self) -> [[bool; 2]; 2] {
        Color::ALL.map(|color| {
            let dropped = self.bishops[color.index()];
            let another = self.reserve(color).has(Role::Bishop);
            dropped.map(|is_dropped| is_dropped && another)
        })
    }

    /// Returns true if no mate is possible: kings alone, with one knight, or with
    /// bishops of one square colour only; nothing in reserve.
    pub(crate) fn is_dead(&self, t: &Tables<B>) -> bool {
        if !self.reserves.iter().all(|reserve| reserve.is_empty()) {
            return false;
        }
        let kings = self.role(Role::King);
        let bishops = self.role(Role::Bishop);
        let knights = self.role(Role::Knight);
        let material = self.occupied() ^ kings;
        let one_knight = material == knights && knights.count() <= 1;
        let one_color =
            material == bishops && (!bishops.meets(t.light) || !bishops.meets(!t.light));
        (one_knight || one_color) && t.rules.has_chess_minors()
    }

    /// The unmoved kings and rooks that can still castle, at once or after a
    /// drop of the other.
    pub(crate) fn live_rights(&self, t: &Tables<B>) -> B {
        let mut live = B::EMPTY;
        if !t.rules.castling {
            return live;
        }
        for color in Color::ALL {
            let reserve = self.reserve(color);
            for side in [Side::King, Side::Queen] {
                let [king, rook, ..] = castling_path(color, side);
                let (king, rook) = (B::bit(king), B::bit(rook));
                if self.unmoved.meets(king) && (self.unmoved.meets(rook) || reserve.has(Role::Rook))
                {
                    live |= king | (self.unmoved & rook);
                }
                if reserve.has(Role::King) {
                    live |= self.unmoved & rook;
                }
            }
        }
        live
    }
}

/// The rules worked out on the word that fits the board.
#[derive(Debug)]
pub(crate) enum Engine {
    Eight(Arc<Tables<u64>>),
    Nine(Arc<Tables<u128>>),
}

impl Engine {
    pub(crate) fn new(rules: &Rules) -> Engine {
        if rules.width == 8 {
            Engine::Eight(Arc::new(Tables::new(rules)))
        } else {
            Engine::Nine(Arc::new(Tables::new(rules)))
        }
    }

    /// The rules with the options worked in.
    pub(crate) fn rules(&self) -> &Rules {
        match self {
            Engine::Eight(tables) => &tables.rules,
            Engine::Nine(tables) => &tables.rules,
        }
    }
}

/// The position for the generator, on the word that fits its board.
#[derive(Clone, Debug)]
pub(crate) enum Core {
    Eight(Arc<Tables<u64>>, State<u64>),
    Nine(Arc<Tables<u128>>, State<u128>),
}

impl Core {
    /// The position after a turn that the generator gave.
    pub(crate) fn played(&self, ply: IndexedPly) -> Core {
        match self {
            Core::Eight(t, state) => Core::Eight(t.clone(), state.play(t, ply)),
            Core::Nine(t, state) => Core::Nine(t.clone(), state.play(t, ply)),
        }
    }
}

/// The part of a state that repetition compares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RepetitionKey {
    Eight(State<u64>),
    Nine(State<u128>),
}

/// Runs an expression with the tables and the state of either board.
macro_rules! on_board {
    ($core:expr, |$t:ident, $state:ident| $body:expr) => {
        match $core {
            $crate::state::Core::Eight($t, $state) => $body,
            $crate::state::Core::Nine($t, $state) => $body,
        }
    };
}
pub(crate) use on_board;

/// The index of a square on the board of the state.
pub(crate) fn index_on<B: Bitboard>(_: &State<B>, square: Square) -> u8 {
    B::index(square)
}

/// The set of one square on the board of the state.
pub(crate) fn bit_on<B: Bitboard>(_: &State<B>, square: Square) -> B {
    B::bit(B::index(square))
}

/// The square of an index on the board of the state.
pub(crate) fn square_on<B: Bitboard>(_: &State<B>, index: u8) -> Square {
    B::square(index)
}
