//! Sets of squares in one machine word: `u64` for 8x8, `u128` for 9x9.

use core::fmt::Debug;
use core::hash::Hash;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::board::Square;
use crate::piece::Color;

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
