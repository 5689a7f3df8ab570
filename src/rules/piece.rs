//! Colours, roles and pieces, and those that a player holds in reserve.

use core::fmt;
use core::ops::Not;

/// One of the two players. White is the first player: Sente in the shogi
/// games, written in capitals. Black is the second, Gote, in small letters.
///
/// # Examples
///
/// ```
/// use parapost_rules::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::ALL.map(Color::letter), ['w', 'b']);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The first player.
    White,
    /// The second player.
    Black,
}

impl Color {
    /// Both players, the first player first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for the first player, 1 for the second.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter that stands for the side in a FEN, `w` or `b`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The player who has the piece of a letter: White has the capitals.
    #[must_use]
    pub const fn of_letter(letter: char) -> Color {
        if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The index of a rank counted from the player's side; the same turns the
    /// index of a rank into one from the player's side.
    pub(crate) const fn rank(self, index: u8, width: u8) -> u8 {
        match self {
            Color::White => index,
            Color::Black => width - 1 - index,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The roles: those with a letter, and those that such a role promotes to; each with its
/// name in a sentence.
macro_rules! roles {
    (
        $($(#[$doc:meta])* $role:ident $letter:literal $name:literal;)* =>
        $($(#[$more:meta])* $promoted:ident from $base:ident $long_name:literal;)*
    ) => {
        /// The kind of a piece, promoted shogi pieces included.
        ///
        /// # Examples
        ///
        /// ```
        /// use parapost_rules::Role;
        ///
        /// assert_eq!(Role::from_letter('n'), Some(Role::Knight));
        /// assert_eq!(Role::Rook.promoted(), Some(Role::Dragon));
        /// assert_eq!(Role::Dragon.base(), Role::Rook);
        /// assert_eq!((Role::Dragon.letter(), Role::Dragon.name()), ('R', "promoted rook"));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Role {
            $($(#[$doc])* $role,)*
            $($(#[$more])* $promoted,)*
        }

        impl Role {
            /// Every role.
            pub const ALL: [Role; Role::COUNT] = [$(Role::$role,)* $(Role::$promoted,)*];

            /// The unpromoted role; of an unpromoted role the role itself.
            #[must_use]
            pub const fn base(self) -> Role {
                match self {
                    $(Role::$promoted => Role::$base,)*
                    role => role,
                }
            }

            /// The role after a shogi promotion; none if the role cannot promote.
            #[must_use]
            pub const fn promoted(self) -> Option<Role> {
                match self {
                    $(Role::$base => Some(Role::$promoted),)*
                    _ => None,
                }
            }

            /// The capital letter of the piece; a promoted piece has that of its base.
            #[must_use]
            pub const fn letter(self) -> char {
                match self {
                    $(Role::$role => $letter,)*
                    promoted => promoted.base().letter(),
                }
            }

            /// The unpromoted role of a letter of either case.
            #[must_use]
            pub const fn from_letter(letter: char) -> Option<Role> {
                match letter.to_ascii_uppercase() {
                    $($letter => Some(Role::$role),)*
                    _ => None,
                }
            }

            /// The piece's name in a sentence: "knight", "promoted pawn".
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Role::$role => $name,)*
                    $(Role::$promoted => $long_name,)*
                }
            }
        }
    };
}

roles! {
    /// King, of chess and of shogi.
    King 'K' "king";
    /// Queen.
    Queen 'Q' "queen";
    /// Rook, of chess and of shogi.
    Rook 'R' "rook";
    /// Bishop, of chess and of shogi.
    Bishop 'B' "bishop";
    /// Knight; the game says whether it leaps as in chess or as in shogi.
    Knight 'N' "knight";
    /// Pawn; the game says whether it captures as in chess or as in shogi.
    Pawn 'P' "pawn";
    /// Gold general.
    Gold 'G' "gold";
    /// Silver general.
    Silver 'S' "silver";
    /// Lance.
    Lance 'L' "lance";
    =>
    /// Promoted rook.
    Dragon from Rook "promoted rook";
    /// Promoted bishop.
    Horse from Bishop "promoted bishop";
    /// Promoted silver.
    PromotedSilver from Silver "promoted silver";
    /// Promoted knight.
    PromotedKnight from Knight "promoted knight";
    /// Promoted lance.
    PromotedLance from Lance "promoted lance";
    /// Promoted pawn.
    Tokin from Pawn "promoted pawn";
}

impl Role {
    /// The number of roles.
    pub const COUNT: usize = 15;

    /// The role's place in [`Role::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns true if the piece is written with a `+` before its letter.
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= Role::Dragon as u8
    }

    /// The piece of that role and owner.
    #[must_use]
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

impl fmt::Display for Role {
    /// The piece's name in a sentence; padded where the format asks for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece of one of the players.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Piece, Role};
///
/// let piece = Piece { color: Color::Black, role: Role::Tokin };
/// assert_eq!((piece.to_string(), piece.letter()), ("+p".to_owned(), 'p'));
/// assert_eq!(piece, Role::Tokin.of(Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// The kind.
    pub role: Role,
}

impl Piece {
    /// The letter in the owner's case, without the `+` of a promoted piece.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }
}

impl fmt::Display for Piece {
    /// `N`, `n`, `+R`; padded where the format asks for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b'+', 0];
        text[1] = u8::try_from(self.letter()).unwrap_or(b'?');
        let start = usize::from(!self.role.is_promoted());
        f.pad(str::from_utf8(&text[start..]).unwrap_or_default())
    }
}

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
