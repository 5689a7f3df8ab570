//! Feature `serde`: values as text where they have a text form.
//!
//! The rest (plies, outcomes, setups) is derived where the types are.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::{Board, File, Rank, Square};
use crate::movetext::MoveText;
use crate::outcome::Mark;
use crate::piece::{Color, Piece, Reserve, Role};
use crate::ply::Placement;
use crate::position::Position;
use crate::record::Record;
use crate::setup::BishopColors;
use crate::variant::Variant;

/// Types that are written as a text, and read from it.
macro_rules! as_text {
    ($($type:ty, $expected:literal, $write:expr, $read:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$type) -> String = $write;
                serializer.serialize_str(&write(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                let read: fn(&str) -> Option<$type> = $read;
                read(&text).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &$expected))
            }
        }
    )*};
}

as_text! {
    Square, "a square from a1 to i9", ToString::to_string, |text| text.parse().ok();
    File, "a file from a to i", ToString::to_string, |text| File::from_letter(only(text)?);
    Rank, "a rank from 1 to 9", ToString::to_string, |text| Rank::from_digit(only(text)?);
    Color, "w or b", |color| color.letter().to_string(),
        |text| named(text, &Color::ALL, |color| color.letter().to_string());
    Role, "a piece's letter, with + before it if promoted", |role| role_text(*role),
        |text| named(text, &Role::ALL, role_text);
    Piece, "a piece's letter, capital or small", ToString::to_string, piece;
    Board, "the board of a FEN", Board::fen, |text| Board::from_fen(text).ok();
    BishopColors, "none, dark, light or both", ToString::to_string, BishopColors::from_word;
    Mark, "a mark: nothing, +, # or !+", ToString::to_string, mark;
    MoveText, "a move", ToString::to_string, |text| text.parse().ok();
    Reserve, "the letters of the pieces in reserve", |held| reserve_text(*held), reserve;
}

/// The one of several values that is written like that.
fn named<T: Copy>(text: &str, all: &[T], write: impl Fn(T) -> String) -> Option<T> {
    all.iter().copied().find(|one| write(*one) == text)
}

fn only(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let only = chars.next()?;
    chars.next().is_none().then_some(only)
}

fn role_text(role: Role) -> String {
    role.of(Color::White).to_string()
}

fn piece(text: &str) -> Option<Piece> {
    let pieces = Color::ALL.map(|color| Role::ALL.map(|role| role.of(color)));
    named(text, pieces.as_flattened(), |piece| piece.to_string())
}

fn mark(text: &str) -> Option<Mark> {
    let marks = [Mark::None, Mark::Check, Mark::Mate, Mark::Virtual];
    named(text, &marks, |mark| mark.to_string())
}

fn reserve_text(reserve: Reserve) -> String {
    let roles = Role::ALL.iter().filter(|role| !role.is_promoted());
    roles
        .flat_map(|&role| (0..reserve.count(role)).map(move |_| role.letter()))
        .collect()
}

fn reserve(text: &str) -> Option<Reserve> {
    text.chars().try_fold(Reserve::EMPTY, |reserve, letter| {
        reserve.with(Role::from_letter(letter).filter(|_| letter.is_ascii_uppercase())?)
    })
}

impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.drops())
    }
}

impl<'de> Deserialize<'de> for Placement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Placement, D::Error> {
        let drops = Vec::<(Role, Square)>::deserialize(deserializer)?;
        Placement::new(drops).ok_or_else(|| {
            let most = Placement::MOST;
            D::Error::custom(format!(
                "a placement has at most {most} pieces, each on its own square"
            ))
        })
    }
}

/// A variant by names, and what else is written of a position or a record.
#[derive(Serialize, Deserialize)]
struct Named {
    game: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
}

impl Named {
    fn new(variant: &Variant) -> Named {
        Named {
            game: variant.game().id.to_string(),
            options: variant.options().iter().map(ToString::to_string).collect(),
            fen: None,
            moves: None,
        }
    }

    fn variant<E: Error>(&self) -> Result<Variant, E> {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        Variant::find(&self.game, &options).map_err(E::custom)
    }

    /// The position of the FEN; the start where there is none.
    fn position<E: Error>(&self) -> Result<Position, E> {
        let variant = self.variant()?;
        let Some(fen) = &self.fen else {
            return Ok(variant.start());
        };
        Position::from_fen(&variant, fen).map_err(E::custom)
    }
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Named::new(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
        Named::deserialize(deserializer)?.variant()
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut named = Named::new(self.variant());
        named.fen = Some(self.fen());
        named.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        Named::deserialize(deserializer)?.position()
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let start = self.start();
        let mut named = Named::new(start.variant());
        if *start != start.variant().start() {
            named.fen = Some(start.fen());
        }
        named.moves = Some(self.steps().iter().map(|step| step.text.clone()).collect());
        named.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let named = Named::deserialize(deserializer)?;
        let mut record = Record::new(named.position()?);
        for text in named.moves.iter().flatten() {
            record.play_text(text).map_err(D::Error::custom)?;
        }
        Ok(record)
    }
}
