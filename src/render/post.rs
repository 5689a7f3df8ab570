//! A post: game, diagram, list and the side to move, as the body of a message.

use crate::notation::diagram::draw::DiagramStyle;
use crate::notation::header;
use crate::notation::move_list::MoveList;
use crate::render::view::View;
use crate::rules::{Outcome, Record};

pub(super) fn write(view: &View<'_>, look: DiagramStyle) -> String {
    let game = header::write(view.diagram.variant());
    let diagram = view.diagram.draw(look);
    let list = view.record.map(|record| {
        let list = MoveList::of(record);
        match look.room {
            Some(columns) => list.within(columns).to_string(),
            None => list.to_string(),
        }
    });
    let standing = view.record.map(standing);
    let parts = [
        game,
        diagram,
        list.unwrap_or_default(),
        standing.unwrap_or_default(),
    ];
    let shown: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    shown.join("\n")
}

/// Writes a line that says who is to move, or how the match ended.
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
