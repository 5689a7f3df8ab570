//! The lines that say which game is played: `Rules:`, `Game:` and `Options:`.

use super::Place;
use super::lines::{Line, Origin};
use crate::args::nearest;
use crate::rules::{Game, Variant, VariantError, games};

/// A line that says something about the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What it says.
    pub key: Key,
    /// The value, trimmed.
    pub value: String,
    /// Where the value stands.
    pub place: Place,
}

/// What a header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// The game, by the name of the command line.
    Rules,
    /// The game, by the name shown to people.
    Game,
    /// The options, parted by commas or blanks.
    Options,
}

/// Names of a game that are not in its table entry: what the sources also
/// call it.
const ALIASES: [(&str, &str); 3] = [
    ("unachessi", "unachess"),
    ("unachessiii", "parachute"),
    ("parachute", "parachute"),
];

/// The header of a line, if it is one.
pub(super) fn read(line: &Line<'_>) -> Option<Header> {
    if line.origin == Origin::Signature {
        return None;
    }
    let (name, value) = line.text.split_once(':')?;
    let key = match name.trim().to_ascii_lowercase().as_str() {
        "rules" => Key::Rules,
        "game" => Key::Game,
        "options" | "option" => Key::Options,
        _ => return None,
    };
    let blanks = value.len() - value.trim_start().len();
    let before = &line.text[..name.len() + 1 + blanks];
    let value = value.trim();
    Some(Header {
        key,
        value: value.to_owned(),
        place: Place {
            line: line.number,
            column: line.column + before.chars().count(),
            width: value.chars().count().max(1),
        },
    })
}

/// The game of a name, whatever its capitals, blanks and signs.
///
/// # Errors
///
/// That it is not known, with the names that are and the nearest.
pub fn game(name: &str) -> Result<&'static Game, String> {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == wanted);
    let found = match alias {
        Some((_, id)) => games::find(id),
        None => games::ALL
            .iter()
            .copied()
            .find(|game| game.id == wanted || plain(game.name) == wanted),
    };
    found.ok_or_else(|| {
        let error = VariantError::UnknownGame(name.to_owned());
        let ids: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
        with_nearest(&error, name, &ids)
    })
}

/// The game with the options of a header's value.
///
/// # Errors
///
/// That it has no such option, with those it has and the nearest, or that two
/// exclude each other.
pub fn variant(game: &Game, options: &str) -> Result<Variant, String> {
    let options: Vec<&str> = options
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|name| !name.is_empty() && !matches!(*name, "none" | "-"))
        .collect();
    Variant::new(game, &options).map_err(|error| match &error {
        VariantError::UnknownOption { option, known, .. } => with_nearest(&error, option, known),
        _ => error.to_string(),
    })
}

fn with_nearest(error: &VariantError, name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(name) => format!("{error}; did you mean '{name}'?"),
        None => error.to_string(),
    }
}
