//! The legal moves of a position, sorted by their text.

use std::iter;

use crate::limits::PLACEMENTS;
use crate::rules::{Ply, Position, Record};

/// Returns the legal plies of a record's last position, each behind its canonical form
/// with its mark, sorted by that. Of placements there are the first, at most
/// [`PLACEMENTS`], each made when it is asked for.
pub(crate) fn moves(
    record: &Record,
    has_placements: bool,
) -> impl Iterator<Item = (String, Ply)> + '_ {
    let position = record.position();
    // No move is legal after an automatic end (docs/rules.md 1.13).
    let goes_on = record.outcome().is_none();
    // The placements include the single drops.
    let single = goes_on.then(|| position.single_plies());
    let mut single: Vec<(String, Ply)> = single
        .into_iter()
        .flatten()
        .filter(|ply| !(has_placements && is_placement(position, ply)))
        .map(|ply| (text(position, &ply), ply))
        .collect();
    single.sort_unstable();
    // There can be too many placements to sort, but the iterator sorts them.
    let placements = (goes_on && has_placements).then(|| position.placements());
    let placements = placements.into_iter().flatten().take(PLACEMENTS);
    let placements = placements.map(|ply| (text(position, &ply), ply));
    let (mut single, mut placements) = (single.into_iter().peekable(), placements.peekable());
    iter::from_fn(move || {
        let is_single = match (single.peek(), placements.peek()) {
            (Some((single, _)), Some((placed, _))) => single < placed,
            (single, _) => single.is_some(),
        };
        if is_single {
            single.next()
        } else {
            placements.next()
        }
    })
}

/// Returns true if [`moves`] leaves placements out, because there are too many.
pub(crate) fn leaves_out(record: &Record) -> bool {
    record.outcome().is_none() && record.position().placements().nth(PLACEMENTS).is_some()
}

/// Returns true for a drop in a game in which one turn can drop several pieces.
fn is_placement(position: &Position, ply: &Ply) -> bool {
    position.variant().rules().placement && matches!(ply, Ply::Drop { .. })
}

/// Returns the canonical form of a legal ply, with its mark.
fn text(position: &Position, ply: &Ply) -> String {
    let text = position.text(ply);
    match position.play(ply).map(|after| after.mark().to_string()) {
        Ok(mark) if !mark.is_empty() => format!("{text} {mark}"),
        _ => text,
    }
}
