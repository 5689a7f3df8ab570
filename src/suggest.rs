//! "Did you mean" suggestions: the known name nearest to an unknown one.

use crate::rules::{VariantError, games};

/// The most letters in which a misspelt name of a game differs from the right one. Other
/// games have names that are hardly less alike: chess960 is not chess.
const MISSPELT: usize = 2;

/// Writes the error, and the known name that was probably meant.
#[must_use]
pub(crate) fn explain(error: &VariantError) -> String {
    let nearest = match error {
        VariantError::UnknownGame(name) => match misspelt_game(name) {
            None => return other_game(error),
            nearest => nearest,
        },
        VariantError::UnknownOption { option, known, .. } => nearest(option, known),
        _ => None,
    };
    match nearest {
        Some(name) => format!("{error}; did you mean '{name}'?"),
        None => error.to_string(),
    }
}

/// Writes that a name is that of another game.
fn other_game(error: &VariantError) -> String {
    let text = error.to_string();
    match text.rsplit_once("; known are ") {
        Some((unknown, known)) => format!("{unknown}: it is not one of the games {known}"),
        None => text,
    }
}

/// Finds the game whose id was misspelt, if one was.
fn misspelt_game(name: &str) -> Option<&'static str> {
    let name: String = name.to_lowercase().chars().take(40).collect();
    let ids = games::ALL.iter().map(|game| game.id);
    ids.filter(|id| id.as_bytes().first() == name.as_bytes().first())
        .map(|id| (strsim::osa_distance(&name, id), id))
        .filter(|(distance, _)| *distance <= MISSPELT)
        .min()
        .map(|(_, id)| id)
}

/// Finds the known name most similar to an unknown one, if any is similar.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .iter()
        .map(|known| (strsim::jaro_winkler(&name, known), *known))
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known)
}
