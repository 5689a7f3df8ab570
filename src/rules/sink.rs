//! What takes the generator's sets of moves: to count them, to list them, or
//! to look at some of them only.

use crate::bitboard::Bitboard;
use crate::piece::Role;
use crate::ply::Side;
use crate::state::IndexedPly;

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
/// A sink that wants only some moves says so beforehand, and spares the
/// generator the rest. It may be given more than it asked for.
pub(crate) trait Sink<B: Bitboard> {
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
pub(crate) struct Count<B> {
    digits: [B; 2],
    /// Moves that are not in the digits.
    rest: u64,
    /// The last set of drops and its size: most roles are dropped on the same
    /// squares.
    last_drops: (B, u64),
}

impl<B: Bitboard> Count<B> {
    pub(crate) fn new() -> Count<B> {
        Count {
            digits: [B::EMPTY; 2],
            rest: 0,
            last_drops: (B::EMPTY, 0),
        }
    }

    /// The number of moves taken.
    #[inline]
    pub(crate) fn total(&self) -> u64 {
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

impl<B: Bitboard> Sink<B> for Count<B> {
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

impl<B: Bitboard> Sink<B> for Any {
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

/// Hands every single turn to a function.
pub(crate) struct Each<F>(pub(crate) F);

impl<B: Bitboard, F: FnMut(IndexedPly)> Sink<B> for Each<F> {
    #[inline]
    fn moves(&mut self, role: Role, origin: Origin, targets: B, becoming: &[Option<Role>]) {
        for to in targets.squares() {
            let from = match origin {
                Origin::Square(from) => from,
                Origin::Behind(by) => to.wrapping_add_signed(-by),
            };
            for &promotion in becoming {
                (self.0)(IndexedPly::Move {
                    role,
                    from,
                    to,
                    promotion,
                });
            }
        }
    }

    fn castle(&mut self, side: Side) {
        (self.0)(IndexedPly::Castle(side));
    }

    fn drops(&mut self, role: Role, targets: B) {
        for to in targets.squares() {
            (self.0)(IndexedPly::Drop { role, to });
        }
    }

    fn relocations(&mut self, role: Role, pawns: B, targets: B) {
        for to in pawns.squares() {
            for pawn in targets.squares() {
                (self.0)(IndexedPly::Relocation { role, to, pawn });
            }
        }
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
}

/// Hands each of the wanted turns to a function; others, too, where that is
/// no work.
pub(crate) struct Only<B, F> {
    pub(crate) wanted: Wanted<B>,
    pub(crate) each: Each<F>,
}

impl<B: Bitboard, F: FnMut(IndexedPly)> Sink<B> for Only<B, F> {
    fn moves(&mut self, role: Role, origin: Origin, targets: B, becoming: &[Option<Role>]) {
        self.each.moves(role, origin, targets, becoming);
    }

    fn castle(&mut self, side: Side) {
        Sink::<B>::castle(&mut self.each, side);
    }

    fn drops(&mut self, role: Role, targets: B) {
        self.each.drops(role, targets);
    }

    fn relocations(&mut self, role: Role, pawns: B, targets: B) {
        self.each
            .relocations(role, pawns & self.wanted.targets, targets);
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
