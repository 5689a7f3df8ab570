//! A player's pieces that are not yet, or not any more, on the board.

use crate::piece::Role;

/// How many pieces of each role a player holds in reserve; up to 31 of each.
///
/// Only unpromoted roles are ever held: [`Role::base`] is taken of whatever
/// is put in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Reserve(u64);

/// Bits of a count: nine base roles of seven bits fit a `u64`.
const BITS: u32 = 7;
const MASK: u64 = (1 << BITS) - 1;

const fn shift(role: Role) -> u32 {
    role.base() as u32 * BITS
}

impl Reserve {
    /// A reserve that holds nothing.
    pub const EMPTY: Reserve = Reserve(0);

    /// How many pieces of the role are held.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "seven bits are left")]
    pub const fn count(self, role: Role) -> u8 {
        (self.0 >> shift(role) & MASK) as u8
    }

    /// Whether a piece of the role is held.
    #[must_use]
    pub const fn has(self, role: Role) -> bool {
        self.0 >> shift(role) & MASK != 0
    }

    /// Whether nothing is held.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pieces are held in all.
    #[must_use]
    pub fn total(self) -> u32 {
        Role::ALL
            .iter()
            .filter(|role| !role.is_promoted())
            .map(|&role| u32::from(self.count(role)))
            .sum()
    }

    /// Puts a piece in; a promoted one is turned back.
    ///
    /// # Panics
    ///
    /// If more than 31 pieces of a role would be held, more than any game has.
    pub const fn add(&mut self, role: Role) {
        assert!(self.count(role) < 31);
        self.0 += 1 << shift(role);
    }

    /// Takes a piece out.
    ///
    /// # Panics
    ///
    /// If none is held.
    pub const fn remove(&mut self, role: Role) {
        assert!(self.has(role));
        self.0 -= 1 << shift(role);
    }
}

impl FromIterator<(Role, u8)> for Reserve {
    fn from_iter<I: IntoIterator<Item = (Role, u8)>>(counts: I) -> Reserve {
        let mut reserve = Reserve::EMPTY;
        for (role, count) in counts {
            for _ in 0..count {
                reserve.add(role);
            }
        }
        reserve
    }
}
