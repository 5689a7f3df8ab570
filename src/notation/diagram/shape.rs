//! What the signs of a diagram mean in a game.

use crate::notation::diagram::script;
use crate::notation::place::Place;
use crate::quoting::glyphs::Glyph;
use crate::rules::{Color, Piece, Role, Variant};

/// What the diagrams of a game look like.
pub(super) struct Shape<'v> {
    pub(super) variant: &'v Variant,
    pub(super) width: usize,
    /// Whether a `+` marks a promoted piece; else it may be an empty square.
    pub(super) has_marks: bool,
}

/// A square's contents as they are written.
pub(super) struct Sign {
    /// The piece; none for an empty square.
    pub(super) role: Option<Role>,
    /// Whose it is; none where the sign does not tell: a character of shogi
    /// without a mark.
    pub(super) color: Option<Color>,
    /// How many glyphs it takes.
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

    /// Whether the game has a kind of piece.
    fn has(&self, role: Role) -> bool {
        self.variant.rules().kind(role).is_some()
    }

    fn is_empty(&self, sign: char) -> bool {
        script::is_empty(sign) || (sign == '+' && !self.has_marks)
    }

    /// The sign at the start of some glyphs: a piece, behind the mark of the
    /// second player or without one, or an empty square.
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
                // A mark on the first player's letter contradicts it.
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

    /// The squares of a word, if it is made of squares, and where each stands.
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
            // No row is as long: it is no business of ours.
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
