//! The meaning of a diagram's signs in a game.

use crate::notation::diagram::script;
use crate::notation::place::Place;
use crate::quoting::glyphs::Glyph;
use crate::rules::{Color, Piece, Role, Variant};

/// The form of the diagrams of a game.
pub(super) struct Shape<'v> {
    pub(super) variant: &'v Variant,
    pub(super) width: usize,
    /// True if a `+` marks a promoted piece. Otherwise it may be an empty square.
    pub(super) has_marks: bool,
}

/// The written contents of a square.
pub(super) struct Sign {
    /// The piece; none for an empty square.
    pub(super) role: Option<Role>,
    /// The owner; none if the sign does not tell it, as a character of shogi without a
    /// mark.
    pub(super) color: Option<Color>,
    /// The number of glyphs of the sign.
    pub(super) length: usize,
}

impl<'v> Shape<'v> {
    pub(super) fn of(variant: &'v Variant) -> Shape<'v> {
        let rules = variant.rules();
        Shape {
            variant,
            width: usize::from(rules.width),
            has_marks: rules.kinds.iter().any(|kind| kind.role.is_promoted()),
        }
    }

    /// Returns true if the game has this kind of piece.
    fn has(&self, role: Role) -> bool {
        self.variant.rules().kind(role).is_some()
    }

    fn is_empty(&self, sign: char) -> bool {
        script::is_empty(sign) || (sign == '+' && !self.has_marks)
    }

    /// Reads the sign at the start of some glyphs: an empty square, or a piece with or
    /// without the mark of the second player.
    pub(super) fn sign(&self, glyphs: &[Glyph]) -> Option<Sign> {
        let at = |i: usize| glyphs.get(i).map(|glyph| glyph.char);
        let is_marked = script::is_mark(at(0)?);
        let is_promoted = self.has_marks && at(usize::from(is_marked)) == Some('+');
        let length = usize::from(is_marked) + usize::from(is_promoted) + 1;
        let char = at(length - 1)?;
        if length == 1 && self.is_empty(char) {
            let (role, color) = (None, None);
            return Some(Sign {
                role,
                color,
                length,
            });
        }
        let (role, color) = match script::kanji(char) {
            Some(role) if !is_promoted => (role, is_marked.then_some(Color::Black)),
            Some(_) => return None,
            None => {
                let base = Role::from_letter(char)?;
                let role = if is_promoted { base.promoted()? } else { base };
                let color = script::side(char);
                // The mark contradicts a letter of the first player.
                if is_marked && color == Color::White {
                    return None;
                }
                (role, Some(color))
            }
        };
        self.has(role).then_some(Sign {
            role: Some(role),
            color,
            length,
        })
    }

    /// Returns the squares of a word, each with its place, if the word consists of
    /// squares.
    pub(super) fn squares(
        &self,
        line: usize,
        word: &[Glyph],
    ) -> Option<Vec<(Option<Piece>, Place)>> {
        let mut squares = Vec::new();
        let mut rest = word;
        while !rest.is_empty() {
            let Sign {
                role,
                color,
                length,
            } = self.sign(rest)?;
            let color = color.unwrap_or(Color::White);
            let (sign, behind) = rest.split_at(length);
            let place = Place {
                width: length,
                ..place_of(line, sign[0])
            };
            squares.push((role.map(|role| Piece { color, role }), place));
            // No row is this long.
            if squares.len() > 2 * self.width {
                return None;
            }
            rest = behind;
        }
        Some(squares)
    }
}

pub(super) fn place_of(line: usize, glyph: Glyph) -> Place {
    Place {
        line,
        column: glyph.column as usize,
        width: 1,
    }
}
