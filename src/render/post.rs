//! A post: game, diagram, list and the side to move, as the body of a message.

use crate::notation::diagram::draw::DiagramStyle;
use crate::notation::header;
use crate::notation::move_list::MoveList;
use crate::render::view::View;
use crate::rules::{Outcome, Record};

/// Writes the post of a view.
pub(super) fn write(view: &View<'_>, style: DiagramStyle) -> String {
    let game = header::write(view.diagram.variant());
    let diagram = view.diagram.draw(style);
    let mut parts = vec![game, diagram];
    if let Some(record) = view.record {
        let list = MoveList::of(record);
        let columns = style.room.unwrap_or(usize::MAX);
        parts.extend([list.within(columns).to_string(), standing(record)]);
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
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

/// Puts a post into a block for forums that keeps its columns.
pub(super) fn in_bbcode(post: &str) -> String {
    format!("[code]\n{post}[/code]\n")
}

/// Puts a post into a fenced or an indented block of Markdown that keeps its columns.
pub(super) fn in_markdown(post: &str, is_indented: bool) -> String {
    if !is_indented {
        return format!("```\n{post}```\n");
    }
    let lines = post.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    lines.collect()
}
