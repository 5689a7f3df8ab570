//! Diagram, list and who is to move, as the body of a message.

use super::Sheet;
use crate::rules::{Outcome, Record};
use crate::text::{Look, MoveList};

pub(super) fn write(sheet: &Sheet<'_>, look: Look) -> String {
    let diagram = sheet.diagram.draw(look);
    let Some(record) = sheet.record else {
        return diagram;
    };
    let list = MoveList::of(record).to_string();
    let parts = [diagram, list, standing(record)];
    let told: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    told.join("\n")
}

/// Who is to move, or how the match ended.
fn standing(record: &Record) -> String {
    let position = record.position();
    let player = |color| position.variant().player(color);
    match record.outcome() {
        Some(Outcome {
            winner: Some(winner),
            reason,
        }) => format!("{} has won by {reason}.\n", player(winner)),
        Some(Outcome {
            winner: None,
            reason,
        }) => format!("The game is drawn: {reason}.\n"),
        None => format!("{} to move.\n", player(position.turn())),
    }
}
