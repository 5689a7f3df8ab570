//! The signs of the pieces: letters, figurines, and the characters of shogi.

use crate::rules::game::Rules;
use crate::rules::{Color, Piece, Role};

/// The signs that pieces are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Script {
    /// Letters, capitals for the first player.
    #[default]
    Letters,
    /// The figurines of chess, white for the first player.
    Figurines,
    /// The characters of shogi, two columns wide. A [`MARK`] stands before each piece
    /// of the second player.
    Kanji,
}

/// Stands before a piece of the second player if its sign does not tell the owner, as
/// in the diagrams of shogi players. It looks like no empty square and is no letter of
/// a piece.
pub const MARK: char = 'v';

/// The figurines of each piece, the first player's first.
const FIGURINES: [(Role, [char; 2]); 6] = [
    (Role::King, ['♔', '♚']),
    (Role::Queen, ['♕', '♛']),
    (Role::Rook, ['♖', '♜']),
    (Role::Bishop, ['♗', '♝']),
    (Role::Knight, ['♘', '♞']),
    (Role::Pawn, ['♙', '♟']),
];

/// The characters of shogi: the one that is written, and others that are read as the
/// same piece.
const KANJI: [(Role, char, &str); 14] = [
    (Role::King, '玉', "王"),
    (Role::Rook, '飛', ""),
    (Role::Bishop, '角', ""),
    (Role::Gold, '金', ""),
    (Role::Silver, '銀', ""),
    (Role::Knight, '桂', ""),
    (Role::Lance, '香', ""),
    (Role::Pawn, '歩', ""),
    (Role::Dragon, '龍', "竜"),
    (Role::Horse, '馬', ""),
    (Role::PromotedSilver, '全', ""),
    (Role::PromotedKnight, '圭', ""),
    (Role::PromotedLance, '杏', ""),
    (Role::Tokin, 'と', ""),
];

impl Script {
    /// Returns the script that replaces letters in a game: figurines if every piece has
    /// one, or else the characters of shogi.
    #[must_use]
    pub fn beyond_ascii(rules: &Rules) -> Script {
        if rules.kinds.iter().all(|kind| figurine(kind.role).is_some()) {
            Script::Figurines
        } else {
            Script::Kanji
        }
    }

    /// Returns the sign of a piece. The sign alone may not tell its owner.
    pub(super) fn sign(self, piece: Piece) -> String {
        let sign = match self {
            Script::Letters => None,
            Script::Figurines => figurine(piece.role).map(|signs| signs[piece.color.index()]),
            Script::Kanji => KANJI
                .iter()
                .find(|(role, ..)| *role == piece.role)
                .map(|(_, sign, _)| *sign),
        };
        sign.map_or_else(|| piece.to_string(), String::from)
    }

    /// Returns true if the sign alone tells the owner of a piece.
    pub(super) fn tells_sides(self) -> bool {
        self != Script::Kanji
    }

    /// Returns the sign of an empty square.
    pub(super) fn empty(self) -> char {
        match self {
            Script::Letters => '-',
            Script::Figurines => '·',
            Script::Kanji => '・',
        }
    }

    /// Returns the number of columns of a sign, without the `+` of a promoted letter.
    pub(super) fn columns(self) -> usize {
        match self {
            Script::Letters | Script::Figurines => 1,
            Script::Kanji => 2,
        }
    }
}

fn figurine(role: Role) -> Option<[char; 2]> {
    let found = FIGURINES.iter().find(|(other, _)| *other == role);
    found.map(|(_, signs)| *signs)
}

/// Returns the piece of a character of shogi.
pub(super) fn kanji(sign: char) -> Option<Role> {
    KANJI
        .iter()
        .find(|(_, usual, others)| *usual == sign || others.contains(sign))
        .map(|(role, ..)| *role)
}

/// Returns true if the sign marks the next piece as the second player's.
pub(super) fn is_mark(sign: char) -> bool {
    matches!(sign, MARK | 'ｖ' | '∨')
}

/// Returns true if the sign stands for an empty square in every game.
pub(super) fn is_empty(sign: char) -> bool {
    matches!(
        sign,
        '-' | '.' | '_' | '*' | '·' | '・' | '･' | '•' | '∙' | '⋅' | '□'
    )
}

/// Returns the side of a letter, by its case.
pub(super) fn side(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}
