//! "Did you mean" suggestions: the known name nearest to an unknown one.

use crate::match_id::Id;
use crate::rules::{VariantError, games};

/// The most letters in which a misspelt name of a game differs from the right one. Other
/// games have names that are hardly less alike: chess960 is not chess.
const MISSPELT: usize = 2;

/// Writes the error, and the known name that was probably meant.
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
pub(crate) fn misspelt_game(name: &str) -> Option<&'static str> {
    let name: String = name.to_lowercase().chars().take(40).collect();
    let ids = games::ALL.iter().map(|game| game.id);
    ids.filter(|id| id.as_bytes().first() == name.as_bytes().first())
        .map(|id| (strsim::osa_distance(&name, id), id))
        .filter(|(distance, _)| *distance <= MISSPELT)
        .min()
        .map(|(_, id)| id)
}

/// Finds the match whose id was misspelt, if one was: all of it but two letters, or its
/// beginning. Each id is looked at once.
pub(crate) fn nearest_match<'a>(id: &Id, ids: &'a [Id]) -> Option<&'a Id> {
    let misspelt = |other: &'a Id| {
        let distance = strsim::osa_distance(id.as_str(), other.as_str());
        let shorter = id.as_str().len().min(other.as_str().len());
        // Of short ids, hardly anything would be left.
        (distance <= MISSPELT && distance * 2 < shorter).then_some((distance, other))
    };
    let nearest = ids.iter().filter_map(misspelt).min();
    let mut begun = ids
        .iter()
        .filter(|other| id.as_str().len() >= 2 && other.as_str().starts_with(id.as_str()));
    match (nearest, begun.next(), begun.next()) {
        (Some((_, nearest)), ..) => Some(nearest),
        // A beginning that several have in common names none of them.
        (None, Some(one), None) => Some(one),
        _ => None,
    }
}

/// Finds the known name most similar to an unknown one, if any is similar.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .iter()
        .map(|known| (strsim::jaro_winkler(&name, known), *known))
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_match_is_found_and_no_other() {
        let ids: Vec<Id> = ["k7f3qd", "first", "g7", "club-1", "club-2"]
            .iter()
            .map(|id| id.parse().unwrap())
            .collect();
        for (id, meant) in [
            ("k7f3qb", Some("k7f3qd")),
            ("k73fqd", Some("k7f3qd")),
            ("k7f", Some("k7f3qd")),
            ("frist", Some("first")),
            ("club-3", Some("club-1")),
            ("clu", None),
            ("g8", None),
            ("x", None),
            ("nosuch", None),
        ] {
            let found = nearest_match(&id.parse().unwrap(), &ids);
            assert_eq!(found.map(Id::as_str), meant, "{id}");
        }
    }
}
