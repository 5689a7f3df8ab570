//! "Did you mean" suggestions: the known name nearest to an unknown one.

use crate::rules::{VariantError, games};

/// Writes the error, and the known name that was probably meant.
#[must_use]
pub(crate) fn explain(error: &VariantError) -> String {
    let nearest = match error {
        VariantError::UnknownGame(name) => {
            let ids: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
            nearest(name, &ids)
        }
        VariantError::UnknownOption { option, known, .. } => nearest(option, known),
        _ => None,
    };
    match nearest {
        Some(name) => format!("{error}; did you mean '{name}'?"),
        None => error.to_string(),
    }
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
