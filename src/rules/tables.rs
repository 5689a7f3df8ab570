//! A game's rules worked out square by square: what a piece reaches on an
//! empty board, where it may be dropped, where it could never move. Sets of squares
//! are one machine word: `u64` for 8x8, `u128` for 9x9.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::board::Square;
use crate::game::{Kind, Promotion, Rules, Slide};
use crate::piece::{Color, Role};
use crate::ply::Side;

/// A set of squares of a board of fixed width. A square's index is its rank
/// times the width plus its file.
pub(crate) trait Bitboard:
    Copy
    + Eq
    + Hash
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + 'static
{
    /// Files, and ranks, of the board.
    const WIDTH: u8;
    /// Bits of the word.
    const BITS: u32;
    /// No square.
    const EMPTY: Self;
    /// Every square of the board.
    const FULL: Self;

    /// The set of one square.
    fn bit(index: u8) -> Self;
    /// The number of squares.
    fn count(self) -> u32;
    /// The index of the lowest square of a set that is not empty.
    fn lowest(self) -> u8;
    /// The set of the lowest square; empty for an empty set.
    fn lowest_bit(self) -> Self;
    /// The set of the highest square; of the square 0 for an empty set.
    fn highest_bit(self) -> Self;
    /// All squares below the one square of this set.
    fn below(self) -> Self;
    /// The squares of `lower | upper`, the two halves of a line through a
    /// square, that are seen from there with those squares occupied.
    fn seen(lower: Self, upper: Self, occupied: Self) -> Self;
    /// Every square moved up (towards higher indices) by so many places, or
    /// down where negative.
    fn shift(self, by: i8) -> Self;

    /// The files that it has squares on. Spread one square up and down, then
    /// two, four and eight, it covers them.
    #[inline]
    #[allow(clippy::cast_possible_wrap, reason = "at most 8 * 9")]
    fn whole_files(self) -> Self {
        let mut set = self;
        for ranks in [1, 2, 4, 8] {
            let by = (ranks * Self::WIDTH) as i8;
            // No board has so many ranks that a spread of 8 is missed; one of
            // 64 squares is not shifted by 64.
            if u32::from(ranks * Self::WIDTH) < Self::BITS {
                set |= set.shift(by) | set.shift(-by);
            }
        }
        set & Self::FULL
    }

    /// Returns true if there is no square in it.
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns true if there are two squares or more in it.
    #[inline]
    fn is_many(self) -> bool {
        !(self ^ self.lowest_bit()).is_empty()
    }

    /// Returns true if the sets share a square.
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Returns true if the square is in it.
    fn has(self, index: u8) -> bool {
        self.meets(Self::bit(index))
    }

    /// The indices in it, from the lowest.
    #[inline]
    fn squares(self) -> impl Iterator<Item = u8> {
        self.each().map(|(index, _)| index)
    }

    /// The indices in it, each with its set, from the lowest.
    #[inline]
    fn each(mut self) -> impl Iterator<Item = (u8, Self)> {
        core::iter::from_fn(move || {
            let bit = self.lowest_bit();
            let index = (!bit.is_empty()).then(|| self.lowest())?;
            self ^= bit;
            Some((index, bit))
        })
    }

    /// The index of a square.
    fn index(square: Square) -> u8 {
        square.rank().index() * Self::WIDTH + square.file().index()
    }

    /// The square of an index.
    fn square(index: u8) -> Square {
        Square::at(index % Self::WIDTH, index / Self::WIDTH)
    }

    /// The squares of a player's ranks `from` to `to`, counted from 1 at the
    /// player's own home rank.
    fn ranks(color: Color, from: u8, to: u8) -> Self {
        let mut set = Self::EMPTY;
        for rank in from..=to {
            let rank = color.rank(rank - 1, Self::WIDTH);
            for file in 0..Self::WIDTH {
                set |= Self::bit(rank * Self::WIDTH + file);
            }
        }
        set
    }
}

macro_rules! bitboard {
    ($word:ty, $width:literal) => {
        impl Bitboard for $word {
            const WIDTH: u8 = $width;
            const BITS: u32 = <$word>::BITS;
            const EMPTY: $word = 0;
            const FULL: $word = <$word>::MAX >> (<$word>::BITS - $width * $width);

            #[inline]
            fn bit(index: u8) -> $word {
                1 << index
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            #[allow(clippy::cast_possible_truncation, reason = "at most 128")]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline]
            fn lowest_bit(self) -> $word {
                self & self.wrapping_neg()
            }

            #[inline]
            fn highest_bit(self) -> $word {
                1 << (<$word>::BITS - 1 - (self | 1).leading_zeros())
            }

            #[inline]
            fn below(self) -> $word {
                self.wrapping_sub(1)
            }

            /// Obstruction difference: subtracting the nearest obstacle below
            /// from twice the nearest one above leaves ones from the former
            /// to the latter, both included; where there is none above, the
            /// subtraction borrows from beyond the word's end.
            #[inline]
            fn seen(lower: $word, upper: $word, occupied: $word) -> $word {
                let below = (lower & occupied).highest_bit();
                let above = (upper & occupied).lowest_bit();
                (lower | upper) & above.wrapping_shl(1).wrapping_sub(below)
            }

            #[inline]
            fn shift(self, by: i8) -> $word {
                if by >= 0 { self << by } else { self >> -by }
            }
        }
    };
}

bitboard!(u64, 8);
bitboard!(u128, 9);

/// The index step of a pawn's single step.
#[inline]
#[allow(clippy::cast_possible_wrap, reason = "a width is 8 or 9")]
pub(crate) const fn ahead<B: Bitboard>(color: Color) -> i8 {
    match color {
        Color::White => B::WIDTH as i8,
        Color::Black => -(B::WIDTH as i8),
    }
}

/// Squares of the largest board.
const SQUARES: usize = 81;

/// The lines through a square: its file, its rank, and its two diagonals.
pub(crate) const LINES: usize = 4;

/// A set of squares for every square.
type BySquare<B> = [B; SQUARES];

/// The two halves of a line, without the square it is seen from: `lower` has
/// the smaller indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<B> {
    pub(crate) lower: B,
    pub(crate) upper: B,
}

/// Castling on one side.
#[derive(Debug)]
pub(crate) struct Castling<B> {
    pub(crate) side: Side,
    /// King and rook, both unmoved.
    pub(crate) unmoved: B,
    /// The squares between them, all empty.
    pub(crate) between: B,
    /// The squares the king passes and lands on, none attacked.
    pub(crate) path: [u8; 2],
}

/// The moves of a piece, in one word for the innermost loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reach {
    /// Steps and leaps alone.
    Steps,
    /// Runs along file and rank, and does nothing else.
    Orthogonal,
    /// Runs along the diagonals, and does nothing else.
    Diagonal,
    /// Runs along all of them, and does nothing else.
    Both,
    /// Anything else.
    Mixed,
}

/// The movement of a piece, for the generator.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "the innermost loop reads each by itself"
)]
pub(crate) struct Movement<B> {
    pub(crate) role: Role,
    /// Its moves on an empty board.
    pub(crate) reach: Reach,
    pub(crate) orthogonal: bool,
    pub(crate) diagonal: bool,
    pub(crate) forward: bool,
    /// The role after promotion in the zone, if the game has one.
    pub(crate) promoted: Option<Role>,
    /// By colour: how far its one step straight ahead moves an index, if it
    /// goes in no other way.
    pub(crate) straight: [Option<i8>; 2],
    /// By colour and square: where single steps and leaps lead.
    steps: [BySquare<B>; 2],
    /// By colour and square: where steps and leaps that end there begin.
    sources: [BySquare<B>; 2],
    /// By colour: where it could never move again.
    pub(crate) immobile: [B; 2],
}

/// A game's rules worked out for its board.
#[derive(Debug)]
pub(crate) struct Tables<B> {
    pub(crate) rules: Rules,
    /// Every piece but the king and, in chess, the pawn.
    pub(crate) officers: Vec<Movement<B>>,
    /// By role: its place among the officers; one that is none for the rest.
    places: [usize; Role::COUNT],
    pub(crate) king: Movement<B>,
    pub(crate) pawn: Movement<B>,
    /// True if pawns go as in chess, and so are not among the officers.
    pub(crate) chess_pawns: bool,
    /// By colour and role: the ranks on which it may be dropped.
    drop_ranks: [[B; Role::COUNT]; 2],
    /// The roles that can be in reserve, in the order they are written.
    pub(crate) droppable: Vec<Role>,
    /// The roles that run along files and ranks, along diagonals, forward.
    pub(crate) orthogonal: Vec<Role>,
    pub(crate) diagonal: Vec<Role>,
    pub(crate) forward_only: Vec<Role>,
    lines: Box<[[Line<B>; LINES]; SQUARES]>,
    /// By square: its file and rank, and its two diagonals, without itself.
    straights: BySquare<B>,
    slants: BySquare<B>,
    /// By colour and square: the squares from which any of that colour's
    /// pieces could attack it by a step or leap.
    near: [BySquare<B>; 2],
    /// By colour and square: the same for a king's steps from the square, and
    /// for the square itself.
    near_king: [BySquare<B>; 2],
    /// By colour and side: how to castle.
    pub(crate) castling: [[Castling<B>; 2]; 2],
    /// By colour: the promotion zone (for chess pawns the last rank).
    pub(crate) zone: [B; 2],
    /// By colour: the second rank.
    pub(crate) second: [B; 2],
    /// By colour: the ranks a relocated pawn may go to.
    pub(crate) relocation: [B; 2],
    /// By file: its squares.
    pub(crate) files: [B; 9],
    /// The light squares, h1 among them.
    pub(crate) light: B,
}

impl<B: Bitboard> Tables<B> {
    pub(crate) fn new(rules: &Rules) -> Tables<B> {
        let lines = Box::new(lines());
        let [straights, slants] = [0, 2].map(|first| pair(&lines, first));
        let movement = |role| Movement::new(rules, role);
        let chess_pawns = rules.has_chess_pawns();
        let is_officer = |role: &Role| *role != Role::King && !(chess_pawns && *role == Role::Pawn);
        let others = rules.kinds.iter().map(|kind| kind.role).filter(is_officer);
        let officers: Vec<Movement<B>> = others.map(movement).collect();
        let places = Role::ALL.map(|role| {
            let place = officers.iter().position(|officer| officer.role == role);
            place.unwrap_or(usize::MAX)
        });
        let (king, pawn) = (movement(Role::King), movement(Role::Pawn));
        let near = Color::ALL.map(|color| {
            core::array::from_fn(|square| {
                let sources =
                    |set, movement: &Movement<B>| set | movement.sources[color.index()][square];
                officers
                    .iter()
                    .chain([&king, &pawn])
                    .fold(B::EMPTY, sources)
            })
        });
        let near_king = Color::ALL.map(|color| {
            let near: &BySquare<B> = &near[color.index()];
            core::array::from_fn(|square| {
                let steps = king.steps[(!color).index()][square].squares();
                steps.fold(near[square], |set, to| set | near[usize::from(to)])
            })
        });
        let sliding = |slide| {
            let kinds = rules.kinds.iter();
            let sliding = kinds.filter(|kind| kind.slides.contains(&slide));
            sliding.map(|kind| kind.role).collect()
        };
        let zone_ranks = match rules.promotion {
            Promotion::LastRank(_) => 1,
            Promotion::Zone { ranks, .. } => ranks,
        };
        let ranks = |from, to| Color::ALL.map(|color| B::ranks(color, from, to));
        Tables {
            officers,
            places,
            king,
            pawn,
            chess_pawns,
            drop_ranks: Color::ALL.map(|color| {
                let ranks = |(first, last)| B::ranks(color, first, last);
                rules.drop_ranks.map(ranks)
            }),
            droppable: rules.slots().map(|(role, _)| role).collect(),
            orthogonal: sliding(Slide::Orthogonal),
            diagonal: sliding(Slide::Diagonal),
            forward_only: sliding(Slide::Forward),
            near,
            near_king,
            lines,
            straights,
            slants,
            castling: Color::ALL.map(|color| {
                [Side::King, Side::Queen].map(|side| {
                    let [king, rook, king_to, rook_to] = castling_path(color, side);
                    let between = king.min(rook) + 1..king.max(rook);
                    Castling {
                        side,
                        unmoved: B::bit(king) | B::bit(rook),
                        between: between.fold(B::EMPTY, |set, at| set | B::bit(at)),
                        path: [rook_to, king_to],
                    }
                })
            }),
            zone: ranks(B::WIDTH + 1 - zone_ranks, B::WIDTH),
            second: ranks(2, 2),
            relocation: rules
                .relocation
                .map_or([B::EMPTY; 2], |(from, to)| ranks(from, to)),
            files: core::array::from_fn(|file| {
                squares_where(|index: u8| usize::from(index % B::WIDTH) == file)
            }),
            light: squares_where(|index: u8| (index / B::WIDTH + index % B::WIDTH) % 2 == 1),
            rules: rules.clone(),
        }
    }

    /// The four lines through a square.
    #[inline]
    pub(crate) fn lines(&self, square: u8) -> &[Line<B>; LINES] {
        &self.lines[usize::from(square)]
    }

    /// The file and the rank of a square, without the square.
    #[inline]
    pub(crate) fn straights(&self, square: u8) -> B {
        self.straights[usize::from(square)]
    }

    /// The two diagonals of a square, without the square.
    #[inline]
    pub(crate) fn slants(&self, square: u8) -> B {
        self.slants[usize::from(square)]
    }

    /// The squares a rook attacks from a square.
    #[inline]
    pub(crate) fn orthogonals(&self, square: u8, occupied: B) -> B {
        let [file, rank, ..] = self.lines(square);
        B::seen(file.lower, file.upper, occupied) | B::seen(rank.lower, rank.upper, occupied)
    }

    /// The squares a bishop attacks from a square.
    #[inline]
    pub(crate) fn diagonals(&self, square: u8, occupied: B) -> B {
        let [_, _, one, other] = self.lines(square);
        B::seen(one.lower, one.upper, occupied) | B::seen(other.lower, other.upper, occupied)
    }

    /// The squares a lance attacks from a square.
    #[inline]
    pub(crate) fn forward(&self, color: Color, square: u8, occupied: B) -> B {
        let file = self.lines(square)[0];
        match color {
            Color::White => B::seen(B::EMPTY, file.upper, occupied),
            Color::Black => B::seen(file.lower, B::EMPTY, occupied),
        }
    }

    /// The squares a piece attacks from a square.
    #[inline]
    pub(crate) fn attacks(
        &self,
        movement: &Movement<B>,
        color: Color,
        square: u8,
        occupied: B,
    ) -> B {
        match movement.reach {
            Reach::Steps => return movement.steps(color, square),
            Reach::Orthogonal => return self.orthogonals(square, occupied),
            Reach::Diagonal => return self.diagonals(square, occupied),
            Reach::Both | Reach::Mixed => {}
        }
        let mut reached = movement.steps(color, square);
        if movement.orthogonal {
            reached |= self.orthogonals(square, occupied);
        }
        if movement.diagonal {
            reached |= self.diagonals(square, occupied);
        }
        if movement.forward {
            reached |= self.forward(color, square, occupied);
        }
        reached
    }

    /// The squares from which any piece of the player could attack a square
    /// by a step or leap.
    #[inline]
    pub(crate) fn near(&self, color: Color, square: u8) -> B {
        self.near[color.index()][usize::from(square)]
    }

    /// The squares from which any piece of the player could by a step or leap
    /// attack a king on that square, or a square that it goes to.
    #[inline]
    pub(crate) fn near_king(&self, color: Color, square: u8) -> B {
        self.near_king[color.index()][usize::from(square)]
    }

    /// The squares of the ranks on which a player may drop a role.
    #[inline]
    pub(crate) fn drop_ranks(&self, color: Color, role: Role) -> B {
        self.drop_ranks[color.index()][role.index()]
    }

    /// The movement of a role that the game has.
    #[inline]
    pub(crate) fn movement(&self, role: Role) -> Option<&Movement<B>> {
        match role {
            Role::King => Some(&self.king),
            Role::Pawn if self.chess_pawns => Some(&self.pawn),
            _ => self.officers.get(self.places[role.index()]),
        }
    }

    /// Every movement: the officers, the king, the chess pawn.
    pub(crate) fn movements(&self) -> impl Iterator<Item = &Movement<B>> {
        let pawn = self.chess_pawns.then_some(&self.pawn);
        self.officers.iter().chain([&self.king]).chain(pawn)
    }
}

impl<B: Bitboard> Movement<B> {
    fn new(rules: &Rules, role: Role) -> Movement<B> {
        let kind = rules.kind(role);
        let (steps, slides) = kind.map_or((&[][..], &[][..]), |kind| (kind.steps, kind.slides));
        let along = |slide| slides.contains(&slide);
        let toward = |color, sign: i8| -> BySquare<B> {
            core::array::from_fn(|index| {
                steps.iter().fold(B::EMPTY, |set, &(file, rank)| {
                    let rank = if color == Color::White { rank } else { -rank };
                    set | step::<B>(index, (sign * file, sign * rank)).map_or(B::EMPTY, bit_of)
                })
            })
        };
        let steps = Color::ALL.map(|color| toward(color, 1));
        Movement {
            role,
            reach: match (kind.map_or(&[][..], |kind| kind.steps), slides) {
                (_, []) => Reach::Steps,
                ([], [Slide::Orthogonal]) => Reach::Orthogonal,
                ([], [Slide::Diagonal]) => Reach::Diagonal,
                ([], [Slide::Orthogonal, Slide::Diagonal]) => Reach::Both,
                _ => Reach::Mixed,
            },
            orthogonal: along(Slide::Orthogonal),
            diagonal: along(Slide::Diagonal),
            forward: along(Slide::Forward),
            promoted: match rules.promotion {
                Promotion::Zone { .. } => role.promoted(),
                Promotion::LastRank(_) => None,
            },
            straight: Color::ALL.map(|color| match kind {
                Some(Kind {
                    steps: [(0, rank)],
                    slides: [],
                    ..
                }) => Some(rank * ahead::<B>(color)),
                _ => None,
            }),
            immobile: Color::ALL.map(|color| {
                let forward = (0, if color == Color::White { 1 } else { -1 });
                squares_where(|index| {
                    let index = usize::from(index);
                    let slides = along(Slide::Orthogonal) || along(Slide::Diagonal);
                    let runs = along(Slide::Forward) && step::<B>(index, forward).is_some();
                    steps[color.index()][index].is_empty() && !slides && !runs
                })
            }),
            steps,
            sources: Color::ALL.map(|color| toward(color, -1)),
        }
    }

    /// The squares that single steps and leaps lead to from a square.
    #[inline]
    pub(crate) fn steps(&self, color: Color, square: u8) -> B {
        self.steps[color.index()][usize::from(square)]
    }

    /// The squares from which single steps and leaps lead to a square.
    #[inline]
    pub(crate) fn sources(&self, color: Color, square: u8) -> B {
        self.sources[color.index()][usize::from(square)]
    }
}

/// The lines through every square.
fn lines<B: Bitboard>() -> [[Line<B>; LINES]; SQUARES] {
    core::array::from_fn(|index| {
        [(0, 1), (1, 0), (1, 1), (-1, 1)].map(|(file, rank)| Line {
            upper: ray::<B>(index, (file, rank)),
            lower: ray::<B>(index, (-file, -rank)),
        })
    })
}

/// By square: the squares of two lines through it, from that line on.
fn pair<B: Bitboard>(lines: &[[Line<B>; LINES]; SQUARES], first: usize) -> BySquare<B> {
    core::array::from_fn(|square| {
        let two = lines[square].iter().skip(first).take(2);
        two.fold(B::EMPTY, |set, line| set | line.lower | line.upper)
    })
}

/// The squares whose index the condition likes.
fn squares_where<B: Bitboard>(likes: impl Fn(u8) -> bool) -> B {
    (0..B::WIDTH * B::WIDTH)
        .filter(|&index| likes(index))
        .fold(B::EMPTY, |set, index| set | B::bit(index))
}

#[allow(clippy::cast_possible_truncation, reason = "an index below 81")]
fn bit_of<B: Bitboard>(index: usize) -> B {
    B::bit(index as u8)
}

/// The index one step away, if it is on the board.
#[allow(clippy::cast_possible_truncation, reason = "an index below 81")]
fn step<B: Bitboard>(index: usize, (file, rank): (i8, i8)) -> Option<usize> {
    let width = B::WIDTH;
    let index = index as u8;
    if index >= width * width {
        return None;
    }
    let file = (index % width).checked_add_signed(file)?;
    let rank = (index / width).checked_add_signed(rank)?;
    (file < width && rank < width).then(|| usize::from(rank * width + file))
}

/// All squares in one direction.
fn ray<B: Bitboard>(from: usize, direction: (i8, i8)) -> B {
    let mut set = B::EMPTY;
    let mut at = from;
    while let Some(next) = step::<B>(at, direction) {
        set |= bit_of(next);
        at = next;
    }
    set
}

/// King from, rook from, king to, rook to: on e1, h1 or a1 and the squares of
/// chess, or on the eighth rank.
pub(crate) const fn castling_path(color: Color, side: Side) -> [u8; 4] {
    let home = match color {
        Color::White => 0,
        Color::Black => 56,
    };
    match side {
        Side::King => [home + 4, home + 7, home + 6, home + 5],
        Side::Queen => [home + 4, home, home + 2, home + 3],
    }
}

/// The squares on which an unmoved piece can castle.
pub(crate) const fn castling_squares(color: Color, role: Role) -> &'static [u8] {
    match (color, role) {
        (Color::White, Role::King) => &[4],
        (Color::Black, Role::King) => &[60],
        (Color::White, Role::Rook) => &[0, 7],
        (Color::Black, Role::Rook) => &[56, 63],
        _ => &[],
    }
}
