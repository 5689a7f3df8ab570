//! The colours of the squares on which a player has dropped bishops.

use core::fmt;

/// The colours of the squares on which a player has dropped bishops, in a game
/// in which they must differ.
///
/// Its `Display` is the word of a FEN: `none`, `dark`, `light` or `both`.
///
/// # Examples
///
/// ```
/// use parapost_rules::{BishopColors, Setup, Variant};
///
/// let newchess = Variant::find("newchess", &[])?;
/// let fen = "4k3/8/8/8/8/8/8/4K3[RRBNNQrrbbnnq] w - - 0 9 B-light";
/// let setup = Setup::from_fen(&newchess, fen)?;
/// assert_eq!(setup.dropped_bishops, [Some(BishopColors::Light), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BishopColors {
    /// No bishop has been dropped.
    None,
    /// A bishop was dropped on a dark square.
    Dark,
    /// A bishop was dropped on a light square.
    Light,
    /// Bishops were dropped on squares of both colours.
    Both,
}

impl BishopColors {
    const ALL: [BishopColors; 4] = [
        BishopColors::None,
        BishopColors::Dark,
        BishopColors::Light,
        BishopColors::Both,
    ];

    /// The colours of a word of a FEN.
    pub(crate) fn from_word(word: &str) -> Option<BishopColors> {
        BishopColors::ALL
            .into_iter()
            .find(|colors| colors.word() == word)
    }

    const fn word(self) -> &'static str {
        match self {
            BishopColors::None => "none",
            BishopColors::Dark => "dark",
            BishopColors::Light => "light",
            BishopColors::Both => "both",
        }
    }

    /// From whether one was dropped on a dark, and on a light square.
    pub(crate) const fn new([dark, light]: [bool; 2]) -> BishopColors {
        BishopColors::ALL[dark as usize + 2 * light as usize]
    }

    /// Returns true if one was dropped on a dark, and on a light square.
    pub(crate) const fn dark_and_light(self) -> [bool; 2] {
        [self as u8 & 1 == 1, self as u8 & 2 == 2]
    }
}

impl fmt::Display for BishopColors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
