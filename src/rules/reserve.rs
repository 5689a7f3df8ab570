//! A player's pieces that are not on the board: not yet, or not any more.

use crate::piece::Role;

/// The pieces a player holds in reserve: a count of each role, at most
/// [`Reserve::MOST`].
///
/// A reserve holds unpromoted roles only; a promoted one counts as its
/// [`Role::base`].
///
/// # Examples
///
/// ```
/// use parapost_rules::{Reserve, Role};
///
/// let reserve = Reserve::new([(Role::Rook, 2), (Role::Dragon, 1)]).expect("at most 31 of each");
/// assert_eq!(reserve.count(Role::Rook), 3);
/// assert_eq!(reserve.total(), 3);
/// let fewer = reserve.without(Role::Rook).expect("a rook is held");
/// assert_eq!(fewer.with(Role::Rook), Some(reserve));
/// assert_eq!(Reserve::EMPTY.without(Role::Rook), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reserve(u64);

/// Bits of a count: nine base roles of seven bits fit a `u64`.
const BITS: u8 = 7;
const MASK: u64 = (1 << BITS) - 1;

/// By role: the place of its count. A table, for the generator asks often.
const SHIFTS: [u8; Role::COUNT] = {
    let mut shifts = [0; Role::COUNT];
    let mut i = 0;
    while i < Role::COUNT {
        shifts[i] = Role::ALL[i].base() as u8 * BITS;
        i += 1;
    }
    shifts
};

const fn shift(role: Role) -> u8 {
    SHIFTS[role.index()]
}

impl Reserve {
    /// A reserve that holds nothing.
    pub const EMPTY: Reserve = Reserve(0);

    /// The most pieces of one role that a reserve holds.
    pub const MOST: u8 = 31;

    /// The reserve of so many pieces of each role; none if that is more than
    /// [`Reserve::MOST`] of any.
    pub fn new(counts: impl IntoIterator<Item = (Role, u8)>) -> Option<Reserve> {
        let mut reserve = Reserve::EMPTY;
        for (role, count) in counts {
            for _ in 0..count {
                reserve = reserve.with(role)?;
            }
        }
        Some(reserve)
    }

    /// The number of pieces of the role.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "seven bits are left")]
    pub const fn count(self, role: Role) -> u8 {
        (self.0 >> shift(role) & MASK) as u8
    }

    /// Returns true if a piece of the role is held.
    #[must_use]
    pub const fn has(self, role: Role) -> bool {
        self.0 >> shift(role) & MASK != 0
    }

    /// Returns true if nothing is held.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of pieces of all roles together.
    #[must_use]
    pub fn total(self) -> u32 {
        Role::ALL
            .iter()
            .filter(|role| !role.is_promoted())
            .map(|&role| u32::from(self.count(role)))
            .sum()
    }

    /// The reserve with one more piece of the role, unpromoted; none if it
    /// would hold more than [`Reserve::MOST`].
    #[must_use]
    pub const fn with(self, role: Role) -> Option<Reserve> {
        if self.count(role) < Reserve::MOST {
            Some(Reserve(self.0 + (1 << shift(role))))
        } else {
            None
        }
    }

    /// The reserve with one piece of the role less; none if it holds none.
    #[must_use]
    pub const fn without(self, role: Role) -> Option<Reserve> {
        if self.has(role) {
            Some(Reserve(self.0 - (1 << shift(role))))
        } else {
            None
        }
    }

    /// Puts a piece in; a promoted one is turned back.
    ///
    /// # Panics
    ///
    /// If it would hold more than [`Reserve::MOST`]. [`Reserve::with`] does
    /// not panic.
    pub const fn add(&mut self, role: Role) {
        assert!(self.count(role) < Reserve::MOST);
        self.0 += 1 << shift(role);
    }

    /// Takes a piece out.
    ///
    /// # Panics
    ///
    /// If none is held. [`Reserve::without`] does not panic.
    pub const fn remove(&mut self, role: Role) {
        assert!(self.has(role));
        self.0 -= 1 << shift(role);
    }
}
