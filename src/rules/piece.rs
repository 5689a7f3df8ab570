//! Colours, roles and pieces.

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
    /// King, of chess and of shogi.
    King,
    /// Queen.
    Queen,
    /// Rook, of chess and of shogi.
    Rook,
    /// Bishop, of chess and of shogi.
    Bishop,
    /// Knight; the game says whether it leaps as in chess or as in shogi.
    Knight,
    /// Pawn; the game says whether it captures as in chess or as in shogi.
    Pawn,
    /// Gold general.
    Gold,
    /// Silver general.
    Silver,
    /// Lance.
    Lance,
    /// Promoted rook.
    Dragon,
    /// Promoted bishop.
    Horse,
    /// Promoted silver.
    PromotedSilver,
    /// Promoted knight.
    PromotedKnight,
    /// Promoted lance.
    PromotedLance,
    /// Promoted pawn.
    Tokin,
}

impl Role {
    /// The number of roles.
    pub const COUNT: usize = 15;

    /// Every role.
    pub const ALL: [Role; Role::COUNT] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
        Role::Gold,
        Role::Silver,
        Role::Lance,
        Role::Dragon,
        Role::Horse,
        Role::PromotedSilver,
        Role::PromotedKnight,
        Role::PromotedLance,
        Role::Tokin,
    ];

    /// The role's place in [`Role::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The unpromoted role; of an unpromoted role the role itself.
    #[must_use]
    pub const fn base(self) -> Role {
        match self {
            Role::Dragon => Role::Rook,
            Role::Horse => Role::Bishop,
            Role::PromotedSilver => Role::Silver,
            Role::PromotedKnight => Role::Knight,
            Role::PromotedLance => Role::Lance,
            Role::Tokin => Role::Pawn,
            role => role,
        }
    }

    /// Returns true if the piece is written with a `+` before its letter.
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self as u8 >= Role::Dragon as u8
    }

    /// The role after a shogi promotion; none if the role cannot promote.
    #[must_use]
    pub const fn promoted(self) -> Option<Role> {
        match self {
            Role::Rook => Some(Role::Dragon),
            Role::Bishop => Some(Role::Horse),
            Role::Silver => Some(Role::PromotedSilver),
            Role::Knight => Some(Role::PromotedKnight),
            Role::Lance => Some(Role::PromotedLance),
            Role::Pawn => Some(Role::Tokin),
            _ => None,
        }
    }

    /// The capital letter of the piece; a promoted piece has that of its base.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.base() {
            Role::King => 'K',
            Role::Queen => 'Q',
            Role::Rook => 'R',
            Role::Bishop => 'B',
            Role::Knight => 'N',
            Role::Gold => 'G',
            Role::Silver => 'S',
            Role::Lance => 'L',
            _ => 'P',
        }
    }

    /// The unpromoted role of a letter of either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            'P' => Role::Pawn,
            'G' => Role::Gold,
            'S' => Role::Silver,
            'L' => Role::Lance,
            _ => return None,
        })
    }

    /// The piece's name in a sentence: "knight", "promoted pawn".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::King => "king",
            Role::Queen => "queen",
            Role::Rook => "rook",
            Role::Bishop => "bishop",
            Role::Knight => "knight",
            Role::Pawn => "pawn",
            Role::Gold => "gold",
            Role::Silver => "silver",
            Role::Lance => "lance",
            Role::Dragon => "promoted rook",
            Role::Horse => "promoted bishop",
            Role::PromotedSilver => "promoted silver",
            Role::PromotedKnight => "promoted knight",
            Role::PromotedLance => "promoted lance",
            Role::Tokin => "promoted pawn",
        }
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
