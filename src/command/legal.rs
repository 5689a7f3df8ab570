//! `parapost legal`: lists the legal moves of a position.

use std::io::IsTerminal;

use crate::Error;
use crate::args::{self, Input, Source};
use crate::command::context::Context;
use crate::command::source::{self, One};
use crate::command::status::Status;
use crate::rules::{Ply, Position, Record};

pub(super) fn run(args: &args::Legal, context: &mut Context<'_>) -> Result<Status, Error> {
    let record = record(args, context)?;
    let position = record.position();
    // No move is legal after an automatic end (docs/rules.md 1.13).
    if record.outcome().is_some() {
        return Ok(Status::Done);
    }
    // The placements include the single drops.
    let mut moves: Vec<String> = position
        .single_plies()
        .iter()
        .filter(|ply| !(args.placements && has_placements(position, ply)))
        .map(|ply| text(position, ply))
        .collect();
    moves.sort_unstable();
    let mut moves = moves.into_iter().peekable();
    if args.placements {
        // There can be too many placements to sort, but the iterator sorts
        // them.
        for ply in position.placements() {
            let placed = text(position, &ply);
            while let Some(earlier) = moves.next_if(|text| *text < placed) {
                context.print(format_args!("{earlier}\n"))?;
            }
            context.print(format_args!("{placed}\n"))?;
        }
    } else if position.needs_placement() {
        context.say("placement needed");
    }
    for text in moves {
        context.print(format_args!("{text}\n"))?;
    }
    Ok(Status::Done)
}

/// Returns true for a drop in a game in which one turn can drop several pieces.
fn has_placements(position: &Position, ply: &Ply) -> bool {
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

fn record(args: &args::Legal, context: &mut Context<'_>) -> Result<Record, Error> {
    let stdin = Source::Input(Input::Stdin);
    let line = &args.position;
    let source = match &args.source {
        Some(source) => source,
        // Avoids waiting for a typed list that the user did not announce.
        None if line.moves.is_none() && line.fen.is_none() && !std::io::stdin().is_terminal() => {
            &stdin
        }
        None => return source::record(line, &args.choice),
    };
    match source::one(source, &args.choice, context)? {
        One::Record(record) => Ok(record),
        One::Drawn(_) => Err(Error::refused(
            "a diagram alone does not tell who is to move: the list of moves is needed too",
        )),
    }
}
