//! Positions in words, as our mails have them for those who see no pictures: `White: king on e1,
//! pawns on d2 and e4; in reserve: queen. Black: …`.

use crate::rules::{Role, Square};

/// Where a text may be the start of a position in words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Nowhere: it goes on with one.
    None,
    /// In a line of a letter.
    Line,
    /// In the text of a picture.
    Picture,
}

fn is_side(word: &str) -> bool {
    matches!(word, "white" | "black" | "sente" | "gote")
}

/// The parts of a position in words that a text has.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    sides: usize,
    pieces: usize,
    squares: usize,
    has_reserve: bool,
}

impl Told {
    /// Returns what the text tells if it has no other words. At the start, some may stand
    /// before the first player: in the text of a picture any, in a line only those that a
    /// program puts there for a picture, in brackets. Else it may be somebody of that name
    /// who writes what stands below.
    pub(super) fn by(text: &str, start: Start) -> Option<Told> {
        let mut told = Told::default();
        let is_bracketed = text.trim_start().starts_with(['[', '!', '<', '(']);
        // A picture may stand in brackets, with its name or its number behind it.
        let is_end = |c: char| c.is_whitespace() || "[]()<>!".contains(c);
        for word in text.split(is_end) {
            let is_opened = word.ends_with(':');
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let bare = bare.strip_suffix("'s").unwrap_or(bare).to_lowercase();
            let is_before = start != Start::None && told.sides == 0;
            if is_before
                && start == Start::Line
                && !is_bracketed
                && !is_side(&bare)
                && !word.is_empty()
            {
                return None;
            }
            match bare.as_str() {
                side if is_side(side) => told.sides += usize::from(is_opened),
                "reserve" | "reserves" => told.has_reserve |= !is_before,
                "a" | "an" | "and" | "at" | "board" | "check" | "empty" | "figure" | "from"
                | "general" | "generals" | "hand" | "has" | "have" | "hold" | "holds" | "image"
                | "img" | "in" | "is" | "it" | "last" | "move" | "moved" | "no" | "none"
                | "nobody" | "nothing" | "of" | "on" | "picture" | "piece" | "pieces"
                | "promoted" | "seen" | "side" | "the" | "to" | "virtual" | "with" | "yet"
                | "position"
                // Numbers in words.
                | "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine"
                | "ten" | "eleven" | "twelve" | "thirteen" | "fourteen" | "fifteen"
                | "sixteen" | "seventeen" | "eighteen" => {}
                // Signs alone come to an empty word.
                word if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
                word if word.starts_with("cid:") => {}
                word if is_piece(word) => told.pieces += usize::from(!is_before),
                word if word.parse::<Square>().is_ok() => told.squares += usize::from(!is_before),
                _ if is_before && start == Start::Picture => {}
                _ => return None,
            }
        }
        (start == Start::None || told.sides > 0).then_some(told)
    }

    pub(super) fn and(self, other: Told) -> Told {
        Told {
            sides: self.sides + other.sides,
            pieces: self.pieces + other.pieces,
            squares: self.squares + other.squares,
            has_reserve: self.has_reserve || other.has_reserve,
        }
    }

    /// Returns true if the next line belongs to this, which ends with a full stop or a
    /// bracket. Below both players a writer may begin.
    pub(super) fn goes_on_with(self, next: Told) -> bool {
        next.sides > 0 && self.sides + next.sides <= 2 || next.has_reserve
    }

    /// Returns true if this is a whole position. "Black: knight on d5" may be a player's
    /// move.
    pub(super) fn is_position(self) -> bool {
        self.sides > 0
            && self.pieces > 0
            && (self.has_reserve || self.squares > 2 || self.sides > 1)
    }
}

/// Returns true if a word in lower case names a piece, or is a part of a name.
pub(super) fn is_piece(word: &str) -> bool {
    let is_named = |word: &str| {
        let mut roles = Role::ALL.into_iter();
        roles.any(|role| {
            let mut names = role.name().split([' ', '-']);
            names.any(|name| name.eq_ignore_ascii_case(word))
        })
    };
    is_named(word) || word.strip_suffix('s').is_some_and(is_named)
}

/// Returns true if the text of a picture tells a position.
pub(super) fn is_position(text: &str) -> bool {
    Told::by(text, Start::Picture).is_some_and(Told::is_position)
}
