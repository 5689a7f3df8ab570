//! Reads the reserves of a diagram, to the right of its board or below it.

use crate::notation::diagram::located::DiagramError;
use crate::notation::diagram::script;
use crate::notation::diagram::shape::{Shape, Sign, place_of};
use crate::notation::place::Place;
use crate::quoting::glyphs::Glyph;
use crate::rules::{Color, Reserve, Role};

/// The reserves read so far.
pub(super) struct Reserves<'s, 'v> {
    shape: &'s Shape<'v>,
    held: [Reserve; 2],
    /// For each player, true if anything tells of the reserve.
    seen: [bool; 2],
    /// For each player, the number of lines with pieces.
    lines: [usize; 2],
    /// The player of the last heading.
    owner: Option<Color>,
}

/// The meaning of a text for a reserve.
enum Says {
    Heading,
    Pieces,
    Nothing,
}

impl<'s, 'v> Reserves<'s, 'v> {
    pub(super) fn new(shape: &'s Shape<'v>) -> Reserves<'s, 'v> {
        Reserves {
            shape,
            held: [Reserve::EMPTY; 2],
            seen: [false; 2],
            lines: [0; 2],
            owner: None,
        }
    }

    /// Reads the text to the right of the board in one line. Returns true if it belongs
    /// to a reserve.
    pub(super) fn beside(&mut self, line: usize, text: &[Glyph]) -> Result<bool, DiagramError> {
        if !self.shape.variant.rules().has_reserve() {
            return Ok(false);
        }
        match self.says(text) {
            Says::Heading => self.heading(line, text)?,
            Says::Pieces => self.pieces(line, text)?,
            Says::Nothing => match self.leading(text) {
                // A remark on the row may follow the pieces.
                Some(pieces) => self.pieces(line, pieces)?,
                None => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Returns the first word, if it stands for several pieces.
    fn leading<'t>(&self, text: &'t [Glyph]) -> Option<&'t [Glyph]> {
        let word = text.split(|glyph| glyph.char == ' ').next()?;
        let is_piece =
            |(_, sign): (Glyph, Option<Sign>)| sign.is_some_and(|sign| sign.role.is_some());
        let is_reserve = word.len() > 4 && signs(self.shape, word).any(is_piece);
        (is_reserve && self.is_pieces(word)).then_some(word)
    }

    /// Reads a line below the board. Returns true if it belongs to a reserve.
    pub(super) fn below(&mut self, line: usize, text: &[Glyph]) -> Result<bool, DiagramError> {
        let rules = self.shape.variant.rules();
        if !rules.has_reserve() {
            return Ok(false);
        }
        match self.says(text) {
            Says::Heading => self.heading(line, text).map(|()| true),
            Says::Pieces => {
                let rows = rules.slots.iter().filter(|row| !row.is_empty()).count();
                let side = signs(self.shape, text).find_map(|(_, sign)| sign?.color);
                let fits = match (self.owner, side) {
                    (Some(owner), Some(side)) => owner == side && self.lines[owner.index()] < rows,
                    (Some(owner), None) => self.lines[owner.index()] < rows,
                    (None, Some(side)) => self.lines[side.index()] < rows && is_one_word(text),
                    (None, None) => false,
                };
                if fits {
                    self.pieces(line, text)?;
                }
                Ok(fits)
            }
            Says::Nothing => Ok(false),
        }
    }

    /// Returns true if the last heading still lacks lines with pieces.
    pub(super) fn is_waiting(&self) -> bool {
        let rows = self.shape.variant.rules().slots.iter();
        let rows = rows.filter(|row| !row.is_empty()).count();
        self.owner
            .is_some_and(|owner| self.lines[owner.index()] < rows)
    }

    /// Returns both reserves, or none if neither is shown.
    ///
    /// # Errors
    ///
    /// If only one is shown.
    pub(super) fn finish(self, place: Place) -> Result<Option<[Reserve; 2]>, DiagramError> {
        let player = |color| self.shape.variant.player(color);
        let (shown, missing) = match self.seen {
            [true, true] => return Ok(Some(self.held)),
            [false, false] => return Ok(None),
            [true, false] => (Color::White, Color::Black),
            [false, true] => (Color::Black, Color::White),
        };
        Err(DiagramError::new(
            place,
            format!(
                "the diagram shows {}'s reserve and not {}'s",
                player(shown),
                player(missing)
            ),
        ))
    }

    fn says(&self, glyphs: &[Glyph]) -> Says {
        let text: String = glyphs.iter().map(|glyph| glyph.char).collect();
        let text = text.trim().to_lowercase();
        if text.is_empty() || text.len() > 120 {
            return Says::Nothing;
        }
        let is_named = self.named(&text).is_some();
        let tells = ["reserve", "in hand", "pocket", "holding"]
            .iter()
            .any(|word| text.contains(word));
        let mut words = text.split_whitespace();
        // The rest of a heading that a mailer has broken.
        let is_rest =
            words.all(|word| matches!(word, "pieces" | "in" | "reserve:" | "reserve" | "hand:"));
        if (is_named && (tells || text.contains(':') || text.ends_with("pieces in"))) || is_rest {
            Says::Heading
        } else if self.is_pieces(glyphs) || is_none(&text) {
            Says::Pieces
        } else {
            Says::Nothing
        }
    }

    /// Returns the player whom a heading names.
    fn named(&self, text: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| {
            let name = self.shape.variant.player(color).to_lowercase();
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == name)
        })
    }

    fn is_pieces(&self, text: &[Glyph]) -> bool {
        signs(self.shape, text).all(|(first, sign)| match sign {
            Some(Sign {
                role: Some(role), ..
            }) => self.is_held(role),
            // A `+` may be an empty square, but never an empty slot.
            Some(_) => script::is_empty(first.char),
            None => false,
        })
    }

    /// Returns true if a piece of the game can be in reserve.
    fn is_held(&self, role: Role) -> bool {
        let mut slots = self.shape.variant.rules().slots();
        slots.any(|(other, _)| other == role)
    }

    fn heading(&mut self, line: usize, text: &[Glyph]) -> Result<(), DiagramError> {
        let whole: String = text.iter().map(|glyph| glyph.char).collect();
        if let Some(owner) = self.named(&whole.to_lowercase()) {
            self.owner = Some(owner);
            self.seen[owner.index()] = true;
        }
        let colon = text.iter().position(|glyph| glyph.char == ':');
        match colon.map(|colon| &text[colon + 1..]) {
            Some(rest) if rest.iter().any(|glyph| glyph.char != ' ') => self.pieces(line, rest),
            _ => Ok(()),
        }
    }

    fn pieces(&mut self, line: usize, text: &[Glyph]) -> Result<(), DiagramError> {
        let whole: String = text.iter().map(|glyph| glyph.char).collect();
        if is_none(whole.trim()) {
            if let Some(owner) = self.owner {
                self.lines[owner.index()] += 1;
            }
            return Ok(());
        }
        let mut side = self.owner;
        for (first, sign) in signs(self.shape, text) {
            let error = |message| Err(DiagramError::new(place_of(line, first), message));
            let (role, color) = match sign {
                Some(Sign {
                    role: Some(role),
                    color,
                    ..
                }) if self.is_held(role) => (role, color),
                Some(Sign { role: None, .. }) => continue,
                None if !first.char.is_alphanumeric() => continue,
                _ => {
                    let name = self.shape.variant.game().name;
                    return error(format!("'{}' is never in reserve in {name}", first.char));
                }
            };
            // Without a mark, only a heading tells whose piece of shogi it is.
            let color = color.or(side).unwrap_or(Color::White);
            if let Some(side) = side.filter(|&side| side != color) {
                let letters = match side {
                    Color::White => "capital",
                    Color::Black => "small",
                };
                let player = self.shape.variant.player(side);
                return error(format!(
                    "{player}'s pieces are written in {letters} letters"
                ));
            }
            side = Some(color);
            let reserve = &mut self.held[color.index()];
            // More than any game has, and few enough for a reserve to count.
            if reserve.count(role) == 30 {
                return error("there are too many pieces in this reserve".to_owned());
            }
            reserve.add(role);
        }
        if let Some(side) = side {
            self.seen[side.index()] = true;
            self.lines[side.index()] += 1;
        }
        Ok(())
    }
}

/// Returns the signs of a reserve, each with its first glyph, or no sign for a glyph
/// that is none.
fn signs(shape: &Shape<'_>, text: &[Glyph]) -> impl Iterator<Item = (Glyph, Option<Sign>)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blanks = rest.iter().take_while(|glyph| glyph.char == ' ').count();
        rest = &rest[blanks..];
        let first = *rest.first()?;
        let sign = shape.sign(rest);
        rest = &rest[sign.as_ref().map_or(1, |sign| sign.length)..];
        Some((first, sign))
    })
}

fn is_none(text: &str) -> bool {
    let text = text.trim_matches(['(', ')', '.']).to_lowercase();
    matches!(text.as_str(), "none" | "nothing" | "empty")
}

/// Returns true if every word has at least two characters: a single one may be
/// anything.
fn is_one_word(text: &[Glyph]) -> bool {
    let mut words = text
        .split(|glyph| glyph.char == ' ')
        .filter(|word| !word.is_empty());
    words.next().is_some_and(|word| word.len() > 1) && words.all(|word| word.len() > 1)
}
